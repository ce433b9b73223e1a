//! English sentences that tell of a change: "no longer", "moved to", "from A to B", "instead of A".

use super::claim::{Claim, Frame, denies, is_description, is_land, split_adjunct, stems};
use super::mood::is_past;
use super::read::{Article, Reading, Word};
use super::words::{ADJUNCTS, ATTRIBUTES, NOT_A_PLACE, ROLES, USES};
use crate::relation::Reason;
use crate::relation::order::shared_ends;
use crate::relation::products::do_same_job;
use crate::relation::token;
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

const VERBS: &[(&str, Change)] = &[
    ("moved", Change::Move),
    ("relocated", Change::Move),
    ("pushed", Change::Move),
    ("postponed", Change::Move),
    ("rescheduled", Change::Move),
    ("delayed", Change::Move),
    ("shifted", Change::Move),
    ("slipped", Change::Move),
    ("changed", Change::Become),
    ("switched", Change::Become),
    ("migrated", Change::Become),
    ("converted", Change::Become),
    ("updated", Change::Become),
    ("transitioned", Change::Become),
    ("raised", Change::Amount),
    ("increased", Change::Amount),
    ("lowered", Change::Amount),
    ("reduced", Change::Amount),
    ("decreased", Change::Amount),
    ("dropped", Change::Amount),
    ("extended", Change::Amount),
    ("shortened", Change::Amount),
    ("bumped", Change::Amount),
    ("upgraded", Change::Amount),
    ("downgraded", Change::Amount),
    ("grown", Change::Amount),
    ("grew", Change::Amount),
    ("shrunk", Change::Amount),
    ("renamed", Change::Name),
    ("promoted", Change::Job),
    ("turned", Change::Age),
];

/// Why the newer sentence ends what the older one says, if it tells of a change.
pub(super) fn replaces(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    if is_past(&old.words) || denies(&old.words) {
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

fn is_auxiliary(word: &Word) -> bool {
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
fn uses(old: &[Word], subject: &[&str], value: &[&str]) -> bool {
    let stems: Vec<&str> = stems(old).collect();
    let Some(rest) = stems.strip_prefix(subject).filter(|_| !subject.is_empty()) else { return false };
    let Some((verb, rest)) = rest.split_first() else { return false };
    let is_listed = rest.iter().any(|word| matches!(*word, "and" | "or")) && !value.contains(&"and");
    USES.contains(verb)
        && !value.is_empty()
        && !is_listed
        && rest.windows(value.len()).any(|window| window == value)
}

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

fn event(new: &[Word], old: &[Word]) -> Option<Vec<Reason>> {
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

/// Whether what follows a change limits it: "on staging", "for a semester", "in 2015", "as a child". A
/// change at some other time may be older than the statement, and one in some part leaves the others.
fn is_limited(rest: &[Word], old: &[Word]) -> bool {
    let Some(first) = rest.first() else { return false };
    let is_remark = first.comma || matches!(first.text.as_str(), "with" | "because" | "and" | "so" | "where");
    let is_dated = rest.iter().any(|word| token::date_digits(&word.text).is_some());
    let is_kept = old.len() >= rest.len() && stems(&old[old.len() - rest.len()..]).eq(stems(rest));
    is_dated || !(is_remark || is_kept)
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
        Change::Become => is_being && (is_timed || names_like(before, to)),
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
