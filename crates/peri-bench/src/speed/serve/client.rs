//! A client that costs next to nothing: HTTP/1.1 over one connection that stays open, one request at a time.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A server that is silent for so long has failed.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// An open connection.
pub(super) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    request: Vec<u8>,
    line: String,
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    /// The session that an MCP server has opened.
    pub(super) session: Option<String>,
    pub(super) body: Vec<u8>,
}

/// How the end of a body is told.
#[derive(Clone, Copy)]
enum Length {
    Bytes(usize),
    Chunks,
}

impl Answer {
    /// The body of an answer that says that all is well.
    pub(super) fn success(self) -> io::Result<Vec<u8>> {
        if (200..300).contains(&self.status) {
            return Ok(self.body);
        }
        let body = String::from_utf8_lossy(&self.body);
        Err(io::Error::other(format!("the server answered {}: {body}", self.status)))
    }
}

impl Connection {
    pub(super) fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE_MAX))?;
        Ok(Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            host: address.to_string(),
            request: Vec::new(),
            line: String::new(),
        })
    }

    pub(super) fn get(&mut self, path: &str) -> io::Result<Answer> {
        self.send("GET", path, &[], b"")
    }

    pub(super) fn post(&mut self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> io::Result<Answer> {
        self.send("POST", path, headers, body)
    }

    /// One write for the whole request, so that it travels in as few packets as it can.
    fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Answer> {
        self.request.clear();
        write!(self.request, "{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.host)?;
        for (name, value) in headers {
            write!(self.request, "{name}: {value}\r\n")?;
        }
        if method != "GET" {
            let length = body.len();
            write!(self.request, "content-type: application/json\r\ncontent-length: {length}\r\n")?;
        }
        self.request.extend_from_slice(b"\r\n");
        self.request.extend_from_slice(body);
        self.stream.get_mut().write_all(&self.request)?;
        self.answer()
    }

    fn answer(&mut self) -> io::Result<Answer> {
        self.read_line()?;
        let status = self.line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| broken(&self.line))?;
        let (mut length, mut session) = (Length::Bytes(0), None);
        loop {
            self.read_line()?;
            let Some((name, value)) = self.line.split_once(':') else { break };
            let value = value.trim();
            if name.eq_ignore_ascii_case("content-length") {
                length = Length::Bytes(value.parse().map_err(|_| broken(&self.line))?);
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                length = Length::Chunks;
            } else if name.eq_ignore_ascii_case("mcp-session-id") {
                session = Some(value.to_owned());
            }
        }
        let mut body = Vec::new();
        match length {
            Length::Bytes(bytes) => self.read_more(bytes, &mut body)?,
            Length::Chunks => self.read_chunks(&mut body)?,
        }
        Ok(Answer { status, session, body })
    }

    fn read_chunks(&mut self, body: &mut Vec<u8>) -> io::Result<()> {
        loop {
            self.read_line()?;
            let bytes = usize::from_str_radix(&self.line, 16).map_err(|_| broken(&self.line))?;
            self.read_more(bytes, body)?;
            self.read_line()?;
            if bytes == 0 {
                return Ok(());
            }
        }
    }

    fn read_more(&mut self, bytes: usize, body: &mut Vec<u8>) -> io::Result<()> {
        let begun = body.len();
        body.resize(begun + bytes, 0);
        self.stream.read_exact(&mut body[begun..])
    }

    /// The next line without its end. A connection that ends here has been closed.
    fn read_line(&mut self) -> io::Result<()> {
        self.line.clear();
        if self.stream.read_line(&mut self.line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.line.truncate(self.line.trim_end().len());
        Ok(())
    }
}

fn broken(line: &str) -> io::Error {
    io::Error::other(format!("the server said {line:?}, which is no HTTP"))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// What the client makes of bytes that a server sends.
    fn read(sent: &'static [u8]) -> io::Result<Vec<Answer>> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let server = std::thread::spawn(move || -> io::Result<()> {
            let mut stream = listener.accept()?.0;
            stream.write_all(sent)
        });
        let mut connection = Connection::open(address)?;
        server.join().unwrap()?;
        let mut answers = Vec::new();
        loop {
            match connection.answer() {
                Ok(answer) => answers.push(answer),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(answers),
                Err(error) => return Err(error),
            }
        }
    }

    #[test]
    fn answers_of_both_kinds_follow_each_other_on_one_connection() {
        let answers = read(
            b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\
            Mcp-Session-Id: 7\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nHTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n",
        )
        .unwrap();
        let told: Vec<_> = answers.iter().map(|answer| (answer.status, answer.body.as_slice())).collect();
        assert_eq!(told, [(201, b"ok".as_slice()), (200, b"abc0123456789"), (503, b"")]);
        assert_eq!(answers[1].session.as_deref(), Some("7"));
        assert!(answers.into_iter().next_back().is_some_and(|answer| answer.success().is_err()));
    }

    #[test]
    fn what_is_no_http_is_an_error_and_not_an_answer() {
        assert!(read(b"SSH-2.0-OpenSSH\r\n\r\n").is_err());
    }
}
