//! A route and why it was chosen, in words.

use std::fmt;

use peri_types::TaskOutcome;
use serde::{Deserialize, Serialize};

use super::Origin;

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Nothing spoke for anybody, so the default agent takes it.
    Default,
    /// The table of keywords.
    Table,
    /// What was learned from outcomes.
    Learned,
    /// Both, in agreement.
    Both,
    /// Patterns that were offered with the task.
    Patterns,
}

/// One thing that spoke for the agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Reason {
    /// What decided in the end. Every route has exactly one of these, and it comes first.
    Decided {
        /// What it was.
        by: Basis,
    },
    /// A keyword of the table.
    Keyword {
        /// The keyword as the table has it.
        keyword: String,
        /// Whether it is one of the original table.
        origin: Origin,
    },
    /// A word, or a pair of characters, that outcomes have taught.
    Word {
        /// It as it was written, in lower case.
        word: String,
        /// How much it spoke for this agent rather than for the others on average.
        weight: f32,
    },
    /// The meaning of the task as a whole, by its vector.
    Meaning {
        /// How much it spoke for this agent rather than for the others on average.
        weight: f32,
    },
    /// An earlier task that is similar.
    Earlier {
        /// How it begins.
        task: String,
        /// Who did it.
        agent: String,
        /// What came of it.
        outcome: TaskOutcome,
        /// How similar it is, from 0 to 1.
        similarity: f32,
    },
    /// A pattern that was offered and names this agent.
    Pattern {
        /// How similar it is, from 0 to 1.
        similarity: f32,
        /// How well it works, from 0 to 1.
        quality: f32,
    },
}

/// Who should take a task, how sure that is, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// Who should take it.
    pub agent: String,
    /// The probability that this is right, from 0 to 1.
    pub confidence: f32,
    /// What decided, then what spoke for it, strongest first within each kind.
    pub reasons: Vec<Reason>,
    /// The others with their probabilities, most probable first.
    pub alternatives: Vec<(String, f32)>,
}

impl Route {
    /// What decided.
    pub fn basis(&self) -> Basis {
        let decided = self.reasons.iter().find_map(|reason| match reason {
            Reason::Decided { by } => Some(*by),
            _ => None,
        });
        decided.unwrap_or(Basis::Default)
    }

    /// The whole of it in one sentence for people.
    pub fn reasoning(&self) -> String {
        let others: Vec<String> = self
            .reasons
            .iter()
            .filter(|one| !matches!(one, Reason::Decided { .. }))
            .map(Reason::to_string)
            .collect();
        let why = if others.is_empty() { String::new() } else { format!(": {}", others.join(", ")) };
        let next = self.alternatives.first().map_or(String::new(), |(agent, chance)| {
            format!("; next would be {agent} ({:.0} %)", 100.0 * chance)
        });
        let sure = 100.0 * self.confidence;
        format!("{} ({sure:.0} %), because {}{why}{next}.", self.agent, self.basis())
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "nothing speaks for anybody else",
            Self::Table => "the keyword table says so",
            Self::Learned => "earlier outcomes say so",
            Self::Both => "the keyword table and earlier outcomes agree",
            Self::Patterns => "matching patterns say so",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided { by } => by.fmt(f),
            Self::Keyword { keyword, .. } => write!(f, "keyword “{keyword}”"),
            Self::Word { word, weight } => write!(f, "“{word}” (+{weight:.1})"),
            Self::Meaning { weight } => write!(f, "its meaning (+{weight:.1})"),
            Self::Earlier { task, agent, outcome, .. } => {
                write!(f, "like “{task}” ({agent}, {outcome})")
            }
            Self::Pattern { similarity, quality } => {
                write!(f, "a pattern {:.0} % alike of quality {quality:.2}", 100.0 * similarity)
            }
        }
    }
}
