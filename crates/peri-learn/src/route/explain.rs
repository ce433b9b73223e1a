//! From numbers to a route with its reasons.

use super::features::Features;
use super::model::{self, Input};
use super::{Basis, PatternVote, Reason, Route, Router};

/// How many words and how many earlier tasks a route names at most.
const WORDS_MAX: usize = 4;
const EARLIER_MAX: usize = 2;
/// What spoke for the agent less than this is not worth telling.
const WEIGHT_MIN: f32 = 0.1;

/// A task, read and ready to be routed.
pub(super) struct Question<'a> {
    pub features: &'a Features,
    pub input: Input<'a>,
    pub votes: &'a [PatternVote<'a>],
}

/// What each source says of each agent.
struct Parts {
    table: Vec<f32>,
    words: Vec<f32>,
    meaning: Vec<f32>,
    patterns: Vec<f32>,
}

impl Parts {
    fn sum(&self) -> Vec<f32> {
        let learned = self.learned();
        (0..self.table.len()).map(|at| self.table[at] + learned[at] + self.patterns[at]).collect()
    }

    fn learned(&self) -> Vec<f32> {
        self.words.iter().zip(&self.meaning).map(|(words, meaning)| words + meaning).collect()
    }

    fn basis(&self, chosen: usize, has_keyword: bool, has_learned: bool) -> Basis {
        let without_patterns: Vec<f32> =
            self.table.iter().zip(self.learned()).map(|(table, learned)| table + learned).collect();
        let by_table = has_keyword && highest(&self.table) == chosen;
        let by_learning = has_learned && highest(&self.learned()) == chosen;
        match (by_table, by_learning) {
            _ if highest(&without_patterns) != chosen => Basis::Patterns,
            (true, true) => Basis::Both,
            (true, false) => Basis::Table,
            (false, true) => Basis::Learned,
            (false, false) if has_learned && highest(&self.table) != chosen => Basis::Learned,
            (false, false) => Basis::Default,
        }
    }
}

pub(super) fn route(router: &Router, question: &Question<'_>) -> Route {
    let agents = router.agents.count();
    let parts = Parts {
        table: model::by_table(question.input.votes, agents),
        words: router.model.by_words(question.input, agents),
        meaning: router.model.by_meaning(question.input, agents),
        patterns: router.by_patterns(question.votes),
    };
    let sums = parts.sum();
    let chosen = highest(&sums);
    let chances = model::probabilities(&sums, router.calibration.temperature, router.settings.link);
    let names = router.agents.names();
    let mut alternatives: Vec<(String, f32)> = names.iter().cloned().zip(chances.iter().copied()).collect();
    let (agent, confidence) = alternatives.remove(chosen);
    alternatives.sort_by(|a, b| b.1.total_cmp(&a.1));
    let basis = parts.basis(chosen, !question.features.matched.is_empty(), router.learned > 0);
    let mut reasons = vec![Reason::Decided { by: basis }];
    reasons.extend(keywords(question.features, &agent));
    reasons.extend(words(router, question, chosen));
    let meaning = advantage(&parts.meaning, chosen);
    reasons.extend((meaning >= WEIGHT_MIN).then_some(Reason::Meaning { weight: meaning }));
    reasons.extend(patterns(question.votes, &agent));
    reasons.extend(earlier(router, question.features, chosen));
    Route { agent, confidence, reasons, alternatives }
}

/// The place of the highest number, the first of several.
fn highest(numbers: &[f32]) -> usize {
    let mut best = 0;
    for (place, number) in numbers.iter().enumerate() {
        if *number > numbers[best] {
            best = place;
        }
    }
    best
}

/// How far one agent's number lies above those of the others on average.
fn advantage(numbers: &[f32], chosen: usize) -> f32 {
    let others = numbers.len().saturating_sub(1).max(1) as f32;
    numbers[chosen] - (numbers.iter().sum::<f32>() - numbers[chosen]) / others
}

fn keywords(features: &Features, agent: &str) -> Vec<Reason> {
    let own = features.matched.iter().filter(|found| found.row().agent == agent);
    own.map(|found| Reason::Keyword { keyword: found.keyword().to_owned(), origin: found.row().origin })
        .collect()
}

fn words(router: &Router, question: &Question<'_>, chosen: usize) -> Vec<Reason> {
    let value = question.input.word_value();
    let weight = |bucket: &u16| value * advantage(router.model.words.row(usize::from(*bucket)), chosen);
    let mut spoke: Vec<(usize, f32)> = question.input.buckets.iter().map(weight).enumerate().collect();
    spoke.retain(|(_, weight)| *weight >= WEIGHT_MIN);
    spoke.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut told: Vec<(String, f32)> = Vec::new();
    for (at, weight) in spoke {
        let word = question.features.name(at).to_owned();
        // That a task begins with a word and that it holds the word are one reason to people.
        if let Some((_, sum)) = told.iter_mut().find(|(known, _)| *known == word) {
            *sum += weight;
        } else if told.len() < WORDS_MAX {
            told.push((word, weight));
        }
    }
    told.into_iter().map(|(word, weight)| Reason::Word { word, weight }).collect()
}

fn patterns(votes: &[PatternVote<'_>], agent: &str) -> Option<Reason> {
    let own = votes.iter().filter(|vote| vote.agent == agent && vote.worth() > 0.0);
    let best = own.max_by(|a, b| a.worth().total_cmp(&b.worth()))?;
    Some(Reason::Pattern { similarity: best.similarity, quality: best.quality })
}

/// Similar tasks that the same agent did: what came of others is no reason for this one.
fn earlier(router: &Router, features: &Features, chosen: usize) -> Vec<Reason> {
    let found = router.past.similar(features, EARLIER_MAX * 4);
    let own = found.into_iter().filter(|(_, earlier)| earlier.agent == chosen).take(EARLIER_MAX);
    let told = own.map(|(similarity, earlier)| Reason::Earlier {
        task: earlier.excerpt.clone(),
        agent: router.agents.names()[earlier.agent].clone(),
        outcome: earlier.outcome,
        similarity,
    });
    told.collect()
}
