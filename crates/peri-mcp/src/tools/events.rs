//! `memory_events`: what happened, from the audit log.

use perihelion::{Event, EventKind, LogQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{bounds, page, when};

pub(crate) const WHEN: &str = "What happened to memories and who was refused, the latest first: to find out when \
something was stored, changed or forgotten.";

const LIMIT: usize = 20;
const LIMIT_MAX: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// Every kind when left out
    #[serde(default)]
    kinds: Vec<EventKind>,
    /// 2026-11-15 or RFC 3339
    since: Option<String>,
    /// A day is included whole
    until: Option<String>,
    /// 20 when left out
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Happened {
    /// The latest first.
    #[schemars(with = "Vec<EventShape>")]
    events: Vec<Event>,
    /// Lines of the log that could not be read.
    skipped_lines: u64,
    /// For the page before this one in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// What every event has; the rest depends on its kind, and to spell it out would cost a model more than it tells.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct EventShape {
    number: u64,
    at: String,
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
}

pub(crate) fn events(desk: &Desk<'_>, asked: Asked) -> Result<Happened, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    let before = asked.cursor.as_deref().map(number).transpose()?;
    let since = when::optional("since", asked.since.as_deref())?;
    let until = when::optional_end("until", asked.until.as_deref())?;
    when::in_order(since, until)?;
    let query =
        LogQuery { kinds: asked.kinds, since, until, scope: desk.scope.clone(), ..LogQuery::default() };
    let (mut events, skipped_lines) = latest(desk, query, before, limit + 1)?;
    let here = page::that_fit(&events)?.min(limit);
    let more = events.len() > here;
    events.truncate(here);
    let next_cursor = events.last().filter(|_| more).map(|event| format!("e{}", event.number));
    Ok(Happened { events, skipped_lines, next_cursor })
}

/// The latest events with a lower number, the latest first. The log is read from its end, so what is further back
/// is reached by asking for more until enough of it lies before the number.
fn latest(
    desk: &Desk<'_>,
    query: LogQuery,
    before: Option<u64>,
    wanted: usize,
) -> Result<(Vec<Event>, u64), Refusal> {
    let mut asked = wanted;
    loop {
        let page = desk.engine.events(&LogQuery { limit: asked, ..query.clone() })?;
        let whole = page.events.len() < asked;
        let fits = |event: &Event| before.is_none_or(|before| event.number < before);
        let mut events: Vec<Event> = page.events.into_iter().rev().filter(fits).collect();
        if whole || events.len() >= wanted {
            events.truncate(wanted);
            return Ok((events, page.skipped_lines));
        }
        asked = asked.saturating_mul(2);
    }
}

fn number(cursor: &str) -> Result<u64, Refusal> {
    let number = cursor.strip_prefix('e').and_then(|number| number.parse().ok());
    number.ok_or_else(|| {
        Refusal::argument("cursor", "not one that an earlier answer gave; leave it out for the first page")
    })
}
