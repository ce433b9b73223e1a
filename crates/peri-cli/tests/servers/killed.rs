//! A node that is killed during an outage, with writes that wait on its disk.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::database::{Away, Database, contents, program, until};
use crate::served::Served;

const CLIENTS: usize = 3;
/// Acknowledgements before the node is killed.
const ACKNOWLEDGED: usize = 30;

fn turn(client: usize, number: usize) -> String {
    format!("Client {client} said sentence {number} while nobody listened, {number}번째")
}

/// Sends a request; the status of the answer, unless the node is gone before it has said one.
fn post(node: SocketAddr, body: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(node).ok()?;
    let length = body.len();
    let head = format!(
        "POST /v1/memories HTTP/1.1\r\nhost: {node}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

/// Sends turns until the node is gone; notes what was sent, and what of it was acknowledged.
fn talk(node: SocketAddr, client: usize, acknowledged: &Mutex<Vec<String>>, open: &Mutex<Vec<String>>) {
    for number in 0.. {
        let content = turn(client, number);
        let body = json!({ "content": content, "kind": "episode", "session": "dark", "speaker": "Ana" });
        open.lock().unwrap().push(content.clone());
        let Some(status) = post(node, &body.to_string()) else { return };
        assert_eq!(status, 202, "{content}");
        acknowledged.lock().unwrap().push(content);
    }
}

fn depth(served: &Served) -> u64 {
    let answer = served.get("/v1/queue");
    let body: Value = serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{answer:?}"));
    body["status"]["depth"].as_u64().unwrap()
}

fn check_killed(server: Option<Database>) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let peri = program(&url);
    let served = Served::start(&peri);
    let first = served.post("/v1/memories", &json!({ "content": "said in time" }));
    assert_eq!(first.status, 201, "{first:?}");
    server.leave(Away::Stopped);
    let (acknowledged, open) = (Mutex::default(), Mutex::default());
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (node, acknowledged, open) = (served.address(), &acknowledged, &open);
            scope.spawn(move || talk(node, client, acknowledged, open));
        }
        until("acknowledgements", || acknowledged.lock().unwrap().len() >= ACKNOWLEDGED);
        // Dropping kills.
        drop(served);
    });
    // Another node on the same folder takes over what waits there, while the server is still away.
    let successor = Served::start(&peri);
    until("what was left behind", || depth(&successor) >= ACKNOWLEDGED as u64);
    let late = json!({ "content": "said to the successor", "kind": "episode", "session": "dark" });
    assert_eq!(successor.post("/v1/memories", &late).status, 202);
    server.come_back();
    until("an empty queue", || depth(&successor) == 0);
    let ended = successor.end();
    assert_eq!(ended.code, Some(0), "{}", ended.log);
    let held = contents(&url);
    let once = |content: &str| held.iter().filter(|held| *held == content).count();
    for content in acknowledged.into_inner().unwrap() {
        assert_eq!(once(&content), 1, "{content}");
    }
    for content in open.into_inner().unwrap() {
        assert!(once(&content) <= 1, "{content}");
    }
    assert_eq!((once("said in time"), once("said to the successor")), (1, 1));
}

#[test]
fn what_a_killed_node_had_queued_for_postgresql_is_made_once_by_the_next() {
    check_killed(Database::postgres());
}

#[test]
fn what_a_killed_node_had_queued_for_mariadb_is_made_once_by_the_next() {
    check_killed(Database::mariadb());
}
