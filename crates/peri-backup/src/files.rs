//! Which files of a data folder belong to a backup, besides the database.

use std::path::{Path, PathBuf};

use perihelion::Perihelion;

use crate::{BackupError, FOLDER};

/// Where notes lie, each namespace in a folder of its own that has a lock.
pub(crate) const NOTES: &str = Perihelion::NOTES;

/// What is derived, or is itself a backup.
const LEFT_OUT: [&str; 3] = ["index", FOLDER, "notes.part"];

/// What only serves while something is under way.
const TEMPORARY: [&str; 4] = [".lock", ".part", ".tmp", ".pid"];

/// A file that belongs to a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its path in the data folder, with slashes.
    pub(crate) path: String,
    /// Where it is.
    pub(crate) file: PathBuf,
    /// Its size when it was looked at.
    pub(crate) size: u64,
}

/// Whether a path, with slashes, is one that a backup may hold: inside the data folder, and neither derived nor
/// temporary. It is asked of manifests too, so that no backup can make a restore write anywhere else.
pub(crate) fn belongs(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    let sound =
        |name: &&str| !name.is_empty() && *name != "." && *name != ".." && !name.contains(['\\', '\0', ':']);
    let last = names.last().copied().unwrap_or_default();
    let is_lock = matches!(names[..], [NOTES, _, "lock"]);
    names.iter().all(sound)
        && !is_lock
        && !LEFT_OUT.contains(&names[0])
        && (names.len() > 1 || !last.starts_with(crate::manifest::DATABASE))
        && !TEMPORARY.iter().any(|ending| last.ends_with(ending))
}

/// Every file that belongs to a backup, in order, and what was left out although nothing says why.
pub(crate) fn find(data: &Path, but: Option<&Path>) -> Result<(Vec<Found>, Vec<PathBuf>), BackupError> {
    find_below(data, "", but)
}

/// The same for what lies in a folder of the data folder, whose path ends in a slash.
pub(crate) fn find_below(
    folder: &Path,
    path: &str,
    but: Option<&Path>,
) -> Result<(Vec<Found>, Vec<PathBuf>), BackupError> {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    let mut folders = vec![(folder.to_owned(), path.to_owned())];
    while let Some((folder, prefix)) = folders.pop() {
        let entries = std::fs::read_dir(&folder);
        let entries =
            entries.map_err(|source| BackupError::file(&folder, "the folder cannot be read", source))?;
        for entry in entries {
            let entry =
                entry.map_err(|source| BackupError::file(&folder, "the folder cannot be read", source))?;
            let file = entry.path();
            let Some(name) = entry.file_name().to_str().map(ToOwned::to_owned) else {
                skipped.push(file);
                continue;
            };
            let path = format!("{prefix}{name}");
            if !belongs(&path) || but == Some(file.as_path()) {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push((file, format!("{path}/"))),
                Ok(_) => match std::fs::metadata(&file) {
                    Ok(known) if known.is_file() => found.push(Found { path, file, size: known.len() }),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    _ => skipped.push(file),
                },
                Err(_) => skipped.push(file),
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    skipped.sort();
    Ok((found, skipped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_the_data_folder_and_is_not_derived_belongs_to_a_backup() {
        for path in [
            "perihelion.toml",
            "logs/events.jsonl",
            "snapshots/2026/a.jsonl",
            "notes/메모.md",
            "notes/笔记.md",
            "notes/.hidden",
            "notes/팀/observations/회의.md",
            "notes/팀/intent.json",
            "notes/lock",
        ] {
            assert!(belongs(path), "{path}");
        }
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "logs/../../x",
            "logs//x",
            "logs/.",
            "index/a.idx",
            "backups/x",
            "a\\b",
            "C:x",
            "perihelion.db",
            "perihelion.db-wal",
            "perihelion.db-shm",
            "logs/events.lock",
            "notes/x.part",
            "notes/.x.tmp",
            "notes/팀/lock",
            "notes.part/a/observations/b.md",
        ] {
            assert!(!belongs(path), "{path}");
        }
    }
}
