//! Looks for weights under which what was used scores above what was not.

use super::TunerSettings;
use super::data::Recall;

/// How sharply a pair in the wrong order counts: scores of one recall differ by about a tenth.
const SHARPNESS: f64 = 10.0;
/// How strongly the weights are drawn back to where they are. At a full step it outweighs the noise of about
/// fifty recalls.
const PULL: f64 = 4.0;
const ROUNDS: usize = 80;
const RATE: f64 = 0.03;
/// Weights that move less than this in a round have arrived.
const SETTLED: f64 = 1e-7;

/// Where weights may go in one tuning.
pub(super) struct Region {
    least: [f64; 4],
    most: [f64; 4],
}

impl Region {
    pub(super) fn around(start: &[f64; 4], settings: &TunerSettings) -> Self {
        Self {
            least: start.map(|weight| (weight - settings.step_max).max(settings.weight_min).min(weight)),
            most: start.map(|weight| (weight + settings.step_max).min(settings.weight_max).max(weight)),
        }
    }

    /// The nearest weights inside that sum to 1: all are moved alike, and stop at their bounds.
    fn nearest(&self, weights: &[f64; 4]) -> [f64; 4] {
        let moved = |by: f64| -> [f64; 4] {
            std::array::from_fn(|term| (weights[term] + by).clamp(self.least[term], self.most[term]))
        };
        let (mut low, mut high) = (-2.0, 2.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if moved(middle).iter().sum::<f64>() < 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        moved(high)
    }
}

/// The weights in the region under which these recalls are ordered best, close to the start.
pub(super) fn learn<'a>(
    start: &[f64; 4],
    recalls: impl Iterator<Item = &'a Recall> + Clone,
    region: &Region,
) -> [f64; 4] {
    let count = recalls.clone().count().max(1) as f64;
    let mut weights = *start;
    for _ in 0..ROUNDS {
        let mut change: [f64; 4] = std::array::from_fn(|term| PULL * (start[term] - weights[term]));
        for recall in recalls.clone() {
            let own = push(recall, &weights);
            (0..4).for_each(|term| change[term] += own[term] / count);
        }
        let next = region.nearest(&std::array::from_fn(|term| weights[term] + RATE * change[term]));
        let moved = (0..4).map(|term| (next[term] - weights[term]).abs()).fold(0.0, f64::max);
        weights = next;
        if moved < SETTLED {
            break;
        }
    }
    weights
}

/// Where one recall pushes the weights: the slope of the logistic loss over its pairs, which counts pairs in
/// the wrong order most.
fn push(recall: &Recall, weights: &[f64; 4]) -> [f64; 4] {
    let mut push = [0.0; 4];
    let unused: Vec<_> = recall.unused.iter().map(|one| (one.score(weights), one.slope(weights))).collect();
    for used in &recall.used {
        let (score, slope) = (used.score(weights), used.slope(weights));
        for (other_score, other_slope) in &unused {
            let force = SHARPNESS / (1.0 + (SHARPNESS * (score - other_score)).exp());
            (0..4).for_each(|term| push[term] += force * (slope[term] - other_slope[term]));
        }
    }
    let pairs = (recall.used.len() * unused.len()) as f64;
    push.map(|part| part / pairs)
}
