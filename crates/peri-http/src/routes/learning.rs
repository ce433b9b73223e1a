//! What has worked: trajectories, patterns, routes, and what was learned from feedback.

use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Admin, Reader, Writer};
use perihelion::{
    AdapterTrial, Distilling, LearnedInfo, LearningOverview, Namespace, NewPattern, NewTrajectory, Order, Outcome,
    Pattern, PatternId, PatternList, PatternMatch, PatternOutcome, PatternQuery, PatternReceipt, PatternTerm,
    RouteRequest, Routed, Scope, TaskOutcome, Timestamp, TrainedRouter, Trajectory, TrajectoryId, TrajectoryQuery,
    TrajectoryReceipt, TrajectoryStep, TurnId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Records of a page, unless it is said how many.
const LISTED: usize = 50;

/// Patterns that are found, unless it is said how many.
const FOUND: usize = 10;

pub(super) fn routes() -> Vec<Operation> {
    trajectories().into_iter().chain(patterns()).chain(learned()).collect()
}

fn trajectories() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::POST, "/v1/trajectories", "recordTrajectory", record)
            .says("Record the steps of a task and how it ended. Sent again with its id, it changes nothing")
            .takes::<TrajectoryAsked>()
            .answers_with::<TrajectoryReceipt>(StatusCode::CREATED)
            .answers_with::<TrajectoryReceipt>(StatusCode::OK)
            .answers_with::<TrajectoryReceipt>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/trajectories", "listTrajectories", list_trajectories)
            .says("Recorded tasks, a page at a time")
            .asks::<TrajectoriesAsked>()
            .gives::<TrajectoryList>(),
        Operation::new(Role(Reader), Method::GET, "/v1/trajectories/{trajectory}", "getTrajectory", trajectory)
            .says("One recorded task with its steps")
            .gives::<Trajectory>(),
    ]
}

fn patterns() -> Vec<Operation> {
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
        Operation::new(Role(Writer), Method::POST, "/v1/patterns/{pattern}/promote", "promotePattern", promote)
            .says("Keep a pattern for good")
            .gives::<Pattern>(),
        Operation::new(Role(Writer), Method::POST, "/v1/patterns/{pattern}/retire", "retirePattern", retire)
            .says("Put a pattern aside; it is not offered any more")
            .gives::<Pattern>(),
        Operation::new(Role(Writer), Method::POST, "/v1/patterns/{pattern}/restore", "restorePattern", restore)
            .says("Offer a pattern again that was put aside")
            .gives::<Pattern>(),
        Operation::new(Role(Reader), Method::POST, "/v1/route", "routeTask", route)
            .says("Who should take a task, how sure that is, and why")
            .takes::<RouteAsked>()
            .gives::<Routed>(),
    ]
}

fn learned() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/api/memory/learning/stats", "learningStats", stats)
            .says("What has been learned, in numbers")
            .asks::<StatsAsked>()
            .gives::<LearningOverview>(),
        Operation::new(Role(Writer), Method::POST, "/v1/learning/distil", "distil", distil)
            .says("Draw patterns from what was recorded since the last time; the workers do the same")
            .takes::<DistilAsked>()
            .gives::<Distilled>(),
        Operation::new(Role(Writer), Method::POST, "/v1/learning/train", "train", train)
            .says("Train the router and the adapter of a namespace; the workers do the same")
            .takes::<TrainAsked>()
            .gives::<Trained>(),
        Operation::new(Role(Reader), Method::GET, "/v1/learning/sets", "learnedSets", sets)
            .says("What a router or an adapter was, the latest first: that holds")
            .asks::<SetsAsked>()
            .gives::<Sets>(),
        Operation::new(Role(Admin), Method::POST, "/v1/learning/rollback", "rollbackLearned", rollback)
            .says("Go back to what was learned before; 0 is nothing learned")
            .takes::<RollbackAsked>()
            .gives::<LearnedInfo>()
            .once(),
    ]
}

/// A task to record.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TrajectoryAsked {
    /// What was to be done.
    #[schemars(with = "crate::routes::Text")]
    task: String,
    /// How it ended.
    outcome: TaskOutcome,
    /// Where; by default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// The field it belongs to; found by its words if left out.
    #[schemars(with = "Option<crate::routes::Label>")]
    domain: Option<String>,
    /// Who did it.
    #[schemars(with = "Option<crate::routes::Label>")]
    agent: Option<String>,
    /// What was done, in order.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    steps: Vec<TrajectoryStep>,
    /// The patterns that were followed.
    #[serde(default)]
    #[schemars(length(max = 100))]
    patterns: Vec<PatternId>,
    /// The conversation it belongs to.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    /// The turn it was made from.
    turn: Option<TurnId>,
    /// When it ended; now when left out.
    #[schemars(with = "Option<crate::routes::Moment>")]
    at: Option<Timestamp>,
    duration_ms: Option<u64>,
    /// Its id, for who brings ids along.
    id: Option<TrajectoryId>,
}

async fn record(visit: Visit, Body(asked): Body<TrajectoryAsked>) -> Result<Response, Problem> {
    let new = NewTrajectory {
        namespace: visit.namespace(asked.namespace)?,
        task: asked.task,
        outcome: asked.outcome,
        domain: asked.domain,
        agent: asked.agent,
        steps: asked.steps,
        patterns: asked.patterns,
        session: asked.session,
        turn: asked.turn,
        at: asked.at,
        duration_ms: asked.duration_ms,
        id: asked.id,
    };
    let receipt = visit.work(move |engine| Ok(engine.record_trajectory(new)?)).await?;
    let status = match receipt.outcome {
        Outcome::Stored => StatusCode::CREATED,
        Outcome::Merged => StatusCode::OK,
        Outcome::Queued => StatusCode::ACCEPTED,
    };
    Ok((status, Json(receipt)).into_response())
}

/// Which recorded tasks to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TrajectoriesAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    domain: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    agent: Option<String>,
    outcome: Option<TaskOutcome>,
    #[serde(default)]
    order: Order,
    /// As the page before said.
    cursor: Option<TrajectoryId>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// A page of recorded tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TrajectoryList {
    trajectories: Vec<Trajectory>,
    /// For the next page, if there is one.
    next_cursor: Option<TrajectoryId>,
}

async fn list_trajectories(
    visit: Visit,
    Query(asked): Query<TrajectoriesAsked>,
) -> Result<Json<TrajectoryList>, Problem> {
    visit.check_labels(&[("session", &asked.session), ("domain", &asked.domain), ("agent", &asked.agent)])?;
    let query = TrajectoryQuery {
        scope: visit.scope(asked.scope)?,
        session: asked.session,
        domain: asked.domain,
        agent: asked.agent,
        outcome: asked.outcome,
        undistilled: false,
        order: asked.order,
        after: asked.cursor,
        limit: visit.limit(asked.limit, LISTED)?,
    };
    let page = visit.work(move |engine| Ok(engine.trajectories(&query)?)).await?;
    Ok(Json(TrajectoryList { trajectories: page.trajectories, next_cursor: page.next }))
}

async fn trajectory(visit: Visit, Named(id): Named<TrajectoryId>) -> Result<Json<Trajectory>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.trajectory(&scope, id)?)).await.map(Json)
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

/// Patterns, and who should take the task.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FoundPatterns {
    patterns: Vec<PatternMatch>,
    /// Who should take the task, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<Routed>,
    /// What did not take part although it should have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<String>,
}

async fn find(visit: Visit, Query(asked): Query<FindAsked>) -> Result<Json<FoundPatterns>, Problem> {
    visit.check_labels(&[("domain", &asked.domain)])?;
    let (namespace, limit) = (visit.namespace(asked.namespace)?, visit.limit(asked.limit, FOUND)?);
    let found = visit.work(move |engine| {
        let scope = Scope::Exact(namespace.clone());
        let Some(task) = asked.q else {
            let list = PatternList { scope, domain: asked.domain, limit: Some(limit), ..PatternList::default() };
            let all = engine.patterns(&list)?.into_iter();
            let patterns = all.map(|pattern| PatternMatch { score: pattern.quality, similarity: 0.0, pattern });
            return Ok(FoundPatterns { patterns: patterns.collect(), route: None, degraded: Vec::new() });
        };
        let query = PatternQuery {
            query: task.clone(),
            scopes: vec![scope],
            domain: asked.domain,
            limit: Some(limit),
        };
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
        domain: asked.domain,
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

/// Where to count.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StatsAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

async fn stats(visit: Visit, Query(asked): Query<StatsAsked>) -> Result<Json<LearningOverview>, Problem> {
    let scope = visit.scope(asked.scope)?;
    visit.work(move |engine| Ok(engine.learning(&scope)?)).await.map(Json)
}

/// Where to draw from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DistilAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

/// What was drawn.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Distilled {
    namespaces: Vec<Distilling>,
}

async fn distil(visit: Visit, Body(asked): Body<DistilAsked>) -> Result<Json<Distilled>, Problem> {
    let scope = visit.scope(asked.scope)?;
    visit.work(move |engine| Ok(Distilled { namespaces: engine.distil(&scope, &|| true)? })).await.map(Json)
}

/// Whose router and adapter to train.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TrainAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

/// What training came to. What is left out had nothing new to learn from.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Trained {
    #[serde(skip_serializing_if = "Option::is_none")]
    router: Option<TrainedRouter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adapter: Option<AdapterTrial>,
}

async fn train(visit: Visit, Body(asked): Body<TrainAsked>) -> Result<Json<Trained>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let trained = visit.work(move |engine| {
        let router = engine.train_router(&namespace)?;
        Ok(Trained { router, adapter: engine.train_adapter(&namespace, &|| true)? })
    });
    trained.await.map(Json)
}

/// What to tell of.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetsAsked {
    name: LearnedName,
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

/// What is learned as a whole.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum LearnedName {
    /// How tasks are routed.
    Router,
    /// How questions are adapted.
    Adapter,
}

impl LearnedName {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Router => "router",
            Self::Adapter => "adapter",
        }
    }
}

/// What was learned, the latest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Sets {
    sets: Vec<LearnedInfo>,
}

async fn sets(visit: Visit, Query(asked): Query<SetsAsked>) -> Result<Json<Sets>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let sets = visit.work(move |engine| Ok(Sets { sets: engine.learned_sets(&namespace, asked.name.as_str())? }));
    sets.await.map(Json)
}

/// What to go back to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RollbackAsked {
    name: LearnedName,
    /// The number of the set; 0 is nothing learned.
    set: u64,
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

async fn rollback(visit: Visit, Body(asked): Body<RollbackAsked>) -> Result<Json<LearnedInfo>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let back = visit.work(move |engine| Ok(engine.rollback_learned(&namespace, asked.name.as_str(), asked.set)?));
    back.await.map(Json)
}
