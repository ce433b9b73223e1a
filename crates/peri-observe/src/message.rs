//! What was said in a conversation.

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    User,
    /// The model that answers.
    Assistant,
    /// A tool, the system or anything else; never read.
    Tool,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who wrote it.
    pub role: Role,
    /// What it says.
    pub text: String,
    /// When it was written, on the speaker's own clock; "tomorrow" counts from there.
    pub at: DateTime,
}
