//! Sessions: conversations with a beginning, an end, and a memory that sums them up.

use axum::Json;
use axum::http::Method;
use perihelion::Role::{Reader, Writer};
use perihelion::{ErrorKind, Memory, Namespace, Perihelion, Scope, Session};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Sessions of a list, unless it is said how many.
const LISTED: usize = 50;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::POST, "/v1/sessions", "startSession", start)
            .says("Begin a session. One that is open stays as it is, one that has ended is opened again")
            .takes::<StartAsked>()
            .gives::<Session>()
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/sessions", "listSessions", list)
            .says("The sessions that were begun, the latest first")
            .asks::<ListAsked>()
            .gives::<Sessions>(),
        Operation::new(Role(Reader), Method::GET, "/v1/sessions/{session}", "getSession", get)
            .says("One session and its summary; its name is percent-encoded")
            .asks::<PlaceAsked>()
            .gives::<Conversation>(),
        Operation::new(Role(Writer), Method::POST, "/v1/sessions/{session}/end", "endSession", end)
            .says("End a session and sum up what was remembered in it")
            .asks::<PlaceAsked>()
            .gives::<Conversation>()
            .once(),
    ]
}

/// A session to begin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartAsked {
    /// Its name.
    #[schemars(with = "crate::routes::Label")]
    session: String,
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

async fn start(visit: Visit, Body(asked): Body<StartAsked>) -> Result<Json<Session>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    visit.work(move |engine| Ok(engine.start_session(&namespace, &asked.session)?)).await.map(Json)
}

/// Which sessions to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// Sessions, the latest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Sessions {
    sessions: Vec<Session>,
}

async fn list(visit: Visit, Query(asked): Query<ListAsked>) -> Result<Json<Sessions>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let scope = visit.scope(asked.scope)?;
    let sessions = visit.work(move |engine| Ok(engine.sessions(&scope, limit)?)).await?;
    Ok(Json(Sessions { sessions }))
}

/// Where a session takes place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

/// A session with what sums it up.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Conversation {
    session: Session,
    /// Null if nothing was remembered in it, or it is open, or the summary was purged.
    summary: Option<Memory>,
}

async fn get(
    visit: Visit,
    Named(name): Named<String>,
    Query(asked): Query<PlaceAsked>,
) -> Result<Json<Conversation>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let found = visit.work(move |engine| {
        let session = engine.session(&namespace, &name)?;
        with_summary(engine, session)
    });
    found.await.map(Json)
}

async fn end(
    visit: Visit,
    Named(name): Named<String>,
    Query(asked): Query<PlaceAsked>,
) -> Result<Json<Conversation>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let ended = visit.work(move |engine| {
        let session = engine.end_session(&namespace, &name)?;
        with_summary(engine, session)
    });
    ended.await.map(Json)
}

fn with_summary(engine: &Perihelion, session: Session) -> Result<Conversation, Problem> {
    let own = Scope::Exact(session.namespace.clone());
    let summary = match session.summary.map(|id| engine.get(&own, id)) {
        None => None,
        Some(Ok(summary)) => Some(summary),
        Some(Err(error)) if error.kind() == ErrorKind::NotFound => None,
        Some(Err(error)) => return Err(error.into()),
    };
    Ok(Conversation { session, summary })
}
