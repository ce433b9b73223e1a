//! Feedback on results, and the weights that it teaches.

use axum::Json;
use axum::http::Method;
use perihelion::Role::{Reader, Writer};
use perihelion::{
    Error, ErrorKind, Feedback, FeedbackReceipt, LearnedWeights, MemoryId, Namespace, Perihelion, Scope,
    StoreError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::POST, "/v1/feedback", "feedback", feedback)
            .says("Say which results of a recall were of use. Those count as used once more")
            .takes::<FeedbackAsked>()
            .gives::<FeedbackReceipt>()
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/weights", "weights", weights)
            .says(
                "What the terms of the memory function count in a namespace, and what feedback made of them",
            )
            .asks::<WeightsAsked>()
            .gives::<WeightSets>(),
        Operation::new(Role(Writer), Method::POST, "/v1/weights/rollback", "rollbackWeights", rollback)
            .says("Take an earlier set of weights again")
            .takes::<RollbackAsked>()
            .gives::<LearnedWeights>()
            .once(),
    ]
}

/// Most results that one feedback names as used, or as unused.
const LISTED_MAX: usize = 500;

/// What was asked, and what of the answer was of use.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [
    {"required": ["used"], "properties": {"used": {"minItems": 1}}},
    {"required": ["unused"], "properties": {"unused": {"minItems": 1}}},
]))]
pub(super) struct FeedbackAsked {
    /// What was asked.
    #[schemars(with = "crate::routes::Text")]
    query: String,
    /// The results that were of use.
    #[serde(default)]
    #[schemars(length(max = 500))]
    used: Vec<MemoryId>,
    /// The results that were shown and not of use.
    #[serde(default)]
    #[schemars(length(max = 500))]
    unused: Vec<MemoryId>,
    /// The session in which was asked.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    /// Where the results are from; by default it is looked up.
    namespace: Option<Namespace>,
}

async fn feedback(visit: Visit, Body(asked): Body<FeedbackAsked>) -> Result<Json<FeedbackReceipt>, Problem> {
    let FeedbackAsked { query, used, unused, session, namespace } = asked;
    let scope = visit.scope(namespace.map(Scope::Exact))?;
    // Half of what the engine takes for each of the two.
    let max = visit.app.engine.options().limits.results_max.min(2 * LISTED_MAX) / 2;
    for (name, list) in [("used", &used), ("unused", &unused)] {
        if list.len() > max {
            return Err(Problem::invalid(format!("`{name}`: {} results are more than {max}", list.len())));
        }
    }
    if used.is_empty() && unused.is_empty() {
        return Err(Problem::invalid("`used` and `unused`: no results were named"));
    }
    if let Some(both) = used.iter().find(|id| unused.contains(id)) {
        return Err(Problem::contradiction(format!("`unused`: {both} cannot have been of use and not")));
    }
    let request = Feedback { query, used, unused, session };
    let claim = visit.claim.clone();
    let receipt = visit.work(move |engine| {
        let limits = &engine.options().limits;
        if let Some(session) = &request.session {
            limits.check_label("session", session).map_err(Error::from)?;
        }
        Ok(engine.feedback_once(claim.as_ref(), &scope_of(engine, scope, &request)?, &request)?)
    });
    receipt.await.map(Json)
}

/// The namespace that all results are of: what is learned from them holds there. What is gone by now tells nothing. If it
/// cannot be told now, it is found out once the call is made.
fn scope_of(engine: &Perihelion, scope: Scope, request: &Feedback) -> Result<Scope, Problem> {
    let mut found: Option<Namespace> = None;
    let mut missing = None;
    for id in request.used.iter().chain(&request.unused) {
        let own = match engine.look_before_change(&scope, *id) {
            Ok(Some(memory)) => memory.namespace,
            Ok(None) => return Ok(scope),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                missing = missing.or(Some(*id));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        match &found {
            Some(namespace) if *namespace != own => {
                return Err(Problem::invalid(format!(
                    "the results are of two namespaces, {namespace} and {own}: give feedback for each by itself"
                )));
            }
            _ => found = Some(own),
        }
    }
    match (found, missing) {
        (Some(namespace), _) => Ok(Scope::Exact(namespace)),
        (None, Some(id)) => Err(Error::Store(StoreError::NotFound { id }).into()),
        (None, None) => Err(Problem::invalid("`used` and `unused`: no results were named")),
    }
}

/// Whose weights.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WeightsAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

/// The sets of weights that held in a namespace.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WeightSets {
    namespace: Namespace,
    /// The number of the set that holds now.
    holds: u64,
    /// The earliest first; 0 is the configured one.
    sets: Vec<LearnedWeights>,
}

async fn weights(visit: Visit, Query(asked): Query<WeightsAsked>) -> Result<Json<WeightSets>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let sets = visit.work(move |engine| {
        let sets = engine.weights(&namespace)?;
        let holds = sets.last().map_or(0, |set| set.number);
        Ok(WeightSets { namespace, holds, sets })
    });
    sets.await.map(Json)
}

/// The set to go back to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RollbackAsked {
    /// The number of the set; 0 is the configured one.
    #[serde(deserialize_with = "crate::extract::whole")]
    #[schemars(range(max = crate::extract::WHOLE_MAX))]
    number: u64,
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

async fn rollback(visit: Visit, Body(asked): Body<RollbackAsked>) -> Result<Json<LearnedWeights>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    visit.work(move |engine| Ok(engine.rollback_weights(&namespace, asked.number)?)).await.map(Json)
}
