//! What was handed out, gathered until it is written back in one batch.

use std::collections::HashMap;

use parking_lot::Mutex;
use peri_store::{Store, StoreError, Told, Usage};
use peri_types::{MemoryId, Namespace, Timestamp};

/// Recalls that the store does not know of yet.
#[derive(Default)]
pub(crate) struct UsageLog {
    counts: Mutex<Counts>,
    told: Mutex<Vec<Told>>,
}

type Counts = HashMap<(Namespace, MemoryId), (u32, Timestamp)>;

/// At most so many recalls wait to be told of; a process that cannot write must not grow without end.
const TOLD_MAX: usize = 10_000;

impl UsageLog {
    /// Notes that a memory was handed out.
    pub(crate) fn note(&self, namespace: &Namespace, id: MemoryId, at: Timestamp) {
        let mut log = self.counts.lock();
        let (recalls, last_at) = log.entry((namespace.clone(), id)).or_insert((0, at));
        *recalls = recalls.saturating_add(1);
        *last_at = at.max(*last_at);
    }

    /// Notes that a question was answered.
    pub(crate) fn tell(&self, event: Told) {
        let mut told = self.told.lock();
        if told.len() < TOLD_MAX {
            told.push(event);
        }
    }

    /// Writes everything back. What could not be written stays for the next time.
    pub(crate) fn flush(&self, store: &dyn Store) -> Result<(), StoreError> {
        let taken = std::mem::take(&mut *self.counts.lock());
        let told = std::mem::take(&mut *self.told.lock());
        if taken.is_empty() && told.is_empty() {
            return Ok(());
        }
        let batch: Vec<_> = taken
            .iter()
            .map(|((namespace, id), (recalls, last_at))| Usage {
                namespace: namespace.clone(),
                id: *id,
                recalls: *recalls,
                last_at: *last_at,
            })
            .collect();
        let outcome = store.record_usage(&batch, &told);
        if outcome.is_err() {
            self.put_back(taken);
            self.told.lock().splice(0..0, told);
        }
        outcome
    }

    fn put_back(&self, taken: Counts) {
        let mut log = self.counts.lock();
        for (key, (recalls, last_at)) in taken {
            let entry = log.entry(key).or_insert((0, last_at));
            entry.0 = entry.0.saturating_add(recalls);
            entry.1 = last_at.max(entry.1);
        }
    }
}
