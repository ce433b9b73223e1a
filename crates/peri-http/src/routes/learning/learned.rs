//! What was learned as a whole: in numbers, by hand, and back again.

use axum::Json;
use axum::http::Method;
use peri_workers::{Running, WorkerKind};
use perihelion::Role::{Admin, Reader, Writer};
use perihelion::{
    AdapterTrial, Distilling, LearnedInfo, LearningOverview, Namespace, Scope, Timestamp, TrainedRouter,
    WorkerRun,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::extract::{Body, Query, Visit, WHOLE_MAX, whole};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/api/memory/learning/stats", "learningStats", stats)
            .says("What has been learned, in numbers, and who is at work on it")
            .asks::<StatsAsked>()
            .gives::<LearningNumbers>(),
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
            .gives::<LearnedSets>(),
        Operation::new(Role(Admin), Method::POST, "/v1/learning/rollback", "rollbackLearned", rollback)
            .says("Go back to what was learned before; 0 is nothing learned")
            .takes::<LearnedRollbackAsked>()
            .gives::<LearnedInfo>()
            .once(),
    ]
}

/// Where to count.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StatsAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

/// What has been learned, in numbers, and who is at work on it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LearningNumbers {
    #[serde(flatten)]
    overview: LearningOverview,
    /// When what adapts questions last changed, in whichever of these namespaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_adaptation_at: Option<Timestamp>,
    /// The last run of the worker that trains: when it tried, and what came of it. For keys that open everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_training: Option<WorkerRun>,
    /// The workers that are at work now, in whichever process. For keys that open everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_workers: Option<Vec<WorkerKind>>,
}

async fn stats(visit: Visit, Query(asked): Query<StatsAsked>) -> Result<Json<LearningNumbers>, Problem> {
    let scope = visit.scope(asked.scope)?;
    // What workers do tells of others.
    let workers = (visit.caller.scope == Scope::All).then(|| visit.app.workers());
    let numbers = visit.work(move |engine| {
        let overview = engine.learning(&scope)?;
        let adapters = overview.learned.iter().filter(|set| set.name == LearnedName::Adapter.as_str());
        let last_adaptation_at = adapters.map(|set| set.at).max();
        let (mut last_training, mut active_workers) = (None, None);
        if let Some(workers) = workers {
            let all = workers.status()?.workers;
            let at_work = all.iter().filter(|worker| worker.running != Running::No);
            active_workers = Some(at_work.map(|worker| worker.worker).collect());
            let trains = all.into_iter().find(|worker| worker.worker == WorkerKind::Learning);
            last_training = trains.and_then(|worker| worker.last);
        }
        Ok(LearningNumbers { overview, last_adaptation_at, last_training, active_workers })
    });
    numbers.await.map(Json)
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
    let (scope, app) = (visit.scope(asked.scope)?, App::clone(&visit.app));
    // What was not drawn from when the server stops is drawn from next time.
    let distilled = visit
        .work(move |engine| Ok(Distilled { namespaces: engine.distil(&scope, &|| !app.is_stopping())? }));
    distilled.await.map(Json)
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
    let (namespace, app) = (visit.namespace(asked.namespace)?, App::clone(&visit.app));
    let trained = visit.work(move |engine| {
        let router = engine.train_router(&namespace)?;
        Ok(Trained { router, adapter: engine.train_adapter(&namespace, &|| !app.is_stopping())? })
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
pub(super) struct LearnedSets {
    sets: Vec<LearnedInfo>,
}

async fn sets(visit: Visit, Query(asked): Query<SetsAsked>) -> Result<Json<LearnedSets>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let sets = visit
        .work(move |engine| Ok(LearnedSets { sets: engine.learned_sets(&namespace, asked.name.as_str())? }));
    sets.await.map(Json)
}

/// What to go back to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LearnedRollbackAsked {
    name: LearnedName,
    /// The number of the set; 0 is nothing learned.
    #[serde(deserialize_with = "whole")]
    #[schemars(range(max = WHOLE_MAX))]
    set: u64,
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
}

async fn rollback(
    visit: Visit,
    Body(asked): Body<LearnedRollbackAsked>,
) -> Result<Json<LearnedInfo>, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let back =
        visit.work(move |engine| Ok(engine.rollback_learned(&namespace, asked.name.as_str(), asked.set)?));
    back.await.map(Json)
}
