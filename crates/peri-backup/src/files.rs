//! Which files of a data folder belong to a backup, besides the database.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use perihelion::Perihelion;

use crate::{BackupError, FOLDER, notes};

/// Where notes lie, each namespace in a folder of its own that has a lock.
pub(crate) const NOTES: &str = Perihelion::NOTES;

/// Where calls wait that the store could not take, each process in a folder of its own that has a lock.
pub(crate) const QUEUE: &str = "queue";

/// What is derived, or is itself a backup.
const LEFT_OUT: [&str; 3] = ["index", FOLDER, "notes.part"];

/// The database, which is copied in a way of its own, and what SQLite writes beside it.
const DATABASES: [&str; 6] = ["", "-wal", "-shm", "-journal", ".encrypted", ".moving"];

/// Folders of the data folder. A file of such a name would be in their way.
const FOLDERS: [&str; 8] = [NOTES, QUEUE, "logs", "vault", "snapshots", "hooks", "bridge", "prompts"];

/// What a vault calls what only serves while something is under way.
const OF_A_VAULT: [&str; 2] = [".peri-lock", ".peri-unfinished-"];

/// Ends the name of a file that a restore is writing.
pub(crate) const RESTORING: &str = ".peri-restoring";

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

/// Whether a path, with slashes, is one that a manifest may list: inside the data folder, and neither derived nor the
/// database, so that no backup can make a restore write anywhere else.
pub(crate) fn is_inside(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    let is_sound = |name: &&str| {
        // Elsewhere these are letters like any other.
        let parts = cfg!(windows) && name.contains(['\\', ':']);
        !name.is_empty() && *name != "." && *name != ".." && !name.contains('\0') && !parts
    };
    let is_database = || {
        let ending = path.strip_prefix(crate::manifest::DATABASE);
        ending.is_some_and(|ending| DATABASES.contains(&ending))
    };
    names.iter().all(is_sound) && !LEFT_OUT.contains(&names[0]) && !is_database()
}

/// A path that is a file where a folder belongs: one of ours, or that of another file.
pub(crate) fn in_the_way<'a>(paths: impl Iterator<Item = &'a str>) -> Option<String> {
    let all: BTreeSet<&str> = paths.collect();
    if let Some(folder) = FOLDERS.iter().find(|folder| all.contains(*folder)) {
        return Some((*folder).to_owned());
    }
    let above = |path: &str| path.match_indices('/').map(|(at, _)| at).collect::<Vec<_>>();
    let taken = |path: &&str| above(path).into_iter().find_map(|at| all.get(&path[..at]).copied());
    all.iter().find_map(taken).map(str::to_owned)
}

/// Whether a file belongs to a backup: it lies inside, and is none of those that we ourselves make only while something
/// is under way. What others call their files says nothing about them.
pub(crate) fn belongs(path: &str) -> bool {
    is_inside(path) && !is_passing(&path.split('/').collect::<Vec<_>>())
}

/// Whether a path is one that we make only while something is under way: a lock, a draft, the mark of a restore.
fn is_passing(names: &[&str]) -> bool {
    let last = names.last().copied().unwrap_or_default();
    let ends = |endings: &[&str]| endings.iter().any(|ending| last.ends_with(ending));
    let of_us = match names {
        [only] => *only == Perihelion::RESTORING,
        ["logs", ..] => ends(&[".lock", ".part"]),
        ["snapshots", ..] => last.starts_with("episodes.") && ends(&[".lock", ".part"]),
        ["hooks" | "bridge", ..] => ends(&[".lock", ".part"]),
        [QUEUE, folder, ..] if folder.starts_with('.') => true,
        [QUEUE, _, file] => *file == "lock" || ends(&[".new"]),
        [NOTES, _, file] if *file == "lock" => true,
        [NOTES, _, part, ..] if notes::PARTS.contains(part) => ends(&[".part"]),
        [NOTES, _, _] => *last == *"intent.json.part" || *last == *"namespace.txt.part",
        _ => false,
    };
    of_us || OF_A_VAULT.iter().any(|name| last.starts_with(name)) || ends(&[RESTORING])
}

/// Every file that belongs to a backup, in order, and what was left out although it is nothing of ours.
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
#[allow(clippy::unwrap_used)]
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
            "notes/x.part",
            "notes/.x.tmp",
            "vault/draft.tmp",
            "vault/영화.part",
            "vault/server.pid",
            "vault/poetry.lock",
            "draft.tmp",
            "perihelion.db.old",
            "queue/019/00000001.jsonl",
            "queue/019/00000001.done",
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
            "perihelion.db",
            "perihelion.db-wal",
            "perihelion.db-shm",
            "notes.part/a/observations/b.md",
        ] {
            assert!(!is_inside(path) && !belongs(path), "{path}");
        }
        for path in [
            "logs/events.lock",
            "logs/memory/2026-11-16.019.part",
            "snapshots/episodes.lock",
            "snapshots/episodes.body.part",
            "notes/팀/lock",
            "notes/팀/observations/회의.md.part",
            "queue/019/lock",
            "queue/019/state.new",
            "queue/.019/lock",
            "vault/.peri-lock",
            "mine/vault/.peri-lock",
            "vault/knowledge/.peri-unfinished-7-0123",
            "bridge/0123.lock",
            "restoring.json",
            "vault/a.md.peri-restoring",
        ] {
            // Earlier releases took some of them along, so that a manifest may list them.
            assert!(is_inside(path) && !belongs(path), "{path}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn names_may_hold_whatever_the_system_allows() {
        let data = tempfile::tempdir().unwrap();
        let names = ["Q3: 계획.md", "a:b.png", "back\\slash.md", "draft.tmp", "电影.part"];
        std::fs::create_dir_all(data.path().join("vault/knowledge/facts")).unwrap();
        for name in names {
            std::fs::write(data.path().join("vault/knowledge/facts").join(name), name).unwrap();
        }
        let (found, skipped) = find(data.path(), None).unwrap();
        let found: Vec<_> = found.iter().map(|one| one.path.as_str()).collect();
        let mut expected: Vec<_> = names.iter().map(|name| format!("vault/knowledge/facts/{name}")).collect();
        expected.sort();
        assert_eq!((found, skipped), (expected.iter().map(String::as_str).collect(), vec![]));
    }

    #[test]
    fn a_file_that_another_needs_as_its_folder_is_found() {
        let found = |paths: &[&str]| in_the_way(paths.iter().copied());
        assert_eq!(found(&["vault/x.md", "vault/x.md/y.md"]), Some("vault/x.md".to_owned()));
        assert_eq!(found(&["a/b/c/d", "a/b"]), Some("a/b".to_owned()));
        assert_eq!(found(&["perihelion.toml", "notes"]), Some("notes".to_owned()));
        assert_eq!(found(&["vault/x.md", "vault/x.mdy", "vault/x/y.md"]), None);
    }
}
