//! Why a learning file was not read or written.

use std::io;
use std::path::PathBuf;

/// Why a learning file was not read or written. Whichever it is, the file on the disk is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RvfError {
    /// Reading or writing broke off. Look at the disk and the permissions, then try again.
    #[error("the learning file cannot be {doing}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file cannot be read or written. Look at the disk and the permissions, then try again.
    #[error("{} cannot be {doing}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It is some other kind of file. Check the name.
    #[error("this is not a learning file: it begins with {found:?} instead of \"RVLS\"")]
    NotALearningFile {
        /// How it begins.
        found: String,
    },
    /// The file is larger than the limits allow. Raise the limit if you trust it.
    #[error("the learning file is larger than {bytes_max} bytes; nothing of it was taken in")]
    TooLarge {
        /// The limit.
        bytes_max: u64,
    },
    /// There are more records than the limits allow. Raise the limit if you trust them.
    #[error("the learning file has more than {records_max} records; nothing of it was taken in")]
    TooManyRecords {
        /// The limit.
        records_max: usize,
    },
    /// A record would not be read back. Make it smaller.
    #[error("the {kind} {key:?} takes {bytes} bytes; a line has at most {bytes_max}")]
    RecordTooLarge {
        /// The record's type.
        kind: &'static str,
        /// Its id or name.
        key: String,
        /// What it takes.
        bytes: u64,
        /// The limit.
        bytes_max: u64,
    },
    /// A record holds what a learning file cannot hold. Fix it.
    #[error("the {kind} {key:?} cannot be kept: {reason}")]
    Refused {
        /// The record's type.
        kind: &'static str,
        /// Its id or name.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Writing would destroy a file that was never read. Call `initialize` first.
    #[error("{} is there but was not read; initialize before persisting", path.display())]
    NotInitialized {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else has written the file since it was read. Initialize again and repeat what was saved.
    #[error("{} was changed by somebody else since it was read; nothing was written", path.display())]
    ChangedMeanwhile {
        /// The file.
        path: PathBuf,
    },
}

impl RvfError {
    /// The same about a file with a name.
    pub(super) fn of(self, path: &std::path::Path) -> Self {
        match self {
            Self::Io { doing, source } => Self::File { path: path.to_owned(), doing, source },
            other => other,
        }
    }
}
