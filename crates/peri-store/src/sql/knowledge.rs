//! The revision of a namespace's knowledge graph: who changes the graph says which one they have read.

use super::connection::{Connection, Optional};
use peri_types::Namespace;
use rusqlite::params;

use super::apply::Ledger;
use super::trouble::Trouble;
use crate::{StoreError, Written};

impl Ledger<'_> {
    /// Moves the revision on, unless somebody else did since it was read.
    pub(super) fn advance_knowledge(&mut self, path: &Namespace, read: u64) -> Result<Written, Trouble> {
        if revision(self.connection, path)? != read {
            return Err(StoreError::Overtaken { namespace: path.clone() }.into());
        }
        self.connection
            .prepare_cached(
                "INSERT INTO counters (name, value) VALUES (?1, ?2)
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            )?
            .execute(params![counter(path), read + 1])?;
        Ok(Written::Done)
    }
}

pub(super) fn revision(connection: &Connection, path: &Namespace) -> Result<u64, Trouble> {
    let mut statement = connection.prepare_cached("SELECT value FROM counters WHERE name = ?1")?;
    Ok(statement.query_row([counter(path)], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// The counter's name. No other has a colon in it.
fn counter(path: &Namespace) -> String {
    format!("knowledge:{path}")
}
