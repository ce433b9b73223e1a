//! A folder for what is under way. What a killed process left is cleared away by the next one.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::depot::FolderDepot;
use crate::{BackupError, look};

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
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
            FolderDepot::make(&path)?;
            let failed = |source| BackupError::file(&path, "the folder cannot be locked", source);
            match peri_private::create(&path.join(LOCK)).and_then(|lock| lock.lock().map(|()| lock)) {
                // Somebody who cleared up may have taken the folder for a dead one's before it was locked.
                Ok(lock) if look::is_there(&path.join(LOCK))? => return Ok(Self { path, lock }),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(failed(error)),
            }
        }
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
        // Whoever was killed before it made the lock, or after it took it away, left a folder without one.
        let lock = || peri_private::own_file().write(true).create(true).truncate(false).open(path.join(LOCK));
        let left = || lock().is_ok_and(|lock| lock.try_lock().is_ok());
        if named
            && left()
            && let Err(error) = fs::remove_dir_all(&path)
        {
            tracing::debug!(%error, folder = %path.display(), "somebody else clears it away");
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_the_dead_left_is_cleared_away_with_and_without_a_lock_and_what_is_in_use_stays() {
        let parent = tempfile::tempdir().unwrap();
        let used = WorkFolder::create(parent.path()).unwrap();
        for name in [".work-1-0", ".work-1-1", "backup"] {
            fs::create_dir(parent.path().join(name)).unwrap();
        }
        fs::write(parent.path().join(".work-1-1").join(LOCK), "").unwrap();
        let second = WorkFolder::create(parent.path()).unwrap();
        assert!(used.path.exists() && second.path.exists() && parent.path().join("backup").exists());
        assert!(!parent.path().join(".work-1-0").exists() && !parent.path().join(".work-1-1").exists());
    }
}
