//! What happens again and again, gathered until it is told in a few events: it must be heard of, and must not fill the
//! disk.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_store::{Store, StoreError, Told};
use peri_types::Timestamp;

/// Chores tell of it at most this often.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Something of which equal ones become one event with a count.
pub(crate) trait Repeated: Clone + Ord {
    /// So many different ones are told apart; further ones are counted together.
    const DISTINCT_MAX: usize;

    /// What those beyond are counted as.
    fn other() -> Self;

    /// The event that tells of it.
    fn told(self, count: u64, last_at: Timestamp) -> Told;
}

/// What the store does not know of yet.
pub(crate) struct Gathered<T>(Mutex<Held<T>>);

struct Held<T> {
    counts: BTreeMap<T, Count>,
    told_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    times: u64,
    last_at: Timestamp,
}

impl<T> Default for Gathered<T> {
    fn default() -> Self {
        Self(Mutex::new(Held { counts: BTreeMap::new(), told_at: None }))
    }
}

impl<T: Repeated> Gathered<T> {
    /// Notes that it happened.
    pub(crate) fn note(&self, what: T, at: Timestamp) {
        self.add(what, Count { times: 1, last_at: at });
    }

    fn add(&self, what: T, count: Count) {
        let counts = &mut self.0.lock().counts;
        let known = counts.contains_key(&what) || counts.len() < T::DISTINCT_MAX;
        let held = counts.entry(if known { what } else { T::other() }).or_insert(Count { times: 0, ..count });
        held.times = held.times.saturating_add(count.times);
        held.last_at = held.last_at.max(count.last_at);
    }

    /// Tells of everything, unless that was done a moment ago.
    pub(crate) fn flush_if_due(&self, store: &dyn Store, now: Timestamp) -> Result<(), StoreError> {
        let every = SignedDuration::try_from(TOLD_EVERY).unwrap_or(SignedDuration::MAX);
        let told_at = self.0.lock().told_at;
        if told_at.is_some_and(|told| now.duration_since(told) < every) {
            return Ok(());
        }
        self.flush(store, now)
    }

    /// Tells of everything. What could not be written stays for the next time.
    pub(crate) fn flush(&self, store: &dyn Store, now: Timestamp) -> Result<(), StoreError> {
        let taken = std::mem::take(&mut self.0.lock().counts);
        if taken.is_empty() {
            return Ok(());
        }
        let mut told: Vec<Told> =
            taken.iter().map(|(what, count)| what.clone().told(count.times, count.last_at)).collect();
        told.sort_by_key(|event| event.at);
        let outcome = store.record_usage(&[], &told, &[]);
        match outcome {
            Ok(()) => self.0.lock().told_at = Some(now),
            Err(_) => taken.into_iter().for_each(|(what, count)| self.add(what, count)),
        }
        outcome
    }
}
