//! The notes' part of an export and of an import.
//!
//! A line holds everything of one session, or of one digest, so that it is taken as a whole. What is lent to an agent
//! and what is on its way to another namespace means something only where it is, and stays there.

use peri_notes::{Meeting, NotesError, Unpacked};
use peri_types::Namespace;

use super::export::Export;
use super::import::{Effect, ImportMode, ImportOptions};
use super::line::{Line, NotesLine};
use crate::Error;
use crate::engine::Core;

impl Export<'_> {
    /// The namespaces to export: those of the store, and those that only notes are kept in.
    pub(super) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        let mut namespaces = self.store.namespaces(&self.options.scope)?;
        if !self.options.is_partial() {
            let noted = self.notes.namespaces()?.into_iter();
            namespaces.extend(noted.filter(|own| self.options.scope.contains(own)));
            namespaces.sort();
            namespaces.dedup();
        }
        Ok(namespaces)
    }

    /// Whether notes of a namespace come along.
    pub(super) fn has_notes(&self, namespace: &Namespace) -> Result<bool, Error> {
        if self.options.is_partial() {
            return Ok(false);
        }
        for session in self.notes.to_carry(namespace)? {
            if self.notes.pack(namespace, session.as_ref())?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the notes of a namespace: session by session, by name, and then the digest.
    pub(super) fn noted(&mut self, namespace: &Namespace) -> Result<(), Error> {
        if self.options.is_partial() {
            return Ok(());
        }
        for session in self.notes.to_carry(namespace)? {
            let Some(parcel) = self.notes.pack(namespace, session.as_ref())? else { continue };
            self.line(&Line::Notes(Box::new(NotesLine { namespace: namespace.clone(), parcel })))?;
            self.written.notes += 1;
            (self.watch)(&self.written);
        }
        Ok(())
    }
}

/// What became of a line of notes.
pub(super) enum Noted {
    /// Something is here now that was not.
    Taken,
    /// All of it was here.
    Known,
    /// It cannot be joined with what is here, and why. What is here is as it was.
    Refused(String),
}

/// Takes a line of notes, or tells what would become of it. To take it again changes nothing.
pub(super) fn take(core: &Core, options: &ImportOptions, line: &NotesLine) -> Result<Noted, Error> {
    let meeting = match options.mode {
        ImportMode::Append => Meeting::Join,
        ImportMode::Upsert | ImportMode::Replace => Meeting::Replace,
    };
    let (notes, NotesLine { namespace, parcel }) = (core.notes()?, line);
    let unpacked = match options.effect {
        Effect::Written => notes.unpack(namespace, parcel, meeting),
        Effect::Rehearsed => notes.would_unpack(namespace, parcel, meeting),
    };
    match unpacked {
        Ok(Unpacked::New | Unpacked::Changed) => Ok(Noted::Taken),
        Ok(Unpacked::Known) => Ok(Noted::Known),
        Err(error @ NotesError::Unreadable { .. }) => Ok(Noted::Refused(error.to_string())),
        Err(error) => Err(error.into()),
    }
}
