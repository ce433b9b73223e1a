//! Who was turned away, gathered until it is told in a few events: whoever knocks all day must not fill the disk.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_store::{Store, StoreError, Told};
use peri_types::{Happening, KeyId, Namespace, Timestamp};

use crate::engine::Perihelion;

/// So many different refusals are told apart; further ones are counted together.
const DISTINCT_MAX: usize = 200;
/// What refusals beyond those are called.
const OTHER: &str = "other";
/// Actions and reasons are told up to so many characters: a path may be as long as the sender likes.
const CHARS_MAX: usize = 200;
/// Chores tell of refusals at most this often.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Refusals that the store does not know of yet.
#[derive(Default)]
pub(crate) struct Refusals(Mutex<Held>);

#[derive(Default)]
struct Held {
    counts: Counts,
    told_at: Option<Timestamp>,
}

type Counts = BTreeMap<Refusal, Count>;

/// Refusals that are equal in this are one event.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Refusal {
    namespace: Option<Namespace>,
    key: Option<KeyId>,
    action: String,
    reason: String,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    refusals: u64,
    last_at: Timestamp,
}

impl Perihelion {
    /// Tells that somebody was turned away: from which namespace, if they had named one; what they wanted, such as
    /// the method and the route, never content and never a secret; by which key, if it is one of ours; and why.
    ///
    /// The event comes with the chores, at most once a minute, or with closing. Equal refusals until then are one
    /// event with a count, and of very many different ones the rest is counted together as `other`.
    pub fn tell_refused(
        &self,
        namespace: Option<&Namespace>,
        action: &str,
        key: Option<KeyId>,
        reason: &str,
    ) {
        let cut = |text: &str| text.chars().take(CHARS_MAX).collect();
        let (action, reason) = (cut(action), cut(reason));
        let refusal = Refusal { namespace: namespace.cloned(), key, action, reason };
        self.core.refusals.add(refusal, Count { refusals: 1, last_at: self.core.now() });
    }
}

impl Refusals {
    fn add(&self, refusal: Refusal, count: Count) {
        let counts = &mut self.0.lock().counts;
        let known = counts.contains_key(&refusal) || counts.len() < DISTINCT_MAX;
        let entry = counts.entry(if known { refusal } else { other() });
        let held = entry.or_insert(Count { refusals: 0, ..count });
        held.refusals = held.refusals.saturating_add(count.refusals);
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
        let mut told: Vec<Told> = taken.iter().map(|(refusal, count)| event(refusal, *count)).collect();
        told.sort_by_key(|event| event.at);
        let outcome = store.record_usage(&[], &told);
        match outcome {
            Ok(()) => self.0.lock().told_at = Some(now),
            Err(_) => taken.into_iter().for_each(|(refusal, count)| self.add(refusal, count)),
        }
        outcome
    }
}

fn other() -> Refusal {
    let reason = "too many different refusals to tell apart".to_owned();
    Refusal { namespace: None, key: None, action: OTHER.to_owned(), reason }
}

fn event(refusal: &Refusal, count: Count) -> Told {
    let Refusal { namespace, key, action, reason } = refusal.clone();
    let what = Happening::AccessRefused { key, action, reason, count: count.refusals };
    Told { namespace, at: count.last_at, what }
}

#[cfg(test)]
mod tests {
    use peri_store::{SqliteSettings, SqliteStore};

    use super::*;

    #[test]
    fn chores_tell_of_refusals_at_most_once_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("test.db"), &SqliteSettings::default()).unwrap();
        let refusals = Refusals::default();
        let told_after = |seconds: i64| {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
            refusals.add(other(), Count { refusals: 1, last_at: now });
            refusals.flush_if_due(&store, now).unwrap();
            store.events(0, 100).unwrap().events.len()
        };
        let told: Vec<_> = [0, 1, 59, 60, 61, 119, 120].into_iter().map(told_after).collect();
        assert_eq!(told, [1, 1, 1, 2, 2, 2, 3], "the first at once");
    }
}
