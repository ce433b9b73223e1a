//! Health, and the chores it watches: true numbers, warnings at their bounds, one process that does the chores.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::SignedDuration;
use peri_store::{SqliteSettings, SqliteStore, Store};
use perihelion::embed::{EmbedError, Engine};
use perihelion::{
    Capacities, Chores, Clock, EdgeType, EventKind, GraphSettings, Health, NewEdge, Options, OrbitSettings,
    Perihelion, Recall, Remember, Scope, SpaceId, Zone,
};

use crate::orbit::{DAY, after, important, move_to, plain, start};
use crate::support::{ask, fresh, keep, ns, open, options};

fn store_in(folder: &Path) -> Arc<SqliteStore> {
    let path = folder.join(Perihelion::DATABASE);
    Arc::new(SqliteStore::open(&path, &SqliteSettings::default()).unwrap())
}

fn warns(health: &Health, of: &str) -> bool {
    health.warnings.iter().any(|warning| warning.contains(of))
}

fn in_zone(health: &Health, zone: Zone) -> (u64, Option<u64>) {
    let found = health.zones.iter().find(|own| own.zone == zone).unwrap();
    (found.memories, found.percent)
}

#[test]
fn an_empty_engine_is_healthy_and_nothing_is_amiss() {
    let (_folder, engine) = fresh();
    let health = engine.health();
    assert!(health.healthy && health.store_reachable && !health.read_only, "{health:?}");
    assert_eq!((health.memories, health.trashed, health.edges, health.unembedded), (0, 0, 0, 0));
    assert!(health.problems.is_empty());
    assert!(!warns(&health, "chores"), "there is nothing to do: {:?}", health.warnings);
}

#[cfg(unix)]
#[test]
fn a_move_to_another_key_that_cannot_be_looked_at_is_not_taken_for_none() {
    let (folder, engine) = fresh();
    let mark = folder.path().join("encryption.unfinished");
    assert!(!perihelion::is_unfinished(folder.path()).unwrap());
    // A link to itself: the system can say neither that something is there nor that nothing is.
    std::os::unix::fs::symlink(&mark, &mark).unwrap();
    assert!(perihelion::is_unfinished(folder.path()).is_err());
    assert!(warns(&engine.health(), "cannot be told"), "{:?}", engine.health().warnings);
    std::fs::remove_file(&mark).unwrap();
    std::fs::write(&mark, "{}").unwrap();
    assert!(warns(&engine.health(), "is not finished"), "{:?}", engine.health().warnings);
}

#[test]
fn totals_are_those_of_all_namespaces() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let graph = GraphSettings { auto_link: false, ..GraphSettings::default() };
    let options = Options { graph, ..plain(folder.path(), &clock, OrbitSettings::default()) };
    let engine = Perihelion::open(options).unwrap();
    let mut ids = Vec::new();
    for name in ["one", "two", "two/below"] {
        for number in 0..4 {
            let request = important(format!("item{number}x"), 0.5).in_namespace(ns(name));
            ids.push(engine.remember(request).unwrap().id);
        }
    }
    let edge = NewEdge { source: ids[0], target: ids[1], edge_type: EdgeType::Sequence, weight: 0.5 };
    assert!(engine.link(&Scope::All, &edge).unwrap());
    [2, 5].into_iter().for_each(|at| drop(engine.forget(&Scope::All, ids[at]).unwrap()));
    engine.forget(&Scope::All, ids[6]).unwrap();
    engine.purge(&Scope::All, ids[6]).unwrap();
    let health = engine.health();
    assert_eq!((health.memories, health.trashed, health.edges), (9, 2, 1));
    assert_eq!(in_zone(&health, Zone::Inner), (9, Some(4)), "at most four of a hundred in one namespace");
    assert_eq!(health.zones.iter().map(|zone| zone.memories).sum::<u64>(), 9);
    let capacities: Vec<_> = health.zones.iter().map(|zone| zone.capacity).collect();
    assert_eq!(capacities, [Some(20), Some(100), Some(1000), None, None]);
    move_to(&clock, 70 * DAY);
    engine.maintain().unwrap();
    let health = engine.health();
    assert_eq!(in_zone(&health, Zone::Cloud), (9, None));
    assert_eq!(health.scheduler.settled_at, Some(after(70 * DAY)));
}

#[test]
fn a_zone_is_warned_of_from_80_percent_on_in_the_namespace_that_is_full() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    let fill = |name: &str, numbers: std::ops::Range<usize>| {
        let batch = numbers.map(|n| important(format!("item{n}x"), 0.5).in_namespace(ns(name)));
        engine.remember_all(batch.collect()).unwrap();
    };
    fill("roomy", 0..60);
    fill("full", 0..79);
    let health = engine.health();
    assert_eq!(in_zone(&health, Zone::Inner), (139, Some(79)));
    assert!(!warns(&health, "capacity"), "{:?}", health.warnings);
    fill("full", 79..80);
    let health = engine.health();
    assert_eq!(in_zone(&health, Zone::Inner), (140, Some(80)));
    let warning = health.warnings.iter().find(|warning| warning.contains("capacity")).unwrap();
    assert!(warning.contains("inner") && warning.contains("80 %") && warning.contains("full"), "{warning}");
    assert!(!warning.contains("roomy") && health.healthy, "{warning}");
}

#[test]
fn every_bounded_zone_is_warned_of_at_its_own_capacity() {
    let capacities = Capacities { core: 5, inner: 10, outer: 15 };
    for (zone, fits, importance, days) in
        [(Zone::Core, 5, 1.0, 0), (Zone::Inner, 10, 0.5, 1), (Zone::Outer, 15, 0.5, 25)]
    {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
        let mut orbit = OrbitSettings { capacities, ..OrbitSettings::default() };
        orbit.least.core = 0.6;
        let engine = Perihelion::open(plain(folder.path(), &clock, orbit)).unwrap();
        let enough = fits * 4 / 5;
        for number in 0..enough - 1 {
            engine.remember(important(format!("item{number}x"), importance)).unwrap();
        }
        let last = |engine: &Perihelion| engine.remember(important("item99x", importance)).unwrap();
        if days == 0 {
            assert!(!warns(&engine.health(), "capacity"), "{zone}");
            last(&engine);
        } else {
            last(&engine);
            move_to(&clock, days * DAY);
            engine.maintain().unwrap();
        }
        let health = engine.health();
        assert_eq!(in_zone(&health, zone), (enough, Some(80)), "{zone}");
        assert!(warns(&health, &format!("the {zone} zone")), "{:?}", health.warnings);
    }
}

#[test]
fn what_others_took_the_place_of_fills_no_zone() {
    let (_folder, engine) = fresh();
    keep(&engine, "Ana lives in Berlin.");
    keep(&engine, "Ana moved to Lisbon.");
    let health = engine.health();
    assert_eq!((health.memories, health.zones.iter().map(|zone| zone.memories).sum::<u64>()), (2, 1));
}

#[test]
fn a_scheduler_that_stands_still_is_warned_of_once_something_is_overdue() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    engine.remember(important("item1x", 0.5)).unwrap();
    let health = engine.health();
    assert!(!health.scheduler.running && !warns(&health, "chores"), "just stored: {:?}", health.warnings);
    move_to(&clock, 2 * DAY + 1);
    assert!(warns(&engine.health(), "never settled"), "{:?}", engine.health().warnings);
    move_to(&clock, 3 * DAY);
    engine.reorbit(&Scope::All).unwrap();
    let health = engine.health();
    assert_eq!(health.scheduler.settled_at, Some(after(3 * DAY)));
    assert!(!health.scheduler.running && !warns(&health, "chores"), "by hand: {:?}", health.warnings);
    move_to(&clock, 5 * DAY);
    assert!(!warns(&engine.health(), "chores"), "not yet");
    clock.advance(SignedDuration::from_secs(1));
    let warnings = engine.health().warnings;
    let warning = warnings.iter().find(|warning| warning.contains("no process is doing the chores")).unwrap();
    assert!(warning.contains("2026-01-08 08:00:00;"), "as people read it: {warning}");
    let store = store_in(folder.path());
    assert!(store.acquire_lease("chores", "another", clock.now(), Duration::from_secs(900)).unwrap());
    let health = engine.health();
    assert!(health.scheduler.running && !warns(&health, "chores"), "{:?}", health.warnings);
    clock.advance(SignedDuration::from_secs(900));
    assert!(warns(&engine.health(), "no process is doing the chores"), "it died");
}

/// An engine that can be switched off.
struct Switched {
    space: SpaceId,
    on: AtomicBool,
}

impl Engine for Switched {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        match self.on.load(Ordering::SeqCst) {
            true => Ok(vec![Some(vec![1.0, 0.0]); texts.len()]),
            false => Err(EmbedError::NotFinite { model: self.space.model.clone() }),
        }
    }
}

#[test]
fn memories_that_wait_for_a_vector_are_counted_and_warned_of_until_they_have_one() {
    let folder = tempfile::tempdir().unwrap();
    let space = SpaceId { model: "switched".into(), dimensions: 2 };
    let engine = Arc::new(Switched { space, on: AtomicBool::new(false) });
    let own = Some(Arc::clone(&engine) as Arc<dyn Engine>);
    let memories = Perihelion::with_engine(options(folder.path()), store_in(folder.path()), own).unwrap();
    for number in 0..3 {
        keep(&memories, &format!("heron number {number}"));
    }
    memories.maintain().unwrap();
    let health = memories.health();
    assert_eq!(health.unembedded, 3);
    assert!(health.healthy && warns(&health, "3 memories wait for a vector"), "{:?}", health.warnings);
    engine.on.store(true, Ordering::SeqCst);
    memories.maintain().unwrap();
    let health = memories.health();
    assert!(health.unembedded == 0 && !warns(&health, "vector"), "{health:?}");
}

#[test]
fn what_an_index_lacks_is_counted_and_the_next_recall_adds_it() {
    let (folder, engine) = fresh();
    keep(&engine, "a heron by the lake");
    ask(&engine, "heron");
    assert_eq!(engine.health().index_lag, 0);
    let other = open(folder.path());
    for number in 0..5 {
        keep(&other, &format!("stork number {number}"));
    }
    assert_eq!(engine.health().index_lag, 5);
    ask(&engine, "stork");
    assert_eq!(engine.health().index_lag, 0);
    assert_eq!(open(folder.path()).health().index_lag, 0, "an index that is not there does not lag");
}

#[test]
fn health_does_not_read_the_graph_that_nobody_has_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let id = {
        let engine = open(folder.path());
        let ids = ["물총새", "翠鸟"].map(|text| keep(&engine, text));
        let [source, target] = ids;
        let edge = NewEdge { source, target, edge_type: EdgeType::RelatedTo, weight: 1.0 };
        assert!(engine.link(&Scope::All, &edge).unwrap());
        source
    };
    let store = Arc::new(crate::graph::found::Unreadable {
        inner: SqliteStore::open(&folder.path().join(Perihelion::DATABASE), &SqliteSettings::default())
            .unwrap(),
        failing: Mutex::new(Some("edge_changes")),
    });
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    assert!(!warns(&engine.health(), "graph"), "{:?}", engine.health().warnings);
    let walk = perihelion::Walk::from(std::slice::from_ref(&id));
    assert_eq!(engine.walk(&ns("default"), &walk).unwrap().len(), 1, "nor do small walks");
    *store.failing.lock().unwrap() = Some("edges_of");
    let health = engine.health();
    assert!(health.healthy && warns(&health, "the graph of default cannot be read"), "{:?}", health.warnings);
}

#[test]
fn memories_whose_links_nobody_has_looked_for_are_counted() {
    let (_folder, engine) = fresh();
    engine.remember_all((0..70).map(|n| Remember::new(format!("heron number {n}"))).collect()).unwrap();
    assert_eq!(engine.health().queue.unlinked, 70);
    engine.maintain().unwrap();
    assert_eq!(engine.health().queue.unlinked, 0);
}

fn staying(folder: &Path, clock: &Clock) -> Options {
    Options { chores: Chores::Background, ..plain(folder, clock, OrbitSettings::default()) }
}

#[test]
fn of_two_engines_that_stay_one_does_the_chores_and_the_other_takes_over_when_it_closes() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let store = store_in(folder.path());
    let holder = || store.lease("chores").unwrap().map(|lease| lease.holder);
    let first = Perihelion::open(staying(folder.path(), &clock)).unwrap();
    first.maintain().unwrap();
    let one = holder().unwrap();
    assert!(first.health().scheduler.running);
    let second = Perihelion::open(staying(folder.path(), &clock)).unwrap();
    second.maintain().unwrap();
    assert_eq!(holder().as_ref(), Some(&one));
    first.close().unwrap();
    assert_eq!(holder(), None, "it gives back what it holds");
    clock.advance(SignedDuration::from_secs(300 + 15));
    second.maintain().unwrap();
    assert!(holder().is_some_and(|holder| holder != one));
    drop(second);
    assert_eq!(holder(), None);
}

#[test]
fn whoever_died_with_the_chores_is_replaced_when_their_lease_has_run_out() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let store = store_in(folder.path());
    let interval = Duration::from_secs(7200);
    assert!(store.acquire_lease("chores", "dead", clock.now(), interval * 3).unwrap());
    let options = Options { reorbit_interval: interval, ..staying(folder.path(), &clock) };
    let engine = Perihelion::open(options).unwrap();
    for _ in 0..3 {
        engine.maintain().unwrap();
        assert_eq!(store.lease("chores").unwrap().unwrap().holder, "dead");
        clock.advance(SignedDuration::try_from(interval).unwrap());
    }
    engine.maintain().unwrap();
    let lease = store.lease("chores").unwrap().unwrap();
    assert_ne!(lease.holder, "dead");
    let held = SignedDuration::try_from(interval).unwrap() + SignedDuration::from_secs(15);
    assert_eq!(lease.expires_at, clock.now() + held, "until they are due again, and a little longer");
}

#[test]
fn an_engine_that_does_its_chores_by_hand_holds_no_lease() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    engine.remember(important("item1x", 0.5)).unwrap();
    move_to(&clock, DAY);
    engine.maintain().unwrap();
    assert_eq!(store_in(folder.path()).lease("chores").unwrap(), None);
}

#[test]
fn the_background_thread_settles_by_itself_and_is_gone_when_the_engine_is() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let store = store_in(folder.path());
    let engine = Perihelion::on_store(staying(folder.path(), &clock), store.clone()).unwrap();
    let (told, hear) = channel();
    let kinds = Some(vec![EventKind::Reorbited]);
    let subscription = engine.subscribe(kinds, move |event| drop(told.send(event.what.clone()))).unwrap();
    engine.remember(important("item1x", 0.5)).unwrap();
    move_to(&clock, 40 * DAY);
    engine.recall(&Recall::new("item1x")).unwrap();
    // Far longer than it takes: nobody may wait for ever for a thread that died.
    hear.recv_timeout(Duration::from_secs(120)).unwrap();
    drop(subscription);
    drop(engine);
    assert_eq!(Arc::strong_count(&store), 1, "no thread holds the store any more");
    assert_eq!(store.lease("chores").unwrap(), None);
}
