//! Recording: what was to be done, what was done, and how it ended.

use peri_store::{TrajectoryPage, TrajectoryQuery, Write, Written};
use peri_types::{
    LimitError, Namespace, PatternId, Scope, TaskOutcome, Timestamp, Trajectory, TrajectoryId,
    TrajectoryStep, TurnId,
};
use serde::{Deserialize, Serialize};

use crate::engine::{Core, Perihelion};
use crate::redact::redact_text;
use crate::{Claim, Error, Outcome, RedactedSecret, Redaction};

/// So many steps of a task are kept at most.
pub(super) const STEPS_MAX: usize = 1000;

/// A task may have followed so many patterns.
const PATTERNS_MAX: usize = 100;

/// A task to record. What was to be done and how it ended must be given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTrajectory {
    /// Where it belongs.
    #[serde(default)]
    pub namespace: Namespace,
    /// What was to be done.
    pub task: String,
    /// How it ended.
    pub outcome: TaskOutcome,
    /// The field it belongs to, such as `security`; found by its words if left out.
    #[serde(default)]
    pub domain: Option<String>,
    /// Who did it, such as `tester`.
    #[serde(default)]
    pub agent: Option<String>,
    /// What was done, in order.
    #[serde(default)]
    pub steps: Vec<TrajectoryStep>,
    /// The patterns that were followed: how it ended counts for them.
    #[serde(default)]
    pub patterns: Vec<PatternId>,
    /// The conversation it belongs to.
    #[serde(default)]
    pub session: Option<String>,
    /// The turn of the journal it was made from.
    #[serde(default)]
    pub turn: Option<TurnId>,
    /// When it ended; now unless said otherwise.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// How long it took; what its steps took together unless said otherwise.
    #[serde(default)]
    pub duration_ms: Option<u64>,
    /// Its id, where it has one already. Recording the same id again changes nothing.
    #[serde(default)]
    pub id: Option<TrajectoryId>,
}

impl NewTrajectory {
    /// A task that ended like this.
    pub fn new(task: impl Into<String>, outcome: TaskOutcome) -> Self {
        Self {
            namespace: Namespace::default(),
            task: task.into(),
            outcome,
            domain: None,
            agent: None,
            steps: Vec::new(),
            patterns: Vec::new(),
            session: None,
            turn: None,
            at: None,
            duration_ms: None,
            id: None,
        }
    }

    /// The same in another namespace.
    pub fn in_namespace(mut self, namespace: Namespace) -> Self {
        self.namespace = namespace;
        self
    }

    /// The same, done by this agent.
    pub fn by(mut self, agent: impl Into<String>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// The same with another step.
    pub fn step(mut self, input: impl Into<String>, output: impl Into<String>) -> Self {
        let (input, output) = (input.into(), output.into());
        self.steps.push(TrajectoryStep { input, output, duration_ms: 0, confidence: 1.0 });
        self
    }

    /// The same, following a pattern.
    pub fn following(mut self, pattern: PatternId) -> Self {
        self.patterns.push(pattern);
        self
    }
}

/// What became of a task that was to be recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrajectoryReceipt {
    /// The trajectory.
    pub id: TrajectoryId,
    /// Where it is.
    pub namespace: Namespace,
    /// The field it belongs to.
    pub domain: String,
    /// Stored; merged if it was recorded before; or queued until the store answers.
    pub outcome: Outcome,
    /// Secrets that were taken out before anything was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
}

impl Perihelion {
    /// Records the steps of a task. What follows from it is drawn by [`Perihelion::distil`], which the workers call.
    pub fn record_trajectory(&self, new: NewTrajectory) -> Result<TrajectoryReceipt, Error> {
        self.record_trajectory_once(None, new)
    }

    /// The same, once for a request: whoever makes it again gets the first receipt.
    ///
    /// # Errors
    /// Also [`Error::MadeBefore`], if another process made it meanwhile.
    pub fn record_trajectory_once(
        &self,
        claim: Option<&Claim>,
        new: NewTrajectory,
    ) -> Result<TrajectoryReceipt, Error> {
        let core = &self.core;
        core.check_new_trajectory(&new)?;
        if let Some(made) = Claim::made(claim)? {
            return Ok(made);
        }
        let now = core.now();
        let (trajectory, redacted) = core.trajectory_of(new, now);
        let (id, namespace) = (trajectory.id, trajectory.namespace.clone());
        let domain = trajectory.domain.clone();
        let mut receipt = TrajectoryReceipt { id, namespace, domain, outcome: Outcome::Stored, redacted };
        let claim = core.claiming(claim, &receipt)?;
        let write = Write::RecordTrajectory { trajectory: Box::new(trajectory), at: now };
        receipt.outcome = match core.write_claimed(claim, vec![write])?.pop() {
            Some(Written::Appended(0) | Written::Repeated) => Outcome::Merged,
            Some(Written::Queued) => Outcome::Queued,
            _ => Outcome::Stored,
        };
        core.nudge();
        Ok(receipt)
    }

    /// Trajectories page by page.
    pub fn trajectories(&self, query: &TrajectoryQuery) -> Result<TrajectoryPage, Error> {
        self.core.options.limits.check_results(query.limit)?;
        // Fields are kept in lower case.
        let domain = query.domain.as_ref().map(|domain| domain.trim().to_lowercase());
        Ok(self.core.store.trajectories(&TrajectoryQuery { domain, ..query.clone() })?)
    }

    /// One trajectory.
    pub fn trajectory(&self, scope: &Scope, id: TrajectoryId) -> Result<Trajectory, Error> {
        self.core.store.trajectory(scope, id)?.ok_or(Error::NoTrajectory { id })
    }
}

impl Core {
    fn check_new_trajectory(&self, new: &NewTrajectory) -> Result<(), Error> {
        let limits = &self.options.limits;
        limits.check_content(&new.task)?;
        let labels = [("session", &new.session), ("domain", &new.domain), ("agent", &new.agent)];
        let given = labels.iter().filter_map(|(what, label)| Some((*what, label.as_deref()?)));
        given.into_iter().try_for_each(|(what, label)| limits.check_label(what, label))?;
        if new.steps.len() > STEPS_MAX {
            let (what, size, max) = ("list of steps", new.steps.len(), STEPS_MAX);
            return Err(LimitError::TooLarge { what, size, unit: "items", max, setting: "fixed" }.into());
        }
        for step in &new.steps {
            limits.check_journal_text("step", &step.input)?;
            limits.check_journal_text("output of a step", &step.output)?;
            if !(0.0..=1.0).contains(&step.confidence) {
                return Err(Error::Confidence { given: step.confidence });
            }
        }
        let bytes = new.steps.iter().map(|step| step.input.len() + step.output.len()).sum();
        limits.check_journal_json("steps", bytes)?;
        if new.patterns.len() > PATTERNS_MAX {
            let (what, size, max) = ("list of patterns", new.patterns.len(), PATTERNS_MAX);
            return Err(LimitError::TooLarge { what, size, unit: "items", max, setting: "fixed" }.into());
        }
        Ok(())
    }

    /// The trajectory that a request asks for, with secrets taken out.
    fn trajectory_of(&self, mut new: NewTrajectory, now: Timestamp) -> (Trajectory, Vec<RedactedSecret>) {
        let mut redacted = Vec::new();
        if self.options.redaction == Redaction::On {
            let labels = [&mut new.session, &mut new.agent, &mut new.domain].into_iter().flatten();
            labels.for_each(|label| redact_text(label, &mut redacted));
            redact_text(&mut new.task, &mut redacted);
            for step in &mut new.steps {
                redact_text(&mut step.input, &mut redacted);
                redact_text(&mut step.output, &mut redacted);
            }
        }
        let domain =
            new.domain.map(|domain| domain.trim().to_lowercase()).filter(|domain| !domain.is_empty());
        new.patterns.sort();
        new.patterns.dedup();
        let spent = new.steps.iter().fold(0_u64, |sum, step| sum.saturating_add(step.duration_ms));
        let trajectory = Trajectory {
            id: new.id.unwrap_or_else(|| TrajectoryId::generate(now)),
            namespace: new.namespace,
            session: new.session,
            turn: new.turn,
            domain: domain.unwrap_or_else(|| peri_learn::domains::domain_of(&new.task).to_owned()),
            task: new.task,
            agent: new.agent,
            steps: new.steps,
            outcome: new.outcome,
            at: new.at.unwrap_or(now),
            // Stores count in signed numbers, and nothing takes so long.
            duration_ms: new.duration_ms.unwrap_or(spent).min(i64::MAX.unsigned_abs()),
            patterns: new.patterns,
            distilled_at: None,
        };
        (trajectory, redacted)
    }
}
