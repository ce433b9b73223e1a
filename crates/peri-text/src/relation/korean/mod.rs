//! The Korean rules.

mod change;
mod claim;
mod endings;
mod mood;
mod read;
mod times;
mod words;

pub(super) use read::Reading;
use read::{Role, Word};
use words::ANTONYMS;

use super::blockers::{opposition, replacement};
use super::{Reason, Relation, Verdict};

/// Relates two sentences that were read.
pub(super) fn relate(new: &Reading, old: &Reading) -> Relation {
    if let Some(reason) = same(new, old) {
        return Relation::new(Verdict::Same, [reason]);
    }
    if let Some(reasons) = change::replaces(new, old).or_else(|| claim::replaces(new, old)) {
        return replacement(reasons, &new.blockers, &old.blockers);
    }
    if let Some(reason) = opposite(new, old) {
        let is_change = new.is_now && !old.is_past;
        return opposition(reason, is_change, &new.blockers, &old.blockers);
    }
    if contains(new, old) {
        return Relation::unrelated([Reason::Contains]);
    }
    Relation::unrelated([])
}

fn same(new: &Reading, old: &Reading) -> Option<Reason> {
    let asks = |reading: &Reading| reading.blockers.contains(&Reason::Question);
    let is_like = asks(new) == asks(old)
        && new.negations == old.negations
        && new.is_past == old.is_past
        && new.is_ended == old.is_ended;
    if !is_like {
        return None;
    }
    if joined(&new.words) == joined(&old.words) || agree(&new.words, &old.words) {
        return Some(Reason::SameWords);
    }
    (phrases(&new.words) == phrases(&old.words)).then_some(Reason::Reordered)
}

/// The words run together with their particles' roles: spacing is a matter of taste.
fn joined(words: &[Word]) -> String {
    words.iter().fold(String::new(), |mut out, word| {
        out.push_str(&word.text);
        if !matches!(word.role, Role::Plain | Role::Verb | Role::Value) {
            out.push_str(&format!("/{:?} ", word.role));
        }
        out
    })
}

/// Word by word the same, where one particle may have been left out; two would leave open who did what.
fn agree(new: &[Word], old: &[Word]) -> bool {
    let is_bare = |word: &Word| matches!(word.role, Role::Plain | Role::Value | Role::Verb);
    let is_marked = |word: &Word| matches!(word.role, Role::Subject | Role::Object);
    let (mut texts, mut left_out, mut differing) = (true, 0, 0);
    for (a, b) in new.iter().zip(old) {
        texts &= a.text == b.text;
        match (is_bare(a), is_bare(b)) {
            (true, true) => {}
            (true, false) if is_marked(b) => left_out += 1,
            (false, true) if is_marked(a) => left_out += 1,
            _ => differing += usize::from(a.role != b.role),
        }
    }
    new.len() == old.len() && texts && left_out <= 1 && differing == 0
}

/// Phrases, each up to a word with a particle, in an order of their own; the predicate stays last.
fn phrases(words: &[Word]) -> Vec<Vec<&Word>> {
    let Some((predicate, rest)) = words.split_last() else { return Vec::new() };
    let mut phrases: Vec<Vec<&Word>> = vec![Vec::new()];
    for word in rest {
        phrases.last_mut().expect("there is always one").push(word);
        if word.role != Role::Plain && word.role != Role::With {
            phrases.push(Vec::new());
        }
    }
    phrases.retain(|phrase| !phrase.is_empty());
    phrases.sort();
    phrases.push(vec![predicate]);
    phrases
}

fn opposite(new: &Reading, old: &Reading) -> Option<Reason> {
    if new.is_past != old.is_past || new.words.len() < 2 {
        return None;
    }
    let is_word = |a: &Word, b: &Word| {
        a.text == b.text && (a.role == b.role || a.role == Role::Plain || b.role == Role::Plain)
    };
    let (a, b) = (&new.words, &old.words);
    let always = |word: &&Word| !matches!(word.text.as_str(), "절대" | "항상");
    let (a_kept, b_kept): (Vec<&Word>, Vec<&Word>) =
        (a.iter().filter(always).collect(), b.iter().filter(always).collect());
    let agree = a_kept.len() == b_kept.len() && a_kept.iter().zip(&b_kept).all(|(a, b)| is_word(a, b));
    if agree && new.negations + old.negations == 1 {
        return Some(Reason::Negation);
    }
    if a.len() != b.len() || new.negations != old.negations {
        return None;
    }
    let mut differing = a.iter().zip(b).filter(|(a, b)| !is_word(a, b));
    let (Some((x, y)), None) = (differing.next(), differing.next()) else { return None };
    let is_pair = |(one, other): &(&str, &str)| {
        x.text == *one && y.text == *other || x.text == *other && y.text == *one
    };
    // A word that only describes another leaves room for both.
    let is_stated = x.role != Role::Plain || x.text.ends_with('에') || x.text.ends_with(['져', '려', '혀']);
    (x.role == y.role && is_stated && ANTONYMS.iter().any(is_pair)).then_some(Reason::Antonym)
}

/// Whether the newer sentence has every phrase of the older one, and more.
fn contains(new: &Reading, old: &Reading) -> bool {
    let (a, b) = (phrases(&new.words), phrases(&old.words));
    let is_plain =
        new.negations == old.negations && new.is_past == old.is_past && new.blockers == old.blockers;
    let has = |phrase: &Vec<&Word>| a.contains(phrase) || extends(&a, phrase);
    is_plain && b.len() >= 2 && a.len() + new.words.len() > b.len() + old.words.len() && b.iter().all(has)
}

/// 포스트그레스와 레디스를 extends 포스트그레스를: the list got longer.
fn extends(phrases: &[Vec<&Word>], phrase: &[&Word]) -> bool {
    let [only] = phrase else { return false };
    phrases.iter().any(|longer| {
        longer.last().is_some_and(|last| last.role == only.role)
            && longer.iter().any(|word| word.role == Role::With && word.text == only.text)
    })
}
