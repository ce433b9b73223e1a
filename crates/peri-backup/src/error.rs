//! What can go wrong with backups, and what to do about it.

use std::io;
use std::path::PathBuf;

use perihelion::{ErrorKind, StoreError};

use crate::InvalidName;
use crate::loss::Loss;

/// Why a backup was not made, verified or restored. What was there before is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The engine refused or failed; its own variants say what to do.
    #[error(transparent)]
    Engine(#[from] perihelion::Error),
    /// A name is malformed. Take one from the list.
    #[error(transparent)]
    Name(#[from] InvalidName),
    /// There is no such backup. Take a name from the list.
    #[error("there is no backup {name} in {place}")]
    NotFound {
        /// The name that was given.
        name: String,
        /// Where it was looked for.
        place: String,
    },
    /// There is no backup at all. Make one.
    #[error("there is no backup in {place}")]
    None {
        /// Where it was looked for.
        place: String,
    },
    /// Something of the backup is missing or not what was written. Use another one.
    #[error("backup {name} is damaged: {detail}")]
    Damaged {
        /// Which one.
        name: String,
        /// What is wrong, the first thing that was found.
        detail: String,
    },
    /// The backup is encrypted, and there is no key. Give the key of the store that it was made of.
    #[error("backup {name} is encrypted, and no key is given")]
    Encrypted {
        /// Which one.
        name: String,
    },
    /// The backup is plain and the store here is encrypted: its files would lie here unencrypted. Decrypt the store,
    /// restore, and encrypt it again.
    #[error("backup {name} was made of a store that was not encrypted, and the one here is")]
    Plain {
        /// Which one.
        name: String,
    },
    /// The backup was made by a newer release. Upgrade this one.
    #[error("backup {name} has format {found}, this release knows up to {known}")]
    TooNew {
        /// Which one.
        name: String,
        /// The format it has.
        found: u32,
        /// The newest format this release reads.
        known: u32,
    },
    /// There is not enough room on a disk. Make some, or choose another destination.
    #[error("the backup needs about {} in {place}, and {} are free", bytes(*needed), bytes(*free))]
    NoRoom {
        /// Where.
        place: String,
        /// How many bytes it needs at most.
        needed: u64,
        /// How many there are.
        free: u64,
    },
    /// The destination makes no sense. Mend it.
    #[error("{given:?} is no destination: {why}")]
    Destination {
        /// What was given.
        given: String,
        /// What is wrong.
        why: String,
    },
    /// The destination cannot be reached, read or written. Look at it, its permissions and the credentials.
    #[error("{place}: {what}: {detail}")]
    Depot {
        /// Which destination.
        place: String,
        /// What was tried.
        what: String,
        /// What it said.
        detail: String,
    },
    /// A file or folder on this machine cannot be read or written.
    #[error("{path}: {what}")]
    File {
        /// Which one.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// What is here would be lost. Ask for it in so many words.
    #[error("the folder holds what backup {name} does not: {loss}")]
    WouldOverwrite {
        /// The backup that was to be restored.
        name: String,
        /// What would be lost.
        loss: Box<Loss>,
    },
    /// Somebody wrote between the comparison or the safety backup and the restore, again and again. Try again when
    /// less is written.
    #[error("the store was changed every time that the restore was ready")]
    Overtaken,
    /// The program is to end, so the work was given up. Do it another time.
    #[error("it was given up because the program is to end")]
    Halted,
    /// Another process is making one. Wait until it is in the list.
    #[error("another process is making a backup already")]
    AtWork,
    /// No backup would be left but the last. Say what is to be kept.
    #[error("nothing is said to be kept")]
    NothingKept,
}

impl BackupError {
    /// Trouble with a file on this machine.
    pub(crate) fn file(path: impl Into<PathBuf>, what: &'static str, source: io::Error) -> Self {
        Self::File { path: path.into(), what, source }
    }

    /// What the caller should do about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Engine(error) => error.kind(),
            Self::Name(_) | Self::Destination { .. } | Self::NothingKept => ErrorKind::InvalidInput,
            Self::NotFound { .. } | Self::None { .. } => ErrorKind::NotFound,
            Self::Damaged { .. } => ErrorKind::Corrupt,
            Self::TooNew { .. }
            | Self::Encrypted { .. }
            | Self::NoRoom { .. }
            | Self::Depot { .. }
            | Self::File { .. }
            | Self::Halted => ErrorKind::Unavailable,
            Self::WouldOverwrite { .. } | Self::Plain { .. } | Self::AtWork => ErrorKind::Conflict,
            Self::Overtaken => ErrorKind::Busy,
        }
    }

    /// What to do about it, in words for a person.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Engine(error) => return error.hint(),
            Self::Name(_) | Self::NotFound { .. } => {
                "the list of backups shows their names; latest is the newest one"
            }
            Self::None { .. } => {
                "`peri backup create` makes one; --from or backup.to names another destination"
            }
            Self::Damaged { .. } => "nothing was changed; verify the others and use one that is whole",
            Self::Encrypted { .. } => {
                "nothing was changed; set encryption.key_file or PERI_ENCRYPTION_KEY to the key of that store"
            }
            Self::Plain { .. } => {
                "nothing was changed, and its files would lie here unencrypted; `peri decrypt`, restore it, then \
                 `peri encrypt` again"
            }
            Self::TooNew { .. } => "upgrade this program; nothing was changed",
            Self::NoRoom { .. } => {
                "nothing was written; make room, prune old backups or choose another destination"
            }
            Self::Destination { .. } => "a folder, or a bucket as in s3://bucket/prefix",
            Self::Depot { .. } => {
                "look at the destination, its permissions and the credentials in the environment"
            }
            Self::File { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "no backup was left half written; make room, prune old backups or choose another destination"
            }
            Self::File { .. } => "look at the path, the permissions and the disk",
            Self::WouldOverwrite { .. } => {
                "nothing was changed; --overwrite replaces it, after a backup of what is here"
            }
            Self::Overtaken => {
                "nothing was changed; let those who write pause for a moment, or do without a backup of what is \
                 here by --no-safety-backup"
            }
            Self::Halted => "nothing was changed; do it another time",
            Self::AtWork => {
                "nothing was begun; wait until it is in the list of backups, or for a minute if it was broken off"
            }
            Self::NothingKept => {
                "nothing was removed; give at least one of keep-last, -daily, -weekly and -monthly"
            }
        };
        Some(hint.to_owned())
    }
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> Self {
        Self::Engine(error.into())
    }
}

/// A number of bytes for a person.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", UNITS[unit]) }
}
