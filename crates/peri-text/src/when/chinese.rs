//! Chinese: 昨天, 上周, 上周二, 这个月, 三天前, 过去两周.
//!
//! Words stand without spaces, so a word for time may begin inside two others, as 前天 does in 目前天气. What
//! stands before and behind decides.

use jiff::civil::Weekday;

use super::calendar::{Meaning, Unit, ago, up_to_today};
use super::{Found, before, lookup, number, past, past_any};

/// A word of its own: what it means, what before it makes it another word, and what behind it does.
struct Word {
    text: &'static str,
    meaning: (Unit, i32),
    not_after: &'static str,
    not_before: &'static str,
}

const fn word(
    text: &'static str,
    meaning: (Unit, i32),
    not_after: &'static str,
    not_before: &'static str,
) -> Word {
    Word { text, meaning, not_after, not_before }
}

/// Longer words first.
const WORDS: &[Word] = &[
    word("大前天", (Unit::Day, -3), "", ""),
    word("大后天", (Unit::Day, 3), "", ""),
    word("今天", (Unit::Day, 0), "如当", ""),
    word("今晚", (Unit::Day, 0), "", ""),
    word("今早", (Unit::Day, 0), "", ""),
    word("昨天", (Unit::Day, -1), "", ""),
    word("昨晚", (Unit::Day, -1), "", ""),
    word("前天", (Unit::Day, -2), "目以之从提先日年月周期", "性"),
    word("明天", (Unit::Day, 1), "光发聪文说证表透声", ""),
    word("后天", (Unit::Day, 2), "然以之最今午饭日月年周", "性"),
    word("後天", (Unit::Day, 2), "然以之最今午飯日月年週", "性"),
    word("去年", (Unit::Year, -1), "过過失", ""),
    word("今年", (Unit::Year, 0), "如当", ""),
    word("明年", (Unit::Year, 1), "光发聪文说证表透声", ""),
    word("前年", (Unit::Year, -2), "目以之从提先日月周期", ""),
    word("后年", (Unit::Year, 2), "然以之最今", ""),
];

/// What points at a week or a month; 上 and 下 also end words such as 晚上.
const POINTERS: &[(&str, i32)] =
    &[("上上", -2), ("上", -1), ("这", 0), ("這", 0), ("本", 0), ("下下", 2), ("下", 1)];

const NOT_BEFORE_POINTER: &str = "晚早马馬网網线線路身桌世以地楼樓手天私日课課书書基版成资資根";

const WEEKS: &[&str] = &["星期", "礼拜", "禮拜", "周", "週"];

/// What makes 周 and 月 parts of other words: 周期, 周边, 月亮.
const NOT_AFTER_WEEK: &str = "期边邊围圍刊岁歲转轉报報";
const NOT_AFTER_MONTH: &str = "亮球饼餅台份牌票经經";

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("一", Weekday::Monday),
    ("二", Weekday::Tuesday),
    ("三", Weekday::Wednesday),
    ("四", Weekday::Thursday),
    ("五", Weekday::Friday),
    ("六", Weekday::Saturday),
    ("日", Weekday::Sunday),
    ("天", Weekday::Sunday),
];

/// What makes the weekday's character part of the next word: 上周一起, 上周三次, 本周日程.
const NOT_AFTER_WEEKDAY: &str =
    "起些直样樣共定般切旦次个個位名场場家种種人轮輪篇条條件项項遍回顿頓倍程期常记記天十百";

const UNITS: &[(&str, Unit)] = &[
    ("个星期", Unit::Week),
    ("個星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("個禮拜", Unit::Week),
    ("星期", Unit::Week),
    ("礼拜", Unit::Week),
    ("个月", Unit::Month),
    ("個月", Unit::Month),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("周", Unit::Week),
    ("週", Unit::Week),
    ("年", Unit::Year),
];

/// What stands at a place.
pub(super) fn at(text: &str, start: usize) -> Option<Found> {
    let (meaning, end) = named(text, start)
        .or_else(|| pointed(text, start))
        .or_else(|| distance(text, start))
        .or_else(|| up_to_now(text, start))
        .or_else(|| bare_weekday(text, start))?;
    Some(Found { end, meaning })
}

fn is_before(text: &str, at: usize, of: &str) -> bool {
    before(text, at).is_some_and(|c| of.contains(c))
}

fn is_behind(text: &str, at: usize, of: &str) -> bool {
    text[at..].chars().next().is_some_and(|c| of.contains(c))
}

fn named(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let word = WORDS.iter().find(|word| text[start..].starts_with(word.text))?;
    let end = start + word.text.len();
    let (unit, offset) = word.meaning;
    let is_whole = !is_before(text, start, word.not_after) && !is_behind(text, end, word.not_before);
    is_whole.then_some((Meaning::At(unit, offset), end))
}

/// 上周, 上周二, 这个星期, 下个月, 上周末.
fn pointed(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let (offset, end) = lookup(text, start, POINTERS)?;
    if is_before(text, start, NOT_BEFORE_POINTER) {
        return None;
    }
    let next = past_any(text, end, &["个", "個"]);
    if let Some(end) = past(text, next, &["月"]) {
        return (!is_behind(text, end, NOT_AFTER_MONTH)).then_some((Meaning::At(Unit::Month, offset), end));
    }
    let end = past(text, next, WEEKS)?;
    if let Some(end) = past(text, end, &["末"]) {
        return Some((Meaning::At(Unit::Weekend, offset), end));
    }
    if let Some((weekday, end)) = weekday(text, past_any(text, end, &["的"])) {
        return Some((Meaning::WeekdayOf(weekday, offset), end));
    }
    let is_anniversary = text[end..].starts_with('年') && !text[end..].starts_with("年会");
    (!is_anniversary && !is_behind(text, end, NOT_AFTER_WEEK))
        .then_some((Meaning::At(Unit::Week, offset), end))
}

fn weekday(text: &str, at: usize) -> Option<(Weekday, usize)> {
    lookup(text, at, WEEKDAYS).filter(|(_, end)| !is_behind(text, *end, NOT_AFTER_WEEKDAY))
}

fn counted(text: &str, start: usize) -> Option<(Unit, i32, usize)> {
    if let Some(end) = past(text, start, &["半年"]) {
        return Some((Unit::Month, 6, end));
    }
    let (count, end) = number::digits(text, start).or_else(|| number::characters(text, start))?;
    let (unit, end) = lookup(text, past_any(text, end, &[" "]), UNITS)?;
    Some((unit, count, end))
}

/// 三天前, 两周以前, 3个月之前. 5月3日前 is before a date.
fn distance(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let (unit, count, end) = counted(text, start).filter(|_| !is_before(text, start, "月年"))?;
    let end = past(text, past_any(text, end, &[" "]), &["以前", "之前", "前"])?;
    (!is_behind(text, end, "后後")).then_some((ago(unit, count)?, end))
}

/// 过去两周, 最近三天.
fn up_to_now(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let end = past(text, start, &["过去", "過去", "最近", "近"])?;
    let end = past_any(text, past_any(text, end, &["的"]), &[" "]);
    let (unit, count, end) = counted(text, end)?;
    Some((up_to_today(unit, count)?, end))
}

/// 周三, 星期天; but not 每周三, nor 一周三次.
fn bare_weekday(text: &str, start: usize) -> Option<(Meaning, usize)> {
    let end = past(text, start, WEEKS)?;
    let is_counted = before(text, start).is_some_and(|c| {
        number::digit(c).is_some() || "每个個几幾半一二两兩三四五六七八九十整隔各".contains(c)
    });
    let (weekday, end) = weekday(text, end).filter(|_| !is_counted)?;
    Some((Meaning::WeekdayUpToToday(weekday), end))
}
