//! Forget, and the trash: what is forgotten can be restored until it is purged.

use peri_store::{StoreError, Write, Written};
use peri_types::{ChangeNumber, Memory, MemoryId, Scope};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::engine::Perihelion;
use crate::queue::{Intent, Making, Transaction};

/// The state of a memory in which somebody has seen it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Its version.
    pub version: u32,
    /// Its last change.
    pub change: ChangeNumber,
}

impl Seen {
    /// Refuses a memory that is in none of these states, if there are any.
    pub(crate) fn check(seen: &[Self], memory: &Memory) -> Result<(), Error> {
        let is_so = |one: &Self| (one.version, one.change) == (memory.version, memory.change);
        if seen.is_empty() || seen.iter().any(is_so) { Ok(()) } else { Err(Error::Changed { id: memory.id }) }
    }
}

impl Perihelion {
    /// Moves a memory to the trash, from where it can be restored. Forgetting twice changes nothing.
    pub fn forget(&self, scope: &Scope, id: MemoryId) -> Result<Memory, Error> {
        self.core.unless_away(self.check_held(scope, id))?;
        self.move_memory(Write::Forget { scope: scope.clone(), id, at: self.core.now() })
    }

    /// The same, unless the memory was changed since somebody has seen it in one of these states. What cannot be looked at now is looked at when
    /// the call is made.
    pub fn forget_as_seen(&self, scope: &Scope, id: MemoryId, seen: &[Seen]) -> Result<Memory, Error> {
        let wanted = || Ok(Intent::Forget { scope: scope.clone(), id, seen: seen.to_vec() });
        let make = |making: &Making<'_>| self.make_forgotten(making, scope, id, seen);
        self.core.perform(wanted, "forget", make)
    }

    pub(crate) fn make_forgotten(
        &self,
        making: &Making<'_>,
        scope: &Scope,
        id: MemoryId,
        seen: &[Seen],
    ) -> Result<Memory, Error> {
        let memory = self.get_as_of(scope, id, making.at())?;
        Seen::check(seen, &memory)?;
        match making
            .write(Transaction::Only, vec![Write::Forget { scope: scope.clone(), id, at: making.at() }])?
            .pop()
        {
            Some(Written::Forgotten(memory)) => Ok(*memory),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// Brings a memory back from the trash.
    pub fn restore(&self, scope: &Scope, id: MemoryId) -> Result<Memory, Error> {
        self.core.unless_away(self.check_held(scope, id))?;
        self.move_memory(Write::Restore { scope: scope.clone(), id, at: self.core.now() })
    }

    fn move_memory(&self, write: Write) -> Result<Memory, Error> {
        match self.core.change(vec![write])?.pop() {
            Some(Written::Forgotten(memory) | Written::Restored(memory)) => Ok(*memory),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }
}
