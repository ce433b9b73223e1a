//! Whole namespaces: moved and deleted. They come into being when something is stored in them.

use peri_store::{StoreError, Write, Written};
use peri_types::Namespace;
use serde::Serialize;

use crate::Error;
use crate::engine::Perihelion;

/// What becomes of the memories of a deleted namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// They go to the trash, from where they can be restored.
    ToTrash,
    /// They are destroyed at once, with everything that belongs to them.
    Purge,
}

/// What was moved from one namespace to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MovedNamespace {
    /// How many memories.
    pub memories: u64,
    /// How many of them said what a memory at the new place says already; those are in the trash there.
    pub repeated: u64,
}

impl Perihelion {
    /// Moves everything of a namespace to another one, which may hold memories already. Ids stay.
    pub fn move_namespace(&self, from: &Namespace, to: &Namespace) -> Result<MovedNamespace, Error> {
        let core = &self.core;
        core.usage.flush(&*core.store)?;
        let write = Write::MoveNamespace { from: from.clone(), to: to.clone(), at: core.now() };
        let (memories, repeated) = gone(core.change(vec![write])?.pop())?;
        Ok(MovedNamespace { memories, repeated })
    }

    /// Deletes a namespace; how many memories that were.
    pub fn delete_namespace(&self, namespace: &Namespace, deletion: Deletion) -> Result<u64, Error> {
        let core = &self.core;
        let purge = deletion == Deletion::Purge;
        let write = Write::DeleteNamespace { namespace: namespace.clone(), purge, at: core.now() };
        Ok(gone(core.change(vec![write])?.pop())?.0)
    }
}

fn gone(written: Option<Written>) -> Result<(u64, u64), Error> {
    match written {
        Some(Written::NamespaceGone { memories, repeated }) => Ok((memories, repeated)),
        _ => Err(Error::Store(StoreError::Closed)),
    }
}
