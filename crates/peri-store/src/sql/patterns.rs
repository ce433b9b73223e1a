//! Patterns: strategies that worked, each with its meaning in one space.

use peri_types::{
    ChangeNumber, Namespace, Pattern, PatternId, PatternTerm, Scope, SpaceId, Timestamp, TrajectoryId,
};
use rusqlite::params;

use super::apply::{Ledger, written};
use super::connection::{Connection, Optional, Row};
use super::trouble::Trouble;
use super::{ids, read, row};
use crate::learning::{Distilled, PatternRow, WholePattern};
use crate::{Written, vectors};

const PATTERN: &str =
    "SELECT p.id, p.strategy, p.domain, p.agent, p.quality, p.uses, p.successes, p.term, p.sources,
    p.created_at, p.used_at, p.retired_at, p.change, p.vector, s.model, s.dimensions
    FROM patterns p LEFT JOIN spaces s ON s.id = p.space_id";

impl Ledger<'_> {
    /// Writes patterns as they are now, or takes the call back if one is not as its writer has seen it.
    pub(super) fn put_patterns(&mut self, patterns: &[WholePattern]) -> Result<Written, Trouble> {
        for whole in patterns {
            self.put_pattern(whole)?;
        }
        Ok(Written::Done)
    }

    fn put_pattern(&mut self, whole: &WholePattern) -> Result<(), Trouble> {
        let pattern = &whole.pattern;
        let namespace = self.known_namespace(&pattern.namespace)?;
        if let Some(expected) = whole.expected {
            let kept: Option<u64> = self
                .connection
                .prepare_cached("SELECT change FROM patterns WHERE namespace_id = ?1 AND id = ?2")?
                .query_row(params![namespace, pattern.id.as_bytes()], |row| row.get(0))
                .optional()?;
            if kept.unwrap_or(0) != expected.0 {
                return Err(Trouble::Stale);
            }
        }
        let space = whole.vector.as_ref().map(|vector| self.known_space(&vector.space)).transpose()?;
        let change = self.coming_change();
        self.count_change();
        self.connection
            .prepare_cached("DELETE FROM patterns WHERE namespace_id = ?1 AND id = ?2")?
            .execute(params![namespace, pattern.id.as_bytes()])?;
        self.connection
            .prepare_cached(
                "INSERT INTO patterns (namespace_id, id, strategy, domain, agent, quality, uses, successes, term,
                 sources, created_at, used_at, retired_at, space_id, vector, change)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
            )?
            .execute(params![
                namespace,
                pattern.id.as_bytes(),
                pattern.strategy,
                pattern.domain,
                pattern.agent,
                f64::from(pattern.quality),
                pattern.uses,
                pattern.successes,
                pattern.term.code(),
                if pattern.sources.is_empty() { None } else { Some(written(&pattern.sources)?) },
                pattern.created_at.as_millisecond(),
                pattern.used_at.map(Timestamp::as_millisecond),
                pattern.retired_at.map(Timestamp::as_millisecond),
                space,
                whole.vector.as_ref().map(|vector| vectors::encode(&vector.values)),
                change.0,
            ])?;
        Ok(())
    }

    /// Makes what was drawn from trajectories, unless somebody else has drawn from them meanwhile.
    pub(super) fn distil(&mut self, distilled: &Distilled) -> Result<Written, Trouble> {
        let namespace = self.known_namespace(&distilled.namespace)?;
        for id in &distilled.trajectories {
            if !self.mark_distilled(namespace, *id, distilled.at)? {
                return Err(Trouble::Stale);
            }
        }
        self.put_patterns(&distilled.patterns)?;
        self.count_change();
        for what in &distilled.told {
            self.tell(Some(&distilled.namespace), distilled.at, what)?;
        }
        Ok(Written::Done)
    }

    fn mark_distilled(&self, namespace: i64, id: TrajectoryId, at: Timestamp) -> Result<bool, Trouble> {
        let marked = self
            .connection
            .prepare_cached(
                "UPDATE trajectories SET distilled_at = ?3
                 WHERE namespace_id = ?1 AND id = ?2 AND distilled_at IS NULL",
            )?
            .execute(params![namespace, id.as_bytes(), at.as_millisecond()])?;
        Ok(marked > 0)
    }

    /// Moves the patterns of a namespace to another one. Each gets a change number of its own, so that whoever follows
    /// the other one by them misses none.
    pub(super) fn move_patterns(&mut self, old: i64, new: i64) -> Result<(), Trouble> {
        let ids: Vec<[u8; 16]> = self
            .connection
            .prepare_cached("SELECT id FROM patterns WHERE namespace_id = ?1 ORDER BY change, id")?
            .query_all([old], |row| row.get(0))?;
        for id in ids {
            let change = self.coming_change();
            self.count_change();
            self.connection
                .prepare_cached("UPDATE patterns SET change = ?3 WHERE namespace_id = ?1 AND id = ?2")?
                .execute(params![old, id, change.0])?;
        }
        self.move_rows("patterns", &["id"], old, new)
    }
}

/// Patterns that changed after a number, in the order of their changes.
pub(super) fn changed(
    connection: &Connection,
    path: &Namespace,
    space: Option<&SpaceId>,
    after: ChangeNumber,
    limit: usize,
) -> Result<Vec<PatternRow>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let sql =
        format!("{PATTERN} WHERE p.namespace_id = ?1 AND p.change > ?2 ORDER BY p.change, p.id LIMIT ?3");
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_all(params![namespace, after.0, limit], |row| pattern(row, path, space))
}

/// How many there are, and the last change of any of them.
pub(super) fn mark(connection: &Connection, path: &Namespace) -> Result<(u64, ChangeNumber), Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else {
        return Ok((0, ChangeNumber::default()));
    };
    connection
        .prepare_cached("SELECT count(*), coalesce(max(change), 0) FROM patterns WHERE namespace_id = ?1")?
        .query_row([namespace], |row| Ok((row.get(0)?, ChangeNumber(row.get(1)?))))
}

/// One pattern, if it lies in the scope.
pub(super) fn one(
    connection: &Connection,
    scope: &Scope,
    id: PatternId,
    space: Option<&SpaceId>,
) -> Result<Option<PatternRow>, Trouble> {
    let sql = format!("{PATTERN} WHERE p.namespace_id = ?1 AND p.id = ?2");
    let mut found = Vec::new();
    for (number, path) in read::namespace_numbers(connection, scope)? {
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![number, id.as_bytes()])?;
        if let Some(row) = rows.next()? {
            found.push((path.clone(), pattern(row, &path, space)?));
        }
    }
    ids::only(id, found)
}

fn pattern(row: Row<'_>, path: &Namespace, space: Option<&SpaceId>) -> Result<PatternRow, Trouble> {
    let pattern = Pattern {
        id: PatternId::from_bytes(row.get(0)?),
        namespace: path.clone(),
        strategy: row.get(1)?,
        domain: row.get(2)?,
        agent: row.get(3)?,
        quality: row.get::<f64>(4)? as f32,
        uses: row.get(5)?,
        successes: row.get(6)?,
        term: PatternTerm::from_code(row.get(7)?).ok_or_else(|| row::malformed("unknown term"))?,
        sources: row::json(row.get(8)?)?,
        created_at: row::time(row.get(9)?)?,
        used_at: row::optional_time(row.get(10)?)?,
        retired_at: row::optional_time(row.get(11)?)?,
        change: ChangeNumber(row.get(12)?),
    };
    let own = match (row.get::<Option<String>>(14)?, row.get::<Option<u32>>(15)?) {
        (Some(model), Some(dimensions)) => Some(SpaceId { model, dimensions }),
        _ => None,
    };
    let vector = match row.get::<Option<Vec<u8>>>(13)? {
        Some(bytes) if own.is_some() && own.as_ref() == space => Some(vectors::decode(&bytes)),
        _ => None,
    };
    Ok((pattern, vector))
}
