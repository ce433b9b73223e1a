//! `turn_begin`, `turn_finish`, `turn_get`: one call of an agent, from what set it off to what came of it.

use std::borrow::Cow;

use perihelion::{JournalStatus, Kept, NewTurn, Timestamp, Turn, TurnId, TurnUpdate};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::journal::{EventView, event_id, turn_id};
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const BEGIN_WHEN: &str = "Begin a turn before working on a request, so that what happens in it can be found \
together. Give its id to journal_append, and end it with turn_finish.";

pub(crate) const FINISH_WHEN: &str = "End a turn and tell how it went: the tools that were called, what they answered, \
and the answer given. It went well unless an error or a status says otherwise.";

pub(crate) const GET_WHEN: &str = "One turn with all its journal events, the earliest first.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Begin {
    session: Option<String>,
    /// The journal event that sets it off
    input: Option<String>,
    /// Any JSON
    plan: Option<Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Begun {
    id: TurnId,
    state: Kept,
}

pub(crate) fn begin(desk: &Desk<'_>, asked: Begin) -> Result<Begun, Refusal> {
    let receipt = desk.engine.begin_turn(NewTurn {
        namespace: desk.namespace()?.clone(),
        session: asked.session,
        input: asked.input.as_deref().map(|id| event_id("input", id)).transpose()?,
        plan: asked.plan,
        ..NewTurn::default()
    })?;
    Ok(Begun { id: receipt.turn.id, state: receipt.state })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finish {
    id: String,
    status: Option<JournalStatus>,
    error: Option<String>,
    /// The answer given
    output: Option<String>,
    /// The journal event it ended with
    output_event: Option<String>,
    plan: Option<Value>,
    #[serde(default)]
    #[schemars(with = "List")]
    tool_calls: Option<Vec<Value>>,
    #[serde(default)]
    #[schemars(with = "List")]
    tool_results: Option<Vec<Value>>,
}

/// A list of any JSON.
struct List;

impl JsonSchema for List {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "List".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["array"]})
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Finished {
    id: TurnId,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<JournalStatus>,
    state: Kept,
}

pub(crate) fn finish(desk: &Desk<'_>, asked: Finish) -> Result<Finished, Refusal> {
    let update = TurnUpdate {
        status: asked.status,
        error: asked.error,
        output: asked.output_event.as_deref().map(|id| event_id("output_event", id)).transpose()?,
        output_text: asked.output,
        plan: asked.plan,
        tool_calls: asked.tool_calls,
        tool_results: asked.tool_results,
        ..TurnUpdate::default()
    };
    let receipt = desk.engine.finish_turn(desk.reach(), turn_id("id", &asked.id)?, update)?;
    Ok(Finished { id: receipt.turn.id, status: receipt.turn.status, state: receipt.state })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TurnView {
    id: TurnId,
    #[schemars(with = "String")]
    started_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    finished_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// Missing while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<JournalStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_results: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    events: Vec<EventView>,
    /// Whether it has more events than these; journal_search tells all.
    more: bool,
}

pub(crate) fn get(desk: &Desk<'_>, asked: Get) -> Result<TurnView, Refusal> {
    let found = desk.engine.turn_with_entries(desk.reach(), turn_id("id", &asked.id)?)?;
    let Turn { id, started_at, finished_at, session, status, error, plan, .. } = found.turn;
    Ok(TurnView {
        id,
        started_at,
        finished_at,
        session,
        status,
        error,
        plan,
        tool_calls: found.turn.tool_calls,
        tool_results: found.turn.tool_results,
        output: found.turn.output_text,
        events: found.entries.into_iter().map(|entry| EventView::of(entry, &desk.scope)).collect(),
        more: found.more,
    })
}
