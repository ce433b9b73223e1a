//! What can go wrong with the record of calls.

use std::path::{Path, PathBuf};

use jiff::civil::Date;

/// Why the record of calls cannot be kept or read. Look at the disk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// A file cannot be written or read.
    #[error("the record of language model calls at {path} cannot be {what}: {detail}")]
    Disk {
        /// Which file or folder.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the system said.
        detail: String,
    },
    /// Another process holds the record's lock and does not let go of it. Try again, or look for that process.
    #[error(
        "the record of language model calls at {path} is locked by another process that does not let go of it"
    )]
    Busy {
        /// The folder.
        path: PathBuf,
    },
}

/// Why tokens were not reserved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReserveError {
    /// The day's tokens do not suffice.
    #[error("{spent} tokens of {day} are spent or reserved already")]
    CapReached {
        /// The day, UTC.
        day: Date,
        /// So many are spent or reserved.
        spent: u64,
    },
    /// The record cannot be kept.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl LedgerError {
    pub(crate) fn writing(path: &Path, error: &std::io::Error) -> Self {
        Self::Disk { path: path.to_owned(), what: "written", detail: error.to_string() }
    }

    pub(crate) fn reading(path: &Path, error: &std::io::Error) -> Self {
        Self::Disk { path: path.to_owned(), what: "read", detail: error.to_string() }
    }
}
