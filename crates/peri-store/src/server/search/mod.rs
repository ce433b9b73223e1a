//! Search inside PostgreSQL, with pgvector for meanings and our own words.
//!
//! Each namespace that is searched here has partitions of its own, which are made when it is first fed and dropped
//! when it is fed anew. They are no part of the numbered formats: everything in them is derived.

mod documents;
mod feed;
mod find;
mod occurrences;
mod postings;
mod tables;

use std::time::Duration;

use parking_lot::Mutex;
use peri_types::Namespace;
use rusqlite::params;

use super::store::Server;
use crate::sql::Backend;
use crate::sql::connection::{Connection, Optional as _};
use crate::sql::read::namespace_number;
use crate::sql::trouble::Trouble;
use crate::{
    Conversation, Feed, Found, Known, Numbered, Readiness, Reading, SearchRecipe, SearchState, Searcher,
    StoreError, Wanted, Words,
};
use tables::Tables;

/// How long a statement of the feeder may take: an index of many vectors takes minutes.
const PATIENCE: Duration = Duration::from_secs(6 * 60 * 60);

/// What the search keeps in a process.
#[derive(Default)]
pub(super) struct Kept {
    /// The feeder's connection.
    feeder: Mutex<Option<Connection>>,
    /// The version of the extension, once the tables are there.
    version: Mutex<Option<Extension>>,
}

/// What pgvector can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extension {
    /// Search with half-precision numbers.
    Plain,
    /// And go on searching until enough documents meet a filter.
    Iterative,
}

impl Server {
    /// Works on the feeder's connection, which may take its time.
    fn patiently<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, StoreError> {
        let mut feeder = self.search.feeder.lock();
        let mut was_idle = feeder.is_some();
        loop {
            let connection = match feeder.take().filter(Connection::is_alive) {
                Some(connection) => connection,
                None => self.connect_within(PATIENCE).map_err(|trouble| self.tell(trouble))?,
            };
            let outcome = work(&connection);
            if connection.is_alive() && connection.is_autocommit() {
                *feeder = Some(connection);
            } else if was_idle {
                was_idle = false;
                continue;
            }
            return outcome.map_err(|trouble| self.tell(trouble));
        }
    }

    fn reading<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, StoreError> {
        Backend::read(self, work).map_err(|trouble| self.tell(trouble))
    }

    /// Reads from the tables of a namespace that has been fed; nothing of one that has not.
    fn searching<T: Default>(
        &self,
        namespace: &Namespace,
        work: impl Fn(&Connection, &Tables) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        self.reading(|connection| match tables_of(connection, namespace)? {
            Some(tables) => work(connection, &tables),
            None => Ok(T::default()),
        })
    }

    fn extension(&self) -> Extension {
        self.search.version.lock().unwrap_or(Extension::Plain)
    }
}

/// The tables of a namespace, if it has been fed.
fn tables_of(connection: &Connection, namespace: &Namespace) -> Result<Option<Tables>, Trouble> {
    let sql = "SELECT n.id, s.dimensions FROM namespaces n JOIN sought_state s ON s.namespace_id = n.id
               WHERE n.path = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement
        .query_row([namespace.as_str()], |row| Ok(Tables { number: row.get(0)?, dimensions: row.get(1)? }));
    found.optional()
}

impl Searcher for Server {
    fn readiness(&self) -> Result<Readiness, StoreError> {
        if self.search.version.lock().is_some() {
            return Ok(Readiness::Ready);
        }
        match self.patiently(tables::prepare)? {
            Ok(extension) => {
                *self.search.version.lock() = Some(extension);
                Ok(Readiness::Ready)
            }
            Err(missing) => Ok(Readiness::Missing(missing)),
        }
    }

    fn size(&self, namespace: &Namespace, max: usize) -> Result<usize, StoreError> {
        self.reading(|connection| {
            let Some(number) = namespace_number(connection, namespace)? else { return Ok(0) };
            let sql = "SELECT count(*) FROM (SELECT 1 FROM memories
                       WHERE namespace_id = ?1 AND trashed_at IS NULL LIMIT ?2) AS counted";
            connection.prepare_cached(sql)?.query_row(params![number, max], |row| row.get(0))
        })
    }

    fn changed_beyond(&self, number: u64) -> Result<Vec<Namespace>, StoreError> {
        self.reading(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT path FROM namespaces WHERE change >= ?1 ORDER BY path")?;
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            let paths = statement.query_all([number], |row| row.get::<String>(0))?;
            let parsed = paths.iter().map(|path| path.parse());
            parsed.collect::<Result<_, _>>().map_err(|error| Trouble::Malformed(format!("{error}")))
        })
    }

    fn state(&self, namespace: &Namespace) -> Result<Option<SearchState>, StoreError> {
        self.reading(|connection| {
            let Some(number) = namespace_number(connection, namespace)? else { return Ok(None) };
            Ok(feed::state(connection, number, feed::Hold::No)?.map(|held| held.state))
        })
    }

    fn begin(&self, namespace: &Namespace, recipe: &SearchRecipe) -> Result<(), StoreError> {
        self.patiently(|connection| match namespace_number(connection, namespace)? {
            Some(number) => {
                tables::begin(connection, &Tables { number, dimensions: recipe.dimensions }, recipe)
            }
            None => Ok(()),
        })
    }

    fn feed(&self, namespace: &Namespace, feed: &Feed) -> Result<bool, StoreError> {
        self.patiently(|connection| match namespace_number(connection, namespace)? {
            Some(number) => feed::feed(connection, number, feed),
            None => Ok(false),
        })
    }

    fn expect(&self, namespace: &Namespace, changes: u64) -> Result<(), StoreError> {
        self.patiently(|connection| match tables_of(connection, namespace)? {
            Some(tables) => tables::expect(connection, &tables, changes),
            None => Ok(()),
        })
    }

    fn index_vectors(&self, namespace: &Namespace) -> Result<(), StoreError> {
        self.patiently(|connection| match tables_of(connection, namespace)? {
            Some(tables) => tables::index_vectors(connection, &tables),
            None => Ok(()),
        })
    }

    fn end(&self, namespace: &Namespace) -> Result<(), StoreError> {
        self.patiently(|connection| match namespace_number(connection, namespace)? {
            Some(number) => tables::end(connection, number),
            None => Ok(()),
        })
    }

    fn look_up(&self, namespace: &Namespace, words: &Words) -> Result<Known, StoreError> {
        self.searching(namespace, |connection, tables| find::look_up(connection, tables, words))
    }

    fn speakers(&self, namespace: &Namespace) -> Result<Vec<String>, StoreError> {
        self.searching(namespace, find::speakers)
    }

    fn find(&self, namespace: &Namespace, wanted: &Wanted) -> Result<Found, StoreError> {
        let extension = self.extension();
        self.searching(namespace, |connection, tables| find::find(connection, tables, wanted, extension))
    }

    fn read(&self, namespace: &Namespace, reading: &Reading) -> Result<Vec<Numbered>, StoreError> {
        self.searching(namespace, |connection, tables| documents::read(connection, tables, reading))
    }

    fn names(&self, namespace: &Namespace, terms: &[i64]) -> Result<Vec<(i64, String)>, StoreError> {
        self.searching(namespace, |connection, tables| find::names(connection, tables, terms))
    }

    fn conversations(&self, namespace: &Namespace, numbers: &[i64]) -> Result<Vec<Conversation>, StoreError> {
        self.searching(namespace, |connection, tables| documents::conversations(connection, tables, numbers))
    }

    fn words_of_days(&self, namespace: &Namespace, days: &[i32]) -> Result<Vec<(i32, u64)>, StoreError> {
        self.searching(namespace, |connection, tables| documents::words_of_days(connection, tables, days))
    }

    fn disk_bytes(&self, namespace: &Namespace) -> Result<(u64, u64), StoreError> {
        self.searching(namespace, tables::disk_bytes)
    }
}
