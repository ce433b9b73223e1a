//! Weighing: the features of each candidate.
//!
//! What is cheap is measured of every candidate; what costs more, the likeness of words and the meaning of
//! the neighbourhood, only of those that are still in the running.

use peri_embed::Similarities;
use peri_index::{Doc, Index, Matches};

use super::Stage;
use super::features::{self, Values};
use super::question::{Asked, Question};
use crate::entry;

/// Neighbours on either side that are read together with a turn: for words, and for meaning.
const WORD_WINDOW: usize = 2;
const MEANING_WINDOW: usize = 1;

/// The best so many by cheap features, and at least as many times the limit, are weighed in full.
const IN_THE_RUNNING: usize = 160;
const IN_THE_RUNNING_PER_RESULT: usize = 4;

/// A similar word counts from this cosine on, and fully at 1.
const SIMILAR_FROM: f32 = 0.3;

/// What an unknown word weighs against one that a single memory holds: it may be a slip, or matter little.
const UNKNOWN_WEIGHT: f32 = 0.7;

/// A word's rarity is judged as if there were so many further memories without it: in a store of five, that
/// all five speak of a release does not make the word say nothing.
const MEMORIES_PRIOR: f32 = 50.0;

/// Words beyond this many make a turn no more telling.
const LENGTH_MAX: f32 = 40.0;

/// The logarithm of an average turn's length: turns are weighed against it, so that a store of plain facts
/// beside a conversation is neither favoured nor held back.
const LENGTH_USUAL: f32 = 3.0;

/// With few memories their mean is mostly chance; so many count for none.
const MEAN_PRIOR: f32 = 20.0;

/// Features that count as a share of the best, and the feature whose best that is: an answer inherits its
/// question's score on the scale of the turns' own.
const SHARES: [(usize, usize); 5] = [
    (features::BM25, features::BM25),
    (features::ANSWERS, features::BM25),
    (features::WINDOW_BM25, features::WINDOW_BM25),
    (features::SESSION_BM25, features::SESSION_BM25),
    (features::DAY_BM25, features::DAY_BM25),
];

/// A candidate with its features.
pub(super) struct Weighed {
    pub(super) doc: Doc,
    pub(super) values: Values,
    pub(super) sum: f32,
    /// What it owes to a memory that it is linked to.
    pub(super) lift: f32,
    /// Whether it belongs to a conversation.
    pub(super) is_turn: bool,
    /// What the relevance floor looks at.
    pub(super) evidence: Evidence,
}

/// What a memory shares with the question, apart from any comparison with other memories.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Evidence {
    /// The share of the question's words that the memory and its neighbours hold, by rarity.
    pub(super) window_coverage: f32,
    /// The plain cosine with the question.
    pub(super) cosine: f32,
}

/// Everything needed to weigh the candidates of one index.
pub(super) struct Scales<'a> {
    index: &'a Index,
    question: &'a Question,
    asked: &'a Asked,
    words: &'a Matches<'a>,
    names: &'a Matches<'a>,
    similar: Option<Similarities<'a>>,
    /// What each of the question's words weighs, and all of them together.
    weights: Vec<f32>,
    weight: f32,
    mean: Option<Vec<f32>>,
    question_mean: f32,
    mean_mean: f32,
}

impl<'a> Scales<'a> {
    pub(super) fn new(
        index: &'a Index,
        question: &'a Question,
        asked: &'a Asked,
        words: &'a Matches<'a>,
        names: &'a Matches<'a>,
        similar: Option<Similarities<'a>>,
    ) -> Self {
        let weights: Vec<f32> =
            words.terms().iter().map(|term| rarity(index.documents(), term.documents)).collect();
        let weight = weights.iter().sum();
        let mean = question.vector.as_ref().and_then(|_| index.mean_vector(MEAN_PRIOR));
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let question_mean = match (&question.vector, &mean) {
            (Some(vector), Some(mean)) => dot(vector, mean),
            _ => 0.0,
        };
        let mean_mean = mean.as_ref().map_or(0.0, |mean| dot(mean, mean));
        Self {
            index,
            question,
            asked,
            words,
            names,
            similar,
            weights,
            weight,
            mean,
            question_mean,
            mean_mean,
        }
    }

    /// Weighs the candidates for at most `limit` results, the best first. Shares of the best are taken among
    /// all of them; those that fall behind on what is cheap to measure are left out.
    pub(super) fn weigh(mut self, docs: &[Doc], limit: usize) -> Vec<Weighed> {
        let mut weighed: Vec<Weighed> = docs.iter().map(|doc| self.measure(*doc)).collect();
        let best = SHARES.map(|(_, scale)| weighed.iter().map(|one| one.values[scale]).fold(0.0, f32::max));
        for one in &mut weighed {
            for ((feature, _), best) in SHARES.into_iter().zip(best) {
                if best > 0.0 {
                    one.values[feature] /= best;
                }
            }
            self.switch_off(one);
            one.sum = features::sum(&one.values, &self.question.weights);
        }
        let running = IN_THE_RUNNING.max(limit.saturating_mul(IN_THE_RUNNING_PER_RESULT));
        if weighed.len() > running {
            weighed.select_nth_unstable_by(running, |a, b| b.sum.total_cmp(&a.sum));
            weighed.truncate(running);
        }
        for one in &mut weighed {
            self.measure_closely(one);
            self.switch_off(one);
            one.sum = features::sum(&one.values, &self.question.weights);
        }
        weighed.sort_unstable_by(|a, b| b.sum.total_cmp(&a.sum).then(a.doc.cmp(&b.doc)));
        weighed
    }

    fn measure(&self, doc: Doc) -> Weighed {
        let is_turn = self.index.in_session(doc);
        let (values, evidence) = ([0.0; features::COUNT], Evidence::default());
        let mut one = Weighed { doc, values, sum: 0.0, lift: 0.0, is_turn, evidence };
        self.measure_words(&mut one);
        self.measure_meaning(&mut one);
        self.measure_speaker(&mut one);
        if is_turn {
            self.measure_turn(&mut one);
        }
        self.measure_dates(&mut one);
        one
    }

    fn measure_words(&self, one: &mut Weighed) {
        let (words, doc) = (self.words, one.doc);
        let window = if self.question.stages.has(Stage::Neighbours) { WORD_WINDOW } else { 0 };
        let (window_bm25, held_nearby) = words.window(doc, window, window);
        let (mut covered, mut nearby) = (0.0, 0.0);
        for (at, weight) in self.weights.iter().enumerate() {
            if held_nearby & (1 << at) != 0 {
                nearby += weight;
                if words.tf(doc, at) > 0 {
                    covered += weight * self.asked.weights[at];
                }
            }
        }
        let values = &mut one.values;
        if self.weight > 0.0 {
            values[features::COVERAGE] = covered / self.weight;
            one.evidence.window_coverage = nearby / self.weight;
        }
        values[features::BM25] = words.bm25(doc);
        values[features::WINDOW_BM25] = window_bm25;
        values[features::SESSION_BM25] = words.session_bm25(doc);
        values[features::DAY_BM25] = words.day_bm25(doc);
        values[features::NAME] = f32::from(u8::from(self.names.bm25(doc) > 0.0));
    }

    fn measure_meaning(&self, one: &mut Weighed) {
        let Some(vector) = &self.question.vector else { return };
        let Some(cosine) = self.index.dot(vector, one.doc) else { return };
        one.evidence.cosine = cosine;
        one.values[features::COSINE] = cosine - self.question_mean;
        one.values[features::WINDOW_COSINE] = one.values[features::COSINE];
        let mean = self.mean.as_ref().filter(|_| one.is_turn);
        if let Some(generic) = mean.and_then(|mean| self.index.dot(mean, one.doc)) {
            one.values[features::GENERIC] = generic - self.mean_mean;
        }
    }

    fn measure_speaker(&self, one: &mut Weighed) {
        let named = &self.asked.named;
        if !named.is_empty()
            && let Some(speaker) = self.index.speaker_name(one.doc)
            && named.iter().any(|named| named == speaker)
        {
            one.values[features::SPEAKER] = 1.0;
        }
    }

    fn measure_turn(&self, one: &mut Weighed) {
        let (index, doc) = (self.index, one.doc);
        let (flags, values) = (index.flags(doc), &mut one.values);
        if flags & entry::UNSPACED == 0 {
            let length = (index.length(doc) as f32).min(LENGTH_MAX);
            values[features::LENGTH] = length.ln_1p() - LENGTH_USUAL;
        }
        values[features::ASKS] = f32::from(u8::from(flags & entry::ASKS != 0));
        let before = index.neighbour(doc, -1).filter(|_| self.question.stages.has(Stage::Neighbours));
        if let Some(before) = before.filter(|before| index.flags(*before) & entry::ASKS != 0) {
            values[features::ANSWERS] = self.words.bm25(before);
        }
    }

    fn measure_dates(&self, one: &mut Weighed) {
        if !self.question.days.is_empty() {
            one.values[features::DATE] = self.question.days.agreement(self.index, one.doc);
        }
        let holds_time = self.index.flags(one.doc) & entry::HOLDS_TIME != 0;
        one.values[features::TIME] = f32::from(u8::from(self.question.asks_when && holds_time));
    }

    /// What costs more: words that mean nearly the same, and the meaning of the neighbourhood.
    fn measure_closely(&mut self, one: &mut Weighed) {
        let doc = one.doc;
        if let Some(similar) = self.similar.as_mut().filter(|_| self.weight > 0.0) {
            let likeness = similar.best(self.index.tokens(doc));
            let missing = self.weights.iter().enumerate().filter(|(at, _)| self.words.tf(doc, *at) == 0);
            let alike = |likeness: f32| (likeness - SIMILAR_FROM).max(0.0) / (1.0 - SIMILAR_FROM);
            let sum: f32 = missing.map(|(at, weight)| weight * alike(likeness[at])).sum();
            one.values[features::SIMILAR_WORDS] = sum / self.weight;
        }
        let vector = self.question.vector.as_ref().filter(|_| one.is_turn);
        if let Some(vector) = vector.filter(|_| self.question.stages.has(Stage::Neighbours))
            && let Some(cosine) = self.index.window_cosine(vector, doc, MEANING_WINDOW, MEANING_WINDOW)
        {
            one.values[features::WINDOW_COSINE] = cosine - self.question_mean;
        }
    }

    /// What belongs to a stage that does not take part counts for nothing.
    fn switch_off(&self, one: &mut Weighed) {
        if self.question.stages == super::Stages::ALL {
            return;
        }
        for (feature, value) in one.values.iter_mut().enumerate() {
            if !self.question.stages.has(features::stage_of(feature, one.is_turn)) {
                *value = 0.0;
            }
        }
    }
}

/// How much a word says that so many of the namespace's memories hold.
fn rarity(memories: usize, holding: u32) -> f32 {
    let (all, holding) = (memories as f32 + MEMORIES_PRIOR, holding as f32);
    let idf = ((all - holding + 0.5) / (holding + 0.5)).ln_1p();
    if holding == 0.0 { UNKNOWN_WEIGHT * idf } else { idf }
}
