//! English sentences that name what ended: "no longer", "left", "instead of A", "replaced A with B".

use super::claim::{Claim, Frame, denies, split_adjunct, stems};
use super::event::event;
use super::mood::is_past;
use super::read::{Reading, Word};
use super::words::{ADJUNCTS, USES};
use crate::relation::Reason;
use crate::relation::order::shared_ends;
use crate::relation::token;

/// Why the newer sentence ends what the older one says, if it tells of a change.
pub(super) fn replaces(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    if old.is_past || denies(&old.words) {
        return None;
    }
    if has_ended(&new.words, &old.words) || has_left(&new.words, &old.words) {
        return Some(vec![Reason::Ended]);
    }
    instead(new, old)
        .or_else(|| event(&new.words, &old.words))
        .or_else(|| substitution(&new.words, &old.words))
}

/// "Ben no longer works there", "Emil does not smoke anymore", "she stopped smoking".
fn has_ended(new: &[Word], old: &[Word]) -> bool {
    let clause_end =
        (1..new.len()).find(|at| new[*at].comma || matches!(new[*at].text.as_str(), "and" | "but"));
    let clause = &new[..clause_end.unwrap_or(new.len())];
    let has = |text: &str| clause.iter().any(|word| word.text == text);
    let is_stop = |word: &Word| matches!(word.text.as_str(), "stopped" | "quit");
    let stopped = clause
        .iter()
        .position(is_stop)
        .filter(|at| clause.get(at + 1).is_some_and(|word| word.text.ends_with("ing")));
    let ended: Vec<&str> = if let Some(at) = stopped {
        clause[..at]
            .iter()
            .chain(&clause[at + 1..])
            .filter(|word| !is_auxiliary(word))
            .map(|word| word.stem.as_str())
            .collect()
    } else if has("nolonger") || (has("anymore") && has("not")) {
        let marks = ["nolonger", "anymore", "not", "do", "does"];
        clause
            .iter()
            .filter(|word| !marks.contains(&word.text.as_str()))
            .map(|word| word.stem.as_str())
            .collect()
    } else {
        return false;
    };
    let before: Vec<&str> = old
        .iter()
        .filter(|word| stopped.is_none() || !is_auxiliary(word))
        .map(|word| word.stem.as_str())
        .collect();
    let rest = before.strip_prefix(&ended[..]);
    ended.len() >= 2 && rest.is_some_and(|rest| rest.len() <= 4 && !rest.contains(&"and"))
}

pub(super) fn is_auxiliary(word: &Word) -> bool {
    matches!(
        word.text.as_str(),
        "is" | "are"
            | "am"
            | "has"
            | "have"
            | "been"
            | "was"
            | "were"
            | "got"
            | "recently"
            | "finally"
            | "officially"
    )
}

/// "Ben left Google", "Olek quit his job at Netcom", "Carlos stepped down as CTO".
fn has_left(new: &[Word], old: &[Word]) -> bool {
    let Some(claim) = Claim::of(old) else { return false };
    let count = claim.subject.len();
    let is_subject = new.len() > count && stems(&new[..count]).eq(stems(claim.subject));
    if !is_subject {
        return false;
    }
    let mut rest = &new[count..];
    while rest.first().is_some_and(is_auxiliary) {
        rest = &rest[1..];
    }
    let texts: Vec<&str> = rest.iter().take(5).map(|word| word.text.as_str()).collect();
    let skip = match (claim.frame, &texts[..]) {
        (Frame::Employer, ["quit" | "left", "his" | "her" | "their" | "my", "job", "at" | "with", ..]) => 4,
        (Frame::Employer, ["resigned" | "retired", "from", ..]) => 2,
        (Frame::Employer, ["left" | "quit", ..]) => 1,
        (Frame::Being(None), ["stepped", "down", "as", ..]) => 3,
        (Frame::Being(None), ["resigned", "as", ..]) => 2,
        _ => return false,
    };
    let (value, tail) = split_adjunct(&rest[skip..]);
    let (left, _) = claim.parts();
    !value.is_empty() && stems(value).eq(stems(left)) && tail.iter().all(|word| word.text != "early")
}

/// "We deploy with Argo instead of Jenkins": the old value is named and stood in the same place.
fn instead(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let at = new.words.iter().position(|word| word.text == "insteadof")?;
    let b: Vec<&str> = old.stems();
    for count in 1..=4.min(new.words.len() - at - 1) {
        let rest: Vec<Word> = new.words[..at].iter().chain(&new.words[at + 1 + count..]).cloned().collect();
        let a: Vec<&str> = stems(&rest).collect();
        let (start, end) = shared_ends(&a, &b);
        let (value, before) = (&a[start..a.len() - end], &b[start..b.len() - end]);
        let is_named = stems(&new.words[at + 1..at + 1 + count]).eq(before.iter().copied());
        // "On Sundays" would limit the change.
        let is_limited = value.iter().any(|word| ADJUNCTS.contains(word));
        if start > 0 && is_named && !value.is_empty() && !is_limited && !is_past(&rest) && !denies(&rest) {
            return Some(vec![Reason::ChangeMarker, Reason::NamesOldValue]);
        }
    }
    None
}

/// "The search service replaced Solr with Meilisearch."
fn substitution(new: &[Word], old: &[Word]) -> Option<Vec<Reason>> {
    let at = new.iter().position(|word| word.text == "replaced")?;
    let with = (at + 2..new.len()).find(|at| matches!(new[*at].text.as_str(), "with" | "by"))?;
    let subject: Vec<&str> = stems(&new[..at]).filter(|stem| !matches!(*stem, "have" | "now")).collect();
    let left: Vec<&str> = stems(&new[at + 1..with]).collect();
    let (given, rest) = split_adjunct(&new[with + 1..]);
    let is_given = !given.is_empty() && !is_limited(rest, old);
    (is_given && uses(old, &subject, &left)).then(|| vec![Reason::ChangeEvent, Reason::NamesOldValue])
}

/// Whether a sentence says that the subject uses, is or has the value.
pub(super) fn uses(old: &[Word], subject: &[&str], value: &[&str]) -> bool {
    let stems: Vec<&str> = stems(old).collect();
    let Some(rest) = stems.strip_prefix(subject).filter(|_| !subject.is_empty()) else { return false };
    let Some((verb, rest)) = rest.split_first() else { return false };
    let is_listed = rest.iter().any(|word| matches!(*word, "and" | "or")) && !value.contains(&"and");
    USES.contains(verb)
        && !value.is_empty()
        && !is_listed
        && rest.windows(value.len()).any(|window| window == value)
}

/// Whether what follows a change limits it: "on staging", "for a semester", "in 2015", "as a child". A
/// change at some other time may be older than the statement, and one in some part leaves the others.
pub(super) fn is_limited(rest: &[Word], old: &[Word]) -> bool {
    let Some(first) = rest.first() else { return false };
    let is_remark = first.comma || matches!(first.text.as_str(), "with" | "because" | "and" | "so" | "where");
    let is_dated = rest.iter().any(|word| token::date_digits(&word.text).is_some());
    let is_kept = old.len() >= rest.len() && stems(&old[old.len() - rest.len()..]).eq(stems(rest));
    is_dated || !(is_remark || is_kept)
}
