//! English sentences that give a value: "Ana lives in Berlin", "the deadline is Friday".

use super::read::{Article, Reading, Word};
use super::shape::{is_description, is_land, is_trait};
use super::words::{ADJUNCTS, ATTRIBUTES, NOT_A_PLACE, NOT_AN_EMPLOYER, PEOPLE};
use crate::relation::Reason;
use crate::relation::order::shared_ends;
use crate::relation::products::do_same_job;
use crate::relation::value::{ValueKind, is_comparable, kind};

/// How a sentence ties its value to its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    /// Lives in.
    Residence,
    /// Works at.
    Employer,
    /// Works as.
    Occupation,
    /// Runs on port.
    Port,
    /// Opens at, starts at, closes at.
    Hours(&'a str),
    /// Uses.
    Use,
    /// Has, takes, costs or lasts so and so much.
    Amount(&'a str),
    /// Is, with the preposition behind it, if there is one.
    Being(Option<&'a str>),
}

/// Who has what value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim<'a> {
    pub(super) subject: &'a [Word],
    pub(super) frame: Frame<'a>,
    /// Everything behind the frame; never empty.
    pub(super) value: &'a [Word],
}

/// The longest subject, in words, whose head is looked for.
const SUBJECT_MAX: usize = 8;

impl<'a> Claim<'a> {
    pub(super) fn of(words: &'a [Word]) -> Option<Self> {
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        for at in 1..words.len().min(SUBJECT_MAX + 1) {
            let (frame, skip) = match (text(at), text(at + 1)) {
                ("lives" | "live", "in") => (Frame::Residence, 2),
                ("works" | "work", "at") => (Frame::Employer, 2),
                ("works" | "work", "as") => (Frame::Occupation, 2),
                ("runs" | "run" | "listens" | "listen", "on") if text(at + 2) == "port" => (Frame::Port, 3),
                ("uses" | "use", _) => (Frame::Use, 1),
                ("opens" | "closes" | "starts" | "ends", "at") => (Frame::Hours(text(at)), 2),
                ("has" | "have" | "takes" | "costs" | "lasts", next) if kind(next) == ValueKind::Number => {
                    (Frame::Amount(text(at)), 1)
                }
                ("is" | "are" | "am", "in" | "on" | "at" | "with" | "due" | "for") => {
                    (Frame::Being(Some(text(at + 1))), 2)
                }
                ("is" | "are" | "am", _) => (Frame::Being(None), 1),
                _ => continue,
            };
            let value = words.get(at + skip..).filter(|value| !value.is_empty())?;
            return Some(Self { subject: &words[..at], frame, value });
        }
        None
    }

    /// The value without what is only added to it, and that rest.
    pub(super) fn parts(&self) -> (&'a [Word], &'a [Word]) {
        split_adjunct(self.value)
    }

    fn is_single_valued(&self) -> bool {
        match self.frame {
            Frame::Residence | Frame::Employer | Frame::Occupation | Frame::Port | Frame::Hours(_) => true,
            // Something takes place at one time.
            Frame::Being(Some("at")) if kind(&self.value[0].text) == ValueKind::Time => true,
            Frame::Being(_) => self.names_attribute() || self.is_age(),
            Frame::Amount(_) | Frame::Use => false,
        }
    }

    /// Whether the subject is something that has one value: the email of Ben, the latest version.
    pub(super) fn names_attribute(&self) -> bool {
        let of = self.subject.iter().position(|word| word.text == "of").unwrap_or(self.subject.len());
        let Some(head) = of.checked_sub(1).map(|at| self.subject[at].text.as_str()) else { return false };
        let is_favorite =
            self.subject[..of].iter().any(|word| matches!(word.text.as_str(), "favorite" | "preferred"));
        ATTRIBUTES.contains(&head) || (is_favorite && !matches!(head, "favorite" | "thing" | "things"))
    }

    /// Whether the value is somebody: the manager of Tom.
    fn names_person(&self) -> bool {
        self.frame == Frame::Being(None)
            && self.subject.iter().any(|word| PEOPLE.contains(&word.text.as_str()))
    }

    /// "29 years old", or a bare number of years.
    fn is_age(&self) -> bool {
        let is = |at: usize, text: &str| self.value.get(at).is_some_and(|word| word.text == text);
        self.frame == Frame::Being(None)
            && kind(&self.value[0].text) == ValueKind::Number
            && is(1, "year")
            && is(2, "old")
            && self.value.len() == 3
    }

    /// Whether "now" makes another value of this subject a change: the subject is one known thing.
    fn is_definite(&self) -> bool {
        let first = &self.subject[0];
        let is_known = first.article == Article::Definite || matches!(first.text.as_str(), "my" | "our");
        // "A mess" describes where "Callisto" names.
        let is_named = self.value[0].article != Article::Indefinite;
        self.frame == Frame::Use
            || self.names_attribute()
            || is_named && is_known
            || is_named && self.subject.iter().any(|word| word.text == "of")
    }
}

/// Cuts a value where something is only added to it.
pub(super) fn split_adjunct(value: &[Word]) -> (&[Word], &[Word]) {
    let cut = (1..value.len()).find(|at| value[*at].comma || ADJUNCTS.contains(&value[*at].text.as_str()));
    value.split_at(cut.unwrap_or(value.len()))
}

/// Why the newer sentence's value takes the place of the older one's, if it does.
pub(super) fn replaces(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    if new.is_past || old.is_past || denies(&new.words) || denies(&old.words) {
        return None;
    }
    values(new, old).or_else(|| typed(new, old))
}

fn values(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let new_words = without_new(&new.words);
    let old_words = without_new(&old.words);
    let (claim, before) = (Claim::of(&new_words)?, Claim::of(&old_words)?);
    let is_now = new.is_now || new_words.len() < new.words.len();
    let is_one = claim.frame == before.frame && stems(claim.subject).eq(stems(before.subject));
    if !is_one || !is_another_value(&claim, &before, is_now) {
        return None;
    }
    let is_single = claim.is_single_valued() && before.is_single_valued();
    match (is_single, is_now && claim.is_definite()) {
        (true, _) if is_now => Some(vec![Reason::ChangeMarker, Reason::SingleValued]),
        (true, _) => Some(vec![Reason::SingleValued]),
        (false, true) => Some(vec![Reason::ChangeMarker]),
        (false, false) => None,
    }
}

/// "My new manager is" is about the same as "my manager is", and tells of a change.
fn without_new(words: &[Word]) -> Vec<Word> {
    let mut words = words.to_vec();
    if let Some(at) = words.iter().take(3).position(|word| word.text == "new")
        && words.get(at + 1).is_some_and(|word| ATTRIBUTES.contains(&word.text.as_str()))
    {
        let article = words[at].article;
        words.remove(at);
        words[at].article = article;
    }
    words
}

/// Whether the values are of one kind and neither includes the other. Where the text tells of a change, the
/// newer one may: an analyst becomes a senior analyst.
fn is_another_value(new: &Claim<'_>, old: &Claim<'_>, is_now: bool) -> bool {
    let ((head, tail), (old_head, old_tail)) = (new.parts(), old.parts());
    let includes = |a: &[Word], b: &[Word]| stems(b).all(|stem| stems(a).any(|own| own == stem));
    if includes(old_head, head) || includes(head, old_head) && !(is_now && new.names_attribute()) {
        return false;
    }
    if new.names_person() && (is_trait(head) || is_trait(old_head)) {
        return false;
    }
    let is_place = matches!(new.frame, Frame::Residence | Frame::Employer | Frame::Occupation);
    let is_remark = |tail: &[Word]| {
        tail.first()
            .is_none_or(|word| is_place && matches!(word.text.as_str(), "with" | "as" | "and") && !word.comma)
    };
    let tails_agree = stems(tail).eq(stems(old_tail))
        || (is_remark(tail) && is_remark(old_tail))
        || drops_old(tail, old_head);
    let listed = |tail: &[Word]| tail.iter().any(|word| matches!(word.text.as_str(), "and" | "or"));
    tails_agree
        && !listed(old_tail)
        && !listed(tail)
        && is_comparable(&head[0].text, &old_head[0].text)
        && fits(new.frame, head, old_head)
}

/// "Ostwind, not Nordwind anymore": the rest only says which value was left.
fn drops_old(tail: &[Word], old_head: &[Word]) -> bool {
    let rest = tail.iter().filter(|word| !matches!(word.text.as_str(), "not" | "anymore" | "insteadof"));
    tail.first().is_some_and(|word| matches!(word.text.as_str(), "not" | "insteadof"))
        && rest.map(|word| word.stem.as_str()).eq(stems(old_head))
}

/// Whether both values are such as the frame asks for.
fn fits(frame: Frame<'_>, head: &[Word], old_head: &[Word]) -> bool {
    let first = |head: &[Word]| (head[0].text.clone(), head[0].article);
    let ((text, article), (old_text, old_article)) = (first(head), first(old_head));
    let names = |list: &[&str]| {
        [head, old_head].iter().any(|head| head.iter().any(|word| list.contains(&word.text.as_str())))
    };
    let bare = article == Article::None && old_article == Article::None;
    match frame {
        Frame::Residence => bare && !names(NOT_A_PLACE) && is_land(head) == is_land(old_head),
        Frame::Employer => bare && !names(NOT_AN_EMPLOYER),
        Frame::Occupation => article == old_article,
        Frame::Amount(_) => kind(&text) == ValueKind::Number && head[1..] == old_head[1..],
        Frame::Use => head.len() == 1 && old_head.len() == 1 && do_same_job(&text, &old_text),
        Frame::Port => kind(&text) == ValueKind::Number && kind(&old_text) == ValueKind::Number,
        Frame::Hours(_) => kind(&text) == ValueKind::Time,
        Frame::Being(None) => article == old_article && !is_description(head) && !is_description(old_head),
        Frame::Being(Some(_)) => {
            kind(&text) != ValueKind::Plain
                || (bare && !names(NOT_A_PLACE) && is_land(head) == is_land(old_head))
        }
    }
}

/// A new time, day, date or amount in an otherwise equal sentence that says "now".
fn typed(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let (a, b) = (new.stems(), old.stems());
    let (start, end) = shared_ends(&a, &b);
    if !new.is_now || start < 2 || start + end + 1 != a.len() || a.len() != b.len() {
        return None;
    }
    let (value, before) = (&new.words[start].text, &old.words[start].text);
    let is_typed =
        kind(value) != ValueKind::Plain && kind(value) == kind(before) && is_comparable(value, before);
    is_typed.then(|| vec![Reason::ChangeMarker])
}

pub(super) fn stems(words: &[Word]) -> impl Iterator<Item = &str> {
    words.iter().map(|word| word.stem.as_str())
}

pub(super) fn denies(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let is_contrast =
            word.comma || words.get(at..).is_some_and(|rest| rest.iter().any(|word| word.text == "anymore"));
        matches!(word.text.as_str(), "not" | "never" | "no" | "nobody" | "nothing") && !is_contrast
    })
}
