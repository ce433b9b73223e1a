//! One note: what it says, how much it matters, and where it came from.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
pub use peri_types::Priority;
use peri_types::{EntryId, MemoryId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Session;

/// Whether what a note asks for is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// Not that anybody said so.
    #[default]
    Open,
    /// Finished.
    Done,
}

/// Who wrote a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Whoever watches the conversation.
    #[default]
    Observer,
    /// Whoever condenses the notes of a session.
    Reflector,
    /// Whoever takes notes into the digest.
    Promoter,
    /// Whoever condenses the digest.
    Compactor,
    /// A person, with an editor.
    Person,
    /// Rules, in the place of a model that could not be asked.
    Rules,
}

/// What a note was made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// An entry of the journal.
    Entry(EntryId),
    /// A memory.
    Memory(MemoryId),
    /// A note of a session.
    Note {
        /// Of which session.
        session: Session,
        /// Which note.
        id: ItemId,
    },
}

/// To what a note belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Owner {
    /// To a session.
    #[default]
    Session,
    /// To the digest of a namespace.
    Digest,
}

/// A note's identity among the notes of its session, such as `n17`, or of the digest, such as `d4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemId {
    owner: Owner,
    number: u64,
}

/// Text that is not the id of a note. Fix the id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not the id of a note (they look like n17 or d4)")]
pub struct InvalidItemId {
    /// What was given.
    pub given: String,
}

impl ItemId {
    /// Longest number, in digits.
    const DIGITS_MAX: usize = 15;

    pub(crate) fn new(owner: Owner, number: u64) -> Self {
        Self { owner, number }
    }

    /// To what the note belongs.
    pub fn owner(self) -> Owner {
        self.owner
    }

    /// Notes are numbered from 1 in the order they were made.
    pub fn number(self) -> u64 {
        self.number
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.owner {
            Owner::Session => 'n',
            Owner::Digest => 'd',
        };
        write!(f, "{letter}{}", self.number)
    }
}

impl FromStr for ItemId {
    type Err = InvalidItemId;

    fn from_str(text: &str) -> Result<Self, InvalidItemId> {
        let refused = || InvalidItemId { given: text.chars().take(64).collect() };
        let (owner, digits) = match (text.strip_prefix('n'), text.strip_prefix('d')) {
            (Some(digits), _) => (Owner::Session, digits),
            (_, Some(digits)) => (Owner::Digest, digits),
            _ => return Err(refused()),
        };
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        if !plain || digits.len() > Self::DIGITS_MAX {
            return Err(refused());
        }
        digits.parse().map(|number| Self { owner, number }).map_err(|_| refused())
    }
}

impl TryFrom<String> for ItemId {
    type Error = InvalidItemId;

    fn try_from(text: String) -> Result<Self, InvalidItemId> {
        text.parse()
    }
}

impl From<ItemId> for String {
    fn from(id: ItemId) -> String {
        id.to_string()
    }
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its identity, which it keeps when its text is revised.
    pub id: ItemId,
    /// How much it matters.
    pub priority: Priority,
    /// Whether it is done.
    pub progress: Progress,
    /// What it says; one line or several.
    pub text: String,
    /// The day it is about; none if a person wrote it above all days.
    pub date: Option<Date>,
    /// When it was made.
    pub made_at: Timestamp,
    /// Who made it.
    pub source: Source,
    /// What it was made from.
    pub origins: Vec<Origin>,
    /// What kind of thing it is, in a word of whoever noted it, such as "decision".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// A note as an observer proposes it: a new one, or one that is there in new words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Which note it revises; none for a new one.
    pub id: Option<ItemId>,
    /// How much it matters.
    pub priority: Priority,
    /// Whether it is done.
    pub progress: Progress,
    /// What it says.
    pub text: String,
    /// The day it is about; none: the day of the note it revises, or today.
    pub date: Option<Date>,
    /// Who made it.
    pub source: Source,
    /// What it was made from; a note that is revised keeps what it had besides.
    pub origins: Vec<Origin>,
    /// What kind of thing it is, in a word; none: that of the note it revises.
    pub kind: Option<String>,
}

impl Draft {
    /// A new note of today by the observer.
    pub fn new(priority: Priority, text: impl Into<String>) -> Self {
        Self {
            id: None,
            priority,
            progress: Progress::Open,
            text: text.into(),
            date: None,
            source: Source::Observer,
            origins: Vec::new(),
            kind: None,
        }
    }

    /// A note as it is, to be changed in part.
    pub fn of(item: &Item) -> Self {
        Self {
            id: Some(item.id),
            priority: item.priority,
            progress: item.progress,
            text: item.text.clone(),
            date: item.date,
            source: item.source,
            origins: item.origins.clone(),
            kind: item.kind.clone(),
        }
    }
}

/// Editors put it at the beginning of files. It shows nothing.
pub(crate) const BYTE_ORDER: char = '\u{FEFF}';

/// A text as notes keep it: lines end plainly and without trailing blanks, and nothing unprintable is in it.
pub(crate) fn tidied(text: &str) -> String {
    let unified = text.replace(BYTE_ORDER, "").replace("\r\n", "\n").replace('\r', "\n");
    let plain = |c: char| if c.is_control() && c != '\n' && c != '\t' { ' ' } else { c };
    let printable: String = unified.chars().map(plain).collect();
    let lines: Vec<&str> = printable.trim().split('\n').map(str::trim_end).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_and_strangers_are_refused() {
        for text in ["n1", "d42", "n999999999999999"] {
            assert_eq!(text.parse::<ItemId>().unwrap().to_string(), text);
        }
        for bad in ["", "n", "n0", "n01", "x3", "n-1", "n 1", "n1a", "n９", "n9999999999999999", "메모"] {
            assert!(bad.parse::<ItemId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn texts_are_tidied_and_stay_so() {
        for (given, kept) in [
            ("  두 줄\r\n  둘째  \r", "두 줄\n  둘째"),
            ("a\0b\u{7}c\td", "a b c\td"),
            ("\n\n", ""),
            ("一\n\n二", "一\n\n二"),
        ] {
            assert_eq!(tidied(given), kept);
            assert_eq!(tidied(kept), kept);
        }
    }
}
