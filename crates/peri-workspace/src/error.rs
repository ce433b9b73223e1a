//! What can go wrong before there is anything to look at.

use std::path::PathBuf;

/// Why a workspace could not be opened or compared. Nothing was changed on the disk in any case.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// There is no folder at this path. Fix the path.
    #[error("there is no folder at {path}")]
    NotAFolder {
        /// The path that was given.
        path: PathBuf,
    },
    /// The folder is there and cannot be read. Check its permissions.
    #[error("the folder {path} cannot be read")]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The workspace is no git checkout, so there is no history to compare with. Compare digests instead.
    #[error("{path} is not a git checkout; compare digests of its files instead")]
    NoHistory {
        /// The folder.
        path: PathBuf,
    },
    /// This is no commit that the repository knows. Look at the whole workspace instead.
    #[error("the commit {commit:?} is not known here; look at the whole workspace instead")]
    UnknownCommit {
        /// What was given as a commit.
        commit: String,
    },
    /// Git did not answer as it should. Run the command by hand to see why, or look at the whole workspace.
    #[error("git failed: {reason}")]
    Git {
        /// What git said, or what became of it.
        reason: String,
    },
}
