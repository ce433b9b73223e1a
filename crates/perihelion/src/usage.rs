//! What was handed out, gathered until it is written back in one batch.

use std::collections::HashMap;

use parking_lot::Mutex;
use peri_store::{Store, StoreError, Usage};
use peri_types::{MemoryId, Namespace, Timestamp};

/// Recalls that the store does not know of yet.
#[derive(Default)]
pub(crate) struct UsageLog(Mutex<HashMap<(Namespace, MemoryId), (u32, Timestamp)>>);

impl UsageLog {
    /// Notes that a memory was handed out.
    pub(crate) fn note(&self, namespace: &Namespace, id: MemoryId, at: Timestamp) {
        let mut log = self.0.lock();
        let (recalls, last_at) = log.entry((namespace.clone(), id)).or_insert((0, at));
        *recalls = recalls.saturating_add(1);
        *last_at = at.max(*last_at);
    }

    /// Writes everything back. What could not be written stays for the next time.
    pub(crate) fn flush(&self, store: &dyn Store) -> Result<(), StoreError> {
        let taken = std::mem::take(&mut *self.0.lock());
        if taken.is_empty() {
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
        let outcome = store.record_usage(&batch, &[]);
        if outcome.is_err() {
            self.put_back(taken);
        }
        outcome
    }

    fn put_back(&self, taken: HashMap<(Namespace, MemoryId), (u32, Timestamp)>) {
        let mut log = self.0.lock();
        for (key, (recalls, last_at)) in taken {
            let entry = log.entry(key).or_insert((0, last_at));
            entry.0 = entry.0.saturating_add(recalls);
            entry.1 = last_at.max(entry.1);
        }
    }
}
