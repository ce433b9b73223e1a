//! What the memories were told of notes, so that they are told what is new and what changed.

use std::collections::BTreeMap;

use peri_types::{MemoryId, Namespace};
use serde::{Deserialize, Serialize};

use super::{Notes, Place, Plan};
use crate::NotesError;
use crate::Session;
use crate::item::{Item, ItemId};
use crate::record::{from_json, to_json};
use crate::sheet::Sheet;
use crate::shelf::{Change, Expected, Key, Text, Version};

/// A note of which the memories were told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Which note.
    pub item: ItemId,
    /// What was told of it, as [`Untold::version`] says.
    pub version: Version,
    /// The memory that was made of it.
    pub memory: MemoryId,
}

/// A note of which the memories were not told yet, or that says something else since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untold {
    /// The note as it is.
    pub item: Item,
    /// Tells its words, priority and progress from any others.
    pub version: Version,
    /// What was told of it before.
    pub before: Option<Told>,
}

/// What was told of one note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Telling {
    pub(super) version: Version,
    pub(super) memory: MemoryId,
}

/// The document about what was told of the notes of a sheet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Tellings {
    pub(super) items: BTreeMap<ItemId, Telling>,
}

impl Notes {
    /// The notes of a session of which the memories were not told, or whose words, priority or progress changed since.
    pub fn untold(&self, namespace: &Namespace, session: &Session) -> Result<Vec<Untold>, NotesError> {
        // What was told is read first: a note that is told meanwhile is told again, and none is passed over.
        let (_, told) = self.read_told(namespace, Place::Session(session))?;
        let record = self.record(namespace, session)?;
        Ok(record.map(|record| untold(&record.sheet, &told)).unwrap_or_default())
    }

    /// The notes of the digest of which the memories were not told, or that changed since.
    pub fn untold_digest(&self, namespace: &Namespace) -> Result<Vec<Untold>, NotesError> {
        let (_, told) = self.read_told(namespace, Place::Digest)?;
        Ok(untold(&self.digest(namespace)?.sheet, &told))
    }

    /// Keeps what the memories were told of notes of a session.
    pub fn tell(&self, namespace: &Namespace, session: &Session, told: &[Told]) -> Result<(), NotesError> {
        self.keep_told(namespace, Place::Session(session), told)
    }

    /// Keeps what the memories were told of notes of the digest.
    pub fn tell_digest(&self, namespace: &Namespace, told: &[Told]) -> Result<(), NotesError> {
        self.keep_told(namespace, Place::Digest, told)
    }

    /// What the memories were told of notes of a session, also of those that are gone.
    pub fn told(&self, namespace: &Namespace, session: &Session) -> Result<Vec<Told>, NotesError> {
        Ok(self.read_told(namespace, Place::Session(session))?.1.list())
    }

    /// What the memories were told of notes of the digest, also of those that are gone.
    pub fn told_digest(&self, namespace: &Namespace) -> Result<Vec<Told>, NotesError> {
        Ok(self.read_told(namespace, Place::Digest)?.1.list())
    }

    fn keep_told(&self, namespace: &Namespace, place: Place<'_>, told: &[Told]) -> Result<(), NotesError> {
        self.commit(namespace, &place.name(), || {
            let (text, before) = self.read_told(namespace, place)?;
            let mut after = before.clone();
            after.items.extend(
                told.iter()
                    .cloned()
                    .map(|Told { item, version, memory }| (item, Telling { version, memory })),
            );
            if after == before {
                return Ok(Plan::nothing(()));
            }
            Ok(Plan {
                changes: vec![Change::Put { key: key(place), text: to_json(&after) }],
                expected: vec![(key(place), Expected::unchanged(text.as_ref()))],
                answer: (),
            })
        })
    }

    fn read_told(
        &self,
        namespace: &Namespace,
        place: Place<'_>,
    ) -> Result<(Option<Text>, Tellings), NotesError> {
        let text = self.shelf.read(namespace, &key(place))?;
        let told = from_json("list of what the memories were told", &place.name(), text.as_ref())?;
        Ok((text, told.unwrap_or_default()))
    }
}

impl Tellings {
    fn of(&self, id: ItemId) -> Option<Told> {
        let Telling { version, memory } = self.items.get(&id)?.clone();
        Some(Told { item: id, version, memory })
    }

    fn list(&self) -> Vec<Told> {
        self.items.keys().filter_map(|id| self.of(*id)).collect()
    }
}

fn key(place: Place<'_>) -> Key {
    use crate::shelf::Collection::{PersistentTold, Told};
    place.key_in(Told, PersistentTold)
}

fn untold(sheet: &Sheet, told: &Tellings) -> Vec<Untold> {
    let one =
        |item: &Item| Untold { item: item.clone(), version: version_of(item), before: told.of(item.id) };
    let is_news = |one: &Untold| one.before.as_ref().is_none_or(|told| told.version != one.version);
    sheet.items().map(one).filter(is_news).collect()
}

/// Tells what memories are told of a note from anything else that could be.
fn version_of(item: &Item) -> Version {
    let said = (item.priority, item.progress, &item.text);
    Version::of(&serde_json::to_string(&said).expect("plain values become JSON"))
}
