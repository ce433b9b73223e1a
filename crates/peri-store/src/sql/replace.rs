//! One memory in the place of another: supersession, and merges that can be undone.

use super::connection::{Connection, Optional};
use peri_types::{Edge, EdgeType, Happening, Memory, MemoryId, Namespace, Scope, Timestamp};
use rusqlite::params;

use super::apply::{Ledger, written};
use super::row;
use super::trouble::Trouble;
use crate::{Gained, Merge, StoreError, Written};

/// Chains of replacements longer than this are taken for circles.
const CHAIN_MAX: usize = 10_000;

impl Ledger<'_> {
    pub(super) fn supersede(
        &mut self,
        path: &Namespace,
        older: MemoryId,
        newer: MemoryId,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let (Some(mut old), Some(new)) = (self.current(path, older)?, self.current(path, newer)?) else {
            return Ok(Written::Superseded(false));
        };
        let (older, newer) = (old.id, new.id);
        if self.leads_to(namespace, newer, older)? {
            return Ok(Written::Superseded(false));
        }
        self.update(namespace, &mut old)?;
        self.set_validity(namespace, older, Some(Some(newer)), None)?;
        self.note_superseded(namespace, path, older, newer, at)?;
        Ok(Written::Superseded(true))
    }

    /// Draws the edge that shows what took a memory's place, and tells of it.
    pub(super) fn note_superseded(
        &mut self,
        namespace: i64,
        path: &Namespace,
        older: MemoryId,
        newer: MemoryId,
        at: Timestamp,
    ) -> Result<(), Trouble> {
        if self.exists(namespace, newer)? {
            self.draw_supersedes(namespace, older, newer, at)?;
        }
        self.tell(Some(path), at, &Happening::Superseded { older, newer })
    }

    fn draw_supersedes(
        &mut self,
        namespace: i64,
        older: MemoryId,
        newer: MemoryId,
        at: Timestamp,
    ) -> Result<(), Trouble> {
        let edge_type = EdgeType::Supersedes;
        let edge = Edge { source: newer, target: older, edge_type, weight: 1.0, created_at: at };
        self.put_edge(namespace, &edge)?;
        self.mark_edges_changed(namespace, newer)
    }

    /// Takes the edge away that shows what took a memory's place.
    pub(super) fn erase_supersedes(&mut self, namespace: i64, older: MemoryId) -> Result<(), Trouble> {
        let mut select = self.connection.prepare_cached(
            "SELECT source FROM edges INDEXED BY edges_by_target WHERE namespace_id = ?1 AND target = ?2 AND type = ?3",
        )?;
        let key = params![namespace, older.as_bytes(), EdgeType::Supersedes.code()];
        let sources = select.query_all(key, |row| row.get(0))?;
        self.connection
            .prepare_cached("DELETE FROM edges INDEXED BY edges_by_target WHERE namespace_id = ?1 AND target = ?2 AND type = ?3")?
            .execute(key)?;
        for source in sources {
            self.mark_edges_changed(namespace, row::id(source))?;
        }
        Ok(())
    }

    /// What a memory took the place of is seen or unseen with it, so that indexes must look at it again.
    pub(super) fn touch_superseded(&mut self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        let mut select = self
            .connection
            .prepare_cached("SELECT id FROM memories WHERE namespace_id = ?1 AND superseded_by = ?2")?;
        let older = select.query_all(params![namespace, id.as_bytes()], |row| row.get::<[u8; 16]>(0))?;
        for older in older {
            let change = self.next_change(namespace)?;
            self.connection
                .prepare_cached("UPDATE memories SET change = ?3 WHERE namespace_id = ?1 AND id = ?2")?
                .execute(params![namespace, older, change.0])?;
        }
        Ok(())
    }

    /// Sets what took a memory's place and until when it held; `None` leaves a part as it is.
    pub(super) fn set_validity(
        &mut self,
        namespace: i64,
        id: MemoryId,
        superseded_by: Option<Option<MemoryId>>,
        valid_until: Option<Option<Timestamp>>,
    ) -> Result<(), Trouble> {
        if let Some(newer) = superseded_by {
            self.connection
                .prepare_cached("UPDATE memories SET superseded_by = ?3 WHERE namespace_id = ?1 AND id = ?2")?
                .execute(params![namespace, id.as_bytes(), newer.as_ref().map(MemoryId::as_bytes)])?;
        }
        if let Some(until) = valid_until {
            self.connection
                .prepare_cached("UPDATE memories SET valid_until = ?3 WHERE namespace_id = ?1 AND id = ?2")?
                .execute(params![namespace, id.as_bytes(), until.map(Timestamp::as_millisecond)])?;
        }
        Ok(())
    }

    /// Whether following what took each other's place from one memory arrives at another.
    pub(super) fn leads_to(&self, namespace: i64, from: MemoryId, to: MemoryId) -> Result<bool, Trouble> {
        let mut next = self
            .connection
            .prepare_cached("SELECT superseded_by FROM memories WHERE namespace_id = ?1 AND id = ?2")?;
        let mut at = from;
        for _ in 0..CHAIN_MAX {
            if at == to {
                return Ok(true);
            }
            let newer: Option<Option<[u8; 16]>> =
                next.query_row(params![namespace, at.as_bytes()], |row| row.get(0)).optional()?;
            match newer.flatten() {
                Some(newer) => at = row::id(newer),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The memory, if it is neither gone nor replaced.
    pub(super) fn current(&self, path: &Namespace, id: MemoryId) -> Result<Option<Memory>, Trouble> {
        match self.find(&Scope::Exact(path.clone()), id) {
            Err(Trouble::Told(StoreError::NotFound { .. })) => Ok(None),
            found => Ok(Some(found?.1)
                .filter(|memory| memory.trashed_at.is_none() && memory.facets.superseded_by.is_none())),
        }
    }

    pub(super) fn consolidate(
        &mut self,
        path: &Namespace,
        survivor: MemoryId,
        absorbed: MemoryId,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let survivor = self.stands_for(namespace, survivor)?;
        let (Some(mut kept), Some(mut aside)) =
            (self.current(path, survivor)?, self.current(path, absorbed)?)
        else {
            return Ok(Written::Consolidated(None));
        };
        let (survivor, absorbed) = (kept.id, aside.id);
        if survivor == absorbed || self.leads_to(namespace, survivor, absorbed)? {
            return Ok(Written::Consolidated(None));
        }
        let gained = join(&mut kept, &aside);
        if gained != Gained::default() {
            kept.updated_at = at;
            self.update(namespace, &mut kept)?;
        }
        self.update(namespace, &mut aside)?;
        self.set_validity(namespace, absorbed, Some(Some(survivor)), None)?;
        self.put_merge(namespace, &Merge { absorbed, survivor, at, gained })?;
        self.note_use(namespace, survivor, aside.created_at)?;
        self.draw_supersedes(namespace, absorbed, survivor, at)?;
        self.tell(Some(path), at, &Happening::Consolidated { survivor, absorbed })?;
        Ok(Written::Consolidated(Some(Box::new(kept))))
    }

    /// The memory that another one was merged into, and so on; itself if it was not.
    fn stands_for(&self, namespace: i64, id: MemoryId) -> Result<MemoryId, Trouble> {
        let mut into = self
            .connection
            .prepare_cached("SELECT survivor FROM merges WHERE namespace_id = ?1 AND absorbed = ?2")?;
        let mut at = id;
        for _ in 0..CHAIN_MAX {
            let survivor: Option<[u8; 16]> =
                into.query_row(params![namespace, at.as_bytes()], |row| row.get(0)).optional()?;
            match survivor {
                Some(survivor) => at = row::id(survivor),
                None => break,
            }
        }
        Ok(at)
    }

    pub(super) fn put_merge(&mut self, namespace: i64, merge: &Merge) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "INSERT INTO merges (namespace_id, absorbed, survivor, at, gained) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (namespace_id, absorbed) DO UPDATE SET survivor = excluded.survivor, at = excluded.at,
                 gained = excluded.gained",
            )?
            .execute(params![
                namespace,
                merge.absorbed.as_bytes(),
                merge.survivor.as_bytes(),
                merge.at.as_millisecond(),
                written(&merge.gained)?,
            ])?;
        Ok(())
    }

    pub(super) fn split(
        &mut self,
        scope: &Scope,
        absorbed: MemoryId,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let (namespace, mut memory) = self.find(scope, absorbed)?;
        let absorbed = memory.id;
        let path = memory.namespace.clone();
        let merged = merges(self.connection, namespace, absorbed)?;
        let Some(merge) = merged.into_iter().find(|merge| merge.absorbed == absorbed) else {
            return Err(StoreError::NotMerged { id: absorbed }.into());
        };
        self.connection
            .prepare_cached("DELETE FROM merges WHERE namespace_id = ?1 AND absorbed = ?2")?
            .execute(params![namespace, absorbed.as_bytes()])?;
        self.give_back(namespace, &path, &merge, at)?;
        memory.updated_at = at;
        self.update(namespace, &mut memory)?;
        self.set_validity(namespace, absorbed, Some(None), None)?;
        self.erase_supersedes(namespace, absorbed)?;
        self.arrive(namespace, absorbed, at)?;
        self.tell(Some(&path), at, &Happening::Split { survivor: merge.survivor, absorbed })?;
        let (_, memory) = self.find(scope, absorbed)?;
        Ok(Written::Split(Box::new(memory)))
    }

    /// Takes from a survivor what it gained by a merge. What another merged memory brings too stays, and is noted
    /// as gained from that one. What somebody changed since is left alone.
    fn give_back(
        &mut self,
        namespace: i64,
        path: &Namespace,
        merge: &Merge,
        at: Timestamp,
    ) -> Result<(), Trouble> {
        let survivor = match self.find(&Scope::Exact(path.clone()), merge.survivor) {
            Err(Trouble::Told(StoreError::NotFound { .. })) => return Ok(()),
            found => found?.1,
        };
        let mut all = vec![(merge.clone(), self.find(&Scope::Exact(path.clone()), merge.absorbed)?.1)];
        for other in merges(self.connection, namespace, merge.survivor)? {
            if other.survivor == merge.survivor && other.absorbed != merge.absorbed {
                let absorbed = self.find(&Scope::Exact(path.clone()), other.absorbed)?.1;
                all.push((other, absorbed));
            }
        }
        let mut after = survivor.clone();
        without_gains(&mut after, &all);
        for (merge, absorbed) in all.iter_mut().skip(1) {
            let gained = join(&mut after, &still_in(&survivor, absorbed));
            if merge.gained != gained {
                merge.gained = gained;
                self.put_merge(namespace, merge)?;
            }
        }
        if after != survivor {
            after.updated_at = at;
            self.update(namespace, &mut after)?;
        }
        Ok(())
    }

    /// A destroyed memory takes the notes of its merges along.
    pub(super) fn drop_merges(&self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        for sql in DROP_MERGES {
            self.connection.prepare_cached(sql)?.execute(params![namespace, id.as_bytes()])?;
        }
        Ok(())
    }
}

/// Each by its own index; asked for both at once, or left to the planner, all merges would be looked through.
pub(super) const DROP_MERGES: [&str; 2] = [
    "DELETE FROM merges WHERE namespace_id = ?1 AND absorbed = ?2",
    "DELETE FROM merges INDEXED BY merges_by_survivor WHERE namespace_id = ?1 AND survivor = ?2",
];

pub(super) const MERGES: &str =
    "SELECT absorbed, survivor, at, gained FROM merges WHERE namespace_id = ?1 AND absorbed = ?2
    UNION SELECT absorbed, survivor, at, gained FROM merges INDEXED BY merges_by_survivor
    WHERE namespace_id = ?1 AND survivor = ?2
    ORDER BY 3, 1";

/// Joins what a memory lacks of another into it.
fn join(kept: &mut Memory, aside: &Memory) -> Gained {
    let missing = |own: &mut Vec<String>, other: &[String]| {
        let gained: Vec<_> = other.iter().filter(|label| !own.contains(label)).cloned().collect();
        own.extend(gained.iter().cloned());
        gained
    };
    let tags = missing(&mut kept.facets.tags, &aside.facets.tags);
    let aliases = missing(&mut kept.facets.aliases, &aside.facets.aliases);
    let importance_before = (aside.importance > kept.importance).then_some(kept.importance);
    if importance_before.is_some() {
        kept.importance = aside.importance;
    }
    let pinned = aside.facets.pinned && !kept.facets.pinned;
    kept.facets.pinned |= pinned;
    Gained { tags, aliases, importance_before, pinned }
}

/// Makes a survivor what it was before these merges.
fn without_gains(survivor: &mut Memory, merges: &[(Merge, Memory)]) {
    let facets = &mut survivor.facets;
    let gained = |part: fn(&Gained) -> &Vec<String>, label: &String| {
        merges.iter().any(|(merge, _)| part(&merge.gained).contains(label))
    };
    facets.tags.retain(|tag| !gained(|gained| &gained.tags, tag));
    facets.aliases.retain(|alias| !gained(|gained| &gained.aliases, alias));
    facets.pinned &= !merges.iter().any(|(merge, _)| merge.gained.pinned);
    let before = merges.iter().filter_map(|(merge, _)| merge.gained.importance_before);
    let before = before.min_by(|a, b| a.value().total_cmp(&b.value()));
    if let Some(before) =
        before.filter(|_| merges.iter().any(|(_, one)| one.importance == survivor.importance))
    {
        survivor.importance = before;
    }
}

/// What a merged memory brings, as far as the survivor still has it.
fn still_in(survivor: &Memory, absorbed: &Memory) -> Memory {
    let mut brings = absorbed.clone();
    brings.facets.tags.retain(|tag| survivor.facets.tags.contains(tag));
    brings.facets.aliases.retain(|alias| survivor.facets.aliases.contains(alias));
    brings.facets.pinned &= survivor.facets.pinned;
    if brings.importance > survivor.importance {
        brings.importance = survivor.importance;
    }
    brings
}

/// What was merged into a memory, and what it was merged into.
pub(super) fn merges(connection: &Connection, namespace: i64, id: MemoryId) -> Result<Vec<Merge>, Trouble> {
    let mut statement = connection.prepare_cached(MERGES)?;
    let mut rows = statement.query(params![namespace, id.as_bytes()])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(Merge {
            absorbed: row::id(row.get(0)?),
            survivor: row::id(row.get(1)?),
            at: row::time(row.get(2)?)?,
            gained: row::json(row.get(3)?)?,
        });
    }
    Ok(found)
}
