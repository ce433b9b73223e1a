//! Answers that are kept for a while, so that a request that is sent again is not done again.

use super::connection::Connection;
use peri_types::Timestamp;
use rusqlite::params;

use super::apply::Ledger;
use super::row;
use super::trouble::Trouble;
use crate::{KeptAnswer, StoreError, Written};

/// How what memories say is named in answers.
const CONTENTS: [&[u8]; 3] = [b"\"content\"", b"\"text\"", b"\"value\""];

/// By the index of those that tell: an answer is kept for a day, and a busy store has many.
const DROP_TOLD: &str = "DELETE FROM answers WHERE tells = 1";

/// Whether an answer holds what memories say.
fn tells(body: &[u8]) -> bool {
    CONTENTS.iter().any(|name| body.windows(name.len()).any(|part| part == *name))
}

impl Ledger<'_> {
    /// Keeps an answer unless there is one; whichever stays is told. It takes the place of what the request came to.
    pub(super) fn keep_answer(&mut self, answer: KeptAnswer) -> Result<Written, Trouble> {
        self.connection
            .prepare_cached(
                "DELETE FROM answers WHERE caller = ?1 AND key = ?2 AND status = ?3 AND digest = ?4",
            )?
            .execute(params![answer.caller, answer.key, KeptAnswer::MADE, answer.digest])?;
        self.insert_answer(&answer)?;
        let kept = find(self.connection, &answer.caller, &answer.key)?;
        Ok(Written::Answer(Box::new(kept.unwrap_or(answer))))
    }

    fn insert_answer(&self, answer: &KeptAnswer) -> Result<bool, Trouble> {
        let inserted = self
            .connection
            .prepare_cached(
                "INSERT OR IGNORE INTO answers (caller, key, digest, status, body, at, tells) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                answer.caller,
                answer.key,
                answer.digest,
                answer.status,
                answer.body,
                answer.at.as_millisecond(),
                i64::from(tells(&answer.body)),
            ])?;
        Ok(inserted > 0)
    }

    /// Notes that a request is being made, with what it comes to. `false`: it has been made.
    pub(super) fn claim(&mut self, answer: &KeptAnswer, before: Timestamp) -> Result<bool, Trouble> {
        self.connection
            .prepare_cached("DELETE FROM answers WHERE caller = ?1 AND key = ?2 AND at < ?3")?
            .execute(params![answer.caller, answer.key, before.as_millisecond()])?;
        if self.insert_answer(answer)? {
            return Ok(true);
        }
        match find(self.connection, &answer.caller, &answer.key)? {
            Some(kept) if kept.digest != answer.digest => {
                Err(StoreError::RequestKeyTaken { key: answer.key.clone() }.into())
            }
            _ => Ok(false),
        }
    }

    /// Drops the answers that hold what memories say: what is purged must not live on in one. Receipts stay.
    pub(super) fn drop_told_contents(&self) -> Result<(), Trouble> {
        self.connection.prepare_cached(DROP_TOLD)?.execute(params![])?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SqliteSettings, SqliteStore};

    #[test]
    fn whatever_holds_a_content_tells_and_nothing_else() {
        for (body, found) in [
            (r#"{"content":"x"}"#, true),
            (r#"[{"id":1,"memory":{"content" : ""}}]"#, true),
            (r#"{"id":"content"}"#, true),
            (r#"{"contents":1,"a content":2}"#, false),
            (r#""content"#, false),
            ("", false),
        ] {
            assert_eq!(tells(body.as_bytes()), found, "{body}");
        }
    }

    #[test]
    fn receipts_are_not_looked_at_when_something_is_destroyed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("perihelion.db");
        drop(SqliteStore::open(&path, &SqliteSettings::default()).unwrap());
        let plan: String = rusqlite::Connection::open(&path)
            .unwrap()
            .query_row(&format!("EXPLAIN QUERY PLAN {DROP_TOLD}"), [], |row| row.get("detail"))
            .unwrap();
        assert!(plan.contains("answers_that_tell"), "{plan}");
    }
}
