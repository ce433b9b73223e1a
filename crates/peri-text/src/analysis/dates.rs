//! Dates as canonical terms, whatever way they were written.

use std::ops::Range;

use super::TermClass;
use super::lexicon;
use super::scan::{Scanner, Sink};

/// The terms of a full date, finest first, as a memory's own time stamp is indexed.
///
/// ```
/// assert_eq!(peri_text::date_terms(2025, 1, 25), ["d:2025-01-25", "ym:2025-01", "md:01-25", "m:01", "y:2025"]);
/// ```
pub fn date_terms(year: i16, month: i8, day: i8) -> Vec<String> {
    let part = |value: i8| u8::try_from(value).ok();
    terms(Date { year: u16::try_from(year).ok(), month: part(month), day: part(day) })
}

/// As much of a date as a text gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: Option<u16>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
}

fn terms(date: Date) -> Vec<String> {
    let Date { year, month, day } = date;
    let mut terms = Vec::with_capacity(5);
    if let (Some(y), Some(m), Some(d)) = (year, month, day) {
        terms.push(format!("d:{y:04}-{m:02}-{d:02}"));
    }
    if let (Some(y), Some(m)) = (year, month) {
        terms.push(format!("ym:{y:04}-{m:02}"));
    }
    if let (Some(m), Some(d)) = (month, day) {
        terms.push(format!("md:{m:02}-{d:02}"));
    }
    terms.extend(month.map(|m| format!("m:{m:02}")));
    terms.extend(year.map(|y| format!("y:{y:04}")));
    terms
}

/// What the scanner remembers between tokens to see dates that span several.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DateState {
    number: Option<Number>,
    /// Text before this offset already belongs to an emitted date.
    done_until: usize,
    /// Where a word such as "in" or "since" ended.
    announced_at: Option<usize>,
}

/// A number read from a text, with where it lies.
#[derive(Debug, Clone, Copy)]
struct Number {
    value: u16,
    digits: usize,
    start: usize,
    end: usize,
}

impl Number {
    fn day(self) -> Option<u8> {
        u8::try_from(self.value).ok().filter(|day| self.digits <= 2 && (1..=31).contains(day))
    }

    fn month(self) -> Option<u8> {
        self.day().filter(|month| *month <= 12)
    }

    fn year(self) -> Option<u16> {
        (self.digits == 4 && (1000..=2999).contains(&self.value)).then_some(self.value)
    }
}

impl<'a, S: Sink> Scanner<'a, S> {
    fn emit_date(&mut self, date: Date, range: Range<usize>) {
        let text = self.text;
        for term in terms(date) {
            self.emit(&term, TermClass::Date, &text[range.clone()]);
        }
        self.sink.date(date, range.clone());
        self.dates.done_until = range.end;
        self.dates.number = None;
    }

    /// ISO forms: 2025-01-25, 2025/1/25, 2025-01, with or without a time behind.
    pub(super) fn dates_in_compound(&mut self, start: usize, end: usize) {
        let text = &self.text[..end];
        let Some(year) = number_at(text, start).filter(|year| year.year().is_some()) else { return };
        let separator = text.as_bytes().get(year.end).copied();
        if !matches!(separator, Some(b'-' | b'/' | b'.')) {
            return;
        }
        let Some((month, number)) = number_at(text, year.end + 1).and_then(|n| Some((n, n.month()?))) else {
            return;
        };
        let mut date = Date { year: year.year(), month: Some(number), day: None };
        let day =
            number_at(text, month.end + 1).filter(|_| text.as_bytes().get(month.end).copied() == separator);
        date.day = day.and_then(Number::day);
        let is_whole = month.end == end && separator != Some(b'.');
        if date.day.is_some() || is_whole {
            self.emit_date(date, start..date.day.and(day).map_or(month.end, |day| day.end));
        }
    }

    /// English dates hang on the month's name; other words only announce years.
    pub(super) fn dates_at_word(&mut self, range: Range<usize>, lower: &str) {
        if lexicon::announces_year(lower) {
            self.dates.announced_at = Some(range.end);
        }
        let Some(month) = lexicon::month(lower) else { return };
        if range.start < self.dates.done_until {
            return;
        }
        let mut date = Date { month: Some(month.number), ..Date::default() };
        let mut span = range.clone();
        if let Some(number) = self.dates.number.filter(|number| is_gap(&self.text[number.end..range.start])) {
            (date.day, date.year) = (number.day(), number.year());
            if date.day.or(date.year.map(|_| 1)).is_some() {
                span.start = number.start;
            }
        }
        for _ in 0..2 {
            let Some(next) = number_after(self.text, span.end) else { break };
            match (next.day(), next.year()) {
                (Some(day), _) if date.day.is_none() => date.day = Some(day),
                (_, Some(year)) if date.year.is_none() => date.year = Some(year),
                _ => break,
            }
            span.end = next.end;
        }
        if date.day.is_some() || date.year.is_some() || month.certain {
            self.emit_date(date, span);
        }
    }

    /// Numbers begin Chinese, Japanese and Korean dates and can be an announced year.
    pub(super) fn dates_at_number(&mut self, range: Range<usize>, end: usize) {
        if range.start < self.dates.done_until {
            return;
        }
        let Some(number) = number_at(self.text, range.start) else { return };
        if let Some((date, date_end)) = cjk_date(self.text, number) {
            return self.emit_date(date, range.start..date_end);
        }
        self.dates.number = Some(Number { end, ..number });
        let announced = self.dates.announced_at.is_some_and(|at| &self.text[at..range.start] == " ");
        if announced && number.digits == 4 && (1900..=2099).contains(&number.value) {
            let last = self.dates.number;
            self.emit_date(Date { year: Some(number.value), ..Date::default() }, range);
            // "in 2023 May" still needs the year.
            self.dates.number = last;
        }
    }
}

/// Reads 2025年1月25日, 1月25日, 2025년 1월 and the like from the number on.
fn cjk_date(text: &str, first: Number) -> Option<(Date, usize)> {
    let mut date = Date::default();
    let mut next = Some(first);
    let mut end = None;
    if let Some(after) = marker(text, first.end, &['年', '년']) {
        date.year = Some(first.year()?);
        end = Some(after);
        next = number_at(text, skip_space(text, after));
    }
    if let Some(number) = next
        && let Some(month) = number.month()
        && let Some(after) = marker(text, number.end, &['月', '월'])
    {
        date.month = Some(month);
        end = Some(after);
        if let Some(number) = number_at(text, skip_space(text, after))
            && let Some(day) = number.day()
            && let Some(after) = marker(text, number.end, &['日', '일', '号', '號'])
        {
            date.day = Some(day);
            end = Some(after);
        }
    }
    end.map(|end| (date, end))
}

fn marker(text: &str, at: usize, markers: &[char]) -> Option<usize> {
    let at = skip_space(text, at);
    let c = text[at..].chars().next().filter(|c| markers.contains(c))?;
    Some(at + c.len_utf8())
}

fn skip_space(text: &str, at: usize) -> usize {
    if text.as_bytes().get(at) == Some(&b' ') { at + 1 } else { at }
}

/// The ASCII number at `at`, at most four digits long.
fn number_at(text: &str, at: usize) -> Option<Number> {
    let bytes = text.as_bytes().get(at..)?;
    let digits = bytes.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=4).contains(&digits) {
        return None;
    }
    let value = bytes[..digits].iter().fold(0u16, |value, byte| value * 10 + u16::from(byte - b'0'));
    Some(Number { value, digits, start: at, end: at + digits })
}

/// The number behind a month or a day, past a space, comma, full stop or hyphen.
fn number_after(text: &str, at: usize) -> Option<Number> {
    let rest = &text.as_bytes()[at..];
    let gap = rest.iter().take(3).take_while(|byte| b" ,.-/".contains(byte)).count();
    let mut number = number_at(text, at + gap).filter(|_| gap > 0)?;
    let tail = &text.as_bytes()[number.end..];
    let is_ordinal = tail.len() >= 2
        && [b"st", b"nd", b"rd", b"th"].iter().any(|end| tail[..2].eq_ignore_ascii_case(*end));
    if is_ordinal {
        number.end += 2;
    }
    // "May 8:30" is an hour and "may 3.5" an amount.
    let tail = &text.as_bytes()[number.end..];
    let goes_on = match tail {
        [b':' | b'.', digit, ..] => digit.is_ascii_digit(),
        [b'%', ..] => true,
        [byte, ..] => byte.is_ascii_alphanumeric(),
        [] => false,
    };
    (!goes_on).then_some(number)
}

fn is_gap(between: &str) -> bool {
    matches!(between, " " | ", " | " of " | "-" | "/" | ". " | "." | " the " | "\u{a0}")
}
