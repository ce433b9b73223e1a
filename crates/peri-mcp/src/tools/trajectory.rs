//! `trajectory_record`: what was done for a task, and how it ended.

use perihelion::{NewTrajectory, PatternId, TaskOutcome, TrajectoryReceipt, TrajectoryStep};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "After a task: record what was to be done, the steps that were taken and how it ended, so \
that what works is offered the next time. Name the patterns that were followed: how it ended counts for them.";

const STEPS_MAX: usize = 1000;
const PATTERNS_MAX: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Done {
    #[schemars(length(min = 1, max = 65_536))]
    task: String,
    outcome: TaskOutcome,
    /// In order
    #[serde(default)]
    #[schemars(length(max = 1000))]
    steps: Vec<Step>,
    /// Who did it, such as tester
    agent: Option<String>,
    /// Such as security; found by the words of the task when left out
    domain: Option<String>,
    /// Ids of the patterns that were followed
    #[serde(default)]
    #[schemars(length(max = 100))]
    patterns: Vec<String>,
    session: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Such as Bash: cargo test
    input: String,
    #[serde(default)]
    output: String,
    #[serde(default)]
    duration_ms: u64,
}

pub(crate) fn record(desk: &Desk<'_>, asked: Done) -> Result<TrajectoryReceipt, Refusal> {
    bounds::text("task", &asked.task)?;
    bounds::few("steps", &asked.steps, STEPS_MAX)?;
    bounds::few("patterns", &asked.patterns, PATTERNS_MAX)?;
    let patterns: Result<Vec<PatternId>, Refusal> =
        asked.patterns.iter().map(|text| pattern(desk, text)).collect();
    let step = |step: Step| TrajectoryStep {
        input: step.input,
        output: step.output,
        duration_ms: step.duration_ms,
        confidence: 1.0,
    };
    let new = NewTrajectory {
        agent: asked.agent,
        domain: asked.domain,
        steps: asked.steps.into_iter().map(step).collect(),
        patterns: patterns?,
        session: asked.session,
        ..NewTrajectory::new(asked.task, asked.outcome).in_namespace(desk.namespace()?.clone())
    };
    Ok(desk.engine.record_trajectory(new)?)
}

/// A pattern that was followed. One that is not there is a slip: nothing would be learned about it.
fn pattern(desk: &Desk<'_>, text: &str) -> Result<PatternId, Refusal> {
    let id = text.trim().parse().map_err(|_| {
        let why = format!("{text:?} is no id; ids come from pattern_search and memory_recall");
        Refusal::argument("patterns", why)
    })?;
    Ok(desk.engine.pattern(desk.reach(), id)?.id)
}
