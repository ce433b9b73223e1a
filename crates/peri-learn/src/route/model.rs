//! The linear model: what speaks for each agent, and how an outcome changes that.

use peri_types::SpaceId;

use super::features::BUCKETS;
use super::table::{AGENTS, DEFAULT_AGENT};
use super::weights::{Step, Weights};
use super::{Link, Settings};

/// What one keyword of the table is worth, and each further one up to the third. With these and the temperature that one
/// begins with, the table alone is about as sure as it is right on the training part of `bench/routing`.
const KEYWORD: f32 = 2.2;
const FURTHER_KEYWORD: f32 = 0.4;
const VOTES_MAX: u8 = 3;
/// What speaks for the default agent if no keyword was found.
const NO_KEYWORD: f32 = 0.5;
/// Where an agent begins that the table does not know.
pub(super) const NEWCOMER: f32 = -1.0;
/// How much all words of a task, its vector, and a vote of the table move; chosen by cross-validation.
const WORDS_SCALE: f32 = 5.0;
const VECTOR_SCALE: f32 = 3.0;
const VOTE_SCALE: f32 = 0.2;
const BIAS_SCALE: f32 = 0.3;

/// The rows behind those of the buckets: one a voter of the table, and one that every task has.
const VOTERS: usize = BUCKETS;
const BIAS: usize = VOTERS + AGENTS.len();
/// How many rows the matrix of words has.
pub(super) const WORD_ROWS: usize = BIAS + 1;

/// A task in numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input<'a> {
    pub buckets: &'a [u16],
    pub votes: [u8; AGENTS.len()],
    /// Of length one, in the model's space.
    pub vector: Option<&'a [f32]>,
}

impl Input<'_> {
    /// What each word weighs: all of a task's together have the same length, however many there are.
    pub(super) fn word_value(&self) -> f32 {
        WORDS_SCALE / (self.buckets.len().max(1) as f32).sqrt()
    }
}

/// The part that reads vectors, all of one space.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meaning {
    pub space: SpaceId,
    pub weights: Weights,
}

/// What was learned.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub words: Weights,
    pub meaning: Option<Meaning>,
}

impl Model {
    pub(super) fn new(agents: usize) -> Self {
        Self { words: Weights::new(WORD_ROWS, agents), meaning: None }
    }

    pub(super) fn add_agent(&mut self) {
        self.words.add_agent();
        if let Some(meaning) = &mut self.meaning {
            meaning.weights.add_agent();
        }
    }

    /// What was learned for each agent, by words and votes.
    pub(super) fn by_words(&self, input: Input<'_>, agents: usize) -> Vec<f32> {
        let mut sums = vec![0.0; agents];
        each_word(input, |row, value| self.words.add_to(&mut sums, row, value));
        sums
    }

    /// What was learned for each agent, by the vector.
    pub(super) fn by_meaning(&self, input: Input<'_>, agents: usize) -> Vec<f32> {
        let mut sums = vec![0.0; agents];
        if let (Some(meaning), Some(vector)) = (&self.meaning, input.vector) {
            for (row, value) in vector.iter().enumerate() {
                meaning.weights.add_to(&mut sums, row, value * VECTOR_SCALE);
            }
        }
        sums
    }

    /// Each agent's number: the table's and all that was learned.
    pub(super) fn logits(&self, input: Input<'_>, agents: usize) -> Vec<f32> {
        let mut sums = by_table(input.votes, agents);
        for part in [self.by_words(input, agents), self.by_meaning(input, agents)] {
            sums.iter_mut().zip(part).for_each(|(sum, own)| *sum += own);
        }
        sums
    }

    /// Moves the weights so that what came of it would have been less of a surprise.
    pub(super) fn learn(&mut self, input: Input<'_>, agent: usize, worth: f32, settings: &Settings) {
        let logits = self.logits(input, agents_of(&self.words));
        let gradient = gradient(&logits, agent, worth, settings.link);
        let step = Step { gradient: &gradient, learning_rate: settings.learning_rate, decay: settings.decay };
        each_word(input, |row, value| self.words.learn(row, value, step));
        if let (Some(meaning), Some(vector)) = (&mut self.meaning, input.vector) {
            for (row, value) in vector.iter().enumerate() {
                meaning.weights.learn(row, value * VECTOR_SCALE, step);
            }
        }
    }
}

fn agents_of(weights: &Weights) -> usize {
    weights.row(0).len()
}

fn each_word(input: Input<'_>, mut with: impl FnMut(usize, f32)) {
    let value = input.word_value();
    input.buckets.iter().for_each(|bucket| with(usize::from(*bucket), value));
    for (voter, votes) in input.votes.iter().enumerate().filter(|(_, votes)| **votes > 0) {
        with(VOTERS + voter, VOTE_SCALE * f32::from((*votes).min(VOTES_MAX)));
    }
    with(BIAS, BIAS_SCALE);
}

/// What the table says, as numbers that can be added to.
pub(super) fn by_table(votes: [u8; AGENTS.len()], agents: usize) -> Vec<f32> {
    let mut sums = vec![NEWCOMER; agents];
    for (place, own) in votes.iter().enumerate() {
        let further = f32::from((*own).min(VOTES_MAX).saturating_sub(1));
        sums[place] = if *own > 0 { KEYWORD + FURTHER_KEYWORD * further } else { 0.0 };
    }
    if votes.iter().all(|own| *own == 0)
        && let Some(default) = AGENTS.iter().position(|agent| *agent == DEFAULT_AGENT)
    {
        sums[default] = NO_KEYWORD;
    }
    sums
}

/// How probable it is that each agent is the right one.
pub(super) fn probabilities(logits: &[f32], temperature: f32, link: Link) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let raw: Vec<f32> = match link {
        Link::Shared => logits.iter().map(|own| ((own - highest) / temperature).exp()).collect(),
        Link::Apart => logits.iter().map(|own| alone(own / temperature)).collect(),
    };
    let sum: f32 = raw.iter().sum();
    raw.into_iter().map(|own| own / sum).collect()
}

/// An agent's chance by itself; the shift makes one of eight about right for whom nothing speaks.
fn alone(logit: f32) -> f32 {
    1.0 / (1.0 + (2.0 - logit).exp())
}

/// The gradient of the loss `-worth·ln p - (1 - worth)·ln (1 - p)`, where p is the chance of the agent that did it.
fn gradient(logits: &[f32], agent: usize, worth: f32, link: Link) -> Vec<f32> {
    if link == Link::Apart {
        let mut gradient = vec![0.0; logits.len()];
        gradient[agent] = alone(logits[agent]) - worth;
        return gradient;
    }
    let chances = probabilities(logits, 1.0, link);
    let own = chances[agent];
    let rest = (1.0 - own).max(1e-6);
    let of = |(place, chance): (usize, &f32)| {
        if place == agent { own - worth } else { chance * (worth - (1.0 - worth) * own / rest) }
    };
    chances.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_lowers_all_others_and_a_failure_raises_them_in_proportion() {
        let logits = [1.0, 0.0, 0.5];
        let chances = probabilities(&logits, 1.0, Link::Shared);
        let success = gradient(&logits, 0, 1.0, Link::Shared);
        assert!(success[0] < 0.0 && success[1] > 0.0 && success[2] > 0.0);
        let failure = gradient(&logits, 0, 0.0, Link::Shared);
        assert!(failure[0] > 0.0 && failure[1] < 0.0 && failure[2] < 0.0);
        assert!((failure[1] / failure[2] - chances[1] / chances[2]).abs() < 1e-5);
        for gradient in [success, failure] {
            assert!(gradient.iter().sum::<f32>().abs() < 1e-6, "what one gains the others lose");
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let loss = |logits: &[f32], worth: f32| {
            let chance = probabilities(logits, 1.0, Link::Shared)[1];
            -worth * chance.ln() - (1.0 - worth) * (1.0 - chance).ln()
        };
        for worth in [0.0, 0.5, 1.0] {
            let logits = [0.3, 1.1, -0.7, 0.2];
            let told = gradient(&logits, 1, worth, Link::Shared);
            for place in 0..logits.len() {
                let (mut up, mut down) = (logits, logits);
                up[place] += 0.01;
                down[place] -= 0.01;
                let measured = (loss(&up, worth) - loss(&down, worth)) / 0.02;
                assert!((measured - told[place]).abs() < 1e-3, "{worth} {place}: {measured} {}", told[place]);
            }
        }
    }

    #[test]
    fn judged_apart_an_outcome_says_nothing_about_others() {
        assert_eq!(gradient(&[1.0, 0.0], 0, 0.0, Link::Apart)[1], 0.0);
    }
}
