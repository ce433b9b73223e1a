//! Trajectories: what was to be done, what was done, and how it ended.

use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Reader, Writer};
use perihelion::{
    Namespace, NewTrajectory, Order, Outcome, PatternId, Scope, TaskOutcome, Timestamp, Trajectory,
    TrajectoryId, TrajectoryQuery, TrajectoryReceipt, TrajectoryStep, TurnId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LISTED, field};
use crate::extract::{Body, Named, Query, Visit, WHOLE_MAX, optional_whole, whole};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::POST, "/v1/trajectories", "recordTrajectory", record)
            .says("Record the steps of a task and how it ended. Sent again with its id, it changes nothing")
            .takes::<TrajectoryAsked>()
            .answers_with::<TrajectoryReceipt>(StatusCode::CREATED)
            .answers_with::<TrajectoryReceipt>(StatusCode::OK)
            .answers_with::<TrajectoryReceipt>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/trajectories", "listTrajectories", list)
            .says("Recorded tasks, a page at a time")
            .asks::<TrajectoriesAsked>()
            .gives::<TrajectoryList>(),
        Operation::new(Role(Reader), Method::GET, "/v1/trajectories/{trajectory}", "getTrajectory", get)
            .says("One recorded task with its steps")
            .gives::<Trajectory>(),
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
    steps: Vec<StepAsked>,
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
    /// How long it took; what its steps took together when left out.
    #[serde(default, deserialize_with = "optional_whole")]
    #[schemars(range(max = WHOLE_MAX))]
    duration_ms: Option<u64>,
    /// Its id, for who brings ids along.
    id: Option<TrajectoryId>,
}

/// One step of a task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepAsked {
    /// What was done, such as the call of a tool.
    #[schemars(with = "crate::routes::AnyText")]
    input: String,
    /// What came of it.
    #[serde(default)]
    #[schemars(with = "crate::routes::AnyText")]
    output: String,
    /// How long it took.
    #[serde(default, deserialize_with = "whole")]
    #[schemars(range(max = WHOLE_MAX))]
    duration_ms: u64,
    /// How sure whoever did it was; entirely if nobody says.
    #[schemars(range(min = 0.0, max = 1.0))]
    confidence: Option<f32>,
}

impl From<StepAsked> for TrajectoryStep {
    fn from(asked: StepAsked) -> Self {
        let StepAsked { input, output, duration_ms, confidence } = asked;
        Self { input, output, duration_ms, confidence: confidence.unwrap_or(1.0) }
    }
}

async fn record(visit: Visit, Body(asked): Body<TrajectoryAsked>) -> Result<Response, Problem> {
    let new = NewTrajectory {
        namespace: visit.namespace(asked.namespace)?,
        task: asked.task,
        outcome: asked.outcome,
        domain: asked.domain,
        agent: asked.agent,
        steps: asked.steps.into_iter().map(TrajectoryStep::from).collect(),
        patterns: asked.patterns,
        session: asked.session,
        turn: asked.turn,
        at: asked.at,
        duration_ms: asked.duration_ms,
        id: asked.id,
    };
    let claim = visit.claim.clone();
    let receipt = visit.work(move |engine| Ok(engine.record_trajectory_once(claim.as_ref(), new)?)).await?;
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

async fn list(visit: Visit, Query(asked): Query<TrajectoriesAsked>) -> Result<Json<TrajectoryList>, Problem> {
    visit.check_labels(&[("session", &asked.session), ("domain", &asked.domain), ("agent", &asked.agent)])?;
    let query = TrajectoryQuery {
        scope: visit.scope(asked.scope)?,
        session: asked.session,
        domain: field(asked.domain),
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

async fn get(visit: Visit, Named(id): Named<TrajectoryId>) -> Result<Json<Trajectory>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.trajectory(&scope, id)?)).await.map(Json)
}
