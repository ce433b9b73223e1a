//! Getting entries and turns into the store: when they come, and again in the chores when that failed.

use peri_store::{Write, Written as StoreWritten};
use peri_types::{JournalEntry, Scope};

use super::append::Written;
use super::ring::{Place, keys};
use crate::Error;
use crate::engine::Core;

/// So many entries are tried again, or looked for, together.
const BATCH: usize = 500;

impl Core {
    /// Writes entries together with the memories that are made of them.
    pub(super) fn write_entries(
        &self,
        entries: &[JournalEntry],
        claim: Option<Write>,
    ) -> Result<Written, Error> {
        let mut writes = vec![Write::AppendEntries { entries: entries.to_vec(), at: self.now() }];
        writes.extend(self.derivations(entries));
        let written = self.write_claimed(claim, writes)?;
        Ok(match written.first() {
            Some(StoreWritten::Appended(count)) if *count < entries.len() as u64 => Written::SomeKnown,
            Some(StoreWritten::Queued) => Written::All(Place::Queued),
            _ => Written::All(Place::Stored),
        })
    }

    /// Tries again what is held in memory, and looks whether what was queued has reached the store.
    pub(crate) fn keep_journal(&self) -> Result<(), Error> {
        self.keep_held_turns()?;
        loop {
            let held = self.journal.ring.lock().in_place(Place::Held, BATCH);
            if held.is_empty() {
                break;
            }
            match self.write_entries(&held, None)? {
                Written::All(place) => self.journal.ring.lock().settle(keys(&held), place),
                Written::SomeKnown => self.journal.ring.lock().remove(keys(&held)),
            }
            tracing::info!(count = held.len(), "journal events that were held in memory are kept now");
        }
        self.look_for_queued()
    }

    /// The same among other chores, which go on although it fails.
    pub(crate) fn keep_journal_or_say_so(&self) {
        if let Err(error) = self.keep_journal() {
            tracing::warn!(%error, "journal events are still held in memory");
        }
    }

    fn look_for_queued(&self) -> Result<(), Error> {
        loop {
            let queued = self.journal.ring.lock().in_place(Place::Queued, BATCH);
            let ids: Vec<_> = queued.iter().map(|entry| entry.id).collect();
            if ids.is_empty() {
                return Ok(());
            }
            let found = self.store.entries(&Scope::All, &ids)?;
            let arrived = found.len();
            self.journal.ring.lock().settle(keys(&found), Place::Stored);
            // They arrive in the order they were queued: where one is missing, later ones are too.
            if arrived < BATCH {
                return Ok(());
            }
        }
    }

    /// The last try before the engine goes. What is held then is lost, and said so.
    pub(crate) fn finish_journal(&self) -> Result<(), Error> {
        let outcome = self.keep_journal();
        let held = self.journal.ring.lock().count(Place::Held) + self.held_turns(&Scope::All);
        if held == 0 {
            // What was queued is safe on the disk, whether it could be looked for or not.
            return Ok(());
        }
        tracing::error!(held, "journal events and turns that were held in memory are lost");
        outcome
    }
}
