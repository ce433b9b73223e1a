//! Where backups are kept.

mod folder;
#[cfg(feature = "s3")]
mod s3;

use std::io::Read;
use std::path::Path;

pub use self::folder::FolderDepot;
pub(crate) use self::folder::{flush_folder, free_bytes, private_file};
#[cfg(feature = "s3")]
pub use self::s3::S3Depot;
use crate::{BackupError, BackupName};

/// A backup that lies in a depot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// What it is called.
    pub name: BackupName,
    /// Whether it has a manifest; without one it was not finished.
    pub finished: bool,
}

/// Takes bytes as they come.
pub type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), BackupError>;

/// A place that keeps the files of backups. Paths begin with the backup's name and have slashes.
pub trait Depot: Send + Sync {
    /// Where it is, for people. It holds no credentials.
    fn place(&self) -> String;

    /// The folder it is, if it is one.
    fn folder(&self) -> Option<&Path>;

    /// How many bytes can still be put there, where that is known.
    fn free_bytes(&self) -> Option<u64>;

    /// Puts a file there. It is there as a whole or not at all.
    fn put(&self, path: &str, bytes: &mut dyn Read) -> Result<(), BackupError>;

    /// Makes sure that what was put for a backup survives a power cut.
    fn settle(&self, name: &BackupName) -> Result<(), BackupError>;

    /// Hands out a file piece by piece. `false`: there is none.
    fn get(&self, path: &str, sink: Sink<'_>) -> Result<bool, BackupError>;

    /// Every backup, in order, the unfinished ones included.
    fn held(&self) -> Result<Vec<Held>, BackupError>;

    /// Removes a backup, the manifest first, so that nobody takes what is left for a whole one.
    fn remove(&self, name: &BackupName) -> Result<(), BackupError>;
}
