//! What can go wrong with an inbox.

use std::io;
use std::path::{Path, PathBuf};

/// Why a call was not kept or not worked off.
#[derive(Debug, thiserror::Error)]
pub enum InboxError {
    /// Nobody works the calls off. Log it: this call is lost, those that wait are not.
    #[error(
        "{waiting} calls of hooks wait in {} and no more are taken, so this one was not kept; nothing that waits is lost. \
         Look why nobody works them off",
        folder.display()
    )]
    Full {
        /// The inbox.
        folder: PathBuf,
        /// How many wait.
        waiting: usize,
    },
    /// The call cannot be written down. Report it.
    #[error("a call of a hook cannot be written down and was not kept: {detail}")]
    Unwritable {
        /// What is wrong with it.
        detail: String,
    },
    /// The disk failed. What was acknowledged is kept; try again.
    #[error("{} could not be {what}: {source}", path.display())]
    Disk {
        /// What it is about.
        path: PathBuf,
        /// What was to be done.
        what: &'static str,
        /// What happened.
        source: io::Error,
    },
}

impl InboxError {
    pub(super) fn disk(path: &Path, what: &'static str, source: io::Error) -> Self {
        Self::Disk { path: path.to_owned(), what, source }
    }
}
