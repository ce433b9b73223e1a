//! Posting to the collector: one small request at a time, from the sender's own thread.

use std::io::{BufRead, BufReader, Error, ErrorKind, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use opentelemetry_http::{HttpClient, HttpError};

use crate::config::Endpoint;

/// The collector.
#[derive(Debug)]
pub(super) struct Client {
    endpoint: Endpoint,
    timeout: Duration,
    /// Whether the last batch failed: one line in the log tells of a collector that is down, not one each batch.
    failing: AtomicBool,
}

impl Client {
    pub(super) fn new(endpoint: Endpoint, timeout: Duration) -> Self {
        Self { endpoint, timeout, failing: AtomicBool::new(false) }
    }

    fn post(&self, request: &Request<Bytes>) -> Result<StatusCode, Error> {
        let Endpoint { host, port, path } = &self.endpoint;
        let mut head = format!("POST {path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n");
        for (name, value) in request.headers() {
            if let Ok(value) = value.to_str() {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", request.body().len()));
        let mut stream = self.connect()?;
        stream.write_all(head.as_bytes())?;
        stream.write_all(request.body())?;
        let mut status = String::new();
        BufReader::new(stream).read_line(&mut status)?;
        let code = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        code.ok_or_else(|| Error::new(ErrorKind::InvalidData, "the answer is not HTTP"))
    }

    fn connect(&self) -> Result<TcpStream, Error> {
        let mut last = Error::new(ErrorKind::NotFound, "the name has no address");
        for address in (self.endpoint.name(), self.endpoint.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, self.timeout) {
                Ok(stream) => {
                    stream.set_read_timeout(Some(self.timeout))?;
                    stream.set_write_timeout(Some(self.timeout))?;
                    return Ok(stream);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn tell(&self, trouble: Option<String>) {
        let failed = self.failing.swap(trouble.is_some(), Ordering::Relaxed);
        match trouble {
            Some(trouble) if !failed => {
                tracing::warn!(endpoint = %self.endpoint, trouble, "traces cannot be sent");
            }
            None if failed => tracing::info!(endpoint = %self.endpoint, "traces are sent again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        // The sender's thread does nothing else, so it may wait here.
        let answered = self.post(&request);
        self.tell(match &answered {
            Ok(status) if status.is_success() => None,
            Ok(status) => Some(format!("the collector answered {status}")),
            Err(error) => Some(error.to_string()),
        });
        Ok(Response::builder().status(answered?).body(Bytes::new())?)
    }
}
