//! The relevance floor: an honest "nothing relevant" is a right answer.
//!
//! A plain memory must bring evidence of its own: one of its names, enough of the question's words, or a
//! meaning close enough. A turn of a conversation often answers without repeating any word of the question,
//! so turns are judged as a list: something near the top must bear on the question at all, and a turn far
//! below the best is left out.

use super::Stage;
use super::features;
use super::question::Question;
use super::weigh::Weighed;

/// A plain memory is relevant when it holds this share of the question's words, by rarity...
const COVERAGE_MIN: f32 = 0.2;
/// ...or, with words that mean nearly the same, this share...
const SIMILAR_COVERAGE_MIN: f32 = 0.2;
/// ...or when its meaning is this close, by itself...
const COSINE_MIN: f32 = 0.5;
/// ...or brings this much to its sum, against what the average memory would...
const MEANING_MIN: f32 = 2.2;
/// ...and when its evidence is at least this share of the best memory's.
const EVIDENCE_SHARE_MIN: f32 = 0.3;

/// Turns are returned when one of the best so many...
const TURNS_LOOKED_AT: usize = 10;
/// ...holds, together with its neighbours, this share of the question's words...
const WINDOW_COVERAGE_MIN: f32 = 0.2;
/// ...or was said about a date in the question.
const DATE_MIN: f32 = 0.5;
/// A turn this far below the best result, in the sum of features, is left out.
const MARGIN: f32 = 6.0;

/// Leaves out what is not relevant from a list that begins with the best.
pub(super) fn apply(question: &Question, weighed: &mut Vec<Weighed>) {
    if !question.stages.has(Stage::Floor) {
        return;
    }
    let best = weighed.first().map_or(0.0, |one| one.sum);
    let bears = |one: &Weighed| {
        one.evidence.window_coverage >= WINDOW_COVERAGE_MIN || one.values[features::DATE] >= DATE_MIN
    };
    let turns = weighed.iter().filter(|one| one.is_turn).take(TURNS_LOOKED_AT).any(bears);
    let strongest = weighed
        .iter()
        .filter(|one| !one.is_turn && is_relevant(question, one))
        .map(evidence)
        .fold(0.0, f32::max);
    weighed.retain(|one| {
        if one.is_turn {
            turns && one.sum >= best - MARGIN
        } else {
            is_relevant(question, one) && evidence(one) >= strongest * EVIDENCE_SHARE_MIN
        }
    });
}

fn is_relevant(question: &Question, one: &Weighed) -> bool {
    let coverage = one.values[features::COVERAGE];
    one.values[features::NAME] > 0.0
        || coverage >= COVERAGE_MIN
        || coverage + one.values[features::SIMILAR_WORDS] >= SIMILAR_COVERAGE_MIN
        || one.evidence.cosine >= COSINE_MIN
        || meaning(question, one) >= MEANING_MIN
        || one.values[features::DATE] >= DATE_MIN
}

fn evidence(one: &Weighed) -> f32 {
    let shared = [features::NAME, features::COVERAGE, features::SIMILAR_WORDS, features::DATE];
    shared.into_iter().map(|feature| one.values[feature]).sum::<f32>() + one.evidence.cosine.max(0.0)
}

/// What meaning brings to the sum of a memory without neighbours.
fn meaning(question: &Question, one: &Weighed) -> f32 {
    let features = [features::SIMILAR_WORDS, features::COSINE, features::WINDOW_COSINE];
    features.into_iter().map(|feature| question.weights[feature] * one.values[feature]).sum()
}
