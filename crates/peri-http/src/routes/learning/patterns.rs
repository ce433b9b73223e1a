//! Patterns: strategies that worked, and who should take a task.

use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Reader, Writer};
use perihelion::{
    Namespace, NewPattern, Pattern, PatternId, PatternList, PatternMatch, PatternOutcome, PatternQuery,
    PatternReceipt, PatternTerm, RouteRequest, Routed, Scope,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LISTED, field};
use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Patterns that are found, unless it is said how many.
const FOUND: usize = 10;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/api/memory/patterns", "findPatterns", find)
            .says("Strategies that worked, for a task or all of them, and who should take the task")
            .asks::<FindAsked>()
            .gives::<FoundPatterns>(),
        Operation::new(Role(Writer), Method::POST, "/v1/patterns", "storePattern", store)
            .says("Keep a strategy that is known to work, or join it into the one that says the same")
            .takes::<PatternAsked>()
            .answers_with::<PatternReceipt>(StatusCode::CREATED)
            .answers_with::<PatternReceipt>(StatusCode::OK)
            .answers_with::<PatternReceipt>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/patterns", "listPatterns", list)
            .says("Patterns, the best first")
            .asks::<ListAsked>()
            .gives::<Patterns>(),
        Operation::new(Role(Reader), Method::GET, "/v1/patterns/{pattern}", "getPattern", get)
            .says("One pattern, put aside or not")
            .gives::<Pattern>(),
        Operation::new(
            Role(Writer),
            Method::POST,
            "/v1/patterns/{pattern}/promote",
            "promotePattern",
            promote,
        )
        .says("Keep a pattern for good")
        .gives::<Pattern>()
        .once(),
        Operation::new(Role(Writer), Method::POST, "/v1/patterns/{pattern}/retire", "retirePattern", retire)
            .says("Put a pattern aside; it is not offered any more")
            .gives::<Pattern>()
            .once(),
        Operation::new(
            Role(Writer),
            Method::POST,
            "/v1/patterns/{pattern}/restore",
            "restorePattern",
            restore,
        )
        .says("Offer a pattern again that was put aside")
        .gives::<Pattern>()
        .once(),
        Operation::new(Role(Reader), Method::POST, "/v1/route", "routeTask", route)
            .says("Who should take a task, how sure that is, and why")
            .takes::<RouteAsked>()
            .gives::<Routed>(),
    ]
}

/// What to look for among patterns.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindAsked {
    /// The task, in words; all patterns if left out.
    #[schemars(with = "Option<crate::routes::Text>")]
    q: Option<String>,
    /// Of this field only.
    #[schemars(with = "Option<crate::routes::Label>")]
    domain: Option<String>,
    /// Where; by default where the key points, or else as configured.
    namespace: Option<Namespace>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// Patterns, and who should take the task. Without a task, how close a pattern is to it is 0, and it is recommended by
/// how well it works.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FoundPatterns {
    patterns: Vec<PatternMatch>,
    /// Who should take the task, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<Routed>,
    /// What did not take part although it should have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<String>,
}

async fn find(visit: Visit, Query(asked): Query<FindAsked>) -> Result<Json<FoundPatterns>, Problem> {
    visit.check_labels(&[("domain", &asked.domain)])?;
    let (namespace, limit) = (visit.namespace(asked.namespace)?, Some(visit.limit(asked.limit, FOUND)?));
    let found = visit.work(move |engine| {
        let (scope, domain) = (Scope::Exact(namespace.clone()), field(asked.domain));
        let Some(task) = asked.q else {
            let list = PatternList { scope, domain, limit, ..PatternList::default() };
            let all = engine.patterns(&list)?.into_iter();
            let patterns =
                all.map(|pattern| PatternMatch { score: pattern.quality, similarity: 0.0, pattern });
            return Ok(FoundPatterns { patterns: patterns.collect(), route: None, degraded: Vec::new() });
        };
        let query = PatternQuery { query: task.clone(), scopes: vec![scope], domain, limit };
        let found = engine.search_patterns(&query)?;
        let route = engine.route_task(&RouteRequest { task, namespace })?;
        Ok(FoundPatterns { patterns: found.matches, route: Some(route), degraded: found.degraded })
    });
    found.await.map(Json)
}

/// A strategy to keep.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PatternAsked {
    /// What to do, in words.
    #[schemars(with = "crate::routes::Text")]
    strategy: String,
    /// Where; by default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// The field it belongs to; found by its words if left out.
    #[schemars(with = "Option<crate::routes::Label>")]
    domain: Option<String>,
    /// Who should do it.
    #[schemars(with = "Option<crate::routes::Label>")]
    agent: Option<String>,
    /// How well it works; in the middle if nobody says.
    #[schemars(range(min = 0.0, max = 1.0))]
    quality: Option<f32>,
}

async fn store(visit: Visit, Body(asked): Body<PatternAsked>) -> Result<Response, Problem> {
    if let Some(quality) = asked.quality.filter(|quality| !(0.0..=1.0).contains(quality)) {
        return Err(Problem::invalid(format!("`quality`: {quality} is not from 0 to 1")));
    }
    let new = NewPattern {
        namespace: visit.namespace(asked.namespace)?,
        strategy: asked.strategy,
        domain: asked.domain,
        agent: asked.agent,
        quality: asked.quality,
    };
    let receipt = visit.work(move |engine| Ok(engine.store_pattern(new)?)).await?;
    let status = match receipt.outcome {
        PatternOutcome::Stored => StatusCode::CREATED,
        PatternOutcome::Merged => StatusCode::OK,
        PatternOutcome::Queued => StatusCode::ACCEPTED,
    };
    Ok((status, Json(receipt)).into_response())
}

/// Which patterns to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[schemars(with = "Option<crate::routes::Label>")]
    domain: Option<String>,
    term: Option<PatternTerm>,
    /// Those that were put aside, instead of those that are offered.
    #[serde(default)]
    retired: bool,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// Patterns.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Patterns {
    patterns: Vec<Pattern>,
}

async fn list(visit: Visit, Query(asked): Query<ListAsked>) -> Result<Json<Patterns>, Problem> {
    visit.check_labels(&[("domain", &asked.domain)])?;
    let list = PatternList {
        scope: visit.scope(asked.scope)?,
        domain: field(asked.domain),
        term: asked.term,
        retired: asked.retired,
        limit: Some(visit.limit(asked.limit, LISTED)?),
    };
    visit.work(move |engine| Ok(Patterns { patterns: engine.patterns(&list)? })).await.map(Json)
}

async fn get(visit: Visit, Named(id): Named<PatternId>) -> Result<Json<Pattern>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.pattern(&scope, id)?)).await.map(Json)
}

async fn promote(visit: Visit, Named(id): Named<PatternId>) -> Result<Json<Pattern>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.promote_pattern(&scope, id)?)).await.map(Json)
}

async fn retire(visit: Visit, Named(id): Named<PatternId>) -> Result<Json<Pattern>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.retire_pattern(&scope, id)?)).await.map(Json)
}

async fn restore(visit: Visit, Named(id): Named<PatternId>) -> Result<Json<Pattern>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.restore_pattern(&scope, id)?)).await.map(Json)
}

/// A task to route.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RouteAsked {
    /// What is to be done.
    #[schemars(with = "crate::routes::Text")]
    task: String,
    /// Whose outcomes are gone by; by default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

async fn route(visit: Visit, Body(asked): Body<RouteAsked>) -> Result<Json<Routed>, Problem> {
    let request = RouteRequest { namespace: visit.namespace(asked.namespace)?, task: asked.task };
    visit.work(move |engine| Ok(engine.route_task(&request)?)).await.map(Json)
}
