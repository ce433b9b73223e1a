//! The router: asks the table and the model, and learns from outcomes.

use peri_types::{SpaceId, TaskOutcome};
use serde::{Deserialize, Serialize};

use super::agents::{self, Agents};
use super::calibration::{Calibration, Prediction};
use super::earlier::{Earlier, Past, Rounded};
use super::features::Features;
use super::model::{self, Input, Meaning, Model};
use super::reason::Route;
use super::saved::Saved;
use super::weights::Weights;
use super::{RouteError, Settings, explain, table};

/// The longest vectors a router reads.
pub(super) const DIMENSIONS_MAX: usize = 8192;
/// What a pattern that is alike in everything and never fails is worth, as much as about two keywords of the table.
const PATTERN: f32 = 4.0;
/// A pattern whose similarity times quality is below this says nothing.
const PATTERN_MIN: f32 = 0.35;

/// Something to be done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Task<'a> {
    /// What is to be done, as somebody wrote it.
    pub text: &'a str,
    /// Its vector, if there is one.
    pub vector: Option<&'a [f32]>,
    /// The space of the vector. A vector without one is not used.
    pub space: Option<&'a SpaceId>,
}

impl<'a> Task<'a> {
    /// A task without a vector.
    pub fn of(text: &'a str) -> Self {
        Self { text, vector: None, space: None }
    }

    /// The same with a vector of this space.
    pub fn with_vector(self, vector: &'a [f32], space: &'a SpaceId) -> Self {
        Self { vector: Some(vector), space: Some(space), ..self }
    }
}

/// A pattern that matches a task and names an agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatternVote<'a> {
    /// Who should do it.
    pub agent: &'a str,
    /// How similar pattern and task are, from 0 to 1.
    pub similarity: f32,
    /// How well the pattern works, from 0 to 1.
    pub quality: f32,
}

impl PatternVote<'_> {
    /// What it adds to its agent's number; nothing if it is too weak.
    pub(super) fn worth(&self) -> f32 {
        let strength = self.similarity.clamp(0.0, 1.0) * self.quality.clamp(0.0, 1.0);
        if strength >= PATTERN_MIN { PATTERN * strength } else { 0.0 }
    }
}

/// Routes tasks to agents and learns from what came of it. See the module's page.
///
/// The same outcomes in the same order give the same router. It is kept and read with serde; what is read is checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Router {
    pub(super) settings: Settings,
    pub(super) agents: Agents,
    pub(super) model: Model,
    pub(super) past: Past,
    pub(super) calibration: Calibration,
    /// How many outcomes were learned.
    pub(super) learned: u64,
}

impl Default for Router {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl Router {
    /// A router that knows the table and nothing else.
    pub fn new(settings: Settings) -> Self {
        let agents = Agents::of_the_table();
        Self {
            settings: settings.within_reason(),
            model: Model::new(agents.count()),
            agents,
            past: Past::default(),
            calibration: Calibration::default(),
            learned: 0,
        }
    }

    /// How many outcomes were learned.
    pub fn learned(&self) -> u64 {
        self.learned
    }

    /// Everybody who can be routed to, those of the table first.
    pub fn agents(&self) -> &[String] {
        self.agents.names()
    }

    /// The space whose vectors are read; none until a task with a vector was learned.
    pub fn space(&self) -> Option<&SpaceId> {
        self.model.meaning.as_ref().map(|meaning| &meaning.space)
    }

    /// The same router with the confidences that the model has by itself, to measure what calibration brings.
    pub fn uncalibrated(mut self) -> Self {
        self.calibration.temperature = 1.0;
        self
    }

    /// Forgets what was learned about vectors, so that those of another space can be learned. Words are kept.
    pub fn leave_space(&mut self) {
        self.model.meaning = None;
        self.past.outcomes.iter_mut().for_each(|earlier| earlier.vector = None);
    }

    /// Who should take the task.
    pub fn route(&self, task: &Task<'_>) -> Route {
        self.route_with(task, &[])
    }

    /// Who should take the task, where patterns that match it have a say.
    pub fn route_with(&self, task: &Task<'_>, votes: &[PatternVote<'_>]) -> Route {
        let features = Features::of(task.text);
        let vector = self.readable(task);
        let input = Input {
            buckets: &features.buckets,
            votes: table::votes(&features.matched),
            vector: vector.as_deref(),
        };
        explain::route(self, &explain::Question { features: &features, input, votes })
    }

    /// How much the patterns speak for each agent: the best of each counts.
    pub(super) fn by_patterns(&self, votes: &[PatternVote<'_>]) -> Vec<f32> {
        let mut sums = vec![0.0_f32; self.agents.count()];
        for vote in votes {
            if let Some(place) = self.agents.place(vote.agent) {
                sums[place] = sums[place].max(vote.worth());
            }
        }
        sums
    }

    /// Learns what came of a task that an agent did.
    ///
    /// An agent that is not known yet is added, unless all that is known of it is that it failed.
    pub fn learn(&mut self, task: &Task<'_>, agent: &str, outcome: TaskOutcome) -> Result<(), RouteError> {
        agents::check_name(agent)?;
        let agent = match self.agents.place(agent) {
            Some(place) => place,
            None if outcome == TaskOutcome::Failure => return Ok(()),
            None => self.welcome(agent)?,
        };
        self.enter_space(task);
        let features = Features::of(task.text);
        let vector = self.readable(task);
        let earlier = Earlier::of(task.text, &features, vector.as_deref(), (agent, outcome));
        let input = earlier.input(vector.as_deref());
        let logits = self.model.logits(input, self.agents.count());
        let prediction = Prediction { logits, agent, worth: worth(outcome) };
        self.calibration.note(prediction, self.learned, self.settings.link);
        self.model.learn(input, agent, worth(outcome), &self.settings);
        for place in self.past.turn(self.settings.rehearsals) {
            self.rehearse_one(place);
        }
        self.past.push(earlier, self.settings.earlier_max);
        self.learned += 1;
        Ok(())
    }

    /// Learns several outcomes in order, or none if one of them cannot be learned.
    pub fn learn_all(&mut self, lessons: &[(Task<'_>, &str, TaskOutcome)]) -> Result<(), RouteError> {
        let mut next = self.clone();
        for (task, agent, outcome) in lessons {
            next.learn(task, agent, *outcome)?;
        }
        *self = next;
        Ok(())
    }

    /// Goes over the kept outcomes again, all of them in order, this many times. For when there is time to spare.
    pub fn rehearse(&mut self, rounds: usize) {
        let count = self.past.outcomes.len();
        for place in (0..rounds).flat_map(|_| 0..count) {
            self.rehearse_one(place);
        }
    }

    fn rehearse_one(&mut self, place: usize) {
        let Some(earlier) = self.past.outcomes.get(place) else { return };
        let vector = earlier.vector.as_ref().map(Rounded::to_vector);
        let input = earlier.input(vector.as_deref());
        self.model.learn(input, earlier.agent, worth(earlier.outcome), &self.settings);
    }

    fn welcome(&mut self, agent: &str) -> Result<usize, RouteError> {
        let place = self.agents.add(agent)?;
        self.model.add_agent();
        for prediction in &mut self.calibration.predictions {
            prediction.logits.push(model::NEWCOMER);
        }
        Ok(place)
    }

    /// The first space that is learned stays until [`Router::leave_space`].
    fn enter_space(&mut self, task: &Task<'_>) {
        if let (None, Some(vector), Some(space)) = (&self.model.meaning, task.vector, task.space)
            && usable(vector, space)
        {
            let weights = Weights::new(vector.len(), self.agents.count());
            self.model.meaning = Some(Meaning { space: space.clone(), weights });
        }
    }

    /// The task's vector scaled to length one, if it is of the router's space.
    fn readable(&self, task: &Task<'_>) -> Option<Vec<f32>> {
        let (vector, space) = (task.vector?, task.space?);
        if self.space() != Some(space) || !usable(vector, space) {
            return None;
        }
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        (length.is_finite() && length > f32::EPSILON)
            .then(|| vector.iter().map(|value| value / length).collect())
    }
}

fn usable(vector: &[f32], space: &SpaceId) -> bool {
    let fits = usize::try_from(space.dimensions).is_ok_and(|dimensions| dimensions == vector.len());
    fits && !vector.is_empty()
        && vector.len() <= DIMENSIONS_MAX
        && vector.iter().all(|value| value.is_finite())
}

fn worth(outcome: TaskOutcome) -> f32 {
    match outcome {
        TaskOutcome::Success => 1.0,
        TaskOutcome::Partial => 0.5,
        TaskOutcome::Failure => 0.0,
    }
}
