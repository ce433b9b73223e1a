//! How far imports are that were interrupted.

use super::connection::{Connection, Optional};
use peri_types::Timestamp;
use rusqlite::params;

use super::apply::{Ledger, written};
use super::row;
use super::trouble::Trouble;
use crate::{ImportPart, ImportState, Written};

impl Ledger<'_> {
    /// Makes the writes of a part, and notes how far the import is with what became of them.
    pub(super) fn import(&mut self, part: ImportPart) -> Result<Written, Trouble> {
        let ImportPart { writes, note } = part;
        let made = writes.into_iter().map(|write| self.apply(write)).collect::<Result<Vec<_>, _>>()?;
        if let Some(mut note) = note {
            made.iter().for_each(|one| note.state.count(one));
            self.connection
                .prepare_cached(
                    "INSERT INTO imports (name, state, at) VALUES (?1, ?2, ?3)
                     ON CONFLICT (name) DO UPDATE SET state = excluded.state, at = excluded.at",
                )?
                .execute(params![note.name, written(&note.state)?, note.at.as_millisecond()])?;
        }
        Ok(Written::Imported(made))
    }

    pub(super) fn drop_import(&mut self, name: &str) -> Result<Written, Trouble> {
        self.connection.prepare_cached("DELETE FROM imports WHERE name = ?1")?.execute([name])?;
        Ok(Written::Done)
    }

    pub(super) fn drop_imports(&mut self, before: Timestamp) -> Result<Written, Trouble> {
        self.connection
            .prepare_cached("DELETE FROM imports WHERE at < ?1")?
            .execute([before.as_millisecond()])?;
        Ok(Written::Done)
    }
}

/// How far an import has come, if it was begun and not finished.
pub(super) fn state(connection: &Connection, name: &str) -> Result<Option<ImportState>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT state FROM imports WHERE name = ?1")?;
    let found: Option<String> = statement.query_row([name], |row| row.get(0)).optional()?;
    found.map(|text| serde_json::from_str(&text).map_err(row::malformed)).transpose()
}
