//! `memory_list`: memories page by page, without a question.

use perihelion::{Filter, Kind, Layer, ListQuery, Order, Trashed, Zone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::MemoryView;
use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{bounds, circumstances, page, when};

pub(crate) const WHEN: &str = "Browse memories by time, kind, tags, zone or session, the newest first, page by page; \
or what was forgotten. To answer a question, use memory_recall.";

const LIMIT: usize = 20;
const LIMIT_MAX: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Browse {
    #[serde(default)]
    kinds: Vec<Kind>,
    #[serde(default)]
    layers: Vec<Layer>,
    /// All of them
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    zones: Vec<Zone>,
    session: Option<String>,
    speaker: Option<String>,
    pinned: Option<bool>,
    /// All of these circumstances, such as spatial.place=office
    #[serde(default)]
    context: Vec<String>,
    /// 2026-11-15 or RFC 3339
    since: Option<String>,
    /// A day is included whole
    until: Option<String>,
    /// What lies in the trash instead
    #[serde(default)]
    forgotten: bool,
    #[serde(default)]
    oldest_first: bool,
    /// 20 when left out
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed {
    memories: Vec<MemoryView>,
    /// For the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

pub(crate) fn list(desk: &Desk<'_>, asked: Browse) -> Result<Listed, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    let after = asked.cursor.as_deref().map(|cursor| desk.cursor(cursor)).transpose()?;
    let since = when::optional("since", asked.since.as_deref())?;
    let until = when::optional_end("until", asked.until.as_deref())?;
    when::in_order(since, until)?;
    let filter = Filter {
        layers: asked.layers,
        kinds: asked.kinds,
        tags: asked.tags,
        since,
        until,
        session: asked.session,
        speaker: asked.speaker,
        pinned: asked.pinned,
        context: circumstances::read(&asked.context)?,
    };
    let listed = desk.engine.list(ListQuery {
        scope: desk.scope.clone(),
        filter,
        trashed: if asked.forgotten { Trashed::Only } else { Trashed::Without },
        zones: asked.zones,
        order: if asked.oldest_first { Order::OldestFirst } else { Order::NewestFirst },
        after,
        limit,
        ..ListQuery::default()
    })?;
    let ids: Vec<_> = listed.memories.iter().map(|memory| memory.id).collect();
    let mut memories: Vec<_> =
        listed.memories.into_iter().map(|memory| MemoryView::of(memory, &desk.scope)).collect();
    let here = page::that_fit(&memories)?;
    let next = if here < memories.len() { ids.get(here - 1).copied() } else { listed.next };
    memories.truncate(here);
    Ok(Listed { memories, next_cursor: next.map(|id| id.to_string()) })
}
