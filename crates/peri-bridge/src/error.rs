//! What can go wrong between memories and a file, and what to do about it.

use std::io;
use std::path::PathBuf;

use perihelion::{ErrorKind, Namespace};

use crate::markers::Damage;

/// Why something was not done with a file. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// There is no such file. Name one that exists, or export to it, which creates it.
    #[error("there is no file {path}")]
    NoFile {
        /// What was given.
        path: PathBuf,
    },
    /// The file is too large to be one that an agent reads. Name another.
    #[error("{path} has {bytes} bytes, more than the {max} that a memory file may have")]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// How large it is.
        bytes: u64,
        /// How large it may be.
        max: u64,
    },
    /// The file is no text. Save it as UTF-8.
    #[error("{path} is not text in UTF-8")]
    NotText {
        /// Which file.
        path: PathBuf,
    },
    /// The markers of the section cannot be relied on. Mend them by hand, or delete them.
    #[error("the markers of Perihelion's section in {path} are damaged: {damage}")]
    Markers {
        /// Which file.
        path: PathBuf,
        /// What is wrong with them.
        damage: Damage,
    },
    /// Somebody edited the section by hand, and an export would lose that. Sync instead.
    #[error("Perihelion's section in {path} was edited by hand, and an export would overwrite that")]
    Edited {
        /// Which file.
        path: PathBuf,
    },
    /// Somebody wrote more into the section than a file may state. Move it out of the section.
    #[error(
        "{lines} lines were written into Perihelion's section in {path}, more than the {max} that are taken over"
    )]
    TooManyEdits {
        /// Which file.
        path: PathBuf,
        /// How many lines.
        lines: usize,
        /// How many are taken over.
        max: usize,
    },
    /// The file was changed by somebody else while it was worked on. Try again.
    #[error("{path} was changed by somebody else meanwhile; it stays as it is now")]
    Changed {
        /// Which file.
        path: PathBuf,
    },
    /// The file may not be written to. Change its permissions if you mean to.
    #[error("{path} is read-only")]
    ReadOnly {
        /// Which file.
        path: PathBuf,
    },
    /// The file is bridged with another namespace. Use that one, or begin anew.
    #[error("{path} is bridged with the namespace {known}, not with {asked}")]
    OtherNamespace {
        /// Which file.
        path: PathBuf,
        /// The namespace it is bridged with.
        known: String,
        /// The one that was asked for.
        asked: Namespace,
        /// Where that is remembered.
        state: PathBuf,
    },
    /// What is remembered of the file was written by a newer program. Use that one.
    #[error("{path} has the format {format}, which this program does not know")]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// Another process works on the same file. Try again later.
    #[error("another process is at work on {path}")]
    Busy {
        /// Which file.
        path: PathBuf,
    },
    /// A file or folder cannot be read or written. Look at it, its permissions and the disk.
    #[error("{what} {path}")]
    File {
        /// What was tried.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The engine refused or failed.
    #[error(transparent)]
    Engine(#[from] perihelion::Error),
}

impl BridgeError {
    pub(crate) fn file(what: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::File { what, path: path.into(), source }
    }

    /// What kind of thing went wrong, for exit codes and answers.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLarge { .. }
            | Self::NotText { .. }
            | Self::Markers { .. }
            | Self::TooManyEdits { .. } => ErrorKind::InvalidInput,
            Self::NoFile { .. } => ErrorKind::NotFound,
            Self::Edited { .. } | Self::Changed { .. } | Self::OtherNamespace { .. } => ErrorKind::Conflict,
            Self::Busy { .. } => ErrorKind::Busy,
            Self::ReadOnly { .. } | Self::File { .. } | Self::Newer { .. } => ErrorKind::Unavailable,
            Self::Engine(error) => error.kind(),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoFile { .. } => {
                "`peri bridge export` creates it; what was imported before stays".to_owned()
            }
            Self::TooLarge { .. } => {
                "name the file that agents read, or split it; `peri vault` keeps long documents".to_owned()
            }
            Self::NotText { .. } => "save it as UTF-8".to_owned(),
            Self::Markers { damage, .. } => damage.remedy().to_owned(),
            Self::Edited { .. } => {
                "`peri bridge sync` takes the edits over; to drop them, delete the section with its markers"
                    .to_owned()
            }
            Self::TooManyEdits { .. } => {
                "move them out of the section, where they are your own text; or raise statements_max"
                    .to_owned()
            }
            Self::Changed { .. } | Self::Busy { .. } => "run the command again".to_owned(),
            Self::ReadOnly { .. } => "make it writable, or name another file".to_owned(),
            Self::OtherNamespace { known, state, .. } => format!(
                "use --namespace {known}, or delete {} to begin anew; memories stay as they are",
                state.display()
            ),
            Self::Newer { .. } => {
                "use the newer program; or delete the file, and the next run finds out what it can".to_owned()
            }
            Self::File { .. } => "look at the path, its permissions and the disk; nothing is lost".to_owned(),
            Self::Engine(error) => return error.hint(),
        })
    }
}
