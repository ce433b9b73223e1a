//! The name of a conversation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of one conversation: any text that is not blank, such as a time, a UUID or a title.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Session(String);

/// Text that cannot be the name of a session, and why. Give another name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} cannot be the name of a session: {why}")]
pub struct InvalidSession {
    /// The beginning of what was given.
    pub given: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl Session {
    /// Longest name, in bytes.
    pub const BYTES_MAX: usize = 2048;

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Session {
    type Err = InvalidSession;

    fn from_str(text: &str) -> Result<Self, InvalidSession> {
        let refuse = |why| Err(InvalidSession { given: text.chars().take(64).collect(), why });
        if text.trim().is_empty() {
            return refuse("it is blank");
        }
        if text.len() > Self::BYTES_MAX {
            return refuse("it is longer than 2048 bytes");
        }
        // Not every store can keep it.
        if text.contains('\0') {
            return refuse("it holds a NUL character");
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for Session {
    type Error = InvalidSession;

    fn try_from(text: String) -> Result<Self, InvalidSession> {
        text.parse()
    }
}

impl From<Session> for String {
    fn from(session: Session) -> String {
        session.0
    }
}
