//! What an agent went through, before any interpretation: the journal's entries and turns.
//!
//! On faces an entry is called a journal event. In code it is an entry, to tell it from the events of the audit log.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::record_id::identity;
use crate::{JournalDirection, JournalStatus, MemoryId, Namespace};

identity!(
    /// A journal entry's identity: a UUID of version 7, so that ids sort by the time they were given.
    EntryId, "journal event"
);

identity!(
    /// A turn's identity: a UUID of version 7, so that ids sort by the time they were given.
    TurnId, "turn"
);

/// What tells the id of a memory that was made from an entry from the entry's own.
const DERIVED: [u8; 4] = *b"mem\0";

impl EntryId {
    /// The id of the memory that is made of the entry's text. Different entries give different memories, in the same
    /// order, so that whoever replays the journal finds what is there already.
    pub fn memory(self) -> MemoryId {
        let mut bytes = *self.as_bytes();
        for (byte, mark) in bytes[12..].iter_mut().zip(DERIVED) {
            *byte ^= mark;
        }
        MemoryId::from_bytes(bytes)
    }
}

/// One thing that was observed, said or done. It is written once and never changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalEntry {
    /// Its identity, for good.
    pub id: EntryId,
    /// The one namespace it belongs to.
    pub namespace: Namespace,
    /// When it happened.
    pub at: Timestamp,
    /// When it was written down.
    pub created_at: Timestamp,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Who said or did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// What sort of thing it is: `message`, `world_data`, `alert`, `control`, `schedule`, `system`, `tool`, or any
    /// other word.
    pub kind: String,
    /// Whether it came to the agent or from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<JournalDirection>,
    /// How it went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<JournalStatus>,
    /// The turn it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// What was said, if anything.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The whole of what was observed, as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// What the gate decided, such as its action, scene, score and reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Value>,
    /// Whether its text is remembered too. Replaying the journal makes such memories anew where they are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remember: bool,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

impl TurnId {
    /// The id that a turn gets in a namespace if another namespace holds this one already.
    pub fn within(self, namespace: &Namespace) -> Self {
        Self::from_bytes(crate::id::within(self.as_bytes(), namespace))
    }
}

impl JournalEntry {
    /// Where it stands in the order of the journal: by time, then by id.
    pub fn position(&self) -> JournalPosition {
        JournalPosition { at: self.at, id: *self.id.as_bytes() }
    }
}

/// One call of an agent, from what set it off to what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Turn {
    /// Its identity, for good.
    pub id: TurnId,
    /// The one namespace it belongs to.
    pub namespace: Namespace,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; open while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The journal event that set it off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<EntryId>,
    /// What the agent meant to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Value>,
    /// The tools it called, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Value>,
    /// What they answered, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_results: Vec<Value>,
    /// The journal event that it ended with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<EntryId>,
    /// What it ended with, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_text: Option<String>,
    /// How it went; none while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<JournalStatus>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

impl Turn {
    /// Where it stands in the order of turns: by when it began, then by id.
    pub fn position(&self) -> JournalPosition {
        JournalPosition { at: self.started_at, id: *self.id.as_bytes() }
    }
}

/// A place in the order of the journal, where the next page goes on. As text: milliseconds, a dot, and an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JournalPosition {
    /// When.
    pub at: Timestamp,
    /// The bytes of the id, among those of the same time.
    pub id: [u8; 16],
}

/// Text that is no place in the journal. Use what the page before told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no place in the journal; give the `next` of the page before as it is")]
pub struct InvalidPosition {
    /// What was given.
    pub given: String,
}

impl fmt::Display for JournalPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.at.as_millisecond(), MemoryId::from_bytes(self.id))
    }
}

impl FromStr for JournalPosition {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, InvalidPosition> {
        let parsed = || {
            let (millis, id) = text.trim().split_once('.')?;
            let at = Timestamp::from_millisecond(millis.parse().ok()?).ok()?;
            let id: MemoryId = id.parse().ok()?;
            Some(Self { at, id: *id.as_bytes() })
        };
        parsed().ok_or_else(|| InvalidPosition { given: text.to_owned() })
    }
}

impl TryFrom<String> for JournalPosition {
    type Error = InvalidPosition;

    fn try_from(text: String) -> Result<Self, InvalidPosition> {
        text.parse()
    }
}

impl From<JournalPosition> for String {
    fn from(position: JournalPosition) -> String {
        position.to_string()
    }
}

/// The words that a text is searched for: all of them must occur, in whatever case.
pub fn folded_words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_made_from_entries_are_as_many_and_in_the_same_order() {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let entries: Vec<_> = (0..10_000).map(|_| EntryId::generate(now)).collect();
        let memories: Vec<_> = entries.iter().map(|id| id.memory()).collect();
        assert!(memories.windows(2).all(|pair| pair[0] < pair[1]), "each after the one before");
        assert_eq!(entries[5].memory(), entries[5].memory(), "a function of the id");
        assert_ne!(entries[5].memory().as_bytes(), entries[5].as_bytes(), "and not the id itself");
    }

    #[test]
    fn an_entry_reads_back_as_it_was_written_and_keeps_silent_about_what_it_lacks() {
        let entry = JournalEntry {
            id: EntryId::from_bytes([7; 16]),
            namespace: Namespace::default(),
            at: Timestamp::UNIX_EPOCH,
            created_at: Timestamp::UNIX_EPOCH,
            session: Some("회의".to_owned()),
            actor: None,
            kind: "message".to_owned(),
            direction: Some(JournalDirection::Outbound),
            status: Some(JournalStatus::Timeout),
            turn: None,
            text: "我们三点见".to_owned(),
            body: None,
            gate: Some(serde_json::json!({ "action": "DELIVER", "score": 0.5 })),
            remember: false,
            metadata: Map::new(),
        };
        let line = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<JournalEntry>(&line).unwrap(), entry);
        assert!(!line.contains("actor") && !line.contains("remember") && !line.contains("null"), "{line}");
        assert!(line.contains(r#""direction":"outbound","status":"timeout""#), "{line}");
    }

    #[test]
    fn ids_and_places_read_back_and_nothing_else_is_one() {
        let id = TurnId::generate(Timestamp::UNIX_EPOCH);
        assert_eq!(id.to_string().parse(), Ok(id));
        let at = Timestamp::from_millisecond(-1_234).unwrap();
        let position = JournalPosition { at, id: *id.as_bytes() };
        assert_eq!(position.to_string().parse(), Ok(position));
        let json = serde_json::to_string(&position).unwrap();
        assert_eq!(serde_json::from_str::<JournalPosition>(&json).unwrap(), position);
        for bad in ["", "12", "12.", ".x", "x.0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a", "99999999999999999999.a"]
        {
            assert!(bad.parse::<JournalPosition>().is_err(), "{bad:?}");
        }
        let error = "나".parse::<EntryId>().unwrap_err().to_string();
        assert!(error.contains("journal event"), "{error}");
    }

    #[test]
    fn words_are_looked_for_in_whatever_case() {
        assert_eq!(folded_words("  Deploy ÄRGER\n部署 "), ["deploy", "ärger", "部署"]);
        assert!(folded_words(" \t").is_empty());
    }
}
