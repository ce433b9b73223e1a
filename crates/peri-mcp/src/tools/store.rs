//! `memory_store`: keep a statement.

use perihelion::{Importance, Kind, MemoryId, Outcome, Remember};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{circumstances, when};

pub(crate) const WHEN: &str = "Keep one statement for later conversations: a fact, preference, decision, event or \
instruction. Write it complete in itself, with names instead of pronouns. Saying it again or in other words makes \
no second copy; a new value replaces the old one.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Store {
    #[serde(default)]
    #[schemars(length(max = 262_144))]
    content: String,
    kind: Option<Kind>,
    #[serde(default)]
    #[schemars(length(max = 64))]
    tags: Vec<String>,
    /// Judged from the words when left out
    #[schemars(range(min = 0, max = 1))]
    importance: Option<f64>,
    /// The conversation it was said in
    session: Option<String>,
    speaker: Option<String>,
    /// If not now: 2026-11-15 or RFC 3339
    at: Option<String>,
    /// spatial.place=office
    #[serde(default)]
    context: Vec<String>,
    /// Any JSON; content may be missing then
    data: Option<Value>,
    /// Never decays
    #[serde(default)]
    pinned: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stored {
    id: MemoryId,
    outcome: Outcome,
    /// What it took the place of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    superseded: Vec<MemoryId>,
    /// What cannot be true beside it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contradicts: Vec<MemoryId>,
    /// How many secrets were taken out before it was stored.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

pub(crate) fn store(desk: &Desk<'_>, asked: Store) -> Result<Stored, Refusal> {
    let receipt = desk.engine.remember(asked.remember(desk)?)?;
    Ok(Stored {
        id: receipt.id,
        outcome: receipt.outcome,
        superseded: receipt.superseded,
        contradicts: receipt.contradicts,
        redacted: receipt.redacted.len(),
    })
}

impl Store {
    /// What the engine is asked to remember.
    fn remember(self, desk: &Desk<'_>) -> Result<Remember, Refusal> {
        let mut remember =
            Remember::new(self.content).in_namespace(desk.namespace()?.clone()).tags(self.tags);
        remember.kind = self.kind;
        remember.importance = self
            .importance
            .map(Importance::new)
            .transpose()
            .map_err(|error| Refusal::argument("importance", error))?;
        remember.facets.session = self.session;
        remember.facets.speaker = self.speaker;
        remember.facets.occurred_at = when::optional("at", self.at.as_deref())?;
        remember.facets.context = circumstances::together(&self.context)?;
        remember.facets.data = self.data;
        remember.facets.pinned = self.pinned;
        Ok(remember)
    }
}
