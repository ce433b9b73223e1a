//! Where learning starts: the correction that leads each query toward what was used for it, in closed form.
//!
//! For queries `q_i` and targets `t_i`, the mean of what was used less half the mean of everything that was shown, the
//! matrix `W` that minimises `Σ |W q_i - t_i|² + r |W|²` is `Tᵀ (Q Qᵀ + r)⁻¹ Q`. Its strongest directions become the
//! rows of the adapter, which gradients then refine.

use super::loss::{Case, Parameters};
use super::random::Random;

/// How strongly `W` is drawn to zero.
const RIDGE: f64 = 1.0;

/// How much of the average of what was shown is taken off a target, so that queries are not all drawn to one place.
const AVERAGE_SHARE: f64 = 0.5;

/// The latest so many examples decide where to start: beyond that, solving costs more than learning.
const CASES_MAX: usize = 800;

/// So often the directions are sharpened.
const ROUNDS: usize = 12;

/// The least length of a row that is looked for, so that a direction without a use yet can still be learned.
const ROW_MIN: f64 = 0.1;

/// The weights that learning starts from.
pub(super) fn start(cases: &[Case<'_>], dimensions: usize, rank: usize, seed: u64) -> Parameters {
    let cases = &cases[cases.len().saturating_sub(CASES_MAX)..];
    let queries: Vec<Vec<f64>> = cases.iter().map(|case| wide(case.query)).collect();
    let map = Map { pulls: solve(&queries, targets(cases, dimensions)), queries };
    let mut random = Random::new(seed);
    let one = |random: &mut Random| (0..dimensions).map(|_| random.share() - 0.5).collect();
    let mut directions: Vec<Vec<f64>> = (0..rank).map(|_| one(&mut random)).collect();
    straighten(&mut directions);
    for _ in 0..ROUNDS {
        directions = directions.iter().map(|direction| map.back(&map.forth(direction))).collect();
        // Spent directions are filled up, so that the rank stays.
        for direction in &mut directions {
            if length(direction) < 1e-12 {
                *direction = one(&mut random);
            }
        }
        straighten(&mut directions);
    }
    let (mut u, mut v) = (Vec::new(), Vec::new());
    for direction in &directions {
        let added = map.forth(direction);
        let scale = length(&added).sqrt().max(ROW_MIN);
        u.extend(added.iter().map(|value| value / scale));
        v.extend(direction.iter().map(|value| value * scale));
    }
    u.extend(v);
    Parameters { dimensions, values: u }
}

/// A matrix as the sum of products of pulls and queries.
struct Map {
    pulls: Vec<Vec<f64>>,
    queries: Vec<Vec<f64>>,
}

impl Map {
    fn forth(&self, direction: &[f64]) -> Vec<f64> {
        Self::sum(&self.queries, &self.pulls, direction)
    }

    fn back(&self, direction: &[f64]) -> Vec<f64> {
        Self::sum(&self.pulls, &self.queries, direction)
    }

    fn sum(from: &[Vec<f64>], to: &[Vec<f64>], direction: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; direction.len()];
        for (from, to) in from.iter().zip(to) {
            add(&mut sum, to, product(from, direction));
        }
        sum
    }
}

fn targets(cases: &[Case<'_>], dimensions: usize) -> Vec<Vec<f64>> {
    let shown = cases.iter().flat_map(|case| case.used.iter().chain(&case.unused));
    let average = mean(shown, dimensions);
    let target = |case: &Case<'_>| {
        let mut target = mean(case.used.iter(), dimensions);
        add(&mut target, &average, -AVERAGE_SHARE);
        target
    };
    cases.iter().map(target).collect()
}

fn mean<'a>(vectors: impl Iterator<Item = &'a &'a [f32]>, dimensions: usize) -> Vec<f64> {
    let (mut sum, mut count) = (vec![0.0; dimensions], 0.0);
    for vector in vectors {
        sum.iter_mut().zip(vector.iter()).for_each(|(sum, value)| *sum += f64::from(*value));
        count += 1.0;
    }
    sum.iter_mut().for_each(|sum| *sum /= f64::max(count, 1.0));
    sum
}

/// Solves `(Q Qᵀ + r) X = T` by splitting the matrix into two triangles, which its ridge makes possible.
fn solve(queries: &[Vec<f64>], mut targets: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = queries.len();
    let mut lower = vec![vec![0.0; count]; count];
    for row in 0..count {
        for column in 0..=row {
            let ridge = if row == column { RIDGE } else { 0.0 };
            let before = product(&lower[row][..column], &lower[column][..column]);
            let rest = product(&queries[row], &queries[column]) + ridge - before;
            lower[row][column] =
                if row == column { rest.max(1e-12).sqrt() } else { rest / lower[column][column] };
        }
    }
    for (row, factors) in lower.iter().enumerate() {
        let (above, below) = targets.split_at_mut(row);
        above.iter().zip(factors).for_each(|(done, factor)| add(&mut below[0], done, -factor));
        below[0].iter_mut().for_each(|value| *value /= factors[row]);
    }
    for row in (0..count).rev() {
        let (above, below) = targets.split_at_mut(row + 1);
        let own = &mut above[row];
        for (at, done) in below.iter().enumerate() {
            add(own, done, -lower[row + 1 + at][row]);
        }
        own.iter_mut().for_each(|value| *value /= lower[row][row]);
    }
    targets
}

/// Makes directions upright to each other and of length one, each in turn. One that lies in those before it is zero.
fn straighten(directions: &mut [Vec<f64>]) {
    for at in 0..directions.len() {
        let (before, from) = directions.split_at_mut(at);
        let own = &mut from[0];
        let whole = length(own);
        // Twice, because rounding leaves a trace the first time.
        for other in before.iter().chain(before.iter()) {
            let along = product(own, other);
            add(own, other, -along);
        }
        let left = length(own);
        let scale = if left > 1e-9 * whole { 1.0 / left } else { 0.0 };
        own.iter_mut().for_each(|value| *value *= scale);
    }
}

fn wide(vector: &[f32]) -> Vec<f64> {
    vector.iter().map(|value| f64::from(*value)).collect()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(vector: &[f64]) -> f64 {
    product(vector, vector).sqrt()
}

fn add(sum: &mut [f64], vector: &[f64], factor: f64) {
    sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += factor * value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves() {
        let mut random = Random::new(3);
        let mut rows = |count: usize, size: usize| -> Vec<Vec<f64>> {
            (0..count).map(|_| (0..size).map(|_| random.share() - 0.5).collect()).collect()
        };
        let (queries, targets) = (rows(9, 6), rows(9, 4));
        let solved = solve(&queries, targets.clone());
        for row in 0..9 {
            for column in 0..4 {
                let product: f64 =
                    (0..9).map(|at| product(&queries[row], &queries[at]) * solved[at][column]).sum();
                assert!((product + RIDGE * solved[row][column] - targets[row][column]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_rows_are_the_strongest_directions_of_the_correction() {
        let (one, two) = ([1.0_f32, 0.0, 0.0, 0.0], [0.0_f32, 1.0, 0.0, 0.0]);
        let (goal, vain) = ([0.0_f32, 0.0, 1.0, 0.0], [0.0_f32, 0.0, 0.0, 1.0]);
        let case =
            |query| Case { query, used: vec![&goal[..]], unused: vec![&vain[..]], elsewhere: Vec::new() };
        let cases: Vec<Case<'_>> = [&one[..], &one, &one, &two].into_iter().map(case).collect();
        let parameters = start(&cases, 4, 1, 1);
        let looked_for = parameters.v();
        assert!(looked_for[0].abs() > 1.2 * looked_for[1].abs(), "{looked_for:?}");
        assert!(looked_for[2].abs() < 1e-6 && looked_for[3].abs() < 1e-6);
        let added = looked_for[0] * parameters.u()[2];
        assert!(added > 0.1, "a query like the first is drawn toward what was used: {added}");
    }
}
