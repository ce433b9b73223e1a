//! Files that are dangerous by their name or their permissions.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::workspace::{Tracking, Workspace};

/// A file that is dangerous as it lies there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hazard {
    /// The file.
    pub path: String,
    /// What is dangerous about it.
    pub kind: HazardKind,
}

/// What is dangerous about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HazardKind {
    /// A file of settings such as `.env` that git tracks, so that everybody with the repository has it.
    TrackedEnvironment,
    /// The same, not tracked and not ignored: the next `git add .` takes it along.
    UnignoredEnvironment,
    /// A file that holds private keys, by its name.
    KeyFile,
    /// Anybody on the machine may change it.
    WorldWritable,
}

const KEY_NAMES: &[&str] =
    &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".pgpass", ".netrc", "credentials.json"];
const KEY_ENDINGS: &[&str] = &[".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx"];
const HARMLESS_ENDINGS: &[&str] = &[".example", ".sample", ".template", ".dist", ".defaults", ".test"];

pub(super) fn hazards(workspace: &Workspace) -> Vec<Hazard> {
    let mut found = Vec::new();
    let mut add = |path: &str, kind| found.push(Hazard { path: path.to_owned(), kind });
    for file in workspace.files() {
        if is_environment(&file.path) {
            match file.tracking {
                Tracking::Tracked => add(&file.path, HazardKind::TrackedEnvironment),
                Tracking::Untracked => add(&file.path, HazardKind::UnignoredEnvironment),
                Tracking::NoGit => {}
            }
        }
        if is_key_file(&file.path) {
            add(&file.path, HazardKind::KeyFile);
        }
        if workspace.native(file).is_some_and(|path| is_world_writable(&path)) {
            add(&file.path, HazardKind::WorldWritable);
        }
    }
    // Stores of keys are not text, so they are not among the files.
    let binary = workspace.left_out().listed.iter().filter(|file| is_key_file(&file.path));
    binary.for_each(|file| add(&file.path, HazardKind::KeyFile));
    found
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_environment(path: &str) -> bool {
    let name = name_of(path);
    let is_named = name == ".env" || name.starts_with(".env.") || name == ".envrc";
    is_named && !HARMLESS_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn is_key_file(path: &str) -> bool {
    let name = name_of(path);
    KEY_NAMES.contains(&name) || KEY_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(unix)]
fn is_world_writable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o002 != 0)
}

#[cfg(not(unix))]
fn is_world_writable(_: &Path) -> bool {
    false
}
