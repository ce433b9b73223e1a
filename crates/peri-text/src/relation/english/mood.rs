//! What keeps an English sentence from replacing another, or from being replaced.

use super::read::Word;
use super::sieve::Sieve;
use super::words::{ADDITIVE, PAST, POINTERS, TEMPORARY, UNREAL, WHILES};
use crate::relation::Reason;

/// First words that ask even where the question mark is missing.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "does", "did", "is", "are", "was", "were", "what", "why", "how", "who", "whose", "which", "where",
    "should", "could", "would", "shall", "am",
];

static MAY_BE_UNREAL: Sieve = Sieve::of(UNREAL);
static MAY_BE_TEMPORARY: Sieve = Sieve::of(TEMPORARY);
static MAY_BE_ADDITIVE: Sieve = Sieve::of(ADDITIVE);
static MAY_BE_PAST: Sieve = Sieve::of(PAST);

/// The blockers of a sentence, whose words are still as they were written.
pub(super) fn blockers(words: &[Word], is_question: bool) -> Vec<Reason> {
    let mut found = Vec::new();
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let any = |list: &[&str], sieve: &Sieve| {
        words.iter().any(|word| sieve.lets_through(&word.text) && list.contains(&word.text.as_str()))
    };
    if is_question || ASKING.contains(&text(0)) {
        found.push(Reason::Question);
    }
    let is_plan = (0..words.len())
        .any(|at| matches!(text(at), "plan" | "plans") && matches!(text(at + 1), "to" | "on"));
    let is_under_way = (1..words.len()).any(|at| {
        matches!(text(at), "moving" | "switching" | "changing" | "migrating" | "leaving")
            && is_be(text(at - 1))
    });
    if is_plan || is_under_way || any(UNREAL, &MAY_BE_UNREAL) {
        found.push(Reason::Unreal);
    }
    let is_while = (1..words.len()).any(|at| text(at - 1) == "this" && WHILES.contains(&text(at)));
    if is_while || any(TEMPORARY, &MAY_BE_TEMPORARY) {
        found.push(Reason::Temporary);
    }
    if any(ADDITIVE, &MAY_BE_ADDITIVE) {
        found.push(Reason::Additive);
    }
    let subject =
        if matches!(text(0), "the" | "a" | "an" | "all" | "now" | "and" | "but") { text(1) } else { text(0) };
    if POINTERS.contains(&subject) {
        found.push(Reason::UnclearSubject);
    }
    found
}

fn is_be(text: &str) -> bool {
    matches!(text, "is" | "are" | "am" | "be" | "been" | "not")
}

/// Whether the words tell of the past: a past form that no "is" before it turns into a passive.
pub(super) fn is_past(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let text = word.text.as_str();
        let after_be = at > 0 && (is_be(&words[at - 1].text) || is_adverb_after_be(words, at));
        MAY_BE_PAST.lets_through(text) && PAST.contains(&text) || (!after_be && is_past_form(word))
    })
}

/// "is always stored": the word before is no "is", but the one before that is.
fn is_adverb_after_be(words: &[Word], at: usize) -> bool {
    at > 1
        && is_be(&words[at - 2].text)
        && (words[at - 1].text.ends_with("ly") || words[at - 1].text == "always")
}

fn is_past_form(word: &Word) -> bool {
    let text = word.text.as_str();
    // The stem tells "moved" from "need" and "red".
    text.len() > 3
        && text != "preferred"
        && text.ends_with("ed")
        && word.stem.len() < text.len()
        && word.stem != text
}
