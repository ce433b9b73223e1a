//! The days that a sentence speaks of, resolved by the day it was said on.

use std::ops::Range;

use jiff::civil::{Date, Weekday, date};
use peri_text::{date_mentions, time_mentions};

use crate::finding::Days;

/// Days that a sentence names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedDays {
    /// Where, in bytes of the sentence.
    pub(crate) range: Range<usize>,
    /// Which days.
    pub(crate) days: Days,
    /// Whether the words alone do not say which days.
    pub(crate) is_relative: bool,
}

/// Which way a weekday without more points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tense {
    Past,
    Coming,
}

/// The days of a sentence, in order.
pub(crate) fn named_days(sentence: &str, today: Date, tense: Tense) -> Vec<NamedDays> {
    let mut named: Vec<NamedDays> = time_mentions(sentence, today)
        .into_iter()
        .map(|mention| {
            let days = Days { first: mention.first, last: mention.last };
            let range = mention.range;
            let days =
                if is_bare_weekday(&sentence[range.clone()]) { turned(days, today, tense) } else { days };
            NamedDays { range, days, is_relative: true }
        })
        .collect();
    named.extend(date_mentions(sentence).into_iter().filter_map(|mention| written(&mention, today, tense)));
    for (range, weekday) in bare_weekdays(sentence) {
        let is_free =
            named.iter().all(|other| other.range.end <= range.start || range.end <= other.range.start);
        if is_free && let Some(days) = next(weekday, today, tense) {
            named.push(NamedDays { range, days, is_relative: true });
        }
    }
    for (range, day) in days_of_month(sentence) {
        let is_free =
            named.iter().all(|other| other.range.end <= range.start || range.end <= other.range.start);
        if is_free && let Some(days) = day_of_month(day, today, tense) {
            named.push(NamedDays { range, days, is_relative: true });
        }
    }
    named.sort_by_key(|one| one.range.start);
    named
}

/// Days of a month that is not named: "the 24th", 24일, 24号.
fn days_of_month(sentence: &str) -> Vec<(Range<usize>, i8)> {
    let mut found = Vec::new();
    let bytes = sentence.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let (start, end) = (at, at + length);
        at = end;
        let Some(day) =
            sentence[start..end].parse::<i8>().ok().filter(|day| length <= 2 && (1..=31).contains(day))
        else {
            continue;
        };
        let (before, rest) = (&sentence[..start], &sentence[end..]);
        let is_english = ["st", "nd", "rd", "th"].iter().any(|ending| {
            rest.strip_prefix(ending)
                .is_some_and(|rest| !rest.starts_with(|sign: char| sign.is_ascii_alphanumeric()))
        }) && before.ends_with("the ")
            && is_a_day(rest);
        let is_free = !before.ends_with(['月', '.', '-', '/']) && !before.trim_end().ends_with('월');
        let korean = is_free
            && rest.starts_with('일')
            && !["일간", "일째", "일 동안", "일마다"].iter().any(|word| rest.starts_with(word));
        let chinese = is_free
            && rest.starts_with('号')
            && !["号线", "号楼", "号店", "号机"].iter().any(|word| rest.starts_with(word));
        let length = match () {
            () if is_english => 2,
            () if korean || chinese => 3,
            () => continue,
        };
        found.push((start..end + length, day));
    }
    found
}

/// "The 24th percentile" is no day.
fn is_a_day(rest: &str) -> bool {
    let next = rest.get(2..).unwrap_or_default().split_whitespace().next().unwrap_or_default();
    let follows = next.trim_end_matches(['.', ',', '!', '?']);
    follows.is_empty()
        || [
            "at", "of", "in", "and", "from", "for", "is", "instead", "we", "or", "until", "to", "because",
            "so", "with",
        ]
        .contains(&follows)
        || rest.as_bytes().get(2).is_some_and(|byte| b".,!?)".contains(byte))
}

fn day_of_month(day: i8, today: Date, tense: Tense) -> Option<Days> {
    let this = Date::new(today.year(), today.month(), day).ok();
    let step = |months: i64| {
        let first = today.first_of_month().checked_add(jiff::Span::new().months(months)).ok()?;
        Date::new(first.year(), first.month(), day).ok()
    };
    let found = match (this, tense) {
        (Some(this), Tense::Coming) if this >= today => this,
        (Some(this), Tense::Past) if this <= today => this,
        (_, Tense::Coming) => step(1)?,
        (_, Tense::Past) => step(-1)?,
    };
    Some(Days { first: found, last: found })
}

/// A date as it was written; one without a year lies nearest in the direction of the sentence.
fn written(mention: &peri_text::DateMention, today: Date, tense: Tense) -> Option<NamedDays> {
    let (month, day) = (mention.month?, mention.day?);
    let of = |year: i16| Date::new(year, month, day).ok();
    let found = match mention.year {
        Some(year) => of(year)?,
        None => {
            let this = of(today.year())?;
            match tense {
                Tense::Coming if this < today => of(today.year() + 1)?,
                Tense::Past if this > today => of(today.year() - 1)?,
                _ => this,
            }
        }
    };
    let days = Days { first: found, last: found };
    Some(NamedDays { range: mention.range.clone(), days, is_relative: mention.year.is_none() })
}

/// A weekday that was taken for the latest one is turned to the coming one where the sentence looks ahead.
fn turned(days: Days, today: Date, tense: Tense) -> Days {
    if tense == Tense::Past || days.first >= today {
        return days;
    }
    next(days.first.weekday(), today, tense).unwrap_or(days)
}

fn next(weekday: Weekday, today: Date, tense: Tense) -> Option<Days> {
    let found = match tense {
        _ if today.weekday() == weekday => today,
        Tense::Coming => today.nth_weekday(1, weekday).ok()?,
        Tense::Past => today.nth_weekday(-1, weekday).ok()?,
    };
    Some(Days { first: found, last: found })
}

const ENGLISH: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const KOREAN: [&str; 7] = ["월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"];
const CHINESE: [&str; 8] = ["一", "二", "三", "四", "五", "六", "日", "天"];

/// Whether words are nothing but a weekday, with "on" at most.
fn is_bare_weekday(words: &str) -> bool {
    let folded = words.to_lowercase();
    let bare = folded.strip_prefix("on ").unwrap_or(&folded);
    ENGLISH.contains(&bare)
        || KOREAN.contains(&bare)
        || chinese_weekday(bare).is_some_and(|(_, end)| end == bare.len())
}

/// Weekdays that stand alone, without a pointer such as "last" and not as a habit.
fn bare_weekdays(sentence: &str) -> Vec<(Range<usize>, Weekday)> {
    let mut found = Vec::new();
    let folded = sentence.to_ascii_lowercase();
    for (names, is_latin) in [(&ENGLISH, true), (&KOREAN, false)] {
        for (place, name) in names.iter().enumerate() {
            let Some(at) = folded.find(name) else { continue };
            let (before, after) = (&folded[..at], &folded[at + name.len()..]);
            let is_habit =
                ["every ", "each ", "매주 ", "last ", "지난 "].iter().any(|word| before.ends_with(word))
                    || after.starts_with("마다")
                    || is_latin && after.starts_with(|sign: char| sign.is_ascii_alphanumeric());
            if !is_habit {
                found.push((at..at + name.len(), weekday(place)));
            }
        }
    }
    for (at, _) in sentence.match_indices(['周', '星', '礼']) {
        if let Some((place, length)) = chinese_weekday(&sentence[at..])
            && !["每", "上", "个"].iter().any(|word| sentence[..at].ends_with(word))
        {
            found.push((at..at + length, weekday(place)));
        }
    }
    found
}

fn chinese_weekday(text: &str) -> Option<(usize, usize)> {
    let week = ["周", "星期", "礼拜"].into_iter().find(|week| text.starts_with(week))?;
    let place = CHINESE.iter().position(|day| text[week.len()..].starts_with(day))?;
    Some((place.min(6), week.len() + CHINESE[place].len()))
}

fn weekday(place: usize) -> Weekday {
    // The first of June 2026 is a Monday.
    let place = i8::try_from(place).unwrap_or(0);
    date(2026, 6, 1 + place).weekday()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Tuesday.
    const TODAY: Date = date(2026, 3, 10);

    #[test]
    fn days_are_resolved_by_the_day_they_were_said_on() {
        for (sentence, expected) in [
            ("Call the bank tomorrow.", Some(date(2026, 3, 11))),
            ("The call is on Friday.", Some(date(2026, 3, 13))),
            ("Send it by Monday", Some(date(2026, 3, 16))),
            ("Release 2.0 goes out on April 3.", Some(date(2026, 4, 3))),
            ("The party was planned for January 5.", Some(date(2027, 1, 5))),
            ("수요일 오후 4시에 통화", Some(date(2026, 3, 11))),
            ("내일 전화", Some(date(2026, 3, 11))),
            ("周三下午四点开会", Some(date(2026, 3, 11))),
            ("4月3日发布", Some(date(2026, 4, 3))),
            ("We deploy every Friday.", None),
            ("매주 수요일에 배포", None),
            ("每周三部署", None),
            ("Parents' evening is on the 24th at seven.", Some(date(2026, 3, 24))),
            ("Rent is due on the 5th.", Some(date(2026, 4, 5))),
            ("at the 95th percentile", None),
            ("모임은 24일 7시야", Some(date(2026, 3, 24))),
            ("20일 동안 쉰다", None),
            ("24号晚上七点", Some(date(2026, 3, 24))),
            ("坐10号线", None),
            ("nothing here", None),
        ] {
            let found = named_days(sentence, TODAY, Tense::Coming);
            assert_eq!(found.first().map(|one| one.days.first), expected, "{sentence}");
        }
    }

    #[test]
    fn the_past_looks_back() {
        let found = named_days("We met on Friday.", TODAY, Tense::Past);
        assert_eq!(found[0].days.first, date(2026, 3, 6));
    }
}
