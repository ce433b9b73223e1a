//! Chinese sentences that tell of a change: 不再, 搬到, 改成, 从 A 换到 B, 代替 A.

use super::claim::{Claim, Frame, is_another_value, is_home};
use super::read::Reading;
use super::words::ROLES;
use crate::relation::Reason;
use crate::relation::products::do_same_job;
use crate::relation::value::{ValueKind, kind};

/// Verbs that give something another value.
#[rustfmt::skip]
const BECAME: &[&str] = &[
    "改成", "改为", "换成", "换为", "改到", "调整为", "调整到", "变成", "变更为", "推迟到", "提前到",
    "延期到", "延长到", "提高到", "增加到", "降到", "降低到", "减少到", "改名为", "更名为", "升级到", "升到",
    "缩短到", "移到", "挪到",
];

/// Verbs that leave one thing for another, between 从 A and B.
#[rustfmt::skip]
const LEFT_FOR: &[&str] = &[
    "迁移到", "迁到", "搬到", "换成", "换到", "改成", "改为", "改用", "切换到", "转到", "升级到", "移到",
    "转为",
];

/// Verbs of promotion.
const PROMOTED: &[&str] = &["升为", "升任", "晋升为", "升职为", "提拔为"];

/// What is where it has its seat.
const SEATS: &[&str] = &["公司", "办公室", "总部", "店", "学校", "工厂", "诊所", "工作室"];

/// Why the newer sentence ends what the older one says, if it tells of a change.
pub(super) fn replaces(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let (mut text, old_text) = (new.first_clause(), old.first_clause());
    // When it happened does not matter, as long as it did.
    for word in ["最近", "刚刚"] {
        text = text.replace(word, "");
    }
    // 了 in the middle tells of something that happened, and such things stay.
    let is_event = old.tokens.contains(&"了".to_owned()) || old.clause < old.tokens.len();
    if is_event || old_text.contains(['不', '没', '未', '别']) {
        return None;
    }
    if has_ended(new, &text, &old_text) {
        return Some(vec![Reason::Ended]);
    }
    if text.contains(['不', '没', '未', '别']) {
        return None;
    }
    let named = vec![Reason::ChangeEvent, Reason::NamesOldValue];
    if from_to(&text, &old_text) {
        return Some(named);
    }
    if instead(&text, &old_text) {
        return Some(vec![Reason::ChangeMarker, Reason::NamesOldValue]);
    }
    event(&text, &old_text).then(|| vec![Reason::ChangeEvent])
}

/// 不再 …, 不 … 了, 从 … 辞职.
fn has_ended(new: &Reading, text: &str, old: &str) -> bool {
    let is_start = |ended: String| {
        ended.chars().count() >= 3
            && old.starts_with(&ended)
            && old.chars().count() <= ended.chars().count() + 6
    };
    if text.contains("不再") {
        return is_start(text.replacen("不再", "", 1));
    }
    let ends_with_change = new.tokens[..new.clause].last().is_some_and(|token| token == "了");
    if ends_with_change && text.matches('不').count() == 1 && !text.contains("不了") {
        return is_start(text.replacen('不', "", 1));
    }
    let Some(claim) = Claim::of(old).filter(|claim| claim.frame == Frame::Employer) else { return false };
    [
        format!("{}从{}辞职", claim.subject, claim.value),
        format!("{}从{}离职", claim.subject, claim.value),
        format!("{}离开{}", claim.subject, claim.value),
    ]
    .iter()
    .any(|left| left == text)
}

/// 从 A 迁移到 B, where the older sentence says A of the same subject.
fn from_to(text: &str, old: &str) -> bool {
    let Some((subject, rest)) = text.split_once('从') else { return false };
    let Some((verb, at)) = LEFT_FOR.iter().find_map(|verb| rest.find(verb).map(|at| (verb, at))) else {
        return false;
    };
    let (left, to) = (&rest[..at], &rest[at + verb.len()..]);
    let uses = old.strip_prefix(subject).filter(|_| !subject.is_empty()).and_then(|rest| {
        ["用", "在", "是", "住在", "部署在", "运行在", "放在", "存在"]
            .iter()
            .find_map(|verb| rest.strip_prefix(verb))
    });
    !left.is_empty()
        && !to.is_empty()
        && uses.is_some_and(|used| used.strip_suffix("工作").unwrap_or(used) == left)
        && !old.contains(to)
}

/// 用 B 代替 A …, where the older sentence says 用 A ….
fn instead(text: &str, old: &str) -> bool {
    let Some((before, after)) =
        text.split_once("代替").or_else(|| text.split_once("取代")).or_else(|| text.split_once("而不是"))
    else {
        return false;
    };
    let Some((subject, value)) = before.split_once('用') else { return false };
    let Some(rest) = old.strip_prefix(subject).and_then(|rest| rest.strip_prefix('用')) else {
        return false;
    };
    !subject.is_empty() && !value.is_empty() && rest == after
}

fn event(text: &str, old: &str) -> bool {
    let Some(claim) = Claim::of(old) else { return false };
    if let Some((subject, to)) = text.split_once("搬到") {
        let to = to.strip_suffix('去').unwrap_or(to);
        // Whoever is somewhere need not live there, but an office has no other place.
        let is_seat = claim.frame == Frame::Place && SEATS.iter().any(|seat| claim.subject.ends_with(seat));
        let is_moved = (claim.frame == Frame::Residence || is_seat) && is_home(to) && is_home(&claim.value);
        return subject == claim.subject && is_moved && to != claim.value;
    }
    if let Some((subject, to)) = PROMOTED.iter().find_map(|verb| text.split_once(verb)) {
        let is_job = |text: &str| ROLES.iter().any(|role| text.ends_with(role));
        return subject == claim.subject && claim.frame == Frame::Being && is_job(&claim.value) && is_job(to);
    }
    let switched = ["改用", "换用", "换成", "切换到"].iter().find_map(|verb| text.split_once(verb));
    if let Some((subject, to)) = switched.filter(|_| claim.frame == Frame::Use) {
        return subject == claim.subject && do_same_job(to, &claim.value);
    }
    let Some((subject, to)) = BECAME.iter().find_map(|verb| text.split_once(verb)) else { return false };
    // 仓库名改名为 and 仓库改名为 speak of the same.
    let is_one =
        subject == claim.subject || subject.strip_prefix('把').is_some_and(|thing| thing == claim.subject);
    let is_timed = claim.frame == Frame::Place && is_timed(&claim.value);
    is_one && (claim.frame == Frame::Being || is_timed) && is_like(to, &claim)
}

fn is_like(to: &str, claim: &Claim) -> bool {
    use ValueKind::{Date, Plain, Weekday};
    let before = claim.value.as_str();
    let is_day = |text: &str| matches!(kind(text), Date) || is_weekday(text);
    let is_day_for_day = is_day(to) && is_day(before) && to != before;
    let is_plain = matches!(kind(to), Plain | Weekday);
    is_day_for_day
        || is_another_value(to, before)
            && (!is_plain || claim.is_single_valued() && !is_day(to) && !is_day(before))
}

fn is_timed(text: &str) -> bool {
    matches!(kind(text), ValueKind::Time | ValueKind::Date) || is_weekday(text)
}

fn is_weekday(text: &str) -> bool {
    text.strip_prefix('周').is_some_and(|day| "一二三四五六日天末".contains(day) && day.chars().count() == 1)
}
