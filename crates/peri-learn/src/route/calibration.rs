//! How honest a confidence is: that of .8 should be right four times in five.
//!
//! Each outcome is predicted before it is learned. The latest of these predictions are kept, and a temperature is fitted
//! to them that makes what the model is sure of as sure as it was right. Dividing by a temperature never changes the
//! order of the agents.

use std::collections::VecDeque;

use super::{Link, model};

/// One confidence and how right it was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// What was claimed, from 0 to 1.
    pub confidence: f32,
    /// What came of it: 1 for right, 0 for wrong, or a share.
    pub right: f32,
}

const BINS: usize = 10;

/// How far confidences are from what came of them on average: ten bins of equal width, the distance of the two means in
/// each, weighted by how many are in it. Zero for none.
pub fn expected_calibration_error(judgements: &[Judgement]) -> f32 {
    let mut bins = [(0.0_f64, 0.0_f64); BINS];
    for one in judgements {
        let place = (f64::from(one.confidence.clamp(0.0, 1.0)) * BINS as f64) as usize;
        let (confidence, right) = &mut bins[place.min(BINS - 1)];
        *confidence += f64::from(one.confidence);
        *right += f64::from(one.right);
    }
    let distance: f64 = bins.iter().map(|(confidence, right)| (confidence - right).abs()).sum();
    (distance / judgements.len().max(1) as f64) as f32
}

/// What was thought of a task before its outcome was known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prediction {
    /// Each agent's number.
    pub logits: Vec<f32>,
    /// Who did it.
    pub agent: usize,
    /// What came of it, from 0 to 1.
    pub worth: f32,
}

/// How many predictions are kept. The model goes on learning, so older ones tell of another model.
pub(super) const PREDICTIONS_MAX: usize = 256;
/// The temperature is fitted anew after as many predictions.
const REFIT_EVERY: u64 = 8;
/// The temperature that one begins with. The table's numbers are kept small, so that outcomes can overrule them; divided by
/// this they are as sure as the table is right.
const TEMPERATURE_AT_FIRST: f32 = 0.65;
/// How hard it is to move away from it.
const CAUTION: f32 = 8.0;
const LOG_TEMPERATURE_MAX: f32 = 1.6;

/// The latest predictions and the temperature that fits them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Calibration {
    pub predictions: VecDeque<Prediction>,
    pub temperature: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { predictions: VecDeque::new(), temperature: TEMPERATURE_AT_FIRST }
    }
}

impl Calibration {
    /// Notes a prediction whose outcome is known now; `count` is how many there have been before.
    pub(super) fn note(&mut self, prediction: Prediction, count: u64, link: Link) {
        if self.predictions.len() == PREDICTIONS_MAX {
            self.predictions.pop_front();
        }
        self.predictions.push_back(prediction);
        if count.is_multiple_of(REFIT_EVERY) {
            self.temperature = self.fitted(link);
        }
    }

    /// Golden-section search for the temperature with the least loss.
    fn fitted(&self, link: Link) -> f32 {
        const SHRINK: f32 = 0.618_034;
        const STEPS: usize = 18;
        let (mut low, mut high) = (-LOG_TEMPERATURE_MAX, LOG_TEMPERATURE_MAX);
        for _ in 0..STEPS {
            let (left, right) = (high - SHRINK * (high - low), low + SHRINK * (high - low));
            if self.loss(left, link) < self.loss(right, link) {
                high = right;
            } else {
                low = left;
            }
        }
        f32::midpoint(low, high).exp()
    }

    fn loss(&self, log_temperature: f32, link: Link) -> f32 {
        let temperature = log_temperature.exp();
        let one = |prediction: &Prediction| {
            let chances = model::probabilities(&prediction.logits, temperature, link);
            let chance = chances[prediction.agent].clamp(1e-6, 1.0 - 1e-6);
            -prediction.worth * chance.ln() - (1.0 - prediction.worth) * (1.0 - chance).ln()
        };
        self.predictions.iter().map(one).sum::<f32>()
            + CAUTION * (log_temperature - TEMPERATURE_AT_FIRST.ln()).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(confidence: f32, right: f32) -> Judgement {
        Judgement { confidence, right }
    }

    #[test]
    fn the_error_is_nothing_for_honest_and_everything_for_dishonest_confidences() {
        assert_eq!(expected_calibration_error(&[]), 0.0);
        assert_eq!(expected_calibration_error(&[judged(1.0, 1.0), judged(0.0, 0.0)]), 0.0);
        assert_eq!(expected_calibration_error(&[judged(1.0, 0.0), judged(0.0, 1.0)]), 1.0);
        let four_of_five: Vec<Judgement> =
            (0..5).map(|at| judged(0.8, f32::from(u8::from(at > 0)))).collect();
        assert!(expected_calibration_error(&four_of_five) < 1e-6);
    }

    #[test]
    fn whoever_is_too_sure_is_cooled_down_and_whoever_is_too_modest_warmed_up() {
        let note = |sure: f32, right: u64| {
            let mut calibration = Calibration::default();
            for at in 0..80 {
                let worth = f32::from(u8::from(at % 10 < right));
                calibration.note(Prediction { logits: vec![sure, 0.0], agent: 0, worth }, at, Link::Shared);
            }
            calibration.temperature
        };
        assert!(note(4.0, 7) > 1.5, "98 % claimed, 70 % right");
        assert!(note(0.4, 9) < 0.5, "60 % claimed, 90 % right");
        assert!((note(1.386, 8) - 1.0).abs() < 0.25, "80 % claimed and right");
    }
}
