//! How good a pattern is, by what came of following it.
//!
//! Quality estimates the chance that following a pattern succeeds. It begins as a guess that counts as much as
//! [`BankSettings::prior_weight`] outcomes, and each outcome of value `v` moves it:
//!
//! ```text
//! weight  = min(prior_weight + uses, prior_weight + outcomes_remembered)
//! quality = (quality · weight + v) / (weight + 1)        success v = 1, partial v = 0.5, failure v = 0
//! ```
//!
//! As long as fewer outcomes than are remembered have been seen, this is the mean of the guess and of all outcomes, so
//! their order does not matter. After that a strategy that has stopped working is noticed: the latest outcomes count
//! for more, and swapping two neighbours changes quality by at most `1 / (weight + 1)²`.
//! Uses counts every outcome, successes only the full ones; what was reached in part lives in the quality.

use jiff::Timestamp;
use peri_types::{Pattern, TaskOutcome};

use super::settings::{BankSettings, START_QUALITY};

/// What an outcome is worth, from 0 to 1.
pub fn outcome_value(outcome: TaskOutcome) -> f32 {
    match outcome {
        TaskOutcome::Success => 1.0,
        TaskOutcome::Partial => 0.5,
        TaskOutcome::Failure => 0.0,
    }
}

/// Notes that a pattern was followed and what came of it.
pub fn record_outcome(pattern: &mut Pattern, outcome: TaskOutcome, at: Timestamp, settings: &BankSettings) {
    let remembered = pattern.uses.min(settings.outcomes_remembered);
    let weight = prior(settings) + f64::from(remembered);
    let moved =
        (f64::from(sound(pattern.quality)) * weight + f64::from(outcome_value(outcome))) / (weight + 1.0);
    pattern.quality = sound(moved as f32);
    pattern.uses = pattern.uses.saturating_add(1);
    if outcome == TaskOutcome::Success {
        pattern.successes = pattern.successes.saturating_add(1);
    }
    pattern.used_at = pattern.used_at.max(Some(at));
}

/// The quality of something that is known by these outcomes alone.
pub fn estimate(outcomes: impl IntoIterator<Item = TaskOutcome>, settings: &BankSettings) -> f32 {
    let mut sum = prior(settings) * f64::from(START_QUALITY);
    let mut weight = prior(settings);
    for outcome in outcomes {
        sum += f64::from(outcome_value(outcome));
        weight += 1.0;
    }
    sound((sum / weight) as f32)
}

/// The quality of two patterns that say the same: the mean, each counting for as many outcomes as it has seen.
pub(super) fn joined(one: &Pattern, other: &Pattern, settings: &BankSettings) -> f32 {
    let weight =
        |pattern: &Pattern| prior(settings) + f64::from(pattern.uses.min(settings.outcomes_remembered));
    let (first, second) = (weight(one), weight(other));
    let sum = f64::from(sound(one.quality)) * first + f64::from(sound(other.quality)) * second;
    sound((sum / (first + second)) as f32)
}

/// A quality that can be reckoned with, whatever a file or a caller has put there.
pub(super) fn sound(quality: f32) -> f32 {
    if quality.is_finite() { quality.clamp(0.0, 1.0) } else { START_QUALITY }
}

/// Never zero, so that one outcome alone cannot make a quality of 0 or 1.
fn prior(settings: &BankSettings) -> f64 {
    f64::from(settings.prior_weight).max(1.0)
}
