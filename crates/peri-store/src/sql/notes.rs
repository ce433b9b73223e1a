//! Notes of conversations: documents that are replaced as a whole, and logs that lines are added to.

use peri_notes::{Change, Collection, Expected, Key, Mark, Shape, Version};
use peri_types::Namespace;
use rusqlite::{ToSql, params};

use super::apply::Ledger;
use super::connection::{Connection, Optional};
use super::trouble::Trouble;
use super::{read, row};
use crate::{NotesCommit, Written};

/// So many lines are written by one statement at most, and so many bytes of them unless a single one has more.
const LINES_MAX: usize = 64;
const BYTES_MAX: usize = 1 << 20;

impl Ledger<'_> {
    /// Makes changes of notes if everything that is expected is so. Otherwise the whole call is taken back.
    pub(crate) fn commit_notes(&mut self, commit: &NotesCommit) -> Result<Written, Trouble> {
        let held = read::namespace_number(self.connection, commit.namespace())?;
        for (key, expected) in commit.expected() {
            if !self.is_so(held, key, expected)? {
                return Err(Trouble::Stale);
            }
        }
        let namespace = match held {
            Some(namespace) => namespace,
            None if commit.changes().iter().any(adds) => self.known_namespace(commit.namespace())?,
            // There is nothing that could be removed.
            None => return Ok(Written::Done),
        };
        for change in commit.changes() {
            self.change_notes(namespace, change)?;
        }
        if !commit.changes().is_empty() {
            self.count_change();
        }
        Ok(Written::Done)
    }

    fn is_so(&self, namespace: Option<i64>, key: &Key, expected: &Expected) -> Result<bool, Trouble> {
        let Some(namespace) = namespace else {
            // A log that is absent has no lines.
            return Ok(match key.collection().shape() {
                Shape::Document => *expected == Expected::Absent,
                Shape::Log => expected.holds_for_log(&[]),
            });
        };
        match (key.collection().shape(), expected) {
            (Shape::Document, Expected::Absent) => Ok(self.version_of(namespace, key)?.is_none()),
            (Shape::Document, Expected::Version(version)) => self.has_version(namespace, key, version),
            (Shape::Log, Expected::Absent) => Ok(self.last_line(namespace, key)? == 0),
            (Shape::Log, Expected::Lines(mark)) => self.has_lines(namespace, key, mark),
            (Shape::Document, Expected::Lines(_)) | (Shape::Log, Expected::Version(_)) => Ok(false),
        }
    }

    fn version_of(&self, namespace: i64, key: &Key) -> Result<Option<String>, Trouble> {
        self.connection
            .prepare_cached(
                "SELECT version FROM note_documents WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3",
            )?
            .query_row(params![namespace, key.collection().as_str(), key.name()], |row| row.get(0))
            .optional()
    }

    fn has_version(&self, namespace: i64, key: &Key, version: &Version) -> Result<bool, Trouble> {
        match self.version_of(namespace, key)? {
            None => Ok(false),
            Some(found) if found == version.as_str() => Ok(true),
            // Somebody may have changed the text alone, by other means.
            Some(_) => {
                let text = "SELECT text FROM note_documents WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3";
                let text: String = self
                    .connection
                    .prepare_cached(text)?
                    .query_row(params![namespace, key.collection().as_str(), key.name()], |row| row.get(0))?;
                Ok(Version::of(&text) == *version)
            }
        }
    }

    fn has_lines(&self, namespace: i64, key: &Key, mark: &Mark) -> Result<bool, Trouble> {
        let lines = self
            .connection
            .prepare_cached(
                "SELECT line FROM note_lines WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3
                 ORDER BY number",
            )?
            .query_all(params![namespace, key.collection().as_str(), key.name()], |row| row.get(0))?;
        Ok(Mark::of(&lines) == *mark)
    }

    fn change_notes(&self, namespace: i64, change: &Change) -> Result<(), Trouble> {
        match change {
            Change::Put { key, text } => self.put_document(namespace, key, text),
            Change::Remove { key } => self.remove_notes("note_documents", namespace, key),
            Change::Clear { key } => self.remove_notes("note_lines", namespace, key),
            Change::Append { key, lines } => self.append_lines(namespace, key, lines),
        }
    }

    fn put_document(&self, namespace: i64, key: &Key, text: &str) -> Result<(), Trouble> {
        let (collection, name) = (key.collection().as_str(), key.name());
        self.connection
            .prepare_cached(
                "INSERT INTO note_documents (namespace_id, collection, name, text, version) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (namespace_id, collection, name)
                 DO UPDATE SET text = excluded.text, version = excluded.version",
            )?
            .execute(params![namespace, collection, name, text, Version::of(text).as_str()])?;
        Ok(())
    }

    fn remove_notes(&self, table: &str, namespace: i64, key: &Key) -> Result<(), Trouble> {
        let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3");
        self.connection.prepare_cached(&sql)?.execute(params![
            namespace,
            key.collection().as_str(),
            key.name()
        ])?;
        Ok(())
    }

    /// Adds lines behind the last one, of which nothing but its number is read.
    fn append_lines(&self, namespace: i64, key: &Key, mut lines: &[String]) -> Result<(), Trouble> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut last = self.last_line(namespace, key)?;
        while !lines.is_empty() {
            let (now, later) = lines.split_at(fitting(lines));
            self.insert_lines(namespace, key, last, now)?;
            last += now.len() as i64;
            lines = later;
        }
        Ok(())
    }

    fn insert_lines(&self, namespace: i64, key: &Key, last: i64, lines: &[String]) -> Result<(), Trouble> {
        let (collection, name) = (key.collection().as_str(), key.name());
        let numbers: Vec<i64> = (last + 1..).take(lines.len()).collect();
        let mut values: Vec<&dyn ToSql> = vec![&namespace, &collection, &name];
        for (number, line) in numbers.iter().zip(lines) {
            values.extend([number as &dyn ToSql, line]);
        }
        let rows = (0..lines.len()).map(|at| format!("(?1, ?2, ?3, ?{}, ?{})", 2 * at + 4, 2 * at + 5));
        let rows = rows.collect::<Vec<_>>().join(", ");
        let sql =
            format!("INSERT INTO note_lines (namespace_id, collection, name, number, line) VALUES {rows}");
        self.connection.prepare_cached(&sql)?.execute(values)?;
        Ok(())
    }

    /// The number of the last line of a log; zero if it has none.
    fn last_line(&self, namespace: i64, key: &Key) -> Result<i64, Trouble> {
        let last = self
            .connection
            .prepare_cached(
                "SELECT number FROM note_lines WHERE namespace_id = ?1 AND collection = ?2 AND name = ?3
                 ORDER BY number DESC LIMIT 1",
            )?
            .query_row(params![namespace, key.collection().as_str(), key.name()], |row| row.get(0))
            .optional()?;
        Ok(last.unwrap_or(0))
    }
}

/// Whether something is there after a change that was not.
fn adds(change: &Change) -> bool {
    match change {
        Change::Put { .. } => true,
        Change::Append { lines, .. } => !lines.is_empty(),
        Change::Remove { .. } | Change::Clear { .. } => false,
    }
}

/// How many of the first lines are written by one statement. There are few statements: each is for twice as many lines
/// as the next.
fn fitting(lines: &[String]) -> usize {
    let mut bytes = 0;
    let fit = lines.iter().take(LINES_MAX).take_while(|line| {
        bytes += line.len();
        bytes <= BYTES_MAX
    });
    1 << fit.count().max(1).ilog2()
}

/// A document; none if there is none.
pub(crate) fn document(
    connection: &Connection,
    namespace: &Namespace,
    key: &Key,
) -> Result<Option<String>, Trouble> {
    connection
        .prepare_cached(
            "SELECT d.text FROM note_documents d JOIN namespaces n ON n.id = d.namespace_id
             WHERE n.path = ?1 AND d.collection = ?2 AND d.name = ?3",
        )?
        .query_row(params![namespace.as_str(), key.collection().as_str(), key.name()], |row| row.get(0))
        .optional()
}

/// The lines of a log, the oldest first.
pub(crate) fn lines(
    connection: &Connection,
    namespace: &Namespace,
    key: &Key,
) -> Result<Vec<String>, Trouble> {
    connection
        .prepare_cached(
            "SELECT l.line FROM note_lines l JOIN namespaces n ON n.id = l.namespace_id
             WHERE n.path = ?1 AND l.collection = ?2 AND l.name = ?3 ORDER BY l.number",
        )?
        .query_all(params![namespace.as_str(), key.collection().as_str(), key.name()], |row| row.get(0))
}

/// What a collection holds, sorted.
pub(crate) fn list(
    connection: &Connection,
    namespace: &Namespace,
    collection: Collection,
) -> Result<Vec<Key>, Trouble> {
    let sql = match collection.shape() {
        Shape::Document => {
            "SELECT d.name FROM note_documents d JOIN namespaces n ON n.id = d.namespace_id
             WHERE n.path = ?1 AND d.collection = ?2 ORDER BY d.name"
        }
        Shape::Log => {
            "SELECT DISTINCT l.name FROM note_lines l JOIN namespaces n ON n.id = l.namespace_id
             WHERE n.path = ?1 AND l.collection = ?2 ORDER BY l.name"
        }
    };
    let place = params![namespace.as_str(), collection.as_str()];
    connection.prepare_cached(sql)?.query_all(place, |row| key(collection, &row.get::<String>(0)?))
}

/// Every document of a collection, sorted.
pub(super) fn documents(
    connection: &Connection,
    namespace: &Namespace,
    collection: Collection,
) -> Result<Vec<(Key, String)>, Trouble> {
    connection
        .prepare_cached(
            "SELECT d.name, d.text FROM note_documents d JOIN namespaces n ON n.id = d.namespace_id
             WHERE n.path = ?1 AND d.collection = ?2 ORDER BY d.name",
        )?
        .query_all(params![namespace.as_str(), collection.as_str()], |row| {
            Ok((key(collection, &row.get::<String>(0)?)?, row.get(1)?))
        })
}

/// The namespaces that hold notes, sorted.
pub(crate) fn namespaces(connection: &Connection) -> Result<Vec<Namespace>, Trouble> {
    connection
        .prepare_cached(
            "SELECT n.path FROM namespaces n
             WHERE EXISTS (SELECT 1 FROM note_documents d WHERE d.namespace_id = n.id)
             OR EXISTS (SELECT 1 FROM note_lines l WHERE l.namespace_id = n.id) ORDER BY n.path",
        )?
        .query_all(params![], |row| row.get::<String>(0)?.parse().map_err(row::malformed))
}

fn key(collection: Collection, name: &str) -> Result<Key, Trouble> {
    Key::named(collection, name).map_err(row::malformed)
}
