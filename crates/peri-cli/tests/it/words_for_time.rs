//! Words for time, in the time zone of the settings.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use super::configuration::check;
use super::support::{Peri, text};

/// As far east as it goes: its day begins fourteen hours before that of UTC.
const EAST: &str = "Pacific/Kiritimati";

/// As far west as it goes.
const WEST: &str = "Pacific/Pago_Pago";

fn today(zone: &str) -> Date {
    Timestamp::now().to_zoned(TimeZone::get(zone).unwrap()).date()
}

/// What is found on a day that does not end meanwhile in a zone, and which day that is.
fn within_a_day<T>(zone: &str, act: impl Fn(Date) -> T) -> (Date, T) {
    loop {
        let day = today(zone);
        let found = act(day);
        if today(zone) == day {
            return (day, found);
        }
    }
}

/// The first moment of a day in a zone.
fn midnight(zone: &str, day: Date) -> Timestamp {
    day.to_zoned(TimeZone::get(zone).unwrap()).unwrap().timestamp()
}

/// The last Tuesday before a day.
fn tuesday_before(day: Date) -> Date {
    day.nth_weekday(-1, Weekday::Tuesday).unwrap()
}

fn occurred(peri: &Peri, words: &str) -> Timestamp {
    let id = peri.remember(&["what happened", words, "--at", words]);
    text(&peri.json(&["get", &id])["memory"]["occurred_at"]).parse().unwrap()
}

#[test]
fn words_in_three_languages_mean_days_of_the_configured_zone() {
    for zone in [EAST, WEST, "Asia/Seoul"] {
        let peri = Peri::new().with("PERI_TIME_ZONE", zone);
        for (words, days) in [("today", 0), ("yesterday", 1), ("어제", 1), ("昨天", 1), ("3 days ago", 3)]
        {
            let (day, found) = within_a_day(zone, |_| occurred(&peri, words));
            let meant = day.checked_sub(Span::new().days(days)).unwrap();
            assert_eq!(found, midnight(zone, meant), "{words} in {zone}");
        }
        let (day, found) = within_a_day(zone, |_| occurred(&peri, "last tuesday"));
        assert_eq!(found, midnight(zone, tuesday_before(day)), "{zone}");
    }
}

#[test]
fn since_and_until_cut_at_the_midnights_of_the_zone() {
    let zone = "Asia/Seoul";
    let pages = |day: Date| {
        let peri = Peri::new().with("PERI_TIME_ZONE", zone);
        let tuesday = tuesday_before(day);
        let remember = |content: &str, at: Timestamp| peri.remember(&[content, "--at", &at.to_string()]);
        let minute = SignedDuration::from_mins(1);
        remember("월요일의 회의", midnight(zone, tuesday).checked_sub(minute).unwrap());
        remember("화요일의 회의", midnight(zone, tuesday).checked_add(minute).unwrap());
        remember("수요일의 회의", midnight(zone, tuesday.tomorrow().unwrap()));
        let listed = |args: &[&str]| {
            let page = peri.json(&[&["list", "--oldest-first"], args].concat());
            let memories = page["memories"].as_array().unwrap().clone();
            memories.iter().map(|memory| text(&memory["content"])).collect::<Vec<_>>()
        };
        [
            listed(&["--since", "last tuesday"]),
            listed(&["--since", "last tuesday", "--until", "last tuesday"]),
            peri.recall(&["회의", "--since", "last tuesday", "--until", "last tuesday"]),
        ]
    };
    let (_, [since, on, recalled]) = within_a_day(zone, pages);
    assert_eq!(since, ["화요일의 회의", "수요일의 회의"]);
    assert_eq!((on, recalled), (vec!["화요일의 회의".to_owned()], vec!["화요일의 회의".to_owned()]));
}

#[test]
fn the_time_zone_says_in_which_days_times_are_read_and_shown() {
    let shown = |peri: &Peri| {
        let id = peri.remember(&["Ana prefers tea", "--at", "2026-03-01T20:00:00Z"]);
        peri.ok(&["get", &id])
    };
    check(("time_zone", "Asia/Seoul"), shown, "2026-03-01 20:00:00", "2026-03-02 05:00:00");
    let read = |peri: &Peri| {
        let id = peri.remember(&["Ana prefers tea", "--at", "2026-03-01"]);
        text(&peri.json(&["get", &id])["memory"]["occurred_at"])
    };
    check(("time_zone", "Asia/Seoul"), read, "2026-03-01T00:00:00Z", "2026-02-28T15:00:00Z");
}

#[test]
fn the_time_zone_of_a_file_is_found_wherever_the_arguments_say() {
    let peri = Peri::new();
    let file = peri.file("zone.toml", "time_zone = \"Asia/Seoul\"\n");
    let args = ["--config", &file, "remember", "Ana prefers tea", "--at", "2026-03-01", "--json"];
    let id = text(&serde_json::from_str::<serde_json::Value>(&peri.ok(&args)).unwrap()["receipts"][0]["id"]);
    assert_eq!(text(&peri.json(&["get", &id])["memory"]["occurred_at"]), "2026-02-28T15:00:00Z");
}

#[test]
fn logs_reports_and_questions_know_the_words_too() {
    let peri = Peri::new();
    peri.remember(&["지난주에 도자기를 구웠다", "--at", "1 week ago"]);
    assert_eq!(peri.ok(&["logs", "--since", "last tuesday"]).lines().count(), 1);
    assert_eq!(peri.ok(&["logs", "--since", "지난주"]).lines().count(), 1);
    let report = |date: &str| text(&peri.json(&["report", "--date", date])["last_day"]);
    let (day, told) = within_a_day("UTC", |_| ["yesterday", "어제", "昨天"].map(report));
    assert_eq!(told, [(); 3].map(|()| day.yesterday().unwrap().to_string()));
    let run = peri.run(&["recall", "what was made of clay last week?"]);
    assert!(run.err.contains("hint: last week: 20"), "{run:?}");
}

#[test]
fn words_that_are_no_time_are_refused_with_examples() {
    let peri = Peri::new();
    for args in [
        &["list", "--since", "sometime"][..],
        &["list", "--until", "지난주에 한 일"],
        &["recall", "tea", "--since", "上"],
        &["remember", "x", "--at", "weeks ago"],
        &["remember", "x", "--expires", "never ever"],
        &["logs", "--since", "the day before"],
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.err.contains("is not a time") && run.err.contains("last tuesday"), "{args:?}: {run:?}");
    }
    let run = peri.run(&["report", "--date", "지난주"]);
    assert!(run.code == 2 && run.err.contains("is not a day"), "{run:?}");
    assert!(!peri.home().exists());
}

#[test]
fn a_time_zone_that_does_not_exist_stops_the_command_before_anything_is_done() {
    let peri = Peri::new().with("PERI_TIME_ZONE", "Mars/Olympus");
    let run = peri.run(&["remember", "x", "--at", "yesterday"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("there is no time zone \"Mars/Olympus\""), "{run:?}");
    assert!(!peri.home().join("perihelion.db").exists());
}
