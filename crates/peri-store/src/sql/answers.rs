//! Answers that are kept for a while, so that a request that is sent again is not done again.

use super::connection::{Connection, Dialect};
use peri_types::Timestamp;
use rusqlite::params;

use super::apply::Ledger;
use super::row;
use super::trouble::Trouble;
use crate::{KeptAnswer, Written};

impl Ledger<'_> {
    /// Keeps an answer unless there is one; whichever stays is told.
    pub(super) fn keep_answer(&mut self, answer: KeptAnswer) -> Result<Written, Trouble> {
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO answers (caller, key, digest, status, body, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                answer.caller,
                answer.key,
                answer.digest,
                answer.status,
                answer.body,
                answer.at.as_millisecond(),
            ])?;
        let kept = find(self.connection, &answer.caller, &answer.key)?;
        Ok(Written::Answer(Box::new(kept.unwrap_or(answer))))
    }

    /// Drops the answers that hold what memories say: what is purged must not live on in one. Receipts stay.
    pub(super) fn drop_told_contents(&self) -> Result<(), Trouble> {
        let found = match self.connection.dialect() {
            Dialect::Sqlite => "instr(body, ?1)",
            Dialect::Postgres => "position(?1 IN body)",
            Dialect::Mysql => "locate(?1, body)",
        };
        self.connection
            .prepare_cached(&format!("DELETE FROM answers WHERE {found} > 0"))?
            .execute(params![b"\"content\"".as_slice()])?;
        Ok(())
    }

    pub(super) fn drop_answers(&mut self, before: Timestamp) -> Result<Written, Trouble> {
        self.connection
            .prepare_cached("DELETE FROM answers WHERE at < ?1")?
            .execute([before.as_millisecond()])?;
        Ok(Written::Done)
    }
}

/// What a caller was answered.
pub(super) fn find(connection: &Connection, caller: &str, key: &str) -> Result<Option<KeptAnswer>, Trouble> {
    let mut statement = connection
        .prepare_cached("SELECT digest, status, body, at FROM answers WHERE caller = ?1 AND key = ?2")?;
    let mut rows = statement.query([caller, key])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(KeptAnswer {
        caller: caller.to_owned(),
        key: key.to_owned(),
        digest: row.get(0)?,
        status: row.get(1)?,
        body: row.get(2)?,
        at: row::time(row.get(3)?)?,
    }))
}

/// When the oldest answer was given.
pub(super) fn oldest(connection: &Connection) -> Result<Option<Timestamp>, Trouble> {
    let at =
        connection.prepare_cached("SELECT min(at) FROM answers")?.query_row(params![], |row| row.get(0))?;
    row::optional_time(at)
}
