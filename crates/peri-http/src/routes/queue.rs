//! The failure queue: what waits on the server's machine because its store could not take it.

use axum::Json;
use axum::http::{Method, StatusCode};
use perihelion::Role::Admin;
use perihelion::{DeadCall, QueueStatus, QueuedCall, QueuedId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Everywhere;
use crate::table::Operation;

/// So many of each are listed unless somebody asks for more or fewer.
const LISTED: usize = 100;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Everywhere(Admin), Method::GET, "/v1/queue", "queue", list)
            .says("What waits because the store could not take it, in order, and what was given up")
            .asks::<QueueAsked>()
            .gives::<Queue>(),
        Operation::new(Everywhere(Admin), Method::POST, "/v1/queue/replay", "replayQueue", replay)
            .says("Try what waits now, and what was given up once more")
            .takes::<ReplayAsked>()
            .gives::<Replayed>(),
        Operation::new(Everywhere(Admin), Method::DELETE, "/v1/queue/{id}", "dropQueued", drop_one)
            .says("Drop what waits or was given up under an id; it is not made then")
            .gives_nothing(StatusCode::NO_CONTENT),
    ]
}

/// How much to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct QueueAsked {
    /// At most so many of each.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// What waits, and what was given up.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Queue {
    /// In figures.
    status: QueueStatus,
    /// What waits, in the order it will be made.
    queued: Vec<QueuedCall>,
    /// What was given up.
    dead: Vec<DeadCall>,
}

async fn list(visit: Visit, Query(asked): Query<QueueAsked>) -> Result<Json<Queue>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let looked = visit.work(move |engine| {
        let (queued, dead) = (engine.queued(limit)?, engine.dead_calls(limit)?);
        Ok(Queue { status: engine.queue_status()?, queued, dead })
    });
    looked.await.map(Json)
}

/// What to try again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplayAsked {
    /// Of what was given up, only this one.
    id: Option<QueuedId>,
}

/// What is tried again.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Replayed {
    /// How many were given up and wait again.
    revived: u64,
    /// What waits now.
    status: QueueStatus,
}

async fn replay(visit: Visit, Body(asked): Body<ReplayAsked>) -> Result<Json<Replayed>, Problem> {
    let replayed = visit.work(move |engine| {
        let revived = engine.replay_queue(asked.id)?;
        Ok(Replayed { revived, status: engine.queue_status()? })
    });
    replayed.await.map(Json)
}

async fn drop_one(visit: Visit, Named(id): Named<QueuedId>) -> Result<StatusCode, Problem> {
    visit.work(move |engine| Ok(engine.drop_queued(id)?)).await?;
    Ok(StatusCode::NO_CONTENT)
}
