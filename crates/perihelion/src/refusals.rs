//! Who was turned away, gathered until it is told in a few events: whoever knocks all day must not fill the disk.

use peri_store::Told;
use peri_types::{Happening, KeyId, Namespace, Timestamp};

use crate::engine::Perihelion;
use crate::gathered::{Gathered, Repeated};

/// What refusals beyond those are called.
const OTHER: &str = "other";
/// Actions and reasons are told up to so many characters: a path may be as long as the sender likes.
const CHARS_MAX: usize = 200;
/// Refusals that the store does not know of yet.
pub(crate) type Refusals = Gathered<Refusal>;

/// Refusals that are equal in this are one event.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Refusal {
    namespace: Option<Namespace>,
    key: Option<KeyId>,
    action: String,
    reason: String,
}

impl Repeated for Refusal {
    const DISTINCT_MAX: usize = 200;

    fn other() -> Self {
        let reason = "too many different refusals to tell apart".to_owned();
        Self { namespace: None, key: None, action: OTHER.to_owned(), reason }
    }

    fn told(self, count: u64, last_at: Timestamp) -> Told {
        let Self { namespace, key, action, reason } = self;
        Told { namespace, at: last_at, what: Happening::AccessRefused { key, action, reason, count } }
    }
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
        self.core.refusals.note(refusal, self.core.now());
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use peri_store::{SqliteSettings, SqliteStore, Store as _};

    use super::*;

    #[test]
    fn chores_tell_of_refusals_at_most_once_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("test.db"), &SqliteSettings::default()).unwrap();
        let refusals = Refusals::default();
        let told_after = |seconds: i64| {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
            refusals.note(Refusal::other(), now);
            refusals.flush_if_due(&store, now).unwrap();
            store.events(0, 100).unwrap().events.len()
        };
        let told: Vec<_> = [0, 1, 59, 60, 61, 119, 120].into_iter().map(told_after).collect();
        assert_eq!(told, [1, 1, 1, 2, 2, 2, 3], "the first at once");
    }
}
