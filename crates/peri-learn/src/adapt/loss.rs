//! What an adapter should do better, and in which direction each of its weights should move.
//!
//! For each memory that was used, a softmax over it and everything that was not: the loss is minus the logarithm of
//! its probability, averaged over the used ones. With `z = q + U h`, `h = V q`, `p = z / |z|` and scores
//! `s_i = p · m_i / t`, the loss changes with `p` by `g = Σ c_i m_i / t`, where `c_i` is the probability of `i` less
//! what it should be. Through the scaling to length one that is `(g - p (p · g)) / |z|` with `z`; call it `b`. Then it
//! changes by `h_k b` with the row `u_k`, and by `(u_k · b) q` with the row `v_k`.

use super::kernel::dot_wide;

/// By how much a cosine must grow for a memory to become e times as probable.
const TEMPERATURE: f64 = 0.05;

/// An adapter's weights while they are learned: all rows of `u`, then all rows of `v`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameters {
    pub(super) dimensions: usize,
    pub(super) values: Vec<f64>,
}

/// A question with what should stand above what.
pub(super) struct Case<'a> {
    pub(super) query: &'a [f32],
    pub(super) used: Vec<&'a [f32]>,
    /// What was shown in vain.
    pub(super) unused: Vec<&'a [f32]>,
    /// What was of use for other questions.
    pub(super) elsewhere: Vec<&'a [f32]>,
}

/// A query as the adapter bends it.
struct Bent {
    found: Vec<f64>,
    unit: Vec<f64>,
    length: f64,
}

impl Parameters {
    pub(super) fn u(&self) -> &[f64] {
        &self.values[..self.values.len() / 2]
    }

    pub(super) fn v(&self) -> &[f64] {
        &self.values[self.values.len() / 2..]
    }

    fn bend(&self, query: &[f32]) -> Bent {
        let found: Vec<f64> =
            self.v().chunks_exact(self.dimensions).map(|row| dot_wide(row, query)).collect();
        let mut unit: Vec<f64> = query.iter().map(|value| f64::from(*value)).collect();
        for (found, row) in found.iter().zip(self.u().chunks_exact(self.dimensions)) {
            unit.iter_mut().zip(row).for_each(|(value, row)| *value += found * row);
        }
        let length = unit.iter().map(|value| value * value).sum::<f64>().sqrt().max(1e-9);
        unit.iter_mut().for_each(|value| *value /= length);
        Bent { found, unit, length }
    }

    /// Adds a multiple of the loss's change with the bent query to a gradient of all weights.
    fn pull_back(&self, bent: &Bent, query: &[f32], by_unit: &[f64], factor: f64, gradient: &mut [f64]) {
        let by_bent = bent.by_bent(by_unit);
        let (by_u, by_v) = gradient.split_at_mut(self.values.len() / 2);
        for (found, row) in bent.found.iter().zip(by_u.chunks_exact_mut(self.dimensions)) {
            row.iter_mut().zip(&by_bent).for_each(|(sum, value)| *sum += factor * found * value);
        }
        for (u, row) in self.u().chunks_exact(self.dimensions).zip(by_v.chunks_exact_mut(self.dimensions)) {
            let along = factor * u.iter().zip(&by_bent).map(|(u, value)| u * value).sum::<f64>();
            row.iter_mut().zip(query).for_each(|(sum, value)| *sum += along * f64::from(*value));
        }
    }
}

impl Bent {
    fn score(&self, memory: &[f32]) -> f64 {
        dot_wide(&self.unit, memory) / TEMPERATURE
    }

    /// From the change with the unit vector to the change with what it was before it was scaled.
    fn by_bent(&self, by_unit: &[f64]) -> Vec<f64> {
        let along: f64 = by_unit.iter().zip(&self.unit).map(|(by, unit)| by * unit).sum();
        by_unit.iter().zip(&self.unit).map(|(by, unit)| (by - along * unit) / self.length).collect()
    }
}

/// The loss of one question.
pub(super) fn loss(parameters: &Parameters, case: &Case<'_>) -> f64 {
    weigh(&parameters.bend(case.query), case).0
}

/// The same; `factor` times its gradient is added to `gradient`.
pub(super) fn learn_from(parameters: &Parameters, case: &Case<'_>, factor: f64, gradient: &mut [f64]) -> f64 {
    let bent = parameters.bend(case.query);
    let (loss, pulls) = weigh(&bent, case);
    let mut by_unit = vec![0.0; parameters.dimensions];
    for (memory, pull) in case.used.iter().chain(case.not_used()).zip(pulls) {
        add(&mut by_unit, memory, pull);
    }
    parameters.pull_back(&bent, case.query, &by_unit, factor, gradient);
    loss
}

impl<'a> Case<'a> {
    fn not_used(&self) -> impl Iterator<Item = &&'a [f32]> {
        self.unused.iter().chain(&self.elsewhere)
    }
}

/// The loss, and how it changes with each memory's cosine: first those that were used, then the others.
fn weigh(bent: &Bent, case: &Case<'_>) -> (f64, Vec<f64>) {
    let used: Vec<f64> = case.used.iter().map(|memory| bent.score(memory)).collect();
    let others: Vec<f64> = case.not_used().map(|memory| bent.score(memory)).collect();
    let best = used.iter().chain(&others).copied().fold(f64::MIN, f64::max);
    let powers: Vec<f64> = others.iter().map(|score| (score - best).exp()).collect();
    let against: f64 = powers.iter().sum();
    let (mut loss, mut share, count) = (0.0, 0.0, used.len().max(1) as f64);
    let mut pulls = Vec::with_capacity(used.len() + others.len());
    for score in used {
        let total = (score - best).exp() + against;
        loss += total.ln() - (score - best);
        share += 1.0 / total;
        pulls.push(-(against / total) / (count * TEMPERATURE));
    }
    pulls.extend(powers.iter().map(|power| power * share / (count * TEMPERATURE)));
    (loss / count, pulls)
}

/// Adds the Fisher information of every weight: how sharply the probabilities of what was shown depend on it. It is the
/// mean square of the gradient had each shown memory been the one of use, weighed by how probable that is.
pub(super) fn add_fisher(parameters: &Parameters, case: &Case<'_>, sums: &mut [f64]) {
    let bent = parameters.bend(case.query);
    let shown: Vec<&[f32]> = case.used.iter().chain(&case.unused).copied().collect();
    let scores: Vec<f64> = shown.iter().map(|memory| bent.score(memory)).collect();
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let total: f64 = scores.iter().map(|score| (score - best).exp()).sum();
    let chances: Vec<f64> = scores.iter().map(|score| (score - best).exp() / total).collect();
    let mut mean = vec![0.0; parameters.dimensions];
    shown.iter().zip(&chances).for_each(|(memory, chance)| add(&mut mean, memory, *chance));
    for (memory, chance) in shown.iter().zip(&chances) {
        let by_unit: Vec<f64> =
            memory.iter().zip(&mean).map(|(value, mean)| (mean - f64::from(*value)) / TEMPERATURE).collect();
        let mut gradient = vec![0.0; sums.len()];
        parameters.pull_back(&bent, case.query, &by_unit, 1.0, &mut gradient);
        sums.iter_mut().zip(gradient).for_each(|(sum, by)| *sum += chance * by * by);
    }
}

fn add(sums: &mut [f64], memory: &[f32], factor: f64) {
    sums.iter_mut().zip(memory).for_each(|(sum, value)| *sum += factor * f64::from(*value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapt::random::Random;

    fn vectors(random: &mut Random, count: usize, dimensions: usize) -> Vec<Vec<f32>> {
        let one = |random: &mut Random| (0..dimensions).map(|_| (random.share() - 0.5) as f32).collect();
        (0..count).map(|_| one(random)).collect()
    }

    /// A question with two used, three unused and two others, and weights that bend it noticeably.
    fn check(test: impl Fn(&Parameters, &Case<'_>)) {
        for seed in 0..5 {
            let random = &mut Random::new(seed);
            let memories = vectors(random, 8, 7);
            let all: Vec<&[f32]> = memories.iter().map(Vec::as_slice).collect();
            let case = Case {
                query: all[0],
                used: all[1..3].to_vec(),
                unused: all[3..6].to_vec(),
                elsewhere: all[6..].to_vec(),
            };
            let values = (0..2 * 3 * 7).map(|_| random.share() - 0.5).collect();
            test(&Parameters { dimensions: 7, values }, &case);
        }
    }

    #[test]
    fn the_gradient_is_what_small_steps_find() {
        check(|parameters, case| {
            let mut gradient = vec![0.0; parameters.values.len()];
            learn_from(parameters, case, 1.0, &mut gradient);
            for (at, gradient) in gradient.into_iter().enumerate() {
                let moved = |step: f64| {
                    let mut moved = parameters.clone();
                    moved.values[at] += step;
                    loss(&moved, case)
                };
                let found = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((found - gradient).abs() < 1e-5 * (1.0 + found.abs()), "{at}: {found} {gradient}");
            }
        });
    }

    #[test]
    fn fisher_information_is_the_mean_square_of_gradients_over_what_might_be_used() {
        check(|parameters, case| {
            let mut fisher = vec![0.0; parameters.values.len()];
            add_fisher(parameters, case, &mut fisher);
            let shown: Vec<&[f32]> = case.used.iter().chain(&case.unused).copied().collect();
            let mut expected = vec![0.0; fisher.len()];
            for at in 0..shown.len() {
                let unused =
                    (0..shown.len()).filter(|other| *other != at).map(|other| shown[other]).collect();
                let one = Case { query: case.query, used: vec![shown[at]], unused, elsewhere: Vec::new() };
                let mut gradient = vec![0.0; fisher.len()];
                let chance = (-learn_from(parameters, &one, 1.0, &mut gradient)).exp();
                expected.iter_mut().zip(gradient).for_each(|(sum, by)| *sum += chance * by * by);
            }
            for (fisher, expected) in fisher.iter().zip(&expected) {
                assert!((fisher - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{fisher} {expected}");
            }
        });
    }
}
