//! The journal: what happened, written down as it came, and the turns it happened in.

use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Reader, Writer};
use perihelion::{
    Appended, EntryId, JournalDirection, JournalEntry, JournalPosition, JournalQuery, JournalStatus,
    JournalSummary, Kept, Namespace, NewEntry, NewTurn, Order, RecentEntries, Scope, Timestamp, Turn, TurnId,
    TurnQuery, TurnReceipt, TurnUpdate, TurnWithEntries,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Journal events or turns of a page, unless it is said how many.
const LISTED: usize = 50;

/// So many journal events are taken in one request.
const BATCH_MAX: usize = 1000;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::POST, "/v1/journal", "appendJournal", append)
            .says("Write down what happened. What became of each is told; 202 means that some wait for the store")
            .takes::<NewEntries>()
            .answers_with::<AppendedEntries>(StatusCode::CREATED)
            .answers_with::<AppendedEntries>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/journal", "listJournal", list)
            .says("The journal, a page at a time")
            .asks::<ListAsked>()
            .gives::<EntryPage>(),
        Operation::new(Role(Reader), Method::GET, "/v1/journal/recent", "recentJournal", recent)
            .says("The latest journal events, those that have not reached the store yet included")
            .asks::<RecentAsked>()
            .gives::<RecentEntries>(),
        Operation::new(Role(Reader), Method::GET, "/v1/journal/stats", "journalStats", stats)
            .says("What the journal holds, in numbers")
            .asks::<StatsAsked>()
            .gives::<JournalSummary>(),
        Operation::new(Role(Reader), Method::GET, "/v1/journal/{entry}", "getJournal", get)
            .says("One journal event")
            .gives::<JournalEntry>(),
        Operation::new(Role(Writer), Method::POST, "/v1/turns", "beginTurn", begin)
            .says("Begin a turn: one call of an agent")
            .takes::<TurnAsked>()
            .answers_with::<TurnReceipt>(StatusCode::CREATED)
            .answers_with::<TurnReceipt>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/turns", "listTurns", turns)
            .says("Turns, a page at a time")
            .asks::<TurnsAsked>()
            .gives::<TurnsPage>(),
        Operation::new(Role(Reader), Method::GET, "/v1/turns/{turn}", "getTurn", turn)
            .says("One turn with its journal events")
            .gives::<TurnWithEntries>(),
        Operation::new(Role(Writer), Method::PATCH, "/v1/turns/{turn}", "updateTurn", update)
            .says("Tell more of a turn; a status finishes it")
            .takes::<TurnChanges>()
            .gives::<TurnReceipt>()
            .answers_with::<TurnReceipt>(StatusCode::ACCEPTED)
            .once(),
    ]
}

/// Something to write down.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryAsked {
    /// What was said; it may be empty.
    #[serde(default)]
    #[schemars(with = "crate::routes::AnyText")]
    text: String,
    /// Where; by default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// Its id, for who brings ids along. Sent again, it changes nothing.
    id: Option<EntryId>,
    /// The conversation it belongs to.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    /// Who said or did it.
    #[schemars(with = "Option<crate::routes::Label>")]
    actor: Option<String>,
    /// `message` unless said otherwise; any word will do.
    #[schemars(with = "Option<crate::routes::Label>")]
    kind: Option<String>,
    direction: Option<JournalDirection>,
    /// How it went.
    status: Option<JournalStatus>,
    /// The turn it is part of.
    turn: Option<TurnId>,
    /// When it happened; now when left out.
    #[schemars(with = "Option<crate::routes::Moment>")]
    at: Option<Timestamp>,
    /// The whole of what was observed.
    body: Option<Value>,
    /// What the gate decided.
    gate: Option<Value>,
    /// Whether its text is remembered too, as an episode.
    #[serde(default)]
    remember: bool,
    /// Anything else.
    #[serde(default)]
    metadata: Map<String, Value>,
}

impl EntryAsked {
    fn entry(self, visit: &Visit) -> Result<NewEntry, Problem> {
        Ok(NewEntry {
            namespace: visit.namespace(self.namespace)?,
            session: self.session,
            actor: self.actor,
            kind: self.kind,
            direction: self.direction,
            status: self.status,
            turn: self.turn,
            at: self.at,
            text: self.text,
            body: self.body,
            gate: self.gate,
            remember: self.remember,
            metadata: self.metadata,
            id: self.id,
        })
    }
}

/// One or many things to write down, together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewEntries {
    #[schemars(length(min = 1, max = 1000))]
    entries: Vec<EntryAsked>,
}

/// What became of each, in their order.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AppendedEntries {
    entries: Vec<Appended>,
}

async fn append(visit: Visit, Body(asked): Body<NewEntries>) -> Result<Response, Problem> {
    let count = asked.entries.len();
    if !(1..=BATCH_MAX).contains(&count) {
        return Err(Problem::invalid(format!("`entries`: {count} is not between 1 and {BATCH_MAX}")));
    }
    let new: Vec<_> = asked.entries.into_iter().map(|entry| entry.entry(&visit)).collect::<Result<_, _>>()?;
    let claim = visit.claim.clone();
    let entries = visit.work(move |engine| Ok(engine.append_all_once(claim.as_ref(), new)?)).await?;
    let stored = entries.iter().all(|entry| entry.state == Kept::Stored);
    let status = if stored { StatusCode::CREATED } else { StatusCode::ACCEPTED };
    Ok((status, Json(AppendedEntries { entries })).into_response())
}

/// Which journal events to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    actor: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    kind: Option<String>,
    status: Option<JournalStatus>,
    turn: Option<TurnId>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    since: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    until: Option<Timestamp>,
    /// Words that all occur in the text, in whatever case.
    #[schemars(with = "Option<crate::routes::Text>")]
    text: Option<String>,
    #[serde(default)]
    order: Order,
    /// As the page before said.
    cursor: Option<JournalPosition>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// A page of the journal.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EntryPage {
    entries: Vec<JournalEntry>,
    /// For the next page, if there is one.
    next_cursor: Option<JournalPosition>,
}

async fn list(visit: Visit, Query(asked): Query<ListAsked>) -> Result<Json<EntryPage>, Problem> {
    visit.check_labels(&[("session", &asked.session), ("actor", &asked.actor), ("kind", &asked.kind)])?;
    let limits = &visit.app.engine.options().limits;
    if let Some(text) = &asked.text {
        limits.check_query(text).map_err(perihelion::Error::from)?;
    }
    let query = JournalQuery {
        scope: visit.scope(asked.scope)?,
        session: asked.session,
        actor: asked.actor,
        kind: asked.kind,
        status: asked.status,
        turn: asked.turn,
        since: asked.since,
        until: asked.until,
        arrived_before: None,
        text: asked.text,
        remembered_only: false,
        order: asked.order,
        after: asked.cursor,
        limit: visit.limit(asked.limit, LISTED)?,
    };
    let page = visit.work(move |engine| Ok(engine.journal(&query)?)).await?;
    Ok(Json(EntryPage { entries: page.entries, next_cursor: page.next }))
}

/// Which of the latest journal events to tell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecentAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

async fn recent(visit: Visit, Query(asked): Query<RecentAsked>) -> Result<Json<RecentEntries>, Problem> {
    visit.check_labels(&[("session", &asked.session)])?;
    let (scope, limit) = (visit.scope(asked.scope)?, visit.limit(asked.limit, LISTED)?);
    let found = visit.work(move |engine| Ok(engine.recent(&scope, asked.session.as_deref(), limit)?));
    found.await.map(Json)
}

/// Where to count.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StatsAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

async fn stats(visit: Visit, Query(asked): Query<StatsAsked>) -> Result<Json<JournalSummary>, Problem> {
    let scope = visit.scope(asked.scope)?;
    visit.work(move |engine| Ok(engine.journal_stats(&scope)?)).await.map(Json)
}

async fn get(visit: Visit, Named(id): Named<EntryId>) -> Result<Json<JournalEntry>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.journal_entry(&scope, id)?)).await.map(Json)
}

/// A turn to begin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnAsked {
    /// Where; by default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// Its id, for who brings ids along.
    id: Option<TurnId>,
    /// The conversation it belongs to.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    /// The journal event that sets it off.
    input: Option<EntryId>,
    /// What the agent means to do.
    plan: Option<Value>,
    /// When it began; now when left out.
    #[schemars(with = "Option<crate::routes::Moment>")]
    started_at: Option<Timestamp>,
    /// Anything else.
    #[serde(default)]
    metadata: Map<String, Value>,
}

async fn begin(visit: Visit, Body(asked): Body<TurnAsked>) -> Result<Response, Problem> {
    let new = NewTurn {
        namespace: visit.namespace(asked.namespace)?,
        session: asked.session,
        input: asked.input,
        plan: asked.plan,
        started_at: asked.started_at,
        metadata: asked.metadata,
        id: asked.id,
    };
    let claim = visit.claim.clone();
    let receipt = visit.work(move |engine| Ok(engine.begin_turn_once(claim.as_ref(), new)?));
    receipt.await.map(|receipt| told(StatusCode::CREATED, receipt))
}

fn told(stored: StatusCode, receipt: TurnReceipt) -> Response {
    let status = if receipt.state == Kept::Stored { stored } else { StatusCode::ACCEPTED };
    (status, Json(receipt)).into_response()
}

/// Which turns to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnsAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    status: Option<JournalStatus>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    since: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    until: Option<Timestamp>,
    #[serde(default)]
    order: Order,
    /// As the page before said.
    cursor: Option<JournalPosition>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// A page of turns.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TurnsPage {
    turns: Vec<Turn>,
    /// For the next page, if there is one.
    next_cursor: Option<JournalPosition>,
}

async fn turns(visit: Visit, Query(asked): Query<TurnsAsked>) -> Result<Json<TurnsPage>, Problem> {
    visit.check_labels(&[("session", &asked.session)])?;
    let query = TurnQuery {
        scope: visit.scope(asked.scope)?,
        session: asked.session,
        status: asked.status,
        since: asked.since,
        until: asked.until,
        arrived_before: None,
        order: asked.order,
        after: asked.cursor,
        limit: visit.limit(asked.limit, LISTED)?,
    };
    let page = visit.work(move |engine| Ok(engine.turns(&query)?)).await?;
    Ok(Json(TurnsPage { turns: page.turns, next_cursor: page.next }))
}

async fn turn(visit: Visit, Named(id): Named<TurnId>) -> Result<Json<TurnWithEntries>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.turn_with_entries(&scope, id)?)).await.map(Json)
}

/// What to tell of a turn; what is left out stays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TurnChanges {
    /// This finishes the turn.
    status: Option<JournalStatus>,
    /// What went wrong. A status of `ok` takes it away.
    #[schemars(with = "Option<crate::routes::AnyText>")]
    error: Option<String>,
    /// The journal event that it ended with.
    output: Option<EntryId>,
    /// What it ended with, in words.
    #[schemars(with = "Option<crate::routes::AnyText>")]
    output_text: Option<String>,
    /// What the agent meant to do, in place of what was told before.
    plan: Option<Value>,
    /// The tools it called, in place of all that were told before.
    tool_calls: Option<Vec<Value>>,
    /// What they answered, in place of all that were told before.
    tool_results: Option<Vec<Value>>,
    /// When it ended; now when left out. It counts only together with a status.
    #[schemars(with = "Option<crate::routes::Moment>")]
    finished_at: Option<Timestamp>,
    /// Added to what was told before.
    metadata: Map<String, Value>,
}

async fn update(
    visit: Visit,
    Named(id): Named<TurnId>,
    Body(asked): Body<TurnChanges>,
) -> Result<Response, Problem> {
    let scope = visit.caller.scope.clone();
    let update = TurnUpdate {
        status: asked.status,
        error: asked.error,
        output: asked.output,
        output_text: asked.output_text,
        plan: asked.plan,
        tool_calls: asked.tool_calls,
        tool_results: asked.tool_results,
        finished_at: asked.finished_at,
        metadata: asked.metadata,
    };
    let receipt = visit.work(move |engine| Ok(engine.update_turn(&scope, id, update)?));
    receipt.await.map(|receipt| told(StatusCode::OK, receipt))
}
