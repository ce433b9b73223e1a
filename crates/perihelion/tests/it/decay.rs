//! Decay: what nobody uses falls outward and is forgotten, into the trash, at its time and not before.

use std::path::Path;
use std::time::Duration;

use perihelion::{
    Clock, Decay, EventKind, Facets, Happening, ImportOptions, Least, MemoryId, Namespace, Options,
    OrbitSettings, Outcome, Perihelion, Recall, Remember, Revise, Scope, Timestamp, Trashed, Weights, Zone,
};

use crate::orbit::{DAY, after, important, is_trashed, logged, move_to, plain, seconds, start, zone_of};
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
    assert_eq!(
        (forgotten[0].at, &forgotten[0].what),
        (after(90 * DAY), &Happening::AutoForgotten { id, idle_days: 90 })
    );
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

/// The usual settings, changed.
fn usual(change: impl FnOnce(&mut OrbitSettings)) -> OrbitSettings {
    let mut orbit = OrbitSettings::default();
    change(&mut orbit);
    orbit
}

#[test]
fn every_number_of_the_orbit_changes_where_memories_are() {
    use Zone::{Belt, Cloud, Core, Inner, Outer};
    let base = usual(|_| {});
    let weigh = |recall, freshness, importance| {
        usual(|orbit| orbit.weights = Weights { recall, freshness, importance, ..Weights::default() })
    };
    let timeless = usual(|orbit| orbit.decay.enabled = false);
    let low = |core| {
        usual(|orbit| {
            orbit.least.core = 0.45;
            orbit.capacities.core = core;
        })
    };
    let demote_every = usual(|orbit| orbit.decay.demote_every = seconds(40 * DAY));
    let forget_after = usual(|orbit| orbit.decay.forget_after = seconds(91 * DAY));
    let protected = usual(|orbit| orbit.decay.protected = Some(Outer));
    let least_belt = OrbitSettings { least: Least { belt: 0.16, ..Least::default() }, ..timeless };
    let cases = [
        ("enabled", base, timeless, 90, 0, None, Some(Belt)),
        ("demote_every", base, demote_every, 31, 0, Some(Belt), Some(Outer)),
        ("forget_after", base, forget_after, 90, 0, None, Some(Cloud)),
        ("protected", base, protected, 31, 0, Some(Belt), Some(Outer)),
        ("step", base, usual(|orbit| orbit.step = seconds(DAY)), 30, 0, Some(Belt), Some(Outer)),
        ("half_life", base, usual(|orbit| orbit.half_life *= 2), 25, 0, Some(Outer), Some(Inner)),
        ("saturation", base, usual(|orbit| orbit.saturation = 3), 1, 3, Some(Inner), Some(Core)),
        ("weights.recall", base, weigh(1.0, 0.3, 0.25), 25, 100, Some(Inner), Some(Core)),
        ("weights.freshness", base, weigh(0.3, 1.0, 0.25), 0, 0, Some(Inner), Some(Core)),
        ("weights.importance", base, weigh(0.3, 0.3, 1.0), 25, 0, Some(Outer), Some(Inner)),
        ("least.core", base, low(20), 1, 0, Some(Inner), Some(Core)),
        ("least.inner", base, usual(|orbit| orbit.least.inner = 0.21), 25, 0, Some(Outer), Some(Inner)),
        ("least.outer", base, usual(|orbit| orbit.least.outer = 0.28), 25, 0, Some(Outer), Some(Belt)),
        ("least.belt", timeless, least_belt, 90, 0, Some(Belt), Some(Cloud)),
        ("capacities.core", low(20), low(1), 1, 0, Some(Core), Some(Inner)),
        ("capacities.inner", base, usual(|orbit| orbit.capacities.inner = 1), 1, 0, Some(Inner), Some(Outer)),
        ("capacities.outer", base, usual(|orbit| orbit.capacities.outer = 1), 25, 0, Some(Outer), Some(Belt)),
    ];
    for (name, orbit, changed, days, recalls, before, after) in cases {
        assert_eq!(place_after(orbit, days, recalls), before, "{name} as it was");
        assert_eq!(place_after(changed, days, recalls), after, "{name} changed");
    }
}

#[test]
fn what_was_restored_is_not_forgotten_again_before_its_time() {
    let (_folder, clock, engine) = fresh(by_the_second());
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    at(&engine, &clock, 95 * DAY);
    assert!(is_trashed(&engine, id));
    engine.restore(&Scope::All, id).unwrap();
    at(&engine, &clock, 95 * DAY + 1);
    assert_eq!(zone_of(&engine, id), Zone::Inner, "it counts as new");
    at(&engine, &clock, 185 * DAY - 1);
    assert!(!is_trashed(&engine, id));
    at(&engine, &clock, 185 * DAY);
    assert!(is_trashed(&engine, id));
}

#[test]
fn what_was_imported_is_not_forgotten_before_its_time_here() {
    let (_folder, clock, engine) = fresh(by_the_second());
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    at(&engine, &clock, 80 * DAY);
    let mut lines = Vec::new();
    engine.export(&Scope::All, &mut lines).unwrap();
    move_to(&clock, 200 * DAY);
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), &clock, by_the_second());
    assert_eq!(engine.import(&mut lines.as_slice(), ImportOptions::default()).unwrap().added, 1);
    for second in [200 * DAY + 1, 290 * DAY - 1] {
        at(&engine, &clock, second);
        assert!(!is_trashed(&engine, id));
    }
    at(&engine, &clock, 290 * DAY);
    assert!(is_trashed(&engine, id));
}

#[test]
fn what_is_gone_by_then_is_not_forgotten_a_second_time() {
    let (_folder, clock, engine) = fresh(OrbitSettings::default());
    let ids = [1, 2].map(|n| engine.remember(important(format!("item{n}x"), 0.5)).unwrap().id);
    move_to(&clock, 50 * DAY);
    ids.iter().for_each(|id| drop(engine.forget(&Scope::All, *id).unwrap()));
    engine.purge(&Scope::All, ids[1]).unwrap();
    at(&engine, &clock, 79 * DAY);
    let reorbited = engine.reorbit(&Scope::All).unwrap();
    assert_eq!((reorbited.moved, reorbited.forgotten), (0, 0));
    at(&engine, &clock, 95 * DAY);
    assert!(logged(&engine, &[EventKind::AutoForgotten]).is_empty());
    assert!(
        all(&engine, Trashed::Only).is_empty(),
        "the chores purged it a month after it was forgotten by hand"
    );
}

#[test]
fn what_was_recalled_when_nobody_had_settled_is_not_forgotten_for_the_time_before() {
    let (_folder, clock, engine) = fresh(OrbitSettings::default());
    let id = engine.remember(important("item1x", 0.2)).unwrap().id;
    move_to(&clock, 95 * DAY);
    assert_eq!(recall(&engine, "item1x"), [id]);
    at(&engine, &clock, 96 * DAY);
    assert!(!is_trashed(&engine, id), "it was of use yesterday");
    at(&engine, &clock, 97 * DAY);
    assert!(zone_of(&engine, id) < Zone::Belt);
    at(&engine, &clock, 186 * DAY);
    assert!(is_trashed(&engine, id));
}

#[test]
fn what_was_said_again_or_revised_does_not_count_as_idle_since_before() {
    let (_folder, clock, engine) = fresh(OrbitSettings::default());
    let keep = |content: &str, pinned| {
        let facets = Facets { pinned, ..Facets::default() };
        engine.remember(Remember { facets, ..important(content, 0.2) }).unwrap().id
    };
    let [repeated, revised, unpinned, left] =
        [("item1x", false), ("item2x", false), ("item3x", true), ("item4x", false)]
            .map(|(content, pinned)| keep(content, pinned));
    move_to(&clock, 89 * DAY);
    assert_eq!(engine.remember(important("item1x", 0.2)).unwrap().outcome, Outcome::Merged);
    let content = Some("item2x mended".to_owned());
    engine.revise(&Scope::All, revised, Revise { content, ..Revise::default() }).unwrap();
    engine.revise(&Scope::All, unpinned, Revise { pinned: Some(false), ..Revise::default() }).unwrap();
    at(&engine, &clock, 91 * DAY);
    let gone = [repeated, revised, unpinned, left].map(|id| is_trashed(&engine, id));
    assert_eq!(gone, [false, false, false, true]);
    at(&engine, &clock, 180 * DAY);
    let gone = [repeated, revised, unpinned].map(|id| is_trashed(&engine, id));
    assert_eq!(gone, [true; 3], "from then on they are idle as any");
}

#[test]
fn what_was_said_again_in_other_words_does_not_count_as_idle_since_before() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    let id = engine.remember(important("Ana prefers tea over coffee.", 0.2)).unwrap().id;
    move_to(&clock, 89 * DAY);
    let again = engine.remember(important("Ana prefers tea to coffee", 0.2)).unwrap();
    assert_eq!((again.id, again.absorbed.is_some()), (id, true));
    at(&engine, &clock, 91 * DAY);
    assert!(!is_trashed(&engine, id));
}

#[test]
fn what_was_forgotten_while_nobody_was_there_can_be_restored_for_the_whole_retention() {
    let (_folder, clock, engine) = fresh(OrbitSettings::default());
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    for second in [400 * DAY, 400 * DAY + 600, 429 * DAY] {
        at(&engine, &clock, second);
        assert!(is_trashed(&engine, id), "still in the trash after {second} seconds");
    }
    at(&engine, &clock, 431 * DAY);
    assert!(engine.get(&Scope::All, id).is_err(), "and purged a month after it got there");
}

#[test]
fn forgetting_is_told_at_its_step_whenever_it_is_settled() {
    let (_folder, clock, engine) = fresh(OrbitSettings::default());
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    at(&engine, &clock, 400 * DAY);
    let told: Vec<(Timestamp, Option<Namespace>, Happening)> = logged(&engine, &[EventKind::AutoForgotten])
        .into_iter()
        .map(|event| (event.at, event.namespace, event.what))
        .collect();
    let what = Happening::AutoForgotten { id, idle_days: 90 };
    assert_eq!(told, [(after(90 * DAY), Some(Namespace::default()), what)]);
}

#[test]
fn what_was_replaced_goes_with_what_replaced_it_and_comes_back_with_it() {
    for every in [5 * DAY, 1000 * DAY] {
        let (_folder, clock, engine) = fresh(OrbitSettings::default());
        let mut ids: Vec<MemoryId> = Vec::new();
        for (day, content, importance) in [(0, "item1x", 1.0), (1, "item2x", 0.9), (2, "item3x", 0.3)] {
            move_to(&clock, day * DAY);
            let newer = engine.remember(important(content, importance)).unwrap().id;
            if let Some(older) = ids.last() {
                let revision = Revise { superseded_by: Some(Some(newer)), ..Revise::default() };
                engine.revise(&Scope::All, *older, revision).unwrap();
            }
            ids.push(newer);
        }
        for day in (3..100).filter(|day| day * DAY % every == 0) {
            at(&engine, &clock, day * DAY);
        }
        at(&engine, &clock, 100 * DAY);
        let told = logged(&engine, &[EventKind::AutoForgotten]);
        assert_eq!(told.len(), 3);
        assert!(
            told.iter().all(|event| event.at == after(92 * DAY)),
            "settled every {every} seconds: {told:?}"
        );
        for word in ["item1x", "item2x", "item3x"] {
            assert!(recall(&engine, word).is_empty(), "{word} is outdated or forgotten");
        }
        engine.restore(&Scope::All, ids[2]).unwrap();
        for word in ["item1x", "item3x"] {
            assert_eq!(
                recall(&engine, word),
                [ids[2]],
                "who asks for what was replaced is told what replaced it"
            );
        }
        let replaces = engine.history(&Scope::All, ids[2]).unwrap().replaces;
        assert_eq!(replaces.iter().map(|memory| memory.id).collect::<Vec<_>>(), [ids[1], ids[0]]);
    }
}

#[test]
fn what_is_used_after_its_time_but_before_a_late_reorbit_stays() {
    let (_folder, clock, engine) = fresh(OrbitSettings::default());
    let used = engine.remember(important("item1x", 0.5)).unwrap().id;
    let unused = engine.remember(important("item2y", 0.5)).unwrap().id;
    move_to(&clock, 95 * DAY);
    assert_eq!(recall(&engine, "item1x"), [used], "nobody has reorbited, so it is still there");
    at(&engine, &clock, 95 * DAY + 600);
    assert!(!is_trashed(&engine, used) && is_trashed(&engine, unused));
    assert_eq!(zone_of(&engine, used), Zone::Inner, "it is where its use brings it");
    at(&engine, &clock, 96 * DAY);
    assert_eq!(zone_of(&engine, used), Zone::Inner);
}
