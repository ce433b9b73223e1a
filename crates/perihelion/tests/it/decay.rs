//! Decay: what nobody uses falls outward and is forgotten, into the trash, at its time and not before.

use std::path::Path;
use std::time::Duration;

use perihelion::{
    Capacities, Clock, Decay, EventKind, Facets, Happening, ImportOptions, Least, MemoryId, Namespace,
    Options, OrbitSettings, Outcome, Perihelion, Recall, Remember, Revise, Scope, Timestamp, Trashed,
    Weights, Zone,
};

use crate::orbit::{
    DAY, after, important, is_trashed, logged, move_to, plain, seconds, start, zone_of,
};
use crate::support::{all, options};

/// Zones change at every second, so that the second before can be looked at.
fn by_the_second() -> OrbitSettings {
    OrbitSettings { step: Duration::from_secs(1), ..OrbitSettings::default() }
}

fn open(folder: &Path, clock: &Clock, orbit: OrbitSettings) -> Perihelion {
    Perihelion::open(plain(folder, clock, orbit)).unwrap()
}

fn fresh(orbit: OrbitSettings) -> (tempfile::TempDir, Clock, Perihelion) {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = open(folder.path(), &clock, orbit);
    (folder, clock, engine)
}

/// Lets time pass and settles.
fn at(engine: &Perihelion, clock: &Clock, second: i64) {
    move_to(clock, second);
    engine.maintain().unwrap();
}

fn recall(engine: &Perihelion, word: &str) -> Vec<MemoryId> {
    engine.recall(&Recall::new(word)).unwrap().hits.into_iter().map(|hit| hit.memory.id).collect()
}

#[test]
fn an_idle_memory_falls_after_30_days_and_is_forgotten_after_90_and_not_a_second_before() {
    let (_folder, clock, engine) = fresh(by_the_second());
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    assert_eq!(zone_of(&engine, id), Zone::Inner);
    for (second, zone) in [
        (18 * DAY, Zone::Inner),
        (30 * DAY - 1, Zone::Outer),
        (30 * DAY, Zone::Belt),
        (60 * DAY - 1, Zone::Cloud),
        (90 * DAY - 1, Zone::Cloud),
    ] {
        at(&engine, &clock, second);
        assert_eq!((zone_of(&engine, id), is_trashed(&engine, id)), (zone, false), "after {second} seconds");
        assert!(second < 30 * DAY || !logged(&engine, &[EventKind::Decayed]).is_empty());
    }
    at(&engine, &clock, 90 * DAY);
    assert!(is_trashed(&engine, id));
    assert!(recall(&engine, "item1x").is_empty());
    let forgotten = logged(&engine, &[EventKind::AutoForgotten]);
    assert_eq!(forgotten.len(), 1);
    assert_eq!((forgotten[0].at, &forgotten[0].what), (after(90 * DAY), &Happening::AutoForgotten { id, idle_days: 90 }));
    let idle = |event: &perihelion::Event| match event.what {
        Happening::Decayed { demoted, forgotten } => (event.at, demoted, forgotten),
        _ => unreachable!("only decays were asked for"),
    };
    let decays: Vec<_> = logged(&engine, &[EventKind::Decayed]).iter().map(idle).collect();
    assert_eq!(decays.first(), Some(&(after(30 * DAY), 1, 0)));
    assert_eq!(decays.last(), Some(&(after(90 * DAY), 0, 1)));
}

#[test]
fn a_recall_starts_the_time_anew() {
    let (_folder, clock, engine) = fresh(by_the_second());
    let id = engine.remember(important("item1x", 0.2)).unwrap().id;
    at(&engine, &clock, 80 * DAY);
    assert_eq!(zone_of(&engine, id), Zone::Cloud);
    assert_eq!(recall(&engine, "item1x"), [id]);
    at(&engine, &clock, 81 * DAY);
    assert!(zone_of(&engine, id) < Zone::Belt);
    at(&engine, &clock, 170 * DAY - 1);
    assert!(!is_trashed(&engine, id));
    at(&engine, &clock, 170 * DAY);
    assert!(is_trashed(&engine, id));
}

#[test]
fn what_is_pinned_or_matters_most_is_never_forgotten_and_nothing_is_when_decay_is_off() {
    let years = 3 * 365 * DAY;
    let off = Decay { enabled: false, ..Decay::default() };
    for (orbit, importance, pinned) in [
        (OrbitSettings::default(), 0.0, true),
        (OrbitSettings::default(), 1.0, false),
        (OrbitSettings { decay: off, ..OrbitSettings::default() }, 0.0, false),
    ] {
        let (_folder, clock, engine) = fresh(orbit);
        let facets = Facets { pinned, ..Facets::default() };
        let id = engine.remember(Remember { facets, ..important("item1x", importance) }).unwrap().id;
        at(&engine, &clock, years);
        assert!(!is_trashed(&engine, id), "{importance} {pinned}");
        assert!(logged(&engine, &[EventKind::AutoForgotten, EventKind::Decayed]).is_empty());
        assert_eq!(recall(&engine, "item1x"), [id]);
    }
}

/// Where an ordinary memory is after so many days, having been recalled so often at first.
fn place_after(orbit: OrbitSettings, days: i64, recalls: usize) -> Option<Zone> {
    let (_folder, clock, engine) = fresh(orbit);
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    engine.remember(important("item2x", 0.6)).unwrap();
    for _ in 0..recalls {
        assert_eq!(recall(&engine, "item1x"), [id]);
    }
    at(&engine, &clock, days * DAY);
    (!is_trashed(&engine, id)).then(|| zone_of(&engine, id))
}

#[test]
fn every_number_of_the_orbit_changes_where_memories_are() {
    let usual = OrbitSettings::default();
    let decay = |change: fn(&mut Decay)| {
        let mut orbit = usual;
        change(&mut orbit.decay);
        orbit
    };
    let least = |change: fn(&mut Least)| {
        let mut orbit = usual;
        change(&mut orbit.least);
        orbit
    };
    let weights = |recall, freshness, importance| {
        let weights = Weights { recall, freshness, importance, ..Weights::default() };
        OrbitSettings { weights, ..usual }
    };
    let room = |core, inner, outer| {
        let capacities = Capacities { core, inner, outer };
        OrbitSettings { capacities, ..usual }
    };
    let some = Some;
    use Zone::{Belt, Cloud, Core, Inner, Outer};
    let cases = [
        ("demote_every", decay(|d| d.demote_every = seconds(40 * DAY)), 31, 0, some(Belt), some(Outer)),
        ("forget_after", decay(|d| d.forget_after = seconds(91 * DAY)), 90, 0, None, some(Cloud)),
        ("protected", decay(|d| d.protected = Some(Zone::Outer)), 31, 0, some(Belt), some(Outer)),
        ("enabled", decay(|d| d.enabled = false), 90, 0, None, some(Belt)),
        ("half_life", OrbitSettings { half_life: seconds(28 * DAY), ..usual }, 25, 0, some(Outer), some(Inner)),
        ("saturation", OrbitSettings { saturation: 3, ..usual }, 1, 3, some(Inner), some(Core)),
        ("recall", weights(1.0, 0.3, 0.25), 1, 30, some(Inner), some(Core)),
        ("freshness", weights(0.3, 1.0, 0.25), 1, 0, some(Inner), some(Core)),
        ("importance", weights(0.3, 0.3, 1.0), 25, 0, some(Outer), some(Inner)),
        ("least.core", least(|l| l.core = 0.45), 1, 0, some(Inner), some(Core)),
        ("least.inner", least(|l| l.inner = 0.21), 25, 0, some(Outer), some(Inner)),
        ("least.outer", least(|l| l.outer = 0.28), 25, 0, some(Outer), some(Belt)),
        ("least.belt", least(|l| l.belt = 0.16), 80, 0, some(Cloud), some(Cloud)),
        ("capacities.inner", room(1, 1, 1), 1, 0, some(Inner), some(Outer)),
        ("capacities.outer", room(1, 1, 2), 25, 0, some(Outer), some(Outer)),
    ];
    for (name, orbit, days, recalls, before, after) in cases {
        assert_eq!(place_after(usual, days, recalls), before, "{name} as it is");
        assert_eq!(place_after(orbit, days, recalls), after, "{name} changed");
    }
}
