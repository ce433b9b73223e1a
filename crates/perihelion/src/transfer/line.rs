//! What one line of an export holds.

use std::borrow::Cow;

use peri_notes::Parcel;
use peri_store::{FeedbackRecord, Session};
use peri_types::{Edge, JournalEntry, Namespace, Pattern, Timestamp, Trajectory, Turn};
use serde::{Deserialize, Serialize};

use super::learning::{redact_pattern, redact_trajectory};
use super::memory_line::{MemoryLine, Offered};
use crate::RedactedSecret;
use crate::journal::{redact_entry, redact_turn};
use crate::redact::{redact_parts, redact_text, redact_value};

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub(crate) enum Line {
    /// The first one.
    Header(Header),
    Namespace(NamespaceLine),
    Memory(Box<MemoryLine>),
    Edge(EdgeLine),
    Session(Session),
    /// Something that was written down in the journal.
    Entry(Box<JournalEntry>),
    /// A turn of the journal.
    Turn(Box<Turn>),
    /// The recorded steps of a task.
    Trajectory(Box<Trajectory>),
    /// A strategy that worked.
    Pattern(Box<Pattern>),
    /// Something that was learned as a whole.
    Learned(Box<LearnedLine>),
    /// Everything that is kept of a session's notes, or of the digest of a namespace.
    Notes(Box<NotesLine>),
    /// What somebody said of results.
    Feedback(FeedbackRecord),
    /// Weights that feedback taught.
    Weights(WeightsLine),
    /// The last one.
    End(End),
}

/// How to read the lines below.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The format.
    pub(super) perihelion: u32,
    /// Whether something of its namespaces was left out on purpose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) partial: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NamespaceLine {
    pub(super) namespace: Namespace,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) settled_at: Option<Timestamp>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EdgeLine {
    pub(super) namespace: Namespace,
    #[serde(flatten)]
    pub(super) edge: Edge,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NotesLine {
    pub(super) namespace: Namespace,
    #[serde(flatten)]
    pub(super) parcel: Parcel,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WeightsLine {
    pub(super) namespace: Namespace,
    pub(super) at: Timestamp,
    pub(super) weights: serde_json::Value,
    pub(super) reason: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LearnedLine {
    pub(super) namespace: Namespace,
    pub(super) name: String,
    pub(super) at: Timestamp,
    pub(super) value: serde_json::Value,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) reason: String,
}

/// How much there is above.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(super) memories: u64,
    pub(super) edges: u64,
    pub(super) sessions: u64,
    /// Files from before there was a journal have none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) entries: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) turns: u64,
    /// Files from before notes came along have none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) notes: u64,
    /// Files from before something was learned have none of these.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) patterns: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) trajectories: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) learned: u64,
}

/// What a line says it is.
#[derive(Deserialize)]
#[serde(expecting = "an object that says under `record` what it is")]
struct Tag<'a> {
    #[serde(borrow)]
    record: Cow<'a, str>,
}

impl Line {
    /// Reads a line, or tells what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let tag: Tag<'_> = read(text)?;
        Ok(match &*tag.record {
            "memory" => Self::Memory(read(text)?),
            "edge" => Self::Edge(read(text)?),
            "session" => Self::Session(read(text)?),
            "namespace" => Self::Namespace(read(text)?),
            "entry" => Self::Entry(read(text)?),
            "turn" => Self::Turn(read(text)?),
            "trajectory" => Self::Trajectory(read(text)?),
            "pattern" => Self::Pattern(read(text)?),
            "learned" => Self::Learned(read(text)?),
            "notes" => Self::Notes(read(text)?),
            "feedback" => Self::Feedback(read(text)?),
            "weights" => Self::Weights(read(text)?),
            "header" => Self::Header(read(text)?),
            "end" => Self::End(read(text)?),
            other => return Err(format!("no release knows a record that is a {other:?}")),
        })
    }

    /// The namespace that it would change.
    pub(super) fn namespace(&self) -> Option<&Namespace> {
        match self {
            Self::Header(_) | Self::End(_) => None,
            Self::Memory(line) => Some(&line.memory.namespace),
            Self::Entry(entry) => Some(&entry.namespace),
            Self::Turn(turn) => Some(&turn.namespace),
            Self::Trajectory(trajectory) => Some(&trajectory.namespace),
            Self::Pattern(pattern) => Some(&pattern.namespace),
            Self::Learned(line) => Some(&line.namespace),
            Self::Notes(line) => Some(&line.namespace),
            Self::Namespace(NamespaceLine { namespace, .. })
            | Self::Edge(EdgeLine { namespace, .. })
            | Self::Session(Session { namespace, .. })
            | Self::Feedback(FeedbackRecord { namespace, .. })
            | Self::Weights(WeightsLine { namespace, .. }) => Some(namespace),
        }
    }

    /// Takes secrets out of everything that somebody once said.
    pub(super) fn redact(&mut self, found: &mut Vec<RedactedSecret>) {
        match self {
            Self::Memory(line) => {
                let before = found.len();
                redact_parts(&mut line.memory.content, &mut line.memory.facets, found);
                // A vector of the text with its secrets would still tell of them.
                if found.len() > before && line.vector != Offered::Nothing {
                    line.vector = Offered::Unusable;
                }
                line.versions.iter_mut().for_each(|version| redact_text(&mut version.content, found));
                let gained = line
                    .merge
                    .iter_mut()
                    .flat_map(|merge| merge.gained.tags.iter_mut().chain(&mut merge.gained.aliases));
                gained.for_each(|label| redact_text(label, found));
            }
            Self::Session(session) => redact_text(&mut session.name, found),
            Self::Entry(entry) => redact_entry(entry, found),
            Self::Turn(turn) => redact_turn(turn, found),
            Self::Trajectory(trajectory) => redact_trajectory(trajectory, found),
            Self::Pattern(pattern) => redact_pattern(pattern, found),
            // A set is made of numbers, which may be written like secrets.
            Self::Learned(line) => redact_text(&mut line.reason, found),
            Self::Notes(line) => line.parcel.each_text(|text| redact_note(text, found)),
            Self::Feedback(record) => redact_text(&mut record.query, found),
            Self::Weights(line) => redact_text(&mut line.reason, found),
            Self::Header(_) | Self::Namespace(_) | Self::Edge(_) | Self::End(_) => {}
        }
    }
}

/// Takes secrets out of a document or of a line of a log. One in JSON stays JSON.
fn redact_note(text: &mut String, found: &mut Vec<RedactedSecret>) {
    let Ok(mut value) = serde_json::from_str::<serde_json::Value>(text) else {
        return redact_text(text, found);
    };
    let before = value.clone();
    redact_value(&mut value, found);
    if value != before {
        let end = if text.ends_with('\n') { "\n" } else { "" };
        *text = format!("{value}{end}");
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| told(&error))
}

/// What is wrong with a line, without the place in it: the line's own number is told already.
pub(crate) fn told(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let why = text.split(" at line ").next().unwrap_or(&text);
    if error.is_data() { why.to_owned() } else { format!("it is not JSON: {why}") }
}

pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}
