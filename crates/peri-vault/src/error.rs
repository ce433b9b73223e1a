//! What can go wrong with a vault, and what to do about it.

use std::io;
use std::path::PathBuf;

use perihelion::ErrorKind;

use crate::Vanished;

/// Why something was not done with a vault. What was not named stays as it was.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// A key names no document that could be. The caller should use another.
    #[error("{key:?} cannot be a document: {why}")]
    Key {
        /// What was given.
        key: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// There is no such document.
    #[error("there is no document {key:?} in the vault")]
    NotFound {
        /// What was asked for.
        key: String,
    },
    /// A path of the vault leads out of its folder. Nothing was read or written there.
    #[error("{path} leads out of the vault")]
    Escapes {
        /// Which path.
        path: PathBuf,
    },
    /// A document is no text. Nothing was stored of it.
    #[error("{path} is not text in UTF-8")]
    NotText {
        /// Which file.
        path: PathBuf,
    },
    /// A file or folder of the vault cannot be read or written.
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
    /// Folders of documents are gone as a whole. Nothing was changed: somebody has to say what became of them.
    #[error("{} gone from the vault, with all documents in it; nothing was changed", folders(gone))]
    Vanished {
        /// Which ones.
        gone: Vec<Vanished>,
    },
    /// The engine refused or failed.
    #[error(transparent)]
    Engine(#[from] perihelion::Error),
    /// A test asked to stop here, as a crash would.
    #[error("stopped as asked")]
    Stopped,
}

impl VaultError {
    pub(crate) fn file(what: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::File { what, path: path.into(), source }
    }

    /// What kind of thing went wrong, for exit codes and answers.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Key { .. } | Self::Escapes { .. } | Self::NotText { .. } => ErrorKind::InvalidInput,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Vanished { .. } => ErrorKind::Conflict,
            Self::File { .. } => ErrorKind::Unavailable,
            Self::Engine(error) => error.kind(),
            Self::Stopped => ErrorKind::Internal,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Key { .. } => {
                "keys look like system, world, user:ana or knowledge/facts/coffee; `peri vault list` shows them".to_owned()
            }
            Self::NotFound { .. } => "`peri vault list` shows what there is".to_owned(),
            Self::Escapes { .. } => "put the document itself into the vault rather than a link to it".to_owned(),
            Self::NotText { .. } => "save it as UTF-8".to_owned(),
            Self::File { .. } => {
                "look at the path, its permissions and the disk; nothing is lost, and the next sync goes on".to_owned()
            }
            Self::Vanished { .. } => "bring the folder back, or write its files anew from the memories: `peri vault sync \
                --write-missing`; if it was deleted on purpose: `peri vault sync --confirm-missing`"
                .to_owned(),
            Self::Engine(error) => return error.hint(),
            Self::Stopped => return None,
        })
    }
}

/// The folders with how many documents they held, and a verb that fits.
fn folders(gone: &[Vanished]) -> String {
    let told = |one: &Vanished| format!("{} ({} documents)", one.folder, one.documents);
    let verb = if gone.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", gone.iter().map(told).collect::<Vec<_>>().join(", "))
}
