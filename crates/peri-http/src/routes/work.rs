//! Working memory: what a session holds under keys, for a while.

use std::time::Duration;

use axum::Json;
use axum::http::Method;
use perihelion::Role::{Reader, Writer};
use perihelion::{
    Error, Importance, Kind, Namespace, SetWork, TimeToLive, WorkItem, WorkReceipt, WorkSession,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Named, Query, Visit, optional_whole};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::PUT, "/v1/working/{work_key}", "setWork", set)
            .says("Hold a value under a key for a while, in the place of what it held; the key is percent-encoded")
            .takes::<SetAsked>()
            .gives::<WorkReceipt>()
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/working/{work_key}", "getWork", get)
            .says("What is held under a key; 404 if nothing is, or no longer")
            .asks::<PlaceAsked>()
            .gives::<WorkItem>(),
        Operation::new(Role(Writer), Method::DELETE, "/v1/working/{work_key}", "clearWork", clear)
            .says("Destroy what is held under a key")
            .asks::<PlaceAsked>()
            .gives::<Cleared>()
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/working", "listWork", list)
            .says("What a session holds, the latest first, and which sessions hold something")
            .asks::<PlaceAsked>()
            .gives::<Held>(),
        Operation::new(Role(Writer), Method::DELETE, "/v1/working", "clearAllWork", clear_all)
            .says("Destroy everything that a session holds")
            .asks::<PlaceAsked>()
            .gives::<Cleared>()
            .once(),
    ]
}

/// A value to hold.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetAsked {
    /// A text, or any JSON but null.
    #[schemars(extend("type" = ["string", "number", "boolean", "object", "array"]))]
    value: serde_json::Value,
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// In which session's; in the namespace's own when left out.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    /// How long it stays; 0 means no end, and as configured when left out.
    #[serde(default, deserialize_with = "optional_whole")]
    #[schemars(range(min = 0, max = crate::extract::WHOLE_MAX))]
    ttl_seconds: Option<u64>,
    /// What matters becomes an episode when it leaves. Judged from the words when left out.
    importance: Option<Importance>,
    kind: Option<Kind>,
}

async fn set(
    visit: Visit,
    Named(key): Named<String>,
    Body(asked): Body<SetAsked>,
) -> Result<Json<WorkReceipt>, Problem> {
    let request = SetWork {
        namespace: visit.namespace(asked.namespace)?,
        session: asked.session,
        key,
        value: asked.value,
        time_to_live: match asked.ttl_seconds {
            None => TimeToLive::Usual,
            Some(0) => TimeToLive::NoEnd,
            Some(seconds) => TimeToLive::For(Duration::from_secs(seconds)),
        },
        importance: asked.importance,
        kind: asked.kind,
    };
    visit.work(move |engine| Ok(engine.work_set(request)?)).await.map(Json)
}

/// Whose working memory.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// The session's; the namespace's own when left out.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
}

impl PlaceAsked {
    fn place(self, visit: &Visit) -> Result<(Namespace, Option<String>), Problem> {
        let namespace = visit.namespace(self.namespace)?;
        if let Some(session) = &self.session {
            visit.check_label("session", session)?;
        }
        Ok((namespace, self.session))
    }
}

async fn get(
    visit: Visit,
    Named(key): Named<String>,
    Query(asked): Query<PlaceAsked>,
) -> Result<Json<WorkItem>, Problem> {
    visit.check_label("key", &key)?;
    let (namespace, session) = asked.place(&visit)?;
    let found = visit.work(move |engine| {
        let item = engine.work_get(&namespace, session.as_deref(), &key)?;
        item.ok_or_else(|| Problem::not_found(format!("nothing is held under {key:?}")))
    });
    found.await.map(Json)
}

/// How much was destroyed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Cleared {
    /// How many values.
    cleared: u64,
}

async fn clear(
    visit: Visit,
    Named(key): Named<String>,
    Query(asked): Query<PlaceAsked>,
) -> Result<Json<Cleared>, Problem> {
    visit.check_label("key", &key)?;
    let (namespace, session) = asked.place(&visit)?;
    let cleared =
        visit.work(move |engine| Ok(engine.work_clear(&namespace, session.as_deref(), Some(&key))?));
    Ok(Json(Cleared { cleared: cleared.await? }))
}

async fn clear_all(visit: Visit, Query(asked): Query<PlaceAsked>) -> Result<Json<Cleared>, Problem> {
    let (namespace, session) = asked.place(&visit)?;
    let cleared = visit.work(move |engine| Ok(engine.work_clear(&namespace, session.as_deref(), None)?));
    Ok(Json(Cleared { cleared: cleared.await? }))
}

/// What working memory holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Held {
    /// What the session holds, the latest first.
    items: Vec<WorkItem>,
    /// Every session that holds something.
    sessions: Vec<WorkSession>,
}

async fn list(visit: Visit, Query(asked): Query<PlaceAsked>) -> Result<Json<Held>, Problem> {
    let (namespace, session) = asked.place(&visit)?;
    let held = visit.work(move |engine| {
        let items = engine.work_list(&namespace, session.as_deref())?;
        Ok(Held { items, sessions: engine.work_sessions(&namespace)? })
    });
    held.await.map(Json)
}

impl Visit {
    /// Refuses a name that nothing can have.
    fn check_label(&self, what: &'static str, label: &str) -> Result<(), Problem> {
        let limits = &self.app.engine.options().limits;
        Ok(limits.check_label(what, label).map_err(Error::from)?)
    }
}
