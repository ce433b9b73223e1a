//! What can be wrong with a configuration. Nothing is guessed: each of these ends the command.

use std::path::PathBuf;

use super::Origin;

/// Why the settings cannot be used. The person should mend the place that is named.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("the configuration file {path} cannot be read")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{path}:{line}: {message}")]
    Syntax {
        /// Which file.
        path: PathBuf,
        /// Where.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A key means nothing.
    #[error("{origin}: unknown key {key:?}")]
    UnknownKey {
        /// Where it is.
        origin: Origin,
        /// What was written.
        key: String,
        /// What was probably meant.
        hint: String,
    },
    /// A value has the wrong sort.
    #[error("{origin}: {key} takes {expected}")]
    WrongType {
        /// Where it is.
        origin: Origin,
        /// The key.
        key: String,
        /// What it takes.
        expected: &'static str,
    },
    /// A value has the right sort and still cannot be used.
    #[error("{key} ({origin}): {why}")]
    BadValue {
        /// Where it is.
        origin: Origin,
        /// The key.
        key: String,
        /// What is wrong with it.
        why: String,
    },
}

impl ConfigError {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownKey { hint, .. } => Some(hint.clone()),
            Self::Unreadable { source, .. } if source.kind() == std::io::ErrorKind::InvalidData => {
                Some("write it as UTF-8; nothing was changed".to_owned())
            }
            Self::Unreadable { .. } => {
                Some("mend the path or the permissions; nothing was changed".to_owned())
            }
            Self::Syntax { .. } | Self::WrongType { .. } | Self::BadValue { .. } => {
                Some("mend it there; nothing was changed".to_owned())
            }
        }
    }
}
