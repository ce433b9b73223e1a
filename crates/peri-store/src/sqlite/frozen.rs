//! The store as it was at one moment, while others go on writing.

use parking_lot::Mutex;

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
    Pool(Mutex<Vec<Connection>>),
    /// The only one, inside a transaction that shows one moment. A second one would show another.
    Frozen(Mutex<Connection>),
}

impl Readers {
    pub(super) fn read<T>(
        &self,
        location: &Location,
        work: impl FnOnce(&Connection) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        match self {
            Self::Pool(idle) => {
                let taken = idle.lock().pop();
                let connection =
                    taken.map_or_else(|| location.connect_reader().map(Connection::Sqlite), Ok)?;
                let outcome = work(&connection)?;
                let mut idle = idle.lock();
                if idle.len() < IDLE_MAX {
                    idle.push(connection);
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
        idle.truncate(1);
        idle.iter().for_each(open::release);
    }
}

/// The database as it is now. It holds a read transaction open, so that the write-ahead log grows until it is
/// dropped.
pub(super) fn freeze(live: &Sqlite) -> Result<Sqlite, StoreError> {
    if let Readers::Frozen(_) = &live.readers {
        return Err(StoreError::ReadOnly { path: live.location.path.clone() });
    }
    let connection = begin(&live.location).map_err(|trouble| live.location.tell(trouble))?;
    let mut location = Location::clone(&live.location);
    if location.access == Access::ReadWrite {
        location.access = Access::ReadOnly;
    }
    let readers = Readers::Frozen(Mutex::new(Connection::Sqlite(connection)));
    Ok(Sqlite::with(location, readers))
}

/// A transaction begins with its first read, so there is one.
fn begin(location: &Location) -> Result<rusqlite::Connection, Trouble> {
    let connection = location.connect_reader()?;
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
            readers.read(location, further).unwrap();
        }
    }

    #[test]
    fn after_a_rush_of_readers_a_few_connections_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let (location, connection) = Location::open(&path, &SqliteSettings::default()).unwrap();
        let readers = Readers::Pool(Mutex::new(vec![Connection::Sqlite(connection)]));
        let idle = || match &readers {
            Readers::Pool(idle) => idle.lock().len(),
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
