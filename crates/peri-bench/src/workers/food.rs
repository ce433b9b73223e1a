//! Something new for a worker to do before each of its runs: the second run on the same store would find nothing.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use jiff::SignedDuration;
use peri_workers::WorkerKind;
use perihelion::{
    Clock, Feedback, JournalStatus, Namespace, NewEntry, NewTrajectory, NewTurn, Scope, TaskOutcome,
    TurnUpdate,
};
use serde_json::json;

use super::store::Store;
use crate::Outcome;
use crate::speed::corpus::Corpus;

/// Before each run the clock moves on by one step of the orbits.
const STEP: SignedDuration = SignedDuration::from_secs(300);

/// So much is new for a run.
const NEW: usize = 20;

/// A task as it comes again and again: what is to be done, who does it and how. # is another number each time.
#[rustfmt::skip]
const TASKS: [(&str, &str, &[&str]); 8] = [
    ("publish release # of the web shop", "deployer", &["make test", "make package", "make publish"]),
    ("find out why order # was charged twice", "debugger", &["grep -r charge src", "cargo test billing", "git log src/billing"]),
    ("add a column to the table of customers, ticket #", "coder", &["edit migrations", "cargo run -- migrate", "cargo test"]),
    ("write tests for the parser of invoices, part #", "tester", &["edit tests/invoice.rs", "cargo test invoice"]),
    ("rotate the keys of staging server #", "security", &["vault rotate", "kubectl rollout restart", "curl health"]),
    ("문의 #번에 답장을 쓰고 도움말을 고친다", "writer", &["edit docs/help.md", "make docs"]),
    ("把第#页的说明翻译成中文", "translator", &["edit docs/zh.md", "make docs", "make spell"]),
    ("make the search of archive # faster", "optimizer", &["cargo bench search", "edit src/search.rs", "cargo bench search"]),
];

/// What there is to do next.
pub(super) struct Food {
    corpus: Corpus,
    clock: Clock,
    workspace: Option<PathBuf>,
    number: usize,
    judged: usize,
}

impl Food {
    pub(super) fn new(corpus: Corpus, clock: Clock, workspace: Option<PathBuf>) -> Self {
        Self { corpus, clock, workspace, number: 0, judged: 0 }
    }

    /// Gives these workers something new to do.
    pub(super) fn serve(&mut self, store: &Store, kinds: &[WorkerKind]) -> Outcome<()> {
        self.clock.advance(STEP);
        for kind in kinds {
            match kind {
                WorkerKind::Ultralearn => {
                    self.trajectories(store, NEW)?;
                    self.turns(store, NEW)?;
                }
                WorkerKind::Consolidate => {
                    store.engine.remember_all(self.corpus.take(NEW))?;
                }
                // Recalls become events with the chores.
                WorkerKind::Optimize | WorkerKind::Predict => {
                    store.engine.remember_all(self.corpus.take(NEW))?;
                    store.engine.maintain()?;
                }
                WorkerKind::Map => self.change_workspace()?,
                // After an attempt in vain half as much feedback again must have come.
                WorkerKind::Learning => {
                    self.trajectories(store, NEW)?;
                    self.judgements(store, self.judged / 2 + NEW)?;
                }
                WorkerKind::Audit
                | WorkerKind::Deepdive
                | WorkerKind::Document
                | WorkerKind::Refactor
                | WorkerKind::Benchmark
                | WorkerKind::Testgaps => {}
            }
        }
        // The index takes in what is new here rather than in a recall that is timed.
        store.engine.recall(&store.asked[0])?;
        Ok(())
    }

    fn next(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    /// Records tasks that were done.
    pub(super) fn trajectories(&mut self, store: &Store, count: usize) -> Outcome<()> {
        for _ in 0..count {
            let number = self.next();
            let (task, agent, steps) = TASKS[number % TASKS.len()];
            let outcome = match number % 7 {
                0 => TaskOutcome::Failure,
                3 => TaskOutcome::Partial,
                _ => TaskOutcome::Success,
            };
            let new = NewTrajectory::new(task.replace('#', &number.to_string()), outcome).by(agent);
            let new = steps.iter().fold(new, |new, step| new.step(*step, "done"));
            store.engine.record_trajectory(new)?;
        }
        Ok(())
    }

    /// Keeps turns of an agent in the journal.
    pub(super) fn turns(&mut self, store: &Store, count: usize) -> Outcome<()> {
        for _ in 0..count {
            let number = self.next();
            let (task, _, steps) = TASKS[number % TASKS.len()];
            let entry = store.engine.append(NewEntry::new(task.replace('#', &number.to_string())))?;
            let turn = store.engine.begin_turn(NewTurn { input: Some(entry.id), ..NewTurn::default() })?.turn;
            let calls =
                steps.iter().map(|step| json!({ "name": "Bash", "input": { "command": step } })).collect();
            let status = if number.is_multiple_of(5) { JournalStatus::Error } else { JournalStatus::Ok };
            let update =
                TurnUpdate { status: Some(status), tool_calls: Some(calls), ..TurnUpdate::default() };
            store.engine.update_turn(&Scope::All, turn.id, update)?;
        }
        Ok(())
    }

    /// Says of questions which of the first results was of use. Which one does not matter to what learning costs.
    pub(super) fn judgements(&mut self, store: &Store, count: usize) -> Outcome<()> {
        let mut left = count;
        while left > 0 {
            let request = &store.asked[self.judged % store.asked.len()];
            let ids: Vec<_> = store.engine.search(request)?.hits.iter().map(|hit| hit.memory.id).collect();
            let place = self.judged % 5;
            self.judged += 1;
            left -= 1;
            let Some(used) = ids.get(place).copied() else { continue };
            let unused = ids.into_iter().filter(|id| *id != used).collect();
            let feedback = Feedback { query: request.query.clone(), used: vec![used], unused, session: None };
            store.engine.feedback(&Namespace::default(), &feedback)?;
        }
        Ok(())
    }

    fn change_workspace(&mut self) -> Outcome<()> {
        let number = self.next();
        let Some(workspace) = &self.workspace else { return Ok(()) };
        let mut readme = OpenOptions::new().create(true).append(true).open(workspace.join("README.md"))?;
        Ok(writeln!(readme, "\nChange {number}.")?)
    }
}
