//! Whose an id is. What comes in gets an id that no other namespace holds; what an older release stored may share one.

use peri_types::{Memory, MemoryId, Namespace, Scope, Turn};
use rusqlite::params;

use super::apply::Ledger;
use super::connection::Connection;
use super::row;
use super::trouble::Trouble;
use crate::{GIVEN_ID, StoreError, WholeMemory};

/// An id that follows from another may be held elsewhere too, if somebody means harm. So many are tried.
const ATTEMPTS: usize = 8;

impl Ledger<'_> {
    /// Gives a memory an id of its own if another namespace holds the one it came with, which is kept with it.
    pub(super) fn settle_id(&self, namespace: i64, memory: &mut Memory) -> Result<(), Trouble> {
        let settled = self.settled(namespace, &memory.namespace, memory.id)?;
        if settled != memory.id {
            let given = memory.id.to_string().into();
            memory.facets.metadata.entry(GIVEN_ID).or_insert(given);
            memory.id = settled;
        }
        Ok(())
    }

    /// The same for a memory that comes with its relations: what they name came, or will come, the same way.
    pub(super) fn settle_ids(&self, namespace: i64, whole: &mut WholeMemory) -> Result<(), Trouble> {
        let path = whole.memory.namespace.clone();
        let own = whole.memory.id;
        self.settle_id(namespace, &mut whole.memory)?;
        let facets = &mut whole.memory.facets;
        for id in [&mut facets.superseded_by, &mut facets.promoted_to].into_iter().flatten() {
            *id = self.settled(namespace, &path, *id)?;
        }
        if let Some(merge) = &mut whole.merge {
            for id in [&mut merge.absorbed, &mut merge.survivor] {
                *id = if *id == own { whole.memory.id } else { self.settled(namespace, &path, *id)? };
            }
        }
        Ok(())
    }

    /// The id that a memory has in a namespace, or gets when it comes there.
    fn settled(&self, namespace: i64, path: &Namespace, given: MemoryId) -> Result<MemoryId, Trouble> {
        let mut holders =
            self.connection.prepare_cached("SELECT id, namespace_id FROM memories WHERE id IN (?1, ?2)")?;
        let mut id = given;
        for _ in 0..ATTEMPTS {
            let next = id.within(path);
            let held = holders.query_all(params![id.as_bytes(), next.as_bytes()], |row| {
                Ok((row::id(row.get(0)?), row.get::<i64>(1)?))
            })?;
            if held.contains(&(id, namespace)) {
                return Ok(id);
            }
            if held.contains(&(next, namespace)) {
                return Ok(next);
            }
            if !held.iter().any(|(own, _)| *own == id) {
                return Ok(id);
            }
            id = next;
        }
        Ok(id)
    }

    /// Gives a turn that is new in its namespace an id of its own if another namespace holds the one it came with.
    pub(super) fn settle_turn(&self, namespace: i64, turn: &mut Turn) -> Result<(), Trouble> {
        let given = turn.id;
        for _ in 0..ATTEMPTS {
            let next = turn.id.within(&turn.namespace);
            if self.has_turn(namespace, &turn.id)? {
                break;
            }
            if self.has_turn(namespace, &next)? {
                turn.id = next;
                break;
            }
            if !self.is_turn_elsewhere(namespace, &turn.id)? {
                break;
            }
            turn.id = next;
        }
        if turn.id != given {
            turn.metadata.entry(GIVEN_ID).or_insert_with(|| given.to_string().into());
        }
        Ok(())
    }

    fn has_turn(&self, namespace: i64, id: &peri_types::TurnId) -> Result<bool, Trouble> {
        self.connection
            .prepare_cached("SELECT 1 FROM journal_turns WHERE namespace_id = ?1 AND id = ?2")?
            .exists(params![namespace, id.as_bytes()])
    }

    /// The key begins with the namespace, so each is looked at.
    fn is_turn_elsewhere(&self, namespace: i64, id: &peri_types::TurnId) -> Result<bool, Trouble> {
        self.connection
            .prepare_cached(
                "SELECT 1 FROM namespaces n WHERE n.id <> ?1
                 AND EXISTS (SELECT 1 FROM journal_turns t WHERE t.namespace_id = n.id AND t.id = ?2)",
            )?
            .exists(params![namespace, id.as_bytes()])
    }
}

/// The one of several that an id names, or why that cannot be told.
pub(super) fn only<T>(id: impl ToString, mut found: Vec<(Namespace, T)>) -> Result<Option<T>, Trouble> {
    if found.len() > 1 {
        let mut namespaces: Vec<_> = found.into_iter().map(|(namespace, _)| namespace).collect();
        namespaces.sort();
        return Err(StoreError::Ambiguous { id: id.to_string(), namespaces }.into());
    }
    Ok(found.pop().map(|(_, one)| one))
}

/// The id by which a namespace knows what came with this one, for who only reads.
pub(super) fn known_turn(
    connection: &Connection,
    scope: &Scope,
    id: peri_types::TurnId,
) -> Result<Option<peri_types::TurnId>, Trouble> {
    let Scope::Exact(path) = scope else { return Ok(None) };
    let settled = id.within(path);
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM journal_turns t JOIN namespaces n ON n.id = t.namespace_id WHERE n.path = ?1 AND t.id = ?2",
    )?;
    Ok(statement.exists(params![path.as_str(), settled.as_bytes()])?.then_some(settled))
}
