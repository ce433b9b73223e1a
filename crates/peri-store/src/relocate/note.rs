//! How far a move is, kept in the target together with what was moved. While the note is there, nobody else uses it.

use std::collections::BTreeMap;

use rusqlite::params;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

use super::encode::KeyPart;
use super::tables::TABLES;
use crate::StoreError;
use crate::sql::connection::{Connection, Optional};
use crate::sql::trouble::Trouble;

/// The table that holds the note, among those on imports.
pub(super) const TABLE: &str = "imports";
/// What the note is called there. No import is called so: their names say more.
const NAME: &str = "move";

/// What was begun and how far it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) source: Stamp,
    pub(super) stage: Stage,
}

/// What a move is at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    /// What an earlier attempt has left is being removed.
    Clearing,
    /// Up to this key of a table all is there; of the tables before it, everything.
    Copying { table: String, after: Vec<KeyPart>, rows: u64 },
    /// Everything is there and is to be compared.
    Verifying,
}

/// What tells one state of the source from every other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) identity: String,
    pub(super) change: u64,
    /// The highest number that an event ever had.
    pub(super) event: u64,
    /// How many rows each table has.
    pub(super) rows: BTreeMap<String, u64>,
}

impl Stamp {
    pub(super) fn read(connection: &Connection) -> Result<Self, Trouble> {
        let mut rows = BTreeMap::new();
        for table in TABLES {
            let sql = format!("SELECT count(*) FROM {}", table.name);
            let count = connection.prepare(&sql)?.query_row(params![], |row| row.get(0))?;
            rows.insert(table.name.to_owned(), count);
        }
        Ok(Self {
            identity: identity(connection)?,
            change: change(connection)?,
            event: super::numbers::last_event(connection)?,
            rows,
        })
    }

    /// How many rows a table has.
    pub(super) fn rows_of(&self, table: &str) -> u64 {
        self.rows.get(table).copied().unwrap_or(0)
    }
}

pub(super) fn identity(connection: &Connection) -> Result<String, Trouble> {
    connection.prepare("SELECT id FROM identity")?.query_row(params![], |row| row.get(0))
}

/// The last change of a store.
pub(super) fn change(connection: &Connection) -> Result<u64, Trouble> {
    connection
        .prepare("SELECT value FROM counters WHERE name = 'change'")?
        .query_row(params![], |row| row.get(0))
}

/// The note as it is written, if there is one.
pub(super) fn read(connection: &Connection) -> Result<Option<String>, Trouble> {
    connection
        .prepare("SELECT state FROM imports WHERE name = ?1")?
        .query_row([NAME], |row| row.get(0))
        .optional()
}

/// Writes the note down; gives it as it is written.
pub(super) fn write(connection: &Connection, note: &Note) -> Result<String, Trouble> {
    let state = serde_json::to_string(note).map_err(|error| Trouble::Malformed(error.to_string()))?;
    connection
        .prepare_cached(
            "INSERT INTO imports (name, state, at) VALUES (?1, ?2, 0)
             ON CONFLICT (name) DO UPDATE SET state = excluded.state",
        )?
        .execute([NAME, state.as_str()])?;
    Ok(state)
}

/// Removes the note: from now on the store is one like any other.
pub(super) fn remove(connection: &Connection) -> Result<(), Trouble> {
    connection.execute("DELETE FROM imports WHERE name = ?1", [NAME])?;
    Ok(())
}

/// Removes what else is in the note's table.
pub(super) fn remove_others(connection: &Connection) -> Result<(), Trouble> {
    connection.execute("DELETE FROM imports WHERE name <> ?1", [NAME])?;
    Ok(())
}

/// Whether a row of the table is the note.
pub(super) fn is_own(row: &[Value]) -> bool {
    matches!(row.first(), Some(Value::Text(name)) if name == NAME)
}

/// Refuses a store into which a move is not finished.
pub(crate) fn refuse_half_moved(connection: &Connection, place: &str) -> Result<(), Trouble> {
    match read(connection)? {
        Some(_) => Err(StoreError::HalfMoved { place: place.to_owned() }.into()),
        None => Ok(()),
    }
}
