//! Notes, which lie in tables on one side of a move and may lie in files on the other.

use std::collections::BTreeMap;

use peri_notes::{Change, Collection, Key, Shape};
use peri_types::Namespace;
use rusqlite::params;
use serde::Serialize;

use super::RelocateError;
use crate::NotesCommit;
use crate::sql::apply::Ledger;
use crate::sql::connection::Connection;
use crate::sql::notes;
use crate::sql::trouble::Trouble;

/// All notes of a place: what each namespace holds, document by document and log by log.
pub type AllNotes = BTreeMap<Namespace, BTreeMap<Key, KeptNote>>;

/// A document or a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptNote {
    /// The text of a document.
    Document(String),
    /// The lines of a log.
    Log(Vec<String>),
}

/// What is done with notes before a target is released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedNotes {
    /// What its tables are to hold of them; none: what those of the source hold.
    pub tables: Option<AllNotes>,
    /// What was moved.
    pub moved: MovedNotes,
}

/// Notes that were moved and read back, the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MovedNotes {
    /// How many documents.
    pub documents: u64,
    /// How many lines of logs.
    pub lines: u64,
    /// The digest of all of them.
    pub digest: String,
}

impl MovedNotes {
    /// What is to be told of notes.
    pub fn of(all: &AllNotes) -> Self {
        let (mut documents, mut lines, mut digest) = (0, 0, blake3::Hasher::new());
        let mut add = |text: &str| {
            digest.update(&(text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        };
        for (namespace, held) in all {
            for (key, kept) in held {
                [namespace.as_str(), key.collection().as_str(), key.name()].into_iter().for_each(&mut add);
                match kept {
                    KeptNote::Document(text) => {
                        documents += 1;
                        add(text);
                    }
                    KeptNote::Log(log) => {
                        lines += log.len() as u64;
                        log.iter().for_each(|line| add(line));
                    }
                }
            }
        }
        Self { documents, lines, digest: digest.finalize().to_hex().to_string() }
    }
}

/// Is told what the tables of the source hold of notes once everything is in the target, and says what is to become of
/// them. It may be told again, if the move is broken off after it.
pub type CarryNotes<'a> = &'a mut dyn FnMut(AllNotes) -> Result<CarriedNotes, RelocateError>;

/// What the tables of a store hold.
pub(super) fn read(connection: &Connection) -> Result<AllNotes, Trouble> {
    let mut all = AllNotes::new();
    for namespace in notes::namespaces(connection)? {
        let mut held = BTreeMap::new();
        for collection in Collection::ALL {
            for key in notes::list(connection, &namespace, *collection)? {
                let kept = match collection.shape() {
                    Shape::Document => notes::document(connection, &namespace, &key)?.map(KeptNote::Document),
                    Shape::Log => Some(KeptNote::Log(notes::lines(connection, &namespace, &key)?)),
                };
                held.extend(kept.map(|kept| (key, kept)));
            }
        }
        all.insert(namespace, held);
    }
    Ok(all)
}

/// Makes the tables hold these and no others; whether they do when they are read back is the answer.
pub(super) fn write(connection: &Connection, all: &AllNotes) -> Result<bool, Trouble> {
    for table in ["note_documents", "note_lines"] {
        connection.execute(&format!("DELETE FROM {table}"), params![])?;
    }
    let mut ledger = Ledger::open(connection)?;
    for (namespace, held) in all {
        let changes = held.iter().map(|(key, kept)| match kept {
            KeptNote::Document(text) => Change::Put { key: key.clone(), text: text.clone() },
            KeptNote::Log(lines) => Change::Append { key: key.clone(), lines: lines.clone() },
        });
        let commit = NotesCommit::new(namespace.clone(), changes.collect(), Vec::new());
        ledger.commit_notes(&commit.map_err(|error| Trouble::Malformed(error.to_string()))?)?;
    }
    Ok(read(connection)? == *all)
}
