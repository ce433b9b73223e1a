//! Language models: what was asked of them and what that took, never what was said.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::app::App;
use crate::extract::{Query, Visit};
use crate::problem::Problem;
use crate::surroundings::LlmUse;
use crate::table::Need::Everywhere;
use crate::table::Operation;

/// Calls that are listed, unless it is said how many.
const LISTED: usize = 50;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Everywhere(Reader), Method::GET, "/v1/llm", "llmCalls", calls)
            .says("What the language model was asked for, the latest first, and what of its tokens is spent")
            .asks::<CallsAsked>()
            .gives::<LlmUse>(),
    ]
}

/// How many calls to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CallsAsked {
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

async fn calls(visit: Visit, Query(asked): Query<CallsAsked>) -> Result<Json<LlmUse>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let app = App::clone(&visit.app);
    let told = visit.work(move |engine| match &app.surroundings().llm {
        Some(look) => Ok(look(engine, limit)?),
        None => Ok(LlmUse::default()),
    });
    told.await.map(Json)
}
