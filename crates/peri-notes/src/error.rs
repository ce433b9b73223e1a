//! What can go wrong with notes, and what to do about it.

use std::path::{Path, PathBuf};

use crate::InvalidSession;

/// Why a shelf did not do what it was asked. What it held before is as it was.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ShelfError {
    /// A file or folder cannot be used. Nothing was changed: look at the disk and its permissions, then try again.
    #[error("the notes at {path} cannot be {what}: {detail}")]
    Disk {
        /// Which file or folder.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the system said.
        detail: String,
    },
    /// Another process has been at work on the notes of the namespace for too long. Nothing was changed: try again.
    #[error("the notes at {path} are in use by another process; nothing was changed, try again")]
    Busy {
        /// The lock that was waited for.
        path: PathBuf,
    },
    /// A file holds what it should not, and a person has to look at it. Nothing was changed.
    #[error("{path} cannot be understood: {detail}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        detail: String,
    },
    /// The changes that were asked for make no sense. Nothing was changed: this is a mistake of the caller.
    #[error("the change of {key} was refused: {why}")]
    Refused {
        /// What was to be changed.
        key: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The store behind the shelf cannot do it now: it is unreachable, locked or full. Try again when it answers. Nothing
    /// was changed, unless it broke off during a commit; then the detail says that nobody knows.
    #[error("the store of the notes did not answer: {detail}")]
    Store {
        /// What the store said.
        detail: String,
    },
    /// The store behind the shelf did not do it, and would not the next time either. Nothing was changed: what it said
    /// tells what to do.
    #[error("the store of the notes failed: {detail}")]
    StoreFailed {
        /// What the store said.
        detail: String,
    },
}

impl ShelfError {
    pub(crate) fn writing(path: &Path, error: &std::io::Error) -> Self {
        Self::Disk { path: path.to_owned(), what: "written", detail: error.to_string() }
    }

    pub(crate) fn reading(path: &Path, error: &std::io::Error) -> Self {
        Self::Disk { path: path.to_owned(), what: "read", detail: error.to_string() }
    }
}

/// Why an operation on notes failed. Nothing was changed, and nothing that was kept is lost.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotesError {
    /// The place where notes are kept could not do it. Its own text tells what to do.
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    /// The name of a session cannot be used. Give another one.
    #[error(transparent)]
    Session(#[from] InvalidSession),
    /// A document that notes are kept in cannot be read, probably because somebody edited it. Mend or remove it.
    #[error("the {what} of {name} cannot be read: {detail}; mend it, or remove it to start anew")]
    Unreadable {
        /// Which document.
        what: &'static str,
        /// Of which session.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
    /// Others changed the same notes again and again. Try again later.
    #[error(
        "the notes of {name} were changed by others {attempts} times in a row; nothing was changed, try again"
    )]
    Contended {
        /// Of which session.
        name: String,
        /// How often it was tried.
        attempts: usize,
    },
}
