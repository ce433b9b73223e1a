//! How right and how honest routes are.

use peri_learn::route::{Judgement, Router, expected_calibration_error};

use super::labelled::{Labelled, Set};

/// One routed task: what was claimed, and whether it was right.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub language: String,
    /// Who should have taken it.
    pub agent: String,
    pub chosen: String,
    pub confidence: f32,
}

impl Answer {
    pub(super) fn is_right(&self) -> bool {
        self.agent == self.chosen
    }
}

/// What a router says of each of these tasks.
pub(super) fn answers<'a>(
    set: &Set,
    router: &Router,
    of: impl IntoIterator<Item = &'a Labelled>,
) -> Vec<Answer> {
    let route = |one: &Labelled| {
        let route = router.route(&set.task(one));
        Answer {
            language: one.language.clone(),
            agent: one.agent.clone(),
            chosen: route.agent,
            confidence: route.confidence,
        }
    };
    of.into_iter().map(route).collect()
}

/// The share that is right.
pub(super) fn accuracy<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> f64 {
    let (mut all, mut right) = (0.0, 0.0);
    for answer in answers {
        all += 1.0;
        right += f64::from(u8::from(answer.is_right()));
    }
    right / f64::max(all, 1.0)
}

/// The expected calibration error of the answers.
pub(super) fn calibration(answers: &[Answer]) -> f64 {
    let judged: Vec<Judgement> = answers
        .iter()
        .map(|one| Judgement { confidence: one.confidence, right: f32::from(u8::from(one.is_right())) })
        .collect();
    f64::from(expected_calibration_error(&judged))
}

/// The mean confidence.
pub(super) fn confidence(answers: &[Answer]) -> f64 {
    answers.iter().map(|one| f64::from(one.confidence)).sum::<f64>() / f64::max(answers.len() as f64, 1.0)
}

/// The mean and the standard deviation.
pub(super) fn spread(values: &[f64]) -> (f64, f64) {
    let count = f64::max(values.len() as f64, 1.0);
    let mean = values.iter().sum::<f64>() / count;
    let variance =
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / f64::max(count - 1.0, 1.0);
    (mean, variance.sqrt())
}

/// The same list in an order that the seed decides.
pub(super) fn shuffled<'a, T>(of: &'a [T], seed: u64) -> Vec<&'a T> {
    let mut order: Vec<&'a T> = of.iter().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    for last in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(last, (state % (last as u64 + 1)) as usize);
    }
    order
}
