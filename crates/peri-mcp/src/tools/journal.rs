//! `journal_append`, `journal_recent`, `journal_search`, `journal_trace`: what happened, as it came.

use perihelion::{
    EntryId, JournalDirection, JournalEntry, JournalPosition, JournalQuery, JournalStatus, Kept, MemoryId,
    Namespace, NewEntry, Order, Scope, Timestamp, TurnId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::view::Mention;
use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{bounds, page, when};

pub(crate) const APPEND_WHEN: &str = "Write down what happened, as it came: a message, an alert, what a tool did. \
`state` says whether it is stored or queued; an error that says \"not kept\" means that you have to send it again. With remember: true its text can be recalled too. For \
what you conclude from it, use memory_store.";

pub(crate) const RECENT_WHEN: &str =
    "The latest journal events, the latest first, such as to see what just happened in a session.";

pub(crate) const SEARCH_WHEN: &str = "Look through the journal by session, actor, kind, status, time or words. It finds \
words as they were written; to find by meaning, use memory_recall.";

pub(crate) const TRACE_WHEN: &str =
    "Where a memory came from: the journal event, its turn, and all memories that came from it.";

/// Journal events of one answer unless the call says, and at most.
const LISTED: usize = 20;
const LISTED_MAX: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Append {
    text: String,
    session: Option<String>,
    /// Who said or did it
    actor: Option<String>,
    /// message, world_data, alert, control, schedule, system, tool or any word
    kind: Option<String>,
    direction: Option<JournalDirection>,
    status: Option<JournalStatus>,
    /// The id of its turn
    turn: Option<String>,
    /// A day or RFC 3339; now when left out
    at: Option<String>,
    /// Any JSON that belongs to it
    body: Option<Value>,
    #[serde(default)]
    remember: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Written {
    id: EntryId,
    state: Kept,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryId>,
}

pub(crate) fn append(desk: &Desk<'_>, asked: Append) -> Result<Written, Refusal> {
    let appended = desk.engine.append(NewEntry {
        namespace: desk.namespace()?.clone(),
        session: asked.session,
        actor: asked.actor,
        kind: asked.kind,
        direction: asked.direction,
        status: asked.status,
        turn: asked.turn.as_deref().map(|id| turn_id("turn", id)).transpose()?,
        at: when::optional("at", asked.at.as_deref())?,
        text: asked.text,
        body: asked.body,
        remember: asked.remember,
        ..NewEntry::default()
    })?;
    Ok(Written { id: appended.id, state: appended.state, memory: appended.memory })
}

/// A journal event as models see it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EventView {
    id: EntryId,
    #[schemars(with = "String")]
    at: Timestamp,
    kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<JournalDirection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<JournalStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<TurnId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "in")]
    namespace: Option<Namespace>,
}

impl EventView {
    pub(super) fn of(entry: JournalEntry, looked_in: &Scope) -> Self {
        let JournalEntry {
            id, at, kind, text, session, actor, direction, status, turn, body, namespace, ..
        } = entry;
        let namespace = (!matches!(looked_in, Scope::Exact(_))).then_some(namespace);
        Self { id, at, kind, text, session, actor, direction, status, turn, body, namespace }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recent {
    session: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Latest {
    events: Vec<EventView>,
    /// Why some may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

pub(crate) fn recent(desk: &Desk<'_>, asked: Recent) -> Result<Latest, Refusal> {
    let limit = bounds::count("limit", asked.limit, LISTED, LISTED_MAX)?;
    let found = desk.engine.recent(&desk.scope, asked.session.as_deref(), limit)?;
    let events = found.entries.into_iter().map(|entry| EventView::of(entry, &desk.scope)).collect();
    Ok(Latest { events, missing: found.missing })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// Words that all occur, in whatever case
    text: Option<String>,
    session: Option<String>,
    actor: Option<String>,
    kind: Option<String>,
    status: Option<JournalStatus>,
    /// A day or RFC 3339
    since: Option<String>,
    until: Option<String>,
    #[serde(default)]
    oldest_first: bool,
    cursor: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    events: Vec<EventView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<JournalPosition>,
}

pub(crate) fn search(desk: &Desk<'_>, asked: Search) -> Result<Found, Refusal> {
    let since = when::optional("since", asked.since.as_deref())?;
    let until = when::optional_end("until", asked.until.as_deref())?;
    when::in_order(since, until)?;
    let after = asked.cursor.as_deref().map(str::parse::<JournalPosition>).transpose();
    let found = desk.engine.journal(&JournalQuery {
        scope: desk.scope.clone(),
        session: asked.session,
        actor: asked.actor,
        kind: asked.kind,
        status: asked.status,
        since,
        until,
        text: asked.text,
        order: if asked.oldest_first { Order::OldestFirst } else { Order::NewestFirst },
        after: after.map_err(|_| {
            Refusal::argument(
                "cursor",
                "not one that an earlier answer gave; leave it out for the first page",
            )
        })?,
        limit: bounds::count("limit", asked.limit, LISTED, LISTED_MAX)?,
        ..JournalQuery::default()
    })?;
    let places: Vec<_> = found.entries.iter().map(JournalEntry::position).collect();
    let mut events: Vec<_> =
        found.entries.into_iter().map(|entry| EventView::of(entry, &desk.scope)).collect();
    let here = page::that_fit(&events)?;
    let next_cursor = if here < events.len() { places.into_iter().nth(here - 1) } else { found.next };
    events.truncate(here);
    Ok(Found { events, next_cursor })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trace {
    /// Of a memory
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Traced {
    /// Missing if the memory says of none.
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<EntryId>,
    /// Missing too once the journal no longer holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<EventView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<TurnId>,
    memories: Vec<Mention>,
}

pub(crate) fn trace(desk: &Desk<'_>, asked: Trace) -> Result<Traced, Refusal> {
    let traced = desk.engine.trace(desk.reach(), desk.id("id", &asked.id)?)?;
    Ok(Traced {
        event_id: traced.entry_id,
        event: traced.entry.map(|entry| EventView::of(entry, &desk.scope)),
        turn: traced.turn.map(|turn| turn.id),
        memories: traced.memories.iter().map(Mention::of).collect(),
    })
}

/// Reads the id of a turn.
pub(super) fn turn_id(argument: &str, text: &str) -> Result<TurnId, Refusal> {
    let refused =
        |_| Refusal::argument(argument, format!("{text:?} is no id of a turn; turn_begin gives them"));
    text.trim().parse().map_err(refused)
}

/// Reads the id of a journal event.
pub(super) fn event_id(argument: &str, text: &str) -> Result<EntryId, Refusal> {
    let why = "is no id of a journal event; journal_append gives them";
    text.trim().parse().map_err(|_| Refusal::argument(argument, format!("{text:?} {why}")))
}
