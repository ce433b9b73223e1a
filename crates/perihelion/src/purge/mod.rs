//! Destroying for good: the memory, and its words wherever else this folder keeps them.
//!
//! What was destroyed is committed first. Should the process die before the rest is done, the rest is derived or a copy: the
//! same purge of what is left, or [`Perihelion::maintain`], goes on with the log, and the answer said nothing yet.

mod held;
mod words;

use std::collections::HashMap;

use peri_store::{ListQuery, Order, StoreError, Trashed, Write, Written};
use peri_types::{Memory, MemoryId, Namespace, Scope, Timestamp};

pub use self::held::{HeldBy, StillHeld};
pub(crate) use self::words::Words;
use crate::Error;
use crate::engine::{Core, Perihelion};

/// Memories are looked at so many at a time.
const PAGE: usize = 512;

/// What was destroyed, and what still holds its words.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Destroyed {
    /// How many memories.
    pub memories: u64,
    /// Copies of what was here before, and what could not be cleaned.
    pub still_held: Vec<StillHeld>,
}

impl Destroyed {
    /// The same for whoever sees but a part of the store: copies of all of it are not named.
    pub fn told_within(self, scope: &Scope) -> Self {
        if *scope == Scope::All {
            return self;
        }
        let still_held = self.still_held.into_iter().map(StillHeld::without_names).collect();
        Self { still_held, ..self }
    }
}

impl Perihelion {
    /// Destroys a memory that lies in the trash, with its history and its words in what was handed to agents, in the audit
    /// log and in the queue. There is no way back; what copies still hold it is told.
    pub fn purge(&self, scope: &Scope, id: MemoryId) -> Result<Destroyed, Error> {
        let core = &self.core;
        core.tell_of_use()?;
        let mut words = Words::default();
        if let Some(memory) = core.unless_away(self.get_in_trash(scope, id))?.flatten() {
            core.learn_words(&mut words, &memory)?;
        }
        core.change(vec![Write::Purge { scope: scope.clone(), id, at: core.now() }])?;
        Ok(core.destroyed(1, &words))
    }

    /// Destroys what was moved to the trash before a time, in the same way.
    pub fn purge_trashed(&self, scope: &Scope, before: Timestamp) -> Result<Destroyed, Error> {
        let core = &self.core;
        core.tell_of_use()?;
        let words = core.unless_away(core.words_in_trash(scope, before))?.unwrap_or_default();
        let write = Write::PurgeTrashed { scope: scope.clone(), before, at: core.now() };
        match core.change(vec![write])?.pop() {
            Some(Written::Purged(count)) => Ok(core.destroyed(count, &words)),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// What still holds the words of what is destroyed now: copies that were made before.
    pub fn still_held(&self) -> Vec<StillHeld> {
        held::copies(&self.core)
    }

    fn get_in_trash(&self, scope: &Scope, id: MemoryId) -> Result<Option<Memory>, Error> {
        match self.get(scope, id) {
            Ok(memory) => Ok(Some(memory).filter(|memory| memory.trashed_at.is_some())),
            Err(Error::Store(StoreError::NotFound { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Core {
    /// Writes what this process has yet to tell of recalls: told later, their questions would outlive what they found.
    pub(crate) fn tell_of_use(&self) -> Result<(), Error> {
        self.unless_away(self.usage.flush(&*self.store).map_err(Error::from)).map(drop)
    }

    /// What memories say that lie in the trash since before a time.
    pub(crate) fn words_in_trash(&self, scope: &Scope, before: Timestamp) -> Result<Words, Error> {
        let query = ListQuery { trashed: Trashed::Only, trashed_before: Some(before), ..all_of(scope) };
        self.words_of(query)
    }

    /// What the memories of a namespace say.
    pub(crate) fn words_in(&self, namespace: &Namespace) -> Result<Words, Error> {
        let scope = Scope::Exact(namespace.clone());
        let mut words = self.words_of(all_of(&scope))?;
        words.join(self.words_of(ListQuery { trashed: Trashed::Only, ..all_of(&scope) })?);
        Ok(words)
    }

    fn words_of(&self, mut query: ListQuery) -> Result<Words, Error> {
        let mut words = Words::default();
        loop {
            let page = self.store.list(&query)?;
            for memory in &page.memories {
                self.learn_words(&mut words, memory)?;
            }
            query.after = page.next;
            if query.after.is_none() {
                return Ok(words);
            }
        }
    }

    fn learn_words(&self, words: &mut Words, memory: &Memory) -> Result<(), Error> {
        let versions =
            if memory.version > 1 { self.store.versions(&memory.namespace, memory.id)? } else { Vec::new() };
        words.add(memory, versions.into_iter().map(|version| version.content));
        Ok(())
    }

    /// Cleans up after what was destroyed. What cannot be cleaned now is told, and stops nothing: it is gone all the same.
    pub(crate) fn destroyed(&self, memories: u64, words: &Words) -> Destroyed {
        let mut still_held = held::copies(self);
        still_held.extend(self.wipe_words(words));
        Destroyed { memories, still_held }
    }

    /// Takes words out of everything else that this folder keeps. What still holds them is the answer.
    pub(crate) fn wipe_words(&self, words: &Words) -> Vec<StillHeld> {
        if self.store.is_read_only() {
            return Vec::new();
        }
        self.flush_events();
        let steps: [(HeldBy, Result<bool, Error>); 5] = [
            (HeldBy::HandedOut, self.clean_handed_out(words)),
            (HeldBy::AuditLog, self.clean_audit_log(words)),
            (HeldBy::Queue, self.clean_dead_letters(words)),
            (HeldBy::Index, Ok(self.clean_indexes(words))),
            (HeldBy::Log, self.store.scrub().map_err(Error::from)),
        ];
        let left = steps.into_iter().filter_map(|(by, outcome)| match outcome {
            Ok(true) => None,
            Ok(false) => Some(StillHeld::of(by, None)),
            Err(error) => {
                tracing::warn!(%error, ?by, "what was destroyed is still held");
                Some(StillHeld::of(by, Some(error.to_string())))
            }
        });
        left.collect()
    }

    fn clean_handed_out(&self, words: &Words) -> Result<bool, Error> {
        {
            let mut waiting = self.scribe.handed_out.lock();
            for ((namespace, _), texts) in waiting.iter_mut() {
                texts.retain(|text| !words.are_in(namespace, text));
            }
        }
        let notes = self.notes()?;
        for namespace in words.namespaces() {
            notes.forget_handed_out(namespace, |text| words.are_in(namespace, text))?;
        }
        Ok(true)
    }

    fn clean_audit_log(&self, words: &Words) -> Result<bool, Error> {
        if !self.options.events.log {
            return Ok(true);
        }
        let folder = || self.audit.log.folder().to_owned();
        let blanked = self.audit.log.blank_queries(words.ids());
        blanked.map_err(|source| Error::Folder { path: folder(), source })?;
        Ok(true)
    }

    fn clean_dead_letters(&self, words: &Words) -> Result<bool, Error> {
        match &self.queue {
            Some(queue) => queue.drop_dead_that(|payload| words.are_within(payload)),
            None => Ok(true),
        }
    }

    /// Indexes hold words, in memory and on the disk.
    fn clean_indexes(&self, words: &Words) -> bool {
        let indexes = &self.senses.now().indexes;
        words.namespaces().for_each(|namespace| indexes.forget_words(&*self.store, namespace));
        true
    }
}

fn all_of(scope: &Scope) -> ListQuery {
    ListQuery {
        scope: scope.clone(),
        order: Order::OldestFirst,
        limit: PAGE,
        as_kept: true,
        ..ListQuery::default()
    }
}

/// Contents by where they were.
type Contents = HashMap<Namespace, Vec<String>>;
