//! Where connections come in: no more at once than there is room for, and none that says nothing.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum_server::accept::Accept;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;

/// So many bytes tell which protocol a client speaks. From then on the protocol knows how long to wait.
const TELLING_BYTES: usize = 24;

/// Lets connections in as long as there is room.
#[derive(Debug, Clone)]
pub(crate) struct Door<A> {
    inner: A,
    places: Arc<Semaphore>,
    pause_max: Duration,
    /// Whether it was told that there is no room: once until there is some again.
    is_told: Arc<AtomicBool>,
}

/// The store, its log, the index and what is written meanwhile need so many files.
const FILES_KEPT: u64 = 48;
/// So many clients are let in however few files there may be.
const CONNECTIONS_MIN: u64 = 8;

/// How many connections there is room for: each takes one of the files that the process may open, and when none is left the
/// store cannot work either.
pub(crate) fn room() -> usize {
    #[cfg(unix)]
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let files = None;
    room_of(files)
}

fn room_of(files: Option<u64>) -> usize {
    let room = files.map_or(u64::MAX, |files| files.saturating_sub(FILES_KEPT).max(CONNECTIONS_MIN));
    usize::try_from(room).unwrap_or(usize::MAX)
}

impl<A> Door<A> {
    /// One before whatever else is done with a connection.
    pub(crate) fn new(inner: A, connections_max: usize, pause_max: Duration) -> Self {
        let places = Arc::new(Semaphore::new(connections_max.min(Semaphore::MAX_PERMITS)));
        Self { inner, places, pause_max, is_told: Arc::default() }
    }

    fn place(&self) -> io::Result<OwnedSemaphorePermit> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        let is_full = place.is_err();
        if self.is_told.swap(is_full, Ordering::Relaxed) != is_full && is_full {
            tracing::warn!("too many connections are open; further ones are closed until there is room");
        }
        place.map_err(|_| io::ErrorKind::ConnectionRefused.into())
    }
}

impl<A, S> Accept<TcpStream, S> for Door<A>
where
    A: Accept<TcpStream, S>,
    A::Future: Send + 'static,
{
    type Stream = Held<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, Self::Service)>> + Send>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let pause_max = self.pause_max;
        let accepted = self.place().map(|place| (place, self.inner.accept(stream, service)));
        Box::pin(async move {
            let (place, accepted) = accepted?;
            let (stream, service) = accepted.await?;
            let silence = Some(Box::pin(tokio::time::sleep(pause_max)));
            Ok((Held { stream, silence, heard: 0, _place: place }, service))
        })
    }
}

/// A connection, and the place that it takes until it is closed.
#[derive(Debug)]
pub(crate) struct Held<S> {
    stream: S,
    /// When it is over with a client that has said too little to know what it wants.
    silence: Option<Pin<Box<Sleep>>>,
    heard: usize,
    _place: OwnedSemaphorePermit,
}

impl<S: AsyncRead + Unpin> AsyncRead for Held<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.silence.is_none() {
            return read;
        }
        self.heard += buffer.filled().len() - before;
        if self.heard >= TELLING_BYTES {
            self.silence = None;
        }
        let is_over = |silence: &mut Pin<Box<Sleep>>| silence.as_mut().poll(context).is_ready();
        match read {
            Poll::Pending if self.silence.as_mut().is_some_and(is_over) => {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            read => read,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Held<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod room {
    use super::*;

    #[test]
    fn connections_leave_the_store_the_files_that_it_needs() {
        for (files, room) in [(Some(64), 16), (Some(256), 208), (Some(0), 8), (Some(1024), 976)] {
            assert_eq!(room_of(files), room, "{files:?}");
        }
        assert_eq!(room_of(None), usize::MAX);
    }
}
