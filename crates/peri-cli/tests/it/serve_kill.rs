//! A server that is killed under load: what it acknowledged is there, once, and what was sent again as well.
//!
//! Clients remember turns of a conversation, which are neither linked nor merged, so that each must be in the store
//! under the id of its receipt.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Peri, text};

const CLIENTS: usize = 64;
const KILLS: usize = 3;
/// Acknowledgements before each kill.
const ACKNOWLEDGED: usize = 200;

/// A server process that does not outlive the test.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(peri: &Peri) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_peri"))
            .env_clear()
            .env("PERI_HOME", peri.home())
            .env("PERI_SERVER_REQUESTS_PER_MINUTE", "0")
            // A line for each of many thousand requests would hide what went wrong.
            .env("PERI_LOG_LEVEL", "warn")
            .args(["serve", "--json", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut told).unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        let address = text(&told["url"]).strip_prefix("http://").unwrap().parse().unwrap();
        Self { child, address }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// One connection that stays open.
struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Sends a request and reads the answer. It fails only when the server is gone.
    fn ask(&mut self, head: &str, body: &str) -> io::Result<(u16, Value)> {
        let request = format!(
            "{head}\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.get_mut().write_all(request.as_bytes())?;
        let status = self.line()?.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        let mut length = 0;
        while let Some((name, value)) = self.line()?.split_once(": ") {
            if name == "content-length" {
                length = value.parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.0.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    /// Remembers a turn and gives the id, or fails because the server is gone.
    fn remember(&mut self, content: &str, key: Option<&str>) -> io::Result<String> {
        let key = key.map(|key| format!("\r\nidempotency-key: {key}")).unwrap_or_default();
        let body = json!({"content": content, "kind": "episode", "session": "kill", "speaker": "Ana"});
        let (status, receipt) = self.ask(&format!("POST /v1/memories HTTP/1.1{key}"), &body.to_string())?;
        assert_eq!(status, 201, "{receipt}");
        Ok(text(&receipt["id"]))
    }
}

/// Contents with the ids under which they were acknowledged, or are stored.
type Turns = Vec<(String, String)>;

fn content(round: usize, client: usize, turn: usize) -> String {
    format!("In round {round} the client of number {client} said its sentence of number {turn}.")
}

/// All that the store holds, which must be sound, and hold nothing twice.
fn held(peri: &Peri, server: &Server) -> HashMap<String, String> {
    let mut client = Client::connect(server.address).unwrap();
    let (mut held, mut cursor) = (HashMap::new(), String::new());
    loop {
        let (status, page) =
            client.ask(&format!("GET /v1/memories?limit=1000{cursor} HTTP/1.1"), "").unwrap();
        assert_eq!(status, 200, "{page}");
        for memory in page["memories"].as_array().unwrap() {
            let twice = held.insert(text(&memory["content"]), text(&memory["id"]));
            assert_eq!(twice, None, "stored twice: {memory}");
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    peri.ok(&["doctor"]);
    held
}

fn assert_held(acknowledged: &Turns, held: &HashMap<String, String>) {
    for (content, id) in acknowledged {
        assert_eq!(held.get(content), Some(id), "acknowledged: {content}");
    }
}

/// Remembers until the server is gone.
fn talk(address: SocketAddr, round: usize, client: usize, acknowledged: &Sender<(String, String)>) {
    let Ok(mut connection) = Client::connect(address) else { return };
    for turn in 0.. {
        let content = content(round, client, turn);
        match connection.remember(&content, None) {
            Ok(id) if acknowledged.send((content, id.clone())).is_ok() => {}
            _ => return,
        }
    }
}

#[test]
fn a_killed_server_has_lost_nothing_that_it_acknowledged() {
    let peri = Peri::new();
    let mut server = Server::start(&peri);
    let mut acknowledged = Turns::new();
    for round in 0..KILLS {
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (sender, address) = (sender.clone(), server.address);
                scope.spawn(move || talk(address, round, client, &sender));
            }
            drop(sender);
            acknowledged.extend(receiver.iter().take(ACKNOWLEDGED));
            server.kill();
            acknowledged.extend(&receiver);
        });
        assert!(acknowledged.len() >= (round + 1) * ACKNOWLEDGED, "{}", acknowledged.len());
        server = Server::start(&peri);
        assert_held(&acknowledged, &held(&peri, &server));
    }
}

/// Where the server is, which changes with each start.
#[derive(Default)]
struct Door {
    places: Mutex<Vec<SocketAddr>>,
    opened: Condvar,
}

impl Door {
    fn open(&self, address: SocketAddr) {
        self.places.lock().unwrap().push(address);
        self.opened.notify_all();
    }

    /// The latest start after those that were seen, and how many there were by then.
    fn after(&self, seen: usize) -> (usize, SocketAddr) {
        let places = self.places.lock().unwrap();
        let places = self.opened.wait_while(places, |places| places.len() <= seen).unwrap();
        (places.len(), places[places.len() - 1])
    }
}

/// Sends every turn under a key of its own until it is acknowledged.
fn persist(door: &Door, client: usize, turns: usize, acknowledged: &Sender<(String, String)>) {
    let (mut seen, mut connection) = (0, None);
    for turn in 0..turns {
        let content = content(0, client, turn);
        let key = key(client, turn);
        let id = loop {
            let Some(open) = &mut connection else {
                let address;
                (seen, address) = door.after(seen);
                connection = Client::connect(address).ok();
                continue;
            };
            match open.remember(&content, Some(&key)) {
                Ok(id) => break id,
                Err(_) => connection = None,
            }
        };
        acknowledged.send((content, id)).unwrap();
    }
}

fn key(client: usize, turn: usize) -> String {
    format!("client-{client}-turn-{turn}")
}

#[test]
fn what_is_sent_again_under_its_key_through_kills_is_there_once() {
    let peri = Peri::new();
    let turns = (KILLS + 1) * ACKNOWLEDGED / CLIENTS + 1;
    let mut server = Server::start(&peri);
    let door = Door::default();
    door.open(server.address);
    let (sender, receiver) = channel();
    let mut acknowledged = Turns::new();
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (sender, door) = (sender.clone(), &door);
            scope.spawn(move || persist(door, client, turns, &sender));
        }
        drop(sender);
        for _ in 0..KILLS {
            acknowledged.extend(receiver.iter().take(ACKNOWLEDGED));
            server.kill();
            server = Server::start(&peri);
            door.open(server.address);
        }
        acknowledged.extend(&receiver);
    });
    let there = held(&peri, &server);
    assert_eq!((acknowledged.len(), there.len()), (CLIENTS * turns, CLIENTS * turns));
    assert_held(&acknowledged, &there);

    // Whoever asks again, however late, is answered as before.
    let mut client = Client::connect(server.address).unwrap();
    for turn in 0..turns {
        let content = content(0, 0, turn);
        let id = client.remember(&content, Some(&key(0, turn))).unwrap();
        assert_eq!(there.get(&content), Some(&id));
    }
    assert_eq!(held(&peri, &server), there);
}
