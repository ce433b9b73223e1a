//! Copies of the whole store, and a copy taking the place of what is here.
//!
//! A copy is one point in time: SQLite writes it from one snapshot while others go on writing. Taking its place back
//! is one transaction on the living database, so that nobody who has it open sees anything but the old or the new
//! state. It is a change like any other: every memory gets a new change number and what is gone a tombstone, so that
//! the indexes of all processes follow without knowing of it.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use peri_seal::Key;
use peri_types::{ChangeNumber, Happening, Timestamp};
use rusqlite::{Connection, named_params, params};
use serde::{Deserialize, Serialize};

use super::apart::Part;
use super::open::{Access, Location, SqliteSettings, as_given};
use super::{Sqlite, check, schema, settings_for_copy, take_turn};
use crate::sql::apply::Ledger;
use crate::sql::connection::{Connection as Shared, moment};
use crate::sql::trouble::Trouble;
use crate::sql::{SqlStore, read};
use crate::{Problem, StoreError};

/// What a store holds, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreCounts {
    /// Namespaces, the empty ones included.
    pub namespaces: u64,
    /// Memories outside the trash.
    pub memories: u64,
    /// Memories in the trash.
    pub trashed: u64,
    /// Edges.
    pub edges: u64,
    /// Sessions.
    pub sessions: u64,
    /// Keys, the revoked ones included.
    pub keys: u64,
    /// Events of the journal.
    #[serde(default, skip_serializing_if = "is_none")]
    pub journal: u64,
    /// Turns of the journal.
    #[serde(default, skip_serializing_if = "is_none")]
    pub turns: u64,
    /// Pieces of feedback.
    #[serde(default, skip_serializing_if = "is_none")]
    pub feedback: u64,
    /// Sets of weights that feedback taught.
    #[serde(default, skip_serializing_if = "is_none")]
    pub weights: u64,
    /// Documents and lines of notes that the store keeps.
    #[serde(default, skip_serializing_if = "is_none")]
    pub notes: u64,
    /// Trajectories.
    #[serde(default, skip_serializing_if = "is_none")]
    pub trajectories: u64,
    /// Patterns.
    #[serde(default, skip_serializing_if = "is_none")]
    pub patterns: u64,
    /// Sets of what else was learned.
    #[serde(default, skip_serializing_if = "is_none")]
    pub learned: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl StoreCounts {
    /// What of it a restore would replace: everything but namespaces and keys, which stay.
    pub fn contents(&self) -> u64 {
        let Self { memories, trashed, edges, sessions, journal, turns, .. } = self;
        let Self { feedback, weights, notes, trajectories, patterns, learned, .. } = self;
        let kept = memories + trashed + edges + sessions + journal + turns;
        kept + feedback + weights + notes + trajectories + patterns + learned
    }

    /// The same as they were counted before journals and what was learned were.
    #[must_use]
    pub fn as_first_counted(&self) -> Self {
        let Self { namespaces, memories, trashed, edges, sessions, keys, .. } = *self;
        Self { namespaces, memories, trashed, edges, sessions, keys, ..Self::default() }
    }
}

/// What tells one state of a store from every other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreFacts {
    /// The format of its tables.
    pub format: u32,
    /// What tells the store from every other one.
    pub identity: String,
    /// The mark that the last writer left.
    pub lineage: String,
    /// Its last change.
    pub change: ChangeNumber,
    /// What it holds.
    pub counts: StoreCounts,
}

/// Ends the making of a copy early, from any thread. Once the copy is made it does nothing.
pub struct CopyInterrupt(rusqlite::InterruptHandle);

impl CopyInterrupt {
    /// Ends it.
    pub fn interrupt(&self) {
        self.0.interrupt();
    }
}

/// A copy of a store in a file that nobody writes. It is read as it is and never changed.
pub struct StoreCopy {
    location: Location,
    connection: Shared,
}

/// The copy that is to take the place of what a store holds.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// The copy's file. It is brought to the newest format first.
    pub copy: PathBuf,
    /// What the backup is called, for the event that tells of it.
    pub name: String,
    /// When the copy was made: what was to live on for a while then, gets the rest of that time from now on.
    pub taken_at: Timestamp,
    /// When it takes its place.
    pub at: Timestamp,
    /// The last event of an audit log that the store here does not know, if there is one: events go on after it, so
    /// that the log can.
    pub events_after: Option<u64>,
}

/// What a replacement did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replaced {
    /// Memories that are here now, those in the trash included.
    pub memories: u64,
    /// Memories that were here and are not in the copy.
    pub gone: u64,
    /// The store's last change now.
    pub change: ChangeNumber,
}

/// Asked once nobody else can write, with the store's last change, whether the replacement may go on.
pub type Ready<'a> = &'a mut dyn FnMut(ChangeNumber) -> Result<(), StoreError>;

impl SqlStore<Sqlite> {
    /// Writes a copy of everything to a new file, as of one moment. Nobody waits for it, and nothing that was purged
    /// is in it. Before it begins, `begun` gets what ends it early; then it fails, and the file is of no use.
    pub fn copy_to(&self, path: &Path, begun: &dyn Fn(CopyInterrupt)) -> Result<(), StoreError> {
        let copied = || -> Result<(), Trouble> {
            let connection = self.backend.location.connect_reader()?;
            begun(CopyInterrupt(connection.get_interrupt_handle()));
            // The connection changes nothing here, but it writes the copy.
            connection.pragma_update(None, "query_only", false)?;
            // SQLite writes into a file that is empty, and would make one for everybody to read.
            if let Err(error) = peri_private::own_file().write(true).create_new(true).open(path) {
                tracing::trace!(%error, path = %path.display(), "the copy's file is left to SQLite");
            }
            connection.execute("VACUUM INTO ?1", [text(path)?]).map_err(|error| told_rightly(error, path))?;
            Ok(())
        };
        copied().map_err(|trouble| match trouble {
            // It is the copy's disk that is full, or its folder that cannot be written.
            trouble @ Trouble::Sqlite(_) => trouble.tell(path, 0),
            trouble => self.backend.location.tell(trouble),
        })
    }

    /// What tells the present state from every other.
    pub fn facts(&self) -> Result<StoreFacts, StoreError> {
        self.read(facts)
    }

    /// Puts what a copy holds in the place of what is here, in one transaction. The identity, the audit log, leases and
    /// keys that are only here stay; a key that is revoked here stays revoked. What background jobs did and found stays
    /// too: it is about this installation, a restore does not undo that a job ran, and the next run of each finds what
    /// is so now.
    pub fn replace_with(&self, replacement: &Replacement, ready: Ready<'_>) -> Result<Replaced, StoreError> {
        let location = &self.backend.location;
        if location.access != Access::ReadWrite {
            return Err(StoreError::ReadOnly { path: location.path.clone() });
        }
        let settings = settings_for_copy(&replacement.copy, location.key.as_ref());
        drop(Self::open(&replacement.copy, &settings)?);
        self.replace(replacement, settings.key.as_ref(), ready).map_err(|trouble| location.tell(trouble))
    }

    fn replace(
        &self,
        replacement: &Replacement,
        key: Option<&Key>,
        ready: Ready<'_>,
    ) -> Result<Replaced, Trouble> {
        let shared = Shared::Sqlite(self.backend.location.connect_writer()?);
        let connection = file(&shared)?;
        attach(connection, &replacement.copy, "copy", key)?;
        let transaction = take_turn(&shared, &self.backend.location)?;
        let before = counter(connection)?;
        ready(ChangeNumber(before))?;
        let replaced = replace_all(connection, replacement, before)?;
        let mut ledger = Ledger::open(&shared)?;
        let told =
            Happening::BackupRestored { backup: replacement.name.clone(), memories: replaced.memories };
        ledger.tell(None, replacement.at, &told)?;
        transaction.commit()?;
        // The log is as long as everything that was written; if somebody reads, it is cut another time. By now the
        // replacement is done, so that no trouble here may tell otherwise.
        if let Err(error) = connection.query_row("PRAGMA main.wal_checkpoint(TRUNCATE)", [], |_| Ok(())) {
            tracing::debug!(%error, "the log is cut another time");
        }
        Ok(replaced)
    }
}

impl StoreCopy {
    /// Opens a copy. A file of something else, or of a newer release, is refused.
    ///
    /// A copy of an encrypted store takes the key of then; one that is plain takes none, whatever is given.
    pub fn open(path: &Path, key: Option<&Key>) -> Result<Self, StoreError> {
        let settings = SqliteSettings { busy_timeout: Duration::ZERO, ..settings_for_copy(path, key) };
        let location = Location::at(path, Access::Immutable, &settings);
        let opened = location.connect_reader().and_then(|connection| {
            schema::recognise(&connection)?;
            Ok(Shared::Sqlite(connection))
        });
        match opened {
            Ok(connection) => Ok(Self { location, connection }),
            Err(trouble) => Err(location.tell_of_key(trouble)),
        }
    }

    /// What tells its state from every other.
    pub fn facts(&self) -> Result<StoreFacts, StoreError> {
        self.told(facts(&self.connection))
    }

    /// The mark that the writer of a change left at or before it.
    pub fn lineage(&self, at: ChangeNumber) -> Result<String, StoreError> {
        self.told(lineage(&self.connection, at))
    }

    /// Looks for damage, without comparing indexes to tables.
    pub fn quick_check(&self) -> Result<Vec<Problem>, StoreError> {
        self.told(check::pragma(&self.connection, "PRAGMA quick_check(20)"))
    }

    /// Looks for damage, thoroughly: reads everything, and looks for rows that belong to nothing.
    pub fn deep_check(&self) -> Result<Vec<Problem>, StoreError> {
        self.told(check::check(&self.connection).and_then(|mut problems| {
            problems.extend(foreign_rows(file(&self.connection)?)?);
            Ok(problems)
        }))
    }

    fn told<T>(&self, outcome: Result<T, Trouble>) -> Result<T, StoreError> {
        outcome.map_err(|trouble| match self.location.tell(trouble) {
            // In a file that nobody writes, whatever cannot be read is damaged.
            StoreError::Database { path, detail } => StoreError::Corrupt { path, detail },
            error => error,
        })
    }
}

/// SQLite's own connection.
pub(super) fn file(connection: &Shared) -> Result<&Connection, Trouble> {
    match connection {
        Shared::Sqlite(connection) => Ok(connection),
        Shared::Server(_) => Err(Trouble::Malformed("not a file".to_owned())),
    }
}

/// Attaches another database, encrypted or not, under a name.
pub(super) fn attach(
    connection: &Connection,
    path: &Path,
    name: &'static str,
    key: Option<&Key>,
) -> Result<(), Trouble> {
    let path = text(path)?;
    if cfg!(feature = "encryption") {
        // Without a key of its own it would be taken for one that has this one's.
        connection.execute(&format!("ATTACH ?1 AS {name} KEY ?2"), [path, as_given(key)])?;
    } else {
        connection.execute(&format!("ATTACH ?1 AS {name}"), [path])?;
    }
    Ok(())
}

pub(super) fn text(path: &Path) -> Result<String, Trouble> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let told = path.to_str().map(ToOwned::to_owned);
    told.ok_or_else(|| {
        let detail = "its name is not valid Unicode".to_owned();
        StoreError::CannotOpen { path, detail }.into()
    })
}

fn counter(connection: &Connection) -> Result<u64, Trouble> {
    let sql = "SELECT value FROM counters WHERE name = 'change'";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

fn facts(shared: &Shared) -> Result<StoreFacts, Trouble> {
    let _moment = moment(shared)?;
    let snapshot = file(shared)?;
    let change = ChangeNumber(counter(snapshot)?);
    let trash = |state: &str| count(snapshot, "memories", &format!("WHERE trashed_at IS {state}"));
    let rows =
        |part: Part| part.tables().iter().map(|table| count(snapshot, table, "")).sum::<Result<u64, _>>();
    Ok(StoreFacts {
        format: schema::format_of(snapshot)?,
        identity: snapshot.query_row("SELECT id FROM identity", [], |row| row.get(0))?,
        lineage: lineage(shared, change)?,
        change,
        counts: StoreCounts {
            namespaces: count(snapshot, "namespaces", "")?,
            memories: trash("NULL")?,
            trashed: trash("NOT NULL")?,
            edges: count(snapshot, "edges", "")?,
            sessions: count(snapshot, "sessions", "")?,
            keys: count(snapshot, "keys", "")?,
            journal: rows(Part::Journal)?,
            turns: rows(Part::Turns)?,
            feedback: rows(Part::Feedback)?,
            weights: rows(Part::Weights)?,
            notes: rows(Part::Notes)?,
            trajectories: rows(Part::Trajectories)?,
            patterns: rows(Part::Patterns)?,
            learned: rows(Part::Learned)?,
        },
    })
}

/// How many rows a table has; none if the format is from before there was such a table.
fn count(connection: &Connection, table: &str, which: &str) -> Result<u64, Trouble> {
    if !exists(connection, table)? {
        return Ok(0);
    }
    Ok(connection.query_row(&format!("SELECT count(*) FROM {table} {which}"), [], |row| row.get(0))?)
}

fn lineage(connection: &Shared, at: ChangeNumber) -> Result<String, Trouble> {
    if exists(file(connection)?, "lineage")? { read::lineage(connection, at) } else { Ok(String::new()) }
}

fn exists(connection: &Connection, table: &str) -> Result<bool, Trouble> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    Ok(connection.prepare_cached(sql)?.exists([table])?)
}

fn foreign_rows(connection: &Connection) -> Result<Option<Problem>, Trouble> {
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut tables =
        statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    let rows = tables.len();
    tables.sort();
    tables.dedup();
    Ok((rows > 0).then(|| Problem {
        what: format!("{rows} rows of {} belong to nothing", tables.join(", ")),
        remedy: "use another backup; the file was altered from outside".to_owned(),
    }))
}

/// Tables whose rows are replaced by those of the copy. Rows with a namespace or a space get its number here.
const CONTENT: [&str; 19] = [
    "days_in_use",
    "memories",
    "vectors",
    "versions",
    "usage",
    "uses",
    "edges",
    "merges",
    "sessions",
    "feedback",
    "weights",
    "imports",
    "journal_entries",
    "journal_turns",
    "note_documents",
    "note_lines",
    "trajectories",
    "patterns",
    "learned",
];

/// Names in one store have other numbers in another: which of theirs is which of ours.
const NUMBERS: &str = "
    CREATE TEMP TABLE namespace_numbers (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
    CREATE TEMP TABLE space_numbers (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
    CREATE TEMP TABLE changes (
        namespace_id INTEGER NOT NULL, id BLOB NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (namespace_id, id)
    ) WITHOUT ROWID;
    CREATE TEMP TABLE pattern_changes (
        namespace_id INTEGER NOT NULL, id BLOB NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (namespace_id, id)
    ) WITHOUT ROWID;
    INSERT OR IGNORE INTO main.namespaces (path) SELECT path FROM copy.namespaces ORDER BY id;
    INSERT INTO namespace_numbers
        SELECT c.id, n.id FROM copy.namespaces c JOIN main.namespaces n ON n.path = c.path;
    INSERT OR IGNORE INTO main.spaces (model, dimensions) SELECT model, dimensions FROM copy.spaces ORDER BY id;
    INSERT INTO space_numbers
        SELECT c.id, s.id FROM copy.spaces c
        JOIN main.spaces s ON s.model = c.model AND s.dimensions = c.dimensions;";

/// Every memory of the copy gets a change number of its own above all that there were, in the order it had.
const CHANGES: &str = "
    INSERT INTO changes
    SELECT n.ours, m.id, ?1 + row_number() OVER (ORDER BY m.change, m.namespace_id, m.id)
    FROM copy.memories m JOIN namespace_numbers n ON n.theirs = m.namespace_id";

/// And so does every pattern. Whoever follows them finds those that are gone by their number.
const PATTERN_CHANGES: &str = "
    INSERT INTO pattern_changes
    SELECT n.ours, p.id, ?1 + row_number() OVER (ORDER BY p.change, p.namespace_id, p.id)
    FROM copy.patterns p JOIN namespace_numbers n ON n.theirs = p.namespace_id";

/// What is here and not in the copy is told to indexes as gone.
const TOMBSTONES: &str = "
    INSERT INTO main.tombstones (namespace_id, change, id)
    SELECT m.namespace_id, ?1 + row_number() OVER (ORDER BY m.namespace_id, m.id), m.id FROM main.memories m
    WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.namespace_id = m.namespace_id AND c.id = m.id)";

/// Which queued calls were made is true of the rows that are here, so it comes with them: a call that waits in a file
/// and is not in the copy is made again, and one that is in the copy never is. Their time begins anew, so that none is
/// forgotten before the file that came along with the copy was worked off.
const APPLIED: &str = "INSERT INTO main.applied (token, at) SELECT token, ?1 FROM copy.applied";

/// SQLite takes a new file whose size cannot be read for one that is there already.
fn told_rightly(error: rusqlite::Error, path: &Path) -> rusqlite::Error {
    let is_taken = matches!(&error, rusqlite::Error::SqliteFailure(_, Some(said)) if said == "output file already exists");
    if is_taken && path.metadata().is_ok_and(|found| found.len() == 0) {
        let said = format!("the size of {} cannot be read", path.display());
        return rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR),
            Some(said),
        );
    }
    error
}

/// Where the audit log of the folder is ahead of the store, or knows other events by its numbers: what waits for the log
/// is told under numbers that follow its last, and so is everything after that.
fn follow_log(connection: &Connection, last: u64) -> Result<(), Trouble> {
    let of_events = "SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence WHERE name = 'events'";
    let told: u64 = connection.query_row(of_events, [], |row| row.get(0))?;
    let last = last.max(told);
    connection.execute(
        "UPDATE main.events SET number = number + ?1
         WHERE number > (SELECT value FROM main.counters WHERE name = 'events_shipped')",
        [last],
    )?;
    connection
        .execute("UPDATE main.counters SET value = max(value, ?1) WHERE name = 'events_shipped'", [last])?;
    connection.execute(
        "UPDATE main.sqlite_sequence SET seq = max(?1, seq, (SELECT coalesce(max(number), 0) FROM main.events))
         WHERE name = 'events'",
        [last],
    )?;
    Ok(())
}

/// What follows from the new rows. Graphs read every source of both sides again. A key that only one side knows is
/// kept, and one that either side has revoked is. Whoever read a knowledge graph before must read it again. Events go on
/// after the last number of either side, since the log of the other may come along.
const REST: &str = "
    DELETE FROM main.answers;
    UPDATE main.reindexing SET state = json_set(
            (SELECT state FROM copy.reindexing WHERE name = 'current'), '$.revision', state ->> '$.revision' + 1)
        WHERE name = 'current' AND EXISTS (SELECT 1 FROM copy.reindexing WHERE name = 'current');
    INSERT OR IGNORE INTO main.reindexing (name, state, at)
        SELECT name, state, at FROM copy.reindexing WHERE name = 'current';
    UPDATE main.edge_changes SET change = (SELECT value FROM main.counters WHERE name = 'change');
    INSERT OR IGNORE INTO main.edge_changes (namespace_id, source, change)
        SELECT DISTINCT e.namespace_id, e.source, c.value FROM main.edges e
        JOIN main.counters c ON c.name = 'change';
    UPDATE main.namespaces SET change = (SELECT value FROM main.counters WHERE name = 'change');
    UPDATE main.namespaces SET (settled_at, faded_on, faded) = (
            SELECT c.settled_at, c.faded_on, c.faded FROM copy.namespaces c WHERE c.path = main.namespaces.path)
        WHERE path IN (SELECT path FROM copy.namespaces);
    INSERT INTO main.keys (id, name, hash, role, scope, created_at, revoked_at, used_at)
        SELECT id, name, hash, role, scope, created_at, revoked_at, used_at FROM copy.keys WHERE true
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, hash = excluded.hash, role = excluded.role,
            scope = excluded.scope, revoked_at = coalesce(revoked_at, excluded.revoked_at),
            used_at = max(coalesce(used_at, excluded.used_at), coalesce(excluded.used_at, used_at));
    INSERT INTO main.counters (name, value)
        SELECT name, value FROM copy.counters WHERE name LIKE 'knowledge:%'
        ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value);
    UPDATE main.counters SET value = value + 1 WHERE name LIKE 'knowledge:%';
    INSERT INTO main.sqlite_sequence (name, seq)
        SELECT 'events', 0 WHERE NOT EXISTS (SELECT 1 FROM main.sqlite_sequence WHERE name = 'events');
    UPDATE main.sqlite_sequence
        SET seq = max(seq, (SELECT coalesce(max(seq), 0) FROM copy.sqlite_sequence WHERE name = 'events'))
        WHERE name = 'events';";

fn replace_all(connection: &Connection, replacement: &Replacement, before: u64) -> Result<Replaced, Trouble> {
    connection.execute_batch(NUMBERS)?;
    let memories = connection.execute(CHANGES, [before])? as u64;
    let gone = connection.execute(TOMBSTONES, [before + memories])? as u64;
    let patterns = connection.execute(PATTERN_CHANGES, [before + memories + gone])? as u64;
    for table in CONTENT {
        connection.execute(&format!("DELETE FROM main.{table}"), [])?;
        let sql = take_over(connection, table)?;
        let mut insert = connection.prepare(&sql)?;
        if table == "memories" {
            let (at, taken_at) = (replacement.at.as_millisecond(), replacement.taken_at.as_millisecond());
            insert.execute(named_params! { ":at": at, ":taken_at": taken_at })?;
        } else if sql.contains(":at") {
            insert.execute(named_params! { ":at": replacement.at.as_millisecond() })?;
        } else {
            insert.execute([])?;
        }
    }
    // One more, so that namespaces and edges that changed in nothing else are read again too.
    let change = before + memories + gone + patterns + 1;
    connection.execute("UPDATE main.counters SET value = ?1 WHERE name = 'change'", [change])?;
    connection.execute_batch(REST)?;
    connection.execute("DELETE FROM main.applied", [])?;
    connection.execute(APPLIED, [replacement.at.as_millisecond()])?;
    if let Some(last) = replacement.events_after {
        follow_log(connection, last)?;
    }
    connection.execute(
        "INSERT INTO main.lineage (change, mark) VALUES (?1, lower(hex(randomblob(16))))",
        params![before + 1],
    )?;
    Ok(Replaced { memories, gone, change: ChangeNumber(change) })
}

/// The statement that takes over the rows of a table, whatever columns it has.
fn take_over(connection: &Connection, table: &str) -> Result<String, Trouble> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1, 'main')")?;
    let columns =
        statement.query_map([table], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut tables = format!("copy.{table} c");
    let mut values = Vec::with_capacity(columns.len());
    for column in &columns {
        values.push(match (table, column.as_str()) {
            (_, "namespace_id") => {
                tables.push_str(" JOIN namespace_numbers n ON n.theirs = c.namespace_id");
                "n.ours".to_owned()
            }
            (_, "space_id") => {
                tables.push_str(" LEFT JOIN space_numbers s ON s.theirs = c.space_id");
                "s.ours".to_owned()
            }
            ("memories", "change") => {
                tables.push_str(" JOIN changes k ON k.namespace_id = n.ours AND k.id = c.id");
                "k.change".to_owned()
            }
            ("patterns", "change") => {
                tables.push_str(" JOIN pattern_changes k ON k.namespace_id = n.ours AND k.id = c.id");
                "k.change".to_owned()
            }
            // Nothing that has just come back is idle, too old or in the trash for too long.
            (_, "arrived_at") => ":at".to_owned(),
            ("memories", "expires_at") => {
                "CASE WHEN c.layer = 0 AND c.trashed_at IS NULL AND c.expires_at > :taken_at
                THEN c.expires_at + max(:at - :taken_at, 0) ELSE c.expires_at END"
                    .to_owned()
            }
            (_, column) => format!("c.\"{column}\""),
        });
    }
    let columns = columns.iter().map(|column| format!("\"{column}\"")).collect::<Vec<_>>().join(", ");
    Ok(format!("INSERT INTO main.{table} ({columns}) SELECT {} FROM {tables}", values.join(", ")))
}
