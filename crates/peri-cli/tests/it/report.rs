//! Reports as people and scripts see them.

use super::configuration::check;
use super::support::{Peri, text};

/// Moves every event so many days into the past, in the store; the log is begun anew from there.
fn age_events(peri: &Peri, days: i64) {
    let millis = days * 24 * 60 * 60 * 1000;
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    database.execute_batch(&format!("UPDATE events SET at = at - {millis};")).unwrap();
    std::fs::remove_file(peri.home().join("logs").join("events.jsonl")).unwrap();
}

fn day(days_ago: i64) -> String {
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    today.checked_sub(jiff::Span::new().days(days_ago)).unwrap().to_string()
}

fn files(peri: &Peri) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(peri.home().join("logs").join("memory")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_report_tells_what_happened_in_the_days_asked_for() {
    let peri = Peri::new();
    peri.remember(&["도자기를 굽는 날은 일요일이다"]);
    peri.recall(&["도자기"]);
    peri.recall(&["nothing like it"]);
    age_events(&peri, 3);
    peri.remember(&["上周二我们讨论了陶器", "-n", "team/a"]);
    let count = |args: &[&str]| {
        let report = peri.json(&[&["report"], args].concat());
        (report["counts"]["stored"].as_u64().unwrap(), report["counts"]["recalled"].as_u64().unwrap())
    };
    assert_eq!(count(&["--days", "7"]), (2, 2));
    assert_eq!(count(&["--days", "7", "-n", "team/*"]), (1, 0));
    assert_eq!(count(&["--days", "2", "--date", &day(3)]), (1, 2));
    assert_eq!(count(&["--date", &day(3)]), (1, 2));
    assert_eq!(count(&["--date", &day(2)]), (0, 0));
    peri.ok(&["journal", "append", "회의가 시작되었다"]);
    peri.ok(&["journal", "turn", "begin"]);
    std::fs::create_dir_all(peri.home().join("vault")).unwrap();
    std::fs::write(peri.home().join("vault/그림.png"), "12345").unwrap();
    let held = peri.json(&["report"])["held"].clone();
    assert_eq!((held["journal_events"].as_u64(), held["turns"].as_u64()), (Some(1), Some(1)), "{held}");
    let page = peri.ok(&["report", "--date", &day(3)]);
    assert!(page.contains("| journal events | 1 |") && page.contains("| vault | 5 |"), "{page}");
    assert!(page.contains("| long_term |"), "{page}");
    assert!(page.starts_with(&format!("# Memory report of {}\n", day(3))), "{page}");
    assert!(page.contains("| recalled without finding anything | 1 |"), "{page}");
    assert!(page.contains("| 도자기 |"), "{page}");
    assert!(files(&peri).is_empty(), "nothing is written unless asked for");
}

#[test]
fn a_report_is_written_for_each_day_when_asked_for() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let written = peri.json(&["report", "--days", "2", "--write"])["written"].clone();
    let names = [format!("{}.md", day(1)), format!("{}.md", day(0))];
    let paths: Vec<String> = written.as_array().unwrap().iter().map(text).collect();
    for (path, name) in paths.iter().zip(&names) {
        assert!(path.ends_with(&format!("logs/memory/{name}")), "{path}");
        assert!(std::fs::read_to_string(path).unwrap().contains("# Memory report of "));
    }
    assert_eq!(files(&peri), names);
    assert!(peri.ok(&["report", "--write"]).trim().ends_with(&names[1]));
}

#[test]
fn days_that_make_no_sense_are_refused() {
    let peri = Peri::new();
    for (args, words) in [
        (&["report", "--date", "2100-01-01"][..], "has not begun"),
        (&["report", "--date", "2026-13-01"], "today, yesterday"),
        (&["report", "--date", "어제께"], "today, yesterday"),
        (&["report", "--days", "0"], "--days"),
        (&["report", "--days", "many"], "--days"),
        (&["report", "--write", "-n", "team"], "of every namespace"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.err.contains(words), "{args:?}: {run:?}");
    }
    assert!(files(&peri).is_empty());
}

#[test]
fn the_settings_say_whether_reports_are_written_and_for_how_long_they_stay() {
    let daily = |peri: &Peri| {
        peri.remember(&["Ana prefers tea"]);
        age_events(peri, 1);
        peri.ok(&["maintain"]);
        format!("{} files", files(peri).len())
    };
    check(("reports.daily", "false"), daily, "1 files", "0 files");
    let kept = |peri: &Peri| {
        peri.remember(&["Ana prefers tea"]);
        age_events(peri, 5);
        peri.ok(&["maintain"]);
        format!("{} files", files(peri).len())
    };
    check(("reports.kept_days", "2"), kept, "5 files", "2 files");
}
