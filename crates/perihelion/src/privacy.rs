//! Whether others on this machine can read the data folder.
//!
//! A new folder is private from the first moment on. One that an earlier release or somebody by hand made for everybody to
//! enter is closed when it is opened, unless other things than ours lie in it: then our own files are closed one by one.
//! Who shares a folder with a group on purpose (`chmod 770`, or `2770`) keeps it so.

use std::path::{Path, PathBuf};

use crate::engine::Perihelion;
use crate::{Check, Verdict};

/// What we make in a data folder, beside the files of the database.
const OWN: &[&str] = &[
    "perihelion.toml",
    "restoring.json",
    "backups",
    "bridge",
    "hooks",
    "index",
    "llm",
    "logs",
    "notes",
    "queue",
    "snapshots",
    "vault",
];

/// Makes a data folder, or closes the one that is there to others.
pub(crate) fn settle(folder: &Path) -> std::io::Result<()> {
    if !folder.is_dir() {
        return peri_private::create_root(folder);
    }
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    if !peri_private::is_open(&real) {
        return Ok(());
    }
    let (own, foreign) = entries(&real);
    if own.is_empty() && foreign {
        // Nothing of ours is here yet; what will be is private by itself.
        return Ok(());
    }
    for path in if foreign { own } else { vec![real] } {
        match peri_private::tighten(&path) {
            Ok(true) => tracing::info!(path = %path.display(), "others could read this; it is private now"),
            Ok(false) => {}
            // The folder of somebody else, or a disk that cannot be written: the doctor tells of it.
            Err(error) => tracing::debug!(%error, path = %path.display(), "others can read this"),
        }
    }
    Ok(())
}

/// What of ours is in a folder, and whether anything else is.
fn entries(folder: &Path) -> (Vec<PathBuf>, bool) {
    let Ok(entries) = std::fs::read_dir(folder) else { return (Vec::new(), true) };
    let entries = entries.filter_map(Result::ok).map(|entry| entry.path());
    let (own, others): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| is_own(path));
    (own, !others.is_empty())
}

fn is_own(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    OWN.contains(&name) || name.starts_with(Perihelion::DATABASE)
}

impl Perihelion {
    /// What of the data folder others on this machine can read, if anything.
    pub(crate) fn open_to_others(&self) -> Vec<PathBuf> {
        let folder = self.folder();
        if !peri_private::is_open(folder) {
            return Vec::new();
        }
        let (mut own, _) = entries(folder);
        own.retain(|path| peri_private::is_open(path));
        own.sort();
        own
    }

    /// Looks whether others can read what is remembered; nothing is said if they cannot.
    pub(crate) fn check_privacy(&self) -> Option<Check> {
        let (detail, remedy) = told(self.folder(), &self.open_to_others())?;
        Some(Check { name: "privacy", verdict: Verdict::Warning, detail, remedy: Some(remedy) })
    }
}

/// What is said of files that others can read, and what to do about it.
pub(crate) fn told(folder: &Path, open: &[PathBuf]) -> Option<(String, String)> {
    let names = open.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return None;
    }
    let quoted = folder.display().to_string().replace('\'', "'\\''");
    let detail = format!("anybody on this machine can read {} in the data folder", names.join(", "));
    Some((
        detail,
        format!("run `chmod 700 '{quoted}'`, or `chmod 2770 '{quoted}'` to share it with its group"),
    ))
}
