//! Which documents there are.

use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Serialize;

use crate::VaultError;
use crate::key::{CONFIG, Class, KNOWLEDGE, Key, Place};

/// A document's file.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) key: Key,
    /// Where it is, under the name it has on the disk.
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    pub(crate) modified_ns: i64,
}

/// Something in a vault that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where, from the vault's folder on, with forward slashes.
    pub path: String,
    /// What is wrong.
    pub why: String,
}

/// What a vault holds.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The documents, in the order of their paths.
    pub(crate) files: Vec<Seen>,
    /// What looks like a document and cannot be one.
    pub(crate) refused: Vec<Problem>,
}

/// A folder that is looked through.
struct Folder<'a> {
    path: &'a Path,
    /// From the vault's folder on, as it is called on the disk.
    name: &'a str,
    /// What documents in it are called, or why there can be none.
    place: Result<Place, &'static str>,
}

impl Scan {
    /// Looks through a vault. A folder that cannot be read is an error rather than an empty one: nothing must be taken
    /// for deleted because of it.
    pub(crate) fn of(root: &Path) -> Result<Self, VaultError> {
        let mut scan = Self::default();
        for folder in [CONFIG, KNOWLEDGE] {
            let path = root.join(folder);
            match path.symlink_metadata() {
                Ok(found) if found.is_dir() => scan.folder(&path, folder)?,
                Ok(found) if found.is_symlink() => scan.refuse(folder, "a link is not followed"),
                Ok(_) => scan.refuse(folder, "it is not a folder"),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(VaultError::file("cannot read", path, error)),
            }
        }
        scan.sort();
        Ok(scan)
    }

    fn folder(&mut self, path: &Path, name: &str) -> Result<(), VaultError> {
        let failed = |error| VaultError::file("cannot read", path, error);
        let folder = Folder { path, name, place: Place::of(name) };
        for entry in fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let file_name = entry.file_name();
            match file_name.to_str() {
                Some(own) => self.entry(&folder, &entry, own)?,
                None => {
                    let own = file_name.to_string_lossy();
                    self.refuse(&format!("{name}/{own}"), "its name is not in UTF-8");
                }
            }
        }
        Ok(())
    }

    fn entry(&mut self, folder: &Folder<'_>, entry: &DirEntry, name: &str) -> Result<(), VaultError> {
        let kind = entry.file_type().map_err(|error| VaultError::file("cannot read", folder.path, error))?;
        if is_ignored(name, entry, kind) {
            return Ok(());
        }
        let place = || format!("{}/{name}", folder.name);
        if kind.is_symlink() {
            self.refuse(&place(), "a link is not followed; put the document itself here");
            return Ok(());
        }
        let path = folder.path.join(name);
        if kind.is_dir() {
            return self.folder(&path, &place());
        }
        let key = folder.place.as_ref().map_err(|why| *why).and_then(|inside| Key::of_file(inside, name));
        match key {
            Ok(key) => self.file(key, path, entry),
            Err(why) => {
                self.refuse(&place(), why);
                Ok(())
            }
        }
    }

    fn file(&mut self, key: Key, path: PathBuf, entry: &DirEntry) -> Result<(), VaultError> {
        // It is no link, so that what is found by its name in the open folder is the file itself.
        match entry.metadata() {
            Ok(found) => {
                let (size, modified_ns) = (found.len(), modified(&found));
                self.files.push(Seen { key, path, size, modified_ns });
                Ok(())
            }
            // Gone since the folder was read: an editor is at work.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(VaultError::file("cannot read", path, error)),
        }
    }

    /// Orders the documents. Of several that have one name in different letters the first counts.
    fn sort(&mut self) {
        self.files.sort_unstable_by(|one, other| {
            one.key.cmp(&other.key).then_with(|| one.path.as_os_str().cmp(other.path.as_os_str()))
        });
        let refused = &mut self.refused;
        self.files.dedup_by(|later, first| {
            let is_twin = later.key == first.key;
            if is_twin {
                let why = "another document has the same name in other letters".to_owned();
                refused.push(Problem { path: later.key.path().to_owned(), why });
            }
            is_twin
        });
    }

    fn refuse(&mut self, path: &str, why: &str) {
        self.refused.push(Problem { path: path.to_owned(), why: why.to_owned() });
    }

    /// Whether there is a document of this path.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.files.binary_search_by(|seen| seen.key.path().cmp(path)).is_ok()
    }

    /// How many documents of knowledge there are.
    pub(crate) fn knowledge(&self) -> usize {
        self.files.iter().filter(|seen| seen.key.class() == Class::Knowledge).count()
    }
}

/// How many Markdown files lie outside of the two folders, as in a vault that somebody has had for years. Links and what
/// is hidden are passed over, and so is what cannot be read.
pub(crate) fn elsewhere(root: &Path) -> usize {
    let (mut count, mut waiting) = (0, vec![root.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (name, kind) = (entry.file_name(), entry.file_type());
            let (Some(name), Ok(kind)) = (name.to_str(), kind) else { continue };
            let is_ours = folder == root && matches!(name, CONFIG | KNOWLEDGE);
            if name.starts_with('.') || is_ours {
                continue;
            }
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() && is_document(name) {
                count += 1;
            }
        }
    }
    count
}

/// When a file was last written, in nanoseconds since 1970.
pub(crate) fn modified(found: &fs::Metadata) -> i64 {
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default()
}

/// Whether a name is none of ours: hidden, or no document.
fn is_ignored(name: &str, entry: &DirEntry, kind: FileType) -> bool {
    let is_hidden = name.starts_with('.') || name.starts_with("~$");
    let is_folder = || kind.is_dir() || kind.is_symlink() && entry.path().is_dir();
    is_hidden || !(is_document(name) || is_folder())
}

fn is_document(name: &str) -> bool {
    let ending = name.len().checked_sub(3).filter(|start| *start > 0).and_then(|start| name.get(start..));
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".md"))
}
