//! Making what waits: in its order, and once.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use peri_queue::{Failure, Fate, Queue, QueueError, Record, Severity};
use peri_store::Told;
use peri_types::{Happening, Namespace};

use super::WriteQueue;
use super::ask::Asking;
use super::call::{Call, Task, severity};

/// So many calls are taken from the queue at a time, and marked as made together...
const BATCH: usize = 64;
/// ...of at most so many bytes.
const BATCH_BYTES: usize = 8 * 1024 * 1024;

impl WriteQueue {
    /// Makes what waits, until nothing does, the store fails again, or it is time to stop. `false`: the queue's own files
    /// are in trouble, or somebody else is at it.
    pub(crate) fn replay(self: &Arc<Self>, go_on: &dyn Fn() -> bool) -> bool {
        let Some(_turn) = self.replaying.try_lock() else { return false };
        let outcome = self.replay_all(go_on);
        if let Err(error) = &outcome {
            self.report("queue", error.to_string());
        }
        outcome.is_ok()
    }

    fn replay_all(self: &Arc<Self>, go_on: &dyn Fn() -> bool) -> Result<(), QueueError> {
        while go_on() && self.circuit.is_due() {
            let Some(queue) = self.queues.first() else {
                self.tell_of_outage();
                return Ok(());
            };
            let waits = queue.next_try().is_some_and(|at| self.circuit.is_ahead(at));
            if waits || !self.replay_batch(&queue, go_on)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes some of what waits. `false`: the first one cannot be made yet.
    fn replay_batch(self: &Arc<Self>, queue: &Queue, go_on: &dyn Fn() -> bool) -> Result<bool, QueueError> {
        let mut made = Vec::new();
        let mut failed = None;
        for record in queue.peek(BATCH, BATCH_BYTES)? {
            if !go_on() {
                break;
            }
            match self.make(&record) {
                Ok(()) => made.push(record.number),
                Err(failure) => {
                    failed = Some((record, failure));
                    break;
                }
            }
        }
        self.count(|outage| outage.replayed += made.len() as u64);
        self.replayed.fetch_add(made.len() as u64, Ordering::Relaxed);
        queue.done(&made)?;
        let Some((record, failure)) = failed else { return Ok(!made.is_empty()) };
        let reason = failure.reason.clone();
        match queue.failed(record.number, failure, self.clock.now())? {
            Fate::Waits { .. } => Ok(false),
            Fate::Dead => {
                self.count(|outage| outage.dead += 1);
                self.report("queued write", format!("a queued write was given up: {reason}"));
                Ok(true)
            }
        }
    }

    /// Makes one call, unless it was made before.
    fn make(self: &Arc<Self>, record: &Record) -> Result<(), Failure> {
        let unreadable = |why| Failure {
            severity: Severity::Final,
            reason: format!("this release cannot read it: {why}"),
        };
        let payload = self.opened(&record.payload).map_err(unreadable)?;
        let outcome = match Call::task_of(&payload).map_err(unreadable)? {
            Task::Write(writes) => {
                self.find_out().and_then(|()| self.settle_before(&writes)).and_then(|()| {
                    self.ask(Asking::ToWrite, |store| store.write_once(*record.id.as_bytes(), writes))
                })
            }
            Task::Decide(intent, at, claim) => {
                self.make_intent(record, (intent, at, claim))?;
                Ok(Vec::new())
            }
        };
        match outcome {
            Ok(_) => {
                self.changed.store(true, Ordering::Relaxed);
                Ok(())
            }
            Err(error) => Err(Failure { severity: severity(&error), reason: error.to_string() }),
        }
    }

    fn count(&self, count: impl FnOnce(&mut super::Outage)) {
        let now = self.clock.now();
        let began = || super::Outage {
            began_at: now,
            reason: "another process left writes behind".to_owned(),
            trouble: None,
            replayed: 0,
            dead: 0,
        };
        count(self.outage.lock().get_or_insert_with(began));
    }

    /// Tells that writes had to wait and that all of them are made.
    fn tell_of_outage(&self) {
        let Some(outage) = self.outage.lock().take() else { return };
        let super::Outage { began_at, ref reason, replayed, dead, .. } = outage;
        if replayed + dead == 0 {
            // Everything that waited was dropped by somebody, who knows.
            return;
        }
        tracing::info!(replayed, dead, "nothing waits on this machine any more");
        let namespace: Option<Namespace> = None;
        let began = Happening::WritesQueued { reason: reason.clone() };
        let ended = Happening::QueueEmptied { replayed, dead };
        let told = [
            Told { namespace: namespace.clone(), at: began_at, what: began },
            Told { namespace, at: self.clock.now(), what: ended },
        ];
        if self.store.record_usage(&[], &told, &[]).is_err() {
            self.outage.lock().get_or_insert(outage);
        }
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Finds out whether the store answers again, if that is due and nothing waits that would find out.
    pub(crate) fn probe(self: &Arc<Self>) {
        if self.circuit.is_broken() && self.circuit.is_due() && self.queues.is_empty() {
            let outcome = self.store.head(&Namespace::default());
            self.note(&outcome);
        }
    }
}
