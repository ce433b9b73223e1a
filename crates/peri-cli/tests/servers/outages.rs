//! Outages by processes, with every acknowledged write counted: a server that is stopped, killed, refuses connections, or
//! has its data on a full disk, while `peri serve` is killed twice and started again. A table of what came of it:
//!
//! ```text
//! PERI_OUTAGE_WRITES=1000 cargo test -p peri-cli --test servers outages -- --nocapture
//! ```

mod fault;
mod writers;

use std::sync::Mutex;

use serde_json::Value;

use crate::database::{entries, memories, program, store, until};
use crate::served::Served;
use crate::support::Peri;
use fault::Fault;
use writers::{Acknowledged, Writers};

/// Acknowledged writes of an outage, unless the caller says otherwise.
const WRITES: usize = 120;

/// What came of an outage.
struct Row {
    server: &'static str,
    fault: Fault,
    acknowledged: usize,
    queued: usize,
    /// Writes that were answered as not kept, and those without an answer because the client was killed.
    refused: usize,
    unanswered: usize,
    stored: usize,
    lost: usize,
    twice: usize,
}

impl Row {
    fn line(&self) -> String {
        let Self { server, fault, acknowledged, queued, refused, unanswered, stored, lost, twice } = self;
        format!(
            "| {server} | {} | {acknowledged} | {queued} | {refused} | {unanswered} | {stored} | {lost} | {twice} |",
            fault.words()
        )
    }
}

fn writes() -> usize {
    std::env::var("PERI_OUTAGE_WRITES").ok().and_then(|count| count.parse().ok()).unwrap_or(WRITES)
}

/// The process that clients write to, and the next one once it is killed.
struct Node<'a> {
    peri: &'a Peri,
    served: Option<Served>,
}

impl<'a> Node<'a> {
    fn start(peri: &'a Peri, writers: &Writers) -> Self {
        let served = Served::start(peri);
        writers.go_to(served.address());
        Self { peri, served: Some(served) }
    }

    /// Kills the process where it stands, and starts another on the same folder.
    fn kill(&mut self, writers: &Writers) {
        drop(self.served.take());
        let served = Served::start(self.peri);
        writers.go_to(served.address());
        self.served = Some(served);
    }

    fn depth(&self) -> u64 {
        let answer = self.served.as_ref().unwrap().get("/v1/queue");
        let body: Value = serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{answer:?}"));
        body["status"]["depth"].as_u64().unwrap()
    }
}

/// One outage: a third of the writes before it, a third during it with a kill, a third after it with another.
fn outage(server: &'static str, fault: Fault) -> Option<Row> {
    let mut world = fault::World::start(server, fault)?;
    let peri = program(&world.url());
    let writers = Writers::default();
    let third = writes() / 3;
    std::thread::scope(|scope| {
        let mut node = Node::start(&peri, &writers);
        writers.start(scope);
        until("writes before the outage", || writers.acknowledged() >= third);
        world.break_down();
        until("queued writes", || writers.queued() >= third / 2);
        node.kill(&writers);
        until("queued writes after the kill", || writers.queued() >= third);
        world.mend();
        // Whatever is being delivered at this moment.
        node.kill(&writers);
        let so_far = writers.acknowledged();
        until("writes after the outage", || writers.acknowledged() >= so_far + third);
        writers.stop();
        until("an empty queue", || node.depth() == 0);
        assert_eq!(node.served.take().unwrap().end().code, Some(0));
    });
    Some(count(server, fault, &world, writers.into_inner()))
}

fn count(server: &'static str, fault: Fault, world: &fault::World, told: Acknowledged) -> Row {
    let store = store(&world.own_url());
    let mut held: Vec<String> = memories(&store).into_iter().map(|memory| memory.content).collect();
    held.extend(entries(&store).into_iter().map(|entry| entry.text));
    held.sort();
    let times =
        |text: &String| held.partition_point(|own| own <= text) - held.partition_point(|own| own < text);
    let stored = told.texts.iter().filter(|text| times(text) > 0).count();
    let twice = held.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let acknowledged = told.texts.len();
    Row {
        server,
        fault,
        acknowledged,
        queued: told.queued,
        refused: told.refused,
        unanswered: told.unanswered,
        stored,
        lost: acknowledged - stored,
        twice,
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what it is run for")]
fn every_acknowledged_write_is_stored_once_whatever_becomes_of_the_server_and_of_the_client() {
    let rows = Mutex::new(Vec::new());
    for server in ["PostgreSQL", "MariaDB"] {
        for fault in [Fault::Stopped, Fault::Killed, Fault::Refusing, Fault::FullDisk] {
            if let Some(row) = outage(server, fault) {
                println!("{}", row.line());
                rows.lock().unwrap().push(row);
            }
        }
    }
    let rows = rows.into_inner().unwrap();
    println!(
        "| server | fault | acknowledged | of them queued | refused | unanswered | stored | lost | twice |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    rows.iter().for_each(|row| println!("{}", row.line()));
    for row in &rows {
        assert_eq!((row.lost, row.twice), (0, 0), "{}", row.line());
        assert!(row.queued > 0, "{}", row.line());
    }
}
