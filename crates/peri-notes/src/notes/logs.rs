//! Messages that wait to be observed, and conversations.

use peri_types::Namespace;
use serde::{Serialize, de::DeserializeOwned};

use super::{Notes, Plan};
use crate::shelf::{Change, Collection, Expected, Key, Mark};
use crate::{Message, NotesError, Session};

/// What a log holds at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch<T> {
    /// What it holds, the oldest first.
    pub entries: Vec<T>,
    /// So many lines could not be read. They stay in the log.
    pub unreadable: usize,
    /// How far it was read, to clear exactly that.
    pub mark: Mark,
}

/// What clears a log up to a mark, and what is expected of the log.
pub(super) type Clearing = (Vec<Change>, (Key, Expected));

/// What became of the clearing of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Cleared {
    /// What was read is gone from the log; what came meanwhile is there.
    Done,
    /// What was read was gone already: somebody else has dealt with it. Nothing was done.
    Already,
}

impl Notes {
    /// Adds messages to those that wait to be observed.
    pub fn append_pending(
        &self,
        namespace: &Namespace,
        session: &Session,
        messages: &[Message],
    ) -> Result<(), NotesError> {
        self.append(namespace, Key::new(Collection::Pending, session), messages)
    }

    /// The messages that wait to be observed.
    pub fn pending(&self, namespace: &Namespace, session: &Session) -> Result<Batch<Message>, NotesError> {
        self.batch(namespace, &Key::new(Collection::Pending, session))
    }

    /// Removes the messages that were observed, and none that came meanwhile.
    pub fn clear_pending(
        &self,
        namespace: &Namespace,
        session: &Session,
        mark: &Mark,
    ) -> Result<Cleared, NotesError> {
        let key = Key::new(Collection::Pending, session);
        self.commit(namespace, session.as_str(), || {
            let Some((changes, expected)) = self.clearing::<Message>(namespace, &key, mark)? else {
                return Ok(Plan::nothing(Cleared::Already));
            };
            Ok(Plan { changes, expected: vec![expected], answer: Cleared::Done })
        })
    }

    /// Adds to what was said in a session.
    pub fn append_conversation(
        &self,
        namespace: &Namespace,
        session: &Session,
        messages: &[Message],
    ) -> Result<(), NotesError> {
        self.append(namespace, Key::new(Collection::Conversations, session), messages)
    }

    /// What was said in a session.
    pub fn conversation(
        &self,
        namespace: &Namespace,
        session: &Session,
    ) -> Result<Batch<Message>, NotesError> {
        self.batch(namespace, &Key::new(Collection::Conversations, session))
    }

    pub(super) fn append<T: Serialize>(
        &self,
        namespace: &Namespace,
        key: Key,
        entries: &[T],
    ) -> Result<(), NotesError> {
        if entries.is_empty() {
            return Ok(());
        }
        let name = key.name().to_owned();
        let changes = vec![Change::Append { key, lines: written(entries) }];
        self.commit(namespace, &name, || {
            Ok(Plan { changes: changes.clone(), expected: Vec::new(), answer: () })
        })
    }

    pub(super) fn batch<T: DeserializeOwned>(
        &self,
        namespace: &Namespace,
        key: &Key,
    ) -> Result<Batch<T>, NotesError> {
        let lines = self.shelf.lines(namespace, key)?;
        let entries: Vec<T> = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let unreadable = lines.len() - entries.len();
        if unreadable > 0 {
            tracing::warn!(%key, unreadable, "lines of a log cannot be read and are left where they are");
        }
        Ok(Batch { mark: Mark::of(&lines), entries, unreadable })
    }

    /// The first entries of a log for as long as they are wanted, to clear no more than these.
    pub(super) fn first<T: DeserializeOwned>(
        &self,
        namespace: &Namespace,
        key: &Key,
        wanted: &mut impl FnMut(&T) -> bool,
    ) -> Result<Batch<T>, NotesError> {
        let mut lines = self.shelf.lines(namespace, key)?;
        let (mut entries, mut unreadable) = (Vec::new(), 0);
        for place in 0..lines.len() {
            match serde_json::from_str(&lines[place]) {
                Ok(entry) if wanted(&entry) => entries.push(entry),
                Ok(_) => {
                    lines.truncate(place);
                    break;
                }
                Err(_) => unreadable += 1,
            }
        }
        Ok(Batch { mark: Mark::of(&lines), entries, unreadable })
    }

    /// What clears a log up to a mark, and what is expected of it; none if what was marked is no longer there.
    pub(super) fn clearing<T: DeserializeOwned>(
        &self,
        namespace: &Namespace,
        key: &Key,
        mark: &Mark,
    ) -> Result<Option<Clearing>, NotesError> {
        let lines = self.shelf.lines(namespace, key)?;
        if !mark.holds_for(&lines) {
            return Ok(None);
        }
        let expected = (key.clone(), Expected::Lines(Mark::of(&lines)));
        let (marked, came) = lines.split_at(mark.lines);
        let unreadable = marked.iter().filter(|line| serde_json::from_str::<T>(line).is_err());
        let left: Vec<String> = unreadable.chain(came).cloned().collect();
        let mut changes = vec![Change::Clear { key: key.clone() }];
        if !left.is_empty() {
            changes.push(Change::Append { key: key.clone(), lines: left });
        }
        Ok(Some((changes, expected)))
    }
}

/// Each entry on a line of its own.
pub(super) fn written<T: Serialize>(entries: &[T]) -> Vec<String> {
    let line = |entry: &T| serde_json::to_string(entry).expect("plain values become JSON");
    entries.iter().map(line).collect()
}
