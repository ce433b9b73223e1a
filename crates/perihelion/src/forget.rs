//! Forget, and the trash: what is forgotten can be restored until it is purged.

use peri_store::{StoreError, Write, Written};
use peri_types::{Memory, MemoryId, Scope, Timestamp};

use crate::Error;
use crate::engine::Perihelion;

impl Perihelion {
    /// Moves a memory to the trash, from where it can be restored. Forgetting twice changes nothing.
    pub fn forget(&self, scope: &Scope, id: MemoryId) -> Result<Memory, Error> {
        self.core.unless_away(self.check_held(scope, id))?;
        self.move_memory(Write::Forget { scope: scope.clone(), id, at: self.core.now() })
    }

    /// Brings a memory back from the trash.
    pub fn restore(&self, scope: &Scope, id: MemoryId) -> Result<Memory, Error> {
        self.core.unless_away(self.check_held(scope, id))?;
        self.move_memory(Write::Restore { scope: scope.clone(), id, at: self.core.now() })
    }

    /// Destroys a memory that lies in the trash, with its history. There is no way back.
    pub fn purge(&self, scope: &Scope, id: MemoryId) -> Result<(), Error> {
        self.core.change(vec![Write::Purge { scope: scope.clone(), id, at: self.core.now() }])?;
        Ok(())
    }

    /// Destroys what was moved to the trash before a time, and tells how many memories that were.
    pub fn purge_trashed(&self, scope: &Scope, before: Timestamp) -> Result<u64, Error> {
        let write = Write::PurgeTrashed { scope: scope.clone(), before, at: self.core.now() };
        match self.core.change(vec![write])?.pop() {
            Some(Written::Purged(count)) => Ok(count),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    fn move_memory(&self, write: Write) -> Result<Memory, Error> {
        match self.core.change(vec![write])?.pop() {
            Some(Written::Forgotten(memory) | Written::Restored(memory)) => Ok(*memory),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }
}
