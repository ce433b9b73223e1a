//! Somebody who asks in other words than the memories are written in.
//!
//! In each conversation's questions, the words that occur several times are replaced by words of another conversation,
//! each always by the same. The answers stay. Nothing but feedback can tell which word stands for which.

use std::collections::BTreeMap;

use peri_learn::adapt::Mode;

use super::chance::Chance;
use super::feedback::{hear, learn_anew};
use super::figures::heading;
use super::world::{Asked, Talk, World};
use super::{Tally, halves};
use crate::Outcome;

/// Words that occur in at least so many questions are replaced.
const QUESTIONS_MIN: usize = 3;

/// The least letters of a word that is replaced.
const LETTERS_MIN: usize = 4;

pub(super) fn run(world: &World, talks: &[&Talk], mode: Mode) -> Outcome<()> {
    let mut tally = Tally::default();
    for (at, talk) in talks.iter().enumerate() {
        let donor = talks[(at + 1) % talks.len()];
        let words = dictionary(talk, donor);
        let mut asked = Vec::new();
        for question in &talk.questions {
            asked.extend(world.asked(talk, translate(&question.text, &words), question.gold.clone())?);
        }
        for first in [0, 1] {
            let (taught, unseen) = halves(&asked, first);
            let learned = learn_anew(world, talk, &hear(world, talk, &taught, 0.0)?, mode)?;
            tally.add(world, talk, &unseen, learned.as_ref())?;
        }
    }
    heading(&format!("{mode}, questions in another vocabulary"));
    tally.report();
    Ok(())
}

/// Which word stands for which.
fn dictionary(talk: &Talk, donor: &Talk) -> BTreeMap<String, String> {
    let own = common_words(&talk.questions);
    let mut foreign: Vec<String> =
        common_words(&donor.questions).into_iter().filter(|word| !own.contains(word)).collect();
    let mut chance = Chance::new(41);
    let pairs = own.into_iter().map_while(|word| {
        (!foreign.is_empty()).then(|| (word, foreign.swap_remove(chance.below(foreign.len()))))
    });
    pairs.collect()
}

/// Words in small letters that several questions hold, in the order of the alphabet.
fn common_words(questions: &[Asked]) -> Vec<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for question in questions {
        let mut words: Vec<&str> = question.text.split(|c: char| !c.is_alphanumeric()).collect();
        words.sort_unstable();
        words.dedup();
        for word in words.into_iter().filter(|word| is_plain(word)) {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= QUESTIONS_MIN).map(|(word, _)| word.to_owned()).collect()
}

fn is_plain(word: &str) -> bool {
    word.len() >= LETTERS_MIN
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && !peri_text::is_stop_word(word)
}

fn translate(text: &str, words: &BTreeMap<String, String>) -> String {
    let parts = text.split_inclusive(|c: char| !c.is_alphanumeric()).map(|part| {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        words.get(word).map_or_else(|| part.to_owned(), |new| part.replacen(word, new, 1))
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translating_replaces_whole_words_and_keeps_the_rest() {
        let words = BTreeMap::from([("race".to_owned(), "cake".to_owned())]);
        assert_eq!(translate("Which race, the races or 경주?", &words), "Which cake, the races or 경주?");
    }
}
