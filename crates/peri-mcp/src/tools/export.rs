//! `memory_export`: everything, a page at a time, in the shape that `memory_import` takes.

use perihelion::{Importance, Kind, Layer, ListQuery, Memory, MemoryId, Order, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{bounds, circumstances, page};

pub(crate) const WHEN: &str = "Read all memories page by page, the oldest first, as memory_import takes them. To answer \
a question, use memory_recall.";

const LIMIT: usize = 50;
const LIMIT_MAX: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Export {
    /// 50 when left out
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
    cursor: Option<String>,
}

// A model reads it, so that it is marked, and cut, like everything; `peri export` and GET /v1/export give exact copies. (No
// doc comment: models would read it.)
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExportedPage {
    // The schema of memory_import tells what they hold; twice would cost every conversation more than it tells.
    #[schemars(with = "Vec<Anything>")]
    memories: Vec<Portable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

// A memory that can be carried elsewhere. What is left out says nothing. (No doc comment: models would read it.)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Portable {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) id: Option<MemoryId>,
    #[schemars(length(min = 1))]
    pub(crate) content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) layer: Option<Layer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub(crate) importance: Option<Importance>,
    // Under which a working memory holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) speaker: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) valid_from: Option<Timestamp>,
    // What was replaced held until then, and so is not taken for current elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) valid_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) pinned: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) context: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Value>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schemars(with = "Anything")]
    pub(crate) metadata: Map<String, Value>,
}

// Any object. (No doc comment: models would read it.)
#[derive(JsonSchema)]
struct Anything {}

impl From<Memory> for Portable {
    fn from(memory: Memory) -> Self {
        let at = memory.at();
        let Memory { id, content, kind, layer, importance, facets, .. } = memory;
        Self {
            id: Some(id),
            content,
            kind: Some(kind),
            layer: Some(layer),
            tags: facets.tags,
            aliases: facets.aliases,
            importance: Some(importance),
            key: facets.key,
            session: facets.session,
            speaker: facets.speaker,
            source: facets.source,
            at: Some(at),
            valid_from: facets.valid_from,
            valid_until: facets.valid_until,
            expires_at: facets.expires_at,
            pinned: facets.pinned,
            context: circumstances::tell(&facets.context),
            data: facets.data,
            metadata: facets.metadata,
        }
    }
}

pub(crate) fn export(desk: &Desk<'_>, asked: Export) -> Result<ExportedPage, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    let after = asked.cursor.as_deref().map(|cursor| desk.cursor(cursor)).transpose()?;
    let listed = desk.engine.list(ListQuery {
        scope: desk.scope.clone(),
        order: Order::OldestFirst,
        after,
        limit,
        ..ListQuery::default()
    })?;
    let mut memories: Vec<Portable> = listed.memories.into_iter().map(Portable::from).collect();
    let here = page::that_fit(&memories)?;
    let next = if here < memories.len() { memories[here - 1].id } else { listed.next };
    memories.truncate(here);
    Ok(ExportedPage { memories, next_cursor: next.map(|id| id.to_string()) })
}
