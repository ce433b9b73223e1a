//! What was found worth noting.

use std::ops::Range;

use jiff::civil::Date;
pub use peri_types::Priority;
use serde::{Deserialize, Serialize};

/// What kind of thing a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Something was decided or agreed.
    Decision,
    /// Something has to hold, is forbidden, or was asked to be kept in mind.
    Constraint,
    /// Something that was said or done before is put right.
    Correction,
    /// Somebody likes, dislikes or wants things done in some way.
    Preference,
    /// Something is still to be done.
    OpenTask,
    /// Something was done.
    CompletedTask,
    /// Who somebody is: a name, a role, a place, a family.
    Person,
    /// Something happens at a known time.
    Date,
    /// Something does not work, or why it does not.
    Problem,
    /// Something is no longer as it was.
    StateChange,
}

impl FindingKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Decision,
        Self::Constraint,
        Self::Correction,
        Self::Preference,
        Self::OpenTask,
        Self::CompletedTask,
        Self::Person,
        Self::Date,
        Self::Problem,
        Self::StateChange,
    ];

    /// The name, as people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Constraint => "constraint",
            Self::Correction => "correction",
            Self::Preference => "preference",
            Self::OpenTask => "open task",
            Self::CompletedTask => "completed task",
            Self::Person => "person",
            Self::Date => "date",
            Self::Problem => "problem",
            Self::StateChange => "state change",
        }
    }
}

/// The days that a finding speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Days {
    /// The first day.
    pub first: Date,
    /// The last day, which is the first one when a single day is meant.
    pub last: Date,
}

/// Where a finding was said.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Evidence {
    /// Which of the messages, from 0.
    pub message: usize,
    /// Where in its text, in bytes.
    pub range: Range<usize>,
}

/// What a finding completes or replaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A known item, by its id.
    Item(String),
    /// An earlier finding of the same call, by its place.
    Finding(usize),
    /// Words for what held before; nothing known was found to hold them.
    Text(String),
}

/// Something worth noting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind of thing it is.
    pub kind: FindingKind,
    /// How much it matters.
    pub priority: Priority,
    /// The sentence as it can stand alone: who speaks and which day is meant are clear, secrets are redacted.
    pub text: String,
    /// The days it speaks of, if it names any.
    pub days: Option<Days>,
    /// Where it was said.
    pub evidence: Evidence,
    /// How sure the rules are, from 0 to 1.
    pub confidence: f32,
    /// The open task that it completes.
    pub completes: Option<Target>,
    /// What it takes the place of.
    pub replaces: Option<Target>,
}
