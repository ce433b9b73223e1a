//! The flag that tells that an agent lost sight of its notes and is to be given them again.

use peri_types::Namespace;

use super::{Notes, Plan};
use crate::shelf::{Change, Collection, Expected, Key};
use crate::{NotesError, Session};

/// Whether a session's notes are to be given to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Flag {
    /// They are, and it is on the one who took the flag to do it.
    Raised,
    /// They are not, or somebody else does it.
    Lowered,
}

impl Notes {
    /// Asks for a session's notes to be given to the agent at its next request.
    pub fn raise_inject_flag(&self, namespace: &Namespace, session: &Session) -> Result<(), NotesError> {
        let key = Key::new(Collection::Inject, session);
        let text = format!("{}\n", self.clock.now());
        // Whatever it said before, it is raised now, so nothing is expected.
        self.commit(namespace, session.as_str(), || {
            let changes = vec![Change::Put { key: key.clone(), text: text.clone() }];
            Ok(Plan { changes, expected: Vec::new(), answer: () })
        })
    }

    /// Takes the flag down and tells whether it was up. Of several who ask at once, one is told that it was.
    pub fn take_inject_flag(&self, namespace: &Namespace, session: &Session) -> Result<Flag, NotesError> {
        let key = Key::new(Collection::Inject, session);
        self.commit(namespace, session.as_str(), || {
            let Some(flag) = self.shelf.read(namespace, &key)? else {
                return Ok(Plan::nothing(Flag::Lowered));
            };
            Ok(Plan {
                changes: vec![Change::Remove { key: key.clone() }],
                expected: vec![(key.clone(), Expected::Version(flag.version))],
                answer: Flag::Raised,
            })
        })
    }
}
