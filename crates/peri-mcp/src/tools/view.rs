//! A memory as models see it: what it says, and the little that helps to judge and to name it.

use perihelion::{ErrorKind, Kind, Memory, MemoryId, Namespace, Scope, Timestamp, Zone, marked};
use schemars::JsonSchema;
use serde::Serialize;

use crate::desk::Desk;
use crate::refusal::Refusal;

/// A memory that an answer only mentions is cut to so many characters.
const MENTION_CHARS: usize = 200;

/// A memory in an answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MemoryView {
    id: MemoryId,
    content: String,
    kind: Kind,
    /// When it happened or was said.
    #[schemars(with = "String")]
    at: Timestamp,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    zone: Zone,
    /// Where it lies, when the call looked into more than one namespace.
    #[serde(skip_serializing_if = "Option::is_none", rename = "in")]
    namespace: Option<Namespace>,
}

impl MemoryView {
    pub(crate) fn of(memory: Memory, looked_in: &Scope) -> Self {
        let Memory { id, namespace, content, kind, zone, facets, created_at, .. } = memory;
        Self {
            id,
            content,
            kind,
            at: facets.occurred_at.unwrap_or(created_at),
            tags: facets.tags,
            session: facets.session,
            speaker: facets.speaker,
            zone,
            namespace: (!matches!(looked_in, Scope::Exact(_))).then_some(namespace),
        }
    }
}

/// A memory that an answer only mentions: memory_get has the rest.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Mention {
    id: MemoryId,
    /// How it begins; missing if it is gone meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
}

impl Mention {
    pub(crate) fn of(memory: &Memory) -> Self {
        // What is cut away may be the order, so that the mark is set before.
        let whole = marked(&memory.content);
        let mut content: String = whole.chars().take(MENTION_CHARS).collect();
        if content.len() < whole.len() {
            content.push('…');
        }
        Self { id: memory.id, content: Some(content) }
    }

    /// Looks a memory up where the call works.
    pub(crate) fn look_up(desk: &Desk<'_>, id: MemoryId) -> Result<Self, Refusal> {
        match desk.engine.get(desk.reach(), id) {
            Ok(memory) => Ok(Self::of(&memory)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self { id, content: None }),
            Err(error) => Err(error.into()),
        }
    }
}
