//! An import that only tells what would happen.
//!
//! What it would have changed is kept beside the store: for each memory its id and its statement's fingerprint, twice,
//! so that what it takes grows with the memories of the file, which that of an import does not. Edges are taken to fit
//! as long as their memories are there.

use std::collections::HashMap;

use parking_lot::Mutex;
use peri_store::{Adopted, ImportState, OnConflict, Write, Written};
use peri_types::{Edge, Fingerprint, JournalEntry, Memory, MemoryId, Namespace, Scope};

use super::import::ImportOptions;
use super::meaning::Tally;
use super::notes::{self, Noted};
use super::parts::{Part, UNLINKABLE};
use crate::Error;
use crate::engine::Core;

/// What a rehearsal put where: what each memory says, or nothing if it went to the trash.
#[derive(Default)]
pub(super) struct Placed(HashMap<Namespace, Place>);

#[derive(Default)]
struct Place {
    memories: HashMap<MemoryId, Option<Fingerprint>>,
    said: HashMap<Fingerprint, MemoryId>,
}

impl Placed {
    /// Whether the rehearsal changed a memory.
    pub(super) fn has(&self, namespace: &Namespace, id: MemoryId) -> bool {
        self.0.get(namespace).is_some_and(|place| place.memories.contains_key(&id))
    }

    fn at(&mut self, namespace: &Namespace) -> &mut Place {
        self.0.entry(namespace.clone()).or_default()
    }
}

impl Place {
    fn put(&mut self, id: MemoryId, says: Option<Fingerprint>) {
        if let Some(Some(before)) = self.memories.insert(id, says) {
            self.said.remove(&before);
        }
        if let Some(says) = says {
            self.said.insert(says, id);
        }
    }
}

/// An import that is only rehearsed.
pub(super) struct Rehearsal<'a> {
    core: &'a Core,
    options: &'a ImportOptions,
    progress: &'a Mutex<ImportState>,
    tally: &'a Mutex<Tally>,
    placed: Placed,
    refused: Vec<(u64, String)>,
    failed: Option<Error>,
}

impl<'a> Rehearsal<'a> {
    pub(super) fn new(
        core: &'a Core,
        options: &'a ImportOptions,
        progress: &'a Mutex<ImportState>,
        tally: &'a Mutex<Tally>,
    ) -> Self {
        Self { core, options, progress, tally, placed: Placed::default(), refused: Vec::new(), failed: None }
    }

    /// What a memory says that the rehearsal put there.
    pub(super) fn says(&self, namespace: &Namespace, id: MemoryId) -> Option<Fingerprint> {
        self.placed.0.get(namespace).and_then(|place| place.memories.get(&id).copied().flatten())
    }

    /// Takes a part as the store would. `false`: something cannot be read, and it is over.
    pub(super) fn play(&mut self, part: Part) -> bool {
        let mut state = self.progress.lock().clone();
        part.advance(&mut state);
        for (number, line) in &part.notes {
            match notes::take(self.core, self.options, line) {
                Ok(Noted::Taken) => state.notes += 1,
                Ok(Noted::Known) => {}
                Ok(Noted::Refused(why)) => {
                    state.refused += 1;
                    self.refused.push((*number, why));
                }
                Err(error) => {
                    self.failed = Some(error);
                    return false;
                }
            }
        }
        for ((number, write), fate) in part.writes.into_iter().zip(part.fates) {
            match self.try_write(&write) {
                Ok(made) => {
                    state.count(&made);
                    self.tally.lock().count(fate, &made);
                    if made == Written::Linked(0) {
                        self.refused.push((number, UNLINKABLE.to_owned()));
                    }
                }
                Err(error) => {
                    self.failed = Some(error);
                    return false;
                }
            }
        }
        *self.progress.lock() = state;
        true
    }

    /// What was refused and what was changed.
    pub(super) fn close(self) -> (Result<Vec<(u64, String)>, Error>, Placed) {
        (self.failed.map_or(Ok(self.refused), Err), self.placed)
    }

    fn try_write(&mut self, write: &Write) -> Result<Written, Error> {
        match write {
            Write::Adopt { whole, on_conflict, .. } => {
                self.adopt(&whole.memory, *on_conflict).map(Written::Adopted)
            }
            Write::Link { namespace, edges, .. } => {
                let mut drawn = 0;
                for edge in edges {
                    drawn += u64::from(self.can_link(namespace, edge)?);
                }
                Ok(Written::Linked(drawn))
            }
            Write::AppendEntries { entries, .. } => self.append(entries).map(Written::Appended),
            Write::AdoptTrajectory { trajectory, on_conflict, .. } => {
                let scope = Scope::Exact(trajectory.namespace.clone());
                let stays = *on_conflict == OnConflict::Keep
                    && self.core.store.trajectory(&scope, trajectory.id)?.is_some();
                Ok(Written::TrajectoryAdopted(!stays))
            }
            // What number it would have is of no interest.
            Write::SetLearned { .. } => Ok(Written::Numbered(0)),
            _ => Ok(Written::Done),
        }
    }

    fn adopt(&mut self, memory: &Memory, on_conflict: OnConflict) -> Result<Adopted, Error> {
        let namespace = &memory.namespace;
        let own = self.own(namespace, memory.id)?;
        // By what it is known here, if it came before with an id that another namespace holds.
        let id = own.as_ref().map_or(memory.id, |own| own.id);
        let here = own.is_some() || self.placed.has(namespace, id);
        if here && on_conflict == OnConflict::Keep {
            return Ok(Adopted::Known);
        }
        if let Some(own) =
            own.filter(|_| on_conflict == OnConflict::Replace && !self.placed.has(namespace, id))
            && Adopted::stays(&own, memory, self.core.now())
        {
            return Ok(Adopted::NewerHere);
        }
        let says = memory.trashed_at.is_none().then(|| memory.fingerprint());
        let twin = says.map_or(Ok(None), |says| self.twin(namespace, says))?.filter(|twin| *twin != id);
        if let Some(twin) = twin {
            if on_conflict != OnConflict::TakeOver {
                return Ok(Adopted::SaidBy(twin));
            }
            self.placed.at(namespace).put(twin, None);
        }
        self.placed.at(namespace).put(id, says);
        Ok(match twin {
            Some(twin) => Adopted::InsteadOf(twin),
            None if here => Adopted::Replaced,
            None => Adopted::Added,
        })
    }

    /// How many entries would be new. One that is in the file twice counts twice.
    fn append(&self, entries: &[JournalEntry]) -> Result<u64, Error> {
        let mut new = 0;
        for entry in entries {
            let scope = Scope::Exact(entry.namespace.clone());
            new += u64::from(self.core.store.entries(&scope, &[entry.id])?.is_empty());
        }
        Ok(new)
    }

    fn is_here(&self, namespace: &Namespace, id: MemoryId) -> Result<bool, Error> {
        Ok(self.placed.has(namespace, id) || self.own(namespace, id)?.is_some())
    }

    /// The memory of the store that has an id, or got another in its place.
    fn own(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<Memory>, Error> {
        let either = [id, id.within(namespace)];
        Ok(self.core.store.get(&Scope::Exact(namespace.clone()), &either)?.into_iter().next())
    }

    fn twin(&mut self, namespace: &Namespace, says: Fingerprint) -> Result<Option<MemoryId>, Error> {
        if let Some(id) = self.placed.at(namespace).said.get(&says) {
            return Ok(Some(*id));
        }
        let stored = self.core.store.said_by(namespace, says)?;
        Ok(stored.filter(|id| !self.placed.has(namespace, *id)))
    }

    fn can_link(&self, namespace: &Namespace, edge: &Edge) -> Result<bool, Error> {
        Ok(self.is_here(namespace, edge.source)? && self.is_here(namespace, edge.target)?)
    }
}
