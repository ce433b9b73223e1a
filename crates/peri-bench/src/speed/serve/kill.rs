//! `peri-bench serve --kill`: a server that is killed under load loses nothing that it has acknowledged.
//!
//! Every memory is a turn of a conversation with a content of its own: such memories are neither linked nor merged,
//! so each must be in the store under the id that was acknowledged, once.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex};

use serde_json::{Value, json};

use super::client::Connection;
use super::load::Failure;
use super::server::{Server, examine};
use crate::Outcome;
use crate::speed::words::Random;

const SEED: u64 = 7;
/// A kill comes after at least so many acknowledgements, and fewer than so many more.
const ACKNOWLEDGED_MIN: usize = 200;
const ACKNOWLEDGED_MORE: usize = 400;
/// Memories on a page of the list.
const PAGE: usize = 1000;

/// A memory that the server has acknowledged.
struct Acknowledged {
    content: String,
    id: String,
}

/// What a client reports: something acknowledged, or why it must not go on.
type Report = Result<Acknowledged, Failure>;

/// Kills servers so many times under clients that give up, then as often under clients that try again.
pub(super) fn run(folder: &Path, times: usize, connections: usize) -> Outcome<()> {
    println!("{connections} connections, killed {times} times");
    let once = folder.join("once");
    let mut random = Random::new(SEED);
    let mut acknowledged = Vec::new();
    let mut server = Server::start(&once)?;
    for round in 0..times {
        let wanted = ACKNOWLEDGED_MIN + random.below(ACKNOWLEDGED_MORE);
        acknowledged.extend(give_up(&mut server, connections, round, wanted)?);
        server = Server::start(&once)?;
        let held = held(server.address)?;
        check(&acknowledged, &held)?;
        examine(&once)?;
        let (sure, more) = (acknowledged.len(), held.len() - acknowledged.len());
        println!(
            "  kill {:>3}: {sure:>6} acknowledged, all there once; {more:>4} more arrived unacknowledged",
            round + 1
        );
    }
    drop(server);
    let again = folder.join("again");
    let each = (times + 1) * (ACKNOWLEDGED_MIN + ACKNOWLEDGED_MORE / 2) / connections + 1;
    let (server, acknowledged, repeated) = try_again(&again, connections, times, each)?;
    let held = held(server.address)?;
    check(&acknowledged, &held)?;
    examine(&again)?;
    if (acknowledged.len(), held.len()) != (connections * each, connections * each) {
        let (told, there) = (acknowledged.len(), held.len());
        return Err(format!(
            "of {} memories {told} were acknowledged and {there} are there",
            connections * each
        )
        .into());
    }
    println!(
        "  with idempotency keys and clients that try again: {repeated} repeated, all {} there once",
        held.len()
    );
    Ok(())
}

/// Has all connections remember until so much is acknowledged, and kills. What was acknowledged is told.
fn give_up(
    server: &mut Server,
    connections: usize,
    round: usize,
    wanted: usize,
) -> Outcome<Vec<Acknowledged>> {
    let (sender, reports) = channel();
    let address = server.address;
    std::thread::scope(|scope| {
        for number in 0..connections {
            let sender = sender.clone();
            scope.spawn(move || talk(address, round, number, &sender));
        }
        drop(sender);
        let received = receive(&reports, wanted);
        server.kill()?;
        let mut acknowledged = received?;
        for report in reports {
            acknowledged.push(report.map_err(|error| error.to_string())?);
        }
        Ok(acknowledged)
    })
}

/// Has the server remember one turn after another until it is gone.
fn talk(address: SocketAddr, round: usize, number: usize, reports: &Sender<Report>) {
    let Ok(mut connection) = Connection::open(address) else { return };
    for turn in 0.. {
        let content = content(round, number, turn);
        let report = match remember(&mut connection, &content, None) {
            Ok(id) => Ok(Acknowledged { content, id }),
            Err(Refused::Answer(error)) => Err(error),
            Err(Refused::Gone) => return,
        };
        let failed = report.is_err();
        if reports.send(report).is_err() || failed {
            return;
        }
    }
}

/// Where the server is, which changes with each start, and nowhere when it could not be started again.
struct Door {
    place: Mutex<(usize, Option<SocketAddr>)>,
    opened: Condvar,
}

impl Door {
    /// The first start after those that were seen.
    fn after(&self, seen: usize) -> Result<(usize, SocketAddr), Failure> {
        let place = self.place.lock().map_err(|_| "another client panicked")?;
        let place = self.opened.wait_while(place, |(start, _)| *start <= seen);
        match *place.map_err(|_| "another client panicked")? {
            (start, Some(address)) => Ok((start, address)),
            (_, None) => Err("the server did not start again".into()),
        }
    }

    fn open(&self, start: usize, address: Option<SocketAddr>) -> Outcome<()> {
        *self.place.lock().map_err(|_| "a client panicked")? = (start, address);
        self.opened.notify_all();
        Ok(())
    }
}

/// Kills the server so many times while every client brings all of its memories home, each under a key of its own.
/// Gives the last server, what was acknowledged, and how many requests were sent again.
fn try_again(
    folder: &Path,
    connections: usize,
    times: usize,
    each: usize,
) -> Outcome<(Server, Vec<Acknowledged>, usize)> {
    let mut server = Server::start(folder)?;
    let door = Door { place: Mutex::new((1, Some(server.address))), opened: Condvar::new() };
    let (sender, reports) = channel();
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..connections)
            .map(|number| {
                let (sender, door) = (sender.clone(), &door);
                scope.spawn(move || persist(door, number, each, &sender))
            })
            .collect();
        drop(sender);
        let mut acknowledged = Vec::new();
        for start in 0..times {
            acknowledged.extend(receive(&reports, connections * each / (times + 1))?);
            let started = server.kill().and_then(|()| Server::start(folder));
            // Told in either case: nobody may wait for a server that never comes.
            door.open(start + 2, started.as_ref().ok().map(|server| server.address))?;
            server = started?;
        }
        for report in &reports {
            acknowledged.push(report.map_err(|error| error.to_string())?);
        }
        let repeated = clients.into_iter().map(|client| client.join().unwrap_or(0)).sum();
        Ok((server, acknowledged, repeated))
    })
}

/// Sends each memory until it is acknowledged. Says how many were sent more than once.
fn persist(door: &Door, number: usize, each: usize, reports: &Sender<Report>) -> usize {
    let (mut start, mut connection, mut repeated) = (0, None, 0);
    for turn in 0..each {
        let (content, key) = (content(0, number, turn), format!("client-{number}-turn-{turn}"));
        let report = loop {
            if connection.is_none() {
                let address;
                (start, address) = match door.after(start) {
                    Ok(place) => place,
                    Err(error) => break Err(error),
                };
                connection = Connection::open(address).ok();
            }
            let Some(open) = &mut connection else { continue };
            match remember(open, &content, Some(&key)) {
                Ok(id) => break Ok(Acknowledged { content, id }),
                Err(Refused::Answer(error)) => break Err(error),
                Err(Refused::Gone) => (connection, repeated) = (None, repeated + 1),
            }
        };
        let failed = report.is_err();
        if reports.send(report).is_err() || failed {
            break;
        }
    }
    repeated
}

/// Why something was not acknowledged.
enum Refused {
    /// The server is gone; it may or may not have been written.
    Gone,
    /// The server answered with something else, which it must not.
    Answer(Failure),
}

/// Has the server remember a turn, and gives the id.
fn remember(connection: &mut Connection, content: &str, key: Option<&str>) -> Result<String, Refused> {
    let body =
        json!({"content": content, "kind": "episode", "session": "kill", "speaker": "Ana"}).to_string();
    let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().collect();
    let answer = connection.post("/v1/memories", &headers, body.as_bytes()).map_err(|_| Refused::Gone)?;
    let receipt = answer.success().map_err(|error| Refused::Answer(error.into()))?;
    let receipt: Value = serde_json::from_slice(&receipt).map_err(|error| Refused::Answer(error.into()))?;
    match receipt["id"].as_str() {
        Some(id) => Ok(id.to_owned()),
        None => Err(Refused::Answer("a receipt without an id".into())),
    }
}

fn content(round: usize, number: usize, turn: usize) -> String {
    format!("In round {round} the client of number {number} said its sentence of number {turn}.")
}

/// So many acknowledgements.
fn receive(reports: &Receiver<Report>, count: usize) -> Outcome<Vec<Acknowledged>> {
    let mut received = Vec::with_capacity(count);
    while received.len() < count {
        let report = reports.recv().map_err(|_| "the server went away before it was killed")?;
        received.push(report.map_err(|error| error.to_string())?);
    }
    Ok(received)
}

/// The ids under which each content is stored.
fn held(address: SocketAddr) -> Outcome<HashMap<String, Vec<String>>> {
    let mut connection = Connection::open(address)?;
    let (mut held, mut cursor) = (HashMap::<String, Vec<String>>::new(), String::new());
    loop {
        let page = connection.get(&format!("/v1/memories?limit={PAGE}{cursor}"))?.success()?;
        let page: Value = serde_json::from_slice(&page)?;
        for memory in page["memories"].as_array().ok_or("a page without memories")? {
            let text = |field: &str| memory[field].as_str().map(str::to_owned);
            let (content, id) = text("content").zip(text("id")).ok_or("a memory without content or id")?;
            held.entry(content).or_default().push(id);
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(held),
        }
    }
}

/// Everything acknowledged is there under its id, and nothing is there twice.
fn check(acknowledged: &[Acknowledged], held: &HashMap<String, Vec<String>>) -> Outcome<()> {
    for Acknowledged { content, id } in acknowledged {
        match held.get(content).map(Vec::as_slice) {
            Some([only]) if only == id => {}
            found => return Err(format!("acknowledged as {id}, found as {found:?}: {content}").into()),
        }
    }
    match held.iter().find(|(_, ids)| ids.len() != 1) {
        None => Ok(()),
        Some((content, ids)) => Err(io::Error::other(format!("stored as {ids:?}: {content}")).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_or_doubled_or_moved_is_found() {
        let held = |ids: &[&str]| {
            let ids = ids.iter().map(|id| (*id).to_owned()).collect();
            HashMap::from([("said".to_owned(), ids)])
        };
        let told = [Acknowledged { content: "said".to_owned(), id: "a".to_owned() }];
        assert!(check(&told, &held(&["a"])).is_ok());
        assert!(check(&[], &held(&["a"])).is_ok());
        assert!(check(&told, &HashMap::new()).is_err());
        assert!(check(&told, &held(&["b"])).is_err());
        assert!(check(&told, &held(&["a", "b"])).is_err());
        assert!(check(&[], &held(&["a", "b"])).is_err());
    }
}
