//! The learning file: what was learned as a file of its own, for other installations and other programs.
//!
//! What leaves is what the store holds; what arrives is checked like anything that is told by hand. Bringing a file in
//! twice changes nothing the second time.

mod adapter;
mod export;
mod import;

use std::path::PathBuf;

use serde::Serialize;

/// What was written to a learning file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LearningExported {
    /// Patterns, those that were put aside too.
    pub patterns: u64,
    /// Trajectories.
    pub trajectories: u64,
    /// Adapters, each with what protects it.
    pub adapters: u64,
    /// Records that the file held before and still holds besides.
    pub kept: u64,
    /// Where the former file was copied to, if not all of it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damaged: Option<PathBuf>,
}

/// What came of a learning file, or would.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LearningImported {
    /// Patterns that are new here.
    pub patterns: u64,
    /// Patterns that say the same as one that is here, which has gained from them.
    pub merged: u64,
    /// Patterns that brought nothing new.
    pub patterns_known: u64,
    /// Trajectories that are new here.
    pub trajectories: u64,
    /// Trajectories that are here already.
    pub trajectories_known: u64,
    /// Adapters that recall goes by from now on.
    pub adapters: u64,
    /// Adapters that were left: the namespace has one, or they are of another space or another make.
    pub adapters_left: u64,
    /// Vectors of patterns that were taken as they are.
    pub vectors_taken: u64,
    /// Vectors that were made anew, since the file has none or those of another space.
    pub vectors_made: u64,
    /// Records of types that are not known here.
    pub foreign: u64,
    /// Lines that cannot be read, and records that are not fit to be kept.
    pub refused: u64,
    /// Whether the file was cut off within a line.
    pub torn: bool,
    /// The first of what was refused and why, in words for a person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Secrets that were taken out before anything was written.
    pub redacted: u64,
}

/// So many problems are told one by one.
const PROBLEMS_MAX: usize = 100;

impl LearningImported {
    fn refuse(&mut self, why: String) {
        self.refused += 1;
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(why);
        }
    }
}
