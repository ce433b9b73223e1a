//! Whether other weights order recalls better than chance explains.

use super::Evidence;
use super::data::Recall;
use super::learn::{self, Region};

/// Each part of the recalls is judged by weights learned from the others.
const PARTS: u64 = 5;

/// With less than this share of pairs in the right order, most of them are in the wrong one.
const WRONG_BELOW: f64 = 0.5;

/// Margins that differ by less are equal.
const ROUNDING: f64 = 1e-12;

/// How other weights do.
pub(super) struct Trial {
    /// By how much the share of pairs in the right order grows, or the margin where no order changes.
    pub(super) gain: f64,
    pub(super) evidence: Evidence,
}

/// Judges what would be learned on recalls that it is not learned from.
///
/// What counts is how many recalls come out in a better order. But a bounded step may be too short to turn the order of
/// any of them, however clearly all point the same way; the next step would then find the same weights, for ever. So
/// where most is in the wrong order and too few recalls change theirs for the test to tell anything, those count as
/// better in which what was used comes nearer to what stands above it.
pub(super) fn cross_validate(
    start: &[f64; 4],
    recalls: &[Recall],
    region: &Region,
    chance_max: f64,
) -> Trial {
    let learned: Vec<[f64; 4]> = (0..PARTS)
        .map(|part| learn::learn(start, recalls.iter().filter(|recall| recall.key % PARTS != part), region))
        .collect();
    let weights = |recall: &Recall| &learned[(recall.key % PARTS) as usize];
    let by_order = judge(recalls.iter().map(|recall| recall.order(weights(recall)) - recall.order(start)));
    let order: f64 = recalls.iter().map(|recall| recall.order(start)).sum::<f64>() / recalls.len() as f64;
    let changed = by_order.evidence.improved + by_order.evidence.worsened;
    if order >= WRONG_BELOW || sign_test(changed, 0) <= chance_max {
        return by_order;
    }
    judge(recalls.iter().map(|recall| {
        let gain = recall.margin(weights(recall)) - recall.margin(start);
        if gain.abs() < ROUNDING { 0.0 } else { gain }
    }))
}

/// Judges given weights on recalls that none of them was learned from.
pub(super) fn compare(from: &[f64; 4], to: &[f64; 4], recalls: &[Recall]) -> Trial {
    judge(recalls.iter().map(|recall| recall.order(to) - recall.order(from)))
}

fn judge(gains: impl Iterator<Item = f64>) -> Trial {
    let (mut sum, mut feedbacks, mut improved, mut worsened) = (0.0, 0, 0, 0);
    for gain in gains {
        sum += gain;
        feedbacks += 1;
        improved += usize::from(gain > 0.0);
        worsened += usize::from(gain < 0.0);
    }
    let chance = sign_test(improved, worsened);
    let gain = sum / f64::max(feedbacks as f64, 1.0);
    Trial { gain, evidence: Evidence { feedbacks, improved, worsened, chance } }
}

/// How likely a fair coin shows heads at least so often in so many throws.
fn sign_test(heads: usize, tails: usize) -> f64 {
    let throws = heads + tails;
    let ln_half = -(throws as f64) * std::f64::consts::LN_2;
    // The logarithm of the binomial coefficient grows by one factor a step.
    let mut ln_ways = 0.0;
    let mut chance = 0.0;
    for count in 0..=throws {
        if count > 0 {
            ln_ways += ((throws - count + 1) as f64).ln() - (count as f64).ln();
        }
        if count >= heads {
            chance += f64::exp(ln_ways + ln_half);
        }
    }
    chance.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_knows_small_numbers() {
        for (heads, tails, expected) in
            [(0, 0, 1.0), (1, 0, 0.5), (3, 0, 0.125), (2, 1, 0.5), (0, 3, 1.0), (9, 1, 11.0 / 1024.0)]
        {
            assert!((sign_test(heads, tails) - expected).abs() < 1e-12, "{heads} {tails}");
        }
    }

    #[test]
    fn the_sign_test_stays_a_probability_for_large_numbers() {
        for (heads, tails) in [(5_000, 5_000), (6_000, 4_000), (0, 10_000), (10_000, 0)] {
            let chance = sign_test(heads, tails);
            assert!((0.0..=1.0).contains(&chance), "{heads} {tails}: {chance}");
        }
        assert!((sign_test(5_000, 5_000) - 0.504).abs() < 0.001);
        assert!(sign_test(6_000, 4_000) < 1e-80);
    }
}
