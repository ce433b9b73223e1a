//! One run: its turn, its time, and what is kept of it.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use perihelion::{Perihelion, Timestamp, WorkerRun};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::job::{Findings, Job, Trouble};
use crate::kind::{Line, WorkerKind, WorkerPriority};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It did what it should.
    Done,
    /// It could not.
    Failed,
    /// It lacks what it needs.
    Unavailable,
    /// Somebody stopped it.
    Cancelled,
    /// It took too long and was stopped.
    TimedOut,
}

impl RunStatus {
    /// Its name in output, on the wire and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Unavailable => "unavailable",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
        }
    }
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerReport {
    /// Which worker.
    pub worker: WorkerKind,
    /// How much it matters.
    pub priority: WorkerPriority,
    /// The number of the run.
    pub number: u64,
    /// Whether it did what it should.
    pub success: bool,
    /// How it ended.
    pub status: RunStatus,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// What it did, or why it did not, in words.
    pub output: String,
    /// What it measured, by name.
    pub figures: Map<String, Value>,
    /// How much it found that nobody knew of.
    pub alerts: u64,
}

/// Whether a run goes on.
pub(crate) struct Leash<'a> {
    pub(crate) engine: &'a Perihelion,
    pub(crate) kind: WorkerKind,
    pub(crate) cancelled: &'a AtomicBool,
    pub(crate) timeout: Duration,
    began: Instant,
    started_at: Timestamp,
    looked_at: Cell<Instant>,
}

/// So often a run looks whether another process has asked it to stop.
const LOOK: Duration = Duration::from_millis(500);

/// For so long the flag that asks a run to stop is up.
pub(crate) const FLAG: Duration = Duration::from_secs(10);

impl<'a> Leash<'a> {
    pub(crate) fn new(
        engine: &'a Perihelion,
        kind: WorkerKind,
        cancelled: &'a AtomicBool,
        timeout: Duration,
    ) -> Self {
        let began = Instant::now();
        Self {
            engine,
            kind,
            cancelled,
            timeout,
            began,
            started_at: engine.now(),
            looked_at: Cell::new(began),
        }
    }

    pub(crate) fn go_on(&self) -> bool {
        if self.cancelled.load(Ordering::Relaxed) || self.is_over() {
            return false;
        }
        if self.looked_at.get().elapsed() >= LOOK {
            self.looked_at.set(Instant::now());
            if self.is_asked_to_stop() {
                self.cancelled.store(true, Ordering::Relaxed);
                return false;
            }
        }
        true
    }

    pub(crate) fn is_over(&self) -> bool {
        self.began.elapsed() >= self.timeout
    }

    /// Whether another process has raised the flag since this run began.
    fn is_asked_to_stop(&self) -> bool {
        let flag = self.engine.turn_of(&self.kind.cancel_flag()).unwrap_or_default();
        let raised_at = flag.and_then(|until| until.checked_sub(FLAG).ok());
        raised_at.is_some_and(|raised_at| raised_at >= self.started_at)
    }
}

/// Does the work of one run and keeps what came of it.
pub(crate) fn run(line: &Line, job: &Job<'_>, leash: &Leash<'_>) -> Result<WorkerReport, perihelion::Error> {
    let engine = job.engine;
    engine.tell_dispatched(line.kind.as_str(), line.priority.as_str())?;
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (line.work)(job)))
        .unwrap_or_else(|_| Err(Trouble::Failed("the worker broke off; this is a bug".to_owned())));
    let (status, findings) = judged(outcome, leash);
    let finished_at = engine.now();
    let alerts = if status == RunStatus::Done {
        engine.raise_alerts(line.kind.as_str(), findings.alerts, findings.looked)?
    } else {
        0
    };
    let detail = json!({
        "trigger": job.trigger,
        "figures": &findings.figures,
        "alerts": alerts,
        "state": findings.state,
    });
    let started_at = leash.started_at;
    let number = engine.keep_run(WorkerRun {
        worker: line.kind.as_str().to_owned(),
        number: 0,
        started_at,
        finished_at,
        status: status.as_str().to_owned(),
        summary: findings.summary.clone(),
        detail,
    })?;
    Ok(WorkerReport {
        worker: line.kind,
        priority: line.priority,
        number,
        success: status == RunStatus::Done,
        status,
        started_at,
        duration_ms: u64::try_from(leash.began.elapsed().as_millis()).unwrap_or(u64::MAX),
        output: findings.summary,
        figures: findings.figures,
        alerts,
    })
}

fn judged(outcome: Result<Findings, Trouble>, leash: &Leash<'_>) -> (RunStatus, Findings) {
    match outcome {
        Ok(findings) => (RunStatus::Done, findings),
        Err(Trouble::Unavailable(why)) => (RunStatus::Unavailable, Findings::new(why)),
        Err(Trouble::Stopped) if leash.is_over() => {
            let after = leash.timeout.as_secs();
            (
                RunStatus::TimedOut,
                Findings::new(format!("stopped after {after} s; what it did until then stays")),
            )
        }
        Err(Trouble::Stopped) => {
            (RunStatus::Cancelled, Findings::new("stopped; what it did until then stays"))
        }
        Err(error) => {
            let mut why = error.to_string();
            let mut source = std::error::Error::source(&error);
            while let Some(cause) = source {
                why.push_str(&format!(": {cause}"));
                source = cause.source();
            }
            (RunStatus::Failed, Findings::new(why))
        }
    }
}
