//! Trajectories as the file holds them.

use std::borrow::Cow;

use jiff::Timestamp;
use peri_types::{Namespace, PatternId, SpaceId, TurnId};
use serde::{Deserialize, Serialize};

use super::entry::{Record, number_fault, text_fault};
use super::kept::Kept;

/// One step of a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// What was done.
    pub input: String,
    /// What came of it.
    #[serde(default)]
    pub output: String,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
    /// How sure whoever did it was, from 0 to 1.
    #[serde(default = "sure")]
    pub confidence: f32,
}

fn sure() -> f32 {
    1.0
}

/// A trajectory. The first four fields are those that every learning file has; the others are missing in files of
/// others.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryRecord {
    /// Its identity; any text in files of others.
    pub id: String,
    /// What was done, in order.
    #[serde(default)]
    pub steps: Vec<Kept<StepRecord>>,
    /// How it ended: `success`, `partial` or `failure`.
    pub outcome: String,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
    /// The namespace it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Namespace>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The turn of the journal it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// What was to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The field it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// When it was recorded, in files of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// The patterns that were followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternId>,
    /// When patterns were last drawn from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distilled_at: Option<Timestamp>,
    /// The vector of the task; empty if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub embedding: Vec<f32>,
    /// The space of the vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceId>,
}

impl Record for TrajectoryRecord {
    const KIND: &'static str = "trajectory";

    fn key(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn fault(&self) -> Option<String> {
        let own = [
            Some(&self.id),
            self.session.as_ref(),
            self.task.as_ref(),
            self.domain.as_ref(),
            self.agent.as_ref(),
        ];
        let steps = self.steps.iter().flat_map(|step| [&step.record.input, &step.record.output]);
        text_fault(own.into_iter().flatten().chain(steps).map(String::as_str))
            .or_else(|| number_fault("embedding", &self.embedding))
            .or_else(|| {
                number_fault("a step's confidence", self.steps.iter().map(|step| &step.record.confidence))
            })
    }
}
