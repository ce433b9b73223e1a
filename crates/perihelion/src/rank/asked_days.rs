//! The days that a question speaks of, and how well a memory's own day agrees with them.
//!
//! A day is that of whoever asks: the index keeps days in UTC beside the moment itself, and the moment tells on
//! which of the asker's days it lies. A day that a memory states in its own words is taken as it was written.

use jiff::tz::{Offset, TimeZone};
use peri_index::{Doc, Index, Mask};
use peri_text::{DateMention, TimeMention};
use peri_types::Timestamp;

use super::dates::{self, day_number};
use crate::recall::UnderstoodTime;

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The first and the last of some days.
type Days = (i32, i32);

/// Longer stretches bring no candidates of their own, count for less, and do not reach beyond their ends.
const STRETCH_DAYS_MAX: i32 = 31;
/// A few months tell less than days do, and as much as a month that is named...
const MONTHS_DAYS_MAX: i32 = 92;
const MONTHS_STRENGTH: f32 = 0.5;
/// ...and a year tells least, as one that is named does.
const YEARS_STRENGTH: f32 = 0.2;

/// What was stored in a past stretch without giving a day of its own was probably of those days.
const STORED_STRENGTH: f32 = 0.6;

/// When a question is asked, and where.
pub(crate) struct Moment {
    /// The time.
    pub(crate) at: Timestamp,
    /// Whose days count.
    pub(crate) zone: TimeZone,
}

/// The days that a question speaks of.
#[derive(Clone)]
pub(crate) struct AskedDays {
    named: Vec<DateMention>,
    stretches: Vec<Stretch>,
    zone: TimeZone,
}

/// Days in a row, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) first: i32,
    pub(super) last: i32,
    /// Whether it was over when the question was asked.
    is_over: bool,
}

/// The day of a memory.
enum Day {
    /// It happened on that day, or says so.
    Own(i32),
    /// It was stored on that day, and speaks of none.
    Stored(i32),
}

impl Stretch {
    pub(super) fn days(self) -> i32 {
        self.last - self.first + 1
    }

    fn contains(self, day: i32) -> bool {
        (self.first..=self.last).contains(&day)
    }

    fn agrees(self, day: &Day) -> f32 {
        match *day {
            Day::Own(day) if self.contains(day) => self.strength(),
            Day::Own(_) if !self.reaches_out() => 0.0,
            Day::Own(day) if day < self.first => dates::nearness(day - self.first),
            Day::Own(day) => dates::nearness(day - self.last),
            Day::Stored(day) if self.brings_stored() && self.contains(day) => STORED_STRENGTH,
            Day::Stored(_) => 0.0,
        }
    }

    /// Whether it is told so exactly that the days around it agree somewhat.
    fn reaches_out(self) -> bool {
        self.days() <= STRETCH_DAYS_MAX
    }

    /// It with the days around it that agree at all.
    fn with_surroundings(self) -> Self {
        if !self.reaches_out() {
            return self;
        }
        Self { first: self.first + dates::NEAR.start(), last: self.last + dates::NEAR.end(), ..self }
    }

    fn strength(self) -> f32 {
        match self.days() {
            days if days <= STRETCH_DAYS_MAX => 1.0,
            days if days <= MONTHS_DAYS_MAX => MONTHS_STRENGTH,
            _ => YEARS_STRENGTH,
        }
    }

    /// Whether what was stored in these days counts as being of them. "Tonight" and "this week" more often say
    /// what an answer is wanted for, and whatever was stored just now would come before what is asked for.
    fn brings_stored(self) -> bool {
        self.is_over && self.reaches_out()
    }
}

impl AskedDays {
    /// The dates that a question names, and the days it speaks of by their distance from the moment.
    pub(super) fn new(named: Vec<DateMention>, relative: &[TimeMention], moment: &Moment) -> Self {
        let today = day_number(moment.at.to_zoned(moment.zone.clone()).date());
        let stretch = |mention: &TimeMention| {
            let (first, last) = (day_number(mention.first), day_number(mention.last));
            Stretch { first, last, is_over: last < today }
        };
        let stretches = relative.iter().map(stretch).collect();
        Self { named, stretches, zone: moment.zone.clone() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty() && self.stretches.is_empty()
    }

    /// How well a memory agrees with the days, from 0 to 1; the best of them counts.
    pub(super) fn agreement(&self, index: &Index, doc: Doc) -> f32 {
        let Some(day) = self.day_of(index, doc) else { return 0.0 };
        let named = match day {
            Day::Own(day) => dates::agreement(&self.named, day),
            Day::Stored(_) => 0.0,
        };
        self.stretches.iter().map(|stretch| stretch.agrees(&day)).fold(named, f32::max)
    }

    /// Whether any memory is of the days that are told by their distance, or near them. Where none is, the words
    /// for them are no more than words.
    pub(super) fn has_memories(&self, index: &Index, mask: &Mask) -> bool {
        self.stretches.iter().any(|stretch| {
            self.own_docs(index, stretch.with_surroundings(), usize::MAX).any(|doc| mask.contains(doc))
                || self.stored_docs(index, mask, *stretch).next().is_some()
        })
    }

    /// The stretches that bring candidates: days that are named, and up to a month.
    pub(super) fn candidate_stretches(&self) -> impl Iterator<Item = Stretch> + '_ {
        let named = dates::exact_days(&self.named);
        let named = named.map(|day| Stretch { first: day, last: day, is_over: false });
        named.chain(self.stretches.iter().copied().filter(|stretch| stretch.reaches_out()))
    }

    /// The stretches of days that may agree with the question, both ends included: those that bring candidates, and those
    /// of which the best by words are looked at. Days that it names in any year are in neither.
    pub(super) fn ranges(&self) -> (Vec<Days>, Vec<Days>) {
        let ends = |stretch: Stretch| (stretch.first, stretch.last);
        let bring = self.candidate_stretches().map(ends).collect();
        let told = self.stretches.iter().map(|stretch| ends(stretch.with_surroundings()));
        (bring, told.chain(self.named.iter().filter_map(dates::range)).collect())
    }

    /// The memories of a stretch that have a day of their own, at most so many of each of the index's days.
    pub(super) fn own_docs<'a>(
        &'a self,
        index: &'a Index,
        stretch: Stretch,
        per_day: usize,
    ) -> impl Iterator<Item = Doc> + 'a {
        // A day of any zone lies within three days of UTC.
        let margin = i32::from(self.zone != TimeZone::UTC);
        let within = move |doc: &Doc| {
            margin == 0 || matches!(self.day_of(index, *doc), Some(Day::Own(day)) if stretch.contains(day))
        };
        let days = stretch.first - margin..=stretch.last + margin;
        days.flat_map(move |day| index.day_docs(day).iter().copied().filter(within).take(per_day))
    }

    /// The memories that were stored in a past stretch and speak of no day.
    pub(super) fn stored_docs<'a>(
        &'a self,
        index: &'a Index,
        mask: &'a Mask,
        stretch: Stretch,
    ) -> impl Iterator<Item = Doc> + 'a {
        // Most lie days away, for which the zone need not be looked up.
        let about = day_millis(stretch.first - 1)..day_millis(stretch.last + 2);
        let looked_at = stretch.brings_stored().then(|| mask.iter()).into_iter().flatten();
        looked_at
            .filter(move |doc| index.day(*doc).is_none())
            .filter(move |doc| index.facts(*doc).is_some_and(|facts| about.contains(&facts.at)))
            .filter(move |doc| {
                matches!(self.day_of(index, *doc), Some(Day::Stored(day)) if stretch.contains(day))
            })
    }

    fn day_of(&self, index: &Index, doc: Doc) -> Option<Day> {
        let at = index.facts(doc)?.at;
        let local = || {
            let offset = Timestamp::from_millisecond(at).map_or(Offset::UTC, |at| self.zone.to_offset(at));
            day_at(at + i64::from(offset.seconds()) * 1000)
        };
        Some(match index.day(doc) {
            None => Day::Stored(local()),
            // Any other day than that of the moment was stated.
            Some(day) if day == day_at(at) => Day::Own(local()),
            Some(day) => Day::Own(day),
        })
    }
}

fn day_millis(day: i32) -> i64 {
    i64::from(day) * DAY_MILLIS
}

fn day_at(millis: i64) -> i32 {
    i32::try_from(millis.div_euclid(DAY_MILLIS)).unwrap_or(i32::MAX)
}

/// What was understood of a question's words for time, for whoever asked.
pub(super) fn understood(query: &str, relative: &[TimeMention], zone: &TimeZone) -> Vec<UnderstoodTime> {
    let begins = |day: jiff::civil::Date| day.to_zoned(zone.clone()).map(|start| start.timestamp());
    let told = |mention: &TimeMention| UnderstoodTime {
        text: query.get(mention.range.clone()).unwrap_or_default().to_owned(),
        from: begins(mention.first).unwrap_or(Timestamp::MIN),
        until: mention.last.tomorrow().and_then(begins).unwrap_or(Timestamp::MAX),
    };
    relative.iter().map(told).collect()
}
