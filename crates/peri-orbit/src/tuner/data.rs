//! Feedback in a form that does not depend on the order in which it arrived.

use super::{Feedback, Shown, Usage};

/// A recall that shows more than this was no question of a person or an agent.
const SHOWN_MAX: usize = 200;

/// One recall that tells something: used memories, unused ones, and where the recall belongs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Recall {
    pub(super) used: Vec<Features>,
    pub(super) unused: Vec<Features>,
    /// Depends on nothing but what was shown, so that the same recall always falls into the same part.
    pub(super) key: u64,
}

/// The terms of one memory in the order of the weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Features {
    terms: [f64; 4],
    has_context: bool,
}

impl Features {
    fn of(shown: &Shown) -> Option<Self> {
        let terms = &shown.terms;
        let own = [terms.recall, terms.freshness, terms.importance, terms.context.unwrap_or(0.0)];
        let is_sound = own.iter().all(|term| (0.0..=1.0).contains(term));
        is_sound.then_some(Self { terms: own, has_context: terms.context.is_some() })
    }

    /// The memory function: the mean of the terms that are known, by weight.
    pub(super) fn score(&self, weights: &[f64; 4]) -> f64 {
        let (sum, weight) = self.sums(weights);
        sum / weight
    }

    /// How the score changes with each weight.
    pub(super) fn slope(&self, weights: &[f64; 4]) -> [f64; 4] {
        let (sum, weight) = self.sums(weights);
        let score = sum / weight;
        let mut slope = self.terms.map(|term| (term - score) / weight);
        if !self.has_context {
            slope[3] = 0.0;
        }
        slope
    }

    fn sums(&self, weights: &[f64; 4]) -> (f64, f64) {
        let known = if self.has_context { 4 } else { 3 };
        let weight: f64 = weights[..known].iter().sum();
        let sum: f64 = weights[..known].iter().zip(&self.terms).map(|(weight, term)| weight * term).sum();
        (sum, weight)
    }

    fn bits(&self) -> [u64; 5] {
        // Adding zero makes both zeros alike.
        let [recall, freshness, importance, context] = self.terms.map(|term| (term + 0.0).to_bits());
        [recall, freshness, importance, context, u64::from(self.has_context)]
    }
}

impl Recall {
    /// `None` when everything or nothing was used. What is no number is left out.
    fn of(feedback: &Feedback) -> Option<Self> {
        if feedback.shown.len() > SHOWN_MAX {
            return None;
        }
        let part = |usage: Usage| {
            let own = feedback.shown.iter().filter(|shown| shown.usage == usage);
            let mut features: Vec<Features> = own.filter_map(Features::of).collect();
            features.sort_unstable_by_key(Features::bits);
            features
        };
        let (used, unused) = (part(Usage::Used), part(Usage::Unused));
        let key = key(&used, &unused);
        (!used.is_empty() && !unused.is_empty()).then_some(Self { used, unused, key })
    }

    /// The share of pairs in which what was used scores higher; a tie counts half.
    pub(super) fn order(&self, weights: &[f64; 4]) -> f64 {
        let unused: Vec<f64> = self.unused.iter().map(|one| one.score(weights)).collect();
        let mut right = 0.0;
        for one in &self.used {
            let own = one.score(weights);
            right += unused.iter().map(|other| verdict(own - other)).sum::<f64>();
        }
        right / (self.used.len() * unused.len()) as f64
    }

    /// By how much what was used scores higher than what was not, on average over the pairs.
    pub(super) fn margin(&self, weights: &[f64; 4]) -> f64 {
        let mean = |of: &[Features]| of.iter().map(|one| one.score(weights)).sum::<f64>() / of.len() as f64;
        mean(&self.used) - mean(&self.unused)
    }

    fn bits(&self) -> (u64, Vec<[u64; 5]>, Vec<[u64; 5]>) {
        let part = |of: &[Features]| of.iter().map(Features::bits).collect();
        (self.key, part(&self.used), part(&self.unused))
    }
}

/// Scores that differ by rounding only are equal.
fn verdict(difference: f64) -> f64 {
    if difference > 1e-12 {
        1.0
    } else if difference < -1e-12 {
        0.0
    } else {
        0.5
    }
}

/// The recalls that tell something, each once, in an order of their own.
pub(super) fn usable(feedback: &[Feedback]) -> Vec<Recall> {
    let mut recalls: Vec<Recall> = feedback.iter().filter_map(Recall::of).collect();
    recalls.sort_by_cached_key(Recall::bits);
    // The same recall handed in twice is one observation.
    recalls.dedup();
    recalls
}

fn key(used: &[Features], unused: &[Features]) -> u64 {
    let mut state = used.len() as u64;
    for bits in used.iter().chain(unused).flat_map(Features::bits) {
        state = mix(state ^ bits);
    }
    state
}

/// The mixing step of splitmix64.
fn mix(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
