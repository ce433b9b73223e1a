//! Users with a hidden taste, and what they use of what is shown to them.

use peri_orbit::Weights;
use peri_orbit::tuner::{Feedback, Shown, Terms, Usage};

/// How many memories a recall shows.
const SHOWN: usize = 8;
/// How much taste decides; the rest of the decision is noise with a standard deviation of 1.
const DECISIVENESS: f64 = 3.0;

/// What a user wants of her memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taste {
    /// What was used lately.
    Recent,
    /// What matters.
    Important,
    /// What is used often.
    Often,
    /// What fits the session.
    Fitting,
    /// What the default weights say.
    Default,
    /// Anything.
    Random,
    /// Whatever stands on top.
    First,
}

impl Taste {
    pub(super) const ALL: [Self; 7] =
        [Self::Recent, Self::Important, Self::Often, Self::Fitting, Self::Default, Self::Random, Self::First];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Recent => "recent",
            Self::Important => "important",
            Self::Often => "often used",
            Self::Fitting => "fitting",
            Self::Default => "the default",
            Self::Random => "at random",
            Self::First => "the first",
        }
    }

    /// How much each term is worth to her, in the order of the weights.
    fn worth(self) -> [f64; 4] {
        match self {
            Self::Recent => [0.1, 0.7, 0.1, 0.1],
            Self::Important => [0.1, 0.1, 0.7, 0.1],
            Self::Often => [0.7, 0.1, 0.1, 0.1],
            Self::Fitting => [0.1, 0.1, 0.1, 0.7],
            Self::Default | Self::First => [0.30, 0.30, 0.25, 0.15],
            Self::Random => [0.0; 4],
        }
    }
}

/// A small generator of random numbers: splitmix64.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ stream.rotate_left(32));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About normal, with a mean of 0 and a standard deviation of 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// What a user makes of so many recalls that the given weights ordered.
pub(super) fn recalls(random: &mut Random, taste: Taste, weights: &Weights, count: usize) -> Vec<Feedback> {
    (0..count).map(|_| recall(random, taste, weights)).collect()
}

fn recall(random: &mut Random, taste: Taste, weights: &Weights) -> Feedback {
    let has_context = random.unit() < 0.6;
    let mut shown: Vec<Shown> =
        (0..SHOWN).map(|_| Shown { terms: memory(random, has_context), usage: Usage::Unused }).collect();
    shown.sort_by(|a, b| score(weights, b).total_cmp(&score(weights, a)));
    let mut wanted: Vec<(f64, usize)> = shown
        .iter()
        .enumerate()
        .map(|(place, one)| {
            let pull = if taste == Taste::First { -(place as f64) / 2.0 } else { appeal(taste, &one.terms) };
            (pull + random.normal(), place)
        })
        .collect();
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let used = 1 + (random.unit() * 3.0) as usize;
    wanted.iter().take(used).for_each(|(_, place)| shown[*place].usage = Usage::Used);
    Feedback { shown }
}

/// How much a memory appeals: the terms by their worth, scaled so that taste and noise are comparable.
fn appeal(taste: Taste, terms: &Terms) -> f64 {
    let own = [terms.recall, terms.freshness, terms.importance, terms.context.unwrap_or(0.5)];
    DECISIVENESS * taste.worth().iter().zip(own).map(|(worth, term)| worth * term).sum::<f64>()
}

/// A memory as recall finds them: few are recalled often, what is recalled often was used lately, and half of
/// all have the importance that nobody judged.
fn memory(random: &mut Random, has_context: bool) -> Terms {
    let recalls = (random.unit() * 60_f64.ln()).exp().floor() - 1.0;
    let recall = (1.0 + recalls).ln() / 101_f64.ln();
    let idle_days = 120.0 * random.unit().powi(2) / (1.0 + recalls / 5.0);
    let importance = if random.unit() < 0.5 { 0.5 } else { 0.1 + 0.85 * random.unit() };
    let context = has_context.then(|| random.unit());
    Terms { recall: recall.min(1.0), freshness: (-idle_days / 14.0).exp2(), importance, context }
}

pub(super) fn is_used(shown: &Shown) -> bool {
    shown.usage == Usage::Used
}

/// The memory function.
pub(super) fn score(weights: &Weights, shown: &Shown) -> f64 {
    let terms = &shown.terms;
    let known = weights.recall * terms.recall
        + weights.freshness * terms.freshness
        + weights.importance * terms.importance;
    let weight = weights.recall + weights.freshness + weights.importance;
    match terms.context {
        Some(context) => (known + weights.context * context) / (weight + weights.context),
        None => known / weight,
    }
}
