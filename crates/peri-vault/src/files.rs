//! The files of a vault: read whole, written whole or not at all, moved to the vault's own trash.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;

use crate::VaultError;
use crate::key::Key;

/// Where deleted documents go, as Obsidian has it.
pub(crate) const TRASH: &str = ".trash";
/// What one process at a time holds.
const LOCK: &str = ".peri-lock";
/// How a file is called until it is whole.
const UNFINISHED: &str = ".peri-unfinished";

/// Holds the vault until it is dropped.
pub(crate) struct Held(#[allow(dead_code, reason = "it is let go of when it is dropped")] File);

/// Takes the vault for this process; none if another has it.
pub(crate) fn hold(root: &Path) -> Result<Option<Held>, VaultError> {
    let path = root.join(LOCK);
    let failed = |error| VaultError::file("the vault cannot be locked with", &path, error);
    let file =
        peri_private::file(&path).create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Held(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, VaultError> {
    let bytes = peri_private::read(path).map_err(|error| VaultError::file("cannot read", path, error))?;
    String::from_utf8(bytes).map_err(|_| VaultError::NotText { path: path.to_owned() })
}

/// Writes a file so that others see the old one or the new one, whole. The permissions stay as they were.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), VaultError> {
    let folder = path.parent().unwrap_or(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A name that no other process has, and short enough for every system.
    let number = blake3::hash(name.as_bytes()).to_hex();
    let unfinished = folder.join(format!("{UNFINISHED}-{}-{}", std::process::id(), &number[..16]));
    let outcome = fill(&unfinished, path, text);
    if let Err(error) = outcome {
        if unfinished.exists() {
            fs::remove_file(&unfinished)
                .map_err(|error| VaultError::file("cannot remove", &unfinished, error))?;
        }
        return Err(VaultError::file("cannot write", path, error));
    }
    Ok(())
}

fn fill(unfinished: &Path, path: &Path, text: &[u8]) -> io::Result<()> {
    let before = fs::metadata(path).ok();
    // What replaces a document that others may not read is closed to them from the first moment on.
    let mut options = if before.is_some() { peri_private::own_file() } else { peri_private::document(path) };
    let mut file = options.write(true).create(true).truncate(true).open(unfinished)?;
    if let Some(before) = before {
        file.set_permissions(before.permissions())?;
    }
    file.write_all(text)?;
    file.sync_all()?;
    drop(file);
    fs::rename(unfinished, path)?;
    flush_folder(path)
}

/// Makes sure that a folder remembers which files it holds.
fn flush_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), peri_private::flush_folder)
}

/// Moves a document to the vault's trash; where it is now, from the vault's folder on.
pub(crate) fn discard(root: &Path, key: &Key, path: &Path) -> Result<PathBuf, VaultError> {
    let place = free_in_trash(root, key)?;
    fs::rename(path, &place)
        .map_err(|error| VaultError::file("cannot move to the vault's trash", path, error))?;
    Ok(place)
}

/// Keeps a copy of a document in the vault's trash, before it is changed in a way that would lose something.
pub(crate) fn keep_copy(root: &Path, key: &Key, text: &str) -> Result<PathBuf, VaultError> {
    let place = free_in_trash(root, key)?;
    write(&place, text.as_bytes())?;
    Ok(place)
}

fn is_taken(path: &Path) -> Result<bool, VaultError> {
    peri_private::is_taken(path).map_err(|error| VaultError::file("cannot look at", path, error))
}

fn free_in_trash(root: &Path, key: &Key) -> Result<PathBuf, VaultError> {
    let wanted = root.join(TRASH).join(key.relative());
    let folder = wanted.parent().unwrap_or(root).to_owned();
    peri_private::create_open_folder(&folder)
        .map_err(|error| VaultError::file("cannot create", &folder, error))?;
    check_inside(root, &folder)?;
    let mut numbered = (2..).map(|number| folder.join(format!("{} {number}.md", key.name())));
    let mut place = wanted;
    while is_taken(&place)? {
        place = numbered.next().unwrap_or(place);
    }
    Ok(place)
}

/// Where a document is, or would be: under the name it has on the disk, however its letters are composed there.
pub(crate) fn locate(root: &Path, key: &Key) -> Result<PathBuf, VaultError> {
    let mut path = root.to_owned();
    for name in key.path().split('/') {
        let plain = path.join(name);
        path = if is_taken(&plain)? { plain } else { composed_alike(&path, name)?.unwrap_or(plain) };
    }
    check_inside(root, &path)?;
    Ok(path)
}

fn composed_alike(folder: &Path, name: &str) -> Result<Option<PathBuf>, VaultError> {
    let failed = |error| VaultError::file("cannot read", folder, error);
    if !peri_private::is_folder(folder).map_err(failed)? {
        return Ok(None);
    }
    for entry in fs::read_dir(folder).map_err(failed)? {
        let own = entry.map_err(failed)?.file_name();
        if own.to_str().is_some_and(|own| own.nfc().eq(name.chars())) {
            return Ok(Some(folder.join(own)));
        }
    }
    Ok(None)
}

/// Refuses a path that leads out of the vault over links, whether or not it exists.
pub(crate) fn check_inside(root: &Path, path: &Path) -> Result<(), VaultError> {
    let real_root = root.canonicalize().map_err(|error| VaultError::file("cannot find", root, error))?;
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok()).unwrap_or(root);
    match there.canonicalize() {
        Ok(real) if real.starts_with(&real_root) => Ok(()),
        _ => Err(VaultError::Escapes { path: path.to_owned() }),
    }
}
