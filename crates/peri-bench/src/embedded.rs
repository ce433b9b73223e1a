//! `peri-bench embedded`: the library in a process of its own, for the harness that measures other systems beside it.
//!
//! It reads one JSON object a line and answers each with one. How long a call took is taken around the call itself, as
//! a program that embeds the library would see it.

use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use perihelion::{ListQuery, MemoryId, Options, Perihelion, Recall, Remember, Scope};
use serde::{Deserialize, Serialize};

use crate::Outcome;

/// Where the memories are.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// The data folder.
    #[arg(long)]
    home: PathBuf,
}

/// What is asked for.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    Remember(Box<Remember>),
    RememberAll(Vec<Remember>),
    Recall { query: String, limit: usize },
    Stored,
}

/// What came of it.
#[derive(Serialize, Default)]
struct Told {
    nanos: u128,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ids: Vec<MemoryId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<String>,
}

/// Answers until nothing more is asked.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let engine = Perihelion::open(Options::at(&plan.home))?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let asked = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &answer(&engine, asked)?)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    engine.close()?;
    Ok(())
}

fn answer(engine: &Perihelion, asked: Asked) -> Outcome<Told> {
    let before = Instant::now();
    let mut told = match asked {
        Asked::Remember(one) => Told { ids: vec![engine.remember(*one)?.id], ..Told::default() },
        Asked::RememberAll(all) => {
            let receipts = engine.remember_all(all)?;
            Told { ids: receipts.iter().map(|receipt| receipt.id).collect(), ..Told::default() }
        }
        Asked::Recall { query, limit } => {
            let answer = engine.recall(&Recall::new(query).limit(limit))?;
            Told { ids: answer.hits.iter().map(|hit| hit.memory.id).collect(), ..Told::default() }
        }
        Asked::Stored => Told { texts: stored(engine)?, ..Told::default() },
    };
    told.nanos = before.elapsed().as_nanos();
    Ok(told)
}

/// The contents of all memories.
fn stored(engine: &Perihelion) -> Outcome<Vec<String>> {
    let mut query = ListQuery { scope: Scope::All, limit: 1000, ..ListQuery::default() };
    let mut texts = Vec::new();
    loop {
        let page = engine.list(query.clone())?;
        texts.extend(page.memories.into_iter().map(|memory| memory.content));
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(texts),
        }
    }
}
