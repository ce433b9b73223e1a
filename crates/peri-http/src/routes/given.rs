//! Given: what memory handed to the agent of a session, and when.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{HandedOut, Namespace, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Texts of an answer, unless it is said how many: all that are remembered of a session.
const LISTED: usize = 400;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/sessions/{session}/given", "givenToSession", given)
            .says("What memory handed to the agent in a session, the earliest first, as far as it is remembered")
            .asks::<GivenAsked>()
            .gives::<GivenToSession>(),
    ]
}

/// Which part of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GivenAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// At most so many of the latest.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// What an agent was given.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GivenToSession {
    namespace: Namespace,
    session: String,
    /// The earliest first.
    given: Vec<GivenText>,
    /// Whether there were earlier ones.
    more: bool,
}

/// A text from memory that an agent was given.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GivenText {
    /// When.
    #[schemars(with = "crate::routes::Moment")]
    at: Timestamp,
    text: String,
}

async fn given(
    visit: Visit,
    Named(session): Named<String>,
    Query(asked): Query<GivenAsked>,
) -> Result<Json<GivenToSession>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let namespace = visit.namespace(asked.namespace)?;
    let found = visit.work(move |engine| {
        let mut all = engine.handed_out(&namespace, &session)?;
        let earlier = all.len().saturating_sub(limit);
        let latest = all.drain(earlier..).map(|HandedOut { at, text }| GivenText { at, text });
        Ok(GivenToSession { given: latest.collect(), more: earlier > 0, namespace, session })
    });
    found.await.map(Json)
}
