//! What happened, for a log.

use peri_notes::{ItemId, Replaced, Session};
use peri_types::Timestamp;
use serde::Serialize;

use crate::sift::LeftOut;
use crate::thinker::{By, Gone};

/// A step of the companion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Messages become notes.
    Observe,
    /// The notes of a session are condensed.
    Reflect,
    /// Notes of sessions are taken into the digest.
    Promote,
    /// The digest is condensed.
    Compact,
}

impl Step {
    /// The name, as it is kept with the notes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Reflect => "reflect",
            Self::Promote => "promote",
            Self::Compact => "compact",
        }
    }
}

/// Something that happened. Promotions and compactions are of the whole namespace, everything else of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// There are too few messages to observe them yet.
    Waits {
        /// Of which session.
        session: Session,
        /// So many tokens wait.
        tokens: usize,
        /// So many are waited for.
        of_tokens: usize,
    },
    /// Messages were observed.
    Observed {
        /// Of which session.
        session: Session,
        /// How many messages...
        messages: usize,
        /// ...with how many tokens.
        tokens: usize,
        /// What was not read.
        left_out: LeftOut,
        /// Notes that are new.
        new: Vec<ItemId>,
        /// Notes in other words, or of another priority.
        changed: Vec<ItemId>,
        /// Notes whose task was done.
        done: Vec<ItemId>,
        /// What is no longer so.
        replaced: Vec<Replaced>,
        /// How many notes were proposed for the digest.
        candidates: usize,
        /// Who observed it.
        by: By,
    },
    /// The notes of a session were condensed.
    Reflected {
        /// Of which session.
        session: Session,
        /// How many tokens there were...
        tokens_before: usize,
        /// ...and are.
        tokens_after: usize,
        /// The notes that went.
        gone: Vec<Gone>,
        /// So many tokens are above the budget, because everything left must be remembered.
        exceeded_by: usize,
        /// Who condensed it.
        by: By,
    },
    /// Candidates were considered for the digest.
    Promoted {
        /// How many candidates.
        considered: usize,
        /// How many notes came into the digest or were put in other words.
        promoted: usize,
        /// Who decided it.
        by: By,
    },
    /// The digest was condensed.
    Compacted {
        /// How many tokens there were...
        tokens_before: usize,
        /// ...and are.
        tokens_after: usize,
        /// The notes that went.
        gone: Vec<Gone>,
        /// So many tokens are above the budget, because everything left must be remembered.
        exceeded_by: usize,
        /// Who condensed it.
        by: By,
    },
    /// Somebody else did the same step at the same time.
    Elsewhere {
        /// Which step.
        step: Step,
    },
    /// A step failed. What it was to consider is kept.
    Failed {
        /// Which step.
        step: Step,
        /// Of which session; none for the digest.
        session: Option<Session>,
        /// What went wrong.
        error: String,
        /// How often it was tried.
        attempts: u32,
        /// When it is tried again; none if it was given up.
        next_at: Option<Timestamp>,
    },
    /// A step is due, but failed before, and its time has not come.
    Held {
        /// Which step.
        step: Step,
        /// Of which session; none for the digest.
        session: Option<Session>,
        /// What went wrong.
        error: String,
        /// When it is tried again; none if it was given up.
        next_at: Option<Timestamp>,
    },
    /// Messages could not be observed, however often it was tried, and were put aside. They are kept.
    SetAside {
        /// Of which session.
        session: Session,
        /// How many.
        messages: usize,
        /// What went wrong.
        error: String,
    },
}
