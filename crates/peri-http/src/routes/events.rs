//! What happened: pages of the audit log, and events as they come.

use axum::Json;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, Method, header};
use axum::response::{IntoResponse, Response};
use perihelion::Role::Reader;
use perihelion::{Event, EventKind, LogQuery, Perihelion, Scope, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Query, Visit, WHOLE_MAX};
use crate::feed::{self, Wanted};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/events", "events", page)
            .says("What happened: the latest events, or with `after` the first ones that follow a number")
            .asks::<PageAsked>()
            .gives::<EventPage>(),
        Operation::new(Role(Reader), Method::GET, "/v1/events/stream", "followEvents", follow)
            .says("Events as they happen, as server-sent events that can be resumed by their numbers")
            .asks::<FollowAsked>()
            .heeds("Last-Event-ID", "Goes on after the event of this number; comes before `after`")
            .gives_text("text/event-stream"),
    ]
}

/// Which events to show.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PageAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens. What happened in no namespace is
    /// shown to those who may see everything.
    scope: Option<Scope>,
    /// Any of these; all when left out.
    #[serde(default)]
    kind: Vec<EventKind>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    since: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    until: Option<Timestamp>,
    /// Only events with a higher number, the earliest first; the latest when left out.
    #[schemars(range(max = WHOLE_MAX))]
    after: Option<u64>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// A page of events, in the order of their numbers.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EventPage {
    events: Vec<Event>,
    /// Give this as `after` for what follows. It is the same as before when nothing follows yet; a page may be short,
    /// or even empty, and yet not the last.
    next_after: u64,
}

const PAGE_LIMIT: usize = 50;
/// Events are read so many at a time...
const READ: usize = 1000;
/// ...and so many times for one page, however few of them are wanted.
const READS_MAX: usize = 20;

async fn page(visit: Visit, Query(asked): Query<PageAsked>) -> Result<Json<EventPage>, Problem> {
    let limit = visit.limit(asked.limit, PAGE_LIMIT)?;
    let after = numbered(asked.after)?;
    let query = LogQuery {
        limit,
        kinds: asked.kind,
        since: asked.since,
        until: asked.until,
        scope: visit.scope(asked.scope)?,
        after_number: None,
    };
    visit
        .work(move |engine| match after {
            Some(after) => following(engine, query, after),
            None => latest(engine, &query),
        })
        .await
        .map(Json)
}

fn latest(engine: &Perihelion, query: &LogQuery) -> Result<EventPage, Problem> {
    // Asked first: what happens in between is in the page or follows this number.
    let last = engine.last_event_number()?;
    let events = engine.events(query)?.events;
    let next_after = events.last().map_or(last, |event| event.number.max(last));
    Ok(EventPage { events, next_after })
}

fn following(engine: &Perihelion, query: LogQuery, after: u64) -> Result<EventPage, Problem> {
    let LogQuery { limit, kinds, since, until, scope, .. } = query;
    let wanted = Wanted { scope, kinds };
    let in_time = |event: &Event| {
        since.is_none_or(|since| event.at >= since) && until.is_none_or(|until| event.at < until)
    };
    let mut page = EventPage { events: Vec::new(), next_after: after };
    for _ in 0..READS_MAX {
        let read = engine.events_after(page.next_after, READ)?;
        let ended = read.is_empty();
        for event in read {
            page.next_after = event.number;
            if wanted.fits(&event) && in_time(&event) {
                page.events.push(event.within(&wanted.scope));
            }
            if page.events.len() == limit {
                return Ok(page);
            }
        }
        if ended {
            break;
        }
    }
    Ok(page)
}

/// Which events to follow.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FollowAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    /// Any of these; all when left out.
    #[serde(default)]
    kind: Vec<EventKind>,
    /// Begins with the event that follows this number; with what happens from now on when left out.
    #[schemars(range(max = WHOLE_MAX))]
    after: Option<u64>,
}

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

async fn follow(
    visit: Visit,
    Query(asked): Query<FollowAsked>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let wanted = Wanted { scope: visit.scope(asked.scope)?, kinds: asked.kind };
    let after = numbered(last_event_id(&headers)?.or(asked.after))?;
    let frames = feed::open(&visit, wanted, after).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // Proxies that gather answers would hold events back.
        (ACCEL_BUFFERING, "no"),
    ];
    Ok((headers, Body::from_stream(frames)).into_response())
}

/// Refuses numbers that no event will ever have.
fn numbered(after: Option<u64>) -> Result<Option<u64>, Problem> {
    match after {
        Some(after) if after > WHOLE_MAX => Err(Problem::invalid(format!("`after`: more than {WHOLE_MAX}"))),
        after => Ok(after),
    }
}

/// How far a client that comes back has heard.
fn last_event_id(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.parse().map_err(|_| Problem::invalid("the Last-Event-ID is not an event's number"))?;
    Ok(Some(number))
}
