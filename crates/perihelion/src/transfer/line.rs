//! What one line of an export holds.

use peri_store::{FeedbackRecord, Merge, Session};
use peri_types::{Edge, Memory, Namespace, Timestamp, Version};
use serde::{Deserialize, Serialize};

use crate::RedactedSecret;
use crate::redact::{redact_parts, redact_text};

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub(super) enum Line {
    /// The first one.
    Header {
        perihelion: u32,
    },
    Namespace {
        namespace: Namespace,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        settled_at: Option<Timestamp>,
    },
    Memory(Box<MemoryLine>),
    Edge {
        namespace: Namespace,
        #[serde(flatten)]
        edge: Edge,
    },
    Session(Session),
    /// What somebody said of results.
    Feedback(FeedbackRecord),
    /// Weights that feedback taught.
    Weights {
        namespace: Namespace,
        at: Timestamp,
        weights: serde_json::Value,
        reason: String,
    },
}

/// A memory with everything that belongs to it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MemoryLine {
    #[serde(flatten)]
    pub(super) memory: Memory,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) versions: Vec<Version>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) recalls: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_used_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) merge: Option<Merge>,
}

impl Line {
    /// The namespace that it would change.
    pub(super) fn namespace(&self) -> Option<&Namespace> {
        match self {
            Self::Header { .. } => None,
            Self::Memory(line) => Some(&line.memory.namespace),
            Self::Session(Session { namespace, .. }) | Self::Feedback(FeedbackRecord { namespace, .. }) => {
                Some(namespace)
            }
            Self::Namespace { namespace, .. }
            | Self::Edge { namespace, .. }
            | Self::Weights { namespace, .. } => Some(namespace),
        }
    }

    /// Takes secrets out of everything that somebody once said.
    pub(super) fn redact(&mut self, found: &mut Vec<RedactedSecret>) {
        match self {
            Self::Memory(line) => {
                let MemoryLine { memory, versions, merge, .. } = &mut **line;
                redact_parts(&mut memory.content, &mut memory.facets, found);
                versions.iter_mut().for_each(|version| redact_text(&mut version.content, found));
                let gained = merge
                    .iter_mut()
                    .flat_map(|merge| merge.gained.tags.iter_mut().chain(&mut merge.gained.aliases));
                gained.for_each(|label| redact_text(label, found));
            }
            Self::Session(session) => redact_text(&mut session.name, found),
            Self::Feedback(record) => redact_text(&mut record.query, found),
            Self::Weights { reason, .. } => redact_text(reason, found),
            Self::Header { .. } | Self::Namespace { .. } | Self::Edge { .. } => {}
        }
    }
}

pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}
