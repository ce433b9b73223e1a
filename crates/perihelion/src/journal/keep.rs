//! Getting entries into the store, and finding out when those that were queued have arrived.

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

    /// Looks whether what was queued has reached the store.
    pub(crate) fn look_for_queued(&self) -> Result<(), Error> {
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
}
