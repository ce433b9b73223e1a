//! Who was turned away: told, counted, and never enough to fill a disk.

use jiff::SignedDuration;
use perihelion::{Clock, Event, EventKind, Happening, KeyId, Namespace, OrbitSettings, Perihelion};

use crate::orbit::{logged, plain, start};
use crate::support::{fresh, ns, open};

/// What was told: where, what for, and how often.
fn told(engine: &Perihelion) -> Vec<(Option<Namespace>, String, u64)> {
    let refused = |event: Event| match event.what {
        Happening::AccessRefused { action, count, .. } => (event.namespace, action, count),
        other => panic!("no refusal: {other:?}"),
    };
    logged(engine, &[EventKind::AccessRefused]).into_iter().map(refused).collect()
}

#[test]
fn equal_refusals_are_one_event_with_a_count() {
    let (folder, engine) = fresh();
    let key: KeyId = "k3tq7zab".parse().unwrap();
    for _ in 0..1000 {
        engine.tell_refused(None, "POST /v1/memories", None, "unknown key");
    }
    engine.tell_refused(Some(&ns("team/a")), "POST /v1/memories", Some(key), "the role is too low");
    assert!(told(&engine).is_empty(), "nobody waits for it");
    engine.close().unwrap();
    let engine = open(folder.path());
    let action = "POST /v1/memories".to_owned();
    assert_eq!(told(&engine), [(None, action.clone(), 1000), (Some(ns("team/a")), action.clone(), 1)]);
    let reason = "the role is too low".to_owned();
    let whole = Happening::AccessRefused { key: Some(key), action, reason, count: 1 };
    assert_eq!(logged(&engine, &[])[1].what, whole);
}

#[test]
fn of_very_many_different_refusals_the_rest_is_counted_together() {
    let (_folder, engine) = fresh();
    for round in 0..2 {
        for number in 0..1000 {
            engine.tell_refused(None, &format!("GET /{number}"), None, "unknown key");
        }
        assert!(told(&engine).is_empty(), "round {round}");
    }
    engine.maintain().unwrap();
    let told = told(&engine);
    assert_eq!(told.len(), 201);
    assert_eq!(told.iter().map(|(.., count)| count).sum::<u64>(), 2000, "none is lost");
    let other: Vec<_> = told.iter().filter(|(_, action, _)| action == "other").collect();
    assert_eq!(other, [&(None, "other".to_owned(), 1600)]);
    assert!(told.iter().all(|(_, action, count)| action == "other" || *count == 2));
}

#[test]
fn long_texts_of_a_stranger_are_cut() {
    let (_folder, engine) = fresh();
    let long = "가".repeat(100_000);
    engine.tell_refused(None, &long, None, &long);
    engine.maintain().unwrap();
    let [Event { what: Happening::AccessRefused { action, reason, .. }, .. }] = &logged(&engine, &[])[..]
    else {
        panic!("one event")
    };
    assert_eq!((action.chars().count(), reason.chars().count()), (200, 200));
}

#[test]
fn refusals_are_told_by_the_time_of_the_last_and_begin_anew_after_that() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    for _ in 0..3 {
        engine.tell_refused(None, "GET /v1/keys", None, "no key");
        clock.advance(SignedDuration::from_secs(1));
    }
    engine.maintain().unwrap();
    engine.tell_refused(None, "GET /v1/keys", None, "no key");
    engine.maintain().unwrap();
    let events = logged(&engine, &[]);
    let times: Vec<_> = events.iter().map(|event| event.at.duration_since(start()).as_secs()).collect();
    assert_eq!(times, [2, 3]);
    assert_eq!(told(&engine).iter().map(|(.., count)| *count).collect::<Vec<_>>(), [3, 1]);
}
