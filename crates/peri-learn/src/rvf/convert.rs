//! From records of the file to patterns and trajectories, and back.
//!
//! What we wrote comes back as it was; only the change number stays behind, which stores give anew. What others wrote
//! gets what it lacks: a namespace, times, a field, and an id that follows from theirs.

use jiff::Timestamp;
use peri_types::{
    ChangeNumber, Namespace, Pattern, PatternId, PatternTerm, TaskOutcome, Trajectory, TrajectoryId,
    TrajectoryStep,
};

use super::kept::Kept;
use super::pattern::PatternRecord;
use super::trajectory::{StepRecord, TrajectoryRecord};
use crate::bank::START_QUALITY;
use crate::derived_id;
use crate::domains::domain_of;

/// What a record is taken to be that does not say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its namespace.
    pub namespace: Namespace,
    /// When it came to be.
    pub at: Timestamp,
}

/// Why a record is no pattern and no trajectory. Fix the record, or leave it out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// Nobody knows what such an outcome is worth.
    #[error("trajectory {id:?} ended with {given:?}; it should be success, partial or failure")]
    UnknownOutcome {
        /// The trajectory.
        id: String,
        /// How it says it ended.
        given: String,
    },
    /// A pattern that says nothing is of no use.
    #[error("pattern {id:?} has no strategy")]
    NoStrategy {
        /// The pattern.
        id: String,
    },
}

impl PatternRecord {
    /// The record of a pattern and of the vector of its strategy. Whoever knows the vector's space adds it.
    pub fn of(pattern: &Pattern, vector: Option<Vec<f32>>) -> Self {
        let rate = f64::from(pattern.successes) / f64::from(pattern.uses.max(1));
        Self {
            id: pattern.id.to_string(),
            strategy: pattern.strategy.clone(),
            embedding: vector.unwrap_or_default(),
            success_rate: rate as f32,
            use_count: pattern.uses,
            last_used: Some(pattern.used_at.unwrap_or(pattern.created_at)),
            space: None,
            namespace: Some(pattern.namespace.clone()),
            domain: Some(pattern.domain.clone()),
            agent: pattern.agent.clone(),
            quality: Some(pattern.quality),
            successes: Some(pattern.successes),
            term: Some(pattern.term),
            is_long_term: Some(pattern.term == PatternTerm::Long),
            sources: pattern.sources.clone(),
            created_at: Some(pattern.created_at),
            used_at: pattern.used_at,
            retired_at: pattern.retired_at,
        }
    }

    /// The pattern and the vector of its strategy.
    pub fn to_pattern(&self, origin: &Origin) -> Result<(Pattern, Option<Vec<f32>>), ConvertError> {
        if self.strategy.trim().is_empty() {
            return Err(ConvertError::NoStrategy { id: self.id.clone() });
        }
        let term = if self.is_long_term == Some(true) { PatternTerm::Long } else { PatternTerm::Short };
        let is_ours = self.successes.is_some() && self.created_at.is_some();
        let used_at = if is_ours || self.use_count == 0 { self.used_at } else { self.last_used };
        let pattern = Pattern {
            id: self.id.parse().unwrap_or_else(|_| PatternId::from_bytes(derived(&self.id, self.created_at))),
            namespace: self.namespace.clone().unwrap_or_else(|| origin.namespace.clone()),
            strategy: self.strategy.clone(),
            domain: self.domain.clone().unwrap_or_else(|| domain_of(&self.strategy).to_owned()),
            agent: self.agent.clone(),
            quality: self.quality.unwrap_or_else(|| self.foreign_quality()).clamp(0.0, 1.0),
            uses: self.use_count,
            successes: self.successes.unwrap_or_else(|| self.foreign_successes()),
            term: self.term.unwrap_or(term),
            sources: self.sources.clone(),
            created_at: self.created_at.or(self.last_used).unwrap_or(origin.at),
            used_at,
            retired_at: self.retired_at,
            change: ChangeNumber::default(),
        };
        Ok((pattern, vector(&self.embedding)))
    }

    fn foreign_quality(&self) -> f32 {
        if self.use_count == 0 { START_QUALITY } else { self.success_rate }
    }

    fn foreign_successes(&self) -> u32 {
        // At most as many as uses, so it fits.
        (f64::from(self.success_rate.clamp(0.0, 1.0)) * f64::from(self.use_count)).round() as u32
    }
}

impl TrajectoryRecord {
    /// The record of a trajectory and of the vector of its task. Whoever knows the vector's space adds it.
    pub fn of(trajectory: &Trajectory, vector: Option<Vec<f32>>) -> Self {
        let step = |step: &TrajectoryStep| {
            let TrajectoryStep { input, output, duration_ms, confidence } = step.clone();
            Kept::new(StepRecord { input, output, duration_ms, confidence })
        };
        Self {
            id: trajectory.id.to_string(),
            steps: trajectory.steps.iter().map(step).collect(),
            outcome: trajectory.outcome.as_str().to_owned(),
            duration_ms: trajectory.duration_ms,
            namespace: Some(trajectory.namespace.clone()),
            session: trajectory.session.clone(),
            turn: trajectory.turn,
            task: Some(trajectory.task.clone()),
            domain: Some(trajectory.domain.clone()),
            agent: trajectory.agent.clone(),
            at: Some(trajectory.at),
            created_at: None,
            patterns: trajectory.patterns.clone(),
            distilled_at: trajectory.distilled_at,
            embedding: vector.unwrap_or_default(),
            space: None,
        }
    }

    /// The trajectory and the vector of its task.
    pub fn to_trajectory(&self, origin: &Origin) -> Result<(Trajectory, Option<Vec<f32>>), ConvertError> {
        let step = |step: &Kept<StepRecord>| {
            let StepRecord { input, output, duration_ms, confidence } = step.record.clone();
            TrajectoryStep { input, output, duration_ms, confidence: confidence.clamp(0.0, 1.0) }
        };
        let first_input = || self.steps.first().map(|step| step.record.input.clone()).unwrap_or_default();
        let task = self.task.clone().unwrap_or_else(first_input);
        let trajectory = Trajectory {
            id: self
                .id
                .parse()
                .unwrap_or_else(|_| TrajectoryId::from_bytes(derived(&self.id, self.created_at))),
            namespace: self.namespace.clone().unwrap_or_else(|| origin.namespace.clone()),
            session: self.session.clone(),
            turn: self.turn,
            domain: self.domain.clone().unwrap_or_else(|| domain_of(&task).to_owned()),
            task,
            agent: self.agent.clone(),
            steps: self.steps.iter().map(step).collect(),
            outcome: self.task_outcome()?,
            at: self.at.or(self.created_at).unwrap_or(origin.at),
            duration_ms: self.duration_ms,
            patterns: self.patterns.clone(),
            distilled_at: self.distilled_at,
        };
        Ok((trajectory, vector(&self.embedding)))
    }

    fn task_outcome(&self) -> Result<TaskOutcome, ConvertError> {
        let unknown = || ConvertError::UnknownOutcome { id: self.id.clone(), given: self.outcome.clone() };
        let lower = self.outcome.trim().to_lowercase();
        // The original has two vocabularies, one for files and one for its engine.
        let name = if lower.replace(['_', '-', ' '], "") == "partialfailure" { "partial" } else { &lower };
        name.parse().map_err(|_| unknown())
    }
}

fn vector(embedding: &[f32]) -> Option<Vec<f32>> {
    (!embedding.is_empty()).then(|| embedding.to_vec())
}

/// An id for somebody else's text, the same whenever the file is read again.
fn derived(id: &str, created_at: Option<Timestamp>) -> [u8; 16] {
    derived_id::of(id.as_bytes(), created_at.unwrap_or(Timestamp::UNIX_EPOCH))
}
