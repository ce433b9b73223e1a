//! The files of agents: read whole, written whole or not at all, and never over what somebody else has just written.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::BridgeError;

/// No file that an agent reads whole is larger.
pub(crate) const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// How a file is called until it is whole.
const UNFINISHED: &str = ".peri-unfinished";

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Target {
    /// Where it really is, links followed.
    pub(crate) path: PathBuf,
    /// What it says; none if it does not exist.
    pub(crate) text: Option<String>,
}

/// Holds a file for this process until it is dropped.
pub(crate) struct Held(#[allow(dead_code, reason = "it is let go of when it is dropped")] File);

/// Reads a file, or finds out where it would be.
pub(crate) fn read(path: &Path) -> Result<Target, BridgeError> {
    let failed = |error| BridgeError::file("cannot read", path, error);
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::NotFound => return missing(path),
        Err(error) => return Err(failed(error)),
    };
    let about = fs::metadata(&real).map_err(failed)?;
    if !about.is_file() {
        return Err(failed(io::Error::other("it is not a file")));
    }
    if about.len() > FILE_BYTES_MAX {
        return Err(BridgeError::TooLarge { path: real, bytes: about.len(), max: FILE_BYTES_MAX });
    }
    let bytes = peri_private::read(&real).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|_| BridgeError::NotText { path: real.clone() })?;
    Ok(Target { path: real, text: Some(text) })
}

/// Where a file will be that does not exist: in a folder that does.
fn missing(path: &Path) -> Result<Target, BridgeError> {
    let failed = |error| BridgeError::file("cannot find the folder of", path, error);
    if path.symlink_metadata().is_ok() {
        return Err(BridgeError::file("cannot follow the link", path, ErrorKind::NotFound.into()));
    }
    let name = path.file_name().ok_or_else(|| failed(ErrorKind::InvalidInput.into()))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().map_err(failed)?;
    Ok(Target { path: folder.join(name), text: None })
}

impl Target {
    /// Writes it anew, unless somebody else has done so since it was read. Permissions and owner stay.
    pub(crate) fn write(&self, text: &str) -> Result<(), BridgeError> {
        if fs::metadata(&self.path).is_ok_and(|about| about.permissions().readonly()) {
            return Err(BridgeError::ReadOnly { path: self.path.clone() });
        }
        let as_read = || self.is_as_read();
        match replace(&self.path, text.as_bytes(), as_read) {
            Ok(Replaced::Yes) => Ok(()),
            Ok(Replaced::No) => Err(BridgeError::Changed { path: self.path.clone() }),
            Err(error) => Err(BridgeError::file("cannot write", &self.path, error)),
        }
    }

    fn is_as_read(&self) -> io::Result<bool> {
        match (peri_private::read(&self.path), &self.text) {
            (Ok(bytes), text) => Ok(text.as_ref().is_some_and(|text| text.as_bytes() == bytes)),
            (Err(error), text) if error.kind() == ErrorKind::NotFound => Ok(text.is_none()),
            (Err(error), _) => Err(error),
        }
    }
}

/// Writes a file of our own, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), BridgeError> {
    match replace(path, bytes, || Ok(true)) {
        Ok(_) => Ok(()),
        Err(error) => Err(BridgeError::file("cannot write", path, error)),
    }
}

#[derive(PartialEq, Eq)]
enum Replaced {
    Yes,
    No,
}

/// Puts a new file in the place of another, if that is still as it should be right before.
fn replace(path: &Path, bytes: &[u8], is_right: impl Fn() -> io::Result<bool>) -> io::Result<Replaced> {
    let folder = path.parent().unwrap_or(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A name that no other process has, and short enough for every system.
    let number = blake3::hash(name.as_bytes()).to_hex();
    let unfinished = folder.join(format!("{UNFINISHED}-{}-{}", std::process::id(), &number[..16]));
    let outcome = fill(&unfinished, path, bytes).and_then(|()| {
        if !is_right()? {
            return Ok(Replaced::No);
        }
        fs::rename(&unfinished, path)?;
        flush_folder(folder)?;
        Ok(Replaced::Yes)
    });
    if !matches!(outcome, Ok(Replaced::Yes)) && unfinished.exists() {
        fs::remove_file(&unfinished)?;
    }
    outcome
}

fn fill(unfinished: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = fs::metadata(path).ok();
    // What replaces a file that others may not read is closed to them from the first moment on.
    let mut options = if before.is_some() { peri_private::own_file() } else { peri_private::document(path) };
    let mut file = options.write(true).create(true).truncate(true).open(unfinished)?;
    if let Some(before) = before {
        keep_owner(&file, &before)?;
        file.set_permissions(before.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// Gives a file the owner of the one that it replaces, where that is somebody else.
#[cfg(unix)]
fn keep_owner(file: &File, before: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    fchown(file, Some(before.uid()), Some(before.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _before: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Makes sure that a folder remembers which files it holds.
fn flush_folder(folder: &Path) -> io::Result<()> {
    peri_private::flush_folder(folder)
}

/// Takes a file for this process, by a lock beside what is remembered of it.
pub(crate) fn hold(lock: &Path, target: &Path) -> Result<Held, BridgeError> {
    let failed = |error| BridgeError::file("cannot lock", lock, error);
    let file =
        peri_private::file(lock).create(true).truncate(false).write(true).open(lock).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Held(file)),
        Err(TryLockError::WouldBlock) => Err(BridgeError::Busy { path: target.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("AGENTS.md");
        (folder, path)
    }

    #[test]
    fn what_somebody_else_wrote_meanwhile_is_not_overwritten() {
        let (folder, path) = folder();
        fs::write(&path, "하나").unwrap();
        let target = read(&path).unwrap();
        fs::write(&path, "둘").unwrap();
        assert!(matches!(target.write("셋").unwrap_err(), BridgeError::Changed { .. }));
        assert_eq!(fs::read_to_string(&path).unwrap(), "둘");
        fs::remove_file(&path).unwrap();
        assert!(matches!(target.write("셋").unwrap_err(), BridgeError::Changed { .. }));
        let target = read(&path).unwrap();
        fs::write(&path, "넷").unwrap();
        assert!(
            matches!(target.write("셋").unwrap_err(), BridgeError::Changed { .. }),
            "one that was not there"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing unfinished is left");
    }

    #[test]
    fn a_file_that_is_as_it_was_read_is_replaced() {
        let (_folder, path) = folder();
        read(&path).unwrap().write("一").unwrap();
        read(&path).unwrap().write("二").unwrap();
        assert_eq!(read(&path).unwrap().text.as_deref(), Some("二"));
    }
}
