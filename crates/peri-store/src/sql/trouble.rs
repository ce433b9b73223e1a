//! From what a database says to what a person can act on.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::StoreError;
use crate::server::Failure;

/// Trouble inside a backend, before it is told with the place of the database.
#[derive(Debug)]
pub(crate) enum Trouble {
    Sqlite(rusqlite::Error),
    Server(Failure),
    /// The connection broke while the commit was under way, so that nobody knows whether it was made.
    Uncertain,
    /// What a commit of notes expects is not so. Its call is taken back, and that is its answer.
    Stale,
    /// A query that must find something found nothing.
    NoRow,
    Foreign,
    TooNew {
        found: u32,
        known: u32,
    },
    /// A record holds what no release has ever written.
    Malformed(String),
    Told(StoreError),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Told(error)
    }
}

impl Trouble {
    /// Whether SQLite says that the file or its folder cannot be written.
    pub(crate) fn is_read_only(&self) -> bool {
        match self {
            Self::Sqlite(error) => {
                matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
            }
            Self::Told(error) => matches!(error, StoreError::ReadOnly { .. }),
            _ => false,
        }
    }

    /// Whether what is there is no database, or none that the key opens.
    pub(crate) fn is_not_a_database(&self) -> bool {
        matches!(self, Self::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase))
    }

    /// Whether another process held a lock for too long.
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code().is_some_and(is_held),
            Self::Told(error) => matches!(error, StoreError::Busy { .. }),
            _ => false,
        }
    }

    /// Whether the database is no longer in its place.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Told(StoreError::Missing { .. }))
    }

    /// Whether the disk has no room, be it for what SQLite shares between processes.
    pub(crate) fn is_full(&self) -> bool {
        match self {
            Self::Sqlite(error) => lacks_room(error),
            Self::Told(error) => matches!(error, StoreError::DiskFull { .. }),
            _ => false,
        }
    }

    /// Whether the disk refused to read, write or flush.
    pub(crate) fn is_disk_failure(&self) -> bool {
        matches!(self, Self::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure))
    }

    /// Whether it ends the transaction, and so concerns every call in it.
    pub(crate) fn ends_transaction(&self) -> bool {
        match self {
            Self::Sqlite(_) | Self::Uncertain => true,
            Self::Server(failure) => !matches!(failure, Failure::Refused { .. }),
            _ => false,
        }
    }

    /// The error as callers of the store see it.
    pub(crate) fn tell(self, path: &Path, waited_ms: u64) -> StoreError {
        let path = path.to_owned();
        let place = path.display().to_string();
        match self {
            Self::Told(error) => error,
            Self::Foreign => StoreError::Foreign { path },
            Self::TooNew { found, known } => StoreError::TooNew { path, found, known },
            Self::Malformed(detail) => StoreError::Corrupt { path, detail },
            Self::Stale => {
                StoreError::Database { path, detail: "the notes were changed meanwhile".to_owned() }
            }
            Self::NoRow => {
                StoreError::Corrupt { path, detail: "a row is missing that must be there".to_owned() }
            }
            Self::Uncertain => StoreError::Uncertain { place, token: [0; 16] },
            Self::Server(Failure::Unreachable(detail)) => StoreError::Unreachable { place, detail },
            Self::Server(Failure::Again(_)) => StoreError::Busy { path, waited_ms },
            Self::Server(Failure::Full(_)) => StoreError::DiskFull { path },
            Self::Server(Failure::Refused { code, detail }) => {
                StoreError::Database { path, detail: format!("{detail} ({code})") }
            }
            Self::Sqlite(error) if lacks_room(&error) => StoreError::DiskFull { path },
            Self::Sqlite(error) => {
                let detail = error.to_string();
                match error.sqlite_error_code() {
                    Some(code) if is_held(code) => StoreError::Busy { path, waited_ms },
                    Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly { path },
                    Some(ErrorCode::SystemIoFailure) => StoreError::DiskFailed { path, detail },
                    Some(ErrorCode::CannotOpen) => StoreError::CannotOpen { path, detail },
                    Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                        StoreError::Corrupt { path, detail }
                    }
                    _ => StoreError::Database { path, detail },
                }
            }
        }
    }
}

/// Whether SQLite says that the disk is full: in so many words, or because the file of what it shares between processes
/// cannot be given its size.
fn lacks_room(error: &rusqlite::Error) -> bool {
    let shared = |told: &rusqlite::ffi::Error| told.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
    error.sqlite_error_code() == Some(ErrorCode::DiskFull) || error.sqlite_error().is_some_and(shared)
}

/// Whether somebody else holds a lock. The protocol fails for who has waited long for another process that is mending the
/// write-ahead log, and was stopped while it did.
fn is_held(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed)
}
