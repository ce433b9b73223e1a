//! `peri-bench batch`: how many memories a second are put in large calls, read back page by page, and carried over.
//!
//! Every figure is the middle one of several rounds, each on folders of its own. The memories are made outside the
//! measured time.

use std::io::BufReader;
use std::path::Path;

use perihelion::{Chores, EngineChoice, ImportOptions, ListQuery, Options, Order, Perihelion, Scope};
use serde_json::json;

use crate::Outcome;
use crate::speed::corpus::Corpus;
use crate::speed::figures::{per_second, timed};
use crate::speed::machine;

/// The stages, in the order in which they are measured.
const STAGES: [&str; 5] =
    ["put, engine off", "load, page by page", "export", "import, engine off", "put, bundled engine"];

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Number of memories.
    #[arg(long, default_value_t = 100_000)]
    size: usize,
    /// So many memories are put by one call and read by one page, at most 1,000.
    #[arg(long, default_value_t = 1000)]
    batch: usize,
    /// The middle one of so many rounds counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Measures every stage and prints its rate.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    if plan.size == 0 || plan.batch == 0 || plan.rounds == 0 {
        return Err("there must be memories, calls and rounds: none of them may be 0".into());
    }
    let machine = machine::describe();
    let rounds = (0..plan.rounds).map(|_| measure(plan)).collect::<Outcome<Vec<_>>>()?;
    let rates: Vec<(&str, f64)> =
        STAGES.iter().enumerate().map(|(stage, name)| (*name, middle(&rounds, stage))).collect();
    if plan.json {
        let stages: Vec<_> = rates
            .iter()
            .map(|(name, rate)| json!({"stage": name, "per_s": rate, "us_per_memory": 1e6 / rate}))
            .collect();
        let told = json!({
            "machine": machine, "memories": plan.size, "batch": plan.batch, "rounds": plan.rounds, "stages": stages
        });
        println!("{}", serde_json::to_string_pretty(&told)?);
        return Ok(());
    }
    println!("{machine}\n");
    println!("{} memories in calls of {}        per second   µs a memory", plan.size, plan.batch);
    for (name, rate) in rates {
        println!("{name:<34} {rate:>13.0} {:>13.1}", 1e6 / rate);
    }
    Ok(())
}

/// The middle rate of a stage.
fn middle(rounds: &[Vec<f64>], stage: usize) -> f64 {
    let mut rates: Vec<f64> = rounds.iter().map(|round| round[stage]).collect();
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// One round: the rates of the stages in their order.
fn measure(plan: &Plan) -> Outcome<Vec<f64>> {
    let folder = tempfile::tempdir()?;
    let engine = open(&folder.path().join("off"), EngineChoice::Off)?;
    let put_off = put(&engine, plan)?;
    let load = load(&engine, plan)?;
    let (export, lines) = export(&engine, plan)?;
    drop(engine);
    let import = import(&open(&folder.path().join("imported"), EngineChoice::Off)?, plan, &lines)?;
    let put_bundled = put(&open(&folder.path().join("bundled"), EngineChoice::Bundled)?, plan)?;
    Ok(vec![put_off, load, export, import, put_bundled])
}

/// Chores are left out: what they do follows later in an engine that stays, too.
fn open(folder: &Path, engine: EngineChoice) -> Outcome<Perihelion> {
    Ok(Perihelion::open(Options { engine, chores: Chores::ByHand, ..Options::at(folder) })?)
}

fn put(engine: &Perihelion, plan: &Plan) -> Outcome<f64> {
    let mut corpus = Corpus::new(7);
    let (mut left, mut spent) = (plan.size, 0.0);
    while left > 0 {
        let batch = corpus.take(left.min(plan.batch));
        left -= batch.len();
        let (time, receipts) = timed(|| engine.remember_all(batch));
        receipts?;
        spent += time;
    }
    Ok(per_second(plan.size, spent))
}

fn load(engine: &Perihelion, plan: &Plan) -> Outcome<f64> {
    let mut query = ListQuery { order: Order::OldestFirst, limit: plan.batch, ..ListQuery::default() };
    let (time, seen) = timed(|| -> Outcome<usize> {
        let mut seen = 0;
        loop {
            let page = engine.list(query.clone())?;
            seen += page.memories.len();
            query.after = page.next;
            if query.after.is_none() {
                return Ok(seen);
            }
        }
    });
    whole("loaded", seen?, plan)?;
    Ok(per_second(plan.size, time))
}

fn export(engine: &Perihelion, plan: &Plan) -> Outcome<(f64, Vec<u8>)> {
    let mut lines = Vec::new();
    let (time, exported) = timed(|| engine.export(Scope::All, &mut lines));
    whole("exported", exported?.memories as usize, plan)?;
    Ok((per_second(plan.size, time), lines))
}

fn import(engine: &Perihelion, plan: &Plan, lines: &[u8]) -> Outcome<f64> {
    let mut reader = BufReader::new(lines);
    let (time, imported) = timed(|| engine.import(&mut reader, ImportOptions::default()));
    imported?;
    let held = engine.stats(&Scope::All)?.memories;
    whole("imported", held as usize, plan)?;
    Ok(per_second(plan.size, time))
}

/// A rate of something that left memories out would be worth nothing.
fn whole(what: &str, count: usize, plan: &Plan) -> Outcome<()> {
    if count == plan.size {
        Ok(())
    } else {
        Err(format!("{count} of {} memories were {what}", plan.size).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_of_a_small_run_carries_all_memories() {
        let plan = Plan { size: 300, batch: 100, rounds: 1, json: false };
        let rates = measure(&plan).unwrap();
        assert_eq!(rates.len(), STAGES.len());
        assert!(rates.iter().all(|rate| rate.is_finite() && *rate > 0.0), "{rates:?}");
    }

    #[test]
    fn a_run_of_nothing_is_refused() {
        assert!(run(&Plan { size: 0, batch: 100, rounds: 1, json: false }).is_err());
    }

    #[test]
    fn the_middle_round_counts() {
        assert_eq!(middle(&[vec![3.0], vec![1.0], vec![2.0]], 0), 2.0);
    }
}
