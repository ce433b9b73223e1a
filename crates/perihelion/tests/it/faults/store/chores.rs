//! Faults beside answering: orbits that cannot be settled, a graph that cannot be read, a store that is away.

use std::sync::Arc;

use peri_store::StoreError;
use perihelion::{
    Clock, EdgeType, EventKind, Feedback, Happening, MemoryId, Namespace, NewEdge, NewKey, OrbitSettings,
    Perihelion, Recall, Remember, Role, Scope, Trashed,
};

use super::errors;
use super::faulty::Faulty;
use crate::orbit::{DAY, important, is_trashed, logged, move_to, plain, start};
use crate::support::{all, keep, kind_of, options};

/// An engine with a memory that is due to be forgotten, and one that is not.
fn due() -> (tempfile::TempDir, Clock, Arc<Faulty>, Perihelion, [MemoryId; 2]) {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let store = Faulty::open(folder.path());
    let options = plain(folder.path(), &clock, OrbitSettings::default());
    let engine = Perihelion::on_store(options, store.clone()).unwrap();
    let ids = [("item1x", 0.2), ("item2x", 1.0)]
        .map(|(content, importance)| engine.remember(important(content, importance)).unwrap().id);
    move_to(&clock, 95 * DAY);
    (folder, clock, store, engine, ids)
}

#[test]
fn a_settlement_that_is_refused_changes_and_tells_nothing_and_works_at_the_next_try() {
    let (_folder, _clock, store, engine, ids) = due();
    let before = (all(&engine, Trashed::Without), logged(&engine, &[]));
    for method in ["unsettled", "orbit", "weights", "write"] {
        for (error, kind) in errors() {
            store.fail(method, 1, error);
            assert_eq!(kind_of(engine.reorbit(&Scope::All)), Some(kind), "{method}");
            assert!(store.has_failed());
            assert_eq!((all(&engine, Trashed::Without), logged(&engine, &[])), before, "{method}");
            assert_eq!(engine.health().scheduler.settled_at, None);
        }
    }
    assert_eq!(engine.reorbit(&Scope::All).unwrap().forgotten, 1);
    assert_eq!(ids.map(|id| is_trashed(&engine, id)), [true, false]);
}

#[test]
fn what_is_recalled_between_reading_and_settling_is_not_forgotten() {
    let (folder, clock, store, engine, ids) = due();
    let other = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    store.plan.lock().unwrap().after_orbit = Some(Box::new(move || {
        assert_eq!(other.recall(&Recall::new("item1x")).unwrap().hits.len(), 1);
        other.close().unwrap();
    }));
    assert_eq!(engine.reorbit(&Scope::All).unwrap().forgotten, 0);
    assert!(!is_trashed(&engine, ids[0]));
    move_to(&clock, 96 * DAY);
    engine.maintain().unwrap();
    assert!(!is_trashed(&engine, ids[0]), "nor at the next step");
    assert!(logged(&engine, &[EventKind::AutoForgotten]).is_empty());
}

#[test]
fn of_two_that_settle_at_once_one_does_and_nothing_is_told_twice() {
    let (folder, clock, store, engine, ids) = due();
    let other = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    store.plan.lock().unwrap().after_orbit = Some(Box::new(move || {
        assert_eq!(other.reorbit(&Scope::All).unwrap().forgotten, 1);
    }));
    let done = engine.reorbit(&Scope::All).unwrap();
    assert_eq!((done.moved, done.forgotten, done.namespaces.len()), (0, 0, 0));
    let forgotten: Vec<_> =
        logged(&engine, &[EventKind::AutoForgotten]).into_iter().map(|event| event.what).collect();
    assert_eq!(forgotten, [Happening::AutoForgotten { id: ids[0], idle_days: 90 }]);
}

#[test]
fn a_graph_that_cannot_be_read_is_done_without_and_both_recall_and_health_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let heron = keep(&engine, "a heron stood by the lake");
    let other = keep(&engine, "the boathouse key hangs behind the door");
    store.break_down("edges_of", errors()[1].0.clone());
    let cold = engine.recall(&Recall::new("heron")).unwrap();
    assert!(cold.hits[0].memory.id == heron && cold.degraded[0].contains("graph"), "{:?}", cold.degraded);
    store.mend();
    engine.maintain().unwrap();
    let edge = NewEdge { source: heron, target: other, edge_type: EdgeType::RelatedTo, weight: 1.0 };
    assert!(engine.link(&Scope::All, &edge).unwrap());
    store.break_down("edge_changes", errors()[1].0.clone());
    let degraded = engine.recall(&Recall::new("heron")).unwrap();
    assert_eq!(degraded.hits[0].memory.id, heron);
    assert_eq!(degraded.degraded.len(), 1, "{:?}", degraded.degraded);
    assert!(degraded.degraded[0].contains("graph"), "{:?}", degraded.degraded);
    let health = engine.health();
    assert!(health.healthy, "{:?}", health.problems);
    assert!(health.warnings.iter().any(|warning| warning.contains("graph")), "{:?}", health.warnings);
    store.mend();
    let whole = engine.recall(&Recall::new("heron")).unwrap();
    assert!(whole.degraded.is_empty() && whole.hits[0].memory.id == heron);
    assert!(engine.health().warnings.iter().all(|warning| !warning.contains("graph")));
}

#[test]
fn a_recall_reads_the_links_of_a_memory_once() {
    let folder = tempfile::tempdir().unwrap();
    let (heron, other) = {
        let engine = Perihelion::open(options(folder.path())).unwrap();
        let heron = keep(&engine, "a heron stood by the lake");
        let other = keep(&engine, "the boathouse key hangs behind the door");
        let edge = NewEdge { source: heron, target: other, edge_type: EdgeType::RelatedTo, weight: 1.0 };
        assert!(engine.link(&Scope::All, &edge).unwrap());
        (heron, other)
    };
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let found = engine.recall(&Recall::new("heron")).unwrap();
    let ids: Vec<_> = found.hits.iter().map(|hit| hit.memory.id).collect();
    assert_eq!(ids, [heron, other], "the link was followed");
    // It is among the best by words and by meaning, and again among the best of all; so is the other by meaning.
    let read = store.calls("edges_of");
    assert!((1..=2).contains(&read), "{read} reads for two memories");
}

#[test]
fn a_store_that_is_away_makes_the_engine_unhealthy_and_nothing_panics() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let id = keep(&engine, "a heron by the lake");
    let _subscription = engine.subscribe(None, |_| {}).unwrap();
    for (error, kind) in errors() {
        store.break_down("*", error);
        let health = engine.health();
        assert!(!health.healthy && !health.store_reachable, "{health:?}");
        assert!(health.problems[0].contains("the store cannot be read"), "{:?}", health.problems);
        assert_eq!(kind_of(engine.remember(Remember::new("a stork on the roof"))), Some(kind));
        assert_eq!(kind_of(engine.recall(&Recall::new("heron"))), Some(kind));
        assert_eq!(kind_of(engine.reorbit(&Scope::All)), Some(kind));
        assert_eq!(kind_of(engine.get(&Scope::All, id)), Some(kind));
        store.mend();
        let health = engine.health();
        assert!(health.healthy && health.store_reachable && health.memories == 1, "{health:?}");
    }
    assert_eq!(all(&engine, Trashed::Without).len(), 1);
}

#[test]
fn a_recall_from_a_store_that_another_process_holds_finds_nothing_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    keep(&engine, "a heron by the lake");
    store.break_down("*", StoreError::Busy { path: "perihelion.db".into(), waited_ms: 2000 });
    let recalled = engine.recall(&Recall::new("heron")).unwrap();
    assert!(
        recalled.hits.is_empty() && recalled.degraded[0].contains("locked by another process"),
        "{recalled:?}"
    );
    store.mend();
    assert_eq!(engine.recall(&Recall::new("heron")).unwrap().hits.len(), 1);
}

#[test]
fn health_tells_of_each_part_that_cannot_be_read() {
    for (method, part) in
        [("stats", "store"), ("lease", "leases"), ("changes", "index"), ("events", "events")]
    {
        let folder = tempfile::tempdir().unwrap();
        let store = Faulty::open(folder.path());
        let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
        keep(&engine, "a heron by the lake");
        store.break_down(method, errors()[1].0.clone());
        let health = engine.health();
        assert!(
            !health.healthy && health.problems.iter().any(|text| text.contains(part)),
            "{method}: {health:?}"
        );
    }
}

#[test]
fn feedback_that_could_not_be_kept_counts_nothing_as_used() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let id = keep(&engine, "a heron by the lake");
    let feedback = Feedback { query: "heron".into(), used: vec![id], ..Feedback::default() };
    for (error, kind) in errors() {
        store.fail("write", 1, error);
        assert_eq!(kind_of(engine.feedback(&Namespace::default(), &feedback)), Some(kind));
    }
    engine.maintain().unwrap();
    assert_eq!(engine.usage(&Namespace::default(), id).unwrap(), None);
    engine.feedback(&Namespace::default(), &feedback).unwrap();
    engine.maintain().unwrap();
    assert_eq!(engine.usage(&Namespace::default(), id).unwrap().map(|(recalls, _)| recalls), Some(1));
}

#[test]
fn who_came_and_who_was_turned_away_is_written_once_when_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let key = NewKey { name: "ci".into(), role: Role::Reader, scope: Scope::All };
    let created = engine.create_key(key).unwrap();
    engine.authenticate(&created.secret).unwrap().unwrap();
    for method in ["note_key_uses", "record_usage"] {
        for (error, kind) in errors() {
            engine.tell_refused(None, "GET /v1/keys", None, "no key");
            store.fail(method, 1, error);
            assert_eq!(kind_of(engine.maintain()), Some(kind), "{method}");
        }
    }
    engine.maintain().unwrap();
    engine.maintain().unwrap();
    let refused = logged(&engine, &[EventKind::AccessRefused]);
    let counts = refused.iter().map(|event| match event.what {
        Happening::AccessRefused { count, .. } => count,
        _ => 0,
    });
    assert_eq!(counts.collect::<Vec<_>>(), [4]);
    assert!(engine.keys().unwrap()[0].used_at.is_some());
}

#[test]
fn a_door_that_cannot_look_lets_nobody_in() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let key = NewKey { name: "ci".into(), role: Role::Reader, scope: Scope::All };
    let secret = engine.create_key(key).unwrap().secret;
    for (error, kind) in errors() {
        store.break_down("*", error);
        assert_eq!(kind_of(engine.authenticate(&secret)), Some(kind));
        assert_eq!(kind_of(engine.has_keys()), Some(kind));
        store.mend();
        assert!(engine.authenticate(&secret).unwrap().is_some());
    }
}

#[test]
fn events_that_could_not_be_read_are_told_with_the_next_ones() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let (told, hear) = std::sync::mpsc::channel();
    let _subscription = engine.subscribe(None, move |event| told.send(event.number).unwrap()).unwrap();
    store.break_down("events", errors()[0].0.clone());
    keep(&engine, "a heron by the lake");
    assert_eq!(hear.try_iter().count(), 0);
    store.mend();
    keep(&engine, "a crane at the harbour");
    assert_eq!(hear.try_iter().collect::<Vec<_>>(), [1, 2]);
}
