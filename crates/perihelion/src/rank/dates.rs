//! How well a day agrees with the dates that a question names.

use std::ops::RangeInclusive;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use peri_text::DateMention;
use peri_types::Timestamp;

/// The number of a day, counted from 1970.
pub(crate) fn day_number(date: Date) -> i32 {
    date.since(EPOCH).map_or(0, |span| span.get_days())
}

/// The day on which a time lies, in UTC.
pub(crate) fn day_of(at: Timestamp) -> i32 {
    day_number(at.to_zoned(TimeZone::UTC).date())
}

const EPOCH: Date = Date::constant(1970, 1, 1);

/// The day with this number.
fn date_of(day: i32) -> Option<Date> {
    EPOCH.checked_add(jiff::Span::new().try_days(day).ok()?).ok()
}

/// The days that may agree with a date that names its year, both ends included.
pub(super) fn range(mention: &DateMention) -> Option<(i32, i32)> {
    let year = mention.year?;
    let first = Date::new(year, mention.month.unwrap_or(1), mention.day.unwrap_or(1)).ok()?;
    let last = match (mention.month, mention.day) {
        (Some(_), Some(_)) => {
            return Some((day_number(first) + NEAR.start(), day_number(first) + NEAR.end()));
        }
        (Some(_), None) => first.last_of_month(),
        (None, _) => first.last_of_year(),
    };
    Some((day_number(first), day_number(last)))
}

/// How well a day agrees with a question's dates, from 0 to 1; the best of them counts.
pub(super) fn agreement(dates: &[DateMention], day: i32) -> f32 {
    let Some(date) = date_of(day) else { return 0.0 };
    dates.iter().map(|mention| agrees(mention, date, day)).fold(0.0, f32::max)
}

fn agrees(mention: &DateMention, date: Date, day: i32) -> f32 {
    let same_year = mention.year.is_none_or(|year| year == date.year());
    match (mention.month, mention.day) {
        (Some(month), Some(of_month)) => {
            let year = mention.year.unwrap_or(date.year());
            let Ok(asked) = Date::new(year, month, of_month) else { return 0.0 };
            nearness(day - day_number(asked))
        }
        (Some(month), None) if same_year && month == date.month() => match mention.part {
            None => 0.5,
            Some(part) if part.contains(date.day()) => 1.0,
            Some(_) => 0.6,
        },
        (None, _) if mention.year == Some(date.year()) => 0.2,
        _ => 0.0,
    }
}

/// How many days after the one that is asked for a day may lie to agree at all.
pub(super) const NEAR: RangeInclusive<i32> = -1..=31;

/// How well a day agrees that lies so many days after the one that is asked for. People speak of a day on that
/// day or soon after, so the days after it agree better than those before.
pub(super) fn nearness(days_after: i32) -> f32 {
    match days_after {
        0 => 1.0,
        1 => 0.9,
        2..=7 => 0.6,
        -1 => 0.5,
        8..=31 => 0.3,
        _ => 0.0,
    }
}

/// The days that a question names exactly, with the year it gives or those in which memories lie.
pub(super) fn exact_days(dates: &[DateMention]) -> impl Iterator<Item = i32> + '_ {
    dates.iter().filter_map(|mention| {
        let date = Date::new(mention.year?, mention.month?, mention.day?).ok()?;
        Some(day_number(date))
    })
}
