//! The files of reports: one a day, once it has ended, by one process, for as long as they are kept.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use perihelion::{Clock, EventKind, Options, Perihelion, Remember, ReportSettings};

use super::{DAY, fresh, happen, noon, options, stored};
use crate::orbit::logged;
use crate::support::{Worker, role, tell, time, worker_command};

fn folder_of(folder: &Path) -> PathBuf {
    folder.join("logs").join("memory")
}

fn page(folder: &Path, day: Date) -> String {
    fs::read_to_string(folder_of(folder).join(format!("{day}.md"))).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder_of(folder)) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn hours(clock: &Clock, hours: i64) {
    clock.advance(SignedDuration::from_hours(hours));
}

#[test]
fn a_day_is_written_down_once_it_has_ended_and_not_again() {
    let (folder, clock, engine) = fresh();
    engine.remember(Remember::new("The ferry leaves at noon")).unwrap();
    engine.maintain().unwrap();
    assert!(files(folder.path()).is_empty(), "the day has not ended, and before it there was nothing");
    hours(&clock, 12);
    engine.maintain().unwrap();
    assert_eq!(files(folder.path()), ["2026-11-15.md"]);
    let written = page(folder.path(), DAY);
    assert!(written.starts_with("<!-- perihelion report, written 2026-11-16T00:00:00Z -->\n"), "{written}");
    assert!(written.contains("| stored | 1 |") && !written.contains("has not ended"), "{written}");
    hours(&clock, 1);
    engine.remember(Remember::new("of the next day")).unwrap();
    engine.maintain().unwrap();
    drop(engine);
    let again = Perihelion::open(options(folder.path(), &clock)).unwrap();
    again.maintain().unwrap();
    assert_eq!(page(folder.path(), DAY), written);
    assert_eq!(files(folder.path()), ["2026-11-15.md"]);
}

#[test]
fn days_that_nobody_was_there_for_are_made_up_for_each_with_its_own_numbers() {
    let (folder, clock, engine) = fresh();
    let moments = ["2026-11-15T13:00:00Z", "2026-11-17T13:00:00Z", "2026-11-17T14:00:00Z"];
    happen(folder.path(), moments.map(|at| (time(at), None, stored())));
    hours(&clock, 4 * 24);
    engine.maintain().unwrap();
    let days = ["2026-11-15.md", "2026-11-16.md", "2026-11-17.md", "2026-11-18.md"];
    assert_eq!(files(folder.path()), days);
    for (day, count) in [(15, 1), (16, 0), (17, 2), (18, 0)] {
        let written = page(folder.path(), date(2026, 11, day));
        assert!(written.contains(&format!("| stored | {count} |")), "{day}: {written}");
    }
    hours(&clock, 400 * 24);
    engine.maintain().unwrap();
    let held = files(folder.path());
    assert_eq!(held.len(), 31, "a month back at most, and the oldest were not kept: {held:?}");
    assert_eq!(held.last().unwrap(), "2027-12-23.md");
}

#[test]
fn what_was_written_during_the_day_is_replaced_when_it_has_ended() {
    let (folder, clock, engine) = fresh();
    engine.remember(Remember::new("in the morning")).unwrap();
    let path = engine.write_report(DAY).unwrap();
    assert_eq!(path, folder_of(folder.path()).join("2026-11-15.md"));
    assert!(page(folder.path(), DAY).contains("has not ended"));
    engine.remember(Remember::new("in the afternoon")).unwrap();
    hours(&clock, 12);
    engine.maintain().unwrap();
    let written = page(folder.path(), DAY);
    assert!(written.contains("| stored | 2 |") && !written.contains("has not ended"), "{written}");
}

#[test]
fn a_day_ends_in_the_time_zone_of_the_options() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(noon()));
    let time_zone = TimeZone::get("Asia/Seoul").unwrap();
    let engine = Perihelion::open(Options { time_zone, ..options(folder.path(), &clock) }).unwrap();
    engine.remember(Remember::new("밤 아홉 시에")).unwrap();
    clock.advance(SignedDuration::from_mins(179));
    engine.maintain().unwrap();
    assert!(files(folder.path()).is_empty());
    clock.advance(SignedDuration::from_mins(1));
    engine.maintain().unwrap();
    assert_eq!(files(folder.path()), ["2026-11-15.md"]);
    assert!(page(folder.path(), DAY).contains("Asia/Seoul"));
}

/// The worker: does the chores each time it is told to, so many hours after noon.
#[test]
fn member() {
    let Some(folder) = role("report::daily::member") else { return };
    let clock = Clock::manual(noon());
    let engine = Perihelion::open(options(Path::new(&folder), &clock)).unwrap();
    for line in std::io::stdin().lines().map(Result::unwrap) {
        let there = noon() + SignedDuration::from_hours(line.parse().unwrap());
        clock.advance(there.duration_since(clock.now()));
        engine.maintain().unwrap();
        tell("done");
    }
    engine.close().unwrap();
}

#[test]
fn of_many_processes_one_writes_it() {
    let (folder, _clock, engine) = fresh();
    engine.remember(Remember::new("The ferry leaves at noon")).unwrap();
    let mut workers: Vec<Worker> =
        (0..4).map(|_| Worker::start(worker_command("report::daily::member", folder.path()))).collect();
    for line in ["12", "13", "14"] {
        workers.iter_mut().for_each(|worker| worker.send(line));
        workers.iter_mut().for_each(|worker| assert_eq!(worker.hear().as_deref(), Some("done")));
    }
    workers.into_iter().for_each(|worker| drop(worker.finish()));
    assert_eq!(files(folder.path()), ["2026-11-15.md"], "and no draft is left");
    let written = page(folder.path(), DAY);
    assert!(
        written.contains("written 2026-11-16T00:00:00Z") && written.contains("| stored | 1 |"),
        "{written}"
    );
    assert!(logged(&engine, &[EventKind::OperationFailed]).is_empty());
}

#[test]
fn reports_are_kept_for_their_time_and_nothing_else_is_deleted() {
    for (kept_days, left) in
        [(3, vec!["2026-11-12.md", "2026-11-14.md", "2026-13-01.md", "notes.md"]), (0, vec![])]
    {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(noon()));
        let names = ["2025-01-01.md", "2026-11-11.md", "2026-11-12.md", "2026-13-01.md", "notes.md"];
        fs::create_dir_all(folder_of(folder.path())).unwrap();
        names.iter().for_each(|name| fs::write(folder_of(folder.path()).join(name), "held").unwrap());
        let reports = ReportSettings { kept_days, ..ReportSettings::default() };
        let engine = Perihelion::open(Options { reports, ..options(folder.path(), &clock) }).unwrap();
        happen(folder.path(), [(time("2026-11-14T12:00:00Z"), None, stored())]);
        engine.maintain().unwrap();
        let mut expected = left;
        if expected.is_empty() {
            expected = names.into_iter().chain(["2026-11-14.md"]).collect();
            expected.sort_unstable();
        }
        assert_eq!(files(folder.path()), expected, "{kept_days}");
    }
}

#[test]
fn without_daily_reports_nothing_is_written_unless_somebody_asks() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(noon()));
    let reports = ReportSettings { daily: false, ..ReportSettings::default() };
    let engine = Perihelion::open(Options { reports, ..options(folder.path(), &clock) }).unwrap();
    engine.remember(Remember::new("The ferry leaves at noon")).unwrap();
    hours(&clock, 12);
    engine.maintain().unwrap();
    assert!(files(folder.path()).is_empty());
    engine.write_report(DAY).unwrap();
    assert_eq!(files(folder.path()), ["2026-11-15.md"]);
}
