//! Which space answers, and the vectors that are made for another one beside it.
//!
//! A memory is embedded if it has a vector in the space that answers. Whoever comes with one of another space, because
//! the switch was faster, leaves a memory that waits for the engine in use. An empty vector says that a space's engine was
//! asked and has none for the text.
//!
//! The switch itself is one row, from which on every index reads the vectors of the new space. What each memory's row says
//! of its own meaning follows in pieces, each a transaction, and how far it has come is kept beside the choice.

use std::collections::{BTreeMap, HashMap};

use peri_types::{MemoryId, Namespace, Scope, SpaceId, Timestamp};
use rusqlite::params;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

use super::apply::{Ledger, written};
use super::connection::{Connection, Optional};
use super::trouble::Trouble;
use super::{read, row};
use crate::{CurrentSpace, LateVector, SpaceStats, Written, vectors};

/// Under which name the choice is kept.
const CURRENT: &str = "current";

/// So many memories follow a switch in one transaction, so that nobody waits long for the store.
const PIECE: usize = 1000;

/// So many vectors are put with one statement.
const TOGETHER: usize = 64;

/// What a memory's row says of its meaning, as its vectors have it; ?1 is the number of the space that answers.
const FOLLOW: &str = "UPDATE memories SET
    embedding = coalesce((SELECT CASE WHEN octet_length(v.value) > 0 THEN 1 ELSE 2 END FROM vectors v
        WHERE v.namespace_id = memories.namespace_id AND v.id = memories.id AND v.space_id = ?1), 0),
    space_id = (SELECT v.space_id FROM vectors v WHERE v.namespace_id = memories.namespace_id
        AND v.id = memories.id AND v.space_id = ?1 AND octet_length(v.value) > 0)
    WHERE namespace_id = ?2";

/// Leaves out what came after the switch and has no vector because the engine in use said so. ?3 is the last change before
/// the switch.
const BUT_FRESH: &str = "NOT (embedding = 2 AND change > ?3 AND NOT EXISTS (SELECT 1 FROM vectors v
    WHERE v.namespace_id = memories.namespace_id AND v.id = memories.id AND v.space_id = ?1))";

/// The choice as it is kept.
#[derive(Serialize, Deserialize)]
struct Choice {
    #[serde(flatten)]
    current: CurrentSpace,
    /// How far the memories have followed; none if all have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    following: Option<Following>,
}

/// How far the memories have followed a switch: namespaces by their paths, and in each by ids.
#[derive(Serialize, Deserialize)]
struct Following {
    /// The namespace that is next, or under way.
    namespace: Option<Namespace>,
    /// The last one in it that has followed.
    after: Option<MemoryId>,
    /// The last change before the switch.
    since: u64,
}

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
        let (known, following) = parted(chosen(self.connection)?);
        let choice = match known {
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
        self.put_choice(&Choice { current: choice, following }, at)?;
        Ok(Written::SpaceSwitched(true))
    }

    /// Makes a space the one that answers, unless another was chosen since a revision was read. Choosing what is chosen
    /// already takes more memories along that have not followed yet; whether there were any is the answer then.
    pub(super) fn switch_space(
        &mut self,
        to: CurrentSpace,
        read: u64,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let (before, following) = parted(chosen(self.connection)?);
        let revision = before.as_ref().map_or(0, |before| before.revision);
        if revision != read {
            return Ok(Written::SpaceSwitched(false));
        }
        let begun = Following { namespace: None, after: None, since: self.coming_change().0 - 1 };
        let (current, following) = match before {
            Some(before) if is_the_same(&before, &to) => match following {
                None => return Ok(Written::SpaceSwitched(false)),
                following => (before, following),
            },
            Some(before) if before.space == to.space => {
                (CurrentSpace { revision: revision + 1, ..to }, following)
            }
            _ => (CurrentSpace { revision: revision + 1, ..to }, Some(begun)),
        };
        let following = match following {
            Some(following) => self.follow(current.space.as_ref(), following)?,
            None => None,
        };
        self.put_choice(&Choice { current, following }, at)?;
        Ok(Written::SpaceSwitched(true))
    }

    /// Lets a piece of the memories follow to a space; how far it has come, or none if all have followed.
    fn follow(
        &mut self,
        space: Option<&SpaceId>,
        mut following: Following,
    ) -> Result<Option<Following>, Trouble> {
        // No space has the number zero.
        let number = space.map(|space| self.space_number(space)).transpose()?.unwrap_or(0);
        let mut namespaces = read::namespace_numbers(self.connection, &Scope::All)?;
        // Databases differ in how they order texts.
        namespaces.sort_by(|one, other| one.1.cmp(&other.1));
        let mut left = PIECE;
        for (namespace, path) in &namespaces {
            if following.namespace.as_ref().is_some_and(|next| path < next) {
                continue;
            }
            if following.namespace.as_ref() != Some(path) {
                following.namespace = Some(path.clone());
                following.after = None;
            }
            loop {
                if left == 0 {
                    return Ok(Some(following));
                }
                let Some((last, count)) = self.follow_some(number, *namespace, &following, left)? else {
                    break;
                };
                following.after = Some(last);
                left -= count.min(left);
            }
            // An empty namespace costs a look too.
            left = left.saturating_sub(1);
        }
        self.follow_late(number, &namespaces, following.since)?;
        Ok(None)
    }

    /// The next memories of a namespace follow, at most so many: the last of them, and how many they were.
    fn follow_some(
        &self,
        space: i64,
        namespace: i64,
        following: &Following,
        limit: usize,
    ) -> Result<Option<(MemoryId, usize)>, Trouble> {
        let after = following.after.map_or([0; 16], |after| *after.as_bytes());
        let ids: Vec<[u8; 16]> = self
            .connection
            .prepare_cached(
                "SELECT id FROM memories WHERE namespace_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
            )?
            .query_all(params![namespace, after, limit], |row| row.get(0))?;
        let Some(last) = ids.last() else { return Ok(None) };
        self.connection
            .prepare_cached(&format!("{FOLLOW} AND {BUT_FRESH} AND id > ?4 AND id <= ?5"))?
            .execute(params![space, namespace, following.since, after, last])?;
        Ok(Some((row::id(*last), ids.len())))
    }

    /// What came or was moved into a namespace since the switch, after that namespace had followed.
    fn follow_late(&self, space: i64, namespaces: &[(i64, Namespace)], since: u64) -> Result<(), Trouble> {
        for (namespace, path) in namespaces {
            if read::head(self.connection, path)?.0 > since {
                self.connection
                    .prepare_cached(&format!("{FOLLOW} AND {BUT_FRESH} AND change > ?3"))?
                    .execute(params![space, namespace, since])?;
            }
        }
        Ok(())
    }

    /// Gives memories vectors beside those they have, many with one statement. What was revised meanwhile is left out.
    pub(super) fn put_vectors(
        &mut self,
        space: &SpaceId,
        vectors: &[LateVector],
    ) -> Result<Written, Trouble> {
        let number = self.space_number(space)?;
        let mut taken = 0;
        for group in vectors.chunk_by(|one, other| one.namespace == other.namespace) {
            let Some(namespace) = read::namespace_number(self.connection, &group[0].namespace)? else {
                continue;
            };
            for some in group.chunks(TOGETHER) {
                taken += self.put_together(namespace, number, some)?;
            }
        }
        Ok(Written::VectorsPut(taken))
    }

    /// Gives some memories of one namespace vectors; how many of them.
    fn put_together(&self, namespace: i64, space: i64, late: &[LateVector]) -> Result<u64, Trouble> {
        let ids = late.iter().map(|late| Value::Blob(late.id.as_bytes().to_vec()));
        let sql = format!(
            "SELECT id, version FROM memories WHERE namespace_id = ? AND id IN ({})",
            vec!["?"; late.len()].join(", ")
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let versions: HashMap<MemoryId, u32> = statement
            .query_all(std::iter::once(Value::Integer(namespace)).chain(ids).collect::<Vec<_>>(), |row| {
                Ok((row::id(row.get(0)?), row.get(1)?))
            })?
            .into_iter()
            .collect();
        // No statement may write a row twice.
        let wanted: BTreeMap<MemoryId, &LateVector> = late
            .iter()
            .filter(|late| versions.get(&late.id) == Some(&late.version))
            .map(|late| (late.id, late))
            .collect();
        if wanted.is_empty() {
            return Ok(0);
        }
        let values = wanted.values().flat_map(|late| {
            let (id, value) = (late.id.as_bytes().to_vec(), late.values.as_deref().unwrap_or(&[]));
            [
                Value::Integer(namespace),
                Value::Blob(id),
                Value::Integer(space),
                Value::Blob(vectors::encode(value)),
            ]
        });
        let sql = format!(
            "INSERT INTO vectors (namespace_id, id, space_id, value) VALUES {}
             ON CONFLICT (namespace_id, id, space_id) DO UPDATE SET value = excluded.value",
            vec!["(?, ?, ?, ?)"; wanted.len()].join(", ")
        );
        self.connection.prepare_cached(&sql)?.execute(values.collect::<Vec<_>>())?;
        Ok(wanted.len() as u64)
    }

    /// Drops the vectors of a namespace in other spaces than these and the one that answers.
    pub(super) fn drop_vectors_but(&self, path: &Namespace, kept: &[SpaceId]) -> Result<Written, Trouble> {
        let namespace = read::namespace_number(self.connection, path)?;
        let (current, following) = parted(chosen(self.connection)?);
        // Memories that have not followed yet still name their old vectors.
        let (Some(namespace), Some(current), None) = (namespace, current, following) else {
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

    fn put_choice(&mut self, choice: &Choice, at: Timestamp) -> Result<(), Trouble> {
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
    Ok(chosen(connection)?.map(|choice| choice.current))
}

fn chosen(connection: &Connection) -> Result<Option<Choice>, Trouble> {
    // Every call of every process asks, so that it is one statement.
    let mut statement = connection
        .prepare_cached("SELECT state, EXISTS (SELECT 1 FROM vectors) FROM reindexing WHERE name = ?1")?;
    let found = statement.query_row([CURRENT], |row| Ok((row.get::<String>(0)?, row.get(1)?))).optional()?;
    let read = |(state, in_use): (String, bool)| {
        let Choice { current, following } = serde_json::from_str(&state).map_err(row::malformed)?;
        Ok(Choice { current: CurrentSpace { in_use, ..current }, following })
    };
    found.map(read).transpose()
}

fn parted(choice: Option<Choice>) -> (Option<CurrentSpace>, Option<Following>) {
    choice.map_or((None, None), |choice| (Some(choice.current), choice.following))
}

/// Whether a choice is the one that was made.
fn is_the_same(made: &CurrentSpace, choice: &CurrentSpace) -> bool {
    made.space == choice.space && made.recipe == choice.recipe && made.instead_of == choice.instead_of
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
