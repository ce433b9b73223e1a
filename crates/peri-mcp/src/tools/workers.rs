//! `workers_status`: what background workers did and found. Running one is not for models: it takes minutes, and the
//! workers run by themselves.

use perihelion::{AlertRecord, Scope, WorkerRun};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const STATUS_WHEN: &str = "What the background workers did lately and what they found that still is so, such \
as secrets or damage: when somebody asks how memory is looked after.";

const LIMIT: usize = 20;
const LIMIT_MAX: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// Of all when left out
    worker: Option<String>,
    /// 20 when left out
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Status {
    /// The latest first.
    runs: Vec<Run>,
    /// What was found and still is so.
    #[schemars(with = "Vec<AlertShape>")]
    alerts: Vec<AlertRecord>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Run {
    worker: String,
    started_at: String,
    finished_at: String,
    status: String,
    summary: String,
}

/// What a model needs of what was found.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct AlertShape {
    worker: String,
    severity: String,
    message: String,
}

impl Run {
    fn of(run: WorkerRun) -> Self {
        let (started_at, finished_at) = (run.started_at.to_string(), run.finished_at.to_string());
        Self { worker: run.worker, started_at, finished_at, status: run.status, summary: run.summary }
    }
}

pub(crate) fn status(desk: &Desk<'_>, asked: Asked) -> Result<Status, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    if desk.scope != Scope::All {
        let why = "workers look after everything, and what they did is told only to who may see everything; leave it out";
        return Err(Refusal::argument("namespace", why));
    }
    let worker = asked.worker.as_deref();
    let runs = desk.engine.worker_runs(worker, limit)?;
    let mut alerts = desk.engine.worker_alerts(false, LIMIT_MAX)?;
    alerts.retain(|alert| worker.is_none_or(|worker| alert.worker == worker));
    alerts.truncate(limit);
    Ok(Status { runs: runs.into_iter().map(Run::of).collect(), alerts })
}
