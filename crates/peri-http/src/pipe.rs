//! Between the engine, which writes and reads on threads of its own, and connections that are as slow as they like.
//!
//! Both ways hold a bounded number of bytes: the one who is faster waits. A peer that does nothing for a minute has
//! left, as far as we are concerned.

use std::io::{self, BufRead, Read, Write};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt, stream};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::problem::Problem;

/// So many bytes are sent at a time.
const PIECE_BYTES: usize = 64 * 1024;
/// So many pieces wait for a client that is slower than the engine.
const PIECES_WAITING_MAX: usize = 4;
/// How long nothing may move.
const STALLED: Duration = Duration::from_secs(60);

/// What the engine sends.
enum Piece {
    More(Bytes),
    /// Everything was sent. An answer without it is broken off, never ended as if it was whole.
    End,
    Failed(Problem),
}

/// Where the engine writes an answer to.
pub(crate) struct Outlet {
    handle: Handle,
    pieces: mpsc::Sender<Piece>,
    buffer: Vec<u8>,
}

/// The answer's other end.
pub(crate) struct Outflow(mpsc::Receiver<Piece>);

/// An answer that is written while it is sent.
pub(crate) fn outflow() -> (Outlet, Outflow) {
    let (pieces, received) = mpsc::channel(PIECES_WAITING_MAX);
    let buffer = Vec::with_capacity(PIECE_BYTES);
    (Outlet { handle: Handle::current(), pieces, buffer }, Outflow(received))
}

impl Outlet {
    /// Says that everything was written, or why not.
    pub(crate) fn finish<T>(mut self, outcome: Result<T, Problem>) {
        let last = match outcome {
            Ok(_) => self.flush().map_or(None, |()| Some(Piece::End)),
            Err(problem) => Some(Piece::Failed(problem)),
        };
        if let Some(last) = last
            && self.send(last).is_err()
        {
            tracing::debug!("a client left before the end of its answer");
        }
    }

    fn send(&self, piece: Piece) -> io::Result<()> {
        match self.handle.block_on(timeout(STALLED, self.pieces.send(piece))) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= PIECE_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.buffer, Vec::with_capacity(PIECE_BYTES));
        self.send(Piece::More(piece.into()))
    }
}

impl Outflow {
    /// The body, once its beginning is there: what fails before that can still be answered properly.
    pub(crate) async fn into_body(mut self) -> Result<Body, Problem> {
        let first = match self.0.recv().await {
            Some(Piece::Failed(problem)) => return Err(problem),
            None => return Err(Problem::internal()),
            Some(first) => first,
        };
        Ok(Body::from_stream(self.rest(first)))
    }

    fn rest(self, first: Piece) -> impl Stream<Item = io::Result<Bytes>> {
        let pieces = stream::unfold(Some((Some(first), self.0)), |state| async {
            let (first, mut pieces) = state?;
            let piece = match first {
                Some(first) => Some(first),
                None => pieces.recv().await,
            };
            match piece {
                Some(Piece::More(bytes)) => Some((Ok(bytes), Some((None, pieces)))),
                Some(Piece::End) => None,
                Some(Piece::Failed(_)) | None => Some((Err(io::Error::other("the answer broke off")), None)),
            }
        });
        // What compresses it asks once more after the end.
        pieces.fuse()
    }
}

/// Where the engine reads a request's body from.
pub(crate) struct Inlet {
    handle: Handle,
    body: BodyDataStream,
    chunk: Bytes,
}

impl Inlet {
    /// Reads a body as it comes.
    pub(crate) fn new(body: Body) -> Self {
        Self { handle: Handle::current(), body: body.into_data_stream(), chunk: Bytes::new() }
    }
}

impl BufRead for Inlet {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.chunk.is_empty() {
            match self.handle.block_on(timeout(STALLED, self.body.next())) {
                Ok(Some(Ok(chunk))) => self.chunk = chunk,
                Ok(Some(Err(error))) => return Err(io::Error::other(error)),
                Ok(None) => break,
                Err(_) => return Err(io::ErrorKind::TimedOut.into()),
            }
        }
        Ok(&self.chunk)
    }

    fn consume(&mut self, amount: usize) {
        self.chunk.advance(amount.min(self.chunk.len()));
    }
}

impl Read for Inlet {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes on a thread of its own, and what the client gets of it.
    async fn sent(write: impl FnOnce(Outlet) + Send + 'static) -> Result<Vec<u8>, String> {
        let (outlet, outflow) = outflow();
        let writing = tokio::task::spawn_blocking(move || write(outlet));
        let body = outflow.into_body().await.map_err(|problem| problem.status().to_string())?;
        let bytes = http_body_util::BodyExt::collect(body).await.map_err(|error| error.to_string());
        // A writer that panics is one of the cases.
        drop(writing.await);
        bytes.map(|bytes| bytes.to_bytes().to_vec())
    }

    #[tokio::test]
    async fn what_is_written_arrives_whole() {
        let whole = vec![b'x'; PIECE_BYTES * 9 + 5];
        let expected = whole.clone();
        let got = sent(move |mut outlet| {
            whole.chunks(1000).for_each(|chunk| outlet.write_all(chunk).unwrap());
            outlet.finish(Ok(()));
        });
        assert_eq!(got.await, Ok(expected));
        assert_eq!(sent(|outlet| outlet.finish(Ok(()))).await, Ok(Vec::new()));
    }

    #[tokio::test]
    async fn what_fails_before_it_begins_is_answered_with_the_problem() {
        let got = sent(|outlet| outlet.finish::<()>(Err(Problem::overloaded()))).await;
        assert_eq!(got, Err("503 Service Unavailable".to_owned()));
    }

    #[tokio::test]
    async fn what_fails_midway_is_broken_off_and_never_ended() {
        for panics in [false, true] {
            let got = sent(move |mut outlet| {
                outlet.write_all(&vec![b'x'; PIECE_BYTES]).unwrap();
                assert!(!panics, "on purpose");
                outlet.finish::<()>(Err(Problem::internal()));
            });
            assert_eq!(got.await, Err("the answer broke off".to_owned()));
        }
    }

    #[tokio::test]
    async fn a_client_that_leaves_ends_the_writing() {
        let (mut outlet, outflow) = outflow();
        let writing = tokio::task::spawn_blocking(move || {
            let error = (0..).find_map(|_| outlet.write_all(&[b'x'; 1000]).err());
            error.map(|error| error.kind())
        });
        drop(outflow.into_body().await.unwrap());
        assert_eq!(writing.await.unwrap(), Some(io::ErrorKind::BrokenPipe));
    }

    #[tokio::test]
    async fn a_body_is_read_as_it_comes_and_told_when_it_breaks() {
        let chunks = ["on", "e\n", "", "two\nthr", "ee"].map(|chunk| Ok(Bytes::from(chunk)));
        let broken = Err(io::Error::other("gone"));
        let body = Body::from_stream(stream::iter(chunks.into_iter().chain([broken])));
        let mut inlet = Inlet::new(body);
        let lines: Vec<Result<String, String>> = tokio::task::spawn_blocking(move || {
            inlet.by_ref().lines().take(3).map(|line| line.map_err(|error| error.to_string())).collect()
        })
        .await
        .unwrap();
        assert_eq!(lines, [Ok("one".to_owned()), Ok("two".to_owned()), Err("gone".to_owned())]);
    }
}
