//! Reports: exactly what happened on the days asked about, and word of what is not known any more.

mod daily;
mod failures;

use std::path::Path;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use peri_store::{SqliteSettings, SqliteStore, Store as _, Told};
use perihelion::{
    CleanUpReason, Clock, Counts, EventSettings, Happening, Layer, MemoryId, Namespace, Options,
    OrbitSettings, Perihelion, PromotedCount, Recall, RecallTimes, Remember, Report, ReportQuery, Revise,
    Scope, Timestamp, Zone,
};

use crate::orbit::plain;
use crate::support::{ns, scope, time};

pub const DAY: Date = date(2026, 11, 15);

pub fn noon() -> Timestamp {
    time("2026-11-15T12:00:00Z")
}

pub fn options(folder: &Path, clock: &Clock) -> Options {
    plain(folder, clock, OrbitSettings::default())
}

pub fn fresh() -> (tempfile::TempDir, Clock, Perihelion) {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(noon()));
    let engine = Perihelion::open(options(folder.path(), &clock)).unwrap();
    (folder, clock, engine)
}

/// Puts events into the store, as if another process had told them.
pub fn happen(folder: &Path, events: impl IntoIterator<Item = (Timestamp, Option<Namespace>, Happening)>) {
    let path = folder.join(Perihelion::DATABASE);
    let store = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
    let told: Vec<Told> =
        events.into_iter().map(|(at, namespace, what)| Told { namespace, at, what }).collect();
    store.record_usage(&[], &told, &[]).unwrap();
}

pub fn stored() -> Happening {
    Happening::Stored { id: MemoryId::generate(noon()), zone: Zone::Inner }
}

pub fn of_days(engine: &Perihelion, first_day: Date, last_day: Date) -> Report {
    engine.report(&ReportQuery { first_day, last_day, scope: Scope::All }).unwrap()
}

pub fn of_day(engine: &Perihelion, day: Date) -> Report {
    of_days(engine, day, day)
}

fn recalled(query: &str, results: usize, micros: Option<u64>) -> Happening {
    let ids = (0..results).map(|_| MemoryId::generate(noon())).collect();
    Happening::Recalled { query: query.to_owned(), ids, micros }
}

/// One of each kind that is counted, and more of some.
fn a_day() -> Vec<Happening> {
    let id = MemoryId::generate(noon());
    let (from, to) = (Layer::Episodic, Layer::LongTerm);
    vec![
        stored(),
        stored(),
        stored(),
        Happening::Repeated { id },
        Happening::Imported { memories: 40, edges: 7 },
        recalled("어디에 있지?", 3, Some(900)),
        recalled("在哪里？", 0, Some(100)),
        recalled("where?", 1, None),
        Happening::Revised { id, version: 2 },
        Happening::Forgotten { id },
        Happening::Forgotten { id },
        Happening::AutoForgotten { id, idle_days: 90 },
        Happening::Expired { id, layer: Layer::Working },
        Happening::Evicted { id },
        Happening::Outlived { id, age_days: 30 },
        Happening::CleanedUp { id, reason: CleanUpReason::TooMany },
        Happening::NamespaceDeleted { memories: 5, purged: false },
        Happening::Restored { id },
        Happening::Purged { count: 9, ids: vec![id] },
        Happening::LayerPromoted { id, sources: vec![id, id, id], from, to },
        Happening::LayerPromoted { id, sources: vec![id, id], from, to },
        Happening::LayerPromoted { id, sources: vec![id], from: Layer::Working, to: Layer::Episodic },
        Happening::PromotionUndone { id, sources: vec![id] },
        Happening::Consolidated { survivor: id, absorbed: id },
        Happening::Split { survivor: id, absorbed: id },
        Happening::Superseded { older: id, newer: id },
        Happening::Contradicted { first: id, second: id },
        Happening::SessionStarted { session: "아침".to_owned() },
        Happening::SessionEnded { session: "아침".to_owned(), summary: None },
        Happening::SnapshotTaken { file: "x".to_owned(), episodes: 3 },
        Happening::ZoneChanged {
            id,
            from: Zone::Core,
            to: Zone::Inner,
            reason: perihelion::MoveReason::Score,
        },
        Happening::Linked { source: id, targets: vec![id] },
    ]
}

fn expected() -> Counts {
    let promoted = |from, to, memories, sources| PromotedCount { from, to, memories, sources };
    Counts {
        stored: 3,
        repeated: 1,
        imported: 40,
        recalled: 3,
        recalled_nothing: 1,
        revised: 1,
        forgotten: 2,
        auto_forgotten: 1,
        expired: 1,
        evicted: 1,
        outlived: 1,
        cleaned_up: 1,
        deleted_with_namespace: 5,
        restored: 1,
        purged: 9,
        promoted: vec![
            promoted(Layer::Working, Layer::Episodic, 1, 1),
            promoted(Layer::Episodic, Layer::LongTerm, 2, 5),
        ],
        promotions_undone: 1,
        consolidated: 1,
        split: 1,
        superseded: 1,
        contradicted: 1,
        sessions_started: 1,
        sessions_ended: 1,
        snapshots: 1,
        backups: 0,
        backups_restored: 0,
    }
}

#[test]
fn a_days_events_give_exactly_its_numbers_wherever_they_are() {
    let (folder, clock, engine) = fresh();
    let on = |at: &str, what: Happening| (time(at), Some(ns("team/a")), what);
    happen(folder.path(), a_day().into_iter().map(|what| on("2026-11-15T09:00:00Z", what)));
    happen(folder.path(), [on("2026-11-14T23:59:59.999Z", stored()), on("2026-11-16T00:00:00Z", stored())]);
    let logs = folder.path().join("logs");
    let check = |engine: &Perihelion, what: &str| {
        let report = of_day(engine, DAY);
        assert_eq!(report.counts, expected(), "{what}");
        assert!(report.complete, "{what}: {:?}", report.notes);
        assert_eq!(of_days(engine, DAY.yesterday().unwrap(), DAY.tomorrow().unwrap()).counts.stored, 5);
    };
    check(&engine, "in the log and in the store");
    check(&engine, "a second time");
    std::fs::remove_file(logs.join("events.jsonl")).unwrap();
    check(&engine, "in the store alone");
    drop(engine);
    let events = EventSettings { log: false, ..EventSettings::default() };
    let off = Options { events, ..options(folder.path(), &clock) };
    check(&Perihelion::open(off).unwrap(), "without a log");
    std::fs::remove_dir_all(&logs).unwrap();
    std::fs::write(&logs, "no folder").unwrap();
    let engine = Perihelion::open(options(folder.path(), &clock)).unwrap();
    let report = of_day(&engine, DAY);
    assert_eq!(report.counts, expected(), "with a log that cannot be read");
    assert!(!report.complete && report.notes[0].contains("cannot be read"), "{:?}", report.notes);
}

#[test]
fn what_is_done_by_hand_is_counted_at_once() {
    let (_folder, clock, engine) = fresh();
    let keep = |text: &str| engine.remember(Remember::new(text)).unwrap().id;
    let [one, two] = ["도자기를 굽는 날은 일요일이다", "The ferry leaves at noon"].map(keep);
    keep("The ferry leaves at noon");
    engine.recall(&Recall::new("ferry")).unwrap();
    engine.recall(&Recall::new("nothing like it")).unwrap();
    let tags = Some(vec!["boats".to_owned()]);
    engine.revise(&Scope::All, two, Revise { tags, ..Revise::default() }).unwrap();
    engine.forget(&Scope::All, one).unwrap();
    engine.restore(&Scope::All, one).unwrap();
    engine.forget(&Scope::All, one).unwrap();
    engine.purge(&Scope::All, one).unwrap();
    let Report { counts, complete, notes, namespaces, .. } = of_day(&engine, DAY);
    assert_eq!((counts.stored, counts.repeated, counts.revised), (2, 1, 1));
    assert_eq!((counts.recalled, counts.recalled_nothing), (2, 1));
    assert_eq!((counts.forgotten, counts.restored, counts.purged), (2, 1, 1));
    assert!(!complete || notes.len() == 1, "{notes:?}");
    assert!(notes[0].contains("has not ended"), "{notes:?}");
    assert_eq!((namespaces.len(), namespaces[0].memories), (1, 1));
    assert_eq!(engine.today(), DAY);
    clock.advance(jiff::SignedDuration::from_hours(24));
    assert_eq!(of_day(&engine, DAY).counts, counts, "a day later it is the same");
    assert_eq!(of_day(&engine, DAY).notes, [""; 0]);
    assert_eq!(of_day(&engine, engine.today()).counts, Counts::default());
}

#[test]
fn a_day_begins_and_ends_in_the_time_zone_of_the_options() {
    let (folder, clock, engine) = fresh();
    let moments = ["2026-11-14T14:59:59.999Z", "2026-11-14T15:00:00Z", "2026-11-15T14:59:59.999Z"];
    happen(folder.path(), moments.map(|at| (time(at), None, stored())));
    drop(engine);
    for (zone, counts) in [("Asia/Seoul", [1, 2, 0]), ("UTC", [2, 1, 0]), ("Pacific/Kiritimati", [0, 2, 1])] {
        let time_zone = TimeZone::get(zone).unwrap();
        let engine = Perihelion::open(Options { time_zone, ..options(folder.path(), &clock) }).unwrap();
        let days = [date(2026, 11, 14), DAY, date(2026, 11, 16)];
        assert_eq!(days.map(|day| of_day(&engine, day).counts.stored), counts, "{zone}");
        assert_eq!(of_day(&engine, DAY).time_zone, zone);
    }
}

#[test]
fn a_day_may_have_more_or_fewer_hours() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(noon()));
    let time_zone = TimeZone::get("America/New_York").unwrap();
    let engine = Perihelion::open(Options { time_zone, ..options(folder.path(), &clock) }).unwrap();
    for (day, hours) in [(date(2026, 11, 1), 25), (date(2026, 3, 8), 23), (date(2026, 3, 9), 24)] {
        let report = of_day(&engine, day);
        assert_eq!(report.until.duration_since(report.from).as_hours(), hours, "{day}");
    }
    let (first, last) = (Date::MIN, Date::MAX);
    assert!(
        of_days(&engine, first, last).from < of_days(&engine, first, last).until,
        "all of time is no error"
    );
}

#[test]
fn a_namespace_counts_only_what_happened_in_it() {
    let (folder, _clock, engine) = fresh();
    let places = [Some("team/a"), Some("team/b"), Some("other"), None];
    happen(folder.path(), places.map(|place| (noon(), place.map(ns), stored())));
    for name in ["team/a", "other"] {
        engine.remember(Remember::new("one of mine").in_namespace(ns(name))).unwrap();
    }
    for (place, stored, held) in [("*", 6, 2), ("team/*", 3, 1), ("team/a", 2, 1), ("nowhere", 0, 0)] {
        let query = ReportQuery { first_day: DAY, last_day: DAY, scope: scope(place) };
        let report = engine.report(&query).unwrap();
        assert_eq!((report.counts.stored, report.namespaces.len()), (stored, held), "{place}");
    }
}

#[test]
fn the_slowest_recalls_are_shown_as_they_were_asked() {
    let (folder, _clock, engine) = fresh();
    let ask =
        |number: u64| (noon(), Some(ns("team/a")), recalled(&format!("질문|{number}"), 2, Some(number)));
    happen(folder.path(), (1..=100).map(ask));
    happen(folder.path(), [(noon(), None, recalled("not measured", 0, None))]);
    let report = of_day(&engine, DAY);
    let times = RecallTimes {
        measured: 100,
        p50_micros: 50,
        p90_micros: 90,
        p95_micros: 95,
        p99_micros: 99,
        max_micros: 100,
    };
    assert_eq!(report.recall_times, Some(times));
    let slowest: Vec<_> =
        report.slowest_recalls.iter().map(|recall| (recall.query.clone(), recall.micros)).collect();
    let expected: Vec<_> = (91..=100).rev().map(|number| (format!("질문|{number}"), number)).collect();
    assert_eq!(slowest, expected);
    let page = report.to_markdown();
    assert!(page.contains("| 100 | 0.050 ms | 0.090 ms | 0.095 ms | 0.099 ms | 0.100 ms |"), "{page}");
    assert!(page.contains("| 0.100 ms | 2026-11-15 12:00:00Z | team/a | 질문\\|100 | 2 |"), "{page}");
}

/// More events than the store keeps, so that what the log has lost is gone.
const MANY: usize = 12_000;

#[test]
fn events_that_were_rotated_away_are_told_of_and_not_counted_as_none() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(noon()));
    let events = EventSettings { log_bytes_max: 100_000, log_files_kept: 1, ..EventSettings::default() };
    let small = Options { events, ..options(folder.path(), &clock) };
    let engine = Perihelion::open(small).unwrap();
    let early = time("2026-11-14T08:00:00Z");
    happen(folder.path(), (0..100).map(|_| (early, None, stored())));
    engine.maintain().unwrap();
    let report = of_day(&engine, date(2026, 11, 14));
    assert_eq!((report.counts.stored, report.complete), (100, true), "{:?}", report.notes);
    happen(folder.path(), (0..MANY).map(|_| (noon(), None, stored())));
    clock.advance(jiff::SignedDuration::from_hours(1));
    happen(folder.path(), (0..MANY).map(|_| (clock.now(), None, stored())));
    engine.maintain().unwrap();
    let report = of_day(&engine, date(2026, 11, 14));
    assert_eq!((report.counts.stored, report.complete), (0, false));
    assert!(report.notes[0].contains("2026-11-15T13:00:00Z"), "{:?}", report.notes);
    assert!(report.to_markdown().contains("> Events before 2026-11-15T13:00:00Z are no longer"));
    let report = of_day(&engine, DAY);
    assert!(!report.complete, "its morning is gone: {:?}", report.notes);
    assert!(report.counts.stored >= 10_000, "what the store keeps is counted: {}", report.counts.stored);
    let report = of_day(&engine, date(2026, 11, 16));
    assert_eq!(
        (report.counts.stored, report.complete, report.notes.len()),
        (0, true, 1),
        "{:?}",
        report.notes
    );
}

#[test]
fn a_report_is_what_its_schema_says_and_its_page_has_every_number() {
    let (folder, _clock, engine) = fresh();
    let here = |what: Happening| (noon(), Some(ns("team/a")), what);
    happen(folder.path(), a_day().into_iter().map(here));
    engine.remember(Remember::new("上周二我们讨论了陶器").in_namespace(ns("team/a"))).unwrap();
    engine.tell_failed("backup", "the disk | is full");
    engine.tell_refused(None, "POST /v1/memories", None, "unknown key");
    let report = of_day(&engine, DAY);
    let schema = serde_json::to_value(schemars::schema_for!(Report)).unwrap();
    let written = serde_json::to_value(&report).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator.iter_errors(&written).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let page = report.to_markdown();
    for row in [
        "# Memory report of 2026-11-15",
        "| stored | 4 |",
        "| recalled without finding anything | 1 |",
        "| forgotten by hand | 2 |",
        "| purged | 9 |",
        "| promoted from episodic to long_term (of 5) | 2 |",
        "| backup | the disk \\| is full | 1 | 2026-11-15 12:00:00Z |",
        "| POST /v1/memories | unknown key | - | 1 | 2026-11-15 12:00:00Z |",
        "| team/a | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |",
        "| lost since the store was made | 0 |",
    ] {
        assert!(page.lines().any(|line| line == row), "{row}\n{page}");
    }
    assert!(report.disk.database_bytes > 0 && report.disk.log_bytes > 0, "{:?}", report.disk);
    let number = |name: &str| written["counts"][name].as_u64().unwrap();
    let counted = expected();
    assert_eq!((number("imported"), number("expired")), (counted.imported, counted.expired));
}
