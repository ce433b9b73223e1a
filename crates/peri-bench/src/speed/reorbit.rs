//! `peri-bench reorbit`: how long it takes to bring all orbits up to date, and what recalls notice of it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use jiff::SignedDuration;
use perihelion::{Chores, Clock, Options, Perihelion, Recall, Scope, Timestamp};

use super::corpus::Corpus;
use super::figures::timed;
use super::questions;
use crate::Outcome;

const BATCH: usize = 1000;
/// Recalls of which the percentiles are taken, beside reorbits and without.
const RECALLS: usize = 3000;
/// The middle one of so many rounds counts: others use the machine too.
const ROUNDS: usize = 3;
const LIMIT: usize = 10;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Number of memories.
    #[arg(long, default_value_t = 100_000)]
    size: usize,
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    println!("{}\n", super::machine::describe());
    let folder = tempfile::tempdir()?;
    let clock = Clock::manual("2026-01-01T00:00:00Z".parse::<Timestamp>()?);
    let options = Options { chores: Chores::ByHand, clock: clock.clone(), ..Options::at(folder.path()) };
    let engine = Perihelion::open(options)?;
    let mut corpus = Corpus::new(7);
    let mut left = plan.size;
    while left > 0 {
        let count = left.min(BATCH);
        engine.remember_all(corpus.take(count))?;
        // The memories come in over half a year.
        clock.advance(SignedDuration::from_hours(180 * 24 * count as i64 / plan.size as i64));
        left -= count;
    }
    let asked: Vec<Recall> =
        questions::ask(&mut corpus, 500).iter().map(|text| Recall::new(text).limit(LIMIT)).collect();
    let step = SignedDuration::from_secs(300);

    let (first, done) = timed(|| engine.reorbit(&Scope::All));
    let done = done?;
    println!("{} memories, {} steps of 300 s", plan.size, 180 * 24 * 12);
    println!("first reorbit, half a year at once   {:>9.0} ms  ({} moves)", first / 1000.0, done.moved);
    let mut ordinary = Vec::new();
    for _ in 0..5 {
        recall_some(&engine, &asked, 200)?;
        clock.advance(step);
        let (time, done) = timed(|| engine.reorbit(&Scope::All));
        ordinary.push((time / 1000.0, done?.moved));
    }
    ordinary.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("an ordinary step, 200 recalls in it  {:>9.0} ms  ({} moves)", ordinary[2].0, ordinary[2].1);
    clock.advance(step);
    engine.reorbit(&Scope::All)?;
    let (again, done) = timed(|| engine.reorbit(&Scope::All));
    println!("again at once                        {:>9.3} ms  ({} moves)", again / 1000.0, done?.moved);
    beside(&engine, &clock, step, &asked)
}

fn recall_some(engine: &Perihelion, asked: &[Recall], count: usize) -> Outcome<Vec<f64>> {
    let mut times = Vec::with_capacity(count);
    for request in asked.iter().cycle().take(count) {
        let (time, recalled) = timed(|| engine.recall(request));
        recalled?;
        times.push(time);
    }
    Ok(times)
}

/// Recalls alone and recalls beside reorbits that follow each other without pause, round about.
fn beside(engine: &Perihelion, clock: &Clock, step: SignedDuration, asked: &[Recall]) -> Outcome<()> {
    recall_some(engine, asked, RECALLS)?;
    let (mut idle, mut busy) = (Vec::new(), Vec::new());
    let reorbits = AtomicUsize::new(0);
    for _ in 0..ROUNDS {
        idle.push(percentiles(recall_some(engine, asked, RECALLS)?));
        let stop = AtomicBool::new(false);
        let times = std::thread::scope(|scope| {
            let reorbiting = scope.spawn(|| -> Result<(), perihelion::Error> {
                while !stop.load(Ordering::Relaxed) {
                    clock.advance(step);
                    engine.reorbit(&Scope::All)?;
                    reorbits.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            });
            let times = recall_some(engine, asked, RECALLS);
            stop.store(true, Ordering::Relaxed);
            reorbiting.join().map_err(|_| "the reorbiting thread panicked")??;
            times
        })?;
        busy.push(percentiles(times));
    }
    idle.sort_by(|a, b| a.1.total_cmp(&b.1));
    busy.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (idle, busy) = (idle[ROUNDS / 2], busy[ROUNDS / 2]);
    println!();
    println!("recall                               p50 ms   p95 ms");
    println!("alone                                {:>6.2}   {:>6.2}", idle.0, idle.1);
    println!("beside reorbits without pause        {:>6.2}   {:>6.2}", busy.0, busy.1);
    let count = reorbits.load(Ordering::Relaxed);
    println!("ratio of p95                                  {:>6.2}  ({count} reorbits)", busy.1 / idle.1);
    Ok(())
}

fn percentiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] / 1000.0;
    (at(0.5), at(0.95))
}
