//! How an engine is opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use peri_types::{Clock, Limits};

use crate::rank::Stages;

/// Where the data lies and how the engine behaves. Every part but the folder has a default.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder. It is created if it does not exist.
    pub folder: PathBuf,
    /// Which embedding engine gives memories their meaning.
    pub engine: EngineChoice,
    /// Upper bounds on requests.
    pub limits: Limits,
    /// Whether secrets are taken out of what is stored.
    pub redaction: Redaction,
    /// How recall ranks and what it leaves out.
    pub recall: RecallSettings,
    /// How long to wait for another process that is writing.
    pub busy_timeout: Duration,
    /// How long a forgotten memory can be restored before chores purge it.
    pub trash_retention: Duration,
    /// Whether the engine runs its chores on a thread of its own.
    pub chores: Chores,
    /// Where "now" comes from.
    pub clock: Clock,
}

/// Which embedding engine to use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The static table in the binary: English, microseconds, nothing to install.
    #[default]
    Bundled,
    /// A BERT-like transformer from a local folder, such as all-MiniLM-L6-v2.
    Transformer {
        /// Holds `config.json`, `model.safetensors` and the vocabulary.
        folder: PathBuf,
    },
    /// None: memories are found by their words alone.
    Off,
}

/// Whether secrets are taken out of what is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Redaction {
    /// Keys, tokens and passwords are replaced by a mark before anything is written.
    #[default]
    On,
    /// Everything is stored as it was given.
    Off,
}

/// How recall ranks and what it leaves out.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallSettings {
    /// How many results a request gets that does not say.
    pub limit: usize,
    /// The least score of a result; 0 leaves it to the floor, which knows more than the score.
    pub score_min: f32,
    /// Which stages take part.
    pub stages: Stages,
}

impl Default for RecallSettings {
    fn default() -> Self {
        Self { limit: 10, score_min: 0.0, stages: Stages::default() }
    }
}

/// Whether the engine runs its chores on a thread of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Chores {
    /// Yes: for programs that stay.
    #[default]
    Background,
    /// No: [`crate::Perihelion::maintain`] and closing do them; for programs that answer once and leave.
    ByHand,
}

impl Options {
    /// The defaults, with the data in this folder.
    pub fn at(folder: impl AsRef<Path>) -> Self {
        Self {
            folder: folder.as_ref().to_owned(),
            engine: EngineChoice::default(),
            limits: Limits::default(),
            redaction: Redaction::default(),
            recall: RecallSettings::default(),
            busy_timeout: Duration::from_secs(10),
            trash_retention: Duration::from_secs(30 * 24 * 60 * 60),
            chores: Chores::default(),
            clock: Clock::system(),
        }
    }
}
