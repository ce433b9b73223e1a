//! Backups in a folder of this machine, or of one that is mounted.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::{Depot, Held, Sink};
use crate::{BackupError, BackupName, look, manifest};

/// Files are copied so many bytes at a time.
const BLOCK: usize = 1 << 17;

/// A folder with a folder for each backup.
#[derive(Debug)]
pub struct FolderDepot {
    root: PathBuf,
}

impl FolderDepot {
    /// The depot in a folder, which is made with the first backup.
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Makes a folder that only its owner enters.
    pub(crate) fn make(folder: &Path) -> Result<(), BackupError> {
        make_private(folder)
    }

    fn path(&self, path: &str) -> PathBuf {
        path.split('/').fold(self.root.clone(), |folder, name| folder.join(name))
    }

    fn write(&self, path: &Path, part: &Path, bytes: &mut dyn Read) -> Result<(), BackupError> {
        let failed = |source| BackupError::file(path, "it cannot be written", source);
        let mut file = private_file().open(part).map_err(failed)?;
        let mut block = vec![0; BLOCK];
        loop {
            let read = match bytes.read(&mut block) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(source) => {
                    return Err(BackupError::file(path, "what belongs here cannot be read", source));
                }
            };
            file.write_all(&block[..read]).map_err(failed)?;
        }
        file.sync_all().map_err(failed)?;
        drop(file);
        fs::rename(part, path).map_err(failed)
    }
}

impl Depot for FolderDepot {
    fn place(&self) -> String {
        self.root.display().to_string()
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.root)
    }

    fn free_bytes(&self) -> Option<u64> {
        free_bytes(&self.root)
    }

    fn put(&self, path: &str, bytes: &mut dyn Read) -> Result<(), BackupError> {
        let path = self.path(path);
        let folder = path.parent().unwrap_or(&self.root);
        make_private(folder)?;
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let outcome = self.write(&path, &part, bytes);
        if outcome.is_err()
            && let Err(error) = fs::remove_file(&part)
        {
            tracing::debug!(%error, file = %part.display(), "nothing to take back");
        }
        outcome
    }

    fn settle(&self, name: &BackupName) -> Result<(), BackupError> {
        let mut folders = vec![self.root.join(name.as_str())];
        while let Some(folder) = folders.pop() {
            let failed = |source| BackupError::file(&folder, "the folder cannot be read", source);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                if entry.file_type().map_err(failed)?.is_dir() {
                    folders.push(entry.path());
                }
            }
            flush_folder(&folder)?;
        }
        flush_folder(&self.root)
    }

    fn get(&self, path: &str, sink: Sink<'_>) -> Result<bool, BackupError> {
        let path = self.path(path);
        let failed = |source| BackupError::file(&path, "it cannot be read", source);
        let mut file = match peri_private::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(failed(error)),
        };
        let mut block = vec![0; BLOCK];
        loop {
            match file.read(&mut block) {
                Ok(0) => return Ok(true),
                Ok(read) => sink(&block[..read])?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    fn held(&self) -> Result<Vec<Held>, BackupError> {
        let failed = |source| BackupError::file(&self.root, "the folder cannot be read", source);
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut held = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_str().and_then(|name| name.parse::<BackupName>().ok());
            if let Some(name) = name
                && look::is_folder(&entry.path())?
            {
                held.push(Held { finished: look::is_file(&entry.path().join(manifest::FILE))?, name });
            }
        }
        held.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(held)
    }

    fn remove(&self, name: &BackupName) -> Result<(), BackupError> {
        let folder = self.root.join(name.as_str());
        let failed = |source| BackupError::file(&folder, "it cannot be removed", source);
        match fs::remove_file(folder.join(manifest::FILE)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        if !look::is_there(&folder)? {
            return Ok(());
        }
        flush_folder(&folder)?;
        fs::remove_dir_all(&folder).map_err(failed)?;
        flush_folder(&self.root)
    }
}

/// A new file that only its owner reads.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = peri_private::own_file();
    options.write(true).create(true).truncate(true);
    options
}

/// Makes a folder, and those above it, that only their owner enters.
fn make_private(folder: &Path) -> Result<(), BackupError> {
    peri_private::create_root(folder)
        .map_err(|source| BackupError::file(folder, "the folder cannot be made", source))
}

/// Makes sure that the names in a folder survive a power cut.
#[cfg(unix)]
pub(crate) fn flush_folder(folder: &Path) -> Result<(), BackupError> {
    let flushed = peri_private::flush_folder(folder);
    flushed.map_err(|source| BackupError::file(folder, "the folder cannot be flushed to the disk", source))
}

/// Other systems flush names with the files.
#[cfg(not(unix))]
pub(crate) fn flush_folder(_: &Path) -> Result<(), BackupError> {
    Ok(())
}

/// How many bytes are free on the disk of a folder, whether or not it exists yet.
#[cfg(unix)]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Not known here; a full disk is told when it is reached.
#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}
