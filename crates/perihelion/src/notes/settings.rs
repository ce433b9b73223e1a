//! How notes are kept of conversations.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use peri_companion::{Settings, Thinker};

/// How notes are kept of conversations. Every part has a default.
#[derive(Debug, Clone)]
pub struct NotesSettings {
    /// Where they are.
    pub place: NotesPlace,
    /// Who decides what is noted.
    pub thinker: ThinkerChoice,
    /// When each step is due.
    pub steps: Settings,
    /// What becomes of the messages themselves.
    pub turns: TurnsKept,
    /// Whether notes can be recalled as memories.
    pub recallable: Recallable,
    /// How long to wait for another process that changes notes.
    pub lock_wait: Duration,
    /// What an agent is given at the beginning and with its prompts.
    pub context: ContextSettings,
}

/// Where notes are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NotesPlace {
    /// In files next to an embedded store, and in the database of a server.
    #[default]
    Usual,
    /// In files of the data folder.
    Files,
    /// In the store.
    Store,
}

/// Who decides what is noted.
#[derive(Clone, Default)]
pub enum ThinkerChoice {
    /// Rules, without any model.
    #[default]
    Rules,
    /// Somebody else, such as a language model.
    Brought(Arc<dyn Thinker>),
}

impl fmt::Debug for ThinkerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rules => "Rules",
            Self::Brought(_) => "Brought",
        })
    }
}

/// What becomes of the messages of a conversation, besides notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TurnsKept {
    /// They are written to the journal, from where a session can be replayed.
    #[default]
    Journal,
    /// They are written to the journal and remembered as episodes.
    Episodes,
    /// They are dropped once they were observed.
    Nowhere,
}

/// Whether notes can be recalled as memories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Recallable {
    /// Each note becomes a memory, and follows it.
    #[default]
    Yes,
    /// Notes are given to agents as notes alone.
    No,
}

/// What an agent is given, in tokens. Parts that need less leave the rest to memories.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextSettings {
    /// At most so many at the beginning of a session.
    pub start_tokens: usize,
    /// At most so many with each prompt.
    pub prompt_tokens: usize,
    /// At most so many memories at once.
    pub memories: usize,
    /// With a prompt, only memories of at least this score.
    pub score_min: f32,
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self { start_tokens: 2_000, prompt_tokens: 1_200, memories: 8, score_min: 0.25 }
    }
}

impl Default for NotesSettings {
    fn default() -> Self {
        Self {
            place: NotesPlace::default(),
            thinker: ThinkerChoice::default(),
            steps: Settings::default(),
            turns: TurnsKept::default(),
            recallable: Recallable::default(),
            lock_wait: Duration::from_secs(5),
            context: ContextSettings::default(),
        }
    }
}
