//! The store as it was at one moment, while others go on writing.

use parking_lot::Mutex;
use peri_types::patience;

use super::Sqlite;
use super::open::{self, Access, Location};
use crate::StoreError;
use crate::sql::connection::Connection;
use crate::sql::trouble::Trouble;

/// So many connections are kept for the next readers; what a rush opened beyond them is closed after it.
const IDLE_MAX: usize = 8;

/// Where readers take their connections from.
pub(super) enum Readers {
    /// Those that are idle; further ones are opened as they are needed.
    Pool(Mutex<Idle>),
    /// The only one, inside a transaction that shows one moment. A second one would show another.
    Frozen(Mutex<Connection>),
}

/// Connections that wait for the next reader.
#[derive(Default)]
pub(super) struct Idle {
    connections: Vec<Connection>,
    /// Which file they have opened, counted from the first. A connection that was lent when another file took its place
    /// is closed when it comes back.
    generation: u64,
}

impl Readers {
    /// A pool that begins with these.
    pub(super) fn pool(connections: Vec<Connection>) -> Self {
        Self::Pool(Mutex::new(Idle { connections, generation: 0 }))
    }

    pub(super) fn read<T>(
        &self,
        location: &Location,
        connect: impl FnOnce() -> Result<rusqlite::Connection, Trouble>,
        work: impl FnOnce(&Connection) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        match self {
            Self::Pool(idle) => {
                let (taken, generation) = {
                    let mut idle = idle.lock();
                    (idle.connections.pop(), idle.generation)
                };
                let connection = taken.map_or_else(|| connect().map(Connection::Sqlite), Ok)?;
                let limit = location.patience();
                if let Connection::Sqlite(file) = &connection {
                    // Readers wait for nobody who writes; only for who mends the log, or holds the file alone.
                    file.busy_timeout(limit)?;
                }
                let outcome = work(&connection).inspect_err(|trouble| {
                    if trouble.is_busy() {
                        patience::spend(limit);
                    }
                })?;
                let mut idle = idle.lock();
                if idle.connections.len() < IDLE_MAX && idle.generation == generation {
                    idle.connections.push(connection);
                }
                Ok(outcome)
            }
            Self::Frozen(only) => {
                let connection = only.lock();
                if connection.is_autocommit() {
                    // A failure of the disk ends a transaction; what is read after that belongs to another moment.
                    let (path, detail) = (location.path.clone(), "the frozen view was lost".to_owned());
                    return Err(StoreError::Database { path, detail }.into());
                }
                work(&connection)
            }
        }
    }

    /// Closes all idle connections but one, which gives back the pages that it holds.
    pub(super) fn rest(&self) {
        let Self::Pool(idle) = self else { return };
        let mut idle = idle.lock();
        idle.connections.truncate(1);
        idle.connections.iter().for_each(open::release);
    }

    /// Closes all connections, those that are lent as soon as they come back: the file is another one now.
    pub(super) fn renew(&self) {
        let Self::Pool(idle) = self else { return };
        let mut idle = idle.lock();
        idle.generation += 1;
        idle.connections.clear();
    }

    /// What an idle connection tells, if there is one.
    pub(super) fn peek<T>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        let Self::Pool(idle) = self else { return Ok(None) };
        match idle.lock().connections.first() {
            Some(Connection::Sqlite(file)) => work(file).map(Some),
            _ => Ok(None),
        }
    }

    /// Takes an idle connection out for good, if there is one.
    fn take(&self) -> Option<rusqlite::Connection> {
        let Self::Pool(idle) = self else { return None };
        match idle.lock().connections.pop()? {
            Connection::Sqlite(file) => Some(file),
            Connection::Server(_) => None,
        }
    }
}

/// The database as it is now. It holds a read transaction open, so that the write-ahead log grows until it is
/// dropped.
pub(super) fn freeze(live: &Sqlite) -> Result<Sqlite, StoreError> {
    if let Readers::Frozen(_) = &live.readers {
        return Err(StoreError::ReadOnly { path: live.location.path.clone() });
    }
    // A database that was removed can still be read on a connection that was open before.
    let connection = live.connect_in_place().or_else(|trouble| match trouble {
        trouble if trouble.is_missing() => live.readers.take().ok_or(trouble),
        trouble => Err(trouble),
    });
    let connection = connection.and_then(begin).map_err(|trouble| live.location.tell(trouble))?;
    let mut location = Location::clone(&live.location);
    if location.access == Access::ReadWrite {
        location.access = Access::ReadOnly;
    }
    let readers = Readers::Frozen(Mutex::new(Connection::Sqlite(connection)));
    Ok(Sqlite::with(location, readers))
}

/// A transaction begins with its first read, so there is one.
fn begin(connection: rusqlite::Connection) -> Result<rusqlite::Connection, Trouble> {
    connection.execute_batch("BEGIN")?;
    connection.query_row("SELECT value FROM counters WHERE name = 'change'", [], |_| Ok(()))?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqliteSettings;

    /// Reads inside of each other, so that each needs a connection of its own.
    fn at_once(readers: &Readers, location: &Location, count: usize) {
        if count > 0 {
            let further = |_: &Connection| {
                at_once(readers, location, count - 1);
                Ok(())
            };
            readers.read(location, || location.connect_reader(), further).unwrap();
        }
    }

    #[test]
    fn after_a_rush_of_readers_a_few_connections_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let (location, connection) = Location::open(&path, &SqliteSettings::default()).unwrap();
        let readers = Readers::pool(vec![Connection::Sqlite(connection)]);
        let idle = || match &readers {
            Readers::Pool(idle) => idle.lock().connections.len(),
            Readers::Frozen(_) => unreachable!("it is a pool"),
        };
        at_once(&readers, &location, 3);
        assert_eq!(idle(), 3, "those are used again");
        at_once(&readers, &location, 3 * IDLE_MAX);
        assert_eq!(idle(), IDLE_MAX);
        readers.rest();
        assert_eq!(idle(), 1, "who rests needs no more");
        at_once(&readers, &location, 2);
    }
}
