//! States of a store that can be compared: backups, and data folders.

use std::path::Path;

use peri_store::{SqliteSettings, SqliteStore, Store, StoreError};
use perihelion::Perihelion;

use crate::fetch::Progress;
use crate::work::WorkFolder;
use crate::{BackupError, BackupName, Backups, verify};

/// A state of a store, opened for reading.
pub struct Snapshot {
    store: SqliteStore,
    /// Where a fetched one lies for as long as it is read.
    _work: Option<WorkFolder>,
}

impl Snapshot {
    /// The store as of then.
    pub fn store(&self) -> &dyn Store {
        &self.store
    }

    /// The present state of another data folder.
    pub fn of_folder(folder: &Path) -> Result<Self, BackupError> {
        let path = folder.join(Perihelion::DATABASE);
        if !path.is_file() {
            let detail = "there is no such file".to_owned();
            return Err(StoreError::CannotOpen { path, detail }.into());
        }
        Ok(Self { store: SqliteStore::open(&path, &SqliteSettings::default())?, _work: None })
    }
}

impl Backups {
    /// The state that a backup holds, fetched and verified.
    pub fn snapshot(&self, name: &BackupName, progress: Progress<'_>) -> Result<Snapshot, BackupError> {
        let manifest = self.manifest(name)?;
        let work = WorkFolder::create(&self.work)?;
        let copy = work.file("snapshot.db");
        self.fetch(name, manifest.database()?, &copy, progress)?;
        if let Some(problem) = verify::look(&manifest, &copy, verify::Depth::Quick).into_iter().next() {
            return Err(crate::manifest::damaged(name, problem));
        }
        Ok(Snapshot { store: SqliteStore::open(&copy, &SqliteSettings::default())?, _work: Some(work) })
    }
}
