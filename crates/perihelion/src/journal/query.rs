//! Reading the journal: the latest from memory and store as one, and everything else from the store.

use std::collections::HashSet;

use peri_store::{JournalPage, JournalQuery, JournalStats, StoreError, TurnPage, TurnQuery};
use peri_types::{EntryId, JournalEntry, Scope, Turn, TurnId};
use serde::Serialize;

use super::ring::{Key, Place, key, keys, merged};
use crate::Error;
use crate::engine::{Core, Perihelion};

/// The latest entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecentEntries {
    /// The journal events, the latest first.
    pub entries: Vec<JournalEntry>,
    /// Why some may be missing, if so: the store cannot be read, and these are those that this process remembers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// A turn with what happened in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnWithEntries {
    /// The turn.
    pub turn: Turn,
    /// Its journal events, the earliest first: what set it off, what happened in it, what it ended with.
    pub entries: Vec<JournalEntry>,
    /// Whether there are more than are listed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

/// What the journal holds, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalSummary {
    /// Journal events in the store.
    pub entries: u64,
    /// Turns in the store.
    pub turns: u64,
    /// Turns that have not ended.
    pub turns_open: u64,
    /// Each namespace by itself.
    pub namespaces: Vec<JournalStats>,
    /// What this process has written down and the store does not hold yet.
    pub waiting: JournalHealth,
}

/// What a process has written down and the store does not hold yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalHealth {
    /// Always 0: nothing is acknowledged from memory alone. For readers of earlier releases.
    pub held: u64,
    /// Journal events that wait on the disk, as far as this process has queued them.
    pub queued: u64,
}

impl Perihelion {
    /// The latest entries of a scope, or of one session in it: exactly as many as asked for if there are so many,
    /// whether they have reached the store or not. If the store cannot be read, what this process remembers is told,
    /// and that something may be missing.
    pub fn recent(&self, scope: &Scope, session: Option<&str>, limit: usize) -> Result<RecentEntries, Error> {
        let core = &self.core;
        core.options.limits.check_results(limit)?;
        let session = session.map(str::to_owned);
        let query = JournalQuery { scope: scope.clone(), session, limit, ..JournalQuery::default() };
        // Memory first: what is stored in between is then in both, and told once.
        let waiting: Vec<_> =
            core.journal.ring.lock().waiting(|entry| query.matches(entry)).take(limit).cloned().collect();
        match core.store.journal(&query) {
            Ok(page) => {
                let mut ring = core.journal.ring.lock();
                ring.settle(arrived(&waiting, &page.entries), Place::Stored);
                let missing = ring.is_crowded().then(|| CROWDED.to_owned());
                Ok(RecentEntries { entries: merged(waiting, page.entries, limit), missing })
            }
            Err(error) => {
                let ring = core.journal.ring.lock();
                let entries = ring.all(|entry| query.matches(entry)).take(limit).cloned().collect();
                Ok(RecentEntries { entries, missing: Some(error.to_string()) })
            }
        }
    }

    /// The journal page by page, from the store.
    pub fn journal(&self, query: &JournalQuery) -> Result<JournalPage, Error> {
        self.core.options.limits.check_results(query.limit)?;
        Ok(self.core.store.journal(query)?)
    }

    /// One entry, whether it has reached the store or not.
    pub fn journal_entry(&self, scope: &Scope, id: EntryId) -> Result<JournalEntry, Error> {
        self.core.find_entry(scope, id)?.ok_or(Error::NoEntry { id })
    }

    /// One turn with its entries.
    pub fn turn_with_entries(&self, scope: &Scope, id: TurnId) -> Result<TurnWithEntries, Error> {
        let core = &self.core;
        let turn = self.turn(scope, id)?;
        let here = Scope::Exact(turn.namespace.clone());
        let limit = core.options.limits.results_max;
        let order = peri_store::Order::OldestFirst;
        let query =
            JournalQuery { scope: here.clone(), turn: Some(id), order, limit, ..JournalQuery::default() };
        let page = match core.store.journal(&query) {
            Ok(page) => page,
            Err(error) if core.turn_in_memory(&here, id).is_some() => {
                tracing::debug!(%error, "the turn is told from memory");
                JournalPage { entries: Vec::new(), next: None }
            }
            Err(error) => return Err(error.into()),
        };
        let ring = core.journal.ring.lock();
        let waiting: Vec<_> = ring.all(|entry| query.matches(entry)).cloned().collect();
        drop(ring);
        let mut ends = Vec::new();
        for id in [turn.input, turn.output].into_iter().flatten() {
            ends.extend(core.find_entry(&here, id)?);
        }
        let stored = merged(ends, page.entries, usize::MAX);
        let mut entries = merged(waiting, stored, usize::MAX);
        entries.reverse();
        Ok(TurnWithEntries { turn, entries, more: page.next.is_some() })
    }

    /// One turn, whether it has reached the store or not.
    pub fn turn(&self, scope: &Scope, id: TurnId) -> Result<Turn, Error> {
        self.core.find_turn(scope, id)?.ok_or(Error::NoTurn { id })
    }

    /// Turns page by page, from the store.
    pub fn turns(&self, query: &TurnQuery) -> Result<TurnPage, Error> {
        self.core.options.limits.check_results(query.limit)?;
        Ok(self.core.store.turns(query)?)
    }

    /// What the journal holds, in numbers.
    pub fn journal_stats(&self, scope: &Scope) -> Result<JournalSummary, Error> {
        let namespaces = self.core.store.journal_stats(scope)?;
        let total = |part: fn(&JournalStats) -> u64| namespaces.iter().map(part).sum();
        Ok(JournalSummary {
            entries: total(|stats| stats.entries),
            turns: total(|stats| stats.turns),
            turns_open: total(|stats| stats.turns_open),
            waiting: self.core.journal_waiting(scope),
            namespaces,
        })
    }
}

/// Why some entries may not be seen although the store can be read.
const CROWDED: &str =
    "so many journal events wait for the store that the earliest of them are seen once they reach it";

/// Those of the waiting entries that a page of the store holds.
fn arrived(waiting: &[JournalEntry], stored: &[JournalEntry]) -> Vec<Key> {
    let stored: HashSet<Key> = keys(stored).collect();
    waiting.iter().map(key).filter(|key| stored.contains(key)).collect()
}

impl Core {
    /// An entry from the store, or from memory if the store does not hold it or cannot be read.
    pub(super) fn find_entry(&self, scope: &Scope, id: EntryId) -> Result<Option<JournalEntry>, StoreError> {
        let is_meant = |entry: &JournalEntry| entry.id == id && scope.contains(&entry.namespace);
        let stored = self.store.entries(scope, &[id]);
        let ring = self.journal.ring.lock();
        match stored {
            Ok(found) => Ok(found.into_iter().next().or_else(|| ring.waiting(is_meant).next().cloned())),
            Err(error) => ring.all(is_meant).next().cloned().map(Some).ok_or(error),
        }
    }

    /// What this process has written down, anywhere, and the store does not hold yet.
    pub(crate) fn journal_health(&self) -> JournalHealth {
        self.journal_waiting(&Scope::All)
    }

    fn journal_waiting(&self, scope: &Scope) -> JournalHealth {
        let queued = self.journal.ring.lock().count_in(Place::Queued, scope) as u64;
        JournalHealth { held: 0, queued }
    }
}
