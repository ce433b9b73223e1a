//! Background workers: how they are, what they did and found, and running them by hand.

use std::pin::pin;
use std::time::Duration;

use axum::Json;
use axum::http::Method;
use peri_workers::{Trigger, WorkerKind, WorkerReport, WorkersStatus};
use perihelion::Role::{Admin, Reader};
use perihelion::{AlertRecord, Turned, WorkerRun};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::extract::{Named, NoBody, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Everywhere;
use crate::table::Operation;

/// Runs or findings that are listed, unless it is said how many.
const LISTED: usize = 50;

/// So often workers are asked to end while the server stops.
const ASKED_AGAIN: Duration = Duration::from_millis(50);

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Everywhere(Reader), Method::GET, "/api/workers/status", "workersStatus", status)
            .says("How the workers are, when each is due, and what they found")
            .gives::<WorkersStatus>(),
        Operation::new(Everywhere(Admin), Method::POST, "/api/workers/dispatch", "dispatchWorkers", dispatch)
            .says("Run a worker now, or all of them by priority, and wait for what it comes to. 409: it is at work already")
            .asks::<DispatchAsked>()
            .gives::<Dispatched>()
            .once(),
        Operation::new(Everywhere(Reader), Method::GET, "/v1/workers/runs", "workerRuns", runs)
            .says("What workers did, the latest first")
            .asks::<RunsAsked>()
            .gives::<WorkerRuns>(),
        Operation::new(Everywhere(Reader), Method::GET, "/v1/workers/alerts", "workerAlerts", alerts)
            .says("What workers found, the latest first")
            .asks::<AlertsAsked>()
            .gives::<WorkerAlerts>(),
        Operation::new(Everywhere(Admin), Method::POST, "/v1/workers/{worker}/cancel", "cancelWorker", cancel)
            .says("Ask a worker to stop, in whichever process it is at work")
            .gives::<Cancelled>(),
    ]
}

async fn status(visit: Visit) -> Result<Json<WorkersStatus>, Problem> {
    let workers = visit.app.workers();
    visit.work(move |_| Ok(workers.status()?)).await.map(Json)
}

/// Which worker to run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DispatchAsked {
    /// All that run by themselves if left out.
    worker: Option<WorkerKind>,
}

/// What the runs came to.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Dispatched {
    /// Runs that ended.
    results: Vec<WorkerReport>,
    /// Workers that were not run because they are at work already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    at_work: Vec<WorkerKind>,
    /// Workers that could not be run, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    failed: Vec<NotRun>,
}

/// A worker that could not be run.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NotRun {
    worker: WorkerKind,
    why: String,
}

async fn dispatch(
    visit: Visit,
    Query(asked): Query<DispatchAsked>,
    _: NoBody,
) -> Result<Json<Dispatched>, Problem> {
    match asked.worker {
        Some(kind) => dispatch_one(&visit, kind).await,
        None => dispatch_all(&visit).await,
    }
    .map(Json)
}

async fn dispatch_one(visit: &Visit, kind: WorkerKind) -> Result<Dispatched, Problem> {
    let workers = visit.app.workers();
    let run = visit.work(move |_| Ok(workers.dispatch(kind, Trigger::Hand)?));
    match ended(&visit.app, run).await? {
        Turned::Done(report) => Ok(Dispatched { results: vec![report], ..Dispatched::default() }),
        Turned::Elsewhere(_) => Err(Problem::conflict(format!(
            "the worker {kind} is at work already, here or in another process; nothing was begun. \
             GET /api/workers/status tells where, and POST /v1/workers/{kind}/cancel asks it to stop"
        ))),
    }
}

async fn dispatch_all(visit: &Visit) -> Result<Dispatched, Problem> {
    let workers = visit.app.workers();
    let runs = visit.work(move |_| Ok(workers.dispatch_all(Trigger::Hand)));
    let mut dispatched = Dispatched::default();
    for (worker, outcome) in ended(&visit.app, runs).await? {
        match outcome {
            Ok(Turned::Done(report)) => dispatched.results.push(report),
            Ok(Turned::Elsewhere(_)) => dispatched.at_work.push(worker),
            Err(error) => dispatched.failed.push(NotRun { worker, why: error.to_string() }),
        }
    }
    Ok(dispatched)
}

/// Waits for runs to end, and asks them to when the server stops: those that begin only then as well.
async fn ended<T>(app: &App, runs: impl Future<Output = T>) -> T {
    let (mut runs, mut stopping) = (pin!(runs), app.stopping.clone());
    tokio::select! {
        done = &mut runs => return done,
        _ = stopping.wait_for(|stopping| *stopping) => {}
    }
    let (workers, mut every) = (app.workers(), tokio::time::interval(ASKED_AGAIN));
    loop {
        tokio::select! {
            done = &mut runs => return done,
            _ = every.tick() => workers.cancel_all(),
        }
    }
}

/// Whose runs to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunsAsked {
    /// Of all if left out.
    worker: Option<WorkerKind>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// What workers did.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WorkerRuns {
    runs: Vec<WorkerRun>,
}

async fn runs(visit: Visit, Query(asked): Query<RunsAsked>) -> Result<Json<WorkerRuns>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let worker = asked.worker.map(WorkerKind::as_str);
    visit.work(move |engine| Ok(WorkerRuns { runs: engine.worker_runs(worker, limit)? })).await.map(Json)
}

/// Which findings to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AlertsAsked {
    /// With those that are no more.
    #[serde(default)]
    resolved: bool,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// What workers found.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WorkerAlerts {
    alerts: Vec<AlertRecord>,
}

async fn alerts(visit: Visit, Query(asked): Query<AlertsAsked>) -> Result<Json<WorkerAlerts>, Problem> {
    let limit = visit.limit(asked.limit, LISTED)?;
    let alerts =
        visit.work(move |engine| Ok(WorkerAlerts { alerts: engine.worker_alerts(asked.resolved, limit)? }));
    alerts.await.map(Json)
}

/// Whether a worker was asked to stop.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Cancelled {
    worker: WorkerKind,
    /// Whether it was at work.
    asked: bool,
}

async fn cancel(
    visit: Visit,
    Named(worker): Named<WorkerKind>,
    _: NoBody,
) -> Result<Json<Cancelled>, Problem> {
    let workers = visit.app.workers();
    visit.work(move |_| Ok(Cancelled { worker, asked: workers.cancel(worker)? })).await.map(Json)
}
