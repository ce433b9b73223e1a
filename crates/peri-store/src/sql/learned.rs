//! What use has taught: feedback, and the weights that were drawn from it.

use super::connection::{Connection, Optional};
use peri_types::{Happening, Namespace, Scope, Timestamp};
use rusqlite::params;

use super::apply::{Ledger, written};
use super::sessions::next_number;
use super::trouble::Trouble;
use super::{read, row};
use crate::learning::{LearnedMark, LearnedSet, LearningStats};
use crate::{FeedbackRecord, WeightSet, Written};

/// So much feedback of a namespace is kept; the oldest leaves first.
const FEEDBACK_KEPT: u64 = 2000;

/// So many sets of one name are kept, to go back to; the oldest leave first.
const SETS_KEPT: u64 = 20;

impl Ledger<'_> {
    pub(super) fn judge(&mut self, feedback: &FeedbackRecord) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(&feedback.namespace)?;
        let number = next_number(self.connection, "feedback", namespace)?;
        let at = feedback.at.as_millisecond();
        self.connection
            .prepare_cached(
                "INSERT INTO feedback (namespace_id, number, at, query, results) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![namespace, number, at, feedback.query, written(&feedback.results)?])?;
        self.connection
            .prepare_cached("DELETE FROM feedback WHERE namespace_id = ?1 AND number <= ?2")?
            .execute(params![namespace, number.saturating_sub(FEEDBACK_KEPT)])?;
        self.count_change();
        let (used, unused): (Vec<_>, Vec<_>) = feedback.results.iter().partition(|result| result.used);
        let ids = |results: Vec<&crate::JudgedResult>| results.into_iter().map(|result| result.id).collect();
        let given = Happening::FeedbackGiven { used: ids(used), unused: ids(unused) };
        self.tell(Some(&feedback.namespace), feedback.at, &given)?;
        Ok(Written::Done)
    }

    pub(super) fn weigh(
        &mut self,
        path: &Namespace,
        value: &serde_json::Value,
        reason: &str,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let number = next_number(self.connection, "weights", namespace)?;
        self.connection
            .prepare_cached(
                "INSERT INTO weights (namespace_id, number, at, value, reason) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![namespace, number, at.as_millisecond(), written(value)?, reason])?;
        self.count_change();
        self.tell(Some(path), at, &Happening::WeightsChanged { set: number, reason: reason.to_owned() })?;
        Ok(Written::WeightsSet(number))
    }

    /// Takes something that was learned as a whole, and tells of it.
    pub(super) fn set_learned(
        &mut self,
        path: &Namespace,
        name: &str,
        (value, reason): (&serde_json::Value, &str),
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.known_namespace(path)?;
        let last: Option<Option<u64>> = self
            .connection
            .prepare_cached("SELECT max(number) FROM learned WHERE namespace_id = ?1 AND name = ?2")?
            .query_row(params![namespace, name], |row| row.get(0))
            .optional()?;
        let number = last.flatten().unwrap_or(0) + 1;
        self.connection
            .prepare_cached(
                "INSERT INTO learned (namespace_id, name, number, at, value, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![namespace, name, number, at.as_millisecond(), written(value)?, reason])?;
        self.connection
            .prepare_cached("DELETE FROM learned WHERE namespace_id = ?1 AND name = ?2 AND number <= ?3")?
            .execute(params![namespace, name, number.saturating_sub(SETS_KEPT)])?;
        self.count_change();
        let learned = Happening::Learned { name: name.to_owned(), set: number, reason: reason.to_owned() };
        self.tell(Some(path), at, &learned)?;
        Ok(Written::Numbered(number))
    }

    /// Moves the sets of a namespace to another one, but for those of names that it has sets of: the sets of a name are
    /// one history, and which of them holds is not for their numbers to decide.
    pub(super) fn move_learned(&mut self, old: i64, new: i64) -> Result<(), Trouble> {
        let names: Vec<String> = self
            .connection
            .prepare_cached("SELECT DISTINCT name FROM learned WHERE namespace_id = ?1")?
            .query_all([new], |row| row.get(0))?;
        for name in &names {
            self.connection
                .prepare_cached("DELETE FROM learned WHERE namespace_id = ?1 AND name = ?2")?
                .execute(params![old, name])?;
        }
        self.move_rows("learned", &["name", "number"], old, new)
    }
}

/// Which set of each name holds.
pub(super) fn marks(connection: &Connection, path: &Namespace) -> Result<Vec<LearnedMark>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT l.name, l.number, l.at FROM learned l WHERE l.namespace_id = ?1 AND l.number = (
             SELECT max(o.number) FROM learned o WHERE o.namespace_id = l.namespace_id AND o.name = l.name)
         ORDER BY l.name",
    )?;
    statement.query_all([namespace], |row| {
        Ok(LearnedMark { name: row.get(0)?, number: row.get(1)?, at: row::time(row.get(2)?)? })
    })
}

/// What was learned under a name, the latest first.
pub(super) fn sets(
    connection: &Connection,
    path: &Namespace,
    name: &str,
    (after, limit): (u64, usize),
) -> Result<Vec<LearnedSet>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT number, at, value, reason FROM learned WHERE namespace_id = ?1 AND name = ?2 AND number > ?3
         ORDER BY number DESC LIMIT ?4",
    )?;
    statement.query_all(params![namespace, name, after, limit], |row| {
        Ok(LearnedSet {
            name: name.to_owned(),
            number: row.get(0)?,
            at: row::time(row.get(1)?)?,
            value: row::json(row.get(2)?)?,
            reason: row.get(3)?,
        })
    })
}

/// What each namespace of a scope has learned; those that have learned nothing are left out.
pub(super) fn stats(connection: &Connection, scope: &Scope) -> Result<Vec<LearningStats>, Trouble> {
    let _moment = super::connection::moment(connection)?;
    let mut all = Vec::new();
    for (number, namespace) in read::namespace_numbers(connection, scope)? {
        let count = |sql: &str| -> Result<u64, Trouble> {
            connection.prepare_cached(sql)?.query_row([number], |row| row.get(0))
        };
        let patterns = "SELECT count(*) FROM patterns WHERE namespace_id = ?1 AND retired_at IS";
        let trajectories = "SELECT count(*) FROM trajectories WHERE namespace_id = ?1";
        let stats = LearningStats {
            namespace,
            short_term: count(&format!("{patterns} NULL AND term = 0"))?,
            long_term: count(&format!("{patterns} NULL AND term = 1"))?,
            retired: count(&format!("{patterns} NOT NULL"))?,
            trajectories: count(trajectories)?,
            undistilled: count(&format!("{trajectories} AND distilled_at IS NULL"))?,
        };
        if stats.short_term + stats.long_term + stats.retired + stats.trajectories > 0 {
            all.push(stats);
        }
    }
    Ok(all)
}

/// The latest feedback, the latest first.
pub(super) fn feedback(
    connection: &Connection,
    path: &Namespace,
    limit: usize,
) -> Result<Vec<FeedbackRecord>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT at, query, results FROM feedback WHERE namespace_id = ?1 ORDER BY number DESC LIMIT ?2",
    )?;
    let mut rows = statement.query(params![namespace, limit])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(FeedbackRecord {
            namespace: path.clone(),
            at: row::time(row.get(0)?)?,
            query: row.get(1)?,
            results: row::json(row.get(2)?)?,
        });
    }
    Ok(found)
}

/// Feedback after a number, the earliest first.
pub(super) fn feedback_after(
    connection: &Connection,
    path: &Namespace,
    after: u64,
    limit: usize,
) -> Result<Vec<(u64, FeedbackRecord)>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT at, query, results, number FROM feedback WHERE namespace_id = ?1 AND number > ?2
         ORDER BY number LIMIT ?3",
    )?;
    let mut rows = statement.query(params![namespace, after, limit])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (at, query, results) = (row::time(row.get(0)?)?, row.get(1)?, row::json(row.get(2)?)?);
        found.push((row.get(3)?, FeedbackRecord { namespace: path.clone(), at, query, results }));
    }
    Ok(found)
}

/// The weights that held, the earliest first.
pub(super) fn weights(connection: &Connection, path: &Namespace) -> Result<Vec<WeightSet>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT number, at, value, reason FROM weights WHERE namespace_id = ?1 ORDER BY number",
    )?;
    let mut rows = statement.query([namespace])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(WeightSet {
            number: row.get(0)?,
            at: row::time(row.get(1)?)?,
            value: row::json(row.get(2)?)?,
            reason: row.get(3)?,
        });
    }
    Ok(found)
}
