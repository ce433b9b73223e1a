//! Who decides what is noted.

#[cfg(feature = "model")]
use peri_llm::{ParseError, PromptError, Refusal};
use peri_notes::{Candidate, Draft, Item, ItemId, Message, Replaced, Session};
use peri_observe::Fit;
use peri_types::Timestamp;
use serde::Serialize;

/// Decides what is noted. It changes nothing itself; an error leaves everything as it was.
pub trait Thinker: Send + Sync {
    /// Brings the notes of a session up to date with what was said.
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError>;

    /// Condenses the notes of a session.
    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError>;

    /// Picks what should outlive its session.
    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError>;

    /// From how many tokens of candidates on they are worth considering, where so many were configured.
    fn promotes_from(&self, configured: usize) -> usize {
        configured
    }

    /// Condenses the digest.
    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError>;
}

/// What there is to observe.
#[derive(Debug, Clone, Copy)]
pub struct Observing<'a> {
    /// The notes as they are.
    pub notes: &'a [Item],
    /// What was said since.
    pub messages: &'a [Message],
    /// What the agent was given from memory, which is not to be learned again.
    pub handed_out: &'a [String],
    /// When.
    pub now: Timestamp,
}

/// What was observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// All notes as they shall be.
    pub drafts: Vec<Draft>,
    /// What is proposed for the digest.
    pub candidates: Vec<Candidate>,
    /// What is no longer so.
    pub replaced: Vec<Replaced>,
    /// The notes whose task was done.
    pub done: Vec<ItemId>,
    /// Who observed it.
    pub by: By,
}

/// What there is to condense.
#[derive(Debug, Clone, Copy)]
pub struct Condensing<'a> {
    /// The notes.
    pub items: &'a [Item],
    /// So many tokens may be left.
    pub budget_tokens: usize,
    /// When.
    pub now: Timestamp,
}

/// What was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condensed {
    /// All notes as they shall be.
    pub drafts: Vec<Draft>,
    /// The notes that go.
    pub gone: Vec<Gone>,
    /// Whether what is kept is within the budget.
    pub fit: Fit,
    /// Who condensed it.
    pub by: By,
}

/// A note that goes, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gone {
    /// Which note.
    pub id: ItemId,
    /// Why.
    pub why: String,
}

/// A candidate and its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The session that proposes it.
    pub session: Session,
    /// What is proposed.
    pub candidate: Candidate,
}

/// What there is to promote.
#[derive(Debug, Clone, Copy)]
pub struct Promoting<'a> {
    /// What is proposed.
    pub candidates: &'a [Proposed],
    /// The digest as it is.
    pub digest: &'a [Item],
    /// When.
    pub now: Timestamp,
}

/// What was promoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promotion {
    /// Notes that come into the digest, and those of it that are put in other words. No other note of it changes.
    pub drafts: Vec<Draft>,
    /// Who decided it.
    pub by: By,
}

/// Who decided something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The rules.
    Rules,
    /// A model, by the name it gives itself.
    Model(String),
    /// The rules, because the model could not be asked.
    RulesInstead {
        /// Why not.
        why: String,
    },
}

/// How bad a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It passes, and is no fault of what was asked. It is tried again for as long as it takes.
    Passing,
    /// Nobody can say. It is tried again, but not for ever.
    Unclear,
}

/// Why nothing was decided. Nothing was changed, and what was to be considered waits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThinkError {
    /// The model gave no answer.
    #[cfg(feature = "model")]
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The answer has another form than what was asked for.
    #[cfg(feature = "model")]
    #[error(transparent)]
    Form(#[from] ParseError),
    /// The answer has the right form, but must not be followed.
    #[error("the language model's answer was not followed: {why}")]
    Unsound {
        /// What is wrong with it.
        why: String,
    },
    /// A prompt cannot be used. Correct the file that overrides it.
    #[cfg(feature = "model")]
    #[error(transparent)]
    Prompt(#[from] PromptError),
}

impl ThinkError {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        match self {
            #[cfg(feature = "model")]
            Self::Refused(Refusal::Status { status: 401 | 403 | 404, .. } | Refusal::Ledger(_))
            | Self::Prompt(_) => Severity::Passing,
            #[cfg(feature = "model")]
            Self::Refused(refusal) if refusal.is_transient() => Severity::Passing,
            #[cfg(feature = "model")]
            Self::Refused(_) | Self::Form(_) => Severity::Unclear,
            Self::Unsound { .. } => Severity::Unclear,
        }
    }
}
