//! What stores keep of what was learned: patterns with their meaning, trajectories, learned sets, and what workers did.

use peri_types::{
    ChangeNumber, Happening, MemoryId, Namespace, Pattern, Scope, Severity, TaskOutcome, Timestamp,
    Trajectory, TrajectoryId, Vector,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Order;

/// A pattern with its meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WholePattern {
    /// The pattern. The store gives it its change number.
    pub pattern: Pattern,
    /// Its vector, if it has one.
    pub vector: Option<Vector>,
    /// The change that it was read at, zero if there must be none: the call is taken back if somebody else was faster.
    /// Nothing is expected if left out.
    pub expected: Option<ChangeNumber>,
}

/// Changes that were drawn from trajectories: they are made together, once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distilled {
    /// Where.
    pub namespace: Namespace,
    /// Patterns that are new or changed.
    pub patterns: Vec<WholePattern>,
    /// The trajectories they were drawn from. The call is taken back if one of them was drawn from before.
    pub trajectories: Vec<TrajectoryId>,
    /// What is told of it.
    pub told: Vec<Happening>,
    /// When.
    pub at: Timestamp,
}

/// Which trajectories to read. `None` asks for nothing.
#[derive(Debug, Clone)]
pub struct TrajectoryQuery {
    /// Where to look.
    pub scope: Scope,
    /// Of one session.
    pub session: Option<String>,
    /// Of this field.
    pub domain: Option<String>,
    /// Done by this one.
    pub agent: Option<String>,
    /// That ended like this.
    pub outcome: Option<TaskOutcome>,
    /// Only those that nothing was drawn from yet.
    pub undistilled: bool,
    /// In which order, by id and so by the time of recording.
    pub order: Order,
    /// Go on after this id, as told by the page before.
    pub after: Option<TrajectoryId>,
    /// At most so many.
    pub limit: usize,
}

impl Default for TrajectoryQuery {
    fn default() -> Self {
        Self {
            scope: Scope::All,
            session: None,
            domain: None,
            agent: None,
            outcome: None,
            undistilled: false,
            order: Order::default(),
            after: None,
            limit: 100,
        }
    }
}

/// A part of a longer list of trajectories.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrajectoryPage {
    /// The trajectories of this page.
    pub trajectories: Vec<Trajectory>,
    /// Where the next page goes on, if there is one.
    pub next: Option<TrajectoryId>,
}

/// A pattern as it is kept, with its vector in the space that was asked for.
pub type PatternRow = (Pattern, Option<Vec<f32>>);

/// Something that was learned as a whole, such as how tasks are routed. The latest set of a name holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnedSet {
    /// What it is.
    pub name: String,
    /// Its number, which rises.
    pub number: u64,
    /// When it was taken.
    pub at: Timestamp,
    /// The set itself; null stands for nothing learned.
    pub value: Value,
    /// Why it was taken.
    pub reason: String,
}

/// Which set of a name holds, without the set itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedMark {
    /// What it is.
    pub name: String,
    /// Its number.
    pub number: u64,
    /// When it was taken.
    pub at: Timestamp,
}

/// What a namespace has learned, in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearningStats {
    /// Which namespace.
    pub namespace: Namespace,
    /// Patterns that have to prove themselves.
    pub short_term: u64,
    /// Patterns that have.
    pub long_term: u64,
    /// Patterns that were put aside.
    pub retired: u64,
    /// Trajectories.
    pub trajectories: u64,
    /// How many of them nothing was drawn from yet.
    pub undistilled: u64,
}

/// One run of a background job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerRun {
    /// Which job.
    pub worker: String,
    /// Its number among the runs of the job; the store gives it.
    pub number: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// How it ended: `done`, `failed`, `unavailable`, `cancelled` or `timed_out`.
    pub status: String,
    /// What it did, in words.
    pub summary: String,
    /// What it measured, and where it ran.
    pub detail: Value,
}

/// Something that a job found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewAlert {
    /// What tells it from the job's other findings, so that it is told once however often it is found. Of a long one
    /// the store keeps the beginning and a digest of the whole.
    pub mark: String,
    /// Where, if in one namespace.
    pub namespace: Option<Namespace>,
    /// How much it matters.
    pub severity: Severity,
    /// What was found, in words. Never a secret.
    pub message: String,
    /// The memories it is about.
    pub ids: Vec<MemoryId>,
    /// The file it is about.
    pub file: Option<String>,
}

/// Whether a job has looked at everything, so that what it does not find is no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Looked {
    /// At everything: what it found before and not now is resolved.
    Everywhere,
    /// At some of it.
    Partly,
}

/// Something that a job found, and since when.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlertRecord {
    /// Which job.
    pub worker: String,
    /// What tells it from the job's other findings.
    pub mark: String,
    /// Where, if in one namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Namespace>,
    /// How much it matters.
    pub severity: Severity,
    /// What was found.
    pub message: String,
    /// The memories it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<MemoryId>,
    /// The file it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// When it was first found.
    pub first_at: Timestamp,
    /// When it was last found.
    pub last_at: Timestamp,
    /// How often it was found.
    pub seen: u64,
    /// Since when it is no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
}
