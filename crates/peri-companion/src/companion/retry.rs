//! Trying again what was given up.

use peri_notes::{NotesError, Place, Session};
use peri_types::Namespace;

use super::Companion;
use crate::event::Step;

impl Companion {
    /// Lets the steps of a session that failed be tried again at once, and takes back the messages that were put aside.
    /// Answers how many these were.
    pub fn retry(&self, namespace: &Namespace, session: &Session) -> Result<usize, NotesError> {
        for step in [Step::Observe, Step::Reflect] {
            self.notes.clear_trouble(namespace, Place::Session(session), step.name())?;
        }
        self.notes.take_back(namespace, session)
    }

    /// Lets the steps of the digest that failed be tried again at once.
    pub fn retry_digest(&self, namespace: &Namespace) -> Result<(), NotesError> {
        for step in [Step::Promote, Step::Compact] {
            self.notes.clear_trouble(namespace, Place::Digest, step.name())?;
        }
        Ok(())
    }
}
