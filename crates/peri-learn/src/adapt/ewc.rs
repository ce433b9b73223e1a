//! Elastic weight consolidation: what earlier tasks need of the weights stays, and the rest is free to move.
//!
//! After a task is learned, the Fisher information of each weight says how sharply that task's results depend on it.
//! Training on the next task pays `strength / 2 · F (weight - anchor)²` for moving a weight. The information of all
//! tasks is summed into one number a weight, older tasks counting a little less, so that memory does not grow.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::adapter::{DIMENSIONS_MAX, FORMAT, RANK_MAX};
use super::loss::{Case, Parameters, add_fisher};
use super::{AdaptError, Adapter, Example};

/// What remains of the information of earlier tasks when another is learned.
const KEPT_A_TASK: f64 = 0.9;

/// Of so many tasks, the latest, is known which directions they need.
const TASKS_MAX: usize = 32;

/// What is protected of an adapter, and how strongly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Consolidation {
    strength: f32,
    tasks_learned: u32,
    /// The information about each weight, summed over the examples of all tasks; empty before the first.
    fisher: Vec<f32>,
    /// The weights when the last task was learned.
    anchor: Vec<f32>,
    /// What each of the latest tasks needs of each direction, by number and name.
    tasks: Vec<(String, Vec<f32>)>,
}

impl Consolidation {
    /// Nothing to protect yet.
    pub fn new(strength: f32) -> Self {
        let strength = if strength.is_finite() { strength.max(0.0) } else { 0.0 };
        Self { strength, tasks_learned: 0, fisher: Vec::new(), anchor: Vec::new(), tasks: Vec::new() }
    }

    /// How many tasks were learned.
    pub fn tasks_learned(&self) -> u32 {
        self.tasks_learned
    }

    /// How strongly they are protected.
    pub fn protection_strength(&self) -> f32 {
        self.strength
    }

    /// What each of the latest tasks needs: the information about each direction of the adapter, by the task's name.
    pub fn task_weights(&self) -> BTreeMap<String, Vec<f32>> {
        self.tasks.iter().cloned().collect()
    }

    /// The information about each weight: all rows of `u`, then all rows of `v`.
    pub fn fisher(&self) -> &[f32] {
        &self.fisher
    }

    /// The weights that are protected, in the same order.
    pub fn anchor(&self) -> &[f32] {
        &self.anchor
    }

    /// The same, protecting more or less strongly.
    pub fn with_strength(mut self, strength: f32) -> Self {
        self.strength = Self::new(strength).strength;
        self
    }

    /// The same after a task was learned: its information is computed from its examples, as the adapter sees them.
    pub fn after(&self, task: &str, adapter: &Adapter, examples: &[&Example]) -> Result<Self, AdaptError> {
        let parameters = adapter.parameters();
        if self.tasks_learned > 0 && self.fisher.len() != parameters.values.len() {
            return Err(AdaptError::Unlike);
        }
        let mut sums = vec![0.0; parameters.values.len()];
        for example in examples {
            example.check(adapter.dimensions())?;
            add_fisher(&parameters, &Case::of(example), &mut sums);
        }
        let mut tasks = self.tasks.clone();
        tasks.retain(|(known, _)| known != task);
        tasks.push((task.to_owned(), by_direction(&sums, &parameters)));
        tasks.drain(..tasks.len().saturating_sub(TASKS_MAX));
        let earlier = self.fisher.iter().map(|value| KEPT_A_TASK * f64::from(*value));
        let earlier = earlier.chain(std::iter::repeat(0.0));
        Ok(Self {
            strength: self.strength,
            tasks_learned: self.tasks_learned.saturating_add(1),
            fisher: sums.iter().zip(earlier).map(|(own, earlier)| (own + earlier) as f32).collect(),
            anchor: parameters.values.iter().map(|value| *value as f32).collect(),
            tasks,
        })
    }

    /// Takes a step toward the anchor, as far as each weight is protected. The step is taken from where it leads to, so
    /// that no strength makes it overshoot.
    pub(super) fn draw_back(&self, parameters: &mut Parameters, rate: f64, cases: usize) {
        let factor = rate * f64::from(self.strength) / cases.max(1) as f64;
        for ((value, fisher), anchor) in parameters.values.iter_mut().zip(&self.fisher).zip(&self.anchor) {
            let pull = factor * f64::from(*fisher);
            *value = (*value + pull * f64::from(*anchor)) / (1.0 + pull);
        }
    }

    /// Whether it protects weights of another size.
    pub(super) fn is_unlike(&self, weights: usize) -> bool {
        !self.fisher.is_empty() && self.fisher.len() != weights
    }
}

/// The information about the weights of each direction together.
fn by_direction(sums: &[f64], parameters: &Parameters) -> Vec<f32> {
    let (u, v) = sums.split_at(sums.len() / 2);
    let rows = u.chunks_exact(parameters.dimensions).zip(v.chunks_exact(parameters.dimensions));
    rows.map(|(u, v)| u.iter().chain(v).sum::<f64>() as f32).collect()
}

/// A consolidation as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: u32,
    protection_strength: f32,
    tasks_learned: u32,
    fisher: Vec<f32>,
    anchor: Vec<f32>,
    tasks: Vec<(String, Vec<f32>)>,
}

impl TryFrom<Written> for Consolidation {
    type Error = AdaptError;

    fn try_from(written: Written) -> Result<Self, AdaptError> {
        let Written { format, protection_strength: strength, tasks_learned, fisher, anchor, tasks } = written;
        if format != FORMAT {
            return Err(AdaptError::Format { given: format });
        }
        let most = 2 * RANK_MAX * DIMENSIONS_MAX;
        if fisher.len() != anchor.len() || fisher.len() > most || tasks.len() > TASKS_MAX {
            return Err(AdaptError::Size { expected: fisher.len(), given: anchor.len() });
        }
        let numbers = tasks.iter().flat_map(|(_, weights)| weights).chain(&fisher);
        if !numbers.chain([&strength]).all(|value| value.is_finite() && *value >= 0.0) {
            return Err(AdaptError::NotANumber { what: "the information about a weight" });
        }
        if !anchor.iter().all(|value| value.is_finite()) {
            return Err(AdaptError::NotANumber { what: "a protected weight" });
        }
        Ok(Self { strength, tasks_learned, fisher, anchor, tasks })
    }
}

impl From<Consolidation> for Written {
    fn from(own: Consolidation) -> Self {
        let Consolidation { strength: protection_strength, tasks_learned, fisher, anchor, tasks } = own;
        Self { format: FORMAT, protection_strength, tasks_learned, fisher, anchor, tasks }
    }
}
