//! Words for time that count from today: "last Tuesday", 지난주, 上周二, 先週.
//!
//! Each language reads what stands at one place of a text as a [`Meaning`]; `calendar` turns that into days. The
//! day it is comes from the caller, so that the same words and the same day always give the same answer.

mod calendar;
mod chinese;
mod english;
mod japanese;
mod korean;
mod number;

use std::ops::Range;

use jiff::civil::Date;

use calendar::Meaning;

/// Days that a text speaks of by their distance from today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeMention {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// The first day.
    pub first: Date,
    /// The last day, which is the first one when a single day is meant.
    pub last: Date,
}

impl TimeMention {
    /// How many days it spans; at least one.
    pub fn days(&self) -> i32 {
        self.last.since(self.first).map_or(1, |span| span.get_days() + 1)
    }
}

/// What stands at one place of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    /// Where it ends, in bytes.
    end: usize,
    meaning: Meaning,
}

/// The days that a text speaks of by their distance from today, in order; weeks begin on Monday.
///
/// Days that a date says are left to [`crate::date_mentions`], and so are weekdays beside such a date.
///
/// ```
/// let today = jiff::civil::date(2026, 11, 12);
/// let mentions = peri_text::time_mentions("what did we decide last Tuesday?", today);
/// assert_eq!((mentions[0].first, mentions[0].days()), (jiff::civil::date(2026, 11, 10), 1));
/// ```
pub fn time_mentions(text: &str, today: Date) -> Vec<TimeMention> {
    let mut mentions = Vec::new();
    let mut done = 0;
    for (start, c) in text.char_indices() {
        if start < done {
            continue;
        }
        let Some(Found { end, meaning }) = found_at(text, start, c) else { continue };
        done = end;
        if let Some((first, last)) = meaning.days(today) {
            mentions.push(TimeMention { range: start..end, first, last });
        }
    }
    if !mentions.is_empty() {
        let dates = crate::date_mentions(text);
        mentions.retain(|mention| !dates.iter().any(|date| touch(text, &mention.range, &date.range)));
    }
    mentions
}

fn found_at(text: &str, start: usize, c: char) -> Option<Found> {
    if c.is_ascii_alphabetic() {
        return english::at(text, start);
    }
    if number::digit(c).is_some() {
        let readings = [english::at, korean::at, chinese::at, japanese::at];
        return readings.into_iter().find_map(|read| read(text, start));
    }
    match c {
        '\u{ac00}'..='\u{d7a3}' => korean::at(text, start),
        '\u{3040}'..='\u{30ff}' => japanese::at(text, start),
        '\u{3400}'..='\u{9fff}' => longest(japanese::at(text, start), chinese::at(text, start)),
        _ => None,
    }
}

/// The reading that takes more of the text; Japanese and Chinese share characters.
fn longest(one: Option<Found>, other: Option<Found>) -> Option<Found> {
    match (one, other) {
        (Some(one), Some(other)) if one.end > other.end => Some(one),
        (one, other) => other.or(one),
    }
}

/// Whether two places overlap, or nothing but punctuation lies between them.
fn touch(text: &str, one: &Range<usize>, other: &Range<usize>) -> bool {
    let (from, until) = (one.end.min(other.end), one.start.max(other.start));
    from >= until || text.get(from..until).is_some_and(|gap| !gap.contains(char::is_alphanumeric))
}

/// The character before a place.
fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// Where the text goes on behind any of these, if it holds one of them there; the first that fits counts.
fn past(text: &str, at: usize, words: &[&str]) -> Option<usize> {
    words.iter().find(|word| text[at..].starts_with(**word)).map(|word| at + word.len())
}

/// Where the text goes on behind one of these, or where it was.
fn past_any(text: &str, at: usize, words: &[&str]) -> usize {
    past(text, at, words).unwrap_or(at)
}

/// The value and the end of the first word of a table that stands at a place.
fn lookup<T: Copy>(text: &str, at: usize, table: &[(&str, T)]) -> Option<(T, usize)> {
    let (word, value) = table.iter().find(|(word, _)| text[at..].starts_with(word))?;
    Some((*value, at + word.len()))
}
