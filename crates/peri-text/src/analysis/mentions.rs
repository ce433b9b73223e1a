//! The dates that a text speaks of, with where they stand, for those who compare them with days.

use std::ops::Range;

use super::TermClass;
use super::dates::Date;
use super::scan::{Scanner, Sink};

/// A date in a text: as much of it as was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateMention {
    /// The year, if it was given.
    pub year: Option<i16>,
    /// The month, from 1 to 12, if it was given.
    pub month: Option<i8>,
    /// The day of the month, if it was given.
    pub day: Option<i8>,
    /// The part of the month, if one was given instead of a day.
    pub part: Option<MonthPart>,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

/// A third of a month, as in 1月中旬 or "early May".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonthPart {
    /// The first ten days.
    Early,
    /// The days from the eleventh to the twentieth.
    Middle,
    /// The days from the twenty-first on.
    Late,
}

impl MonthPart {
    /// Whether a day of the month lies in this part.
    pub fn contains(self, day: i8) -> bool {
        match self {
            Self::Early => day <= 10,
            Self::Middle => (11..=20).contains(&day),
            Self::Late => day > 20,
        }
    }
}

/// What follows a month and tells its part.
const PARTS_AFTER: &[(&str, MonthPart)] = &[
    ("上旬", MonthPart::Early),
    ("初", MonthPart::Early),
    ("중순", MonthPart::Middle),
    ("中旬", MonthPart::Middle),
    ("下旬", MonthPart::Late),
    ("底", MonthPart::Late),
    ("末", MonthPart::Late),
    ("초순", MonthPart::Early),
    ("초", MonthPart::Early),
    ("하순", MonthPart::Late),
    ("말", MonthPart::Late),
];

/// What precedes a month and tells its part.
const PARTS_BEFORE: &[(&str, MonthPart)] = &[
    ("early ", MonthPart::Early),
    ("beginning of ", MonthPart::Early),
    ("mid ", MonthPart::Middle),
    ("mid-", MonthPart::Middle),
    ("middle of ", MonthPart::Middle),
    ("late ", MonthPart::Late),
    ("end of ", MonthPart::Late),
];

/// The dates in a text, in order.
///
/// ```
/// let mentions = peri_text::date_mentions("what happened on 8 May, 2023?");
/// assert_eq!((mentions[0].year, mentions[0].month, mentions[0].day), (Some(2023), Some(5), Some(8)));
/// ```
pub fn date_mentions(text: &str) -> Vec<DateMention> {
    let mut scanner = Scanner::new(text, Mentions(Vec::new()));
    scanner.run();
    let mut mentions = scanner.sink.0;
    for mention in &mut mentions {
        add_part(text, mention);
    }
    mentions
}

struct Mentions(Vec<DateMention>);

impl Sink for Mentions {
    const TERMS: bool = false;

    fn term(&mut self, _text: &str, _class: TermClass, _surface: &str) {}

    fn date(&mut self, date: Date, range: Range<usize>) {
        let small = |value: Option<u8>| value.and_then(|value| i8::try_from(value).ok());
        let year = date.year.and_then(|year| i16::try_from(year).ok());
        self.0.push(DateMention { year, month: small(date.month), day: small(date.day), part: None, range });
    }
}

fn add_part(text: &str, mention: &mut DateMention) {
    if mention.month.is_none() || mention.day.is_some() {
        return;
    }
    let after = text[mention.range.end..].trim_start_matches(' ');
    if let Some((word, part)) = PARTS_AFTER.iter().find(|(word, _)| after.starts_with(word)) {
        mention.part = Some(*part);
        mention.range.end = text.len() - after.len() + word.len();
        return;
    }
    let before = &text[..mention.range.start];
    for (word, part) in PARTS_BEFORE {
        let start = before.len().saturating_sub(word.len());
        if before.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word)) {
            mention.part = Some(*part);
            mention.range.start = start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Told = (Option<i16>, Option<i8>, Option<i8>, Option<MonthPart>);

    fn check(text: &str, expected: &[(Told, &str)]) {
        let found: Vec<_> = date_mentions(text)
            .into_iter()
            .map(|mention| ((mention.year, mention.month, mention.day, mention.part), &text[mention.range]))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn dates_are_told_with_where_they_stand() {
        check("met on 8 May, 2023 again", &[((Some(2023), Some(5), Some(8), None), "8 May, 2023")]);
        check(
            "in early May 2023",
            &[((Some(2023), Some(5), None, Some(MonthPart::Early)), "early May 2023")],
        );
        check("1月中旬，他去了", &[((None, Some(1), None, Some(MonthPart::Middle)), "1月中旬")]);
        check("2025年1月25日参加", &[((Some(2025), Some(1), Some(25), None), "2025年1月25日")]);
        check("2025-01-25 08:00 ok", &[((Some(2025), Some(1), Some(25), None), "2025-01-25")]);
        check("3월 초에", &[((None, Some(3), None, Some(MonthPart::Early)), "3월 초")]);
        check("you may march on", &[]);
    }
}
