//! How a router learns.

use serde::{Deserialize, Serialize};

/// How the agents' numbers become probabilities, and so whom an outcome speaks about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// Agents share one certainty: what one gains the others lose.
    #[default]
    Shared,
    /// Each agent is judged by itself, and an outcome says nothing about the others. It is here to be compared with:
    /// who only ever sees successes learns nothing about whom to prefer.
    Apart,
}

/// How a router learns. The defaults were chosen by cross-validation on the training part of `bench/routing`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// How far one outcome moves the weights.
    pub learning_rate: f32,
    /// How strongly weights are drawn back to zero whenever they are used.
    pub decay: f32,
    /// How many earlier outcomes are gone over again with each new one.
    pub rehearsals: usize,
    /// How many earlier outcomes are kept for that; the oldest leave.
    pub earlier_max: usize,
    /// How an outcome of one agent speaks about the others.
    pub link: Link,
}

impl Default for Settings {
    fn default() -> Self {
        Self { learning_rate: 0.3, decay: 1e-4, rehearsals: 8, earlier_max: 512, link: Link::Shared }
    }
}

impl Settings {
    /// The nearest settings with which learning cannot run away.
    pub(super) fn within_reason(mut self) -> Self {
        let plain = Self::default();
        self.learning_rate = bounded(self.learning_rate, 1e-4, 10.0, plain.learning_rate);
        self.decay = bounded(self.decay, 0.0, 0.1, plain.decay);
        self.rehearsals = self.rehearsals.min(64);
        self.earlier_max = self.earlier_max.min(4096);
        self
    }
}

fn bounded(value: f32, min: f32, max: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value.clamp(min, max) } else { otherwise }
}
