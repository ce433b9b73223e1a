//! A server of one page of code that answers as a test wants it to.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// How one request is answered.
#[derive(Clone)]
pub enum Step {
    /// With these bytes, and the connection is closed.
    Bytes(Vec<u8>),
    /// Not at all: the connection stays open.
    Silence,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Seen {
    pub head: String,
    pub body: Value,
}

/// Answers on a free port of this machine.
pub struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers one request after the other; the last answer again and again.
    pub fn answering(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let told = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for (number, connection) in listener.incoming().enumerate() {
                let mut connection = connection.unwrap();
                let Some(request) = hear(&mut connection) else { continue };
                told.lock().unwrap().push(request);
                match &steps[number.min(steps.len() - 1)] {
                    Step::Bytes(bytes) => drop(connection.write_all(bytes)),
                    Step::Silence => silent.push(connection),
                }
            }
        });
        Self { port, seen }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

/// Reads a request to its end.
fn hear(connection: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = connection.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_string();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
        })?;
        if bytes.len() >= end + 4 + length {
            return Some(Seen { head, body: serde_json::from_slice(&bytes[end + 4..]).unwrap() });
        }
    }
}

/// An answer with a status and further header lines.
pub fn reply(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Step {
    let body = body.as_ref();
    let head = format!(
        "HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    Step::Bytes([head.as_bytes(), body].concat())
}

/// What a server of chat completions sends.
pub fn completion(content: &str) -> Value {
    json!({
        "model": "small-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 150, "completion_tokens": 20},
    })
}

/// The same, as an answer.
pub fn says(content: &str) -> Step {
    reply(200, "", completion(content).to_string())
}

/// An error as such servers send it.
pub fn complains(status: u16, message: &str) -> Step {
    reply(status, "", json!({"error": {"message": message}}).to_string())
}
