//! What speaks for and against a memory, and how much each counts.
//!
//! The score is a weighted sum. The weights were fitted once on conversations, with the sign of each fixed
//! beforehand; `peri-bench fit` repeats that, cross-validated by conversation, and `bench/REPORT.md` has the figures.
//! Every feature is zero where it does not apply: a memory without a session has no neighbours, no session
//! and no length that matters, and an engine that does not know the language leaves its features at zero.

use peri_embed::Reading;

use super::Stage;

/// One feature: its name, the stage it belongs to and its weight.
pub(crate) struct Feature {
    pub(crate) name: &'static str,
    pub(crate) stage: Stage,
    pub(crate) weight: f32,
}

const fn feature(name: &'static str, stage: Stage, weight: f32) -> Feature {
    Feature { name, stage, weight }
}

/// How many features there are.
pub(crate) const COUNT: usize = 16;

/// The features of one memory.
pub(crate) type Values = [f32; COUNT];

/// BM25 of the memory, as a share of the best.
pub(crate) const BM25: usize = 0;
/// The share of the question's words, weighed by rarity, that the memory holds.
pub(crate) const COVERAGE: usize = 1;
/// How much more of it is covered when similar words count too.
pub(crate) const SIMILAR_WORDS: usize = 2;
/// The cosine with the question, above that of the average memory.
pub(crate) const COSINE: usize = 3;
/// How close it is to the average memory: small talk lies there. Only in a session.
pub(crate) const GENERIC: usize = 4;
/// BM25 of the memory and the two turns on either side as one text, as a share of the best.
pub(crate) const WINDOW_BM25: usize = 5;
/// The cosine of the memory and the turn on either side together.
pub(crate) const WINDOW_COSINE: usize = 6;
/// BM25 of the turn before it, if that asked something: the answer inherits the question's words.
pub(crate) const ANSWERS: usize = 7;
/// BM25 of the session as one text, as a share of the best.
pub(crate) const SESSION_BM25: usize = 8;
/// BM25 of everything said on the same day as one text, as a share of the best.
pub(crate) const DAY_BM25: usize = 9;
/// The question names its speaker.
pub(crate) const SPEAKER: usize = 10;
/// How long it is, up to forty words, against a turn of average length. Only in a session.
pub(crate) const LENGTH: usize = 11;
/// It asks something itself. Only in a session.
pub(crate) const ASKS: usize = 12;
/// It was said at or soon after a date in the question.
pub(crate) const DATE: usize = 13;
/// The question asks for a time, and it holds one.
pub(crate) const TIME: usize = 14;
/// The question holds one of its aliases whole.
pub(crate) const NAME: usize = 15;

/// The features in the order of the constants above.
pub(crate) const FEATURES: [Feature; COUNT] = [
    feature("bm25", Stage::Words, 0.75),
    feature("coverage", Stage::Words, 2.97),
    feature("similar words", Stage::Meaning, 2.97),
    feature("cosine", Stage::Meaning, 4.14),
    feature("generic", Stage::Meaning, -4.31),
    feature("window bm25", Stage::Neighbours, 2.57),
    feature("window cosine", Stage::Neighbours, 2.04),
    feature("answers", Stage::Neighbours, 2.03),
    feature("session bm25", Stage::Session, 0.85),
    feature("day bm25", Stage::Session, 0.85),
    feature("speaker", Stage::Speaker, 1.18),
    feature("length", Stage::Session, 0.95),
    feature("asks", Stage::Session, -0.54),
    feature("date", Stage::Dates, 8.57),
    feature("time", Stage::Dates, 2.11),
    feature("name", Stage::Words, 3.0),
];

/// Weights for engines that read sentences as a whole: small talk does not gather around their mean, and a
/// turn and its neighbours together mean more than the turn alone.
const SENTENCE_WEIGHTS: [(usize, f32); 3] = [(COSINE, 3.06), (GENERIC, -0.91), (WINDOW_COSINE, 4.4)];

/// The weight of each feature, in the order of the constants above.
pub(crate) type Weights = [f32; COUNT];

/// The weights for vectors that were made in this way.
pub(crate) fn weights(reading: Reading) -> Weights {
    let mut weights = FEATURES.each_ref().map(|feature| feature.weight);
    if reading == Reading::Sentence {
        SENTENCE_WEIGHTS.into_iter().for_each(|(feature, weight)| weights[feature] = weight);
    }
    weights
}

/// What a good answer reaches of a cosine above the average memory's.
const GOOD_COSINE: f32 = 0.4;

/// The share of a good answer's sum at which a memory is as likely an answer as not, and how steeply the
/// likelihood rises there.
const MIDDLE: f32 = 0.8;
const SLOPE: f32 = 6.0;

/// What a question offers a memory to agree with; what is not there can neither raise nor lower a score.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Occasion {
    /// The question has a vector.
    pub(crate) meaning: bool,
    /// It names a date.
    pub(crate) dates: bool,
    /// It asks for a time.
    pub(crate) time: bool,
    /// It names a speaker.
    pub(crate) speaker: bool,
}

impl Occasion {
    /// The sum that a good answer to such a question reaches.
    fn good_sum(self, weights: &Weights) -> f32 {
        let weight = |feature: usize| weights[feature];
        let words =
            [BM25, COVERAGE, WINDOW_BM25, SESSION_BM25, DAY_BM25].into_iter().map(weight).sum::<f32>();
        let part = |applies: bool, value: f32| if applies { value } else { 0.0 };
        words
            + part(self.meaning, GOOD_COSINE * (weight(COSINE) + weight(WINDOW_COSINE)))
            + part(self.dates, weight(DATE))
            + part(self.time, weight(TIME))
            + part(self.speaker, weight(SPEAKER))
    }

    /// The score, from 0 to 1, of a weighted sum.
    pub(crate) fn score(self, sum: f32, weights: &Weights) -> f32 {
        let share = sum / self.good_sum(weights);
        1.0 / (1.0 + (-(share - MIDDLE) * SLOPE).exp())
    }
}

/// The stage to which a memory owes a feature. One without a session is its own neighbourhood, so what that
/// brings is really owed to its own words and meaning.
pub(crate) fn stage_of(feature: usize, is_turn: bool) -> Stage {
    match feature {
        _ if is_turn => FEATURES[feature].stage,
        WINDOW_BM25 | SESSION_BM25 | DAY_BM25 => Stage::Words,
        WINDOW_COSINE => Stage::Meaning,
        _ => FEATURES[feature].stage,
    }
}

/// The weighted sum of a memory's features.
pub(crate) fn sum(values: &Values, weights: &Weights) -> f32 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}
