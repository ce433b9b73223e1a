//! What can go wrong with a queue, and what to do about it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::RecordId;

/// Why a queue did not do what it was asked. Nothing that was pushed before is lost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// The queue's files cannot be written or read. What was to be pushed is not kept: tell the caller, and look at
    /// the disk.
    #[error("the queue at {path} cannot be {what}: {detail}")]
    Disk {
        /// Which file or folder.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the system said.
        detail: String,
        /// Whether the disk has no room.
        full: bool,
    },
    /// Nothing with this id waits or lies among the dead letters. List them and choose one.
    #[error("nothing with the id {id} is queued")]
    NoRecord {
        /// The id that was given.
        id: RecordId,
    },
    /// The record belongs to the queue of a process that is running. Ask that process.
    #[error("{id} is queued by another process that is running")]
    HeldElsewhere {
        /// The id that was given.
        id: RecordId,
    },
}

impl QueueError {
    pub(crate) fn writing(path: &Path, error: &std::io::Error) -> Self {
        let full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        Self::Disk { path: path.to_owned(), what: "written", detail: error.to_string(), full }
    }

    pub(crate) fn reading(path: &Path, error: &std::io::Error) -> Self {
        Self::Disk { path: path.to_owned(), what: "read", detail: error.to_string(), full: false }
    }

    /// Whether the disk that the queue lies on has no room.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Disk { full: true, .. })
    }
}
