//! Backups of a data folder, and the way back.
//!
//! A backup is a folder of files, or a prefix in a bucket: the database as of one moment, the other files of the data
//! folder, and a manifest that is written last and says what belongs to it. What has no manifest is unfinished.
//! [`Backups`] makes, lists, verifies and prunes them in a [`Depot`], and [`Backups::restore`] brings one back.
//! [`Schedule`] says when the next one is due.
#![forbid(unsafe_code)]

mod create;
mod depot;
mod destination;
mod error;
mod fetch;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod halt;
mod look;
mod loss;
mod manifest;
mod mark;
mod name;
mod notes;
mod prune;
mod queue;
mod restore;
mod retention;
mod safety;
mod schedule;
mod source;
mod streams;
mod verify;
mod work;

pub use create::Created;
#[cfg(feature = "s3")]
pub use depot::S3Depot;
pub use depot::{Depot, FolderDepot, Held};
pub use destination::{Destination, Reach};
pub use error::BackupError;
pub use fetch::Listed;
pub use halt::Halt;
pub use loss::Loss;
pub use manifest::{FileEntry, Manifest};
pub use name::{BackupName, InvalidName};
pub use prune::Pruned;
pub use restore::{Overwrite, Prepared, Restore, Restored, SafetyBackup};
pub use retention::{Retention, to_remove};
pub use schedule::{Made, Schedule, ScheduleSettings};
pub use source::Snapshot;
pub use verify::{Depth, Verified};

pub use peri_store::{Part, PartDifference};

use std::path::{Path, PathBuf};

use perihelion::EncryptionKey;

/// The folder in the data folder where backups go unless somebody says otherwise.
pub const FOLDER: &str = "backups";

/// The backups of one data folder at one destination.
pub struct Backups {
    depot: Box<dyn Depot>,
    /// Where work under way lies: on the disk of the backups, or beside the data if they are elsewhere.
    work: PathBuf,
    halt: Halt,
    /// The key that the store of the data is encrypted with, and so its backups.
    key: Option<EncryptionKey>,
}

impl Backups {
    /// The backups in a depot, of the data in a folder.
    pub fn new(depot: Box<dyn Depot>, data: &Path) -> Self {
        let work = depot.folder().map_or_else(|| data.join(FOLDER), Path::to_owned);
        Self { depot, work, halt: Halt::default(), key: None }
    }

    /// The same, with work that gives up when it is told to.
    pub fn heeding(self, halt: Halt) -> Self {
        Self { halt, ..self }
    }

    /// The same, of an encrypted store: they are encrypted with its key, and read with it.
    pub fn keyed(self, key: Option<EncryptionKey>) -> Self {
        Self { key, ..self }
    }

    /// Refuses an encrypted backup that there is no key for.
    pub(crate) fn check_key(&self, manifest: &Manifest) -> Result<(), BackupError> {
        if manifest.encrypted && self.key.is_none() {
            return Err(BackupError::Encrypted { name: manifest.name.to_string() });
        }
        Ok(())
    }

    /// The backups in the data folder itself.
    pub fn beside(data: &Path) -> Self {
        Self::new(Box::new(FolderDepot::new(data.join(FOLDER))), data)
    }

    pub(crate) fn halt(&self) -> &Halt {
        &self.halt
    }

    /// Where they are, for people.
    pub fn place(&self) -> String {
        self.depot.place()
    }
}
