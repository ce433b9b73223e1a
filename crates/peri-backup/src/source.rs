//! States of a store that can be compared: backups, and data folders.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use peri_store::{Part, PartDifference, SqliteStore, Store, StoreError, settings_for_copy};
use perihelion::{EncryptionKey, NotesState, Perihelion};

use crate::fetch::Progress;
use crate::work::WorkFolder;
use crate::{BackupError, BackupName, Backups, look, notes, verify};

/// A state of a store, opened for reading.
pub struct Snapshot {
    store: Arc<SqliteStore>,
    database: PathBuf,
    /// The folder of its notes in files.
    notes: PathBuf,
    /// Where a fetched one lies for as long as it is read.
    _work: Option<WorkFolder>,
}

impl Snapshot {
    /// The store as of then.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// What another state differs in besides memories, links, sessions and notes.
    pub fn parts_apart(&self, other: &Self) -> Result<Vec<PartDifference>, BackupError> {
        let mut parts = self.store.parts_apart(&other.database)?;
        parts.retain(|part| part.part != Part::Notes);
        Ok(parts)
    }

    /// The notes as of then.
    pub fn notes(&self) -> Result<NotesState, BackupError> {
        let store: Arc<dyn Store> = Arc::<SqliteStore>::clone(&self.store);
        Ok(NotesState::new(&self.notes, store)?)
    }

    /// The present state of another data folder.
    pub fn of_folder(folder: &Path, key: Option<&EncryptionKey>) -> Result<Self, BackupError> {
        let path = folder.join(Perihelion::DATABASE);
        if !look::is_file(&path)? {
            let detail = "there is no such file".to_owned();
            return Err(StoreError::CannotOpen { path, detail }.into());
        }
        let store = Arc::new(SqliteStore::open(&path, &settings_for_copy(&path, key))?);
        Ok(Self { store, database: path, notes: folder.join(Perihelion::NOTES), _work: None })
    }
}

impl Backups {
    /// The state that a backup holds, fetched and verified.
    pub fn snapshot(&self, name: &BackupName, progress: Progress<'_>) -> Result<Snapshot, BackupError> {
        let manifest = self.manifest(name)?;
        self.check_key(&manifest)?;
        let work = WorkFolder::create(&self.work)?;
        let copy = work.file("snapshot.db");
        self.fetch(name, manifest.database()?, &copy, progress)?;
        if let Some(problem) =
            verify::look(&manifest, &copy, verify::Depth::Quick, self.key.as_ref()).into_iter().next()
        {
            return Err(crate::manifest::damaged(name, problem));
        }
        let mut files = self.fetch_others(&manifest, &work, progress)?;
        files.retain(|(path, _)| notes::is_part(path));
        let notes = notes::lay_out(&work, &files)?;
        let store = Arc::new(SqliteStore::open(&copy, &settings_for_copy(&copy, self.key.as_ref()))?);
        Ok(Snapshot { store, database: copy, notes, _work: Some(work) })
    }
}
