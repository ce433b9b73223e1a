//! Which space answers, and the vectors that are made for another one beside it.
//!
//! A memory is embedded if it has a vector in the space that answers. Whoever comes with one of another space, because
//! the switch was faster, leaves a memory that waits for the engine in use. An empty vector says that a space's engine was asked and has none for the text.

use peri_types::{Namespace, Scope, SpaceId, Timestamp};
use rusqlite::params;

use super::apply::{Ledger, written};
use super::connection::{Connection, Optional};
use super::trouble::Trouble;
use super::{read, row};
use crate::{CurrentSpace, LateVector, SpaceStats, StoreError, Written};

/// Under which name the choice is kept.
const CURRENT: &str = "current";

impl Ledger<'_> {
    /// Whether a space is the one that answers; any is before one was chosen.
    pub(super) fn answers(&mut self, space: &SpaceId) -> Result<bool, Trouble> {
        if let Some(known) = self.call.as_ref().and_then(|call| call.answers.as_ref()) {
            return Ok(known.as_ref().is_none_or(|chosen| chosen.as_ref() == Some(space)));
        }
        let chosen = current(self.connection)?.map(|current| current.space);
        let answers = chosen.as_ref().is_none_or(|chosen| chosen.as_ref() == Some(space));
        if let Some(call) = &mut self.call {
            call.answers = Some(chosen);
        }
        Ok(answers)
    }

    /// Puts down the space of a store that has none, and the recipe of one that has no recipe.
    pub(super) fn adopt_space(
        &mut self,
        space: SpaceId,
        recipe: Option<String>,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let choice = match current(self.connection)? {
            Some(known)
                if known.space.as_ref() == Some(&space) && known.recipe.is_none() && recipe.is_some() =>
            {
                CurrentSpace { recipe, ..known }
            }
            Some(known) if known.in_use || known.space.as_ref() == Some(&space) => {
                return Ok(Written::SpaceSwitched(false));
            }
            known => {
                // What no engine had a vector for is asked of this one.
                self.connection
                    .execute("UPDATE memories SET embedding = 0 WHERE embedding = 2", params![])?;
                let revision = known.map_or(1, |known| known.revision + 1);
                CurrentSpace { space: Some(space), recipe, instead_of: None, revision, in_use: false }
            }
        };
        self.put_choice(&choice, at)?;
        Ok(Written::SpaceSwitched(true))
    }

    /// Makes a space the one that answers, unless another was chosen since a revision was read.
    pub(super) fn switch_space(
        &mut self,
        to: CurrentSpace,
        read: u64,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let before = current(self.connection)?;
        let revision = before.as_ref().map_or(0, |before| before.revision);
        if revision != read {
            return Ok(Written::SpaceSwitched(false));
        }
        if before.is_none_or(|before| before.space != to.space) {
            let number = to.space.as_ref().map(|space| self.space_number(space)).transpose()?;
            self.connection.execute(
                "UPDATE memories SET
                 embedding = coalesce((SELECT CASE WHEN octet_length(v.value) > 0 THEN 1 ELSE 2 END FROM vectors v
                     WHERE v.namespace_id = memories.namespace_id AND v.id = memories.id AND v.space_id = ?1), 0),
                 space_id = (SELECT v.space_id FROM vectors v WHERE v.namespace_id = memories.namespace_id
                     AND v.id = memories.id AND v.space_id = ?1 AND octet_length(v.value) > 0)",
                // No space has the number zero.
                params![number.unwrap_or(0)],
            )?;
        }
        self.put_choice(&CurrentSpace { revision: revision + 1, ..to }, at)?;
        Ok(Written::SpaceSwitched(true))
    }

    /// Gives memories vectors beside those they have. What was revised meanwhile is left out.
    pub(super) fn put_vectors(
        &mut self,
        space: &SpaceId,
        vectors: &[LateVector],
    ) -> Result<Written, Trouble> {
        let number = self.space_number(space)?;
        let mut taken = 0;
        for late in vectors {
            let (namespace, memory) = match self.find(&Scope::Exact(late.namespace.clone()), late.id) {
                Err(Trouble::Told(StoreError::NotFound { .. })) => continue,
                found => found?,
            };
            if memory.version == late.version {
                self.put_vector(namespace, late.id, number, late.values.as_deref().unwrap_or(&[]))?;
                taken += 1;
            }
        }
        Ok(Written::VectorsPut(taken))
    }

    /// Drops the vectors of a namespace in other spaces than these and the one that answers.
    pub(super) fn drop_vectors_but(&self, path: &Namespace, kept: &[SpaceId]) -> Result<Written, Trouble> {
        let namespace = read::namespace_number(self.connection, path)?;
        let (Some(namespace), Some(current)) = (namespace, current(self.connection)?) else {
            return Ok(Written::VectorsDropped(0));
        };
        let mut dropped = 0;
        for (number, space) in numbers(self.connection)? {
            if !kept.contains(&space) && current.space.as_ref() != Some(&space) {
                dropped += self
                    .connection
                    .prepare_cached("DELETE FROM vectors WHERE namespace_id = ?1 AND space_id = ?2")?
                    .execute(params![namespace, number])?;
            }
        }
        Ok(Written::VectorsDropped(dropped as u64))
    }

    fn put_choice(&mut self, choice: &CurrentSpace, at: Timestamp) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "INSERT INTO reindexing (name, state, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (name) DO UPDATE SET state = excluded.state, at = excluded.at",
            )?
            .execute(params![CURRENT, written(choice)?, at.as_millisecond()])?;
        if let Some(call) = &mut self.call {
            call.answers = None;
        }
        Ok(())
    }
}

/// The space that answers, if one was chosen.
pub(super) fn current(connection: &Connection) -> Result<Option<CurrentSpace>, Trouble> {
    // Every call of every process asks, so that it is one statement.
    let mut statement = connection
        .prepare_cached("SELECT state, EXISTS (SELECT 1 FROM vectors) FROM reindexing WHERE name = ?1")?;
    let found = statement.query_row([CURRENT], |row| Ok((row.get::<String>(0)?, row.get(1)?))).optional()?;
    let read = |(state, in_use): (String, bool)| {
        let choice: CurrentSpace = serde_json::from_str(&state).map_err(row::malformed)?;
        Ok(CurrentSpace { in_use, ..choice })
    };
    found.map(read).transpose()
}

fn numbers(connection: &Connection) -> Result<Vec<(i64, SpaceId)>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT id, model, dimensions FROM spaces ORDER BY id")?;
    statement.query_all(params![], |row| {
        Ok((row.get(0)?, SpaceId { model: row.get(1)?, dimensions: row.get(2)? }))
    })
}

/// What the vectors of each space take.
pub(super) fn spaces(connection: &Connection) -> Result<Vec<SpaceStats>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT s.model, s.dimensions, sum(CASE WHEN octet_length(v.value) > 0 THEN 1 ELSE 0 END), count(*),
         sum(octet_length(v.value)) FROM vectors v JOIN spaces s ON s.id = v.space_id
         GROUP BY s.id, s.model, s.dimensions ORDER BY s.id",
    )?;
    statement.query_all(params![], |row| {
        let space = SpaceId { model: row.get(0)?, dimensions: row.get(1)? };
        let (vectors, asked): (u64, u64) = (row.get(2)?, row.get(3)?);
        Ok(SpaceStats { space, vectors, without: asked - vectors.min(asked), bytes: row.get(4)? })
    })
}
