//! Whether the server lives, whether it can serve, and what Prometheus reads.

use axum::Json;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use perihelion::Health;
use perihelion::Role::Reader;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::document::openapi;
use crate::extract::Visit;
use crate::gauges::Moment;
use crate::problem::Problem;
use crate::table::Need::{Everywhere, Nothing};
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Nothing, Method::GET, "/health/live", "live", live)
            .says("Whether the process answers. It does not look at the store: a restart would not mend that")
            .gives::<Alive>(),
        Operation::new(Nothing, Method::GET, "/health/ready", "ready", ready)
            .says("Whether requests can be served")
            .gives::<Ready>()
            .answers_with::<Ready>(StatusCode::SERVICE_UNAVAILABLE),
        Operation::new(Everywhere(Reader), Method::GET, "/v1/health", "health", health)
            .says("The store, the chores, zones, queues, indexes and the disk")
            .gives::<Health>(),
        Operation::new(Everywhere(Reader), Method::GET, "/metrics", "metrics", metrics)
            .says("Counters, histograms and gauges for Prometheus")
            .gives_text("application/openmetrics-text"),
        Operation::new(Nothing, Method::GET, "/version", "version", version)
            .says("Which program answers")
            .gives::<Program>(),
        Operation::new(Nothing, Method::GET, "/openapi.json", "document", document)
            .says("This document")
            .gives::<Value>(),
    ]
}

/// The process answers.
#[derive(Debug, Serialize, JsonSchema)]
struct Alive {
    alive: bool,
}

/// Whether requests can be served.
#[derive(Debug, Serialize, JsonSchema)]
struct Ready {
    ready: bool,
}

/// Which program answers.
#[derive(Debug, Serialize, JsonSchema)]
struct Program {
    name: &'static str,
    version: &'static str,
}

async fn live() -> Json<Alive> {
    Json(Alive { alive: true })
}

async fn ready(visit: Visit) -> Response {
    let stopping = visit.app.is_stopping();
    // Strangers may ask this as often as they like, so it is one short read, and they are told whether, not why.
    let reachable = visit.work(|engine| Ok(engine.store_answers())).await.is_ok_and(|answers| answers);
    let ready = !stopping && reachable;
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Ready { ready })).into_response()
}

async fn health(visit: Visit) -> Result<Json<Health>, Problem> {
    visit.work(|engine| Ok(engine.health())).await.map(Json)
}

async fn metrics(visit: Visit) -> Result<Response, Problem> {
    let mcp_sessions = match visit.app.mcp_sessions.get() {
        Some(sessions) => sessions.open().await,
        None => 0,
    };
    let requests_under_way = visit.app.visits.count();
    let sight = visit.app.sights.look(&visit).await?;
    let moment = Moment { sight, requests_under_way, mcp_sessions };
    let text = visit.app.metrics.encode(&moment).map_err(|_| Problem::internal())?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

async fn version() -> Json<Program> {
    Json(Program { name: "perihelion", version: env!("CARGO_PKG_VERSION") })
}

async fn document() -> Json<Value> {
    Json(openapi())
}
