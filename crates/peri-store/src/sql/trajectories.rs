//! Trajectories: the recorded steps of tasks.

use peri_types::{
    Happening, Namespace, PatternId, Scope, TaskOutcome, Timestamp, Trajectory, TrajectoryId, TurnId,
};
use rusqlite::params;
use rusqlite::types::Value;

use super::apply::{Ledger, written};
use super::connection::{Connection, Row};
use super::trouble::Trouble;
use super::{ids, read, row};
use crate::learning::{TrajectoryPage, TrajectoryQuery};
use crate::{OnConflict, Order, Written};

const TRAJECTORY: &str =
    "SELECT id, session, turn, task, domain, agent, steps, outcome, at, duration_ms, patterns,
    distilled_at FROM trajectories";

impl Ledger<'_> {
    /// Keeps a trajectory that is not here yet, and tells of it.
    pub(super) fn record_trajectory(
        &mut self,
        trajectory: &Trajectory,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let kept = self.insert_trajectory(trajectory, at)?;
        if kept > 0 {
            let (id, outcome) = (trajectory.id, trajectory.outcome);
            let recorded = Happening::TrajectoryRecorded { trajectory: id, outcome };
            self.tell(Some(&trajectory.namespace), at, &recorded)?;
        }
        Ok(Written::Appended(kept))
    }

    /// Takes one over from another store, of which nothing is told. One with its id stays, or is replaced.
    pub(super) fn adopt_trajectory(
        &mut self,
        trajectory: &Trajectory,
        on_conflict: OnConflict,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        if on_conflict != OnConflict::Keep {
            let namespace = self.known_namespace(&trajectory.namespace)?;
            self.connection
                .prepare_cached("DELETE FROM trajectories WHERE namespace_id = ?1 AND id = ?2")?
                .execute(params![namespace, trajectory.id.as_bytes()])?;
        }
        Ok(Written::TrajectoryAdopted(self.insert_trajectory(trajectory, at)? > 0))
    }

    fn insert_trajectory(&mut self, trajectory: &Trajectory, at: Timestamp) -> Result<u64, Trouble> {
        let namespace = self.known_namespace(&trajectory.namespace)?;
        let kept = self
            .connection
            .prepare_cached(
                "INSERT INTO trajectories (namespace_id, id, session, turn, task, domain, agent, steps, outcome, at,
                 duration_ms, patterns, distilled_at, arrived_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT DO NOTHING",
            )?
            .execute(params![
                namespace,
                trajectory.id.as_bytes(),
                trajectory.session,
                trajectory.turn.as_ref().map(TurnId::as_bytes),
                trajectory.task,
                trajectory.domain,
                trajectory.agent,
                if trajectory.steps.is_empty() { None } else { Some(written(&trajectory.steps)?) },
                trajectory.outcome.code(),
                trajectory.at.as_millisecond(),
                trajectory.duration_ms,
                if trajectory.patterns.is_empty() { None } else { Some(written(&trajectory.patterns)?) },
                trajectory.distilled_at.map(Timestamp::as_millisecond),
                at.as_millisecond(),
            ])?;
        if kept > 0 {
            self.count_change();
        }
        Ok(kept as u64)
    }

    /// Drops the oldest trajectories that something was drawn from, so that so many are left.
    pub(super) fn drop_trajectories(&mut self, path: &Namespace, kept: usize) -> Result<Written, Trouble> {
        let Some(namespace) = read::namespace_number(self.connection, path)? else {
            return Ok(Written::Appended(0));
        };
        let last: Option<Option<[u8; 16]>> = {
            let mut select = self.connection.prepare_cached(
                "SELECT id FROM trajectories WHERE namespace_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2",
            )?;
            select.query_all(params![namespace, kept], |row| row.get(0))?.pop()
        };
        let Some(Some(last)) = last else { return Ok(Written::Appended(0)) };
        let dropped = self
            .connection
            .prepare_cached(
                "DELETE FROM trajectories WHERE namespace_id = ?1 AND id <= ?2 AND distilled_at IS NOT NULL",
            )?
            .execute(params![namespace, last])?;
        if dropped > 0 {
            self.count_change();
        }
        Ok(Written::Appended(dropped as u64))
    }
}

/// Trajectories of a scope, in order.
pub(super) fn list(connection: &Connection, query: &TrajectoryQuery) -> Result<TrajectoryPage, Trouble> {
    let mut found = Vec::new();
    for (number, path) in read::namespace_numbers(connection, &query.scope)? {
        found.extend(of_namespace(connection, query, number, &path)?);
    }
    found.sort_by_key(|trajectory| trajectory.id);
    if query.order == Order::NewestFirst {
        found.reverse();
    }
    let more = found.len() > query.limit;
    found.truncate(query.limit);
    let next = if more { found.last().map(|trajectory| trajectory.id) } else { None };
    Ok(TrajectoryPage { trajectories: found, next })
}

/// One more than asked for, so that it is known whether there is another page.
fn of_namespace(
    connection: &Connection,
    query: &TrajectoryQuery,
    number: i64,
    path: &Namespace,
) -> Result<Vec<Trajectory>, Trouble> {
    let mut sql = format!("{TRAJECTORY} WHERE namespace_id = ?1");
    let mut values = vec![Value::from(number)];
    let mut add = |condition: &str, value: Value| {
        values.push(value);
        sql.push_str(" AND ");
        sql.push_str(&condition.replace('?', &format!("?{}", values.len())));
    };
    let texts = [("session = ?", &query.session), ("domain = ?", &query.domain), ("agent = ?", &query.agent)];
    for (condition, text) in texts {
        if let Some(text) = text {
            add(condition, Value::from(text.clone()));
        }
    }
    if let Some(outcome) = query.outcome {
        add("outcome = ?", Value::from(i64::from(outcome.code())));
    }
    if let Some(after) = query.after {
        let condition = if query.order == Order::OldestFirst { "id > ?" } else { "id < ?" };
        add(condition, Value::from(after.as_bytes().to_vec()));
    }
    if query.undistilled {
        sql.push_str(" AND distilled_at IS NULL");
    }
    let direction = if query.order == Order::OldestFirst { "ASC" } else { "DESC" };
    let limit = query.limit.saturating_add(1).min(i64::MAX as usize);
    sql.push_str(&format!(" ORDER BY id {direction} LIMIT {limit}"));
    connection.prepare_cached(&sql)?.query_all(values, |row| trajectory(row, path))
}

/// One trajectory, if it lies in the scope.
pub(super) fn one(
    connection: &Connection,
    scope: &Scope,
    id: TrajectoryId,
) -> Result<Option<Trajectory>, Trouble> {
    let sql = format!("{TRAJECTORY} WHERE namespace_id = ?1 AND id = ?2");
    let mut found = Vec::new();
    for (number, path) in read::namespace_numbers(connection, scope)? {
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![number, id.as_bytes()])?;
        if let Some(row) = rows.next()? {
            found.push((path.clone(), trajectory(row, &path)?));
        }
    }
    ids::only(id, found)
}

fn trajectory(row: Row<'_>, path: &Namespace) -> Result<Trajectory, Trouble> {
    Ok(Trajectory {
        id: TrajectoryId::from_bytes(row.get(0)?),
        namespace: path.clone(),
        session: row.get(1)?,
        turn: row.get::<Option<[u8; 16]>>(2)?.map(TurnId::from_bytes),
        task: row.get(3)?,
        domain: row.get(4)?,
        agent: row.get(5)?,
        steps: row::json(row.get(6)?)?,
        outcome: TaskOutcome::from_code(row.get(7)?).ok_or_else(|| row::malformed("unknown outcome"))?,
        at: row::time(row.get(8)?)?,
        duration_ms: row.get(9)?,
        patterns: row::json::<Vec<PatternId>>(row.get(10)?)?,
        distilled_at: row::optional_time(row.get(11)?)?,
    })
}
