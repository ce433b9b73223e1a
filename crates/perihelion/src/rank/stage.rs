//! The stages of a recall, and which of them take part.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One source of evidence, or one thing done with it. Each can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The words of the memory itself.
    Words,
    /// The meaning of the memory itself.
    Meaning,
    /// What was said just before and after it.
    Neighbours,
    /// The session it belongs to.
    Session,
    /// Who said it.
    Speaker,
    /// Dates in the question, in the memory and of the memory.
    Dates,
    /// What it is linked to.
    Graph,
    /// Words that are one slip away from a known one.
    Typos,
    /// Leaving out what is not relevant.
    Floor,
    /// What feedback has taught about such questions.
    Adaptation,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Self; 10] = [
        Self::Words,
        Self::Meaning,
        Self::Neighbours,
        Self::Session,
        Self::Speaker,
        Self::Dates,
        Self::Graph,
        Self::Typos,
        Self::Floor,
        Self::Adaptation,
    ];

    /// Its name in output and configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::Neighbours => "neighbours",
            Self::Session => "session",
            Self::Speaker => "speaker",
            Self::Dates => "dates",
            Self::Graph => "graph",
            Self::Typos => "typos",
            Self::Floor => "floor",
            Self::Adaptation => "adaptation",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Stage {
    type Err = peri_types::UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|stage| stage.as_str() == text).ok_or_else(|| peri_types::UnknownName {
            what: "stage",
            given: text.to_owned(),
            expected: Self::ALL.map(Self::as_str).join(", "),
        })
    }
}

/// A set of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stages(u16);

impl Stages {
    /// Every stage, which is the default.
    pub const ALL: Self = Self(u16::MAX);

    /// The same without one stage.
    pub const fn without(self, stage: Stage) -> Self {
        Self(self.0 & !(1 << stage as u16))
    }

    /// Whether a stage takes part.
    pub const fn has(self, stage: Stage) -> bool {
        self.0 & (1 << stage as u16) != 0
    }
}

impl Default for Stages {
    fn default() -> Self {
        Self::ALL
    }
}
