//! Weighing: the features of each candidate.

use peri_embed::Similarities;
use peri_index::{Doc, Index, Matches};

use super::features::{self, Values};
use super::question::{Asked, Question};
use super::{Stage, dates};
use crate::entry;

/// Neighbours on either side that are read together with a turn: for words, and for meaning.
const WORD_WINDOW: usize = 2;
const MEANING_WINDOW: usize = 1;

/// A similar word counts from this cosine on, and fully at 1.
const SIMILAR_FROM: f32 = 0.3;

/// What an unknown word weighs against one that a single memory holds: it may be a slip, or matter little.
const UNKNOWN_WEIGHT: f32 = 0.7;

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
    /// What each of the question's words weighs.
    weights: Vec<f32>,
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
        let unknown = UNKNOWN_WEIGHT;
        let weigh =
            |term: &peri_index::QueryTerm| if term.documents == 0 { unknown * term.idf } else { term.idf };
        let weights = words.terms().iter().map(weigh).collect();
        let mean = question.vector.as_ref().and_then(|_| index.mean_vector(MEAN_PRIOR));
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let question_mean = match (&question.vector, &mean) {
            (Some(vector), Some(mean)) => dot(vector, mean),
            _ => 0.0,
        };
        let mean_mean = mean.as_ref().map_or(0.0, |mean| dot(mean, mean));
        Self { index, question, asked, words, names, similar, weights, mean, question_mean, mean_mean }
    }

    /// Weighs all candidates. Shares of the best are taken among them.
    pub(super) fn weigh(mut self, docs: &[Doc]) -> Vec<Weighed> {
        let mut weighed: Vec<Weighed> = docs.iter().map(|doc| self.measure(*doc)).collect();
        let best = SHARES.map(|(_, scale)| weighed.iter().map(|one| one.values[scale]).fold(0.0, f32::max));
        for ((feature, _), best) in SHARES.into_iter().zip(best) {
            if best > 0.0 {
                weighed.iter_mut().for_each(|one| one.values[feature] /= best);
            }
        }
        for one in &mut weighed {
            self.switch_off(&mut one.values);
            one.sum = features::sum(&one.values);
        }
        weighed
    }

    fn measure(&mut self, doc: Doc) -> Weighed {
        let mut values = [0.0; features::COUNT];
        let mut evidence = Evidence::default();
        self.measure_words(doc, &mut values, &mut evidence);
        self.measure_meaning(doc, &mut values, &mut evidence);
        self.measure_conversation(doc, &mut values);
        self.measure_dates(doc, &mut values);
        Weighed { doc, values, sum: 0.0, evidence }
    }

    fn measure_words(&mut self, doc: Doc, values: &mut Values, evidence: &mut Evidence) {
        let total: f32 = self.weights.iter().sum();
        let window = if self.question.stages.has(Stage::Neighbours) { WORD_WINDOW } else { 0 };
        let (window_bm25, held_nearby) = self.words.window(doc, window, window);
        let (mut covered, mut similar, mut nearby) = (0.0, 0.0, 0.0);
        let likeness = self.similar.as_mut().map(|similar| similar.best(self.index.tokens(doc)));
        for (at, weight) in self.weights.iter().enumerate() {
            if held_nearby & (1 << at) != 0 {
                nearby += weight;
            }
            if self.words.tf(doc, at) > 0 {
                covered += weight * self.asked.weights[at];
            } else if let Some(likeness) = likeness.and_then(|likeness| likeness.get(at)) {
                similar += weight * (likeness - SIMILAR_FROM).max(0.0) / (1.0 - SIMILAR_FROM);
            }
        }
        if total > 0.0 {
            values[features::COVERAGE] = covered / total;
            values[features::SIMILAR_WORDS] = similar / total;
            evidence.window_coverage = nearby / total;
        }
        values[features::BM25] = self.words.bm25(doc);
        values[features::WINDOW_BM25] = window_bm25;
        values[features::SESSION_BM25] = self.words.session_bm25(doc);
        values[features::DAY_BM25] = self.words.day_bm25(doc);
        values[features::NAME] = f32::from(u8::from(self.names.bm25(doc) > 0.0));
    }

    fn measure_meaning(&self, doc: Doc, values: &mut Values, evidence: &mut Evidence) {
        let Some(vector) = &self.question.vector else { return };
        let Some(cosine) = self.index.cosine(vector, doc) else { return };
        evidence.cosine = cosine;
        values[features::COSINE] = cosine - self.question_mean;
        values[features::WINDOW_COSINE] = values[features::COSINE];
        if !self.in_session(doc) {
            return;
        }
        if self.question.stages.has(Stage::Neighbours)
            && let Some(cosine) = self.index.window_cosine(vector, doc, MEANING_WINDOW, MEANING_WINDOW)
        {
            values[features::WINDOW_COSINE] = cosine - self.question_mean;
        }
        if let Some(generic) = self.mean.as_ref().and_then(|mean| self.index.dot(mean, doc)) {
            values[features::GENERIC] = generic - self.mean_mean;
        }
    }

    fn measure_conversation(&self, doc: Doc, values: &mut Values) {
        let Some(facts) = self.index.facts(doc).filter(|_| self.in_session(doc)) else { return };
        if let Some(speaker) = self.index.speaker_name(doc)
            && self.asked.named.iter().any(|named| named == speaker)
        {
            values[features::SPEAKER] = 1.0;
        }
        if facts.flags & entry::UNSPACED == 0 {
            let length = (facts.length as f32).min(LENGTH_MAX);
            values[features::LENGTH] = length.ln_1p() - LENGTH_USUAL;
        }
        values[features::ASKS] = f32::from(u8::from(facts.flags & entry::ASKS != 0));
        let before = self.index.neighbour(doc, -1).filter(|_| self.question.stages.has(Stage::Neighbours));
        if let Some(before) = before.filter(|before| self.flags(*before) & entry::ASKS != 0) {
            values[features::ANSWERS] = self.words.bm25(before);
        }
    }

    fn measure_dates(&self, doc: Doc, values: &mut Values) {
        if let Some(day) = self.index.day(doc).filter(|_| !self.question.dates.is_empty()) {
            values[features::DATE] = dates::agreement(&self.question.dates, day);
        }
        let holds_time = self.flags(doc) & entry::HOLDS_TIME != 0;
        values[features::TIME] = f32::from(u8::from(self.question.asks_when && holds_time));
    }

    fn in_session(&self, doc: Doc) -> bool {
        self.index.session_name(doc).is_some()
    }

    fn flags(&self, doc: Doc) -> u8 {
        self.index.facts(doc).map_or(0, |facts| facts.flags)
    }

    /// What belongs to a stage that does not take part counts for nothing.
    fn switch_off(&self, values: &mut Values) {
        for (value, feature) in values.iter_mut().zip(&features::FEATURES) {
            if !self.question.stages.has(feature.stage) {
                *value = 0.0;
            }
        }
    }
}
