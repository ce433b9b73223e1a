//! Sessions: when each began and ended, and what sums it up.

use super::connection::{Connection, Optional, Row};
use peri_types::{Happening, MemoryId, Namespace, Scope, Timestamp};
use rusqlite::params;

use super::apply::Ledger;
use super::trouble::Trouble;
use super::{read, row};
use crate::{Session, StoreError, Written};

impl Ledger<'_> {
    /// Begins a session. One that is open already goes on as it is; one that has ended is opened again.
    pub(super) fn start_session(
        &mut self,
        path: &Namespace,
        name: &str,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let begun = match find(self.connection, namespace, path, name)? {
            Some(session) if session.ended_at.is_none() => {
                return Ok(Written::Session(Box::new(session)));
            }
            Some(session) => session.started_at,
            None => at,
        };
        self.connection
            .prepare_cached(
                "INSERT INTO sessions (namespace_id, name, started_at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (namespace_id, name) DO UPDATE SET ended_at = NULL",
            )?
            .execute(params![namespace, name, begun.as_millisecond()])?;
        self.count_change();
        self.tell(Some(path), at, &Happening::SessionStarted { session: name.to_owned() })?;
        self.session(namespace, path, name)
    }

    pub(super) fn end_session(
        &mut self,
        path: &Namespace,
        name: &str,
        summary: Option<MemoryId>,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let ended = self
            .connection
            .prepare_cached(
                "UPDATE sessions SET ended_at = ?3, summary = coalesce(?4, summary)
                 WHERE namespace_id = ?1 AND name = ?2",
            )?
            .execute(params![
                namespace,
                name,
                at.as_millisecond(),
                summary.as_ref().map(MemoryId::as_bytes)
            ])?;
        if ended == 0 {
            return Err(StoreError::NoSession { name: name.to_owned(), namespace: path.clone() }.into());
        }
        self.count_change();
        self.tell(Some(path), at, &Happening::SessionEnded { session: name.to_owned(), summary })?;
        self.session(namespace, path, name)
    }

    fn session(&self, namespace: i64, path: &Namespace, name: &str) -> Result<Written, Trouble> {
        let found = find(self.connection, namespace, path, name)?;
        let missing = || StoreError::NoSession { name: name.to_owned(), namespace: path.clone() };
        Ok(Written::Session(Box::new(found.ok_or_else(missing)?)))
    }

    pub(super) fn adopt_session(&mut self, session: &Session) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(&session.namespace)?;
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO sessions (namespace_id, name, started_at, ended_at, summary)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                namespace,
                session.name,
                session.started_at.as_millisecond(),
                session.ended_at.map(Timestamp::as_millisecond),
                session.summary.as_ref().map(MemoryId::as_bytes),
            ])?;
        self.count_change();
        Ok(Written::Done)
    }
}

const SESSION: &str = "SELECT name, started_at, ended_at, summary FROM sessions";

fn session(row: Row<'_>, namespace: &Namespace) -> Result<Session, Trouble> {
    Ok(Session {
        namespace: namespace.clone(),
        name: row.get(0)?,
        started_at: row::time(row.get(1)?)?,
        ended_at: row::optional_time(row.get(2)?)?,
        summary: row.get::<Option<[u8; 16]>>(3)?.map(row::id),
    })
}

fn find(
    connection: &Connection,
    namespace: i64,
    path: &Namespace,
    name: &str,
) -> Result<Option<Session>, Trouble> {
    let sql = format!("{SESSION} WHERE namespace_id = ?1 AND name = ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![namespace, name])?;
    rows.next()?.map(|row| session(row, path)).transpose()
}

/// One session of a namespace.
pub(super) fn one(connection: &Connection, path: &Namespace, name: &str) -> Result<Option<Session>, Trouble> {
    match read::namespace_number(connection, path)? {
        Some(namespace) => find(connection, namespace, path, name),
        None => Ok(None),
    }
}

/// The sessions of a scope, the latest first.
pub(super) fn list(connection: &Connection, scope: &Scope, limit: usize) -> Result<Vec<Session>, Trouble> {
    let mut found = Vec::new();
    for (number, path) in read::namespace_numbers(connection, scope)? {
        let sql = format!("{SESSION} WHERE namespace_id = ?1 ORDER BY started_at DESC, name LIMIT ?2");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![number, limit])?;
        while let Some(row) = rows.next()? {
            found.push(session(row, &path)?);
        }
    }
    found.sort_by(|a, b| b.started_at.cmp(&a.started_at).then(a.name.cmp(&b.name)));
    found.truncate(limit);
    Ok(found)
}

/// Sessions of a namespace after one of this name, by name.
pub(super) fn after(
    connection: &Connection,
    path: &Namespace,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<Session>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let sql = format!("{SESSION} WHERE namespace_id = ?1 AND name > ?2 ORDER BY name LIMIT ?3");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![namespace, after.unwrap_or_default(), limit])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(session(row, path)?);
    }
    Ok(found)
}

/// The number of a namespace's next row in a table that counts from one.
pub(super) fn next_number(connection: &Connection, table: &str, namespace: i64) -> Result<u64, Trouble> {
    let sql = format!("SELECT max(number) FROM {table} WHERE namespace_id = ?1");
    let last: Option<Option<u64>> =
        connection.prepare_cached(&sql)?.query_row([namespace], |row| row.get(0)).optional()?;
    Ok(last.flatten().unwrap_or(0) + 1)
}
