//! What background jobs did and found.

use peri_store::{AlertRecord, Looked, NewAlert, Store, WorkerRun, Write, Written};
use peri_types::{Happening, MemoryId, Namespace, Severity};
use serde_json::json;

use super::patterns::HOSTILE;
use super::{events, make, told_after};
use crate::support::{at, ns, open};

fn run(worker: &str, second: i64, status: &str) -> WorkerRun {
    WorkerRun {
        worker: worker.to_owned(),
        number: 0,
        started_at: at(second),
        finished_at: at(second + 2),
        status: status.to_owned(),
        summary: HOSTILE.join("\n"),
        detail: json!({ "측정": [1e-7, null, "\u{0}값"], "where": HOSTILE[2] }),
    }
}

fn keep_run(store: &dyn Store, run: &WorkerRun) -> u64 {
    match make(store, Write::KeepRun(Box::new(run.clone()))) {
        Written::Numbered(number) => number,
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_are_kept_to_the_letter_numbered_by_job_and_told() {
    let (house, store) = open();
    let runs = [
        run("감사", 10, "done"),
        run("audit", 20, "failed"),
        run("audit", 30, "unavailable"),
        WorkerRun { detail: json!(null), ..run("audit", 5, "done") },
        // A clock that was set back.
        WorkerRun { finished_at: at(1), ..run("map", 40, "timed_out") },
    ];
    let numbers = runs.each_ref().map(|run| keep_run(&*store, run));
    assert_eq!(numbers, [1, 1, 2, 3, 1]);
    drop(store);
    let store = house.open();
    let kept = |at: usize| WorkerRun { number: numbers[at], ..runs[at].clone() };
    assert_eq!(store.worker_runs(Some("audit"), 9).unwrap(), [kept(3), kept(2), kept(1)]);
    assert_eq!(store.worker_runs(Some("audit"), 1).unwrap(), [kept(3)]);
    assert_eq!(store.worker_runs(None, 9).unwrap(), [kept(4), kept(2), kept(1), kept(0), kept(3)]);
    assert_eq!(store.worker_runs(None, 2).unwrap(), [kept(4), kept(2)]);
    assert_eq!(store.worker_runs(Some("nobody"), 9).unwrap(), []);
    let told = |worker: &str, ok, second, duration_ms| {
        (at(second), Happening::WorkerCompleted { worker: worker.to_owned(), ok, duration_ms })
    };
    let expected = [
        told("감사", true, 12, 2000),
        told("audit", false, 22, 2000),
        told("audit", false, 32, 2000),
        told("audit", true, 7, 2000),
        told("map", false, 1, 0),
    ];
    assert_eq!(told_after(&*store, 0), expected);
}

#[test]
fn of_many_runs_of_a_job_the_oldest_leave_and_numbers_go_on() {
    let (_house, store) = open();
    keep_run(&*store, &run("map", 1, "done"));
    let write = |second| Write::KeepRun(Box::new(run("audit", second, "done")));
    store.write((1..=203).map(write).collect()).unwrap();
    let kept = store.worker_runs(Some("audit"), 1000).unwrap();
    assert_eq!((kept.len(), kept[0].number, kept[199].number), (200, 203, 4));
    assert_eq!(store.worker_runs(Some("map"), 9).unwrap().len(), 1, "each job has its own");
    store.rest();
    keep_run(&*store, &run("map", 2, "done"));
    assert_eq!(store.worker_runs(Some("map"), 9).unwrap().len(), 2, "who has rested writes and reads on");
}

fn alert(mark: &str, severity: Severity) -> NewAlert {
    NewAlert {
        mark: mark.to_owned(),
        namespace: None,
        severity,
        message: format!("찾은 것: {mark}"),
        ids: Vec::new(),
        file: None,
    }
}

fn raise(store: &dyn Store, alerts: &[NewAlert], looked: Looked, second: i64) -> u64 {
    let (worker, alerts, at) = ("audit".to_owned(), alerts.to_vec(), at(second));
    match make(store, Write::RaiseAlerts { worker, alerts, looked, at }) {
        Written::Numbered(news) => news,
        other => panic!("{other:?}"),
    }
}

/// What is found, how often, since when and until when.
fn found(store: &dyn Store) -> Vec<(String, u64, i64, Option<i64>)> {
    let second = |time: peri_types::Timestamp| time.as_second() - at(0).as_second();
    let told = |own: AlertRecord| (own.mark, own.seen, second(own.first_at), own.resolved_at.map(second));
    let mut all: Vec<_> = store.worker_alerts(true, 9999).unwrap().into_iter().map(told).collect();
    all.sort();
    all
}

fn entry(mark: &str, seen: u64, first: i64, resolved: Option<i64>) -> (String, u64, i64, Option<i64>) {
    (mark.to_owned(), seen, first, resolved)
}

#[test]
fn a_finding_is_kept_to_the_letter_and_the_gravest_of_the_latest_comes_first() {
    let (house, store) = open();
    let rich = NewAlert {
        mark: HOSTILE[2].to_owned(),
        namespace: Some(ns("팀/기억")),
        severity: Severity::Warning,
        message: HOSTILE.join("\n"),
        ids: vec![MemoryId::from_bytes([1; 16]), MemoryId::from_bytes([0xff; 16])],
        file: Some(HOSTILE[3].to_owned()),
    };
    let plain = alert("plain", Severity::Critical);
    let before = events(&*store).len();
    assert_eq!(raise(&*store, &[rich.clone(), plain.clone()], Looked::Everywhere, 10), 2);
    drop(store);
    let store = house.open();
    let kept = |own: &NewAlert| AlertRecord {
        worker: "audit".to_owned(),
        mark: own.mark.clone(),
        namespace: own.namespace.clone(),
        severity: own.severity,
        message: own.message.clone(),
        ids: own.ids.clone(),
        file: own.file.clone(),
        first_at: at(10),
        last_at: at(10),
        seen: 1,
        resolved_at: None,
    };
    assert_eq!(store.worker_alerts(false, 9).unwrap(), [kept(&plain), kept(&rich)]);
    assert_eq!(store.worker_alerts(false, 1).unwrap(), [kept(&plain)]);
    let upkeep = store.upkeep().unwrap();
    assert!(upkeep.free_bytes <= upkeep.database_bytes, "{upkeep:?}");
    assert_eq!(store.worker_alerts(false, 1).unwrap(), [kept(&plain)], "upkeep changes nothing");
    let told: Vec<(Option<Namespace>, Happening)> =
        events(&*store).into_iter().skip(before).map(|event| (event.namespace, event.what)).collect();
    let what = |own: &NewAlert| Happening::WorkerAlert {
        worker: "audit".to_owned(),
        severity: own.severity,
        message: own.message.clone(),
        ids: own.ids.clone(),
        file: own.file.clone(),
    };
    assert_eq!(told, [(rich.namespace.clone(), what(&rich)), (None, what(&plain))]);
}

#[test]
fn a_finding_is_news_once_counted_while_it_stands_and_news_again_after_it_was_gone() {
    let (_house, store) = open();
    let [one, two] = ["하나", "둘"].map(|mark| alert(mark, Severity::Info));
    let both = [one.clone(), two.clone()];
    assert_eq!(raise(&*store, &both, Looked::Everywhere, 10), 2);
    let before = events(&*store).len();
    assert_eq!(raise(&*store, &both, Looked::Everywhere, 20), 0);
    assert_eq!(raise(&*store, &[], Looked::Partly, 21), 0);
    assert_eq!(found(&*store), [entry("둘", 2, 10, None), entry("하나", 2, 10, None)]);
    // At the very same time as the last look, as a clock that stands still has it.
    let louder = NewAlert { severity: Severity::Critical, ..one.clone() };
    assert_eq!(raise(&*store, &[louder], Looked::Everywhere, 20), 0);
    assert_eq!(found(&*store), [entry("둘", 2, 10, Some(20)), entry("하나", 3, 10, None)]);
    assert_eq!(
        store.worker_alerts(false, 9).unwrap()[0].severity,
        Severity::Critical,
        "as it was last found"
    );
    assert_eq!(told_after(&*store, before), []);
    assert_eq!(raise(&*store, &both, Looked::Partly, 30), 1);
    assert_eq!(found(&*store), [entry("둘", 1, 30, None), entry("하나", 4, 10, None)]);
    assert_eq!(told_after(&*store, before).len(), 1);
    assert_eq!(raise(&*store, &[], Looked::Everywhere, 40), 0);
    assert_eq!(store.worker_alerts(false, 9).unwrap(), []);
    let (worker, looked) = ("map".to_owned(), Looked::Everywhere);
    let other = Write::RaiseAlerts { worker, alerts: vec![one], looked, at: at(50) };
    assert_eq!(make(&*store, other), Written::Numbered(1), "another job's finding is its own");
    assert_eq!(found(&*store).len(), 3);
}

#[test]
fn long_marks_are_told_apart_by_all_of_their_bytes() {
    let (_house, store) = open();
    let long = "긴 표시 ".repeat(100);
    let marks = [format!("{long}가"), format!("{long}나"), "ㄱ".repeat(85), "ㄱ".repeat(86)];
    let alerts = marks.each_ref().map(|mark| alert(mark, Severity::Info));
    assert_eq!(raise(&*store, &alerts, Looked::Everywhere, 1), 4);
    assert_eq!(raise(&*store, &alerts, Looked::Everywhere, 2), 0);
    let kept = store.worker_alerts(true, 9).unwrap();
    assert!(kept.iter().all(|own| own.mark.len() <= 255 && own.seen == 2), "{kept:?}");
    assert!(kept.iter().any(|own| own.mark == marks[2]), "one that fits is kept as it is");
    assert_eq!(raise(&*store, &alerts[1..], Looked::Everywhere, 3), 0);
    let gone: Vec<_> =
        store.worker_alerts(true, 9).unwrap().into_iter().filter(|own| own.resolved_at.is_some()).collect();
    assert_eq!(gone.len(), 1);
    assert_eq!(gone[0].message, alerts[0].message);
}

#[test]
fn of_many_findings_that_are_no_more_only_the_oldest_leave() {
    let (_house, store) = open();
    let alerts: Vec<_> = (0..503).map(|n| alert(&format!("{n:04}"), Severity::Info)).collect();
    raise(&*store, &alerts, Looked::Everywhere, 1);
    assert_eq!(store.worker_alerts(false, 9999).unwrap().len(), 503, "all that still is so is kept");
    raise(&*store, &alerts[1..], Looked::Everywhere, 2);
    raise(&*store, &[], Looked::Everywhere, 3);
    let kept = found(&*store);
    assert_eq!(kept.len(), 500);
    assert!(kept.iter().all(|(mark, ..)| mark != "0000"), "the one that was gone first has left");
}

#[test]
fn findings_about_a_namespace_follow_it_and_leave_with_it() {
    let (_house, store) = open();
    let about = |path: &str| NewAlert { namespace: Some(ns(path)), ..alert(path, Severity::Info) };
    crate::support::keep(&*store, "a", "하나");
    raise(&*store, &[about("a"), about("c"), alert("none", Severity::Info)], Looked::Everywhere, 1);
    let places = || -> Vec<Option<String>> {
        let mut all: Vec<_> = store
            .worker_alerts(true, 9)
            .unwrap()
            .into_iter()
            .map(|own| own.namespace.map(|path| path.to_string()))
            .collect();
        all.sort();
        all
    };
    let some = |path: &str| Some(path.to_owned());
    make(&*store, Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(2) });
    assert_eq!(places(), [None, some("b"), some("c")]);
    make(&*store, Write::DeleteNamespace { namespace: ns("b"), purge: false, at: at(3) });
    assert_eq!(places(), [None, some("b"), some("c")]);
    make(&*store, Write::DeleteNamespace { namespace: ns("b"), purge: true, at: at(4) });
    assert_eq!(places(), [None, some("c")]);
}
