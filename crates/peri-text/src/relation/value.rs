//! What kind of value a phrase is: a date cannot take the place of a name.

use super::token;

/// The kinds of values that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Time,
    Date,
    Weekday,
    Number,
    /// How often something happens.
    Frequency,
    /// An address, a path or another token with marks or digits inside.
    Identifier,
    Plain,
}

#[rustfmt::skip]
const WEEKDAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mondays", "tuesdays",
    "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "월요일", "화요일", "수요일", "목요일",
    "금요일", "토요일", "일요일", "周一", "周二", "周三", "周四", "周五", "周六", "周日", "星期一", "星期二",
    "星期三", "星期四", "星期五", "星期六", "星期日", "星期天", "周末", "weekends", "주말",
];

/// How often, in Korean and Chinese.
#[rustfmt::skip]
const FREQUENCIES: &[&str] = &[
    "매시간", "매일", "격일", "매주", "격주", "매달", "매월", "매분기", "매년", "每小时", "每天", "每日", "隔天",
    "每周", "每星期", "隔周", "每个月", "每月", "每季度", "每年",
];

/// What may follow a frequency: the part of the day, or the day of the week.
#[rustfmt::skip]
const OCCASIONS: &[&str] = &[
    "", "早上", "上午", "中午", "下午", "傍晚", "晚上", "夜里", "凌晨", "晚", "一", "二", "三", "四", "五", "六", "日",
    "末",
];

/// The kind of a value by its first word.
pub(super) fn kind(first: &str) -> ValueKind {
    if token::is_time(first) {
        ValueKind::Time
    } else if token::date_digits(first).is_some() {
        ValueKind::Date
    } else if WEEKDAYS.contains(&first) {
        ValueKind::Weekday
    } else if is_frequency(first) {
        ValueKind::Frequency
    } else if token::is_number(first) {
        ValueKind::Number
    } else if first.chars().any(|c| c.is_ascii_digit() || "@/_.".contains(c)) {
        ValueKind::Identifier
    } else {
        ValueKind::Plain
    }
}

/// Whether one kind of value can take the place of the other without a word that says so.
pub(super) fn is_comparable(a: &str, b: &str) -> bool {
    use ValueKind::{Date, Identifier, Number, Plain};
    match (kind(a), kind(b)) {
        (Date, Date) => !dates_agree(a, b),
        (Number | Identifier, Number | Identifier) => !versions_agree(a, b),
        // A password or a name may hold digits or not.
        (Identifier, Plain) | (Plain, Identifier) => true,
        (a, b) => a == b,
    }
}

fn is_frequency(text: &str) -> bool {
    FREQUENCIES.iter().any(|word| text.strip_prefix(word).is_some_and(|rest| OCCASIONS.contains(&rest)))
}

/// Whether one date only says more than the other: "May" and "May 5".
fn dates_agree(a: &str, b: &str) -> bool {
    let (Some(a), Some(b)) = (token::date_digits(a), token::date_digits(b)) else { return false };
    [0..4, 4..6, 6..8].into_iter().all(|part| {
        let (a, b) = (&a[part.clone()], &b[part]);
        a == b || a.bytes().all(|byte| byte == b'0') || b.bytes().all(|byte| byte == b'0')
    })
}

/// Whether one version only says more than the other: 1.5 and 1.5.0.
fn versions_agree(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_start_matches('v'), b.trim_start_matches('v'));
    let extends = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    extends(a, b) || extends(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_the_place_of_its_like_only() {
        for (a, b, expected) in [
            ("tm0930", "tm1000", true),
            ("tm0930", "friday", false),
            ("dt00000303", "dt00000310", true),
            ("dt00000500", "dt00000505", false),
            ("1.5", "1.5.0", false),
            ("1.4", "1.5", true),
            ("berlin", "lisbon", true),
            ("berlin", "8080", false),
            ("a@b.c", "d@e.f", true),
            ("每天晚上", "每周", true),
            ("매일", "매주", true),
            ("매일", "부산", false),
        ] {
            assert_eq!(is_comparable(a, b), expected, "{a} {b}");
        }
    }
}
