//! A matrix of weights that learns by AdaGrad: one row a feature, one column an agent.

use super::RouteError;
use super::codec::{self, Reader};

/// What every feature counts as having seen, so that the first outcome does not move a rare word as far as a common one.
const SEEN_AT_FIRST: f32 = 0.1;
/// No weight of a sound router comes near this.
const WEIGHT_MAX: f32 = 1e4;

/// What one step of learning is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    /// The loss's gradient for each agent.
    pub gradient: &'a [f32],
    pub learning_rate: f32,
    pub decay: f32,
}

/// Weights of features for agents. A feature's agents lie side by side, since they are read together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    agents: usize,
    values: Vec<f32>,
    /// The squared gradients each feature has seen, which make often seen ones move less.
    seen: Vec<f32>,
}

impl Weights {
    pub(super) fn new(features: usize, agents: usize) -> Self {
        Self { agents, values: vec![0.0; features * agents], seen: vec![0.0; features] }
    }

    pub(super) fn features(&self) -> usize {
        self.seen.len()
    }

    pub(super) fn row(&self, feature: usize) -> &[f32] {
        &self.values[feature * self.agents..(feature + 1) * self.agents]
    }

    pub(super) fn add_to(&self, sums: &mut [f32], feature: usize, value: f32) {
        for (sum, weight) in sums.iter_mut().zip(self.row(feature)) {
            *sum += weight * value;
        }
    }

    pub(super) fn learn(&mut self, feature: usize, value: f32, step: Step<'_>) {
        let squares: f32 = step.gradient.iter().map(|of| of * of).sum();
        let seen = &mut self.seen[feature];
        *seen += squares * value * value;
        if *seen <= 0.0 {
            return;
        }
        let rate = step.learning_rate / (*seen + SEEN_AT_FIRST).sqrt();
        let row = &mut self.values[feature * self.agents..(feature + 1) * self.agents];
        for (weight, of) in row.iter_mut().zip(step.gradient) {
            let moved = *weight - rate * (of * value + step.decay * *weight);
            *weight = moved.clamp(-WEIGHT_MAX, WEIGHT_MAX);
        }
    }

    /// One more agent, which nothing is known about.
    pub(super) fn add_agent(&mut self) {
        let width = self.agents;
        let mut values = Vec::with_capacity(self.features() * (width + 1));
        for feature in 0..self.features() {
            values.extend_from_slice(self.row(feature));
            values.push(0.0);
        }
        self.values = values;
        self.agents = width + 1;
    }

    /// The features that were ever learned: place, what was seen, weights.
    pub(super) fn to_text(&self) -> String {
        let mut bytes = Vec::new();
        for feature in (0..self.features()).filter(|at| self.seen[*at] > 0.0) {
            let place = u16::try_from(feature).unwrap_or(u16::MAX);
            bytes.extend_from_slice(&place.to_le_bytes());
            for value in std::iter::once(&self.seen[feature]).chain(self.row(feature)) {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
        codec::encode(&bytes)
    }

    pub(super) fn from_text(text: &str, features: usize, agents: usize) -> Result<Self, RouteError> {
        let damaged = RouteError::Damaged { what: "its weights" };
        let mut weights = Self::new(features, agents);
        let bytes = codec::decode(text).ok_or(damaged.clone())?;
        let mut reader = Reader::new(&bytes);
        while !reader.is_empty() {
            let feature = usize::from(reader.u16().ok_or(damaged.clone())?);
            let seen = reader.f32().filter(|seen| *seen > 0.0).ok_or(damaged.clone())?;
            *weights.seen.get_mut(feature).filter(|before| **before == 0.0).ok_or(damaged.clone())? = seen;
            for agent in 0..agents {
                let weight = reader.f32().filter(|weight| weight.abs() <= WEIGHT_MAX);
                weights.values[feature * agents + agent] = weight.ok_or(damaged.clone())?;
            }
        }
        Ok(weights)
    }
}
