//! What two stores differ in besides their memories, table by table.
//!
//! Memories, links and sessions are compared by whoever asks, one by one. Of what is here it is enough to know how
//! much: nobody must lose a journal unasked because nothing counted it.

use std::path::Path;

use rusqlite::Connection;
use serde::Serialize;

use super::Sqlite;
use super::backup::{attach, file};
use super::settings_for_copy;
use crate::StoreError;
use crate::sql::SqlStore;
use crate::sql::connection::{Connection as Shared, moment};
use crate::sql::trouble::Trouble;

/// A table whose rows are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Events of the journal.
    Journal,
    /// Turns of the journal.
    Turns,
    /// Feedback that was given.
    Feedback,
    /// Weights that feedback taught.
    Weights,
    /// Notes that the store keeps.
    Notes,
    /// How tasks went.
    Trajectories,
    /// What was distilled of them.
    Patterns,
    /// What else was learned.
    Learned,
}

impl Part {
    /// Every part, in the order they are told.
    pub const ALL: [Self; 8] = [
        Self::Journal,
        Self::Turns,
        Self::Feedback,
        Self::Weights,
        Self::Notes,
        Self::Trajectories,
        Self::Patterns,
        Self::Learned,
    ];

    /// What one of it is called, and what several are.
    pub const fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Journal => ("journal event", "journal events"),
            Self::Turns => ("turn", "turns"),
            Self::Feedback => ("piece of feedback", "pieces of feedback"),
            Self::Weights => ("set of weights", "sets of weights"),
            Self::Notes => ("part of notes", "parts of notes"),
            Self::Trajectories => ("trajectory", "trajectories"),
            Self::Patterns => ("pattern", "patterns"),
            Self::Learned => ("learned set", "learned sets"),
        }
    }

    /// The tables that hold it.
    pub(super) const fn tables(self) -> &'static [&'static str] {
        match self {
            Self::Journal => &["journal_entries"],
            Self::Turns => &["journal_turns"],
            Self::Feedback => &["feedback"],
            Self::Weights => &["weights"],
            Self::Notes => &["note_documents", "note_lines"],
            Self::Trajectories => &["trajectories"],
            Self::Patterns => &["patterns"],
            Self::Learned => &["learned"],
        }
    }
}

/// How many rows of a part two stores do not share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartDifference {
    /// Of what.
    pub part: Part,
    /// How many are only in the second.
    pub added: u64,
    /// How many are only in the first.
    pub removed: u64,
    /// How many are in both and say something else.
    pub altered: u64,
}

impl PartDifference {
    /// How many are different at all.
    pub fn total(&self) -> u64 {
        self.added + self.removed + self.altered
    }
}

/// Columns that say where a row lies or when it came, not what it is. Vectors follow from the text.
const ASIDE: [&str; 6] = ["namespace_id", "space_id", "change", "arrived_at", "vector", "version"];

impl SqlStore<Sqlite> {
    /// What it would take to get from this store to another one of the same format, in a file, besides memories, links
    /// and sessions. Parts that are the same are left out.
    pub fn parts_apart(&self, other: &Path) -> Result<Vec<PartDifference>, StoreError> {
        let location = &self.backend.location;
        let compared = || -> Result<Vec<PartDifference>, Trouble> {
            let shared = Shared::Sqlite(location.connect_reader()?);
            let connection = file(&shared)?;
            let key = settings_for_copy(other, location.key.as_ref()).key;
            attach(connection, other, "other", key.as_ref())?;
            let _moment = moment(&shared)?;
            let mut found = Vec::new();
            for part in Part::ALL {
                let difference = part_difference(connection, part)?;
                if difference.total() > 0 {
                    found.push(difference);
                }
            }
            Ok(found)
        };
        compared().map_err(|trouble| location.tell(trouble))
    }
}

fn part_difference(connection: &Connection, part: Part) -> Result<PartDifference, Trouble> {
    let mut difference = PartDifference { part, added: 0, removed: 0, altered: 0 };
    for table in part.tables() {
        let (removed, altered) = one_way(connection, table, ("main", "other"))?;
        let (added, _) = one_way(connection, table, ("other", "main"))?;
        difference.removed += removed;
        difference.added += added;
        difference.altered += altered;
    }
    Ok(difference)
}

/// How many rows of one side the other does not have, and how many it has otherwise.
fn one_way(
    connection: &Connection,
    table: &str,
    (ours, theirs): (&str, &str),
) -> Result<(u64, u64), Trouble> {
    let mut statement = connection.prepare("SELECT name, pk FROM pragma_table_info(?1, 'main')")?;
    let columns = statement
        .query_map([table], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut key = String::new();
    let mut same = String::from("true");
    for (column, place) in columns.iter().filter(|(column, _)| !ASIDE.contains(&column.as_str())) {
        if *place > 0 {
            key.push_str(&format!(" AND b.\"{column}\" = a.\"{column}\""));
        } else {
            same.push_str(&format!(" AND b.\"{column}\" IS a.\"{column}\""));
        }
    }
    let sql = format!(
        "SELECT coalesce(sum(b.namespace_id IS NULL), 0),
             coalesce(sum(b.namespace_id IS NOT NULL AND NOT ({same})), 0)
         FROM {ours}.{table} a JOIN {ours}.namespaces n ON n.id = a.namespace_id
         LEFT JOIN {theirs}.namespaces o ON o.path = n.path
         LEFT JOIN {theirs}.{table} b ON b.namespace_id = o.id{key}"
    );
    Ok(connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
}
