//! The files of a workspace: which ones count, and what is in them.

mod git;
mod left_out;
mod limits;
mod list;
pub(crate) mod name;
mod process;
mod read;
mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use left_out::{LeftOut, LeftOutFile, LeftOutReason};
pub use limits::Limits;

use crate::coverage::Ending;
use crate::error::WorkspaceError;
use git::Git;

/// A folder of code, with the list of its files as of the moment it was opened.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
    files: Vec<File>,
    left_out: LeftOut,
    origin: Origin,
    ending: Ending,
    limits: Limits,
}

/// A text file of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path in the workspace, with slashes. Bytes that are not UTF-8 are written `\xNN`.
    pub path: String,
    /// How large it was when it was listed.
    pub bytes: u64,
    /// Whether git tracks it.
    pub tracking: Tracking,
    /// The path as the system knows it.
    native: PathBuf,
}

/// Whether git tracks a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tracking {
    /// Git tracks it.
    Tracked,
    /// Git neither tracks nor ignores it.
    Untracked,
    /// The workspace is not a git checkout.
    NoGit,
}

/// Where the list of files comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Origin {
    /// A git checkout: what git tracks, and what it neither tracks nor ignores.
    Git {
        /// The commit that is checked out; none before the first.
        commit: Option<String>,
        /// The branch that is checked out; none when the commit is checked out by itself.
        branch: Option<String>,
    },
    /// Any other folder, walked.
    Folder {
        /// Why git was not used although the folder looks like a checkout.
        git_fault: Option<String>,
    },
}

/// What has changed since a commit. Paths are those of the workspace as it was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// Tracked files that are new or differ.
    pub changed: Vec<String>,
    /// Files that are no longer part of the workspace.
    pub removed: Vec<String>,
    /// Files that git does not track, so that nobody knows whether they have changed. Compare their digests.
    pub untracked: Vec<String>,
}

impl Workspace {
    /// Lists the files of a folder. Nothing is ever written into it.
    ///
    /// In a git checkout these are the files that git tracks and those that it neither tracks nor ignores;
    /// elsewhere all but those in folders of dependencies and results. Links are never followed. What is left
    /// out is told by [`Workspace::left_out`].
    pub fn open(path: &Path, limits: &Limits, go_on: &dyn Fn() -> bool) -> Result<Self, WorkspaceError> {
        let unreadable = |source| WorkspaceError::Unreadable { path: path.to_owned(), source };
        if !path.is_dir() {
            return Err(WorkspaceError::NotAFolder { path: path.to_owned() });
        }
        let root = path.canonicalize().map_err(unreadable)?;
        std::fs::read_dir(&root).map_err(unreadable)?;
        let listing = list::list(&root, limits, go_on);
        Ok(Self {
            root,
            files: listing.files,
            left_out: listing.left_out,
            origin: listing.origin,
            ending: listing.ending,
            limits: limits.clone(),
        })
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its text files, by path.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &self.files[at])
    }

    /// What is in the folder and does not count.
    pub fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    /// Where the list of files comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether the list is whole, or the caller asked to stop while it was made.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// What has changed since a commit, given by its hexadecimal id.
    pub fn changed_since(&self, commit: &str, go_on: &dyn Fn() -> bool) -> Result<Changes, WorkspaceError> {
        let mut changes = Changes::default();
        for (letter, native) in self.git(go_on)?.changes(commit)? {
            let Some(path) = name::text_of(&native) else { continue };
            let is_here = letter != b'D' && self.file(&path).is_some();
            if is_here { changes.changed.push(path) } else { changes.removed.push(path) }
        }
        let untracked = self.files.iter().filter(|file| file.tracking == Tracking::Untracked);
        changes.untracked = untracked.map(|file| file.path.clone()).collect();
        // A file that was untracked by hand and left on the disk is both; it is still there.
        changes.removed.retain(|path| changes.untracked.binary_search(path).is_err());
        Ok(changes)
    }

    /// How many of the latest commits changed each file that was changed at all.
    pub fn change_counts(
        &self,
        commits_max: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<BTreeMap<String, usize>, WorkspaceError> {
        let git = self.git(go_on)?;
        // Before the first commit nothing has changed.
        if git.commit().is_none() {
            return Ok(BTreeMap::new());
        }
        let counts = git.change_counts(commits_max)?.into_iter();
        Ok(counts.filter_map(|(native, count)| Some((name::text_of(&native)?, count))).collect())
    }

    fn git<'a>(&'a self, go_on: &'a dyn Fn() -> bool) -> Result<Git<'a>, WorkspaceError> {
        match self.origin {
            Origin::Git { .. } => Ok(Git { root: &self.root, timeout: self.limits.git_timeout, go_on }),
            Origin::Folder { .. } => Err(WorkspaceError::NoHistory { path: self.root.clone() }),
        }
    }
}
