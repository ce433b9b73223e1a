//! `peri-bench profile`: the same work over and over, for a profiler to look at.
//!
//! What is measured runs inside [`measured`], whose name `bench/profile/run` tells the profiler, so that opening,
//! filling and closing are left out of its counts, and the threads of the store are in.

use std::path::PathBuf;

use clap::ValueEnum;
use perihelion::{Chores, Options, Perihelion, Recall, Remember};

use crate::Outcome;
use crate::speed::corpus::Corpus;
use crate::speed::figures::{Latency, timed};
use crate::speed::questions;

/// Memories that are put before anything is measured, so that tables, indexes and caches are there.
const BEFORE: usize = 200;

/// Questions that are asked before recall is measured.
const WARM: usize = 20;

/// Memories in one call when a folder is filled.
const FILL: usize = 1000;

/// What to do, and how often.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// What is done.
    #[arg(value_enum)]
    work: Work,
    /// The data folder. Recalling wants one that was filled.
    #[arg(long)]
    folder: PathBuf,
    /// How many memories are put, or questions asked, while it is measured.
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// How many memories come in one call, when they come in batches.
    #[arg(long, default_value_t = 100)]
    batch: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Work {
    /// Put memories before anything is measured, and do the chores.
    Fill,
    /// Put memories one by one.
    Remember,
    /// Put memories in batches.
    Batch,
    /// Ask questions.
    Recall,
}

/// Does the work and prints how long each call took.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let engine = Perihelion::open(Options { chores: Chores::ByHand, ..Options::at(&plan.folder) })?;
    // Every kind of work has memories of its own, so that one after the other may use the same folder.
    let mut corpus = Corpus::new(7 + plan.work as u64);
    let times = match plan.work {
        Work::Fill => {
            let mut left = plan.count;
            while left > 0 {
                let batch = corpus.take(left.min(FILL));
                left -= batch.len();
                engine.remember_all(batch)?;
            }
            engine.maintain()?;
            engine.close()?;
            return Ok(());
        }
        Work::Remember => {
            corpus.take(BEFORE).into_iter().try_for_each(|one| engine.remember(one).map(drop))?;
            let calls = corpus.take(plan.count).into_iter().map(|one| vec![one]).collect();
            measured(&mut Calls::Remember(calls), &engine)?
        }
        Work::Batch => {
            engine.remember_all(corpus.take(BEFORE))?;
            let calls = (0..plan.count.div_ceil(plan.batch)).map(|_| corpus.take(plan.batch)).collect();
            measured(&mut Calls::Remember(calls), &engine)?
        }
        Work::Recall => {
            corpus.take(FILL);
            let asked: Vec<Recall> =
                questions::ask(&mut corpus, WARM + plan.count).iter().map(Recall::new).collect();
            let (warm, asked) = asked.split_at(WARM.min(asked.len()));
            warm.iter().try_for_each(|question| engine.recall(question).map(drop))?;
            measured(&mut Calls::Recall(asked.to_vec()), &engine)?
        }
    };
    let calls = times.len();
    let Latency { p50, p95, mean, .. } = Latency::of(times);
    println!("{{\"calls\":{calls},\"p50_us\":{p50:.1},\"p95_us\":{p95:.1},\"mean_us\":{mean:.1}}}");
    engine.close()?;
    Ok(())
}

/// Calls that are made one after the other.
enum Calls {
    Remember(Vec<Vec<Remember>>),
    Recall(Vec<Recall>),
}

/// What the profiler looks at. Never part of its caller, so that it can be found by its name.
#[inline(never)]
fn measured(calls: &mut Calls, engine: &Perihelion) -> Outcome<Vec<f64>> {
    let mut times = Vec::new();
    match calls {
        Calls::Remember(calls) => {
            for call in calls.drain(..) {
                let (time, done) = timed(|| engine.remember_all(call));
                done?;
                times.push(time);
            }
        }
        Calls::Recall(calls) => {
            for call in calls.iter() {
                let (time, done) = timed(|| engine.recall(call));
                done?;
                times.push(time);
            }
        }
    }
    Ok(times)
}
