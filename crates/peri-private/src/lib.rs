//! Makes files and folders that nobody else on the machine reads, from the first moment on.
//!
//! What is made in a folder that its owner shares with a group is shared with that group too: `chmod 2770` on the data
//! folder is how people say that they want this. A folder that everybody may enter says nothing of the kind, since that
//! is how most systems make folders when nobody asked; what is made in it is private. [`file()`], [`create`],
//! [`write()`] and
//! [`create_folder`] do this, [`create_root`] makes a folder private whatever lies above it, [`document`] and
//! [`create_open_folder`] follow the folder in all, and [`tighten`] mends what was made before. Modes are given to the
//! system when a file is made, never afterwards, and the umask of the process can only take from them.
//!
//! On systems without such modes nothing is set: there the folder of the user is closed to others already.
//!
//! [`is_there`], [`is_file`], [`is_folder`] and [`is_taken`] say what is there already, and tell "nothing" from a disk that
//! cannot say; [`is_forbidden`] says whether it is a matter of rights that something cannot be written.
//!
//! [`read()`], [`read_text`] and [`open`] read regular files alone, so that a pipe that a stranger put there keeps nobody
//! waiting. What is made here is made neither through a link nor in a pipe.
#![forbid(unsafe_code)]

mod look;
mod read;

pub use look::{is_file, is_folder, is_forbidden, is_taken, is_there};
pub use read::{flush_folder, open, open_named, open_unlinked, read, read_text};

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// How far what is made follows the folder that it is made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    /// Not at all: only its owner.
    Nothing,
    /// As far as the folder is shared with a group on purpose.
    Group,
    /// In all: who reads the folder reads what is in it.
    Everybody,
}

/// Options to make or open a file of ours.
pub fn file(path: &Path) -> OpenOptions {
    options(path, Follows::Group)
}

/// Options to make or open a file that only its owner reads, wherever it is.
pub fn own_file() -> OpenOptions {
    options(Path::new(""), Follows::Nothing)
}

/// Options to make or open a document of the user's, which whoever reads its folder may read.
pub fn document(path: &Path) -> OpenOptions {
    options(path, Follows::Everybody)
}

/// Makes a file, or empties the one that is there.
pub fn create(path: &Path) -> io::Result<File> {
    file(path).write(true).create(true).truncate(true).open(path)
}

/// Makes a file with this content, or gives it to the one that is there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create(path)?.write_all(bytes)
}

/// Makes a folder of ours, and those above it that are missing.
pub fn create_folder(path: &Path) -> io::Result<()> {
    make(path, Follows::Group)
}

/// Makes a folder that only its owner enters, and those above it that are missing likewise.
pub fn create_root(path: &Path) -> io::Result<()> {
    make(path, Follows::Nothing)
}

/// Makes a folder of the user's documents, which whoever reads the one above it may read.
pub fn create_open_folder(path: &Path) -> io::Result<()> {
    make(path, Follows::Everybody)
}

/// The folders from the uppermost that is missing to this one. Of several, the first belongs to nobody's folder yet.
fn make(path: &Path, follows: Follows) -> io::Result<()> {
    let is_missing = |above: &&Path| !above.as_os_str().is_empty() && !above.is_dir();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    let several = missing.len() > 1;
    for (at, folder) in missing.into_iter().rev().enumerate() {
        let follows =
            if at == 0 && several && follows == Follows::Group { Follows::Nothing } else { follows };
        match builder(folder, follows).create(folder) {
            // Somebody else was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            made => made?,
        }
    }
    Ok(())
}

#[cfg(unix)]
fn options(path: &Path, follows: Follows) -> OpenOptions {
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600 | shared(path, follows) & 0o066);
    read::never_waiting(&mut options, read::Links::Refused);
    options
}

#[cfg(not(unix))]
fn options(_: &Path, _: Follows) -> OpenOptions {
    OpenOptions::new()
}

#[cfg(unix)]
fn builder(path: &Path, follows: Follows) -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700 | shared(path, follows));
    builder
}

#[cfg(not(unix))]
fn builder(_: &Path, _: Follows) -> DirBuilder {
    DirBuilder::new()
}

/// What others than the owner may do in the folder of a path, as far as that is followed.
#[cfg(unix)]
fn shared(path: &Path, follows: Follows) -> u32 {
    let Some(folder) = path.parent().filter(|_| follows != Follows::Nothing) else { return 0 };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Some(mode) = mode(folder) else { return 0 };
    match follows {
        Follows::Nothing => 0,
        Follows::Group if mode & 0o007 == 0 || mode & SET_GROUP != 0 => mode & 0o070,
        Follows::Group => 0,
        Follows::Everybody => mode & 0o077,
    }
}

/// What is made in such a folder belongs to the folder's group. Nobody has that by accident.
#[cfg(unix)]
const SET_GROUP: u32 = 0o2000;

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(std::fs::metadata(path).ok()?.permissions().mode() & 0o7777)
}

/// Whether anybody on this machine may read, change or enter this.
#[cfg(unix)]
pub fn is_open(path: &Path) -> bool {
    mode(path).is_some_and(|mode| mode & 0o007 != 0)
}

/// Whether anybody on this machine may read, change or enter this: not known here.
#[cfg(not(unix))]
pub fn is_open(_: &Path) -> bool {
    false
}

/// Closes what anybody on this machine may read: to all but its owner, or to all but its group if it was shared with one on
/// purpose. Whether there was something to close is the answer. Links are not followed, since they may lead anywhere.
#[cfg(unix)]
pub fn tighten(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let found = std::fs::symlink_metadata(path)?;
    let mode = found.permissions().mode() & 0o7777;
    if found.is_symlink() || mode & 0o007 == 0 {
        return Ok(false);
    }
    let kept = if mode & SET_GROUP != 0 { mode & !0o007 } else { mode & !0o077 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(kept))?;
    Ok(true)
}

/// Closes what anybody on this machine may read: there is nothing to do here.
#[cfg(not(unix))]
pub fn tighten(_: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
#[path = "tests.rs"]
mod tests;
