//! Which documents there are.

use std::collections::BTreeMap;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Serialize;

use crate::VaultError;
use crate::key::{CONFIG, Class, KNOWLEDGE, Key};

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
    /// The documents, by their paths.
    pub(crate) files: BTreeMap<String, Seen>,
    /// What looks like a document and cannot be one.
    pub(crate) refused: Vec<Problem>,
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
        Ok(scan)
    }

    fn folder(&mut self, folder: &Path, place: &str) -> Result<(), VaultError> {
        let failed = |error| VaultError::file("cannot read", folder, error);
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                self.refuse(&format!("{place}/{}", name.to_string_lossy()), "its name is not in UTF-8");
                continue;
            };
            let kind = entry.file_type().map_err(failed)?;
            if !is_ignored(name, &entry.path(), kind) {
                self.entry(&entry.path(), &format!("{place}/{name}"), kind)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, place: &str, kind: FileType) -> Result<(), VaultError> {
        if kind.is_symlink() {
            self.refuse(place, "a link is not followed; put the document itself here");
            return Ok(());
        }
        if kind.is_dir() {
            return self.folder(path, place);
        }
        let key = match Key::of_path(place) {
            Ok(key) => key,
            Err(why) => {
                self.refuse(place, why);
                return Ok(());
            }
        };
        let found = match fs::metadata(path) {
            Ok(found) => found,
            // Gone since the folder was read: an editor is at work.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(VaultError::file("cannot read", path, error)),
        };
        let seen = Seen { key, path: path.to_owned(), size: found.len(), modified_ns: modified(&found) };
        let known = seen.key.path().to_owned();
        match self.files.get(&known) {
            None => {
                self.files.insert(known, seen);
            }
            Some(_) => self.refuse(place, "another document has the same name in other letters"),
        }
        Ok(())
    }

    fn refuse(&mut self, path: &str, why: &str) {
        self.refused.push(Problem { path: path.to_owned(), why: why.to_owned() });
    }

    /// How many documents of knowledge there are.
    pub(crate) fn knowledge(&self) -> usize {
        self.files.values().filter(|seen| seen.key.class() == Class::Knowledge).count()
    }
}

/// When a file was last written, in nanoseconds since 1970.
pub(crate) fn modified(found: &fs::Metadata) -> i64 {
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default()
}

/// Whether a name is none of ours: hidden, or no document.
fn is_ignored(name: &str, path: &Path, kind: FileType) -> bool {
    let is_hidden = name.starts_with('.') || name.starts_with("~$");
    let is_document = name.len() > 3 && name.to_ascii_lowercase().ends_with(".md");
    let is_folder = kind.is_dir() || kind.is_symlink() && path.is_dir();
    is_hidden || !(is_folder || is_document)
}
