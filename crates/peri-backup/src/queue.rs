//! Calls that waited when a backup was made.
//!
//! Each process has a queue of its own in a folder, and marks there what is done. A queue that is here is never touched:
//! a process may be at it. One of the backup that is not here, or that has gone on since, comes back beside it as a queue
//! whose process is gone, and the next program works it off. What both hold is made once, since the store knows every
//! call by its own number.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use peri_types::{MemoryId, Timestamp};

use crate::files::QUEUE;
use crate::restore::same;
use crate::{BackupError, depot, look};

/// Whether a file is one of a queue.
pub(crate) fn is_part(path: &str) -> bool {
    matches!(path.split('/').collect::<Vec<_>>()[..], [QUEUE, _, _])
}

/// Brings the queues of a backup back that are not here as they were. The files that were written are the answer.
pub(crate) fn bring_back(
    data: &Path,
    files: &[(String, PathBuf)],
    now: Timestamp,
) -> Result<Vec<String>, BackupError> {
    let mut queues: BTreeMap<&str, Vec<(&str, &Path)>> = BTreeMap::new();
    for (path, file) in files {
        if let [QUEUE, queue, name] = path.split('/').collect::<Vec<_>>()[..] {
            queues.entry(queue).or_default().push((name, file));
        }
    }
    let mut written = Vec::new();
    for (queue, files) in queues {
        let here = data.join(QUEUE).join(queue);
        let name = match look::is_there(&here)? {
            true if is_there(&here, &files)? => continue,
            true => MemoryId::generate(now).to_string(),
            false => queue.to_owned(),
        };
        lay_down(&data.join(QUEUE), &name, &files)?;
        written.extend(files.iter().map(|(file, _)| format!("{QUEUE}/{name}/{file}")));
    }
    Ok(written)
}

fn is_there(here: &Path, files: &[(&str, &Path)]) -> Result<bool, BackupError> {
    for (name, file) in files {
        if !same(file, &here.join(name))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes a queue aside and gives it its name when it is whole: nobody takes over what has no name yet.
fn lay_down(root: &Path, name: &str, files: &[(&str, &Path)]) -> Result<(), BackupError> {
    let (aside, folder) = (root.join(format!(".{name}-restored")), root.join(name));
    let failed = |source| BackupError::file(&folder, "it cannot be written", source);
    if look::is_there(&aside)? {
        fs::remove_dir_all(&aside).map_err(failed)?;
    }
    peri_private::create_folder(&aside).map_err(failed)?;
    for (name, file) in files {
        let copied = || -> std::io::Result<()> {
            let mut bytes = peri_private::create(&aside.join(name))?;
            std::io::copy(&mut peri_private::open(file)?, &mut bytes)?;
            bytes.sync_all()
        };
        copied().map_err(failed)?;
    }
    depot::flush_folder(&aside)?;
    fs::rename(&aside, &folder).map_err(failed)?;
    depot::flush_folder(root)
}
