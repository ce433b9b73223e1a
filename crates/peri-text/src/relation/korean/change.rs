//! Korean sentences that tell of a change: 더 이상, 이사했다, 바뀌었다, A에서 B로, A 대신.

use super::claim::{is_home, is_name};
use super::read::{Reading, Role, Word};
use super::words::ROLES;
use crate::relation::Reason;
use crate::relation::products::do_same_job;
use crate::relation::value::{ValueKind, is_comparable, kind};

/// Stems of verbs that give something another value, in the past.
#[rustfmt::skip]
const BECAME: &[&str] = &[
    "바뀌었", "바꿨", "변경됐", "변경했", "연기됐", "연기했", "미뤄졌", "미뤘", "당겨졌", "조정됐", "조정했",
    "올랐", "올렸", "늘렸", "늘었", "줄었", "줄였", "옮겼", "옮겨졌", "개명했", "개명됐", "교체했", "교체됐",
];

/// Stems of verbs that leave one thing for another, in the past.
#[rustfmt::skip]
const LEFT_FOR: &[&str] = &[
    "옮겼", "옮겨졌", "바꿨", "바뀌었", "전환했", "이전했", "갈아탔", "교체했", "마이그레이션했", "이사했",
    "이동했", "변경했", "변경됐", "옮겨갔",
];

/// Verbs whose object is in use until something takes its place.
#[rustfmt::skip]
const USES: &[&str] = &[
    "쓰", "사용하", "있", "살", "일하", "다니", "저장하", "배포하", "이용하", "돌리", "실행되", "돌아가",
    "운영하", "보관하", "작성하",
];

/// Why the newer sentence ends what the older one says, if it tells of a change.
pub(super) fn replaces(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    if old.is_past || old.negations > 0 {
        return None;
    }
    if has_ended(new, old) || has_quit(new, old) {
        return Some(vec![Reason::Ended]);
    }
    instead(new, old).or_else(|| if new.negations == 0 && new.is_past { event(new, old) } else { None })
}

/// 더 이상 일하지 않는다.
fn has_ended(new: &Reading, old: &Reading) -> bool {
    let is_kept = new.words.iter().all(|word| old.words.iter().any(|own| is_one(own, word)));
    new.is_ended
        && new.negations == 1
        && is_kept
        && new.words.len() >= 2
        && old.words.len() <= new.words.len() + 2
        && new.predicate().text == old.predicate().text
}

/// 카카오를 그만뒀다, 담배를 끊었다.
fn has_quit(new: &Reading, old: &Reading) -> bool {
    let verbs: &[&str] = match new.predicate().text.as_str() {
        "그만뒀" | "관뒀" | "퇴사했" => &["다니", "일하"],
        "끊었" => &["피우", "피", "마시"],
        _ => return false,
    };
    let things = |reading: &Reading| -> Vec<String> {
        let skip = reading.subject().len();
        let rest = &reading.words[skip..reading.words.len() - 1];
        rest.iter().map(|word| word.text.clone()).collect()
    };
    verbs.contains(&old.predicate().text.as_str())
        && is_same_subject(new, old)
        && !things(new).is_empty()
        && things(new) == things(old)
}

fn is_one(a: &Word, b: &Word) -> bool {
    a.text == b.text && (a.role == b.role || a.role == Role::Plain || b.role == Role::Plain)
}

fn is_same_subject(new: &Reading, old: &Reading) -> bool {
    let texts = |words: &[Word]| words.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
    !new.subject().is_empty() && texts(new.subject()) == texts(old.subject())
}

/// 젠킨스 대신 깃허브 액션을 쓴다: the old value is named and had the new one's role.
fn instead(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let at = new.words.iter().position(|word| word.text == "대신" && word.role == Role::Plain)?;
    let left = new.words.get(at.checked_sub(1)?)?;
    let place = old.words.iter().position(|word| word.text == left.text)?;
    let role = old.words[place].role;
    let mut rest: Vec<&Word> = new
        .words
        .iter()
        .enumerate()
        .filter(|(own, _)| *own != at && *own + 1 != at)
        .map(|(_, word)| word)
        .collect();
    for word in old.words.iter().enumerate().filter(|(own, _)| *own != place).map(|(_, word)| word) {
        let known = rest.iter().position(|own| is_one(own, word))?;
        rest.remove(known);
    }
    // What is left is the new value: one phrase in the old one's role.
    let is_value = rest.last().is_some_and(|word| word.role == role)
        && rest.iter().rev().skip(1).all(|word| word.role == Role::Plain)
        && rest.len() <= 3
        && place + 1 < old.words.len();
    (is_value && !new.is_past && new.negations == 0)
        .then(|| vec![Reason::ChangeMarker, Reason::NamesOldValue])
}

fn event(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let verb = new.predicate().text.as_str();
    let to = new.words.iter().find(|word| word.role == Role::Into)?;
    let from = new.words.iter().find(|word| word.role == Role::From);
    if old.words.iter().any(|word| word.text == to.text) {
        return None;
    }
    if let Some(from) = from {
        let is_left = old.words.iter().any(|word| word.text == from.text && word.role != Role::Subject);
        let is_used = USES.contains(&old.predicate().text.as_str()) || old.predicate().text == from.text;
        let is_about = is_same_subject(new, old) || is_object_of(new, old);
        return (LEFT_FOR.contains(&verb) && is_left && is_used && is_about)
            .then(|| vec![Reason::ChangeEvent, Reason::NamesOldValue]);
    }
    let is_dated =
        new.words.iter().any(|word| kind(&word.text) == ValueKind::Date && word.role != Role::Into);
    (!is_dated && leads_to(verb, to, new, old)).then(|| vec![Reason::ChangeEvent])
}

/// Whether the change leads from the older sentence's value to one of its like.
fn leads_to(verb: &str, to: &Word, new: &Reading, old: &Reading) -> bool {
    let is_moved =
        verb == "이사했" || matches!(verb, "갔" | "왔") && new.words.iter().any(|word| word.text == "이사");
    if is_moved {
        let home = old.words.iter().find(|word| word.role == Role::At);
        let is_home = home.is_some_and(|home| is_home(&home.text)) && is_home(&to.text);
        return is_home && old.predicate().text == "살" && is_same_subject(new, old);
    }
    let value = old.predicate();
    if matches!(verb, "갈아탔" | "바꿨" | "옮겼" | "전환했") && matches!(value.text.as_str(), "쓰" | "사용하")
    {
        let used = old.words.iter().find(|word| word.role == Role::Object);
        let is_bare =
            old.words.len() == old.subject().len() + 2 && new.words.len() == new.subject().len() + 2;
        return is_bare
            && is_same_subject(new, old)
            && used.is_some_and(|used| do_same_job(&used.text, &to.text));
    }
    if verb == "승진했" {
        return is_same_subject(new, old) && ROLES.contains(&value.text.as_str());
    }
    let is_being = value.role == Role::Value
        || kind(&value.text) != ValueKind::Plain
        || old.words.len() == old.subject().len() + 1;
    let is_bare = old.words.len() == old.subject().len() + 1;
    BECAME.contains(&verb)
        && is_being
        && is_bare
        && (value.role == Role::Value || is_name(&value.text) || value.text.chars().count() == 1)
        && (is_same_subject(new, old) || is_object_of(new, old))
        && is_like(&to.text, &value.text)
}

fn is_like(to: &str, before: &str) -> bool {
    use ValueKind::{Date, Weekday};
    let is_day = |text: &str| matches!(kind(text), Date | Weekday);
    is_comparable(to, before) || is_day(to) && is_day(before) && kind(to) != kind(before)
}

/// 사무실을 옮겼다 tells of what 사무실은 있다 tells.
fn is_object_of(new: &Reading, old: &Reading) -> bool {
    let subject: Vec<&str> = old.subject().iter().map(|word| word.text.as_str()).collect();
    let Some(object) = new.words.iter().position(|word| word.role == Role::Object) else { return false };
    let start = new.words[..object].iter().rposition(|word| word.role != Role::Plain).map_or(0, |at| at + 1);
    let thing: Vec<&str> = new.words[start..=object].iter().map(|word| word.text.as_str()).collect();
    !subject.is_empty() && subject == thing
}
