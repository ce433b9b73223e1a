//! Korean: 어제, 지난주, 지난주 화요일, 이번 달, 3일 전.

use jiff::civil::Weekday;

use super::calendar::{Meaning, Unit, ago, up_to_today};
use super::{Found, before, lookup, number, past, past_any};

/// Days by a name of their own.
const DAYS: &[(&str, i32)] =
    &[("오늘", 0), ("어제", -1), ("어젯", -1), ("그저께", -2), ("그제", -2), ("내일", 1), ("모레", 2)];

/// Weeks, months and years by a name of their own.
const NAMED: &[(&str, (Unit, i32))] = &[
    ("지지난주", (Unit::Week, -2)),
    ("지지난 주", (Unit::Week, -2)),
    ("재작년", (Unit::Year, -2)),
    ("작년", (Unit::Year, -1)),
    ("지난해", (Unit::Year, -1)),
    ("올해", (Unit::Year, 0)),
    ("금년", (Unit::Year, 0)),
    ("내년", (Unit::Year, 1)),
    ("금주", (Unit::Week, 0)),
];

/// What points at one of several.
const POINTERS: &[(&str, i32)] = &[("지난", -1), ("저번", -1), ("이번", 0), ("다음", 1)];

/// What a pointer may stand before.
const POINTED: &[(&str, Unit)] =
    &[("주말", Unit::Weekend), ("주", Unit::Week), ("달", Unit::Month), ("해", Unit::Year)];

/// Numbers that are words of their own, with the unit they count.
const WHOLE_COUNTS: &[(&str, (Unit, i32))] = &[
    ("하루", (Unit::Day, 1)),
    ("이틀", (Unit::Day, 2)),
    ("사흘", (Unit::Day, 3)),
    ("나흘", (Unit::Day, 4)),
    ("열흘", (Unit::Day, 10)),
    ("보름", (Unit::Day, 15)),
];

const COUNTS: &[(&str, i32)] = &[
    ("열두", 12),
    ("열한", 11),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
    ("여덟", 8),
    ("아홉", 9),
    ("십이", 12),
    ("십일", 11),
    ("한", 1),
    ("두", 2),
    ("세", 3),
    ("석", 3),
    ("네", 4),
    ("넉", 4),
    ("열", 10),
    ("일", 1),
    ("이", 2),
    ("삼", 3),
    ("사", 4),
    ("오", 5),
    ("육", 6),
    ("칠", 7),
    ("팔", 8),
    ("구", 9),
    ("십", 10),
];

const UNITS: &[(&str, Unit)] = &[
    ("개월", Unit::Month),
    ("달", Unit::Month),
    ("주일", Unit::Week),
    ("주", Unit::Week),
    ("일", Unit::Day),
    ("년", Unit::Year),
    ("해", Unit::Year),
];

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("월요일", Weekday::Monday),
    ("화요일", Weekday::Tuesday),
    ("수요일", Weekday::Wednesday),
    ("목요일", Weekday::Thursday),
    ("금요일", Weekday::Friday),
    ("토요일", Weekday::Saturday),
    ("일요일", Weekday::Sunday),
];

/// Parts of a day that are written onto the day.
const PARTS_OF_DAY: &[&str] = &["아침", "점심", "저녁", "오전", "오후", "새벽", "밤", "낮"];

/// What may be written onto a word for time; anything else makes it another word, as in 오늘날 and 이번 주제.
const PARTICLES: &[&str] = &[
    "에서", "에게", "에", "엔", "은", "는", "이나", "이랑", "이", "가", "을", "를", "의", "도", "까지",
    "부터", "만", "쯤", "처럼", "보다", "와", "과", "랑", "하고", "으로", "로", "동안", "내내", "간", "말",
    "초", "중", "요", "자", "였지", "였어", "였나", "였죠",
];

/// What stands at a place, if it begins a word.
pub(super) fn at(text: &str, start: usize) -> Option<Found> {
    if before(text, start).is_some_and(is_hangul) {
        return None;
    }
    let (meaning, end) = named(text, start)
        .or_else(|| pointed(text, start))
        .or_else(|| up_to_now(text, start))
        .or_else(|| distance(text, start))
        .or_else(|| bare_weekday(text, start))?;
    ends_a_word(text, end).then_some(Found { end, meaning })
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether only particles follow on the same word.
fn ends_a_word(text: &str, end: usize) -> bool {
    let mut at = past_any(text, end, PARTS_OF_DAY);
    for _ in 0..3 {
        at = past_any(text, at, PARTICLES);
    }
    !text[at..].chars().next().is_some_and(is_hangul)
}

fn spaced(text: &str, at: usize) -> usize {
    past_any(text, at, &[" "])
}

fn named(text: &str, start: usize) -> Option<(Meaning, usize)> {
    if let Some((offset, end)) = lookup(text, start, DAYS) {
        return Some((Meaning::At(Unit::Day, offset), end));
    }
    let ((unit, offset), end) = lookup(text, start, NAMED)?;
    Some(of_week(text, unit, offset, end))
}

/// 지난주, 이번 달, 다음 주말, 지난 화요일.
fn pointed(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let (offset, end) = lookup(text, start, POINTERS)?;
    let next = spaced(text, end);
    if let Some((weekday, end)) = lookup(text, next, WEEKDAYS) {
        let meaning = match offset {
            0 => Meaning::WeekdayOf(weekday, 0),
            1 => Meaning::WeekdayAfter(weekday),
            _ => Meaning::WeekdayBefore(weekday),
        };
        return Some((meaning, end));
    }
    let (unit, end) = lookup(text, next, POINTED)?;
    Some(of_week(text, unit, offset, end))
}

/// A unit, or the weekday that follows a week.
fn of_week(text: &str, unit: Unit, offset: i32, end: usize) -> (Meaning, usize) {
    let next = spaced(text, past_any(text, end, &["의"]));
    match lookup(text, next, WEEKDAYS).filter(|_| unit == Unit::Week) {
        Some((weekday, end)) => (Meaning::WeekdayOf(weekday, offset), end),
        None => (Meaning::At(unit, offset), end),
    }
}

/// 3일 전, 두 달 전, 일주일 전.
fn distance(text: &str, start: usize) -> Option<(Meaning, usize)> {
    // 11월 3일 전 is before a date.
    if text[..start].trim_end_matches(' ').ends_with('월') {
        return None;
    }
    let (unit, count, end) = counted(text, start)?;
    let end = past(text, spaced(text, end), &["전"])?;
    Some((ago(unit, count)?, end))
}

/// 지난 2주, 최근 사흘.
fn up_to_now(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let end = past(text, start, &["지난", "최근"])?;
    let (unit, count, end) = counted(text, past(text, end, &[" "])?)?;
    Some((up_to_today(unit, count)?, end))
}

fn counted(text: &str, start: usize) -> Option<(Unit, i32, usize)> {
    if let Some(((unit, count), end)) = lookup(text, start, WHOLE_COUNTS) {
        return Some((unit, count, end));
    }
    let (count, end) = number::digits(text, start).or_else(|| lookup(text, start, COUNTS))?;
    let (unit, end) = lookup(text, spaced(text, end), UNITS)?;
    Some((unit, count, end))
}

/// 화요일에, but not 매주 화요일 nor 화요일마다.
fn bare_weekday(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let (weekday, end) = lookup(text, start, WEEKDAYS)?;
    let before = text[..start].trim_end_matches(' ');
    (!["매주", "매달", "매월"].iter().any(|every| before.ends_with(every)))
        .then_some((Meaning::WeekdayUpToToday(weekday), end))
}
