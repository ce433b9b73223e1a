//! Moving everything that is kept in one namespace to another, and forgetting all of it.
//!
//! A shelf changes one namespace at a time, so each session is moved in two steps: it is put into the namespace it goes
//! to, together with a mark that says what was put there and from where; then what the mark names is removed from where
//! it was. Whoever is broken off in between finds the mark and goes on, so that nothing is lost and nothing is there
//! twice. The marks go at the very end, because the digest has to know what notes of the sessions are called now.

mod held;
mod join;

use std::collections::{BTreeMap, BTreeSet};

use peri_types::Namespace;
use serde::{Deserialize, Serialize};

pub(super) use self::held::Held;
use self::held::Piece;
use super::{ATTEMPTS_MAX, Notes, Place, Plan};
use crate::item::{ItemId, Owner};
use crate::record::{from_json, to_json};
use crate::shelf::{Change, Collection, Commit, Expected, Key, Shape, Text};
use crate::{NotesError, Session};

/// What the notes of a session are called since it was moved, where that is another name.
type Renamed = BTreeMap<ItemId, ItemId>;

/// What was moved of a session, or of the digest, and is not done with yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Moved {
    /// Where it was.
    from: Namespace,
    /// What is here now and may still be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left: Vec<Piece>,
    /// What its notes are called here.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    ids: Renamed,
}

impl Notes {
    /// Moves everything that is kept in a namespace to another one. What is there already stays: sessions of the same
    /// name and the digests are joined. Whoever is broken off, or fails, does it again, and it goes on where it was.
    pub fn rename_namespace(&self, from: &Namespace, to: &Namespace) -> Result<(), NotesError> {
        if from == to {
            return Ok(());
        }
        for begun in self.unfinished(from)? {
            self.finish_move(&begun, from)?;
        }
        for begun in self.unfinished(to)?.iter().filter(|begun| *begun != from) {
            self.finish_move(begun, to)?;
        }
        self.finish_move(from, to)
    }

    /// Removes everything that is kept in a namespace: all sessions, the digest, and its archive. Whoever is broken off
    /// does it again.
    pub fn forget_namespace(&self, namespace: &Namespace) -> Result<(), NotesError> {
        for session in self.kept_sessions(namespace)? {
            self.forget(namespace, &session)?;
        }
        let mut changes = Vec::new();
        for collection in Collection::ALL {
            for key in self.shelf.list(namespace, *collection)? {
                changes.push(match collection.shape() {
                    Shape::Document => Change::Remove { key },
                    Shape::Log => Change::Clear { key },
                });
            }
        }
        self.commit(namespace, "the digest", || {
            Ok(Plan { changes: changes.clone(), expected: Vec::new(), answer: () })
        })
    }

    /// The namespaces from which something was moved here by somebody who was broken off.
    fn unfinished(&self, namespace: &Namespace) -> Result<BTreeSet<Namespace>, NotesError> {
        Ok(self.marks(namespace)?.into_iter().map(|(_, moved)| moved.from).collect())
    }

    fn marks(&self, namespace: &Namespace) -> Result<Vec<(Key, Moved)>, NotesError> {
        let mut marks = Vec::new();
        for collection in [Collection::Moving, Collection::PersistentMoving] {
            for (key, text) in self.shelf.documents(namespace, collection)? {
                marks.extend(read_mark(&key, Some(&text))?.map(|moved| (key, moved)));
            }
        }
        Ok(marks)
    }

    /// The sessions of which anything is kept.
    pub(super) fn kept_sessions(&self, namespace: &Namespace) -> Result<BTreeSet<Session>, NotesError> {
        let mut found = BTreeSet::new();
        for collection in of_sessions() {
            found.extend(self.shelf.list(namespace, collection)?.iter().map(|key| key.session().clone()));
        }
        Ok(found)
    }

    fn finish_move(&self, from: &Namespace, to: &Namespace) -> Result<(), NotesError> {
        let ours = |(key, moved): (Key, Moved)| (moved.from == *from).then_some((key, moved.ids));
        let mut sessions = self.kept_sessions(from)?;
        let marked = self.marks(to)?.into_iter().filter_map(ours);
        let of_session = |key: &Key| key.collection() == Collection::Moving;
        sessions.extend(marked.filter(|(key, _)| of_session(key)).map(|(key, _)| key.session().clone()));
        for session in &sessions {
            self.move_part((from, to), Place::Session(session), &BTreeMap::new())?;
        }
        let marks: Vec<(Key, Renamed)> = self.marks(to)?.into_iter().filter_map(ours).collect();
        let renamed = marks.iter().filter(|(key, _)| of_session(key));
        let renamed = renamed.map(|(key, ids)| (key.session().clone(), ids.clone())).collect();
        self.move_part((from, to), Place::Digest, &renamed)?;
        self.commit(to, "the namespace", || {
            let marks = self.marks(to)?.into_iter().filter_map(ours);
            let changes = marks.map(|(key, _)| Change::Remove { key }).collect();
            Ok(Plan { changes, expected: Vec::new(), answer: () })
        })
    }

    /// Moves a session or the digest, as often as somebody adds to it meanwhile.
    fn move_part(
        &self,
        (from, to): (&Namespace, &Namespace),
        place: Place<'_>,
        renamed: &BTreeMap<Session, Renamed>,
    ) -> Result<(), NotesError> {
        let key = place.key_in(Collection::Moving, Collection::PersistentMoving);
        for _ in 0..ATTEMPTS_MAX {
            let text = self.shelf.read(to, &key)?;
            let mark = read_mark(&key, text.as_ref())?;
            if mark.as_ref().is_some_and(|moved| moved.from != *from) {
                return Err(NotesError::Contended { name: place.name(), attempts: 1 });
            }
            let held = match mark.as_ref() {
                Some(moved) if !moved.left.is_empty() => {
                    self.remove_moved(from, place, &moved.left)?;
                    None
                }
                _ => Some(self.held(from, place)?).filter(|held| !held.is_empty()),
            };
            let is_done = mark.as_ref().is_none_or(|moved| moved.left.is_empty()) && held.is_none();
            if is_done {
                return Ok(());
            }
            let mut plan = Plan::nothing(Renamed::new());
            let mut left = Vec::new();
            if let Some(held) = held {
                plan = self.joining(to, place, &held, renamed)?;
                left = held.pieces();
            }
            let mut ids = mark.map(|moved| moved.ids).unwrap_or_default();
            ids.extend(std::mem::take(&mut plan.answer));
            let moved = Moved { from: from.clone(), left, ids };
            plan.expected.push((key.clone(), Expected::unchanged(text.as_ref())));
            plan.changes.push(Change::Put { key: key.clone(), text: to_json(&moved) });
            match self.shelf.commit(to, &plan.changes, &plan.expected)? {
                Commit::Done | Commit::Stale => {}
            }
        }
        Err(NotesError::Contended { name: place.name(), attempts: ATTEMPTS_MAX })
    }
}

/// The collections that hold something of sessions.
fn of_sessions() -> impl Iterator<Item = Collection> {
    let is_moved = |collection: &Collection| *collection != Collection::Moving;
    Collection::ALL.iter().copied().filter(|own| own.owner() == Owner::Session).filter(is_moved)
}

fn read_mark(key: &Key, text: Option<&Text>) -> Result<Option<Moved>, NotesError> {
    from_json("mark of what was moved", key.name(), text)
}
