//! A server of one page of code that answers as a test wants it to.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};

/// How one request is answered.
#[derive(Clone)]
pub enum Step {
    /// With these bytes, and the connection is closed.
    Bytes(Vec<u8>),
    /// With these bytes, one at a time and ever so slowly.
    Drip(Vec<u8>),
    /// Not at all: the connection stays open.
    Silence,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Seen {
    pub head: String,
    pub body: Value,
}

impl Seen {
    /// The texts that were to be embedded.
    pub fn texts(&self) -> Vec<String> {
        self.body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }
}

type Answering = dyn Fn(usize, &Seen) -> Step + Send + Sync;

/// Answers on a free port of this machine.
pub struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers each request, which are counted from 0, as the function says.
    pub fn answering(answer: impl Fn(usize, &Seen) -> Step + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let told = Arc::clone(&seen);
        let answer: Arc<Answering> = Arc::new(answer);
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let (answer, told) = (Arc::clone(&answer), Arc::clone(&told));
                std::thread::spawn(move || serve(connection.unwrap(), &*answer, &told));
            }
        });
        Self { port, seen }
    }

    /// Answers one request after the other by these steps; the last again and again.
    pub fn stepping(steps: Vec<Step>) -> Self {
        Self::answering(move |number, _| steps[number.min(steps.len() - 1)].clone())
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(mut connection: TcpStream, answer: &Answering, told: &Mutex<Vec<Seen>>) {
    let Some(request) = hear(&mut connection) else { return };
    let number = {
        let mut told = told.lock().unwrap();
        told.push(request.clone());
        told.len() - 1
    };
    match answer(number, &request) {
        Step::Bytes(bytes) => drop(connection.write_all(&bytes)),
        Step::Drip(bytes) => drip(&mut connection, &bytes),
        // Until the other side has enough of it.
        Step::Silence => drop(connection.read(&mut [0; 1])),
    }
}

fn drip(connection: &mut TcpStream, bytes: &[u8]) {
    let (_kept, never) = mpsc::channel::<()>();
    for byte in bytes {
        if connection.write_all(&[*byte]).is_err() {
            return;
        }
        if never.recv_timeout(Duration::from_millis(20)).is_ok() {
            return;
        }
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

/// An error as such servers send it.
pub fn complains(status: u16, message: &str) -> Step {
    reply(status, "", json!({"error": {"message": message}}).to_string())
}

/// What a server of embeddings sends for these vectors.
pub fn vectors(vectors: &[Vec<f32>]) -> Step {
    let data = vectors.iter().enumerate();
    let data: Vec<Value> = data
        .map(|(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector}))
        .collect();
    reply(200, "", json!({"object": "list", "data": data, "model": "small"}).to_string())
}

/// A vector that follows from a text, of three numbers and length one.
pub fn meaning(text: &str) -> Vec<f32> {
    let sum = |from: usize| text.bytes().skip(from).step_by(2).map(f32::from).sum::<f32>() + 1.0;
    let vector = vec![sum(0), -sum(1), text.len() as f32];
    peri_embed::unit(vector).unwrap()
}

/// Answers truly.
pub fn truth(request: &Seen) -> Step {
    vectors(&request.texts().iter().map(|text| meaning(text)).collect::<Vec<_>>())
}
