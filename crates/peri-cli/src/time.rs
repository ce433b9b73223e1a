//! Times as people type them, and as they read them, in the time zone of the setting `time_zone`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan, Zoned};

use crate::error::CliError;
use crate::{config, home};

/// What a time is for, which decides how a bare day or a distance is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    /// A past time; a day means its first moment.
    From,
    /// A past time; a day means all of it.
    UpTo,
    /// A future time; a distance counts from now on.
    Ahead,
    /// A future time; a day means all of it.
    Through,
}

const FORMS: &str = "write 2026-11-15, 2026-11-15T10:30, an RFC 3339 time, now, yesterday, last tuesday, 2 weeks ago, 지난주, 上周, or a distance such as 30min, 12h, 7d, 2w, 3mo, 1y";

/// When something happened, or from when on.
pub(crate) fn past(text: &str) -> Result<Timestamp, String> {
    parse(text, Sense::From, &now())
}

/// Until when, the named day included.
pub(crate) fn until(text: &str) -> Result<Timestamp, String> {
    parse(text, Sense::UpTo, &now())
}

/// When something will end.
pub(crate) fn future(text: &str) -> Result<Timestamp, String> {
    parse(text, Sense::Ahead, &now())
}

/// Until when something will hold, the named day included.
pub(crate) fn through(text: &str) -> Result<Timestamp, String> {
    parse(text, Sense::Through, &now())
}

/// What a text means in each sense at a time.
pub(crate) fn in_every_sense(text: &str, now: &Zoned) -> [Result<Timestamp, String>; 4] {
    [Sense::From, Sense::UpTo, Sense::Ahead, Sense::Through].map(|sense| parse(text, sense, now))
}

/// One day, up to today or beyond it.
pub(crate) fn one_day(text: &str) -> Result<Date, String> {
    parse_day(text, &now())
}

/// Refuses what ends to hold before it begins to.
pub(crate) fn check_order(from: Option<Timestamp>, until: Option<Timestamp>) -> Result<(), CliError> {
    match (from, until) {
        (Some(from), Some(until)) if until <= from => Err(CliError::input(
            format!("it would hold until {} and only from {} on", date_time(until), date_time(from)),
            "nothing was changed; mend --valid-from or --valid-until",
        )),
        _ => Ok(()),
    }
}

/// The local date, for people.
pub(crate) fn date(at: Timestamp) -> String {
    at.to_zoned(zone().clone()).strftime("%Y-%m-%d").to_string()
}

/// The local date and time, for people.
pub(crate) fn date_time(at: Timestamp) -> String {
    at.to_zoned(zone().clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The local time of a moment.
pub(crate) fn local(at: Timestamp) -> Zoned {
    at.to_zoned(zone().clone())
}

fn now() -> Zoned {
    Timestamp::now().to_zoned(zone().clone())
}

/// The time zone of the settings. Times are read before any command runs, so the settings are looked up here. Where
/// they cannot be read, the command says so before it does anything, and no time is of use to it.
fn zone() -> &'static TimeZone {
    static ZONE: OnceLock<TimeZone> = OnceLock::new();
    ZONE.get_or_init(|| configured().unwrap_or_else(TimeZone::system))
}

fn configured() -> Option<TimeZone> {
    let home = home::find(argument("--home", std::env::args_os()).as_ref()).ok()?;
    let file = argument("--config", std::env::args_os());
    Some(config::load(home, file.as_deref(), None).ok()?.config.time_zone)
}

/// The value of an argument that takes a path, as it was typed.
fn argument(name: &str, mut arguments: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    while let Some(one) = arguments.next().filter(|one| one != "--") {
        if one == name {
            return arguments.next().map(PathBuf::from);
        }
        let value = one.to_str().and_then(|one| one.strip_prefix(name)?.strip_prefix('='));
        if let Some(value) = value {
            return Some(PathBuf::from(value));
        }
    }
    None
}

fn parse(text: &str, sense: Sense, now: &Zoned) -> Result<Timestamp, String> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.as_str();
    let at = if text == "now" {
        Some(now.timestamp())
    } else if let Ok(at) = text.parse::<Timestamp>() {
        Some(at)
    } else if let Some(day) = day(text, now) {
        Some(start_of(day, sense, now))
    } else if let Some(span) = distance(text)? {
        let there = if matches!(sense, Sense::Ahead | Sense::Through) {
            now.checked_add(span)
        } else {
            now.checked_sub(span)
        };
        there.ok().map(|there| there.timestamp())
    } else if let Some((first, last)) = words(text, now.date()) {
        Some(start_of(if matches!(sense, Sense::UpTo | Sense::Through) { last } else { first }, sense, now))
    } else {
        let local = text.parse::<DateTime>().ok();
        local.and_then(|local| local.to_zoned(now.time_zone().clone()).ok()).map(|zoned| zoned.timestamp())
    };
    at.map(|at| at.min(last())).ok_or_else(|| format!("{:?} is not a time: {FORMS}", shown(text)))
}

fn parse_day(text: &str, now: &Zoned) -> Result<Date, String> {
    let text = text.trim().to_ascii_lowercase();
    let only = |(first, last): (Date, Date)| (first == last).then_some(first);
    day(&text, now).or_else(|| words(&text, now.date()).and_then(only)).ok_or_else(|| {
        let text = shown(&text);
        format!("{text:?} is not a day: write 2026-11-15, today, yesterday, last tuesday, 어제 or 昨天")
    })
}

/// As much of what is no time as tells which one is meant: in a file it may be as long as a page.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The last moment that counts in whole milliseconds, as the store does.
fn last() -> Timestamp {
    Timestamp::from_second(Timestamp::MAX.as_second()).unwrap_or(Timestamp::MAX)
}

fn day(text: &str, now: &Zoned) -> Option<Date> {
    match text {
        "today" => Some(now.date()),
        "yesterday" => now.date().yesterday().ok(),
        "tomorrow" => now.date().tomorrow().ok(),
        // A date with a time of day parses as a date too; the length tells them apart.
        _ if text.len() == "2026-11-15".len() => text.parse().ok(),
        _ => None,
    }
}

/// The first and the last day of words such as "last tuesday", 지난주 and 上周, if they say nothing else. A weekday
/// by itself is the latest one.
fn words(text: &str, today: Date) -> Option<(Date, Date)> {
    let whole = |text: &str| match &peri_text::time_mentions(text, today)[..] {
        [only] if only.range == (0..text.len()) => Some((only.first, only.last)),
        _ => None,
    };
    whole(text).or_else(|| whole(&format!("on {text}")))
}

fn start_of(day: Date, sense: Sense, now: &Zoned) -> Timestamp {
    let Ok(day) = (if matches!(sense, Sense::UpTo | Sense::Through) { day.tomorrow() } else { Ok(day) })
    else {
        return Timestamp::MAX;
    };
    // The last days there are lie beyond the last moment there is; people write them for "never".
    day.to_zoned(now.time_zone().clone()).map_or(Timestamp::MAX, |start| start.timestamp())
}

/// A number and a unit. What could be minutes and could be months is not guessed: memories may hang on it.
fn distance(text: &str) -> Result<Option<Span>, String> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (count, unit) = text.split_at(unit_at);
    let Ok(count @ 0..=1_000_000) = count.parse::<i64>() else { return Ok(None) };
    Ok(match unit {
        "m" => return Err(format!("{text} may mean minutes or months: write {count}min or {count}mo")),
        "min" => Some(count.minutes()),
        "h" => Some(count.hours()),
        "d" => Some(count.days()),
        "w" if count <= 100_000 => Some(count.weeks()),
        "mo" if count <= 12_000 => Some(count.months()),
        "y" if count <= 1_000 => Some(count.years()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_time_mean_the_days_of_the_local_zone() {
        // A Sunday.
        let now: Zoned = "2026-11-15T12:00:00+09:00[+09:00]".parse().unwrap();
        for (text, sense, expected) in [
            ("last tuesday", Sense::From, "2026-11-09T15:00:00Z"),
            ("last Tuesday", Sense::UpTo, "2026-11-10T15:00:00Z"),
            ("tuesday", Sense::From, "2026-11-09T15:00:00Z"),
            ("지난주", Sense::From, "2026-11-01T15:00:00Z"),
            ("지난주", Sense::UpTo, "2026-11-08T15:00:00Z"),
            ("上周", Sense::From, "2026-11-01T15:00:00Z"),
            ("上周二", Sense::UpTo, "2026-11-03T15:00:00Z"),
            ("2 weeks ago", Sense::From, "2026-10-25T15:00:00Z"),
            ("next month", Sense::Through, "2026-12-31T15:00:00Z"),
            (" 어제 ", Sense::From, "2026-11-13T15:00:00Z"),
        ] {
            assert_eq!(parse(text, sense, &now).unwrap().to_string(), expected, "{text:?}");
        }
        for text in ["last", "last tuesday and monday", "지난주에 한 일", "weeks ago", "上", "on"] {
            assert!(parse(text, Sense::From, &now).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_day_is_one_day_alone() {
        // A Sunday in Seoul, and still Saturday in UTC.
        let now: Zoned = "2026-11-15T03:00:00+09:00[+09:00]".parse().unwrap();
        for (text, expected) in [
            ("today", Some("2026-11-15")),
            (" Yesterday ", Some("2026-11-14")),
            ("2026-02-28", Some("2026-02-28")),
            ("last tuesday", Some("2026-11-10")),
            ("어제", Some("2026-11-14")),
            ("昨天", Some("2026-11-14")),
            ("上周二", Some("2026-11-03")),
            ("지난주", None),
            ("last month", None),
            ("어제께", None),
            ("2026-02-30", None),
            ("2026-11-15T10:30", None),
            ("7d", None),
            ("", None),
        ] {
            assert_eq!(
                parse_day(text, &now).ok().map(|day| day.to_string()).as_deref(),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_settings_are_looked_up_where_the_arguments_say() {
        let found = |arguments: &[&str]| argument("--home", arguments.iter().map(OsString::from));
        assert_eq!(found(&["list", "--home", "x"]), Some(PathBuf::from("x")));
        assert_eq!(found(&["--home=y", "list"]), Some(PathBuf::from("y")));
        assert_eq!(found(&["list", "--homely", "x"]), None);
        assert_eq!(found(&["remember", "--", "--home", "x"]), None);
        assert_eq!(found(&["list", "--home"]), None);
    }

    #[test]
    fn every_form_is_read_in_the_local_zone() {
        let now: Zoned = "2026-11-15T12:00:00+09:00[+09:00]".parse().unwrap();
        for (text, sense, expected) in [
            ("2026-11-01T00:00:00Z", Sense::From, Some("2026-11-01T00:00:00Z")),
            ("2026-11-01", Sense::From, Some("2026-10-31T15:00:00Z")),
            ("2026-11-01", Sense::UpTo, Some("2026-11-01T15:00:00Z")),
            ("2026-11-01 10:30", Sense::From, Some("2026-11-01T01:30:00Z")),
            ("today", Sense::From, Some("2026-11-14T15:00:00Z")),
            ("yesterday", Sense::UpTo, Some("2026-11-14T15:00:00Z")),
            ("12h", Sense::From, Some("2026-11-14T15:00:00Z")),
            ("7d", Sense::From, Some("2026-11-08T03:00:00Z")),
            ("2w", Sense::Ahead, Some("2026-11-29T03:00:00Z")),
            ("2w", Sense::Through, Some("2026-11-29T03:00:00Z")),
            ("2026-11-20", Sense::Through, Some("2026-11-20T15:00:00Z")),
            ("NOW", Sense::Ahead, Some("2026-11-15T03:00:00Z")),
            ("Today", Sense::From, Some("2026-11-14T15:00:00Z")),
            ("90min", Sense::From, Some("2026-11-15T01:30:00Z")),
            ("3mo", Sense::From, Some("2026-08-15T03:00:00Z")),
            ("3m", Sense::From, None),
            ("d", Sense::From, None),
            ("9999-12-31", Sense::UpTo, Some("9999-12-30T22:00:00Z")),
            ("9999-12-31", Sense::Ahead, Some("9999-12-30T15:00:00Z")),
            ("9999-12-30T22:00:00.5Z", Sense::Ahead, Some("9999-12-30T22:00:00Z")),
            ("-3d", Sense::From, None),
            ("2026-13-01", Sense::From, None),
            ("soon", Sense::From, None),
            ("", Sense::From, None),
            ("999999999999999999999d", Sense::From, None),
            ("1000000h", Sense::Ahead, Some("2140-12-13T19:00:00Z")),
        ] {
            let found = parse(text, sense, &now);
            assert_eq!(found.ok().map(|at| at.to_string()).as_deref(), expected, "{text:?}");
        }
    }
}
