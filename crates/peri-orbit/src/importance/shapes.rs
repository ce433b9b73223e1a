//! Evidence that is recognised by its shape: dates, times, amounts, identifiers, capitalised names.

use std::ops::Range;

use super::Reason;
use super::folding::Sentence;

/// A shape in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub(super) reason: Reason,
    /// How clearly, from 0 to 1.
    pub(super) strength: f32,
    /// The signs of the sentence it covers.
    pub(super) span: Range<usize>,
}

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];
const WEEKDAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
];
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof", "professor", "uncle", "aunt"];

/// What may follow a number, and what the number then is.
const UNITS: &[(Reason, f32, &[&str])] = &[
    (Reason::Date, 0.45, &["월", "년", "年", "月", "号", "일에", "일이", "일까지", "일입", "일부터", "日"]),
    (Reason::Date, 0.4, &["pm", "am", "p.m", "a.m", "시", "点", "o'clock"]),
    (
        Reason::Amount,
        0.6,
        &[
            "원", "만", "억", "달러", "유로", "元", "块", "万", "亿", "美元", "欧元", "usd", "eur",
            "dollars", "euros", "pounds", "yen", "won", "£", "€", "$",
        ],
    ),
    (
        Reason::Amount,
        0.45,
        &[
            "%",
            "percent",
            "kg",
            "mg",
            "km",
            "cm",
            "mm",
            "ml",
            "gb",
            "mb",
            "kb",
            "tb",
            "ms",
            "mph",
            "kcal",
            "킬로",
            "그램",
            "퍼센트",
            "公斤",
            "毫克",
            "公里",
            "厘米",
            "平方",
            "度",
            "세",
            "살",
            "岁",
            "years old",
        ],
    ),
    (
        Reason::Amount,
        0.2,
        &[
            "days", "day", "weeks", "hours", "hour", "minutes", "months", "times", "people", "일", "분",
            "개", "명", "번", "天", "分钟", "小时", "个", "次", "人",
        ],
    ),
];

/// A time stamp is no longer than this.
const STAMP_MAX: usize = 32;

const HAN_NUMERALS: &str = "〇零一二两三四五六七八九十百千";

/// Every shape in a sentence, in order.
pub(super) fn find(sentence: &Sentence<'_>) -> Vec<Shape> {
    let runs = runs(sentence.signs);
    let mut shapes = Vec::new();
    for place in 0..runs.len() {
        let shape = if sentence.signs[runs[place].start].is_ascii() {
            latin(sentence, &runs, place)
        } else {
            han_number(sentence.signs, &runs[place])
        };
        shapes.extend(shape.map(|(reason, strength)| Shape { reason, strength, span: runs[place].clone() }));
    }
    shapes
}

/// The words and numbers in ASCII with what joins them (`a_b`, `18:40`, `a@b.c`), and the Chinese numbers.
fn runs(signs: &[char]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < signs.len() {
        let start = at;
        if signs[at].is_ascii_alphanumeric() {
            at = ascii_end(signs, at);
        } else if is_han_numeral(signs[at]) {
            while at < signs.len() && is_han_numeral(signs[at]) {
                at += 1;
            }
        } else {
            at += 1;
            continue;
        }
        runs.push(start..at);
    }
    runs
}

fn is_han_numeral(sign: char) -> bool {
    !sign.is_ascii() && HAN_NUMERALS.contains(sign)
}

fn ascii_end(signs: &[char], start: usize) -> usize {
    let mut at = start;
    loop {
        while at < signs.len() && signs[at].is_ascii_alphanumeric() {
            at += 1;
        }
        let joins = |sign: &char| {
            matches!(
                sign,
                '-' | '_' | '.' | '/' | ':' | '@' | ',' | '\'' | '+' | '#' | '=' | '&' | '?' | '\\'
            )
        };
        let joiners = signs[at..].iter().take(3).take_while(|sign| joins(sign)).count();
        let is_comma = signs.get(at) == Some(&',');
        match signs.get(at + joiners) {
            Some(next) if joiners > 0 && next.is_ascii_digit() => at += joiners,
            Some(next) if joiners > 0 && next.is_ascii_alphanumeric() && !is_comma => at += joiners,
            _ => return at,
        }
    }
}

fn latin(sentence: &Sentence<'_>, runs: &[Range<usize>], place: usize) -> Option<(Reason, f32)> {
    let run = &runs[place];
    // Most words: written small, and with nothing inside.
    if sentence.originals[run.clone()].iter().all(char::is_ascii_lowercase) {
        return None;
    }
    let word: String = sentence.signs[run.clone()].iter().collect();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    if digits == 0 {
        return written_name(sentence, runs, place).or_else(|| joined_word(sentence, run, &word));
    }
    if is_stamp(sentence.signs, run) {
        return None;
    }
    if letters == 0 {
        return number(sentence, runs, place, &word);
    }
    let tail = word.trim_start_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ',' | ':'));
    match tail {
        "st" | "nd" | "rd" | "th" if is_beside_month(sentence, runs, place) => Some((Reason::Date, 0.5)),
        // An ordinal, or a decade.
        "st" | "nd" | "rd" | "th" | "s" => None,
        _ if word.starts_with(|sign: char| sign.is_ascii_digit()) && unit(tail).is_some() => unit(tail),
        _ if word.contains('@') => Some((Reason::Identifier, 0.7)),
        _ if matches!(word.as_str(), "q1" | "q2" | "q3" | "q4") => None,
        _ => Some((Reason::Identifier, 0.5)),
    }
}

/// A capitalised word inside a sentence.
fn written_name(sentence: &Sentence<'_>, runs: &[Range<usize>], place: usize) -> Option<(Reason, f32)> {
    let run = &runs[place];
    let is_capital = |run: &Range<usize>| {
        let own = &sentence.originals[run.clone()];
        own.len() > 1 && own[0].is_ascii_uppercase() && own[1..].iter().any(char::is_ascii_lowercase)
    };
    let word: String = sentence.signs[run.clone()].iter().collect();
    let is_calendar = MONTHS.contains(&word.as_str()) || WEEKDAYS.contains(&word.as_str());
    if place == 0 || !is_capital(run) || is_calendar || word.contains('\'') && word.starts_with("i'") {
        return None;
    }
    let before = &runs[place - 1];
    let gap: String = sentence.signs[before.end..run.start].iter().collect();
    let earlier: String = sentence.signs[before.clone()].iter().collect();
    let ends_clause = sentence.signs.get(run.end).is_none_or(|sign| matches!(sign, ',' | ';' | ':'));
    match gap.as_str() {
        // Somebody is called by name.
        _ if ends_clause && (place == 1 || gap.contains(',')) => None,
        " " | ". " if TITLES.contains(&earlier.as_str()) => Some((Reason::Name, 0.5)),
        " " if place > 1 && is_capital(before) => Some((Reason::Name, 0.4)),
        _ if gap.contains(['.', ':', '"', '“', '(']) => None,
        _ => Some((Reason::Name, 0.2)),
    }
}

/// A word with an inner sign or an inner capital: a path, an address, a name from code.
fn joined_word(sentence: &Sentence<'_>, run: &Range<usize>, word: &str) -> Option<(Reason, f32)> {
    let own = &sentence.originals[run.clone()];
    let has_inner_capital =
        own.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    if word.contains('@') || word.contains("://") {
        Some((Reason::Identifier, 0.7))
    } else if word.contains('_') || word.contains("::") {
        Some((Reason::Identifier, 0.35))
    } else if has_inner_capital || word.contains(['/', '.', '\\']) {
        Some((Reason::Identifier, 0.25))
    } else {
        None
    }
}

fn number(sentence: &Sentence<'_>, runs: &[Range<usize>], place: usize, word: &str) -> Option<(Reason, f32)> {
    let run = &runs[place];
    let before = run.start.checked_sub(1).map(|at| sentence.signs[at]);
    if before.is_some_and(|sign| matches!(sign, '$' | '€' | '£' | '¥' | '￥' | '₩')) {
        return Some((Reason::Amount, 0.6));
    }
    let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
    let is_date = parts.len() == 3 && parts.iter().any(|part| part.len() == 4 && is_year(part));
    if is_date && runs.get(place + 1).is_some_and(|next| is_stamp(sentence.signs, next)) {
        return None;
    }
    if is_date || is_beside_month(sentence, runs, place) {
        return Some((Reason::Date, 0.5));
    }
    if word.contains(':') {
        return Some((Reason::Date, 0.4));
    }
    if let Some(shape) = unit_behind(sentence.signs, run.end) {
        return Some(shape);
    }
    let digits = word.chars().filter(char::is_ascii_digit).count();
    match digits {
        4 if is_year(word) => Some((Reason::Date, 0.3)),
        0..=3 if word.contains('.') => Some((Reason::Identifier, 0.3)),
        0..=3 => Some((Reason::Amount, 0.1)),
        4..=6 => Some((Reason::Identifier, 0.5)),
        _ => Some((Reason::Identifier, 0.6)),
    }
}

/// Whether it is a time with seconds, which a machine wrote to say when, not what.
fn is_stamp(signs: &[char], run: &Range<usize>) -> bool {
    let colons = signs[run.clone()].iter().take(STAMP_MAX).filter(|sign| **sign == ':').count();
    signs[run.start].is_ascii_digit() && colons >= 2
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && matches!(word.parse::<u32>(), Ok(1900..=2099))
}

/// Whether a number stands beside a month, as in "14 March", "March 14" and "9th of September".
fn is_beside_month(sentence: &Sentence<'_>, runs: &[Range<usize>], place: usize) -> bool {
    let word =
        |place: usize| runs.get(place).map(|run| sentence.signs[run.clone()].iter().collect::<String>());
    let is_month = |word: Option<String>| word.is_some_and(|word| MONTHS.contains(&word.as_str()));
    let behind = if word(place + 1).as_deref() == Some("of") { place + 2 } else { place + 1 };
    is_month(word(behind)) || place > 0 && is_month(word(place - 1))
}

/// What a number is by the unit behind it.
fn unit_behind(signs: &[char], at: usize) -> Option<(Reason, f32)> {
    let from = if signs.get(at) == Some(&' ') { at + 1 } else { at };
    let next: String = signs[from.min(signs.len())..].iter().take(9).collect();
    // A quarter of a year begins like a minute.
    if next.starts_with("분기") { None } else { unit_at_start(&next) }
}

fn unit_at_start(text: &str) -> Option<(Reason, f32)> {
    UNITS.iter().find_map(|(reason, strength, units)| {
        let fits = |unit: &&&str| {
            let rest = text.strip_prefix(**unit);
            let is_word = unit.is_ascii();
            rest.is_some_and(|rest| !is_word || !rest.starts_with(|sign: char| sign.is_ascii_alphanumeric()))
        };
        units.iter().find(fits).map(|_| (*reason, *strength))
    })
}

fn unit(word: &str) -> Option<(Reason, f32)> {
    let fits = |units: &&[&str]| units.contains(&word);
    UNITS.iter().find(|(_, _, units)| fits(units)).map(|(reason, strength, _)| (*reason, *strength))
}

/// A number in Chinese characters with what it counts.
fn han_number(signs: &[char], run: &Range<usize>) -> Option<(Reason, f32)> {
    let next: String = signs[run.end..].iter().take(2).collect();
    let before: String = signs[run.start.saturating_sub(2)..run.start].iter().collect();
    let of_day = ["上午", "下午", "早上", "晚上", "中午", "凌晨", "傍晚"].contains(&before.as_str());
    match next.chars().next() {
        Some('月') if !next.starts_with("月份的") => Some((Reason::Date, 0.4)),
        Some('号' | '日') if before.ends_with('月') => Some((Reason::Date, 0.45)),
        Some('点') if of_day || next.starts_with("点半") => Some((Reason::Date, 0.4)),
        Some('元' | '块' | '万' | '亿') => Some((Reason::Amount, 0.6)),
        Some('岁') => Some((Reason::Amount, 0.45)),
        _ => None,
    }
}
