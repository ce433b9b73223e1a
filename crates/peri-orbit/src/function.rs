//! The memory function: how near a memory should be, and why.

use peri_types::Importance;

use crate::settings::{OrbitSettings, Weights};
use crate::zones::Body;

/// The memory function's value, with the terms it is made of. Each lies between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The weighted mean of the terms.
    pub total: f64,
    /// How often it was recalled, up to saturation.
    pub recall: f64,
    /// How lately it was used; 1 for what is pinned.
    pub freshness: f64,
    /// How much it was said to matter.
    pub importance: f64,
    /// How close it is to what the session is about. Without one, the other terms share its weight.
    pub context: Option<f64>,
}

/// The score of a memory at a time, in milliseconds since the epoch.
pub fn score(settings: &OrbitSettings, body: &Body, context: Option<f64>, now: i64) -> Score {
    let recall = recall_term(body.recalls, ln_saturation(settings));
    let freshness = if body.pinned { 1.0 } else { freshness_term(settings, body.last_used, now) };
    let importance = importance_term(body.importance);
    let context = context.map(unit);
    let weights = &settings.weights;
    let mut terms =
        vec![(weights.recall, recall), (weights.freshness, freshness), (weights.importance, importance)];
    terms.extend(context.map(|context| (weights.context, context)));
    let weight: f64 = terms.iter().map(|(weight, _)| unit(*weight)).sum();
    let weighed: f64 = terms.iter().map(|(weight, term)| unit(*weight) * term).sum();
    let total = if weight > 0.0 { unit(weighed / weight) } else { 0.0 };
    Score { total, recall, freshness, importance, context }
}

/// The weights of recall, freshness and importance when there is no context.
pub(crate) fn without_context(weights: &Weights) -> [f64; 3] {
    let weights = [unit(weights.recall), unit(weights.freshness), unit(weights.importance)];
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 { weights.map(|weight| weight / sum) } else { [0.0; 3] }
}

pub(crate) fn ln_saturation(settings: &OrbitSettings) -> f64 {
    f64::from(settings.saturation.max(1)).ln_1p()
}

pub(crate) fn recall_term(recalls: u64, ln_saturation: f64) -> f64 {
    if recalls == 0 { 0.0 } else { ((recalls as f64).ln_1p() / ln_saturation).min(1.0) }
}

/// To six digits, so that a narrow 0.7 counts as 0.7 and not as a hair less.
pub(crate) fn importance_term(importance: Importance) -> f64 {
    f64::from((f64::from(importance.value()) * 1e6 + 0.5) as u32) / 1e6
}

fn freshness_term(settings: &OrbitSettings, last_used: i64, now: i64) -> f64 {
    let idle = now.saturating_sub(last_used).max(0) as f64;
    (-idle / settings.half_life.as_millis().max(1) as f64).exp2()
}

/// The nearest number from 0 to 1; what is no number counts as 0.
fn unit(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}
