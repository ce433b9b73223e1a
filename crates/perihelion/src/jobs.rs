//! Background jobs of others: their turns, what they did and what they found. What each of them does is not known here.

use std::time::Duration;

use peri_store::{AlertRecord, Looked, NewAlert, Told, Upkeep, WorkerRun, Write, Written};
use peri_types::{Happening, Scope, Timestamp};

use crate::Error;
use crate::chores::{Afterwards, Turn};
use crate::engine::Perihelion;

/// So many indexes are looked after at a time: about as many as are held in memory.
const INDEXES_MAX: usize = 48;

/// So many findings are looked at to tell whether a job has any.
const STANDING: usize = 200;

/// What became of an attempt at a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turned<T> {
    /// It was done, with this outcome.
    Done(T),
    /// Another process is at it, at least until then unless it dies.
    Elsewhere(Timestamp),
}

impl Perihelion {
    /// Does a job unless another process, on whichever node, is at one of this name. The job should stop when what it is
    /// given says no: somebody wants it to, or its turn was lost.
    pub fn in_turn<T>(
        &self,
        name: &str,
        go_on: &dyn Fn() -> bool,
        job: impl FnOnce(&dyn Fn() -> bool) -> T,
    ) -> Result<Turned<T>, Error> {
        let mut outcome = None;
        let turn = self.core.in_turn(name, Afterwards::GivenBack, go_on, |go_on| {
            outcome = Some(job(go_on));
            Ok(())
        })?;
        Ok(match (turn, outcome) {
            (Turn::Done, Some(outcome)) => Turned::Done(outcome),
            (Turn::Elsewhere(until), _) => Turned::Elsewhere(until),
            (Turn::Done, None) => Turned::Elsewhere(self.core.now()),
        })
    }

    /// Whether some process is at a job of this name, and until when at least.
    pub fn turn_of(&self, name: &str) -> Result<Option<Timestamp>, Error> {
        let now = self.core.now();
        let lease = self.core.store.lease(name)?;
        Ok(lease.filter(|lease| lease.is_held(now)).map(|lease| lease.expires_at))
    }

    /// Raises a flag for whoever is at a job, in whichever process, for so long.
    pub fn raise_flag(&self, name: &str, lasting: Duration) -> Result<(), Error> {
        self.core.store.acquire_lease(name, &self.core.holder, self.core.now(), lasting)?;
        Ok(())
    }

    /// Keeps what a run of a job came to, and tells of it; the number of the run.
    pub fn keep_run(&self, run: WorkerRun) -> Result<u64, Error> {
        let written = self.core.store.write(vec![Write::KeepRun(Box::new(run))])?;
        self.core.publish();
        Ok(written
            .iter()
            .find_map(|one| if let Written::Numbered(number) = one { Some(*number) } else { None })
            .unwrap_or(0))
    }

    /// Keeps what a job found. What is new is told; how much that is, is the answer. Where there is nothing to keep and
    /// nothing to put down as gone, nothing is written.
    pub fn raise_alerts(&self, worker: &str, alerts: Vec<NewAlert>, looked: Looked) -> Result<u64, Error> {
        if alerts.is_empty() && !(looked == Looked::Everywhere && self.may_have_findings(worker)?) {
            return Ok(0);
        }
        let at = self.core.now();
        let write = Write::RaiseAlerts { worker: worker.to_owned(), alerts, looked, at };
        let written = self.core.store.write(vec![write])?;
        self.core.publish();
        Ok(written
            .iter()
            .find_map(|one| if let Written::Numbered(told) = one { Some(*told) } else { None })
            .unwrap_or(0))
    }

    /// Whether a job has found something that still is so. Among too many findings of all jobs, it may have.
    fn may_have_findings(&self, worker: &str) -> Result<bool, Error> {
        let standing = self.core.store.worker_alerts(false, STANDING)?;
        Ok(standing.len() >= STANDING || standing.iter().any(|alert| alert.worker == worker))
    }

    /// Whether a recall was answered by this engine within so long. Jobs pause while somebody asks.
    pub fn was_asked_within(&self, span: Duration) -> bool {
        self.core.usage.was_asked_within(span)
    }

    /// Tells that a job begins.
    pub fn tell_dispatched(&self, worker: &str, priority: &str) -> Result<(), Error> {
        let what = Happening::WorkerDispatched { worker: worker.to_owned(), priority: priority.to_owned() };
        self.core.store.write(vec![Write::Tell(Told { namespace: None, at: self.core.now(), what })])?;
        self.core.publish();
        Ok(())
    }

    /// Runs of jobs, of one or of all, the latest first.
    pub fn worker_runs(&self, worker: Option<&str>, limit: usize) -> Result<Vec<WorkerRun>, Error> {
        self.core.options.limits.check_results(limit)?;
        Ok(self.core.store.worker_runs(worker, limit)?)
    }

    /// What jobs found and still is so, or what is no more too, the latest first.
    pub fn worker_alerts(&self, resolved: bool, limit: usize) -> Result<Vec<AlertRecord>, Error> {
        self.core.options.limits.check_results(limit)?;
        Ok(self.core.store.worker_alerts(resolved, limit)?)
    }

    /// Brings the indexes of a scope up to date and saves them, as far as they are held in memory, and moves the database's
    /// log into the database; how many indexes, and what the database takes.
    pub fn upkeep(&self, scope: &Scope, go_on: &dyn Fn() -> bool) -> Result<(usize, Upkeep), Error> {
        let core = &self.core;
        let sense = core.sense();
        let mut indexes = 0;
        for namespace in core.store.namespaces(scope)? {
            if !go_on() || indexes >= INDEXES_MAX {
                break;
            }
            if core.searched_in_database(&sense, &namespace)?.is_some() {
                continue;
            }
            let shelf = sense.indexes.fresh(&*core.store, &namespace)?;
            sense.indexes.compact_if_due(&shelf);
            sense.indexes.weave(&shelf, go_on);
            sense.indexes.save_if_due(&*core.store, &shelf);
            indexes += 1;
        }
        Ok((indexes, core.store.upkeep()?))
    }

    /// What the engine takes for now.
    pub fn now(&self) -> Timestamp {
        self.core.now()
    }
}
