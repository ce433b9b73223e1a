//! A folder for what is under way. What a killed process left is cleared away by the next one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::BackupError;
use crate::depot::FolderDepot;

/// Begins the names of such folders.
const PREFIX: &str = ".work-";
const LOCK: &str = "lock";

/// A folder that is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    path: PathBuf,
    /// Held for as long as the folder is in use, so that others can tell.
    lock: File,
}

impl WorkFolder {
    /// Makes a folder in another one.
    pub(crate) fn create(parent: &Path) -> Result<Self, BackupError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        FolderDepot::make(parent)?;
        clear(parent);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
        FolderDepot::make(&path)?;
        let failed = |source| BackupError::file(&path, "the folder cannot be locked", source);
        let lock = File::create(path.join(LOCK)).map_err(failed)?;
        lock.lock().map_err(failed)?;
        Ok(Self { path, lock })
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tracing::warn!(%error, folder = %self.path.display(), "a folder of work under way is left behind");
        }
        if let Err(error) = self.lock.unlock() {
            tracing::debug!(%error, "a lock is given back by the system instead");
        }
    }
}

/// Removes what processes left that are gone. Failing costs only room.
fn clear(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let named =
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
        let left = || File::open(path.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if named
            && left()
            && let Err(error) = fs::remove_dir_all(&path)
        {
            tracing::debug!(%error, folder = %path.display(), "somebody else clears it away");
        }
    }
}
