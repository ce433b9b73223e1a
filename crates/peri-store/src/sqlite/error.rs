//! From what SQLite says to what a person can act on.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::StoreError;

/// Trouble inside the backend, before it is told with the path of the file.
#[derive(Debug)]
pub(super) enum Trouble {
    Sqlite(rusqlite::Error),
    Foreign,
    TooNew {
        found: u32,
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
    pub(super) fn is_read_only(&self) -> bool {
        match self {
            Self::Sqlite(error) => {
                matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
            }
            Self::Told(error) => matches!(error, StoreError::ReadOnly { .. }),
            _ => false,
        }
    }

    /// Whether another process held a lock for too long.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Sqlite(error) if matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)))
    }

    /// The error as callers of the store see it.
    pub(super) fn tell(self, path: &Path, waited_ms: u64) -> StoreError {
        let path = path.to_owned();
        match self {
            Self::Told(error) => error,
            Self::Foreign => StoreError::Foreign { path },
            Self::TooNew { found } => StoreError::TooNew { path, found, known: super::schema::FORMAT },
            Self::Malformed(detail) => StoreError::Corrupt { path, detail },
            Self::Sqlite(error) => {
                let detail = error.to_string();
                match error.sqlite_error_code() {
                    Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                        StoreError::Busy { path, waited_ms }
                    }
                    Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
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
