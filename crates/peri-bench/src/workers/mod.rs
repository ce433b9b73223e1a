//! `peri-bench workers`: what recalls notice of each worker.
//!
//! One thread recalls without pause. Beside it a worker runs again and again, on a thread that yields as a server's does
//! or, by hand, on one that does not; before each run there is something new for it to do. Recalls alone are timed
//! before and after, so that a machine that changes its mood meanwhile shows.

mod beside;
mod food;
mod store;
mod table;

use std::path::PathBuf;

use peri_workers::{TABLE, WorkerKind, WorkersSettings};

use crate::Outcome;
use crate::speed::machine;
use beside::{Beside, measure};
use food::Food;
use store::Store;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Number of memories.
    #[arg(long, default_value_t = 10_000)]
    memories: usize,
    /// A git checkout for the workers that look at code; a copy of it is worked on.
    #[arg(long, default_value = ".")]
    workspace: PathBuf,
    /// These workers alone.
    #[arg(long, value_delimiter = ',')]
    only: Vec<WorkerKind>,
    /// The middle one of so many rounds counts.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Run them as somebody does who asks for one: on a thread that does not yield to others.
    #[arg(long)]
    by_hand: bool,
}

/// How a worker is set off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// As a server does that runs what is due.
    Due,
    /// As somebody does who asks for it.
    ByHand,
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    println!("{}", machine::describe());
    let (store, mut food) = Store::fill(plan.memories, &plan.workspace)?;
    println!("{}\n", store.describe()?);
    let start = if plan.by_hand { Start::ByHand } else { Start::Due };
    let wanted = |kind: &WorkerKind| plan.only.is_empty() || plan.only.contains(kind);
    let mut rows: Vec<(String, Vec<WorkerKind>)> = TABLE
        .iter()
        .map(|line| line.kind)
        .filter(wanted)
        .map(|kind| (kind.to_string(), vec![kind]))
        .collect();
    if plan.only.is_empty() && start == Start::Due {
        rows.push(("all of them".to_owned(), WorkerKind::ALL.to_vec()));
    }
    table::heading();
    let mut measured = Vec::new();
    for (name, kinds) in rows {
        let rounds = rounds(plan, start, &store, &mut food, &kinds)?;
        table::row(&name, &rounds);
        measured.push((name, rounds));
    }
    table::last_words(&measured);
    Ok(())
}

/// The rounds of some workers, the one that recalls notice least first.
fn rounds(
    plan: &Plan,
    start: Start,
    store: &Store,
    food: &mut Food,
    kinds: &[WorkerKind],
) -> Outcome<Vec<Beside>> {
    let mut settings = WorkersSettings { workspace: store.workspace.clone(), ..WorkersSettings::default() };
    for (kind, config) in &mut settings.workers {
        config.enabled = kinds.contains(kind);
    }
    let manager = store.manager(settings);
    let mut rounds = (0..plan.rounds.max(1))
        .map(|_| measure(store, food, &manager, kinds, start))
        .collect::<Outcome<Vec<_>>>()?;
    rounds.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    Ok(rounds)
}
