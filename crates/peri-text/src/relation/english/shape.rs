//! What kind of thing a value's words name.

use super::read::{Article, Word};
use super::words::{ADJECTIVES, LANDS};
use crate::relation::value::{ValueKind, kind};

/// Whether a place is a land, which holds towns.
pub(super) fn is_land(head: &[Word]) -> bool {
    head.iter().any(|word| LANDS.contains(&word.text.as_str()))
}

/// Whether a predicate describes rather than names.
pub(super) fn is_description(head: &[Word]) -> bool {
    const ENDINGS: &[&str] = &["ed", "ing", "ful", "ous", "able", "ible", "ive", "ly", "less", "ish", "est"];
    let first = head[0].text.as_str();
    let last = head[head.len() - 1].text.as_str();
    let describes = |word: &str| {
        kind(word) == ValueKind::Plain
            && (ADJECTIVES.contains(&word)
                || (word.len() > 5 && ENDINGS.iter().any(|end| word.ends_with(end))))
    };
    // A color is a value where one is asked for, and the frames that ask for it are few.
    let is_color = |word: &str| matches!(word, "red" | "blue" | "green" | "black" | "white");
    if kind(first) == ValueKind::Number {
        return false;
    }
    head[0].article == Article::None
        && (describes(first) || describes(last))
        && !(head.len() == 1 && is_color(first))
        || matches!(first, "very" | "too" | "so" | "more" | "what" | "that" | "how" | "because")
}

/// Whether the word may say what somebody is like rather than who it is. Some names end so, too; they are
/// the price of not taking "patient" for a name.
pub(super) fn is_trait(head: &[Word]) -> bool {
    const ENDINGS: &[&str] = &[
        "ent", "ant", "ial", "ual", "nal", "ical", "etic", "stic", "ary", "ory", "some", "like", "minded",
        "er", "y",
    ];
    let [only] = head else { return false };
    only.text.len() > 4 && ENDINGS.iter().any(|end| only.text.ends_with(end))
}
