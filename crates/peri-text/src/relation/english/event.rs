//! English sentences with a verb of change: "moved to B", "switched from A to B", "renamed to B".

use super::change::{is_auxiliary, is_limited, uses};
use super::claim::{Claim, Frame, denies, split_adjunct, stems};
use super::read::{Article, Word};
use super::shape::{is_description, is_land};
use super::words::{ATTRIBUTES, NOT_A_PLACE, ROLES};
use crate::relation::Reason;
use crate::relation::products::do_same_job;
use crate::relation::value::{ValueKind, is_comparable, kind};

/// What a verb of change changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Where or when something is.
    Move,
    /// What something is.
    Become,
    /// How much something is.
    Amount,
    Name,
    Job,
    Age,
}

#[rustfmt::skip]
const VERBS: &[(&str, Change)] = &[
    ("moved", Change::Move), ("relocated", Change::Move), ("pushed", Change::Move),
    ("postponed", Change::Move), ("rescheduled", Change::Move), ("delayed", Change::Move),
    ("shifted", Change::Move), ("slipped", Change::Move), ("changed", Change::Become),
    ("switched", Change::Become), ("migrated", Change::Become), ("converted", Change::Become),
    ("updated", Change::Become), ("transitioned", Change::Become), ("raised", Change::Amount),
    ("increased", Change::Amount), ("lowered", Change::Amount), ("reduced", Change::Amount),
    ("decreased", Change::Amount), ("dropped", Change::Amount), ("extended", Change::Amount),
    ("shortened", Change::Amount), ("bumped", Change::Amount), ("upgraded", Change::Amount),
    ("downgraded", Change::Amount), ("grown", Change::Amount), ("grew", Change::Amount),
    ("shrunk", Change::Amount), ("renamed", Change::Name), ("promoted", Change::Job), ("turned", Change::Age),
];

/// A verb of change with what it leads to.
struct Event<'a> {
    change: Change,
    subject: Vec<Word>,
    from: &'a [Word],
    to: &'a [Word],
    rest: &'a [Word],
}

impl<'a> Event<'a> {
    fn of(words: &'a [Word]) -> Option<Self> {
        let named =
            |word: &Word| VERBS.iter().find(|(verb, _)| *verb == word.text).map(|(_, change)| *change);
        let (at, change) =
            words.iter().enumerate().skip(1).find_map(|(at, word)| Some((at, named(word)?)))?;
        let mut end = at;
        while end > 0 && is_auxiliary(&words[end - 1]) {
            end -= 1;
        }
        let is_passive =
            words[end..at].iter().any(|word| matches!(word.text.as_str(), "was" | "were" | "been" | "got"));
        if words[..end].is_empty() || words[end..at].iter().any(|word| word.text == "had") {
            return None;
        }
        let after = &words[at + 1..];
        let position = |text: &str| after.iter().position(|word| word.text == text);
        if change == Change::Age {
            let (to, rest) = split_adjunct(after);
            return Some(Self { change, subject: words[..end].to_vec(), from: &[], to, rest });
        }
        let to = position("to")?;
        let from = position("from").filter(|from| *from < to);
        let object = &after[..from.unwrap_or(to)];
        // "We moved the standup to 10:00" tells of the standup.
        let subject = if object.is_empty() || is_passive { &words[..end] } else { object };
        if is_passive && !object.is_empty() {
            return None;
        }
        let (value, rest) = split_adjunct(after.get(to + 1..).filter(|rest| !rest.is_empty())?);
        let from = from.map_or(&[][..], |from| &after[from + 1..to]);
        Some(Self { change, subject: subject.to_vec(), from, to: value, rest })
    }
}

/// Why the change that the newer sentence tells of ends what the older one says, if it does.
pub(super) fn event(new: &[Word], old: &[Word]) -> Option<Vec<Reason>> {
    let event = Event::of(new)?;
    if denies(new) || event.to.is_empty() {
        return None;
    }
    let subject: Vec<&str> = stems(&event.subject).collect();
    let left: Vec<&str> = stems(event.from).collect();
    let is_new = |words: &[Word]| !stems(event.to).all(|stem| stems(words).any(|own| own == stem));
    if !event.from.is_empty() {
        let is_one = uses(old, &subject, &left) || is_named(old, &subject, &left);
        return (is_one && is_new(old) && !is_limited(event.rest, old))
            .then(|| vec![Reason::ChangeEvent, Reason::NamesOldValue]);
    }
    let claim = Claim::of(old)?;
    let (before, _) = claim.parts();
    let is_one = event.change == Change::Name && is_named(old, &subject, &stems(before).collect::<Vec<_>>())
        || subject.iter().copied().eq(stems(claim.subject));
    (is_one && !is_limited(event.rest, old) && is_new(old) && leads_to(event.change, &claim, event.to))
        .then(|| vec![Reason::ChangeEvent])
}

/// Whether a sentence gives the subject's name.
fn is_named(old: &[Word], subject: &[&str], value: &[&str]) -> bool {
    let stems: Vec<&str> = stems(old).collect();
    let rest = stems.strip_prefix(&["name", "of"]).and_then(|rest| rest.strip_prefix(subject));
    rest.and_then(|rest| rest.strip_prefix(&["be"])).is_some_and(|rest| rest == value)
}

/// Whether the change leads from the claimed value to one of its like.
fn leads_to(change: Change, claim: &Claim<'_>, to: &[Word]) -> bool {
    use ValueKind::{Date, Number, Time, Weekday};
    let (before, _) = claim.parts();
    let (a, b) = (kind(&to[0].text), kind(&before[0].text));
    let is_timed = matches!((a, b), (Time, Time) | (Date | Weekday, Date | Weekday))
        && (a != b || is_comparable(&to[0].text, &before[0].text));
    let is_being = matches!(claim.frame, Frame::Being(_));
    match change {
        Change::Move => is_being && is_timed || is_move(claim, before, to),
        Change::Become if claim.frame == Frame::Use => {
            before.len() == 1 && to.len() == 1 && do_same_job(&before[0].text, &to[0].text)
        }
        Change::Become => is_being && (is_timed || claim.names_attribute() && names_like(before, to)),
        Change::Amount => {
            (is_being || matches!(claim.frame, Frame::Amount(_)))
                && (is_timed || a == Number && b == Number && units_agree(before, to))
        }
        Change::Name => true,
        Change::Job => {
            claim.frame == Frame::Being(None)
                && before.last().is_some_and(|word| ROLES.contains(&word.text.as_str()))
        }
        Change::Age => {
            let is_age = before.len() == 1 || before.last().is_some_and(|word| word.text == "old");
            claim.frame == Frame::Being(None) && a == Number && b == Number && is_age
        }
    }
}

/// From one place to another, each with a name.
fn is_move(claim: &Claim<'_>, before: &[Word], to: &[Word]) -> bool {
    let is_place = matches!(claim.frame, Frame::Residence | Frame::Being(Some("in" | "at")));
    let is_named = |words: &[Word]| {
        words[0].article == Article::None
            && kind(&words[0].text) == ValueKind::Plain
            && !words.iter().any(|word| NOT_A_PLACE.contains(&word.text.as_str()))
    };
    is_place && is_named(before) && is_named(to) && is_land(before) == is_land(to)
}

fn names_like(before: &[Word], to: &[Word]) -> bool {
    let is_attribute = |words: &[Word]| words.iter().any(|word| ATTRIBUTES.contains(&word.text.as_str()));
    is_comparable(&to[0].text, &before[0].text)
        && to[0].article == before[0].article
        && !is_description(before)
        && !is_description(to)
        && !is_attribute(to)
}

fn units_agree(before: &[Word], to: &[Word]) -> bool {
    match (before.get(1), to.get(1)) {
        (Some(a), Some(b)) => a.stem == b.stem,
        _ => true,
    }
}
