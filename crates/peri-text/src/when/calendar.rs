//! What words for time mean, and which days those are.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

/// A stretch of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    /// From Monday to Sunday.
    Week,
    /// Saturday and Sunday.
    Weekend,
    Month,
    Year,
}

/// What words for time mean, whatever day it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The day, week, month or year that lies so many after the present one, or, below zero, before it.
    At(Unit, i32),
    /// So many days, weeks, months or years that end today.
    UpToToday(Unit, i32),
    /// A weekday of the week that lies so many after the present one.
    WeekdayOf(Weekday, i32),
    /// The latest such weekday before today.
    WeekdayBefore(Weekday),
    /// The latest such weekday, today included.
    WeekdayUpToToday(Weekday),
    /// The next such weekday after today.
    WeekdayAfter(Weekday),
}

/// The most units that anybody counts back: a larger number is a year, or no distance at all.
pub(super) fn count_max(unit: Unit) -> i32 {
    match unit {
        Unit::Day => 3660,
        Unit::Week | Unit::Weekend => 520,
        Unit::Month => 240,
        Unit::Year => 100,
    }
}

/// So many units ago, if anybody would say so.
pub(super) fn ago(unit: Unit, count: i32) -> Option<Meaning> {
    (1..=count_max(unit)).contains(&count).then_some(Meaning::At(unit, -count))
}

/// The so many units that end today, if anybody would say so.
pub(super) fn up_to_today(unit: Unit, count: i32) -> Option<Meaning> {
    (1..=count_max(unit)).contains(&count).then_some(Meaning::UpToToday(unit, count))
}

impl Meaning {
    /// The first and the last day; none at the ends of the calendar.
    pub(super) fn days(self, today: Date) -> Option<(Date, Date)> {
        match self {
            Self::At(unit, offset) => unit_at(today, unit, offset),
            Self::UpToToday(unit, count) => {
                let before = today.checked_sub(span(unit, count)).ok()?;
                Some((before.tomorrow().ok()?, today))
            }
            Self::WeekdayOf(weekday, weeks) => {
                let monday = monday(shifted(today, Unit::Week, weeks)?)?;
                single(shifted(monday, Unit::Day, i32::from(weekday.to_monday_zero_offset())))
            }
            Self::WeekdayBefore(weekday) => single(today.nth_weekday(-1, weekday).ok()),
            Self::WeekdayUpToToday(weekday) if today.weekday() == weekday => single(Some(today)),
            Self::WeekdayUpToToday(weekday) => single(today.nth_weekday(-1, weekday).ok()),
            Self::WeekdayAfter(weekday) => single(today.nth_weekday(1, weekday).ok()),
        }
    }
}

fn single(day: Option<Date>) -> Option<(Date, Date)> {
    day.map(|day| (day, day))
}

fn unit_at(today: Date, unit: Unit, offset: i32) -> Option<(Date, Date)> {
    let there = shifted(today, unit, offset)?;
    match unit {
        Unit::Day => single(Some(there)),
        Unit::Week => {
            let first = monday(there)?;
            Some((first, shifted(first, Unit::Day, 6)?))
        }
        Unit::Weekend => {
            let saturday = shifted(monday(there)?, Unit::Day, 5)?;
            Some((saturday, saturday.tomorrow().ok()?))
        }
        Unit::Month => Some((there.first_of_month(), there.last_of_month())),
        Unit::Year => Some((there.first_of_year(), there.last_of_year())),
    }
}

fn monday(day: Date) -> Option<Date> {
    shifted(day, Unit::Day, -i32::from(day.weekday().to_monday_zero_offset()))
}

fn shifted(day: Date, unit: Unit, offset: i32) -> Option<Date> {
    day.checked_add(span(unit, offset)).ok()
}

/// Counts are at most [`count_max`], far within what a span holds.
fn span(unit: Unit, count: i32) -> Span {
    match unit {
        Unit::Day => count.days(),
        Unit::Week | Unit::Weekend => count.weeks(),
        Unit::Month => count.months(),
        Unit::Year => count.years(),
    }
}
