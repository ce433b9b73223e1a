//! Notes in a backup.
//!
//! A change of notes touches several files, so the files of a namespace are copied while nobody changes any of them. On
//! the way back each session is brought back as a whole, together with what is here, and not file by file.

use std::path::{Path, PathBuf};

use perihelion::{BringBack, NotesBroughtBack, Perihelion};

use crate::create::{Staged, stage};
use crate::fetch::Progress;
use crate::files::{self, Found, NOTES};
use crate::work::WorkFolder;
use crate::{BackupError, Backups, look};

/// What the folder of a namespace holds that belongs to notes. Other files in it are somebody's own.
pub(crate) const PARTS: [&str; 8] = [
    "observations",
    "pending",
    "conversations",
    "candidates",
    "persistent",
    "moving",
    "names",
    "intent.json",
];

impl Backups {
    /// Copies all files into the work folder, those of notes last, in the order of their paths.
    pub(crate) fn stage_all(
        &self,
        engine: &Perihelion,
        work: &WorkFolder,
        found: Vec<Found>,
        progress: Progress<'_>,
    ) -> Result<Vec<Staged>, BackupError> {
        let mut staged = Vec::with_capacity(found.len());
        let (notes, others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|one| namespace_of(&one.path).is_some());
        stage(work, &others, self.halt(), progress, &mut staged)?;
        let mut folders: Vec<String> = notes.iter().filter_map(|one| namespace_of(&one.path)).collect();
        folders.dedup();
        for name in folders {
            let folder = engine.folder().join(NOTES).join(&name);
            // A folder that no process ever used for notes has no lock, and is left alone.
            let _still = match look::is_there(&folder.join("lock"))? {
                true => engine.hold_notes(&folder)?,
                false => None,
            };
            let (found, _) = match look::is_folder(&folder)? {
                true => files::find_below(&folder, &format!("{NOTES}/{name}/"), None)?,
                false => continue,
            };
            stage(work, &found, self.halt(), progress, &mut staged)?;
        }
        staged.sort_by(|a, b| a.entry.path.cmp(&b.entry.path));
        Ok(staged)
    }
}

/// The folder of a namespace in which a file of a data folder lies, if it is one of notes.
fn namespace_of(path: &str) -> Option<String> {
    let (name, _) = path.strip_prefix(NOTES)?.strip_prefix('/')?.split_once('/')?;
    Some(name.to_owned())
}

/// Whether a file is a part of notes, which are brought back as a whole.
pub(crate) fn is_part(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    matches!(names[..], [NOTES, _, part, ..] if PARTS.contains(&part) || part == "namespace.txt")
}

/// Lays the files of notes out as they lie in a data folder; the folder that holds them.
pub(crate) fn lay_out(work: &WorkFolder, files: &[(String, PathBuf)]) -> Result<PathBuf, BackupError> {
    let root = work.file(NOTES);
    let failed = |path: &Path, source| BackupError::file(path, "it cannot be written", source);
    if look::is_there(&root)? {
        std::fs::remove_dir_all(&root).map_err(|source| failed(&root, source))?;
    }
    for (path, file) in files {
        let target = path.split('/').skip(1).fold(root.clone(), |folder, name| folder.join(name));
        let folder = target.parent().unwrap_or(&root);
        peri_private::create_folder(folder).map_err(|source| failed(folder, source))?;
        copy(file, &target).map_err(|source| failed(&target, source))?;
    }
    Ok(root)
}

/// Copies a file to one that only its owner reads.
fn copy(file: &Path, target: &Path) -> std::io::Result<u64> {
    std::io::copy(&mut peri_private::open(file)?, &mut peri_private::create(target)?)
}

/// Brings notes back that were laid out.
pub(crate) fn bring_back(
    engine: &Perihelion,
    work: &WorkFolder,
    files: &[(String, PathBuf)],
    how: BringBack,
) -> Result<NotesBroughtBack, BackupError> {
    let root = lay_out(work, files)?;
    Ok(engine.bring_notes_back(&root, how)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_notes_are_made_of_is_brought_back_as_notes() {
        for path in
            ["notes/팀/observations/회의.md", "notes/a/pending/heard/x.jsonl", "notes/a/namespace.txt"]
        {
            assert!(is_part(path), "{path}");
        }
        for path in ["notes/메모.md", "notes/a/README.md", "notes/a/edited/x.md", "logs/a/observations/x"] {
            assert!(!is_part(path), "{path}");
        }
    }
}
