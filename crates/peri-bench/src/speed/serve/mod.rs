//! `peri-bench serve`: what a server adds to the engine's own time, by the number of connections.
//!
//! The server is a process of its own, as people run it; its clients are threads of this one. Beside each
//! figure stands that of the engine called directly, with as many threads, on a copy of the same folder: on a
//! machine that others use too, the ratio says more than either, and the time on a processor says most: it counts
//! neither the clients nor the neighbours. Clients and server share the processors, so the clients' own work
//! lowers the rates. With more threads than processors the engine alone answers some at once and lets others wait,
//! so there the rates compare and the middle times do not.

mod client;
mod kill;
mod load;
mod mcp;
mod server;
mod table;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use perihelion::{Chores, Options, Perihelion, Recall};
use serde_json::json;

use super::corpus::Corpus;
use super::{machine, questions};
use crate::Outcome;
use client::Connection;
use server::Server;
use table::Row;

const SEED: u64 = 7;
const BATCH: usize = 512;
const LIMIT: usize = 10;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Memories in the store at the start.
    #[arg(long, default_value_t = 10_000)]
    memories: usize,
    /// How long each figure is measured, in seconds.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Numbers of connections.
    #[arg(long, value_delimiter = ',', default_value = "1,8,64")]
    connections: Vec<usize>,
    /// Distinct questions.
    #[arg(long, default_value_t = 500)]
    queries: usize,
    /// Instead, kill a server under load so many times and look for what was acknowledged.
    #[arg(long, value_name = "TIMES", num_args = 0..=1, default_missing_value = "10")]
    kill: Option<usize>,
}

/// One store twice: one for the server, one for the engine.
struct Stores {
    server: Server,
    engine: Perihelion,
    /// What each is told next; both begin at the same place.
    told: [Mutex<Corpus>; 2],
}

/// Measures, and prints the table; or kills.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    println!("{}\n", machine::describe());
    if plan.connections.contains(&0) {
        return Err("nobody can ask over 0 connections".into());
    }
    let temporary = tempfile::tempdir()?;
    if let Some(times) = plan.kill {
        let connections = plan.connections.iter().copied().max().unwrap_or(1);
        return kill::run(temporary.path(), times, connections);
    }
    let time = Duration::try_from_secs_f64(plan.seconds)?;
    let (first, second) = (temporary.path().join("server"), temporary.path().join("engine"));
    let mut corpus = fill(&first, plan.memories)?;
    copy(&first, &second)?;
    let asked = questions::ask(&mut corpus, plan.queries);
    let told = [Mutex::new(corpus), Mutex::new(advanced(plan)?)];
    let engine = Perihelion::open(Options { chores: Chores::Background, ..Options::at(&second) })?;
    let stores = Stores { server: Server::start(&first)?, engine, told };
    println!("{} memories, {} questions, {} s a figure\n", plan.memories, plan.queries, plan.seconds);
    table::print("recall, 10 results", &recall(&stores, &asked, plan, time)?);
    table::print("memory_recall, MCP", &tools(&stores, &first, &asked, time)?);
    table::print("remember, durable", &remember(&stores, plan, time)?);
    Ok(())
}

/// Fills a folder, and hands back who can tell more.
fn fill(folder: &Path, memories: usize) -> Outcome<Corpus> {
    let engine = Perihelion::open(Options { chores: Chores::ByHand, ..Options::at(folder) })?;
    let mut corpus = Corpus::new(SEED);
    let mut left = memories;
    while left > 0 {
        let batch = corpus.take(left.min(BATCH));
        left -= batch.len();
        engine.remember_all(batch)?;
    }
    engine.recall(&Recall::new("What did Ana say about the school and the house?"))?;
    engine.maintain()?;
    engine.close()?;
    Ok(corpus)
}

/// The same as the corpus that filled the folder and was asked for questions.
fn advanced(plan: &Plan) -> Outcome<Corpus> {
    let mut corpus = Corpus::new(SEED);
    corpus.take(plan.memories);
    questions::ask(&mut corpus, plan.queries);
    Ok(corpus)
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn connect(server: &Server, count: usize) -> Outcome<Vec<Connection>> {
    Ok((0..count).map(|_| Connection::open(server.address)).collect::<Result<_, _>>()?)
}

fn recall(stores: &Stores, asked: &[String], plan: &Plan, time: Duration) -> Outcome<Vec<Row>> {
    let requests: Vec<Recall> = asked.iter().map(|text| Recall::new(text).limit(LIMIT)).collect();
    let body = |text: &String| Ok(serde_json::to_vec(&json!({"query": text, "limit": LIMIT}))?);
    let bodies: Vec<Vec<u8>> = asked.iter().map(body).collect::<Outcome<_>>()?;
    let (server, engine) = (stores.server.process(), std::process::id());
    let over_http = |connections, time| {
        let connections = connect(&stores.server, connections)?;
        load::run(server, load::asking(connections, "/v1/recall", &bodies), time)
    };
    let alone = |threads, time| load::run(engine, load::recalling(threads, &stores.engine, &requests), time);
    // Both have their indexes in memory from here on.
    over_http(1, time / 4)?;
    alone(1, time / 4)?;
    let mut rows = Vec::new();
    for connections in plan.connections.iter().copied() {
        rows.extend(table::beside(
            "HTTP",
            connections,
            over_http(connections, time)?,
            alone(connections, time)?,
        ));
    }
    Ok(rows)
}

/// One client of each kind; more would measure the same as over HTTP.
fn tools(stores: &Stores, folder: &Path, asked: &[String], time: Duration) -> Outcome<Vec<Row>> {
    let calls = mcp::calls(asked, LIMIT)?;
    let over_http = mcp::over_http(Connection::open(stores.server.address)?, &calls)?;
    let (process, over_stdio) = mcp::over_stdio(folder, &calls)?;
    let requests: Vec<Recall> = asked.iter().map(|text| Recall::new(text).limit(LIMIT + 1)).collect();
    let alone = || load::run(std::process::id(), load::recalling(1, &stores.engine, &requests), time);
    let mut rows = Vec::new();
    for (name, process, mut caller) in [
        ("streamable HTTP", stores.server.process(), over_http),
        ("standard input and output", process, over_stdio),
    ] {
        // The first call opens the engine, where that is not done yet.
        caller().map_err(|error| error.to_string())?;
        rows.extend(table::beside(name, 1, load::run(process, vec![caller], time)?, alone()?));
    }
    Ok(rows)
}

fn remember(stores: &Stores, plan: &Plan, time: Duration) -> Outcome<Vec<Row>> {
    let [served, alone] = &stores.told;
    let mut rows = Vec::new();
    for connections in plan.connections.iter().copied() {
        let callers = load::telling(connect(&stores.server, connections)?, served);
        let over_http = load::run(stores.server.process(), callers, time)?;
        let callers = load::remembering(connections, &stores.engine, alone);
        let alone = load::run(std::process::id(), callers, time)?;
        rows.extend(table::beside("HTTP", connections, over_http, alone));
    }
    Ok(rows)
}
