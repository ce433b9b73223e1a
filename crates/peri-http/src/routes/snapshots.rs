//! Snapshots: the latest episodes in files of their own.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Admin;
use perihelion::SnapshotInfo;
use schemars::JsonSchema;
use serde::Serialize;

use crate::extract::Visit;
use crate::problem::Problem;
use crate::table::Need::Everywhere;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Everywhere(Admin), Method::GET, "/v1/snapshots", "listSnapshots", list)
            .says("The snapshots of the latest episodes, the latest first")
            .gives::<SnapshotList>(),
        Operation::new(Everywhere(Admin), Method::POST, "/v1/snapshots", "takeSnapshot", take)
            .says("Write the latest episodes to a file now, if they have changed since the last one")
            .gives::<SnapshotTaken>()
            .once(),
    ]
}

/// The snapshots that there are.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SnapshotList {
    /// The latest first.
    snapshots: Vec<SnapshotInfo>,
}

async fn list(visit: Visit) -> Result<Json<SnapshotList>, Problem> {
    let snapshots = visit.work(|engine| Ok(engine.snapshots()?)).await?;
    Ok(Json(SnapshotList { snapshots }))
}

/// What was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SnapshotTaken {
    /// None if no episode has changed since the last one.
    snapshot: Option<SnapshotInfo>,
}

async fn take(visit: Visit) -> Result<Json<SnapshotTaken>, Problem> {
    let snapshot = visit.work(|engine| Ok(engine.take_snapshot()?)).await?;
    Ok(Json(SnapshotTaken { snapshot }))
}
