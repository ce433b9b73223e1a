//! What git knows of a folder. Only commands that read, and none that would start something else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::name::path_of;
use super::process::{self, Silence};
use crate::error::WorkspaceError;

/// Set by git for its hooks; they would lead it to another repository than the folder's.
const FOREIGN: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
];

/// A folder that git may know something about.
pub(super) struct Git<'a> {
    pub(super) root: &'a Path,
    pub(super) timeout: Duration,
    pub(super) go_on: &'a dyn Fn() -> bool,
}

impl Git<'_> {
    /// Runs a command that reads. A monitor or a difference program that the repository's own settings name is
    /// not started, no lock is taken, and nothing is fetched.
    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, WorkspaceError> {
        let mut command = Command::new("git");
        command.args(["--no-optional-locks", "--no-pager", "--literal-pathspecs"]);
        command.args(["-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false"]);
        command.arg("-C").arg(self.root).args(arguments);
        command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
        for name in FOREIGN {
            command.env_remove(name);
        }
        let answer = process::run(&mut command, self.timeout, self.go_on)
            .map_err(|silence: Silence| WorkspaceError::Git { reason: silence.to_string() })?;
        if answer.status.success() {
            return Ok(answer.output);
        }
        let reason = answer.complaint.lines().next().unwrap_or("it gave no reason").to_owned();
        Err(WorkspaceError::Git { reason })
    }

    /// Whether the folder lies in a work tree.
    pub(super) fn is_checkout(&self) -> Result<bool, WorkspaceError> {
        Ok(self.run(&["rev-parse", "--is-inside-work-tree"])?.starts_with(b"true"))
    }

    /// Files that git tracks.
    pub(super) fn tracked(&self) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
        Ok(names(&self.run(&["ls-files", "-z", "--cached"])?))
    }

    /// Files that git neither tracks nor ignores.
    pub(super) fn untracked(&self) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
        Ok(names(&self.run(&["ls-files", "-z", "--others", "--exclude-standard"])?))
    }

    /// The commit that is checked out; none before the first.
    pub(super) fn commit(&self) -> Option<String> {
        self.line(&["rev-parse", "--verify", "--quiet", "HEAD"])
    }

    /// The branch that is checked out; none when the commit is checked out by itself.
    pub(super) fn branch(&self) -> Option<String> {
        self.line(&["symbolic-ref", "--quiet", "--short", "HEAD"])
    }

    /// The one line that a command says; none if it fails, which for these commands means that there is none.
    fn line(&self, arguments: &[&str]) -> Option<String> {
        let output = self.run(arguments).ok()?;
        let line = String::from_utf8_lossy(&output).trim().to_owned();
        (!line.is_empty()).then_some(line)
    }

    /// What differs between a commit and the files on the disk: the letter of the change and the path.
    pub(super) fn changes(&self, commit: &str) -> Result<Vec<(u8, PathBuf)>, WorkspaceError> {
        let unknown = || WorkspaceError::UnknownCommit { commit: commit.to_owned() };
        // Anything else could be an option or a name that means another commit tomorrow.
        let is_id = (7..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        let object = format!("{commit}^{{commit}}");
        if !is_id || self.line(&["rev-parse", "--verify", "--quiet", &object]).is_none() {
            return Err(unknown());
        }
        let output = self.run(&[
            "diff",
            "--name-status",
            "-z",
            "--no-renames",
            "--relative",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
            commit,
            "--",
        ])?;
        let mut parts = output.split(|byte| *byte == 0);
        let mut changes = Vec::new();
        while let (Some([letter, ..]), Some(name)) = (parts.next(), parts.next()) {
            changes.push((*letter, path_of(name)));
        }
        Ok(changes)
    }

    /// How many of the latest commits changed each file.
    pub(super) fn change_counts(
        &self,
        commits_max: usize,
    ) -> Result<BTreeMap<PathBuf, usize>, WorkspaceError> {
        let limit = format!("--max-count={commits_max}");
        let output = self.run(&[
            "log",
            &limit,
            "--format=",
            "--name-only",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--relative",
            "--",
        ])?;
        let mut counts = BTreeMap::new();
        for name in output.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            // An empty format still ends each commit with a line of its own.
            let name = name.strip_prefix(b"\n").unwrap_or(name);
            *counts.entry(path_of(name)).or_default() += 1;
        }
        Ok(counts)
    }
}

fn names(output: &[u8]) -> BTreeSet<PathBuf> {
    output.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path_of).collect()
}
