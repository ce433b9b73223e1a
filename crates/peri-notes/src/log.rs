//! What logs hold: messages and candidates, one on each line.

use peri_types::{EntryId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{Item, ItemId, Priority};

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person.
    User,
    /// The agent.
    Assistant,
    /// Whoever instructs the agent.
    System,
    /// A tool.
    Tool,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who said it.
    pub role: Speaker,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Timestamp,
    /// The entry of the journal that holds it, if one does. A message is the same with and without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryId>,
}

impl Message {
    /// A message that is in no journal.
    pub fn new(role: Speaker, text: impl Into<String>, at: Timestamp) -> Self {
        Self { role, text: text.into(), at, entry: None }
    }
}

/// A note that is proposed for the digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// How much it matters.
    pub priority: Priority,
    /// What it says.
    pub text: String,
    /// When it was proposed.
    pub at: Timestamp,
    /// The notes of its session that it was made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemId>,
    /// What kind of thing it is, in a word of whoever proposed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// Something that a note took the place of, so that memories of it can be superseded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// When.
    pub at: Timestamp,
    /// The note that it stood in; none if nothing was noted of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemId>,
    /// What held before: the words of the note, or what the conversation called it.
    pub old: String,
    /// What holds now.
    pub new: String,
}

/// A message that could not be observed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aside {
    /// When it was put aside.
    pub at: Timestamp,
    /// What went wrong at last.
    pub error: String,
    /// The message.
    pub message: Message,
}

/// Something from memory that an agent was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandedOut {
    /// When.
    pub at: Timestamp,
    /// The text.
    pub text: String,
}

/// A note as it was before an observer or a reflector dropped or reworded it, so that it can be put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// When it was dropped or reworded.
    pub at: Timestamp,
    /// The note as it was.
    pub item: Item,
}
