//! `memory_get`: one memory and what is linked to it.

use perihelion::{EdgeType, MemoryId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::view::MemoryView;
use crate::circumstances;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str =
    "Read one memory by id, with how it was revised, what replaced it and its links.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Got {
    #[serde(flatten)]
    memory: MemoryView,
    importance: f64,
    version: u32,
    pinned: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    context: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
    forgotten: bool,
    /// What it said before, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced_by: Vec<MemoryId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<LinkView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LinkView {
    r#type: EdgeType,
    to: MemoryId,
}

pub(crate) fn get(desk: &Desk<'_>, asked: Get) -> Result<Got, Refusal> {
    let id = desk.id("id", &asked.id)?;
    let history = desk.engine.history(desk.reach(), id)?;
    let edges = desk.engine.edges(desk.reach(), id)?;
    let links = edges.into_iter().map(|edge| LinkView {
        r#type: edge.edge_type,
        to: if edge.source == id { edge.target } else { edge.source },
    });
    let mut memory = history.memory;
    Ok(Got {
        importance: memory.importance.into(),
        version: memory.version,
        pinned: memory.facets.pinned,
        context: circumstances::tell(&memory.facets.context),
        data: memory.facets.data.take(),
        forgotten: memory.trashed_at.is_some(),
        earlier: history.versions.into_iter().map(|version| perihelion::quoted(&version.content)).collect(),
        replaced_by: history.replaced_by.into_iter().map(|memory| memory.id).collect(),
        links: links.collect(),
        memory: MemoryView::of(memory, &desk.scope),
    })
}
