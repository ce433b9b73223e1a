//! Japanese: 昨日, 先週, 先週の火曜日, 今月, 三日前.

use jiff::civil::Weekday;

use super::calendar::{Meaning, Unit, ago};
use super::{Found, before, lookup, number, past, past_any};

/// Longer words first.
const WORDS: &[(&str, (Unit, i32))] = &[
    ("一昨日", (Unit::Day, -2)),
    ("おととい", (Unit::Day, -2)),
    ("今日", (Unit::Day, 0)),
    ("本日", (Unit::Day, 0)),
    ("今朝", (Unit::Day, 0)),
    ("今夜", (Unit::Day, 0)),
    ("昨日", (Unit::Day, -1)),
    ("昨夜", (Unit::Day, -1)),
    ("昨晩", (Unit::Day, -1)),
    ("きのう", (Unit::Day, -1)),
    ("明後日", (Unit::Day, 2)),
    ("明日", (Unit::Day, 1)),
    ("先々週", (Unit::Week, -2)),
    ("先週", (Unit::Week, -1)),
    ("今週", (Unit::Week, 0)),
    ("来週", (Unit::Week, 1)),
    ("先月", (Unit::Month, -1)),
    ("今月", (Unit::Month, 0)),
    ("来月", (Unit::Month, 1)),
    ("一昨年", (Unit::Year, -2)),
    ("おととし", (Unit::Year, -2)),
    ("昨年", (Unit::Year, -1)),
    ("来年", (Unit::Year, 1)),
];

const UNITS: &[(&str, Unit)] = &[
    ("日", Unit::Day),
    ("週間", Unit::Week),
    ("ヶ月", Unit::Month),
    ("か月", Unit::Month),
    ("カ月", Unit::Month),
    ("ヵ月", Unit::Month),
    ("年", Unit::Year),
];

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("月曜", Weekday::Monday),
    ("火曜", Weekday::Tuesday),
    ("水曜", Weekday::Wednesday),
    ("木曜", Weekday::Thursday),
    ("金曜", Weekday::Friday),
    ("土曜", Weekday::Saturday),
    ("日曜", Weekday::Sunday),
];

/// What stands at a place.
pub(super) fn at(text: &str, start: usize) -> Option<Found> {
    let (meaning, end) =
        named(text, start).or_else(|| distance(text, start)).or_else(|| bare_weekday(text, start))?;
    Some(Found { end, meaning })
}

fn named(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let ((unit, offset), end) = lookup(text, start, WORDS)?;
    let is_kana = |c| matches!(c, '\u{3040}'..='\u{30ff}');
    if text[start..].starts_with(is_kana) && before(text, start).is_some_and(is_kana) {
        return None;
    }
    // 日本日 and 説明日 hold the end of another word.
    if before(text, start).is_some_and(|c| "日光说説証明未".contains(c)) {
        return None;
    }
    if unit == Unit::Week {
        if let Some(end) = past(text, end, &["末"]) {
            return Some((Meaning::At(Unit::Weekend, offset), end));
        }
        if let Some((weekday, end)) = weekday(text, past_any(text, end, &["の"])) {
            return Some((Meaning::WeekdayOf(weekday, offset), end));
        }
    }
    Some((Meaning::At(unit, offset), end))
}

fn weekday(text: &str, at: usize) -> Option<(Weekday, usize)> {
    let (weekday, end) = lookup(text, at, WEEKDAYS)?;
    Some((weekday, past_any(text, end, &["日"])))
}

/// 3日前, 二週間前. 5月3日前 is before a date.
fn distance(text: &str, start: usize) -> Option<(Meaning, usize)> {
    if before(text, start).is_some_and(|c| "月年".contains(c)) {
        return None;
    }
    let (count, end) = number::digits(text, start).or_else(|| number::characters(text, start))?;
    let (unit, end) = lookup(text, end, UNITS)?;
    let end = past(text, end, &["前"])?;
    (!text[end..].starts_with('後')).then_some((ago(unit, count)?, end))
}

/// 火曜日, but not 毎週火曜日 nor 火曜日ごと.
fn bare_weekday(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let (weekday, end) = weekday(text, start)?;
    let every =
        ["毎週", "毎"].iter().any(|every| text[..start].ends_with(every)) || text[end..].starts_with("ごと");
    (!every).then_some((Meaning::WeekdayUpToToday(weekday), end))
}
