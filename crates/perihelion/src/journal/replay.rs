//! Replay: making the memories anew that were made of entries and are missing.

use peri_store::{JournalQuery, Order, Written};
use peri_types::{JournalEntry, MemoryId, Scope, Timestamp};
use serde::Serialize;

use crate::engine::{Core, Perihelion};
use crate::{Effect, Error};

/// So many entries are looked at together.
const PAGE: usize = 256;

/// Which part of the journal to replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// Where.
    pub scope: Scope,
    /// Of one session.
    pub session: Option<String>,
    /// From this time on.
    pub since: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
    /// Whether it happens, or only tells what would.
    pub effect: Effect,
}

impl From<Scope> for Replay {
    fn from(scope: Scope) -> Self {
        Self { scope, session: None, since: None, until: None, effect: Effect::default() }
    }
}

/// What a replay did, or would do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replayed {
    /// Journal events whose text is to be remembered.
    pub entries: u64,
    /// Memories that were missing and are made anew.
    pub made: u64,
    /// Memories that are here: their own, or another that says the same.
    pub here: u64,
    /// Memories that somebody has forgotten, and that stay in the trash.
    pub forgotten: u64,
    /// Memories whose making is queued until the store can be reached.
    pub queued: u64,
}

impl Perihelion {
    /// Makes memories anew that were made of entries and are missing: purged, or lost with the store. What is here
    /// stays as it is, and what somebody forgot stays in the trash, so that a second replay changes nothing.
    pub fn replay(&self, replay: &Replay) -> Result<Replayed, Error> {
        let core = &self.core;
        let mut query = JournalQuery {
            scope: replay.scope.clone(),
            session: replay.session.clone(),
            since: replay.since,
            until: replay.until,
            remembered_only: true,
            order: Order::OldestFirst,
            limit: PAGE,
            ..JournalQuery::default()
        };
        let mut replayed = Replayed::default();
        loop {
            let page = core.store.journal(&query)?;
            core.replay_page(&page.entries, replay.effect, &mut replayed)?;
            query.after = page.next;
            if query.after.is_none() {
                return Ok(replayed);
            }
        }
    }
}

impl Core {
    fn replay_page(
        &self,
        entries: &[JournalEntry],
        effect: Effect,
        replayed: &mut Replayed,
    ) -> Result<(), Error> {
        replayed.entries += entries.len() as u64;
        let mut missing = Vec::new();
        for entry in entries {
            let (scope, id) = (Scope::Exact(entry.namespace.clone()), entry.id.memory());
            match self.store.get(&scope, &[id])?.first() {
                Some(memory) if memory.trashed_at.is_some() => replayed.forgotten += 1,
                Some(_) => replayed.here += 1,
                None if self.is_said(entry)?.is_some() => replayed.here += 1,
                None => missing.push(entry.clone()),
            }
        }
        match effect {
            Effect::Rehearsed => replayed.made += missing.len() as u64,
            Effect::Written => self.make_missing(&missing, replayed)?,
        }
        Ok(())
    }

    /// The memory that says what an entry says, whoever made it.
    fn is_said(&self, entry: &JournalEntry) -> Result<Option<MemoryId>, Error> {
        let memory = self.memory_of(entry);
        Ok(self.store.said_by(&memory.namespace, memory.fingerprint())?)
    }

    fn make_missing(&self, missing: &[JournalEntry], replayed: &mut Replayed) -> Result<(), Error> {
        let writes = self.derivations(missing);
        if writes.is_empty() {
            return Ok(());
        }
        let written = self.write(writes)?;
        self.note_written(&written);
        for one in written {
            match one {
                Written::Derived(true) => replayed.made += 1,
                Written::Queued => replayed.queued += 1,
                // Somebody else was faster.
                _ => replayed.here += 1,
            }
        }
        Ok(())
    }
}
