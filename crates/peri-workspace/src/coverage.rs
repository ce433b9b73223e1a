//! How much of the workspace an answer rests on.

use serde::{Deserialize, Serialize};

/// More names than these are counted instead of listed.
const UNREAD_LISTED_MAX: usize = 100;

/// How much of the workspace an answer rests on. An answer that rests on less than everything says so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Files that should have been looked at.
    pub files_wanted: usize,
    /// Files that were read.
    pub files_read: usize,
    /// Whether the work ran to its end.
    pub ending: Ending,
    /// Files that could not be read after all, the first hundred.
    pub unread: Vec<Unread>,
}

/// Whether work ran to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Everything was looked at.
    #[default]
    Finished,
    /// The caller asked to stop in between.
    Stopped,
}

/// A file that was listed and could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// Its path in the workspace.
    pub path: String,
    /// Why.
    pub reason: UnreadReason,
}

/// Why a listed file could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnreadReason {
    /// It was deleted since it was listed.
    Vanished,
    /// It has grown beyond the limit since it was listed.
    Grown,
    /// It was replaced by something that is not text.
    NotText,
    /// Its path now leads through a link, perhaps out of the workspace.
    Link,
    /// The system refused.
    Refused,
}

impl Coverage {
    /// Whether the answer lacks something: it was stopped, or files could not be read.
    pub fn is_partial(&self) -> bool {
        self.ending == Ending::Stopped || self.files_read < self.files_wanted
    }

    pub(crate) fn miss(&mut self, path: &str, reason: UnreadReason) {
        if self.unread.len() < UNREAD_LISTED_MAX {
            self.unread.push(Unread { path: path.to_owned(), reason });
        }
    }
}
