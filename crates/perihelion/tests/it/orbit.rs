//! Orbits: who is near, who gives way, and that recall reaches all; what is recalled counts once.

mod upkeep;

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::SignedDuration;
use perihelion::{
    Capacities, Clock, Decay, EngineChoice, EventKind, Happening, IdleTime, Importance, LogQuery, MemoryId,
    MoveReason, Namespace, Options, OrbitSettings, Perihelion, Recall, Remember, Scope, Timestamp, Trashed,
    Zone,
};

use crate::support::{Random, Worker, all, ns, options, role, scope, tell, time, worker_command};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// When the tests' clocks begin: a whole step.
pub fn start() -> Timestamp {
    time("2026-01-05T08:00:00Z")
}

pub fn after(seconds: i64) -> Timestamp {
    start() + SignedDuration::from_secs(seconds)
}

pub fn seconds(seconds: i64) -> Duration {
    Duration::from_secs(seconds.unsigned_abs())
}

/// Found by words alone and judged by nobody, so that only what a test says decides how near things orbit.
pub fn plain(folder: impl AsRef<Path>, clock: &Clock, orbit: OrbitSettings) -> Options {
    let (engine, clock) = (EngineChoice::Off, clock.clone());
    // Time passes without anybody asking for anything; what is in use is tried by the tests of timekeeping.
    let decay = Decay { idle_time: IdleTime::Calendar, most_percent: 100, ..orbit.decay };
    Options { engine, clock, orbit: OrbitSettings { decay, ..orbit }, ..options(folder) }
}

pub fn move_to(clock: &Clock, seconds: i64) {
    clock.advance(after(seconds).duration_since(clock.now()));
}

pub fn important(content: impl Into<String>, importance: f64) -> Remember {
    Remember { importance: Some(Importance::new(importance).unwrap()), ..Remember::new(content) }
}

pub fn zone_of(engine: &Perihelion, id: MemoryId) -> Zone {
    engine.get(&Scope::All, id).unwrap().zone
}

pub fn is_trashed(engine: &Perihelion, id: MemoryId) -> bool {
    engine.get(&Scope::All, id).unwrap().trashed_at.is_some()
}

/// What the audit log holds of some kinds, in order.
pub fn logged(engine: &Perihelion, kinds: &[EventKind]) -> Vec<perihelion::Event> {
    let query = LogQuery { limit: usize::MAX, kinds: kinds.to_vec(), ..LogQuery::default() };
    engine.events(&query).unwrap().events
}

#[test]
fn settling_again_at_the_same_time_does_and_tells_nothing() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    for name in ["one", "two"] {
        engine.remember(important("item1x", 0.5).in_namespace(ns(name))).unwrap();
    }
    move_to(&clock, 40 * DAY + 7);
    let first = engine.reorbit(&scope("one")).unwrap();
    assert_eq!((first.step, first.memories, first.forgotten), (Some(after(40 * DAY)), 1, 0));
    assert!(first.moved > 0);
    assert_eq!(first.namespaces, [ns("one")], "only what was asked for");
    assert_eq!(engine.reorbit(&Scope::All).unwrap().namespaces, [ns("two")]);
    let told = logged(&engine, &[]);
    for _ in 0..3 {
        let again = engine.reorbit(&Scope::All).unwrap();
        assert_eq!((again.memories, again.moved, again.namespaces.len()), (0, 0, 0));
        engine.maintain().unwrap();
    }
    assert_eq!(logged(&engine, &[]), told);
}

/// An engine with a memory in each zone, settled: named by the zone it is in.
fn spread(folder: &Path, clock: &Clock) -> (Perihelion, Vec<(Zone, MemoryId)>) {
    let engine = Perihelion::open(plain(folder, clock, OrbitSettings::default())).unwrap();
    let mut kept = Vec::new();
    let born = [(Zone::Cloud, 0, 0.0), (Zone::Belt, 40, 0.5), (Zone::Outer, 50, 0.5), (Zone::Inner, 68, 0.5)];
    for (zone, day, importance) in born {
        move_to(clock, day * DAY + 1);
        let content = format!("{}word", zone.as_str());
        kept.push((zone, engine.remember(important(content, importance)).unwrap().id));
    }
    move_to(clock, 70 * DAY);
    kept.push((Zone::Core, engine.remember(important("coreword", 1.0)).unwrap().id));
    for _ in 0..20 {
        assert_eq!(engine.recall(&Recall::new("coreword")).unwrap().hits.len(), 1);
    }
    move_to(clock, 70 * DAY + 10 * MINUTE);
    engine.maintain().unwrap();
    for (zone, id) in &kept {
        assert_eq!(zone_of(&engine, *id), *zone);
    }
    (engine, kept)
}

#[test]
fn zones_the_core_among_them_survive_a_restart() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, kept) = spread(folder.path(), &clock);
    engine.close().unwrap();
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    for (zone, id) in &kept {
        assert_eq!(zone_of(&engine, *id), *zone);
    }
    engine.maintain().unwrap();
    assert!(
        kept.iter().all(|(zone, id)| zone_of(&engine, *id) == *zone),
        "nor does the next settling move them"
    );
}

#[test]
fn the_best_match_is_recalled_wherever_it_orbits() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, kept) = spread(folder.path(), &clock);
    for (zone, id) in kept {
        let hits = engine.recall(&Recall::new(format!("{}word", zone.as_str())).limit(1)).unwrap().hits;
        assert_eq!((hits[0].memory.id, hits[0].memory.zone), (id, zone));
    }
}

#[test]
fn recalls_move_nothing_by_themselves_and_never_change_the_importance() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, kept) = spread(folder.path(), &clock);
    let before = all(&engine, Trashed::Without);
    for (zone, _) in &kept {
        for _ in 0..30 {
            assert_eq!(engine.recall(&Recall::new(format!("{}word", zone.as_str()))).unwrap().hits.len(), 1);
        }
    }
    assert_eq!(all(&engine, Trashed::Without), before);
    engine.maintain().unwrap();
    assert_eq!(all(&engine, Trashed::Without), before, "nor do the chores before the next step");
    clock.advance(SignedDuration::from_mins(5));
    engine.maintain().unwrap();
    for (old, new) in before.iter().zip(all(&engine, Trashed::Without)) {
        assert_eq!((old.importance, old.version), (new.importance, new.version));
        assert!(new.zone < Zone::Outer, "{} came nearer: {}", new.content, new.zone);
    }
}

#[test]
fn an_overfull_zone_pushes_the_lowest_score_outward_and_takes_it_back_when_there_is_room() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let capacities = Capacities { core: 1, inner: 2, outer: 2 };
    let orbit = OrbitSettings { capacities, ..OrbitSettings::default() };
    let engine = Perihelion::open(plain(folder.path(), &clock, orbit)).unwrap();
    let importances = [0.3, 0.8, 0.5, 0.6, 0.4, 0.7];
    let ids: Vec<_> = (importances.iter().enumerate())
        .map(|(n, importance)| engine.remember(important(format!("item{n}x"), *importance)).unwrap().id)
        .collect();
    let zones = |engine: &Perihelion| ids.iter().map(|id| zone_of(engine, *id)).collect::<Vec<_>>();
    assert_eq!(zones(&engine), [Zone::Inner; 6], "each by itself");
    move_to(&clock, 5 * MINUTE);
    engine.maintain().unwrap();
    let (inner, outer, belt) = (Zone::Inner, Zone::Outer, Zone::Belt);
    assert_eq!(zones(&engine), [belt, inner, outer, outer, belt, inner]);
    engine.forget(&Scope::All, ids[1]).unwrap();
    move_to(&clock, 10 * MINUTE);
    engine.maintain().unwrap();
    assert_eq!(zones(&engine)[2..], [outer, inner, outer, inner], "the next in line move up");
    let moves = logged(&engine, &[EventKind::ZoneChanged]);
    assert_eq!(moves.len(), 6);
    for event in moves {
        assert!(matches!(event.what, Happening::ZoneChanged { reason: MoveReason::Room, .. }), "{event:?}");
    }
}

#[test]
fn zones_are_counted_by_namespace() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let capacities = Capacities { core: 1, inner: 1, outer: 1 };
    let orbit = OrbitSettings { capacities, ..OrbitSettings::default() };
    let engine = Perihelion::open(plain(folder.path(), &clock, orbit)).unwrap();
    for name in ["one", "two", "two/below"] {
        engine.remember(important("item1x", 0.5).in_namespace(ns(name))).unwrap();
    }
    move_to(&clock, HOUR);
    engine.maintain().unwrap();
    assert!(all(&engine, Trashed::Without).iter().all(|memory| memory.zone == Zone::Inner));
}

#[test]
fn every_recall_counts_once_before_and_after_it_was_settled() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let options = || plain(folder.path(), &clock, OrbitSettings::default());
    let mut engine = Perihelion::open(options()).unwrap();
    let ids = ["item1x", "item2x item1x"].map(|content| engine.remember(important(content, 0.5)).unwrap().id);
    let mut handed_out = [0_u64; 2];
    let mut random = Random(5);
    for round in 0..40 {
        clock.advance(SignedDuration::from_secs(1 + random.below(400) as i64));
        for _ in 0..random.below(4) {
            let request = Recall::new(["item1x", "item2x"][random.below(2) as usize]);
            for hit in engine.recall(&request.limit(1 + random.below(2) as usize)).unwrap().hits {
                handed_out[usize::from(hit.memory.id == ids[1])] += 1;
            }
        }
        match round % 5 {
            0 => drop(engine.reorbit(&Scope::All).unwrap()),
            1 => (0..3).for_each(|_| engine.maintain().unwrap()),
            2 => {
                engine.close().unwrap();
                engine = Perihelion::open(options()).unwrap();
            }
            _ => continue,
        }
        let counted =
            ids.map(|id| engine.usage(&Namespace::default(), id).unwrap().map_or(0, |(recalls, _)| recalls));
        assert_eq!(counted, handed_out, "round {round}");
    }
    assert!(handed_out.iter().all(|count| *count > 5), "{handed_out:?}");
}

/// The worker: recalls at a time and settles when its parent says so.
#[test]
fn reader() {
    let Some(folder) = role("orbit::reader") else { return };
    let clock = Clock::manual(start());
    let engine = Perihelion::open(plain(PathBuf::from(folder), &clock, OrbitSettings::default())).unwrap();
    for line in std::io::stdin().lines().map(Result::unwrap) {
        match line.split_once(' ').unwrap() {
            ("recall", times) => {
                for _ in 0..times.parse::<usize>().unwrap() {
                    clock.advance(SignedDuration::from_secs(1));
                    assert_eq!(engine.recall(&Recall::new("item1x")).unwrap().hits.len(), 1);
                }
                tell("done");
            }
            ("settle", at) => {
                move_to(&clock, at.parse().unwrap());
                engine.maintain().unwrap();
                tell("done");
            }
            other => panic!("unknown order {other:?}"),
        }
    }
    engine.close().unwrap();
}

#[test]
fn every_recall_of_several_processes_counts_once_while_they_settle() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(start());
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    let mut workers: Vec<_> =
        (0..3).map(|_| Worker::start(worker_command("orbit::reader", folder.path()))).collect();
    for round in 1..=5 {
        // All at once: some recall while others settle.
        for (number, worker) in workers.iter_mut().enumerate() {
            worker.send("recall 7");
            worker.send(&format!("settle {}", round * 10 * MINUTE + number as i64 * 5 * MINUTE));
            worker.send("recall 3");
        }
        for worker in &mut workers {
            (0..3).for_each(|_| assert_eq!(worker.hear().as_deref(), Some("done")));
        }
    }
    workers.into_iter().for_each(|worker| drop(worker.finish()));
    let recalls = |engine: &Perihelion| engine.usage(&Namespace::default(), id).unwrap().unwrap().0;
    assert_eq!(recalls(&engine), 3 * 5 * 10);
    move_to(&clock, DAY);
    engine.maintain().unwrap();
    assert_eq!(recalls(&engine), 3 * 5 * 10, "nor does folding them in change it");
}
