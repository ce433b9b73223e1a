//! Feedback as somebody would give it who knows the answers: what of the results is right was used, the rest was not.

use peri_learn::adapt::{
    AdaptError, Adapter, Consolidation, Example, Lesson, Mode, PARTS, Training, is_no_worse, judge, learn,
};

use super::chance::Chance;
use super::figures::{WHOLE_RANK, measure};
use super::world::{Asked, Talk, World};
use crate::Outcome;

/// Where chance takes part in training, it starts from here.
const SEED: u64 = 1;

/// What was asked, and what was said of the results.
pub(super) struct Heard {
    pub(super) examples: Vec<Example>,
    /// The question of each example.
    asked: Vec<Asked>,
}

/// Asks questions plainly and says which results were of use, wrongly with this probability a result.
pub(super) fn hear(world: &World, talk: &Talk, questions: &[Asked], wrong: f64) -> Outcome<Heard> {
    let mut chance = Chance::new(23);
    let mut heard = Heard { examples: Vec::new(), asked: Vec::new() };
    for asked in questions {
        let (mut used, mut unused) = (Vec::new(), Vec::new());
        for at in world.ask(talk, &asked.text)? {
            let is_used = asked.gold.contains(&at) != (chance.share() < wrong);
            let side = if is_used { &mut used } else { &mut unused };
            side.push(talk.memories[at].clone());
        }
        let example = Example { query: asked.vector.clone(), used, unused };
        if example.check(asked.vector.len()).is_ok() {
            heard.examples.push(example);
            heard.asked.push(asked.clone());
        }
    }
    Ok(heard)
}

/// A round of learning, and which gates would take it.
pub(super) struct Learned {
    pub(super) lesson: Lesson,
    /// By meaning alone; by that, if the whole recall is no worse either; by the whole recall alone.
    pub(super) taken: [bool; 3],
}

/// Learns in a mode from the start; `None` if there is too little.
pub(super) fn learn_anew(world: &World, talk: &Talk, heard: &Heard, mode: Mode) -> Outcome<Option<Learned>> {
    let settings = mode.settings();
    let current = Adapter::new(world.space().clone(), settings.rank)?;
    let protected = Consolidation::new(settings.protection_strength);
    let training = Training { current: &current, protected: &protected, settings, seed: SEED };
    let lesson = match learn(&training, &talk.name, &heard.examples) {
        Err(AdaptError::TooFew { .. }) => return Ok(None),
        lesson => lesson?,
    };
    let (before, after) = asked_again(world, talk, heard, &lesson)?;
    let by_meaning = lesson.verdict.is_taken();
    let taken = [by_meaning, by_meaning && is_no_worse(&before, &after), judge(&before, &after).is_taken()];
    Ok(Some(Learned { lesson, taken }))
}

/// Goes on from what was learned of another task, protected so strongly.
pub(super) fn learn_further(heard: &Heard, mode: Mode, from: &Lesson, strength: f32) -> Outcome<Adapter> {
    let protected = from.protected.clone().with_strength(strength);
    let training =
        Training { current: &from.adapter, protected: &protected, settings: mode.settings(), seed: SEED };
    let examples: Vec<&Example> = heard.examples.iter().collect();
    Ok(training.on(&examples)?.adapter)
}

/// The whole recall's reciprocal ranks of each part's questions, asked again plainly and through the adapter that has not
/// learned from them.
fn asked_again(world: &World, talk: &Talk, heard: &Heard, lesson: &Lesson) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for part in 0..PARTS {
        let own = heard.examples.iter().zip(&heard.asked).filter(|(example, _)| example.part() == part);
        let own: Vec<Asked> = own.map(|(_, asked)| asked.clone()).collect();
        let ranks = |adapter| -> Outcome<Vec<f64>> {
            Ok(measure(world, talk, &own, adapter)?.iter().map(|figures| figures[WHOLE_RANK]).collect())
        };
        before.extend(ranks(None)?);
        after.extend(ranks(Some(&lesson.trials[part]))?);
    }
    Ok((before, after))
}
