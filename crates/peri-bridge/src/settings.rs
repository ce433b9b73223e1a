//! How much is taken from a file, and how much is written into it.

use perihelion::Importance;
use serde::{Deserialize, Serialize};

/// Counts the tokens of a text as the agents that read the files do, or nearly so.
pub type CountTokens = fn(&str) -> usize;

/// Whether something is done or only told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rehearsal {
    /// Nothing is written, neither to the file nor to the memories.
    Dry,
    /// It is done.
    Real,
}

/// The limits of a bridge.
#[derive(Debug, Clone)]
pub struct BridgeSettings {
    /// At most so many statements of a file become memories.
    pub statements_max: usize,
    /// At most so many bytes of a file's statements become memories, all together.
    pub bytes_max: usize,
    /// The section has at most so many lines, its markers and its heading included.
    pub lines_max: usize,
    /// The section has at most so many bytes.
    pub section_bytes_max: usize,
    /// The lines of the section have at most so many tokens, all together.
    pub tokens_max: usize,
    /// One line has at most so many bytes; what is longer is shown shortened.
    pub line_bytes_max: usize,
    /// What is neither pinned nor in the core or inner zone is shown from this importance on.
    pub importance_min: Importance,
    /// How tokens are counted.
    pub count_tokens: CountTokens,
}

impl BridgeSettings {
    /// The usual limits: a section that leaves most of Claude Code's 200 lines to others.
    pub fn new(count_tokens: CountTokens) -> Self {
        Self {
            statements_max: 500,
            bytes_max: 256 * 1024,
            lines_max: 60,
            section_bytes_max: 8 * 1024,
            tokens_max: 1_200,
            line_bytes_max: 400,
            importance_min: Importance::new(0.6).unwrap_or(Importance::ORDINARY),
            count_tokens,
        }
    }
}
