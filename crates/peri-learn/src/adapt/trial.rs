//! The gate: an adapter is used only where it has proved itself on feedback that it was not learned from.

use std::fmt;

use super::kernel::dot;
use super::{Adapter, Example};

/// With fewer held-out questions nothing is proved.
pub const QUERIES_MIN: usize = 20;

/// An improvement that arises by chance with a higher probability than this is not believed.
pub const CHANCE_MAX: f64 = 0.05;

/// Differences of reciprocal ranks below this are rounding.
const SAME: f64 = 1e-9;

/// What came of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// It is better, and not by luck.
    Taken {
        /// By how much the mean reciprocal rank of the first memory of use grows.
        gain: f64,
        /// Over how many held-out questions.
        queries: usize,
        /// How likely chance alone does as well.
        chance: f64,
    },
    /// It is not used.
    Refused {
        /// Why.
        why: Refusal,
    },
}

/// Why an adapter is not used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Refusal {
    /// There is too little held-out feedback to tell.
    TooFew {
        /// How many questions there are.
        queries: usize,
    },
    /// It is not better, or only by as much as chance explains.
    NotProved {
        /// By how much the mean reciprocal rank changes.
        gain: f64,
        /// Over how many held-out questions.
        queries: usize,
        /// How likely chance alone does as well.
        chance: f64,
    },
    /// The two belong to different spaces.
    Unlike,
    /// The figures hold something that is no number.
    NotANumber,
}

impl Verdict {
    /// Whether it is used from now on.
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Taken { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken { gain, queries, chance } => {
                write!(f, "taken: {gain:+.3} over {queries} held-out questions (chance {chance:.4})")
            }
            Self::Refused { why: Refusal::TooFew { queries } } => {
                write!(f, "refused: {queries} held-out questions tell too little, {QUERIES_MIN} are needed")
            }
            Self::Refused { why: Refusal::NotProved { gain, queries, chance } } => {
                write!(
                    f,
                    "refused: {gain:+.3} over {queries} held-out questions may be luck (chance {chance:.4})"
                )
            }
            Self::Refused { why: Refusal::Unlike } => f.write_str("refused: it belongs to another space"),
            Self::Refused { why: Refusal::NotANumber } => f.write_str("refused: its figures are no numbers"),
        }
    }
}

/// Tries a candidate against what is used now, by meaning alone: how high the first memory of use stands among what
/// was shown and what was of use for the other held-out questions.
pub fn try_out(current: &Adapter, candidate: &Adapter, held_out: &[&Example]) -> Verdict {
    if current.space() != candidate.space() {
        return Verdict::Refused { why: Refusal::Unlike };
    }
    judge(&reciprocal_ranks(current, held_out), &reciprocal_ranks(candidate, held_out))
}

/// Judges figures of the same held-out questions before and after, one a question and larger where it is better.
/// Questions that come out the same tell nothing of luck: of the others, more must be better than a fair coin explains.
pub fn judge(before: &[f64], after: &[f64]) -> Verdict {
    let queries = before.len().min(after.len());
    if before.iter().chain(after).any(|figure| !figure.is_finite()) {
        return Verdict::Refused { why: Refusal::NotANumber };
    }
    if queries < QUERIES_MIN {
        return Verdict::Refused { why: Refusal::TooFew { queries } };
    }
    let changes: Vec<f64> = before.iter().zip(after).map(|(before, after)| after - before).collect();
    let gain = changes.iter().sum::<f64>() / queries as f64;
    let better = changes.iter().filter(|change| **change > SAME).count();
    let worse = changes.iter().filter(|change| **change < -SAME).count();
    let chance = sign_test(better, worse);
    if gain > 0.0 && chance <= CHANCE_MAX {
        Verdict::Taken { gain, queries, chance }
    } else {
        Verdict::Refused { why: Refusal::NotProved { gain, queries, chance } }
    }
}

/// Whether feedback that came since an adapter was taken shows that what was before would be better, by more than
/// chance explains. `Taken` means: go back.
pub fn roll_back(previous: &Adapter, current: &Adapter, later: &[&Example]) -> Verdict {
    try_out(current, previous, later)
}

/// Whether figures of the same held-out questions are on the whole no lower after than before, for a second look at what
/// [`judge`] has taken by another figure.
pub fn is_no_worse(before: &[f64], after: &[f64]) -> bool {
    let sum = |figures: &[f64]| figures.iter().sum::<f64>();
    before.len() == after.len() && sum(after) >= sum(before) - SAME
}

/// How high the first memory of use stands for each question, as one divided by its rank. What is not sound is left out.
pub(super) fn reciprocal_ranks(adapter: &Adapter, held_out: &[&Example]) -> Vec<f64> {
    let sound: Vec<&Example> =
        held_out.iter().copied().filter(|example| example.check(adapter.dimensions()).is_ok()).collect();
    sound.iter().map(|own| reciprocal_rank(adapter, own, &sound)).collect()
}

fn reciprocal_rank(adapter: &Adapter, own: &Example, all: &[&Example]) -> f64 {
    let mut query = own.query.clone();
    adapter.adapt(&mut query);
    let best = own.used.iter().map(|memory| dot(memory, &query)).fold(f32::MIN, f32::max);
    let elsewhere = all.iter().flat_map(|other| &other.used).filter(|memory| !own.used.contains(memory));
    let above = own.unused.iter().chain(elsewhere).filter(|memory| dot(memory, &query) >= best).count();
    1.0 / (1.0 + above as f64)
}

/// How likely a fair coin shows heads at least so often in so many throws.
fn sign_test(heads: usize, tails: usize) -> f64 {
    let throws = heads + tails;
    let (mut ways, mut chance) = (-(throws as f64) * std::f64::consts::LN_2, 0.0);
    for count in 0..=throws {
        if count > 0 {
            ways += ((throws - count + 1) as f64).ln() - (count as f64).ln();
        }
        if count >= heads {
            chance += ways.exp();
        }
    }
    chance.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_knows_small_numbers() {
        for (heads, tails, expected) in [(0, 0, 1.0), (3, 0, 0.125), (0, 3, 1.0), (9, 1, 11.0 / 1024.0)] {
            assert!((sign_test(heads, tails) - expected).abs() < 1e-12, "{heads} {tails}");
        }
    }
}
