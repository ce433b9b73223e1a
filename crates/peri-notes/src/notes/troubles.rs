//! What went wrong with notes, and when it is tried again.

use std::collections::BTreeMap;

use peri_types::{Namespace, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Notes, Plan, digest};
use crate::record::{from_json, to_json};
use crate::shelf::{Change, Collection, Expected, Key, Text};
use crate::{NotesError, Session};

/// With what something went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// With the notes of a session.
    Session(&'a Session),
    /// With the digest of the namespace.
    Digest,
}

/// What went wrong with a step, how often, and when it is tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// How often it was tried.
    pub attempts: u32,
    /// How often of these it was not the circumstances that were to blame.
    #[serde(default)]
    pub unusable: u32,
    /// When it went wrong first.
    pub since: Timestamp,
    /// When it is tried again; none if it was given up until a person wants it tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// What went wrong at last.
    pub error: String,
}

type Troubles = BTreeMap<String, Trouble>;

impl Place<'_> {
    fn key(self) -> Key {
        self.key_in(Collection::Trouble, Collection::PersistentTrouble)
    }

    /// The key in the one collection for a session and in the other for the digest.
    pub(super) fn key_in(self, of_sessions: Collection, of_digest: Collection) -> Key {
        match self {
            Self::Session(session) => Key::new(of_sessions, session),
            Self::Digest => Key::named(of_digest, digest::NAME).expect("the name of the digest is a name"),
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Session(session) => session.to_string(),
            Self::Digest => "the digest".to_owned(),
        }
    }
}

impl Notes {
    /// The steps that went wrong, by name.
    pub fn troubles(
        &self,
        namespace: &Namespace,
        place: Place<'_>,
    ) -> Result<BTreeMap<String, Trouble>, NotesError> {
        Ok(self.read_troubles(namespace, place)?.1)
    }

    /// The sessions for which something went wrong, sorted.
    pub fn troubled_sessions(&self, namespace: &Namespace) -> Result<Vec<Session>, NotesError> {
        let keys = self.shelf.list(namespace, Collection::Trouble)?;
        Ok(keys.iter().map(|key| key.session().clone()).collect())
    }

    /// Keeps that a step went wrong; what to keep is made from what was kept of it before.
    pub fn note_trouble(
        &self,
        namespace: &Namespace,
        place: Place<'_>,
        step: &str,
        mut change: impl FnMut(Option<Trouble>, Timestamp) -> Trouble,
    ) -> Result<Trouble, NotesError> {
        self.commit(namespace, &place.name(), || {
            let (text, mut troubles) = self.read_troubles(namespace, place)?;
            let trouble = change(troubles.remove(step), self.clock.now());
            troubles.insert(step.to_owned(), trouble.clone());
            Ok(Plan {
                changes: vec![Change::Put { key: place.key(), text: to_json(&troubles) }],
                expected: vec![(place.key(), Expected::unchanged(text.as_ref()))],
                answer: trouble,
            })
        })
    }

    /// Forgets that a step went wrong, so that it is tried again at once.
    pub fn clear_trouble(
        &self,
        namespace: &Namespace,
        place: Place<'_>,
        step: &str,
    ) -> Result<(), NotesError> {
        self.commit(namespace, &place.name(), || {
            let (change, expected) = self.soothing(namespace, place, step)?;
            Ok(Plan { changes: change.into_iter().collect(), expected: vec![expected], answer: () })
        })
    }

    /// What makes a step's trouble forgotten, and what is expected; nothing is to be done if there was none.
    pub(super) fn soothing(
        &self,
        namespace: &Namespace,
        place: Place<'_>,
        step: &str,
    ) -> Result<(Option<Change>, (Key, Expected)), NotesError> {
        let (text, mut troubles) = self.read_troubles(namespace, place)?;
        let change = match (troubles.remove(step), troubles.is_empty()) {
            (None, _) => None,
            (Some(_), true) => Some(Change::Remove { key: place.key() }),
            (Some(_), false) => Some(Change::Put { key: place.key(), text: to_json(&troubles) }),
        };
        Ok((change, (place.key(), Expected::unchanged(text.as_ref()))))
    }

    fn read_troubles(
        &self,
        namespace: &Namespace,
        place: Place<'_>,
    ) -> Result<(Option<Text>, Troubles), NotesError> {
        let text = self.shelf.read(namespace, &place.key())?;
        let troubles = from_json("list of troubles", &place.name(), text.as_ref())?;
        Ok((text, troubles.unwrap_or_default()))
    }
}
