//! Clients that write over HTTP until they are told to stop, and keep what was acknowledged.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Scope;
use std::time::Duration;

use serde_json::{Value, json};

const CLIENTS: usize = 4;

/// What the clients were told.
#[derive(Default)]
pub struct Acknowledged {
    /// What was acknowledged, as stored or as queued.
    pub texts: Vec<String>,
    /// How many of them were queued.
    pub queued: usize,
    /// Writes that were answered as not kept or not now.
    pub refused: usize,
    /// Writes of which nobody heard again.
    pub unanswered: usize,
}

#[derive(Default)]
pub struct Writers {
    node: Mutex<Option<SocketAddr>>,
    told: Mutex<Acknowledged>,
    next: AtomicU64,
    stopped: AtomicBool,
}

impl Writers {
    /// Where to write from now on.
    pub fn go_to(&self, node: SocketAddr) {
        *self.node.lock().unwrap() = Some(node);
    }

    pub fn start<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        for _ in 0..CLIENTS {
            scope.spawn(|| self.write());
        }
    }

    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    pub fn acknowledged(&self) -> usize {
        self.told.lock().unwrap().texts.len()
    }

    pub fn queued(&self) -> usize {
        self.told.lock().unwrap().queued
    }

    pub fn into_inner(self) -> Acknowledged {
        self.told.into_inner().unwrap()
    }

    fn write(&self) {
        while !self.stopped.load(Ordering::Acquire) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let text = format!("Sentence {number} was said in the dark, {number}번째 문장, 第{number}句");
            let (path, body) = match number % 2 {
                0 => ("/v1/journal", json!({ "entries": [{ "text": text }] })),
                _ => {
                    let turn =
                        json!({ "content": text, "kind": "episode", "session": "dark", "speaker": "Ana" });
                    ("/v1/memories", turn)
                }
            };
            let node = *self.node.lock().unwrap();
            let status = node.and_then(|node| post(node, path, &body));
            let mut told = self.told.lock().unwrap();
            match status {
                Some(201) => told.texts.push(text),
                Some(202) => {
                    told.texts.push(text);
                    told.queued += 1;
                }
                Some(503) => told.refused += 1,
                Some(other) => panic!("{path} was answered with {other}"),
                None => told.unanswered += 1,
            }
            let is_well = matches!(status, Some(201 | 202));
            drop(told);
            if !is_well {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// Sends a request; the status of the answer, unless the process is gone before it has said one.
fn post(node: SocketAddr, path: &str, body: &Value) -> Option<u16> {
    let body = body.to_string();
    let mut stream = TcpStream::connect(node).ok()?;
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {node}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}
