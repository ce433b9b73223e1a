//! Whole namespaces: moved and deleted. They come into being when something is stored in them.

use peri_store::{StoreError, Write, Written};
use peri_types::Namespace;
use serde::Serialize;

use crate::Error;
use crate::engine::Perihelion;
use crate::purge::Words;

/// What becomes of the memories of a deleted namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// They go to the trash, from where they can be restored. Notes stay where they are.
    ToTrash,
    /// They are destroyed at once, with everything that belongs to them, and so are the notes.
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
    /// Moves everything of a namespace to another one, which may hold memories already. Ids stay. Notes of sessions of
    /// the same name and the digests are joined. Notes go first: whoever is broken off runs it again, and it goes on.
    pub fn move_namespace(&self, from: &Namespace, to: &Namespace) -> Result<MovedNamespace, Error> {
        let core = &self.core;
        core.usage.flush(&*core.store)?;
        core.keep_handed_out()?;
        let noted = !core.store.is_read_only() && self.has_notes(from)?;
        if !core.store.is_read_only() {
            core.move_notes(from, to)?;
        }
        let write = Write::MoveNamespace { from: from.clone(), to: to.clone(), at: core.now() };
        let (memories, repeated) = self.gone(write, noted)?;
        Ok(MovedNamespace { memories, repeated })
    }

    /// Deletes a namespace; how many memories that were. Notes are destroyed with what is purged, and before it.
    pub fn delete_namespace(&self, namespace: &Namespace, deletion: Deletion) -> Result<u64, Error> {
        let core = &self.core;
        let purge = deletion == Deletion::Purge;
        core.keep_handed_out()?;
        core.tell_of_use()?;
        let noted = !core.store.is_read_only() && self.has_notes(namespace)?;
        if noted && purge {
            core.forget_notes(namespace)?;
        }
        let words = if purge {
            core.unless_away(core.words_in(namespace))?.unwrap_or_default()
        } else {
            Words::default()
        };
        let write = Write::DeleteNamespace { namespace: namespace.clone(), purge, at: core.now() };
        let memories = self.gone(write, noted)?.0;
        if purge {
            core.wipe_words(&words);
        }
        Ok(memories)
    }

    /// Makes a change of a whole namespace. One of which only notes are kept is not known to the store, and is none the
    /// less there.
    fn gone(&self, write: Write, noted: bool) -> Result<(u64, u64), Error> {
        match self.core.change(vec![write]) {
            Ok(mut written) => match written.pop() {
                Some(Written::NamespaceGone { memories, repeated }) => Ok((memories, repeated)),
                _ => Err(Error::Store(StoreError::Closed)),
            },
            Err(Error::Store(StoreError::NoNamespace { .. })) if noted => Ok((0, 0)),
            Err(error) => Err(error),
        }
    }
}
