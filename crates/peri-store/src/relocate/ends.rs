//! The two ends of a move.

use super::{Place, RelocateError};
use crate::StoreError;
use crate::server::{Server, ServerSettings};
use crate::sql::Backend as _;
use crate::sql::connection::{Connection, Transaction};
use crate::sql::trouble::Trouble;
use crate::sql::writer::Plan;
use crate::sqlite::{Sqlite, SqliteSettings};

/// A commit in the middle of a move may be lost with the machine, since the note of how far it is goes with it.
const PART: Plan = Plan { durable: false, changes: 1000 };
/// The one that releases the target may not.
const LAST: Plan = Plan { durable: true, changes: 1 };

/// A database that is moved from or to.
pub(super) enum End {
    File(Box<Sqlite>),
    Server(Box<Server>),
}

/// What a commit is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commit {
    Part,
    Last,
}

impl End {
    /// Opens the source for reading alone. Nothing is created or migrated.
    pub(super) fn source(place: &Place) -> Result<(Self, Connection), RelocateError> {
        let (end, connection, format) = match place {
            Place::File(path) => {
                if !path.is_file() {
                    return Err(RelocateError::NoSource { place: place.to_string() });
                }
                let (file, connection, format) = Sqlite::open_untouched(path, &SqliteSettings::default())?;
                (Self::File(Box::new(file)), connection, Some(format))
            }
            Place::Server(address) => {
                let server = Server::untouched(address.clone(), ServerSettings::default());
                let (connection, format) =
                    server.connect_untouched().map_err(|trouble| server.tell(trouble))?;
                (Self::Server(Box::new(server)), connection, format)
            }
        };
        match (format, end.newest()) {
            (None | Some(0), _) => Err(RelocateError::NoSource { place: place.to_string() }),
            (Some(found), needed) if found < needed => {
                Err(RelocateError::Older { place: place.to_string(), found, needed })
            }
            _ => Ok((end, connection)),
        }
    }

    /// Opens the target and creates its tables if there are none. A store of an older release is left as it is.
    pub(super) fn target(place: &Place) -> Result<(Self, Connection), RelocateError> {
        let older = |found, needed| RelocateError::Older { place: place.to_string(), found, needed };
        match place {
            Place::File(path) => {
                let settings = SqliteSettings::default();
                if path.is_file() {
                    let (_, _, found) = Sqlite::open_untouched(path, &settings)?;
                    if found != 0 && found < Sqlite::NEWEST {
                        return Err(older(found, Sqlite::NEWEST));
                    }
                } else if let Some(folder) = path.parent() {
                    peri_private::create_root(folder).map_err(|error| StoreError::CannotOpen {
                        path: folder.to_owned(),
                        detail: error.to_string(),
                    })?;
                }
                let file = Sqlite::open_anyway(path, &settings)?;
                let connection = file.connect_writer().map_err(|trouble| file.tell(trouble))?;
                Ok((Self::File(Box::new(file)), connection))
            }
            Place::Server(address) => {
                let server = Server::untouched(address.clone(), ServerSettings::default());
                let told = |trouble| server.tell(trouble);
                let (connection, format) = server.connect_untouched().map_err(told)?;
                match format {
                    Some(found) if found < Server::NEWEST => return Err(older(found, Server::NEWEST)),
                    _ => server.prepare(&connection).map_err(told)?,
                }
                Ok((Self::Server(Box::new(server)), connection))
            }
        }
    }

    fn newest(&self) -> u32 {
        match self {
            Self::File(_) => Sqlite::NEWEST,
            Self::Server(_) => Server::NEWEST,
        }
    }

    /// One more connection for reading.
    pub(super) fn connect_again(&self) -> Result<Connection, Trouble> {
        match self {
            Self::File(file) => file.connect_reader(),
            Self::Server(server) => Ok(server.connect_untouched()?.0),
        }
    }

    /// Begins a transaction for writing as soon as nobody else is in one.
    pub(super) fn begin<'c>(
        &self,
        connection: &'c Connection,
        commit: Commit,
    ) -> Result<Transaction<'c>, Trouble> {
        let plan = match commit {
            Commit::Part => &PART,
            Commit::Last => &LAST,
        };
        match self {
            Self::File(file) => file.begin(connection, plan),
            Self::Server(server) => server.begin(connection, plan),
        }
    }

    pub(super) fn tell(&self, trouble: Trouble) -> StoreError {
        match self {
            Self::File(file) => file.tell(trouble),
            Self::Server(server) => server.tell(trouble),
        }
    }
}
