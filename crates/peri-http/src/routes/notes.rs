//! Notes of conversations: what is heard in a session, what was noted of it, and what lasts beyond it.

use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Reader, Writer};
use perihelion::companion::Event;
use perihelion::{
    Hear, HeardOutcome, HeardReceipt, Namespace, NotesView, Observe, Said, SaidBy, SessionOverview, Spoken,
    Timestamp,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Sessions of a list, and things said of a replay, unless it is said how many.
const LISTED: usize = 50;
/// So many messages, and as many texts that were handed out, are taken in one request.
const MESSAGES_MAX: usize = 1000;

pub(super) fn routes() -> Vec<Operation> {
    let (messages, notes) = ("/v1/sessions/{session}/messages", "/v1/sessions/{session}/notes");
    let (replay, observe_one) = ("/v1/sessions/{session}/replay", "/v1/sessions/{session}/observe");
    vec![
        Operation::new(Role(Writer), Method::POST, messages, "hear", hear)
            .says("Keep what was said in a session; notes are made of it when that is due. 202: it waits for the store")
            .takes::<HearAsked>()
            .gives::<HeardReceipt>()
            .answers_with::<HeardReceipt>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, notes, "sessionNotes", of_session)
            .says("The notes of a session; 404 if none were made yet")
            .asks::<PlaceAsked>()
            .gives::<NotesView>(),
        Operation::new(Role(Writer), Method::DELETE, notes, "forgetNotes", forget)
            .says("Destroy the notes of a session and what waits to become some. Memories made of them stay")
            .asks::<PlaceAsked>()
            .gives::<Forgotten>()
            .once(),
        Operation::new(Role(Reader), Method::GET, replay, "replaySession", replayed)
            .says("What was said in a session, in order, each with what was noted of it")
            .asks::<ReplayAsked>()
            .gives::<Replay>(),
        Operation::new(Role(Writer), Method::POST, observe_one, "observeSession", observe)
            .says("Make notes of what waits in a session at once")
            .asks::<ObserveAsked>()
            .gives::<Observed>()
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/notes", "durableNotes", durable)
            .says("The durable notes of a namespace: what lasts beyond sessions")
            .asks::<PlaceAsked>()
            .gives::<NotesView>(),
        Operation::new(Role(Reader), Method::GET, "/v1/notes/sessions", "listNoteSessions", sessions)
            .says("The sessions that have notes or wait for them, the one observed last first")
            .asks::<SessionsAsked>()
            .gives::<NoteSessions>(),
        Operation::new(Role(Writer), Method::POST, "/v1/notes/observe", "observeDue", observe_due)
            .says("Make notes of whatever is due in all sessions of a namespace")
            .asks::<PlaceAsked>()
            .gives::<Observed>()
            .once(),
    ]
}

/// Where notes are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

/// What was said. Told again with the same times, it is kept once.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HearAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// Whose conversation it is.
    #[schemars(with = "Option<crate::routes::Label>")]
    user: Option<String>,
    /// In order.
    #[schemars(length(min = 1, max = 1000))]
    messages: Vec<MessageAsked>,
    /// What the agent was given from memory for it, which is not to be learned again.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    handed_out: Vec<String>,
    /// When notes are made of it.
    #[serde(default)]
    observe: ObserveWhen,
}

/// One thing that was said.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MessageAsked {
    role: SaidBy,
    /// Of what is too long for a memory the middle is left out; what is blank is not kept.
    text: String,
    /// When; now when left out. Whoever tells a turn again gives the same time.
    #[schemars(with = "Option<crate::routes::Moment>")]
    at: Option<Timestamp>,
}

/// When what was said becomes notes.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ObserveWhen {
    /// Before the answer, if there is enough of it.
    #[default]
    Due,
    /// Before the answer, as at the end of a session.
    Now,
    /// Later, by the server.
    Later,
}

impl From<ObserveWhen> for Observe {
    fn from(when: ObserveWhen) -> Self {
        match when {
            ObserveWhen::Due => Self::Due,
            ObserveWhen::Now => Self::Now,
            ObserveWhen::Later => Self::Later,
        }
    }
}

async fn hear(
    visit: Visit,
    Named(session): Named<String>,
    Body(asked): Body<HearAsked>,
) -> Result<Response, Problem> {
    let count = asked.messages.len();
    if !(1..=MESSAGES_MAX).contains(&count) {
        return Err(Problem::invalid(format!("`messages`: {count} is not between 1 and {MESSAGES_MAX}")));
    }
    let handed = asked.handed_out.len();
    if handed > MESSAGES_MAX {
        let why = format!("`handed_out`: {handed} are more than the {MESSAGES_MAX} of one request");
        return Err(Problem::invalid(why));
    }
    let heard = Hear {
        namespace: visit.namespace(asked.namespace)?,
        session,
        user: asked.user,
        messages: asked.messages.into_iter().map(MessageAsked::said).collect(),
        handed_out: asked.handed_out,
    };
    let receipt = visit.work(move |engine| Ok(engine.hear(heard, asked.observe.into())?)).await?;
    let status = match receipt.outcome {
        HeardOutcome::Kept => StatusCode::OK,
        HeardOutcome::Queued => StatusCode::ACCEPTED,
    };
    Ok((status, Json(receipt)).into_response())
}

impl MessageAsked {
    fn said(self) -> Said {
        Said { role: self.role, text: self.text, at: self.at }
    }
}

async fn of_session(
    visit: Visit,
    Named(session): Named<String>,
    Query(asked): Query<PlaceAsked>,
) -> Result<Json<NotesView>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let found = visit.work(move |engine| {
        let notes = engine.session_notes(&namespace, &session)?;
        notes.ok_or_else(|| Problem::not_found(format!("the session {session:?} has no notes")))
    });
    found.await.map(Json)
}

async fn durable(visit: Visit, Query(asked): Query<PlaceAsked>) -> Result<Json<NotesView>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    visit.work(move |engine| Ok(engine.durable_notes(&namespace)?)).await.map(Json)
}

/// Which sessions to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionsAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// Sessions with notes.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NoteSessions {
    namespace: Namespace,
    sessions: Vec<SessionOverview>,
    /// How many there are in all.
    total: usize,
}

async fn sessions(visit: Visit, Query(asked): Query<SessionsAsked>) -> Result<Json<NoteSessions>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let namespace = visit.namespace(asked.namespace)?;
    let listed = visit.work(move |engine| {
        let mut sessions = engine.note_sessions(&namespace)?;
        let total = sessions.len();
        sessions.truncate(limit);
        Ok(NoteSessions { namespace, sessions, total })
    });
    listed.await.map(Json)
}

/// Which part of a session to replay.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplayAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// At most so many of the latest.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// How a session went.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Replay {
    namespace: Namespace,
    session: String,
    /// What was said, in order.
    spoken: Vec<Spoken>,
}

async fn replayed(
    visit: Visit,
    Named(session): Named<String>,
    Query(asked): Query<ReplayAsked>,
) -> Result<Json<Replay>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let namespace = visit.namespace(asked.namespace)?;
    let found = visit.work(move |engine| {
        let spoken = engine.replay_session(&namespace, &session, limit)?;
        Ok(Replay { namespace, session, spoken })
    });
    found.await.map(Json)
}

/// How to observe a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ObserveAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// Also try again what was given up.
    #[serde(default)]
    retry: bool,
}

/// What was done with the notes.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Observed {
    namespace: Namespace,
    /// In order; each tells its kind as `event`.
    #[schemars(with = "Vec<serde_json::Value>")]
    steps: Vec<Event>,
}

async fn observe(
    visit: Visit,
    Named(session): Named<String>,
    Query(asked): Query<ObserveAsked>,
) -> Result<Json<Observed>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let observed = visit.work(move |engine| {
        let steps = match asked.retry {
            true => engine.retry_notes(&namespace, &session)?,
            false => engine.observe(&namespace, &session)?,
        };
        Ok(Observed { namespace, steps })
    });
    observed.await.map(Json)
}

async fn observe_due(visit: Visit, Query(asked): Query<PlaceAsked>) -> Result<Json<Observed>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let observed = visit.work(move |engine| {
        let steps = engine.observe_due(&namespace)?;
        Ok(Observed { namespace, steps })
    });
    observed.await.map(Json)
}

/// What was destroyed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Forgotten {
    namespace: Namespace,
    session: String,
    /// How many notes.
    notes: usize,
    /// How many messages that waited to become some.
    pending: usize,
}

async fn forget(
    visit: Visit,
    Named(session): Named<String>,
    Query(asked): Query<PlaceAsked>,
) -> Result<Json<Forgotten>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    visit.check_labels(&[("session", &Some(session.clone()))])?;
    let forgotten = visit.work(move |engine| {
        // A name that was misspelt must not look like work that was done.
        let all = engine.note_sessions(&namespace)?;
        let known = all.iter().find(|one| one.session == session);
        let known =
            known.ok_or_else(|| Problem::not_found(format!("the session {session:?} has no notes")))?;
        engine.forget_notes(&namespace, &session)?;
        Ok(Forgotten { namespace, session, notes: known.notes, pending: known.pending })
    });
    forgotten.await.map(Json)
}
