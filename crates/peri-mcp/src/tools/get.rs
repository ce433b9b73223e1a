//! `memory_get`: one memory and what is linked to it.

use perihelion::{EdgeType, MemoryId, Version};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::view::MemoryView;
use crate::circumstances;
use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::seen::{TEXT_BYTES_MAX, content_from};

pub(crate) const WHEN: &str =
    "Read one memory by id, with how it was revised, what replaced it and its links.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    id: String,
    // Where a content that was cut goes on, as its end says. (No doc comment: models would read it.)
    offset: Option<usize>,
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
    memory.content = content_from(&memory.content, asked.offset.unwrap_or(0));
    Ok(Got {
        importance: memory.importance.into(),
        version: memory.version,
        pinned: memory.facets.pinned,
        context: circumstances::tell(&memory.facets.context),
        data: memory.facets.data.take(),
        forgotten: memory.trashed_at.is_some(),
        earlier: earlier(history.versions),
        replaced_by: history.replaced_by.into_iter().map(|memory| memory.id).collect(),
        links: links.collect(),
        memory: MemoryView::of(memory, &desk.scope),
    })
}

/// The latest versions that fit into an answer beside the memory itself.
fn earlier(versions: Vec<Version>) -> Vec<String> {
    let (all, mut bytes) = (versions.len(), 0);
    let mut fits = |version: &Version| {
        bytes += version.content.len().min(TEXT_BYTES_MAX);
        bytes <= TEXT_BYTES_MAX
    };
    let mut kept: Vec<String> = versions
        .into_iter()
        .rev()
        .take_while(|version| fits(version))
        .map(|version| version.content)
        .collect();
    if kept.len() < all {
        kept.push(format!("… [{} earlier versions are left out; memory_history has them]", all - kept.len()));
    }
    kept.reverse();
    kept
}
