//! Feedback as somebody would give it who knows the answers: what of the results is right was used, the rest was not.

use peri_learn::adapt::{
    AdaptError, Adapter, Consolidation, Example, Lesson, Mode, Training, Verdict, judge, learn,
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

/// A round of learning, and what the gate says when the held-out questions are asked again through the whole recall.
pub(super) struct Learned {
    pub(super) lesson: Lesson,
    pub(super) whole: Verdict,
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
    let whole = judge_whole(world, talk, heard, &lesson)?;
    Ok(Some(Learned { lesson, whole }))
}

/// Goes on from what was learned of another task, protected so strongly.
pub(super) fn learn_further(
    task: &str,
    heard: &Heard,
    mode: Mode,
    from: &Lesson,
    strength: f32,
) -> Outcome<Lesson> {
    let protected = from.protected.clone().with_strength(strength);
    let training = Training { current: &from.adapter, protected: &protected, settings: mode.settings(), seed: SEED };
    Ok(learn(&training, task, &heard.examples)?)
}

fn judge_whole(world: &World, talk: &Talk, heard: &Heard, lesson: &Lesson) -> Outcome<Verdict> {
    let held_out = heard.examples.iter().zip(&heard.asked).filter(|(example, _)| example.is_held_out());
    let held_out: Vec<Asked> = held_out.map(|(_, asked)| asked.clone()).collect();
    let ranks = |adapter| -> Outcome<Vec<f64>> {
        Ok(measure(world, talk, &held_out, adapter)?.iter().map(|figures| figures[WHOLE_RANK]).collect())
    };
    Ok(judge(&ranks(None)?, &ranks(Some(&lesson.adapter))?))
}
