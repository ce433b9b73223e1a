//! Chinese sentences that give a value: 小明住在北京, 截止日期是周五.

use super::read::Reading;
use super::words::{ATTRIBUTES, DESCRIPTIONS, NOT_A_HOME};
use crate::relation::Reason;
use crate::relation::order::shared_ends;
use crate::relation::products::do_same_job;
use crate::relation::value::{ValueKind, is_comparable, kind};

/// How a sentence ties its value to its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// 住在.
    Residence,
    /// 在 … 工作.
    Employer,
    /// 运行在 … 端口.
    Port,
    /// … 岁.
    Age,
    /// 用.
    Use,
    /// 是.
    Being,
    /// 在.
    Place,
}

/// Who has what value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) subject: String,
    pub(super) frame: Frame,
    pub(super) value: String,
}

impl Claim {
    pub(super) fn of(clause: &str) -> Option<Self> {
        let claim = |subject: &str, frame, value: &str| {
            let is_whole = !subject.is_empty() && !value.is_empty();
            is_whole.then(|| Self { subject: subject.to_owned(), frame, value: value.to_owned() })
        };
        if let Some((subject, value)) = clause.split_once("住在") {
            return claim(subject, Frame::Residence, value);
        }
        if let Some((subject, rest)) = clause.split_once("在") {
            if let Some(value) = rest.strip_suffix("工作") {
                return claim(subject, Frame::Employer, value);
            }
            if let Some(value) = rest.strip_suffix("端口") {
                return claim(subject, Frame::Port, value);
            }
        }
        if let Some(rest) = clause.strip_suffix('岁') {
            let at = rest.find(|c: char| c.is_ascii_digit())?;
            return claim(rest[..at].trim_end_matches(['是', '年', '今']), Frame::Age, &rest[at..]);
        }
        if let Some((subject, value)) = clause.split_once('是') {
            return claim(subject, Frame::Being, value);
        }
        let used = clause.match_indices('用').map(|(at, word)| (&clause[..at], &clause[at + word.len()..]));
        let is_verb = |(before, after): &(&str, &str)| {
            !before.ends_with(['使', '信', '费', '应', '作', '启', '禁'])
                && !after.starts_with(['户', '途', '法'])
        };
        if let Some((subject, value)) = used.into_iter().find(is_verb) {
            return claim(subject, Frame::Use, value);
        }
        let (subject, value) = clause.split_once("在")?;
        claim(subject, Frame::Place, value)
    }

    pub(super) fn is_single_valued(&self) -> bool {
        match self.frame {
            Frame::Residence | Frame::Port | Frame::Age => true,
            Frame::Being => {
                ATTRIBUTES.iter().any(|attribute| self.subject.ends_with(attribute))
                    || self.subject.split_once("最喜欢").is_some_and(|(_, what)| !what.is_empty())
            }
            // A town and a company may both follow, and both be right.
            Frame::Employer | Frame::Use | Frame::Place => false,
        }
    }

    /// Whether "now" makes another value of this subject a change; a person may be many things at once.
    fn is_definite(&self) -> bool {
        self.frame == Frame::Use
            || self.frame == Frame::Being
                && (self.subject.chars().count() >= 4
                    || self.subject.contains(|c: char| c.is_ascii_alphanumeric()))
    }

    /// Whether the value is such as the frame asks for.
    fn fits(&self) -> bool {
        let names = |list: &[&str]| list.iter().any(|word| self.value.contains(word));
        match self.frame {
            Frame::Residence => is_home(&self.value),
            Frame::Port | Frame::Age => kind(&self.value) == ValueKind::Number,
            Frame::Being => {
                !names(&["很", "非常", "比较", "因为", "为了", "和", "或", "一位", "一名", "一种"])
                    && !self.value.ends_with(['着', '过'])
                    && !DESCRIPTIONS.iter().any(|end| self.value.ends_with(end))
            }
            Frame::Employer | Frame::Use | Frame::Place => true,
        }
    }
}

/// Whether a text names a place to live: short, and neither a land nor a mere house.
pub(super) fn is_home(text: &str) -> bool {
    (2..=6).contains(&text.chars().count())
        && kind(text) == ValueKind::Plain
        && !NOT_A_HOME.iter().any(|word| text.contains(word))
}

/// Why the newer sentence's value takes the place of the older one's, if it does.
pub(super) fn replaces(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let (text, old_text) = (new.first_clause(), old.first_clause());
    let denies = |text: &str| text.contains(['不', '没', '未', '别']);
    if denies(&text) || denies(&old_text) || old.clause < old.tokens.len() {
        return None;
    }
    if let (Some(claim), Some(before)) = (Claim::of(&text), Claim::of(&old_text)) {
        let is_one = claim.frame == before.frame && claim.subject == before.subject;
        let is_another = is_another_value(&claim.value, &before.value) && claim.fits() && before.fits();
        let is_single = claim.is_single_valued();
        let is_another =
            is_another && (claim.frame != Frame::Use || do_same_job(&claim.value, &before.value));
        if is_one && is_another && (is_single || new.is_now && claim.is_definite()) {
            return Some(match (new.is_now, is_single) {
                (true, true) => vec![Reason::ChangeMarker, Reason::SingleValued],
                (true, false) => vec![Reason::ChangeMarker],
                (false, _) => vec![Reason::SingleValued],
            });
        }
    }
    typed(new, old)
}

pub(super) fn is_another_value(value: &str, before: &str) -> bool {
    is_comparable(value, before) && !value.contains(before) && !before.contains(value)
}

/// A new time, day, date, amount or frequency in an otherwise equal sentence that says "now".
fn typed(new: &Reading, old: &Reading) -> Option<Vec<Reason>> {
    let (a, b) = (new.core(), old.core());
    let (start, end) = shared_ends(&a, &b);
    // The days of the week share their first character.
    let start = if start > 0 && a[start - 1] == "周" { start - 1 } else { start };
    let differ = |start: usize| (a[start..a.len() - end].concat(), b[start..b.len() - end].concat());
    let mut start = start;
    // And what tells how often shares 每.
    if start > 0 && a[start - 1] == "每" && kind(&differ(start - 1).0) == ValueKind::Frequency {
        start -= 1;
    }
    let (value, before) = differ(start);
    let is_typed = !value.is_empty() && kind(&value) != ValueKind::Plain && kind(&value) == kind(&before);
    (new.is_now && start >= 2 && is_typed && is_another_value(&value, &before))
        .then(|| vec![Reason::ChangeMarker])
}
