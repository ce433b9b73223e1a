//! From names to files that count.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::git::Git;
use super::{File, LeftOut, LeftOutReason, Limits, Origin, Tracking, name, walk};
use crate::coverage::Ending;
use crate::error::WorkspaceError;

/// Text has no NUL in its beginning; this much of a file is looked at.
const HEAD_BYTES: u64 = 8 * 1024;

/// What a folder holds.
pub(super) struct Listing {
    pub(super) files: Vec<File>,
    pub(super) left_out: LeftOut,
    pub(super) origin: Origin,
    pub(super) ending: Ending,
}

/// Names of files, before anybody has looked at them.
type Names = BTreeMap<PathBuf, Tracking>;

/// Lists a folder by git if git knows it, else by walking.
pub(super) fn list(root: &Path, limits: &Limits, go_on: &dyn Fn() -> bool) -> Listing {
    let git = Git { root, timeout: limits.git_timeout, go_on };
    let (names, mut left_out, origin) = match by_git(&git) {
        Ok(Some((names, origin))) => (names, LeftOut::default(), origin),
        outcome => {
            let looks_like_checkout = root.ancestors().any(|folder| folder.join(".git").exists());
            let git_fault = outcome.err().filter(|_| looks_like_checkout).map(|error| error.to_string());
            let (names, left_out) = walk::walk(root, limits, go_on);
            let names = names.into_iter().map(|path| (path, Tracking::NoGit)).collect();
            (names, left_out, Origin::Folder { git_fault })
        }
    };
    let (mut files, mut bytes_total) = (Vec::new(), 0);
    let mut ending = Ending::Finished;
    for (native, tracking) in names {
        if !go_on() {
            ending = Ending::Stopped;
            break;
        }
        let Some(path) = name::text_of(&native) else { continue };
        let verdict = match look(&root.join(&native), limits) {
            Ok(_) if files.len() >= limits.files_max => Err(LeftOutReason::TooMany),
            Ok(bytes) if bytes_total + bytes > limits.bytes_max => Err(LeftOutReason::TooManyBytes),
            verdict => verdict,
        };
        match verdict {
            Ok(bytes) => {
                bytes_total += bytes;
                files.push(File { path, bytes, tracking, native });
            }
            Err(reason) => left_out.add(&path, reason),
        }
    }
    if !go_on() {
        ending = Ending::Stopped;
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Listing { files, left_out, origin, ending }
}

/// What git lists; none where git knows nothing of the folder, as in one that a repository ignores.
fn by_git(git: &Git<'_>) -> Result<Option<(Names, Origin)>, WorkspaceError> {
    if !git.is_checkout()? {
        return Ok(None);
    }
    let untracked = git.untracked()?.into_iter().map(|path| (path, Tracking::Untracked));
    let mut names: Names = untracked.collect();
    names.extend(git.tracked()?.into_iter().map(|path| (path, Tracking::Tracked)));
    let origin = Origin::Git { commit: git.commit(), branch: git.branch() };
    Ok((!names.is_empty()).then_some((names, origin)))
}

/// Looks at a file: its size, or why it does not count.
fn look(path: &Path, limits: &Limits) -> Result<u64, LeftOutReason> {
    let metadata = fs::symlink_metadata(path).map_err(|error| reason(&error))?;
    let kind = metadata.file_type();
    if kind.is_symlink() {
        return Err(LeftOutReason::Link);
    }
    if !kind.is_file() {
        return Err(LeftOutReason::NotAFile);
    }
    if metadata.len() > limits.file_bytes_max {
        return Err(LeftOutReason::TooLarge);
    }
    let mut head = Vec::new();
    let file = peri_private::open_unlinked(path).map_err(|error| reason(&error))?;
    file.take(HEAD_BYTES).read_to_end(&mut head).map_err(|error| reason(&error))?;
    if is_binary(&head) { Err(LeftOutReason::Binary) } else { Ok(metadata.len()) }
}

fn reason(error: &io::Error) -> LeftOutReason {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => LeftOutReason::Missing,
        _ => LeftOutReason::Unreadable,
    }
}

/// Whether the beginning of a file is not text.
pub(super) fn is_binary(head: &[u8]) -> bool {
    head[..head.len().min(HEAD_BYTES as usize)].contains(&0)
}
