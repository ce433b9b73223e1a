//! Korean sentences that give a value: 민수는 서울에 산다, 마감일은 금요일이다.

use super::read::{Reading, Role, Word};
use super::words::{ATTRIBUTES, NOT_A_HOME, TRAITS, VERB_ENDS};
use crate::relation::Reason;
use crate::relation::value::{ValueKind, is_comparable, kind};

/// Why the newer sentence's value takes the place of the older one's, if it does.
pub(super) fn replaces(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    if new.is_past || old.is_past || new.negations + old.negations > 0 {
        return None;
    }
    let (value, before) = difference(&new.words, &old.words)?;
    if !is_comparable(&value.text, &before.text)
        || value.text.contains(&before.text)
        || before.text.contains(&value.text)
    {
        return None;
    }
    let is_named = |word: &Word| (word.role != Role::Verb || is_name(&word.text)) && !is_trait(word);
    if !is_named(value) || !is_named(before) {
        return None;
    }
    let is_single = is_single_valued(new, value) && is_single_valued(old, before);
    let is_typed = kind(&value.text) != ValueKind::Plain && kind(&value.text) == kind(&before.text);
    match (is_single, new.is_now) {
        (true, true) => Some(vec![Reason::ChangeMarker, Reason::SingleValued]),
        (true, false) => Some(vec![Reason::SingleValued]),
        (false, true) if is_typed || is_definite(new, value) => Some(vec![Reason::ChangeMarker]),
        _ => None,
    }
}

/// The one word in which the sentences differ, with the same role in both.
fn difference<'a>(new: &'a [Word], old: &'a [Word]) -> Option<(&'a Word, &'a Word)> {
    let mut a: Vec<&Word> = new.iter().collect();
    let mut b = Vec::new();
    for word in old {
        match a.iter().position(|own| is_one(own, word)) {
            Some(at) => drop(a.remove(at)),
            None => b.push(word),
        }
    }
    let ([value], [before]) = (&a[..], &b[..]) else { return None };
    let is_value = |word: &Word| word.role == Role::Value || word.role == Role::Verb;
    (value.role == before.role || is_value(value) && is_value(before)).then_some((*value, *before))
}

fn is_one(a: &Word, b: &Word) -> bool {
    a.text == b.text
        && (a.role == b.role
            || matches!((a.role, b.role), (Role::Plain, Role::Subject) | (Role::Subject, Role::Plain)))
}

fn is_single_valued(reading: &Reading, value: &Word) -> bool {
    let predicate = reading.predicate();
    let words = &reading.words;
    let Some(head) = words.iter().rev().find(|word| word.role == Role::Subject) else { return false };
    let is_favorite = words
        .windows(2)
        .any(|pair| matches!(pair[0].text.as_str(), "가장" | "제일") && pair[1].text.starts_with("좋아하"));
    match value.role {
        // The value is the predicate itself: "is".
        Role::Value | Role::Verb => ATTRIBUTES.contains(&head.text.as_str()) || is_favorite || is_age(value),
        Role::At => predicate.text == "살" && is_home(&value.text),
        Role::Plain => {
            let at = reading.words.iter().position(|word| word == value).map_or(0, |at| at + 1);
            reading.words.get(at).is_some_and(|next| next.text == "포트")
        }
        _ => false,
    }
}

fn is_trait(value: &Word) -> bool {
    matches!(value.role, Role::Verb | Role::Value) && TRAITS.iter().any(|end| value.text.ends_with(end))
}

fn is_age(value: &Word) -> bool {
    kind(&value.text) == ValueKind::Number && (value.text.ends_with('살') || value.text.ends_with('세'))
}

pub(super) fn is_home(text: &str) -> bool {
    kind(text) == ValueKind::Plain && !NOT_A_HOME.contains(&text)
}

/// Whether the stem of a predicate is a noun after a vowel, where "is" leaves no trace, and not a verb.
pub(super) fn is_name(stem: &str) -> bool {
    let is_long = stem.chars().count() >= 2 || kind(stem) != ValueKind::Plain;
    is_long && !VERB_ENDS.iter().any(|end| stem.ends_with(end))
}

/// Whether "now" makes another value of this subject a change: 스테이징 서버는 이제 칼리스토다.
fn is_definite(reading: &Reading, value: &Word) -> bool {
    matches!(value.role, Role::Value | Role::Verb)
        && reading.words.last() == Some(value)
        && is_known(reading.subject())
        || value.role == Role::At && reading.predicate().text == "살" && is_home(&value.text)
}

/// A thing that is described, or one that there is one of; a person alone may be many things.
fn is_known(subject: &[Word]) -> bool {
    subject.len() >= 2 || subject.last().is_some_and(|head| ATTRIBUTES.contains(&head.text.as_str()))
}
