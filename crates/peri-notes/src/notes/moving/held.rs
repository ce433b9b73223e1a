//! What is kept of a session or of a digest, all of it.

use std::collections::BTreeMap;

use peri_types::Namespace;
use serde::{Deserialize, Serialize};

use super::of_sessions;
use crate::notes::{Notes, Place, Plan, digest};
use crate::shelf::{Change, Collection, Expected, Key, Mark, Shape, Text, Version};
use crate::{NotesError, Session};

/// Everything that is kept of a session or of a digest.
#[derive(Debug, Default)]
pub(in crate::notes) struct Held {
    pub(in crate::notes) documents: BTreeMap<Key, Text>,
    pub(in crate::notes) logs: BTreeMap<Key, Vec<String>>,
}

/// One document as it was, or so many first lines of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Piece {
    collection: String,
    name: Session,
    /// How many lines; none for a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<usize>,
    version: Version,
}

impl Held {
    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.logs.is_empty()
    }

    /// A document of a collection. Sessions and digests have one of each at most, but for the archive.
    pub(super) fn document(&self, collection: Collection) -> Option<&Text> {
        self.documents.iter().find(|(key, _)| key.collection() == collection).map(|(_, text)| text)
    }

    pub(super) fn pieces(&self) -> Vec<Piece> {
        let piece = |key: &Key, lines, version| Piece {
            collection: key.collection().as_str().to_owned(),
            name: key.session().clone(),
            lines,
            version,
        };
        let documents = self.documents.iter().map(|(key, text)| piece(key, None, text.version.clone()));
        let logs = self.logs.iter().map(|(key, lines)| {
            let mark = Mark::of(lines);
            piece(key, Some(mark.lines), mark.version)
        });
        documents.chain(logs).collect()
    }
}

impl Piece {
    fn key(&self) -> Option<Key> {
        let collection = Collection::ALL.iter().find(|own| own.as_str() == self.collection)?;
        Some(Key::new(*collection, &self.name))
    }
}

impl Notes {
    /// Everything that is kept of a session or of the digest.
    pub(in crate::notes) fn held(&self, namespace: &Namespace, place: Place<'_>) -> Result<Held, NotesError> {
        let keys: Vec<Key> = match place {
            Place::Session(session) => of_sessions().map(|own| Key::new(own, session)).collect(),
            Place::Digest => {
                let mut keys = digest::all_keys();
                keys.extend(self.shelf.list(namespace, Collection::Archive)?);
                keys
            }
        };
        let mut held = Held::default();
        for key in keys {
            match key.collection().shape() {
                Shape::Document => {
                    let text = self.shelf.read(namespace, &key)?;
                    held.documents.extend(text.map(|text| (key, text)));
                }
                Shape::Log => {
                    let lines = self.shelf.lines(namespace, &key)?;
                    held.logs.extend((!lines.is_empty()).then_some((key, lines)));
                }
            }
        }
        Ok(held)
    }

    /// Removes what was moved, and nothing that was changed or came since.
    pub(super) fn remove_moved(
        &self,
        namespace: &Namespace,
        place: Place<'_>,
        pieces: &[Piece],
    ) -> Result<(), NotesError> {
        self.commit(namespace, &place.name(), || {
            let mut plan = Plan::nothing(());
            for piece in pieces {
                let Some(key) = piece.key() else { continue };
                match piece.lines {
                    None => self.remove_document(namespace, key, piece, &mut plan)?,
                    Some(lines) => {
                        let mark = Mark { lines, version: piece.version.clone() };
                        self.remove_lines(namespace, key, &mark, &mut plan)?;
                    }
                }
            }
            Ok(plan)
        })
    }

    fn remove_document(
        &self,
        namespace: &Namespace,
        key: Key,
        piece: &Piece,
        plan: &mut Plan<()>,
    ) -> Result<(), NotesError> {
        let text = self.shelf.read(namespace, &key)?;
        if text.is_some_and(|text| text.version == piece.version) {
            plan.expected.push((key.clone(), Expected::Version(piece.version.clone())));
            plan.changes.push(Change::Remove { key });
        }
        Ok(())
    }

    fn remove_lines(
        &self,
        namespace: &Namespace,
        key: Key,
        mark: &Mark,
        plan: &mut Plan<()>,
    ) -> Result<(), NotesError> {
        let lines = self.shelf.lines(namespace, &key)?;
        if mark.lines == 0 || !mark.holds_for(&lines) {
            return Ok(());
        }
        plan.expected.push((key.clone(), Expected::Lines(Mark::of(&lines))));
        plan.changes.push(Change::Clear { key: key.clone() });
        let came = lines[mark.lines..].to_vec();
        if !came.is_empty() {
            plan.changes.push(Change::Append { key, lines: came });
        }
        Ok(())
    }
}
