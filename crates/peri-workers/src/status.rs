//! How the workers are.

use perihelion::{AlertRecord, Timestamp, WorkerRun};
use serde::Serialize;

use crate::kind::{WorkerKind, WorkerPriority};

/// Where a worker is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Running {
    /// Nowhere.
    No,
    /// In this process.
    Here,
    /// In another one.
    Elsewhere,
}

/// How one worker is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerStatus {
    /// Which one.
    pub worker: WorkerKind,
    /// What it is for.
    pub purpose: String,
    /// How much it matters.
    pub priority: WorkerPriority,
    /// How often it runs, in seconds.
    pub interval_seconds: u64,
    /// Whether it runs by itself.
    pub enabled: bool,
    /// Where it is at work.
    pub running: Running,
    /// Its last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<WorkerRun>,
    /// When it is due; none if it does not run by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_run_at: Option<Timestamp>,
    /// How many of its runs are kept.
    pub runs: u64,
    /// How many of those did what they should.
    pub successes: u64,
    /// How much it found that still is so.
    pub open_alerts: u64,
}

/// How all of them are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkersStatus {
    /// Whether this process runs them as they become due.
    pub scheduled: bool,
    /// Why what is due waits, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// The folder of code that some of them look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// Each of them.
    pub workers: Vec<WorkerStatus>,
    /// What they found and still is so, the latest first.
    pub alerts: Vec<AlertRecord>,
}
