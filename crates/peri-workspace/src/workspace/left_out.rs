//! What is in the folder and was not taken, and why.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// More names than these are counted instead of listed.
const LISTED_MAX: usize = 500;

/// What is in the folder and was not taken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many were left out, by reason.
    pub counts: BTreeMap<LeftOutReason, usize>,
    /// Which ones, the first five hundred. Folders end in a slash.
    pub listed: Vec<LeftOutFile>,
}

/// A file or folder that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutFile {
    /// Its path in the workspace.
    pub path: String,
    /// Why it was left out.
    pub reason: LeftOutReason,
}

/// Why something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    /// Larger than a file may be.
    TooLarge,
    /// It holds something other than text.
    Binary,
    /// A link, which is never followed: what it leads to is listed under its own name, or lies elsewhere.
    Link,
    /// Neither a file nor a folder, or a repository inside this one.
    NotAFile,
    /// Git lists it and it is not on the disk.
    Missing,
    /// The system refused to read it.
    Unreadable,
    /// A folder of dependencies, results or settings, by its name.
    SkippedFolder,
    /// A folder that lies too deep.
    TooDeep,
    /// Files beyond the largest number of files. When a folder is walked, how many there are is not known.
    TooMany,
    /// Files beyond the largest number of bytes in all.
    TooManyBytes,
}

impl LeftOut {
    pub(super) fn add(&mut self, path: &str, reason: LeftOutReason) {
        *self.counts.entry(reason).or_default() += 1;
        if self.listed.len() < LISTED_MAX {
            self.listed.push(LeftOutFile { path: path.to_owned(), reason });
        }
    }
}
