//! What happened too long ago leaves the journal. Memories that were made of it stay.

use peri_store::{JournalQuery, Order, TurnQuery, Write, Written};
use peri_types::{Scope, Timestamp};

use crate::Error;
use crate::chores::Afterwards;
use crate::engine::Core;

/// Held by the process that drops, so that of many one does.
const LEASE: &str = "journal-retention";

impl Core {
    /// Drops what has been kept for as long as it should be.
    pub(crate) fn drop_old_journal(&self, go_on: &dyn Fn() -> bool) -> Result<(), Error> {
        let (now, retention) = (self.now(), self.options.journal.retention);
        if retention.is_zero() {
            return Ok(());
        }
        let before = now.checked_sub(retention).unwrap_or(Timestamp::MIN);
        if !self.has_journal_before(before)? {
            return Ok(());
        }
        self.in_turn(LEASE, Afterwards::GivenBack, go_on, |go_on| {
            self.drop_journal_before(before, now, go_on)
        })?;
        Ok(())
    }

    fn drop_journal_before(
        &self,
        before: Timestamp,
        now: Timestamp,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        while go_on() {
            let write = Write::DropJournal { scope: Scope::All, before, at: now };
            let Some(Written::JournalDropped { entries, turns }) = self.store.write(vec![write])?.pop()
            else {
                break;
            };
            if entries + turns == 0 {
                break;
            }
            tracing::debug!(entries, turns, "what was kept in the journal for long enough is dropped");
        }
        self.journal.ring.lock().drop_before(&Scope::All, before);
        Ok(())
    }

    fn has_journal_before(&self, before: Timestamp) -> Result<bool, Error> {
        let (order, until, arrived_before, limit) = (Order::OldestFirst, Some(before), Some(before), 1);
        let entries = JournalQuery { order, until, arrived_before, limit, ..JournalQuery::default() };
        if !self.store.journal(&entries)?.entries.is_empty() {
            return Ok(true);
        }
        let turns = TurnQuery { order, until, arrived_before, limit, ..TurnQuery::default() };
        Ok(!self.store.turns(&turns)?.turns.is_empty())
    }
}
