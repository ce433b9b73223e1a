//! The orbits of a namespace: what they depend on, and how they are settled.

use std::collections::HashMap;

use super::connection::{Connection, Dialect, Optional};
use peri_types::{
    Happening, Importance, Kind, MemoryId, MoveReason, Namespace, Scope, Timestamp, TrashedBy, Zone,
};
use rusqlite::params;

use super::apply::Ledger;
use super::trouble::Trouble;
use super::{read, row};
use crate::{
    BodyView, Faded, Fading, OrbitBody, OrbitState, OrbitView, PendingUse, Settled, Settlement, StoreError,
    Written,
};

impl Ledger<'_> {
    pub(super) fn settle(&mut self, settlement: &Settlement) -> Result<Written, Trouble> {
        let path = &settlement.namespace;
        let namespace = self.namespace_number(path)?;
        let settled_at: Option<i64> = self
            .connection
            .prepare_cached("SELECT settled_at FROM namespaces WHERE id = ?1")?
            .query_row([namespace], |row| row.get(0))?;
        if settled_at != settlement.from.map(Timestamp::as_millisecond) {
            return Ok(Written::Settled(None));
        }
        self.fold_uses(namespace, settlement)?;
        let settled = self.make_moves(namespace, settlement)?;
        self.connection
            .prepare_cached("UPDATE namespaces SET settled_at = ?2, faded_on = ?3, faded = ?4 WHERE id = ?1")?
            .execute(params![
                namespace,
                settlement.settled_at.as_millisecond(),
                settlement.fading.day,
                settlement.fading.count
            ])?;
        Ok(Written::Settled(Some(settled)))
    }

    /// Adds recalls that have been counted to the totals.
    fn fold_uses(&mut self, namespace: i64, settlement: &Settlement) -> Result<(), Trouble> {
        let (through, until) = (settlement.uses_through, settlement.settled_at.as_millisecond());
        self.connection
            .prepare_cached(
                "INSERT INTO usage (namespace_id, id, recalls, last_at)
                 SELECT namespace_id, id, sum(recalls), max(at) FROM uses
                 WHERE namespace_id = ?1 AND number <= ?2 AND at <= ?3 GROUP BY namespace_id, id
                 ON CONFLICT (namespace_id, id) DO UPDATE SET recalls = usage.recalls + excluded.recalls,
                 last_at = max(usage.last_at, excluded.last_at)",
            )?
            .execute(params![namespace, through, until])?;
        self.connection
            .prepare_cached("DELETE FROM uses WHERE namespace_id = ?1 AND number <= ?2 AND at <= ?3")?
            .execute(params![namespace, through, until])?;
        Ok(())
    }

    /// Moves memories and tells of it, step by step: a reader of the events cannot tell how many steps were
    /// settled at a time.
    fn make_moves(&mut self, namespace: i64, settlement: &Settlement) -> Result<Settled, Trouble> {
        let path = &settlement.namespace;
        let mut total = Settled::default();
        // A long time at once moves a memory more than once, and only where it ends up is written.
        let ends: HashMap<MemoryId, Zone> = settlement.moves.iter().map(|one| (one.id, one.to)).collect();
        let mut placed: HashMap<MemoryId, bool> = HashMap::with_capacity(ends.len());
        let (mut moves, mut faded) = (settlement.moves.iter().peekable(), settlement.faded.iter().peekable());
        loop {
            let at = match (moves.peek(), faded.peek()) {
                (Some(a), Some(b)) => a.at.min(b.at),
                (Some(a), None) => a.at,
                (None, Some(b)) => b.at,
                (None, None) => break,
            };
            let (mut step, mut demoted) = (Settled::default(), 0);
            while let Some(one) = moves.next_if(|one| one.at == at) {
                let is_there = match placed.get(&one.id) {
                    Some(known) => *known,
                    None => {
                        let end = ends.get(&one.id).copied().unwrap_or(one.to);
                        let is_there = self.place(namespace, one.id, end)?;
                        placed.insert(one.id, is_there);
                        is_there
                    }
                };
                if !is_there {
                    continue;
                }
                step.moved += 1;
                demoted += u64::from(one.reason == MoveReason::Idle);
                let changed =
                    Happening::ZoneChanged { id: one.id, from: one.from, to: one.to, reason: one.reason };
                self.tell(Some(path), at, &changed)?;
            }
            while let Some(one) = faded.next_if(|one| one.at == at) {
                step.forgotten += self.fade(namespace, settlement, one)?;
            }
            self.tell_of_step(path, at, step, demoted)?;
            total.moved += step.moved;
            total.forgotten += step.forgotten;
        }
        Ok(total)
    }

    /// Puts a memory into a zone, unless it is gone or in the trash: then `false`.
    fn place(&mut self, namespace: i64, id: MemoryId, zone: Zone) -> Result<bool, Trouble> {
        let moved = self
            .connection
            .prepare_cached(
                "UPDATE memories SET zone = ?3 WHERE namespace_id = ?1 AND id = ?2 AND trashed_at IS NULL",
            )?
            .execute(params![namespace, id.as_bytes(), zone.code()])?;
        Ok(moved > 0)
    }

    fn tell_of_step(
        &mut self,
        path: &Namespace,
        at: Timestamp,
        step: Settled,
        demoted: u64,
    ) -> Result<(), Trouble> {
        let Settled { moved, forgotten } = step;
        if demoted + forgotten > 0 {
            self.tell(Some(path), at, &Happening::Decayed { demoted, forgotten })?;
        }
        if moved + forgotten > 0 {
            self.tell(Some(path), at, &Happening::Reorbited { moved, forgotten, step: at })?;
        }
        Ok(())
    }

    /// Moves a memory to the trash that nobody used, unless it is gone or kept for good, or was used or restored after
    /// the step at which it faded; how many memories went. However late that step is settled, they stay in the trash
    /// for their full time from now on. What it took the place of goes with it: outdated, it must not come back as
    /// what holds.
    fn fade(&mut self, namespace: i64, settlement: &Settlement, one: &Faded) -> Result<u64, Trouble> {
        let path = &settlement.namespace;
        let found = self.find(&Scope::Exact(path.clone()), one.id);
        let memory = match found {
            Err(Trouble::Told(StoreError::NotFound { .. })) => return Ok(0),
            found => found?.1,
        };
        let used = self
            .connection
            .prepare_cached(
                "SELECT 1 FROM uses WHERE namespace_id = ?1 AND id = ?2
                 UNION ALL SELECT 1 FROM usage WHERE namespace_id = ?1 AND id = ?2 AND last_at > ?3
                 UNION ALL SELECT 1 FROM memories WHERE namespace_id = ?1 AND id = ?2 AND arrived_at > ?3",
            )?
            .exists(params![namespace, one.id.as_bytes(), one.at.as_millisecond()])?;
        if used || memory.trashed_at.is_some() || memory.is_kept() {
            return Ok(0);
        }
        let mut gone = vec![memory];
        for id in self.replaced(namespace, one.id, None)? {
            let older = self.find(&Scope::Exact(path.clone()), id)?.1;
            gone.extend(Some(older).filter(|older| !older.is_kept()));
        }
        for memory in &mut gone {
            self.trash(namespace, memory, settlement.settled_at, Some(TrashedBy::Decay))?;
            let faded = Happening::AutoForgotten { id: memory.id, idle_days: one.idle_days };
            self.tell(Some(path), one.at, &faded)?;
        }
        Ok(gone.len() as u64)
    }

    /// What a memory took the place of, and what that did, and so on, as far as it is in the trash since this time,
    /// or is not in it.
    pub(super) fn replaced(
        &self,
        namespace: i64,
        id: peri_types::MemoryId,
        trashed_at: Option<Timestamp>,
    ) -> Result<Vec<peri_types::MemoryId>, Trouble> {
        let mut statement = self.connection.prepare_cached(
            // Without the hint the planner reads the whole namespace for each memory.
            "WITH RECURSIVE older (id) AS (
                 SELECT id FROM memories INDEXED BY memories_superseded
                 WHERE namespace_id = ?1 AND superseded_by = ?2 AND trashed_at IS ?3
                 UNION SELECT m.id FROM older CROSS JOIN memories m INDEXED BY memories_superseded
                 ON m.superseded_by = older.id WHERE m.namespace_id = ?1 AND m.trashed_at IS ?3)
             SELECT id FROM older ORDER BY id",
        )?;
        let trashed_at = trashed_at.map(Timestamp::as_millisecond);
        statement.query_all(params![namespace, id.as_bytes(), trashed_at], |row| Ok(row::id(row.get(0)?)))
    }

    /// Notes that a memory was used without a recall: said again, or changed.
    pub(super) fn note_use(
        &mut self,
        namespace: i64,
        id: peri_types::MemoryId,
        at: Timestamp,
    ) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("INSERT INTO uses (namespace_id, id, at, recalls) VALUES (?1, ?2, ?3, 1)")?
            .execute(params![namespace, id.as_bytes(), at.as_millisecond()])?;
        Ok(())
    }

    /// From now on a memory is idle at the earliest.
    pub(super) fn arrive(
        &mut self,
        namespace: i64,
        id: peri_types::MemoryId,
        at: Timestamp,
    ) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("UPDATE memories SET arrived_at = ?3 WHERE namespace_id = ?1 AND id = ?2")?
            .execute(params![namespace, id.as_bytes(), at.as_millisecond()])?;
        Ok(())
    }

    pub(super) fn adopt_settled(&mut self, path: &Namespace, at: Timestamp) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        self.connection
            .prepare_cached("UPDATE namespaces SET settled_at = ?2 WHERE id = ?1 AND settled_at IS NULL")?
            .execute(params![namespace, at.as_millisecond()])?;
        Ok(Written::Done)
    }
}

pub(super) fn state(connection: &Connection, path: &Namespace) -> Result<OrbitState, Trouble> {
    // One snapshot, so that a recall that is being counted is neither missed nor counted twice.
    let _moment = super::connection::moment(connection)?;
    let found: Option<(i64, Option<i64>, Fading)> = connection
        .prepare_cached("SELECT id, settled_at, faded_on, faded FROM namespaces WHERE path = ?1")?
        .query_row([path.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?, Fading { day: row.get(2)?, count: row.get(3)? }))
        })
        .optional()?;
    let Some((namespace, settled_at, fading)) = found else { return Ok(OrbitState::default()) };
    let (uses, uses_through) = pending(connection, namespace)?;
    let bodies = bodies(connection, namespace)?;
    let days = super::days::days_in_use(connection, namespace)?;
    Ok(OrbitState { settled_at: row::optional_time(settled_at)?, bodies, uses, uses_through, days, fading })
}

fn bodies(connection: &Connection, namespace: i64) -> Result<Vec<OrbitBody>, Trouble> {
    let of_a_graph = match connection.dialect() {
        Dialect::Sqlite | Dialect::Mysql => "json_extract(m.metadata, '$.knowledge.part') IS NOT NULL",
        Dialect::Postgres => {
            "CASE WHEN strpos(m.metadata, '\"knowledge\"') > 0
             THEN (CAST(m.metadata AS json) #> '{knowledge,part}') IS NOT NULL ELSE false END"
        }
    };
    let sql = format!(
        "SELECT m.id, m.created_at, m.arrived_at, m.importance, m.pinned, m.zone, coalesce(u.recalls, 0), u.last_at,
         {of_a_graph}, m.layer, m.change
         FROM memories m LEFT JOIN usage u ON u.namespace_id = m.namespace_id AND u.id = m.id
         WHERE m.namespace_id = ?1 AND m.trashed_at IS NULL AND m.layer <> 0
         AND (m.superseded_by IS NULL OR EXISTS (SELECT 1 FROM memories t WHERE t.namespace_id = m.namespace_id
             AND t.id = m.superseded_by AND t.trashed_at IS NOT NULL))
         ORDER BY m.id"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([namespace])?;
    let mut bodies = Vec::new();
    while let Some(row) = rows.next()? {
        bodies.push(OrbitBody {
            id: row::id(row.get(0)?),
            created_at: row::time(row.get(1)?)?,
            arrived_at: row::optional_time(row.get(2)?)?,
            importance: Importance::new(row.get(3)?).map_err(row::malformed)?,
            pinned: row.get(4)?,
            kept: row.get(8)?,
            zone: row::zone(row.get(5)?)?,
            recalls: row.get(6)?,
            last_used_at: row::optional_time(row.get(7)?)?,
            layer: row::layer(row.get(9)?)?,
            change: peri_types::ChangeNumber(row.get(10)?),
        });
    }
    Ok(bodies)
}

/// The memories of a namespace that hold, with what was recalled and is not settled yet counted in.
pub(super) fn view(
    connection: &Connection,
    path: &Namespace,
    now: Timestamp,
    beginning_chars: usize,
) -> Result<OrbitView, Trouble> {
    let _moment = super::connection::moment(connection)?;
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(OrbitView::default()) };
    let settled_at = read::settled_at(connection, namespace)?;
    let mut bodies = bodies_seen(connection, namespace, now, beginning_chars)?;
    for one in pending(connection, namespace)?.0 {
        if let Ok(place) = bodies.binary_search_by_key(&one.id, |body| body.id) {
            let body = &mut bodies[place];
            body.recalls += u64::from(one.recalls);
            body.last_used_at = body.last_used_at.max(Some(one.at));
        }
    }
    let days = super::days::days_in_use(connection, namespace)?;
    Ok(OrbitView { settled_at, bodies, days })
}

fn bodies_seen(
    connection: &Connection,
    namespace: i64,
    now: Timestamp,
    beginning_chars: usize,
) -> Result<Vec<BodyView>, Trouble> {
    let sql = format!(
        "SELECT m.id, m.kind, m.layer, m.zone, m.importance, m.pinned, m.created_at, m.arrived_at,
         coalesce(u.recalls, 0), u.last_at, substr(m.content, 1, {beginning_chars})
         FROM memories m LEFT JOIN usage u ON u.namespace_id = m.namespace_id AND u.id = m.id
         WHERE m.namespace_id = ?1 AND m.trashed_at IS NULL AND m.promoted_to IS NULL
         AND (m.expires_at IS NULL OR m.expires_at > ?2)
         AND (m.superseded_by IS NULL OR EXISTS (SELECT 1 FROM memories t WHERE t.namespace_id = m.namespace_id
             AND t.id = m.superseded_by AND t.trashed_at IS NOT NULL))
         ORDER BY m.id"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![namespace, now.as_millisecond()])?;
    let mut bodies = Vec::new();
    while let Some(row) = rows.next()? {
        bodies.push(BodyView {
            id: row::id(row.get(0)?),
            kind: Kind::from_code(row.get(1)?).ok_or_else(|| row::malformed("unknown kind"))?,
            layer: row::layer(row.get(2)?)?,
            zone: row::zone(row.get(3)?)?,
            importance: Importance::new(row.get(4)?).map_err(row::malformed)?,
            pinned: row.get(5)?,
            created_at: row::time(row.get(6)?)?,
            arrived_at: row::optional_time(row.get(7)?)?,
            recalls: row.get(8)?,
            last_used_at: row::optional_time(row.get(9)?)?,
            beginning: row.get(10)?,
        });
    }
    Ok(bodies)
}

fn pending(connection: &Connection, namespace: i64) -> Result<(Vec<PendingUse>, u64), Trouble> {
    let mut statement = connection
        .prepare_cached("SELECT number, id, at, recalls FROM uses WHERE namespace_id = ?1 ORDER BY number")?;
    let mut rows = statement.query([namespace])?;
    let (mut uses, mut through) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        through = row.get(0)?;
        let (id, at) = (row::id(row.get(1)?), row::time(row.get(2)?)?);
        uses.push(PendingUse { id, at, recalls: row.get(3)? });
    }
    Ok((uses, through))
}

pub(super) fn unsettled(connection: &Connection, before: Timestamp) -> Result<Vec<Namespace>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT path FROM namespaces n WHERE (settled_at IS NULL OR settled_at < ?1)
         AND EXISTS (SELECT 1 FROM memories m WHERE m.namespace_id = n.id) ORDER BY path",
    )?;
    let mut rows = statement.query([before.as_millisecond()])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(row.get::<String>(0)?.parse().map_err(row::malformed)?);
    }
    Ok(found)
}

/// When a memory came in, if it was not told here.
pub(super) fn arrived_at(
    connection: &Connection,
    path: &Namespace,
    id: peri_types::MemoryId,
) -> Result<Option<Timestamp>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(None) };
    let found: Option<Option<i64>> = connection
        .prepare_cached("SELECT arrived_at FROM memories WHERE namespace_id = ?1 AND id = ?2")?
        .query_row(params![namespace, id.as_bytes()], |row| row.get(0))
        .optional()?;
    row::optional_time(found.flatten())
}

/// How often and when last a memory was recalled, settled or not.
pub(super) fn usage(
    connection: &Connection,
    path: &Namespace,
    id: peri_types::MemoryId,
) -> Result<Option<(u64, Timestamp)>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT sum(recalls), max(at) FROM (
             SELECT u.recalls, u.last_at AS at FROM usage u WHERE u.namespace_id = ?1 AND u.id = ?2
             UNION ALL SELECT p.recalls, p.at FROM uses p WHERE p.namespace_id = ?1 AND p.id = ?2) AS every",
    )?;
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(None) };
    let (recalls, last_at): (Option<u64>, Option<i64>) =
        statement.query_row(params![namespace, id.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(match (recalls, last_at) {
        (Some(recalls), Some(last_at)) => Some((recalls, row::time(last_at)?)),
        _ => None,
    })
}
