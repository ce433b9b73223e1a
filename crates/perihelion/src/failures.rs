//! What should have worked and did not, gathered until it is told in a few events: whoever runs the engine must hear
//! of it, and a fault that repeats all day must not fill the disk.

use peri_store::{StoreError, Told, Write};
use peri_types::{Happening, Timestamp};

use crate::engine::{Core, Perihelion};
use crate::gathered::{Gathered, Repeated};
use crate::{Chores, Error, ErrorKind};

/// What failures beyond those are called.
const OTHER: &str = "other";
/// Operations and reasons are told up to so many characters.
const CHARS_MAX: usize = 300;
/// Failures that the store does not know of yet.
pub(crate) type Failures = Gathered<Failure>;

/// Failures that are equal in this are one event.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Failure {
    operation: String,
    reason: String,
}

impl Failure {
    fn new(operation: &str, reason: &str) -> Self {
        let cut = |text: &str| text.chars().take(CHARS_MAX).collect();
        Self { operation: cut(operation), reason: cut(reason) }
    }
}

impl Repeated for Failure {
    const DISTINCT_MAX: usize = 100;

    fn other() -> Self {
        Self::new(OTHER, "too many different failures to tell apart")
    }

    fn told(self, count: u64, last_at: Timestamp) -> Told {
        let Self { operation, reason } = self;
        Told { namespace: None, at: last_at, what: Happening::OperationFailed { operation, reason, count } }
    }
}

impl Perihelion {
    /// Tells that something failed that should have worked: what was tried and why it failed, never content.
    ///
    /// The event comes with the chores, at most once a minute, or with closing. Equal failures until then are one
    /// event with a count.
    pub fn tell_failed(&self, operation: &str, reason: &str) {
        self.core.note_failure(operation, reason);
    }
}

impl Core {
    /// Notes that something failed that should have worked.
    pub(crate) fn note_failure(&self, operation: &str, reason: &str) {
        self.failures.note(Failure::new(operation, reason), self.now());
    }

    /// Notes that the store failed a change. What is the caller's mistake is the caller's to hear of, and not noted.
    pub(crate) fn note_refused_write(&self, operation: &str, error: &StoreError) {
        let kind = Error::Store(error.clone()).kind();
        if matches!(kind, ErrorKind::Busy | ErrorKind::Unavailable | ErrorKind::Corrupt | ErrorKind::Internal)
        {
            self.note_failure(operation, &error.to_string());
        }
    }

    /// What is kept for whoever runs the engine: snapshots, daily reports, and word of what failed. One that cannot
    /// be kept stops neither the others nor any other chore.
    pub(crate) fn keep_records(&self) {
        if self.store.is_read_only() {
            return;
        }
        self.tried("snapshot", self.snapshot_if_due());
        self.tried("report", self.report_if_due());
        let told = self.failures.flush_if_due(&*self.store, self.now());
        self.tried("telling of failures", told.map_err(Error::from));
    }

    /// The same before the engine goes. Only a program that stays leaves a snapshot behind.
    pub(crate) fn finish_records(&self) {
        if self.store.is_read_only() {
            return;
        }
        if self.options.chores == Chores::Background {
            self.tried("snapshot", self.snapshot_at_close());
        }
        if let Err(error) = self.failures.flush(&*self.store, self.now()) {
            tracing::warn!(%error, "what failed could not be told of");
        }
    }

    /// Logs and notes that a chore failed, for its own sake alone.
    pub(crate) fn tried(&self, operation: &str, outcome: Result<(), Error>) {
        if let Err(error) = outcome {
            let reason = with_causes(&error);
            tracing::warn!(operation, reason, "a chore failed and will be tried again");
            self.note_failure(operation, &reason);
        }
    }
}

/// What somebody wanted who makes these changes.
pub(crate) fn operation_of(writes: &[Write]) -> &'static str {
    match writes.first() {
        Some(Write::Remember(_)) => "remember",
        Some(Write::Revise { .. }) => "revise",
        Some(Write::Adopt { .. }) => "import",
        Some(Write::AppendEntries { .. } | Write::PutTurn { .. } | Write::DropJournal { .. }) => "journal",
        Some(_) | None => "write",
    }
}

/// An error with what caused it, on one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use peri_store::{SqliteSettings, SqliteStore, Store as _};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
    }

    fn store(folder: &std::path::Path) -> SqliteStore {
        SqliteStore::open(&folder.join("test.db"), &SqliteSettings::default()).unwrap()
    }

    /// What was told: what for, how often, and when last.
    fn told(store: &SqliteStore) -> Vec<(String, u64, Timestamp)> {
        let failed = |event: peri_types::Event| match event.what {
            Happening::OperationFailed { operation, count, .. } => (operation, count, event.at),
            other => panic!("no failure: {other:?}"),
        };
        store.events(0, 1000).unwrap().events.into_iter().map(failed).collect()
    }

    #[test]
    fn equal_failures_are_one_event_and_chores_tell_at_most_once_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let (store, failures) = (store(folder.path()), Failures::default());
        for second in [0, 1, 59, 60] {
            failures.note(Failure::new("snapshot", "디스크가 가득 찼다"), at(second));
            failures.flush_if_due(&store, at(second)).unwrap();
        }
        let snapshot = "snapshot".to_owned();
        assert_eq!(told(&store), [(snapshot.clone(), 1, at(0)), (snapshot, 3, at(60))]);
    }

    #[test]
    fn of_very_many_different_failures_none_is_lost_and_long_reasons_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let (store, failures) = (store(folder.path()), Failures::default());
        for number in 0..500 {
            failures.note(Failure::new(&number.to_string(), &"硬盘".repeat(1000)), at(number));
        }
        failures.flush(&store, at(500)).unwrap();
        let told = told(&store);
        assert_eq!(told.len(), Failure::DISTINCT_MAX + 1);
        assert_eq!(told.iter().map(|(_, count, _)| count).sum::<u64>(), 500);
        assert!(told.contains(&(OTHER.to_owned(), 400, at(499))));
        let events = store.events(0, 1000).unwrap().events;
        let reason = |event: &peri_types::Event| match &event.what {
            Happening::OperationFailed { reason, .. } => reason.chars().count(),
            other => panic!("no failure: {other:?}"),
        };
        assert_eq!(events.iter().map(reason).max(), Some(CHARS_MAX));
    }
}
