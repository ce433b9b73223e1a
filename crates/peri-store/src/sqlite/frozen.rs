//! The store as it was at one moment, while others go on writing.

use parking_lot::Mutex;
use rusqlite::{Connection, Transaction};

use super::SqliteStore;
use super::error::Trouble;
use super::open::{Access, Location};
use crate::StoreError;

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
                let connection = taken.map_or_else(|| location.connect_reader(), Ok)?;
                let outcome = work(&connection)?;
                idle.lock().push(connection);
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
}

impl SqliteStore {
    /// The store as it is now. It holds a read transaction open, so that the write-ahead log grows until it is
    /// dropped.
    pub(super) fn freeze(&self) -> Result<Self, StoreError> {
        if let Readers::Frozen(_) = &self.readers {
            return Err(self.location.tell(StoreError::ReadOnly { path: self.location.path.clone() }.into()));
        }
        let connection = begin(&self.location).map_err(|trouble| self.location.tell(trouble))?;
        let mut location = Location::clone(&self.location);
        if location.access == Access::ReadWrite {
            location.access = Access::ReadOnly;
        }
        let readers = Readers::Frozen(Mutex::new(connection));
        Ok(Self { location: location.into(), readers, writer: Mutex::new(None) })
    }
}

/// A transaction begins with its first read, so there is one.
fn begin(location: &Location) -> Result<Connection, Trouble> {
    let connection = location.connect_reader()?;
    connection.execute_batch("BEGIN")?;
    connection.query_row("SELECT value FROM counters WHERE name = 'change'", [], |_| Ok(()))?;
    Ok(connection)
}

/// One moment for several reads: a transaction of their own, unless the connection shows only one anyway.
pub(super) fn moment(connection: &Connection) -> Result<Option<Transaction<'_>>, Trouble> {
    if connection.is_autocommit() { Ok(Some(connection.unchecked_transaction()?)) } else { Ok(None) }
}
