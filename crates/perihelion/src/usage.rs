//! What was handed out, gathered until it is written back in one batch.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use peri_store::{Asked, Store, StoreError, Told, Usage};
use peri_types::{MemoryId, Namespace, Timestamp};

/// Recalls that the store does not know of yet.
pub(crate) struct UsageLog {
    /// Recalls between the same two steps of the orbit are counted together, and others apart: which step they
    /// fall into must not depend on when they are written back.
    step_ms: i64,
    counts: Mutex<Counts>,
    told: Mutex<Vec<Told>>,
    asked: Mutex<AskedNamespaces>,
    since: Instant,
    /// When something was handed out last, in milliseconds since then; 0 if nothing was.
    asked_ms: AtomicU64,
}

/// Which namespaces were asked in which hours.
#[derive(Default)]
struct AskedNamespaces {
    /// The store does not know of these yet.
    new: Vec<Asked>,
    known: HashSet<(Namespace, i64)>,
}

/// So many namespaces and hours are known; beyond, they are noted again.
const ASKED_MAX: usize = 10_000;

const HOUR_MS: i64 = 3_600_000;

type Counts = HashMap<(Namespace, MemoryId), Vec<(u32, Timestamp)>>;

/// Recalls of one memory are kept apart for so many steps; a process that cannot write must not grow without end.
const STEPS_MAX: usize = 1000;

/// At most so many recalls wait to be told of; a process that cannot write must not grow without end.
const TOLD_MAX: usize = 10_000;

impl UsageLog {
    /// Nothing yet, with orbits that advance in steps of this length.
    pub(crate) fn new(step: Duration) -> Self {
        let step_ms = i64::try_from(step.as_millis()).unwrap_or(i64::MAX).max(1);
        let (counts, told, asked) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { step_ms, counts, told, asked, since: Instant::now(), asked_ms: AtomicU64::new(0) }
    }

    /// Notes that a memory was handed out.
    pub(crate) fn note(&self, namespace: &Namespace, id: MemoryId, at: Timestamp) {
        self.note_asked();
        self.add(self.counts.lock().entry((namespace.clone(), id)).or_default(), 1, at);
    }

    /// Notes that a namespace was asked for what it holds: that it is in use.
    pub(crate) fn note_asked_in(&self, namespace: &Namespace, at: Timestamp) {
        let mut asked = self.asked.lock();
        if asked.known.len() >= ASKED_MAX {
            asked.known.clear();
        }
        if asked.known.insert((namespace.clone(), at.as_millisecond().div_euclid(HOUR_MS))) {
            asked.new.push(Asked { namespace: namespace.clone(), at });
        }
    }

    fn add(&self, uses: &mut Vec<(u32, Timestamp)>, recalls: u32, at: Timestamp) {
        let step = |at: Timestamp| (at.as_millisecond() - 1).div_euclid(self.step_ms);
        let full = uses.len() >= STEPS_MAX;
        match uses.iter_mut().rev().find(|(_, last_at)| full || step(*last_at) == step(at)) {
            Some((count, last_at)) => {
                *count = count.saturating_add(recalls);
                *last_at = at.max(*last_at);
            }
            None => uses.push((recalls, at)),
        }
    }

    /// Notes that a question was answered.
    pub(crate) fn tell(&self, event: Told) {
        self.note_asked();
        let mut told = self.told.lock();
        if told.len() < TOLD_MAX {
            told.push(event);
        }
    }

    /// Whether something was handed out within so long.
    pub(crate) fn was_asked_within(&self, span: Duration) -> bool {
        let asked_ms = self.asked_ms.load(Ordering::Relaxed);
        asked_ms > 0 && self.elapsed_ms().saturating_sub(asked_ms) < millis(span)
    }

    fn note_asked(&self) {
        self.asked_ms.store(self.elapsed_ms(), Ordering::Relaxed);
    }

    /// At least 1, so that it differs from never.
    fn elapsed_ms(&self) -> u64 {
        millis(self.since.elapsed()).saturating_add(1)
    }

    /// Writes everything back. What could not be written stays for the next time.
    pub(crate) fn flush(&self, store: &dyn Store) -> Result<(), StoreError> {
        let taken = std::mem::take(&mut *self.counts.lock());
        let told = std::mem::take(&mut *self.told.lock());
        let asked = std::mem::take(&mut self.asked.lock().new);
        if taken.is_empty() && told.is_empty() && asked.is_empty() {
            return Ok(());
        }
        let batch: Vec<_> = taken
            .iter()
            .flat_map(|((namespace, id), uses)| {
                uses.iter().map(|(recalls, last_at)| Usage {
                    namespace: namespace.clone(),
                    id: *id,
                    recalls: *recalls,
                    last_at: *last_at,
                })
            })
            .collect();
        let outcome = store.record_usage(&batch, &told, &asked);
        if outcome.is_err() {
            self.put_back(taken);
            self.told.lock().splice(0..0, told);
            self.asked.lock().new.splice(0..0, asked);
        }
        outcome
    }

    fn put_back(&self, taken: Counts) {
        let mut log = self.counts.lock();
        for (key, uses) in taken {
            let entry = log.entry(key).or_default();
            uses.into_iter().for_each(|(recalls, last_at)| self.add(entry, recalls, last_at));
        }
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_was_answered_asks_for_a_while_and_nobody_does_before() {
        let log = UsageLog::new(Duration::from_secs(300));
        let (long, none) = (Duration::from_secs(3600), Duration::ZERO);
        assert!(!log.was_asked_within(long));
        log.note(&Namespace::default(), MemoryId::from_bytes([7; 16]), Timestamp::UNIX_EPOCH);
        assert!(log.was_asked_within(long));
        assert!(!log.was_asked_within(none));
    }
}
