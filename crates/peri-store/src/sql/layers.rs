//! The lifetimes of layers: working memory that expires or is full, promotion, and what is let go.

use std::sync::LazyLock;

use super::connection::{Connection, Optional};
use peri_types::{
    Edge, EdgeType, Happening, Layer, Memory, MemoryId, Namespace, Scope, Timestamp, TrashedBy,
};
use rusqlite::params;

use super::apply::Ledger;
use super::trouble::Trouble;
use super::{orbit, read, row};
use crate::{Embedding, Lapsed, LetGo, Links, Matters, NewMemory, Released, StoreError, Trimmed, Written};

/// Events that one source of a promotion may be linked by: those of an ordinary memory.
const SOURCE_WEIGHT: f32 = 1.0;

pub(super) static SOURCES_OF: LazyLock<String> = LazyLock::new(|| {
    let select = row::by_index(row::MEMORY, "memories_superseded");
    format!(
        "{select} WHERE m.namespace_id = ?1 AND m.superseded_by = ?2 AND m.promoted_to = ?2 ORDER BY m.id"
    )
});

impl Ledger<'_> {
    /// Puts a new value in the place of the one that the session's working memory holds under the key.
    pub(super) fn replace_value(
        &mut self,
        namespace: i64,
        mut held: Memory,
        new: Memory,
        embedding: &Embedding,
    ) -> Result<Written, Trouble> {
        let (id, at) = (held.id, new.updated_at);
        held.content = new.content;
        held.kind = new.kind;
        held.importance = new.importance;
        held.facets = peri_types::Facets { session: held.facets.session, key: held.facets.key, ..new.facets };
        held.updated_at = at;
        held.version += 1;
        self.update(namespace, &mut held)?;
        self.drop_vectors(namespace, id)?;
        self.set_embedding(namespace, &mut held, embedding)?;
        self.note_working_use(namespace, id, at)?;
        self.tell(Some(&held.namespace), at, &Happening::Revised { id, version: held.version })?;
        Ok(Written::Replaced(Box::new(held)))
    }

    /// Notes that working memory was asked for these.
    pub(super) fn touch_working(
        &mut self,
        path: &Namespace,
        ids: &[MemoryId],
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        for id in ids {
            if self.exists(namespace, *id)? {
                self.note_working_use(namespace, *id, at)?;
                self.note_use(namespace, *id, at)?;
            }
        }
        Ok(Written::Done)
    }

    fn note_working_use(&self, namespace: i64, id: MemoryId, at: Timestamp) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "UPDATE memories SET used_at = max(coalesce(used_at, 0), ?3) WHERE namespace_id = ?1 AND id = ?2",
            )?
            .execute(params![namespace, id.as_bytes(), at.as_millisecond()])?;
        Ok(())
    }

    /// Lets those leave a session's working memory that were used longest ago, until it holds no more than it may.
    /// What matters is promoted instead of dropped. What has expired leaves in any case.
    pub(super) fn trim_working(
        &mut self,
        path: &Namespace,
        session: Option<&str>,
        capacity: usize,
        matters: Option<&Matters>,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let ids = {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, expires_at FROM memories INDEXED BY memories_working
                 WHERE namespace_id = ?1 AND session IS ?2 AND layer = 0 AND trashed_at IS NULL
                 AND superseded_by IS NULL AND pinned = 0
                 ORDER BY coalesce(used_at, updated_at) DESC, id DESC",
            )?;
            statement.query_all(params![namespace, session], |row| Ok((row.get(0)?, row.get(1)?)))?
        };
        let mut trimmed = Trimmed::default();
        let is_over = |expires_at: &Option<i64>| expires_at.is_some_and(|until| until <= at.as_millisecond());
        let (expired, live): (Vec<_>, Vec<_>) = ids.into_iter().partition(|(_, until)| is_over(until));
        for (id, _) in expired {
            self.lapse_one(namespace, path, row::id(id), matters, at, &mut Lapsed::default())?;
        }
        for (id, _) in live.into_iter().skip(capacity) {
            // One that stands for another by now has left working memory already.
            let current = self.current(path, row::id(id))?;
            let Some(memory) = current.filter(|memory| memory.layer == Layer::Working) else { continue };
            if let Some(promoted) = self.promote_if_it_matters(namespace, &memory, matters, at)? {
                trimmed.promoted.push(promoted.id);
            } else {
                self.destroy(namespace, memory.id)?;
                self.tell(Some(path), at, &Happening::Evicted { id: memory.id })?;
            }
            trimmed.evicted.push(memory);
        }
        Ok(Written::Trimmed(Box::new(trimmed)))
    }

    /// Takes away what has expired by a time, at most so many at once.
    pub(super) fn lapse(
        &mut self,
        now: Timestamp,
        matters: Option<&Matters>,
        limit: usize,
    ) -> Result<Written, Trouble> {
        self.correct_expiry(now)?;
        let due = {
            let mut statement = self.connection.prepare_cached(
                "SELECT m.namespace_id, n.path, m.id FROM memories m INDEXED BY memories_expiring
                 CROSS JOIN namespaces n ON n.id = m.namespace_id
                 WHERE m.expires_at <= ?1 AND m.trashed_at IS NULL ORDER BY m.expires_at, m.id LIMIT ?2",
            )?;
            statement.query_all(params![now.as_millisecond(), limit], |row| {
                Ok((row.get::<i64>(0)?, row.get::<String>(1)?, row.get::<[u8; 16]>(2)?))
            })?
        };
        let mut lapsed = Lapsed::default();
        for (namespace, path, id) in due {
            let path = path.parse().map_err(row::malformed)?;
            self.lapse_one(namespace, &path, row::id(id), matters, now, &mut lapsed)?;
        }
        Ok(Written::Lapsed(lapsed))
    }

    /// Takes one away that has expired: from working memory it is gone, unless it matters; elsewhere it goes to the
    /// trash.
    fn lapse_one(
        &mut self,
        namespace: i64,
        path: &Namespace,
        id: MemoryId,
        matters: Option<&Matters>,
        at: Timestamp,
        lapsed: &mut Lapsed,
    ) -> Result<(), Trouble> {
        let mut memory = self.find(&Scope::Exact(path.clone()), id)?.1;
        if !memory.has_expired(at) {
            // It stands for another that mattered, and so no longer expires.
            return Ok(());
        }
        let layer = memory.layer;
        if layer == Layer::Working {
            if self.promote_if_it_matters(namespace, &memory, matters, at)?.is_some() {
                lapsed.promoted += 1;
                return Ok(());
            }
            self.destroy(namespace, id)?;
            lapsed.gone += 1;
        } else {
            self.trash(namespace, &mut memory, at, Some(TrashedBy::Expiry))?;
            lapsed.trashed += 1;
        }
        self.tell(Some(path), at, &Happening::Expired { id, layer })
    }

    /// Makes room for a statement whose place is taken by one that has expired.
    pub(super) fn lapse_twin(&mut self, namespace: i64, twin: Memory, at: Timestamp) -> Result<(), Trouble> {
        let (path, id) = (twin.namespace, twin.id);
        self.lapse_one(namespace, &path, id, None, at, &mut Lapsed::default())
    }

    fn promote_if_it_matters(
        &mut self,
        namespace: i64,
        memory: &Memory,
        matters: Option<&Matters>,
        at: Timestamp,
    ) -> Result<Option<Memory>, Trouble> {
        let Some(matters) = matters.filter(|_| !memory.facets.promotion_undone) else { return Ok(None) };
        let recalls =
            orbit::usage(self.connection, &memory.namespace, memory.id)?.map_or(0, |(recalls, _)| recalls);
        if f64::from(memory.importance) < matters.importance_min && recalls < matters.recalls_min {
            return Ok(None);
        }
        self.promote_all(namespace, vec![memory.clone()], Layer::Episodic, at)
    }

    /// Makes one memory of a longer-lived layer out of these, which are put aside for it.
    pub(super) fn promote(
        &mut self,
        path: &Namespace,
        sources: &[MemoryId],
        to: Layer,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let mut standing = Vec::new();
        for id in sources {
            let is_new = standing.iter().all(|known: &Memory| known.id != *id);
            standing.extend(self.current(path, *id)?.filter(|memory| is_new && memory.layer < to));
        }
        Ok(Written::Promoted(self.promote_all(namespace, standing, to, at)?.map(Box::new)))
    }

    fn promote_all(
        &mut self,
        namespace: i64,
        mut sources: Vec<Memory>,
        to: Layer,
        at: Timestamp,
    ) -> Result<Option<Memory>, Trouble> {
        let Some(first) = sources.first().cloned() else { return Ok(None) };
        let (path, from) = (first.namespace.clone(), first.layer);
        // Aside first: what is put aside leaves its place as the statement that it is.
        let id = MemoryId::generate(first.created_at);
        for source in &mut sources {
            source.facets.promoted_to = Some(id);
            source.facets.expires_at = None;
            self.update(namespace, source)?;
            self.set_validity(namespace, source.id, Some(Some(id)), None)?;
        }
        let mut promoted = first.clone();
        promoted.id = id;
        promoted.layer = to;
        promoted.version = 1;
        promoted.updated_at = at;
        promoted.facets.key = None;
        promoted.facets.expires_at = None;
        promoted.facets.promoted_from = Some(from);
        for other in &sources[1..] {
            join_all(&mut promoted, other);
        }
        let promoted = match self.twin(namespace, &promoted)? {
            // Somebody said it already, to be kept at least as long: that one stands for them.
            Some(twin) => self.stand_for(namespace, twin, &promoted, &mut sources, at)?,
            None => self.insert_promoted(namespace, promoted, &first, &sources, at)?,
        };
        for source in &sources {
            let (edge_type, weight) = (EdgeType::DerivedFrom, SOURCE_WEIGHT);
            let edge = Edge { source: promoted.id, target: source.id, edge_type, weight, created_at: at };
            self.put_edge(namespace, &edge)?;
        }
        self.mark_edges_changed(namespace, promoted.id)?;
        let sources = sources.iter().map(|source| source.id).collect();
        let what = Happening::LayerPromoted { id: promoted.id, sources, from, to: promoted.layer };
        self.tell(Some(&path), at, &what)?;
        Ok(Some(promoted))
    }

    fn insert_promoted(
        &mut self,
        namespace: i64,
        mut promoted: Memory,
        first: &Memory,
        sources: &[Memory],
        at: Timestamp,
    ) -> Result<Memory, Trouble> {
        promoted.change = self.next_change(namespace)?;
        self.insert(namespace, &promoted, Links::Later)?;
        let (new, old) = (promoted.id, first.id);
        self.connection
            .prepare_cached(
                "INSERT INTO vectors (namespace_id, id, space_id, value)
                 SELECT namespace_id, ?2, space_id, value FROM vectors WHERE namespace_id = ?1 AND id = ?3",
            )?
            .execute(params![namespace, new.as_bytes(), old.as_bytes()])?;
        let (embedding, space): (i64, Option<i64>) = self
            .connection
            .prepare_cached("SELECT embedding, space_id FROM memories WHERE namespace_id = ?1 AND id = ?2")?
            .query_row(params![namespace, old.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        self.connection
            .prepare_cached(
                "UPDATE memories SET embedding = ?3, space_id = ?4 WHERE namespace_id = ?1 AND id = ?2",
            )?
            .execute(params![namespace, new.as_bytes(), embedding, space])?;
        self.inherit_usage(namespace, new, sources)?;
        self.arrive(namespace, new, at)?;
        Ok(promoted)
    }

    /// What was recalled as its sources was recalled as what they became.
    fn inherit_usage(&mut self, namespace: i64, id: MemoryId, sources: &[Memory]) -> Result<(), Trouble> {
        let (mut recalls, mut last_at) = (0, None);
        for source in sources {
            if let Some((count, at)) = orbit::usage(self.connection, &source.namespace, source.id)? {
                recalls += count;
                last_at = last_at.max(Some(at));
            }
        }
        if let Some(last_at) = last_at {
            self.connection
                .prepare_cached(
                    "INSERT INTO usage (namespace_id, id, recalls, last_at) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![namespace, id.as_bytes(), recalls, last_at.as_millisecond()])?;
        }
        Ok(())
    }

    /// Lets a memory that says the same already stand for the sources.
    fn stand_for(
        &mut self,
        namespace: i64,
        mut twin: Memory,
        promoted: &Memory,
        sources: &mut [Memory],
        at: Timestamp,
    ) -> Result<Memory, Trouble> {
        for source in sources.iter_mut() {
            source.facets.promoted_to = Some(twin.id);
            self.update(namespace, source)?;
            self.set_validity(namespace, source.id, Some(Some(twin.id)), None)?;
        }
        join_all(&mut twin, promoted);
        twin.layer = twin.layer.max(promoted.layer);
        twin.facets.expires_at = None;
        twin.updated_at = at;
        self.update(namespace, &mut twin)?;
        self.note_use(namespace, twin.id, at)?;
        Ok(twin)
    }

    /// Brings back what a memory was promoted from. The memory itself goes to the trash, unless it was there before.
    pub(super) fn undo_promotion(
        &mut self,
        scope: &Scope,
        id: MemoryId,
        working_until: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let (namespace, mut memory) = self.find(scope, id)?;
        let id = memory.id;
        let path = memory.namespace.clone();
        let mut sources = self.sources_of(namespace, id)?;
        if sources.is_empty() || memory.trashed_at.is_some() {
            return Err(StoreError::NotPromoted { id }.into());
        }
        if memory.facets.promoted_from.is_some() {
            // It leaves first: a source without a key says the same as it does.
            self.trash(namespace, &mut memory, at, None)?;
        }
        for source in &mut sources {
            source.facets.promoted_to = None;
            source.facets.superseded_by = None;
            source.facets.promotion_undone = true;
            source.updated_at = at;
            if source.layer == Layer::Working {
                source.facets.expires_at = working_until;
            }
            if let Some(twin) = self.twin(namespace, source)?.filter(|twin| twin.id != source.id) {
                return Err(StoreError::Duplicate { twin: twin.id, namespace: path }.into());
            }
            self.set_validity(namespace, source.id, Some(None), None)?;
            self.update(namespace, source)?;
            self.arrive(namespace, source.id, at)?;
            self.connection
                .prepare_cached(
                    "DELETE FROM edges WHERE namespace_id = ?1 AND source = ?2 AND type = ?3 AND target = ?4",
                )?
                .execute(params![
                    namespace,
                    id.as_bytes(),
                    EdgeType::DerivedFrom.code(),
                    source.id.as_bytes()
                ])?;
        }
        self.mark_edges_changed(namespace, id)?;
        let ids: Vec<MemoryId> = sources.iter().map(|source| source.id).collect();
        // Read again: until when it holds was told in the light of what had taken its place.
        let sources = read::get(self.connection, &Scope::Exact(path.clone()), &ids)?;
        self.tell(Some(&path), at, &Happening::PromotionUndone { id, sources: ids })?;
        Ok(Written::PromotionUndone(sources))
    }

    /// What a memory was promoted from, as far as it is put aside for it.
    pub(super) fn sources_of(&self, namespace: i64, id: MemoryId) -> Result<Vec<Memory>, Trouble> {
        let mut statement = self.connection.prepare_cached(&SOURCES_OF)?;
        let mut rows = statement.query(params![namespace, id.as_bytes()])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(row::memory(row)?);
        }
        Ok(found)
    }

    /// Moves memories to the trash whose time is over or that a limit leaves no room for, unless somebody pinned,
    /// moved or used them since that was found.
    pub(super) fn release(
        &mut self,
        path: &Namespace,
        released: &[Released],
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let mut count = 0;
        for one in released {
            let Some(mut memory) = self.current(path, one.id)?.filter(|memory| !memory.is_kept()) else {
                continue;
            };
            if memory.change > one.change {
                continue;
            }
            let mut gone = self.sources_of(namespace, one.id)?;
            let by = match one.why {
                LetGo::Outlived { .. } => TrashedBy::Retention,
                LetGo::CleanedUp(_) => TrashedBy::Limits,
            };
            self.trash(namespace, &mut memory, at, Some(by))?;
            for source in &mut gone {
                self.trash(namespace, source, at, Some(by))?;
            }
            let id = one.id;
            let what = match one.why {
                LetGo::Outlived { age_days } => Happening::Outlived { id, age_days },
                LetGo::CleanedUp(reason) => Happening::CleanedUp { id, reason },
            };
            self.tell(Some(path), at, &what)?;
            count += 1;
        }
        Ok(Written::Released(count))
    }

    /// Destroys what a session's working memory holds, under one key or all of it.
    pub(super) fn clear_working(
        &mut self,
        path: &Namespace,
        session: Option<&str>,
        key: Option<&str>,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let found = {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, expires_at FROM memories INDEXED BY memories_working
                 WHERE namespace_id = ?1 AND session IS ?2 AND layer = 0 AND trashed_at IS NULL
                 AND superseded_by IS NULL AND (key = ?3 OR CAST(?3 AS TEXT) IS NULL)",
            )?;
            statement.query_all(params![namespace, session, key], |row| {
                Ok((row.get::<[u8; 16]>(0)?, row.get::<Option<i64>>(1)?))
            })?
        };
        let mut ids = Vec::new();
        for (id, expires_at) in found {
            self.destroy(namespace, row::id(id))?;
            // What had expired was not there to be cleared.
            if expires_at.is_none_or(|until| until > at.as_millisecond()) {
                ids.push(row::id(id));
            }
        }
        let count = ids.len() as u64;
        if count > 0 {
            self.tell(Some(path), at, &Happening::Purged { count, ids })?;
        }
        Ok(Written::Purged(count))
    }

    /// Stores a statement whose working memory may hold one under its key already; whether that was so.
    pub(super) fn held_value(&self, namespace: i64, new: &NewMemory) -> Result<Option<Memory>, Trouble> {
        let memory = &new.memory;
        if memory.layer != Layer::Working || memory.facets.key.is_none() {
            return Ok(None);
        }
        self.twin(namespace, memory)
    }
}

/// Joins what a memory lacks of another into it.
fn join_all(kept: &mut Memory, other: &Memory) {
    let add = |own: &mut Vec<String>, more: &[String]| {
        let missing: Vec<_> = more.iter().filter(|label| !own.contains(label)).cloned().collect();
        own.extend(missing);
    };
    add(&mut kept.facets.tags, &other.facets.tags);
    add(&mut kept.facets.aliases, &other.facets.aliases);
    kept.facets.pinned |= other.facets.pinned;
    if other.importance > kept.importance {
        kept.importance = other.importance;
    }
    kept.zone = kept.zone.min(other.zone);
}

/// Whether something has expired by a time and waits to be taken away.
pub(super) fn has_lapsed(connection: &Connection, now: Timestamp) -> Result<bool, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM memories INDEXED BY memories_expiring WHERE expires_at <= ?1 AND trashed_at IS NULL LIMIT 1",
    )?;
    Ok(statement.exists([now.as_millisecond()])? || super::days::is_ahead(connection, now)?)
}

/// What a working memory holds under a key.
pub(super) fn value(
    connection: &Connection,
    path: &Namespace,
    session: Option<&str>,
    key: &str,
) -> Result<Option<Memory>, Trouble> {
    let sql = format!(
        "{} WHERE n.path = ?1 AND m.fingerprint = ?2 AND m.trashed_at IS NULL AND m.layer = 0",
        row::MEMORY
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let fingerprint = peri_types::Fingerprint::of_key(session, key);
    let mut rows = statement.query(params![path.as_str(), fingerprint.0])?;
    rows.next()?.map(row::memory).transpose()
}

/// Episodes that have been here since before a time, the longest here first, with when they came.
pub(super) fn old_episodes(
    connection: &Connection,
    before: Timestamp,
    after: Option<(Timestamp, MemoryId)>,
    limit: usize,
) -> Result<Vec<(Memory, Timestamp)>, Trouble> {
    let sql = format!(
        "{} WHERE m.layer = 1 AND m.trashed_at IS NULL AND m.promoted_to IS NULL
         AND max(m.created_at, coalesce(m.arrived_at, m.created_at)) <= ?1
         AND (max(m.created_at, coalesce(m.arrived_at, m.created_at)), m.id) > (?2, ?3)
         ORDER BY max(m.created_at, coalesce(m.arrived_at, m.created_at)), m.id LIMIT ?4",
        row::MEMORY
    );
    let (from, id) = after.map_or((i64::MIN, [0; 16]), |(at, id)| (at.as_millisecond(), *id.as_bytes()));
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![before.as_millisecond(), from, id, limit])?;
    let mut arrived = connection.prepare_cached(
        "SELECT max(created_at, coalesce(arrived_at, created_at)) FROM memories WHERE namespace_id = ?1 AND id = ?2",
    )?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let memory = row::memory(row)?;
        let namespace: i64 = row.get(row::NAMESPACE_ID)?;
        let at: Option<i64> =
            arrived.query_row(params![namespace, memory.id.as_bytes()], |row| row.get(0)).optional()?;
        found.push((memory, row::time(at.unwrap_or(0))?));
    }
    Ok(found)
}

/// The working memories of a namespace that hold something by a time, by the names of their sessions.
pub(super) fn working_sessions(
    connection: &Connection,
    path: &Namespace,
    now: Timestamp,
) -> Result<Vec<(Option<String>, u64)>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT session, count(*) FROM memories INDEXED BY memories_working
         WHERE namespace_id = ?1 AND layer = 0 AND trashed_at IS NULL AND superseded_by IS NULL
         AND (expires_at IS NULL OR expires_at > ?2) GROUP BY session ORDER BY session IS NOT NULL, session",
    )?;
    statement.query_all(params![namespace, now.as_millisecond()], |row| Ok((row.get(0)?, row.get(1)?)))
}
