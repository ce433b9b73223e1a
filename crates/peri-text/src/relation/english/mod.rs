//! The English rules.

mod amounts;
mod change;
mod claim;
mod event;
mod mood;
mod opposite;
mod read;
mod shape;
mod sieve;
mod words;

pub(super) use read::Reading;
use read::Word;
use words::{FREE, UNREAL};

use super::blockers::{opposition, replacement};
use super::order::{is_list_reordered, is_swap};
use super::{Reason, Relation, Verdict};

/// Relates two sentences that were read.
pub(super) fn relate(new: &Reading, old: &Reading) -> Relation {
    if new.words.is_empty() || old.words.is_empty() {
        return Relation::unrelated([]);
    }
    if let Some(reason) = same(new, old) {
        return Relation::new(Verdict::Same, [reason]);
    }
    if let Some(reasons) = change::replaces(new, old).or_else(|| claim::replaces(new, old)) {
        return replacement(reasons, &new.blockers, &old.blockers);
    }
    if let Some(reason) = opposite::reason(new, old) {
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
    if asks(new) != asks(old) {
        return None;
    }
    let (a, b) = (texts(&new.words), texts(&old.words));
    if a == b {
        return Some(Reason::SameWords);
    }
    let is_free = |phrase: &[&str]| FREE.contains(&phrase[0]);
    let (a_listed, b_listed) = (listed(&new.words), listed(&old.words));
    let is_reordered = is_swap(&a, &b, is_free)
        || is_list_reordered(&a_listed, &b_listed, 2, |word| matches!(*word, "and" | "or"));
    is_reordered.then_some(Reason::Reordered)
}

/// Whether the newer sentence begins with the older one and goes on, without taking anything back.
fn contains(new: &Reading, old: &Reading) -> bool {
    let (a, b) = (texts(&new.words), texts(&old.words));
    let is_taken_back = |word: &&str| {
        matches!(*word, "not" | "no" | "or" | "only" | "except" | "but") || UNREAL.contains(word)
    };
    b.len() >= 3
        && new.blockers.iter().all(|one| old.blockers.contains(one))
        && a.strip_prefix(&b[..]).is_some_and(|rest| !rest.is_empty() && !rest.iter().any(is_taken_back))
}

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

/// The words with a comma of a list written as the "and" that it stands for.
fn listed(words: &[Word]) -> Vec<&str> {
    let mut listed = Vec::with_capacity(words.len());
    let joins = |word: &Word| matches!(word.text.as_str(), "and" | "or");
    let joint = words.iter().rfind(|word| joins(word)).map_or("and", |word| word.text.as_str());
    for word in words {
        if word.comma && !joins(word) {
            listed.push(joint);
        }
        listed.push(&word.text);
    }
    listed
}
