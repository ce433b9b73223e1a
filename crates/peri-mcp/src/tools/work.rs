//! `work_set`, `work_get`, `work_list`, `work_clear`: what a session holds under keys, for a while.

use std::borrow::Cow;
use std::time::Duration;

use perihelion::{Importance, MemoryId, SetWork, TimeToLive, Timestamp, WorkItem};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const SET_WHEN: &str = "Hold a value under a key while you work, such as a plan, a draft or an open \
question: the key's former value is replaced, and it ends by itself after some minutes. For what should last, use \
memory_store.";

pub(crate) const GET_WHEN: &str = "Read the value that work_set put under a key. An answer without an item means that \
nothing is held under it, or no longer.";

pub(crate) const LIST_WHEN: &str =
    "See everything that working memory holds, the latest first, such as when taking up a task again.";

pub(crate) const CLEAR_WHEN: &str =
    "Destroy what working memory holds under a key, or all of it, once the task is done.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Set {
    #[schemars(length(min = 1, max = 256))]
    key: String,
    /// A text or any JSON but null
    #[schemars(with = "Anything")]
    value: Value,
    /// Whose; shared by all when left out
    session: Option<String>,
    /// 0 means no end
    ttl_seconds: Option<u64>,
    /// What matters becomes an episode when it ends
    #[schemars(range(min = 0, max = 1))]
    importance: Option<f64>,
}

/// Every type of JSON but null.
struct Anything;

impl JsonSchema for Anything {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Anything".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "number", "boolean", "object", "array"]})
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Held {
    #[serde(flatten)]
    item: ItemView,
    replaced: bool,
    /// The keys of what left to make room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evicted: Vec<String>,
    /// The episodes that those became which matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    promoted: Vec<MemoryId>,
    /// How many secrets were taken out before it was stored.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What is held under a key.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ItemView {
    id: MemoryId,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    expires_at: Option<Timestamp>,
}

impl From<WorkItem> for ItemView {
    fn from(item: WorkItem) -> Self {
        let WorkItem { key, value, id, session, expires_at, .. } = item;
        Self { id, key, value, session, expires_at }
    }
}

pub(crate) fn set(desk: &Desk<'_>, asked: Set) -> Result<Held, Refusal> {
    let importance = asked.importance.map(Importance::new).transpose();
    let receipt = desk.engine.work_set(SetWork {
        namespace: desk.namespace()?.clone(),
        session: asked.session,
        key: asked.key,
        value: asked.value,
        time_to_live: match asked.ttl_seconds {
            None => TimeToLive::Usual,
            Some(0) => TimeToLive::NoEnd,
            Some(seconds) => TimeToLive::For(Duration::from_secs(seconds)),
        },
        importance: importance.map_err(|error| Refusal::argument("importance", error))?,
        kind: None,
    })?;
    let name = |item: WorkItem| item.key.unwrap_or_else(|| item.id.to_string());
    Ok(Held {
        item: receipt.item.into(),
        replaced: receipt.replaced,
        evicted: receipt.evicted.into_iter().map(name).collect(),
        promoted: receipt.promoted,
        redacted: receipt.redacted.iter().map(|secret| secret.count).sum(),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    key: String,
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Got {
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<ItemView>,
}

pub(crate) fn get(desk: &Desk<'_>, asked: Get) -> Result<Got, Refusal> {
    let item = desk.engine.work_get(desk.namespace()?, asked.session.as_deref(), &asked.key)?;
    Ok(Got { item: item.map(ItemView::from) })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed {
    items: Vec<ItemView>,
    /// The sessions that hold something too.
    sessions: Vec<String>,
}

pub(crate) fn list(desk: &Desk<'_>, asked: List) -> Result<Listed, Refusal> {
    let namespace = desk.namespace()?;
    let items = desk.engine.work_list(namespace, asked.session.as_deref())?;
    let sessions = desk.engine.work_sessions(namespace)?;
    Ok(Listed {
        items: items.into_iter().map(ItemView::from).collect(),
        sessions: sessions.into_iter().filter_map(|one| one.session).collect(),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clear {
    key: Option<String>,
    /// Everything that the session holds, instead of one key
    #[serde(default)]
    all: bool,
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cleared {
    cleared: u64,
}

pub(crate) fn clear(desk: &Desk<'_>, asked: Clear) -> Result<Cleared, Refusal> {
    if asked.key.is_some() == asked.all {
        return Err(Refusal::argument("key", "give a key, or all: true, and not both"));
    }
    let (session, key) = (asked.session.as_deref(), asked.key.as_deref());
    Ok(Cleared { cleared: desk.engine.work_clear(desk.namespace()?, session, key)? })
}
