//! Working memory: what a session holds under keys, for a while.

use std::time::Duration;

use peri_store::{IdOrigin, Links, ListQuery, NewMemory, Order, StoreError, Write, Written};
use peri_types::{
    Facets, Filter, Importance, Kind, Layer, LimitError, Memory, MemoryId, Namespace, Scope, Timestamp,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::{Core, Perihelion};
use crate::redact::redact_text;
use crate::{Error, RedactedSecret, Redaction, Remember};

/// Working memories are read so many values at a time.
const PAGE: usize = 256;

/// What to put into working memory.
#[derive(Debug, Clone, PartialEq)]
pub struct SetWork {
    /// Where.
    pub namespace: Namespace,
    /// In which session's; in the namespace's own if there is none.
    pub session: Option<String>,
    /// Under which key.
    pub key: String,
    /// A text, or any JSON.
    pub value: Value,
    /// How long it stays.
    pub time_to_live: TimeToLive,
    /// How much it matters; what matters becomes an episode when it leaves.
    pub importance: Option<Importance>,
    /// What it is.
    pub kind: Option<Kind>,
}

impl SetWork {
    /// A value under a key of the default namespace's own working memory.
    pub fn new(key: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            namespace: Namespace::default(),
            session: None,
            key: key.into(),
            value: value.into(),
            time_to_live: TimeToLive::Usual,
            importance: None,
            kind: None,
        }
    }

    /// The same in a session's working memory.
    pub fn in_session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }

    /// The same in another namespace.
    pub fn in_namespace(mut self, namespace: Namespace) -> Self {
        self.namespace = namespace;
        self
    }

    /// The same for another time.
    pub fn for_time(mut self, time_to_live: TimeToLive) -> Self {
        self.time_to_live = time_to_live;
        self
    }
}

/// How long a value stays in working memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TimeToLive {
    /// As configured.
    #[default]
    Usual,
    /// So long, from now on.
    For(Duration),
    /// Until it is cleared or there is no room.
    NoEnd,
}

/// What working memory holds under a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkItem {
    /// The key. What was remembered into the layer without one has none.
    pub key: Option<String>,
    /// The value.
    pub value: Value,
    /// The memory that holds it; recall finds it like any other.
    pub id: MemoryId,
    /// Where.
    pub namespace: Namespace,
    /// In which session's working memory.
    pub session: Option<String>,
    /// How much it matters.
    pub importance: Importance,
    /// When it was last set.
    pub set_at: Timestamp,
    /// From when on it is not seen any more; none if nothing but room decides.
    pub expires_at: Option<Timestamp>,
}

/// What became of a value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkReceipt {
    /// What is held now.
    pub item: WorkItem,
    /// Whether another value was held under the key before.
    pub replaced: bool,
    /// What left to make room, the one used longest ago last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evicted: Vec<WorkItem>,
    /// The episodes that those became which matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promoted: Vec<MemoryId>,
    /// Secrets that were taken out before it was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
}

/// A session whose working memory holds something.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkSession {
    /// The session; the namespace's own working memory if there is none.
    pub session: Option<String>,
    /// How many values it holds.
    pub items: u64,
    /// How many fit; no bound if there is none.
    pub capacity: Option<usize>,
}

impl Perihelion {
    /// Puts a value into working memory, in the place of what the key held. The receipt comes when it is durable.
    pub fn work_set(&self, request: SetWork) -> Result<WorkReceipt, Error> {
        let core = &self.core;
        let SetWork { namespace, session, key, value, time_to_live, importance, kind } = request;
        if value.is_null() {
            // Nothing at all is what a key holds that was cleared.
            return Err(LimitError::Empty { what: "value" }.into());
        }
        let (content, data) = told(&key, value);
        let facets = Facets { session, key: Some(key), data, ..Facets::default() };
        let request =
            Remember { content, namespace, kind, layer: Some(Layer::Working), importance, facets, id: None };
        core.check(&request)?;
        let now = core.now();
        let (mut memory, redacted) = core.record(request, now);
        memory.facets.expires_at = core.working_until(time_to_live, now)?;
        let (written, evicted, promoted) = core.write_working(memory)?;
        let (memory, replaced) = match written {
            Written::Stored(memory) => (memory, false),
            Written::Replaced(memory) => (memory, true),
            _ => return Err(Error::Store(StoreError::Closed)),
        };
        let evicted = evicted.into_iter().map(WorkItem::of).collect();
        Ok(WorkReceipt { item: WorkItem::of(*memory), replaced, evicted, promoted, redacted })
    }

    /// What working memory holds under a key. Asking counts as use: what was used longest ago leaves first.
    pub fn work_get(
        &self,
        namespace: &Namespace,
        session: Option<&str>,
        key: &str,
    ) -> Result<Option<WorkItem>, Error> {
        let core = &self.core;
        let (session, key) = (session.map(|name| core.as_kept(name)), core.as_kept(key));
        let found = core.store.working_value(namespace, session.as_deref(), &key)?;
        let now = core.now();
        let Some(memory) = found.filter(|memory| memory.is_visible(now)) else { return Ok(None) };
        if !core.store.is_read_only() {
            let touch = Write::TouchWorking { namespace: namespace.clone(), ids: vec![memory.id], at: now };
            if let Err(error) = core.store.write(vec![touch]) {
                // The value is there all the same; only who leaves first is known a little worse.
                tracing::debug!(%error, "a use of working memory was not noted");
            }
        }
        Ok(Some(WorkItem::of(memory)))
    }

    /// What a session's working memory holds, the latest first.
    pub fn work_list(&self, namespace: &Namespace, session: Option<&str>) -> Result<Vec<WorkItem>, Error> {
        let session = session.map(|name| self.core.as_kept(name));
        let mut items = Vec::new();
        let filter = Filter { layers: vec![Layer::Working], session: session.clone(), ..Filter::default() };
        let mut query = ListQuery {
            scope: Scope::Exact(namespace.clone()),
            filter,
            now: Some(self.core.now()),
            order: Order::NewestFirst,
            limit: PAGE,
            ..ListQuery::default()
        };
        loop {
            let page = self.core.store.list(&query)?;
            let own = page.memories.into_iter().filter(|memory| memory.facets.session == session);
            items.extend(own.map(WorkItem::of));
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        items.sort_by(|a, b| b.set_at.cmp(&a.set_at).then_with(|| b.id.cmp(&a.id)));
        Ok(items)
    }

    /// The working memories of a namespace that hold something.
    pub fn work_sessions(&self, namespace: &Namespace) -> Result<Vec<WorkSession>, Error> {
        let capacity = Some(self.core.options.layers.working.capacity).filter(|capacity| *capacity > 0);
        let sessions = self.core.store.working_sessions(namespace, self.core.now())?;
        Ok(sessions.into_iter().map(|(session, items)| WorkSession { session, items, capacity }).collect())
    }

    /// Destroys what a session's working memory holds, under one key or all of it, and tells how much that was.
    pub fn work_clear(
        &self,
        namespace: &Namespace,
        session: Option<&str>,
        key: Option<&str>,
    ) -> Result<u64, Error> {
        let core = &self.core;
        let write = Write::ClearWorking {
            namespace: namespace.clone(),
            session: session.map(|name| core.as_kept(name)),
            key: key.map(|key| core.as_kept(key)),
            at: core.now(),
        };
        match core.change(vec![write])?.pop() {
            Some(Written::Purged(count)) => Ok(count),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }
}

impl WorkItem {
    pub(crate) fn of(memory: Memory) -> Self {
        let facets = memory.facets;
        Self {
            key: facets.key,
            value: facets.data.unwrap_or(Value::String(memory.content)),
            id: memory.id,
            namespace: memory.namespace,
            session: facets.session,
            importance: memory.importance,
            set_at: memory.updated_at,
            expires_at: facets.expires_at,
        }
    }
}

impl Core {
    /// Stores a working memory and lets those leave that there is no room for, together.
    pub(crate) fn write_working(
        &self,
        memory: Memory,
    ) -> Result<(Written, Vec<Memory>, Vec<MemoryId>), Error> {
        let settings = &self.options.layers;
        let (namespace, session, at) =
            (memory.namespace.clone(), memory.facets.session.clone(), memory.updated_at);
        let mut memories = [memory];
        self.place(&mut memories)?;
        let [memory] = memories;
        let Some(embedding) = self.embed(&[&memory.content]).pop() else {
            return Err(Error::Store(StoreError::Closed));
        };
        // What is held for a while is not linked to what is known for good.
        let (links, id) = (Links::Sought, IdOrigin::Drawn);
        let new = NewMemory { memory, embedding, links, id };
        let mut writes = vec![Write::Remember(Box::new(new))];
        if settings.working.capacity > 0 {
            let (capacity, matters) = (settings.working.capacity, settings.promotion.matters());
            writes.push(Write::TrimWorking { namespace, session, capacity, matters, at });
        }
        let mut written = self.change(writes)?.into_iter();
        let first = written.next().ok_or(Error::Store(StoreError::Closed))?;
        let (evicted, promoted) = match written.next() {
            Some(Written::Trimmed(trimmed)) => (trimmed.evicted, trimmed.promoted),
            _ => Default::default(),
        };
        self.nudge();
        Ok((first, evicted, promoted))
    }

    /// Until when a value stays that is set now.
    pub(crate) fn working_until(
        &self,
        time_to_live: TimeToLive,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, Error> {
        let time = match time_to_live {
            TimeToLive::NoEnd => return Ok(None),
            TimeToLive::For(time) if time.is_zero() => {
                return Err(LimitError::Empty { what: "time to live" }.into());
            }
            TimeToLive::For(time) => time,
            TimeToLive::Usual => self.options.layers.working.time_to_live,
        };
        if time.is_zero() {
            return Ok(None);
        }
        // The store counts whole milliseconds, and nothing may be seen for longer than was said.
        Ok(Some(now.checked_add(time).unwrap_or(Timestamp::MAX)))
    }

    /// A label as it is kept: without secrets.
    pub(crate) fn as_kept(&self, label: &str) -> String {
        let mut label = label.to_owned();
        if self.options.redaction == Redaction::On {
            redact_text(&mut label, &mut Vec::new());
        }
        label
    }
}

/// A value as a statement that can be found, and as the structure that it is. A plain text is its own statement.
fn told(key: &str, value: Value) -> (String, Option<Value>) {
    match value {
        Value::String(text) if !text.trim().is_empty() => (text, None),
        value => (format!("{key}: {value}"), Some(value)),
    }
}
