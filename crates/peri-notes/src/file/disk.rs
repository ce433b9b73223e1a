//! Steps on the disk, each of which may be the last one before a crash.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ShelfError;

/// What is about to be done on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A folder is made.
    CreateFolder,
    /// A new file is written beside the one whose place it takes.
    Write,
    /// A file's content is made durable.
    Sync,
    /// A file takes the place of another.
    Rename,
    /// Names in a folder are made durable.
    SyncFolder,
    /// A log is cut to the length it had before it was added to.
    Cut,
    /// Lines are added to a log.
    Append,
    /// A file is removed.
    Remove,
}

/// What becomes of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is done.
    Go,
    /// It fails, and nothing of it is done.
    Fail,
    /// It fails, with half of what was to be written in the file.
    Half,
}

/// Somebody who watches the steps, to break them off.
pub trait Watch: Send + Sync {
    /// Called before each step.
    fn before(&self, step: Step, path: &Path) -> Fate;
}

/// The disk, or one that fails on demand.
#[derive(Clone, Default)]
pub(super) struct Disk {
    watch: Option<Arc<dyn Watch>>,
}

impl Disk {
    pub(super) fn watched(watch: Arc<dyn Watch>) -> Self {
        Self { watch: Some(watch) }
    }

    /// Makes a folder and the ones above it, durably.
    pub(super) fn create_folder(&self, folder: &Path) -> Result<(), ShelfError> {
        let is_missing = |above: &&Path| !above.as_os_str().is_empty() && !above.is_dir();
        let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
        for missing in missing.into_iter().rev() {
            self.step(Step::CreateFolder, missing, || peri_private::create_folder(missing))?;
            self.sync_parent(missing)?;
        }
        Ok(())
    }

    /// Puts a file in the place of another, whole or not at all.
    pub(super) fn replace(&self, path: &Path, text: &str) -> Result<(), ShelfError> {
        self.replace_bytes(path, text.as_bytes())
    }

    /// The same with bytes that may be no text.
    pub(super) fn replace_bytes(&self, path: &Path, bytes: &[u8]) -> Result<(), ShelfError> {
        let mut aside = path.as_os_str().to_owned();
        aside.push(".part");
        let aside = PathBuf::from(aside);
        let mut file = None;
        self.write(Step::Write, &aside, bytes, |bytes| {
            file.insert(private_file(&aside).write(true).truncate(true).open(&aside)?).write_all(bytes)
        })?;
        self.step(Step::Sync, &aside, || file.as_ref().map_or(Ok(()), File::sync_all))?;
        self.step(Step::Rename, path, || std::fs::rename(&aside, path))?;
        self.sync_parent(path)
    }

    /// Makes a file hold what it held up to a length, and these bytes behind it.
    pub(super) fn extend(&self, path: &Path, length: u64, bytes: &[u8]) -> Result<(), ShelfError> {
        let file = private_file(path).append(true).open(path);
        let mut file = file.map_err(|error| ShelfError::writing(path, &error))?;
        if file.metadata().map_err(|error| ShelfError::reading(path, &error))?.len() > length {
            self.step(Step::Cut, path, || file.set_len(length))?;
        }
        self.write(Step::Append, path, bytes, |bytes| file.write_all(bytes))?;
        self.step(Step::Sync, path, || file.sync_data())?;
        // Whether it is new is not asked of the disk: who was broken off may have made it.
        if length == 0 { self.sync_parent(path) } else { Ok(()) }
    }

    /// Removes a file, if it is there.
    pub(super) fn remove(&self, path: &Path) -> Result<(), ShelfError> {
        self.step(Step::Remove, path, || match std::fs::remove_file(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            done => done,
        })?;
        self.sync_parent(path)
    }

    fn sync_parent(&self, path: &Path) -> Result<(), ShelfError> {
        path.parent().map_or(Ok(()), |folder| self.sync_folder(folder))
    }

    /// Makes the names in a folder durable.
    pub(super) fn sync_folder(&self, folder: &Path) -> Result<(), ShelfError> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // Elsewhere folders cannot be opened like files, and renaming is durable by itself.
        if cfg!(unix) {
            self.step(Step::SyncFolder, folder, || peri_private::flush_folder(folder))?;
        }
        Ok(())
    }

    fn step(
        &self,
        step: Step,
        path: &Path,
        run: impl FnOnce() -> std::io::Result<()>,
    ) -> Result<(), ShelfError> {
        match self.fate(step, path) {
            Fate::Go => run().map_err(|error| ShelfError::writing(path, &error)),
            Fate::Fail | Fate::Half => Err(broken_off(path)),
        }
    }

    fn write(
        &self,
        step: Step,
        path: &Path,
        bytes: &[u8],
        run: impl FnOnce(&[u8]) -> std::io::Result<()>,
    ) -> Result<(), ShelfError> {
        let writing = |error: std::io::Error| ShelfError::writing(path, &error);
        match self.fate(step, path) {
            Fate::Go => run(bytes).map_err(writing),
            Fate::Half => run(&bytes[..bytes.len() / 2]).map_err(writing).and(Err(broken_off(path))),
            Fate::Fail => Err(broken_off(path)),
        }
    }

    fn fate(&self, step: Step, path: &Path) -> Fate {
        self.watch.as_ref().map_or(Fate::Go, |watch| watch.before(step, path))
    }
}

/// How files are made: what was said in confidence is for nobody else on the machine to read.
pub(super) fn private_file(path: &Path) -> OpenOptions {
    let mut options = peri_private::file(path);
    options.create(true);
    options
}

fn broken_off(path: &Path) -> ShelfError {
    ShelfError::Disk { path: path.to_owned(), what: "written", detail: "broken off".to_owned() }
}

/// What a file says; none if there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, ShelfError> {
    let Some(bytes) = read_bytes(path)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|_| ShelfError::Damaged {
        path: path.to_owned(),
        detail: "it is not text in UTF-8; save it as UTF-8".to_owned(),
    })
}

/// What a file holds, text or not.
pub(super) fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, ShelfError> {
    match peri_private::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ShelfError::reading(path, &error)),
    }
}

/// What a folder holds; nothing if there is none.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, ShelfError> {
    let reading = |error: std::io::Error| ShelfError::reading(folder, &error);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(reading(error)),
    };
    entries.map(|entry| Ok(entry.map_err(reading)?.path())).collect()
}
