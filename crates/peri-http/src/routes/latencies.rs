//! How long recalls took, over time.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{Latencies, LatencyQuery, Scope};
use schemars::JsonSchema;
use serde::Deserialize;

use super::orbit::bounded;
use crate::extract::{Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// How far back, unless it says.
const HOURS: u32 = 24;
const HOURS_MAX: u32 = 720;
/// In how many parts, unless it says.
const BUCKETS: u32 = 96;
const BUCKETS_MAX: u32 = 500;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/latencies", "latencies", latencies)
            .says("How long recalls took in the last hours, part by part: of the key's namespaces alone")
            .asks::<LatenciesAsked>()
            .gives::<Latencies>(),
    ]
}

/// Which times, and of which namespaces.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LatenciesAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens. Recalls over several namespaces are
    /// counted for those who may see everything.
    scope: Option<Scope>,
    /// So many hours back; 24 when left out.
    #[schemars(range(min = 1, max = 720))]
    hours: Option<u32>,
    /// In at most so many parts of equal length; 96 when left out.
    #[schemars(range(min = 1, max = 500))]
    buckets: Option<u32>,
}

async fn latencies(visit: Visit, Query(asked): Query<LatenciesAsked>) -> Result<Json<Latencies>, Problem> {
    let hours = bounded("hours", asked.hours, HOURS, (1, HOURS_MAX))?;
    let buckets = bounded("buckets", asked.buckets, BUCKETS, (1, BUCKETS_MAX))?;
    let query = LatencyQuery { scope: visit.scope(asked.scope)?, hours, buckets };
    visit.work(move |engine| Ok(engine.latencies(&query)?)).await.map(Json)
}
