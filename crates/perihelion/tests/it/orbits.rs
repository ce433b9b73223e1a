//! Orbits to look at: the picture agrees with the lists, the past leads to it, and the future is what a reorbit makes.

mod ahead;
mod life;

use std::collections::BTreeMap;

use peri_store::{SqliteSettings, SqliteStore, Store as _, Write};
use perihelion::{
    Clock, Happening, MemoryId, MoveCause, MovesQuery, Namespace, OrbitMove, OrbitMoves, OrbitSettings,
    Perihelion, Recall, Remember, Revise, Scope, Zone,
};
use serde_json::json;

use crate::orbit::{DAY, after, important, move_to, plain, start};
use crate::report::happen;
use crate::support::{ns, scope};
use crate::transfer;

/// An engine that judges nothing by itself, at the beginning of its time.
pub fn fresh() -> (tempfile::TempDir, Clock, Perihelion) {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    (folder, clock, engine)
}

pub fn moves_of(engine: &Perihelion, namespace: &Namespace, days: u32, ahead_days: u32) -> OrbitMoves {
    let query = MovesQuery { namespace: namespace.clone(), days, ahead_days, limit: 50_000 };
    engine.orbit_moves(&query).unwrap()
}

/// Who is where after these moves. Each must begin where the one before it ended.
#[track_caller]
pub fn play(moves: &[OrbitMove], zones: &mut BTreeMap<MemoryId, Zone>) {
    for one in moves {
        let before = zones.get(&one.id).copied();
        assert_eq!(before, one.from, "{one:?}");
        assert!(one.from.is_some() || one.to.is_some(), "{one:?}");
        match one.to {
            Some(zone) => zones.insert(one.id, zone),
            None => zones.remove(&one.id),
        };
    }
    assert!(moves.is_sorted_by_key(|one| one.at));
}

/// Who is where by the picture.
pub fn seen(engine: &Perihelion, namespace: &Namespace) -> BTreeMap<MemoryId, Zone> {
    engine.orbits(namespace, usize::MAX).unwrap().bodies.iter().map(|body| (body.id, body.zone)).collect()
}

fn causes(moves: &[OrbitMove], id: MemoryId) -> Vec<(Option<MoveCause>, bool)> {
    moves.iter().filter(|one| one.id == id).map(|one| (one.reason, one.to.is_some())).collect()
}

#[test]
fn a_body_tells_what_the_memory_function_makes_of_it() {
    let (_folder, clock, engine) = fresh();
    let plainly = engine.remember(important("차 茶 tea", 0.7)).unwrap().id;
    let pinned = engine.remember(important("고정된 기억", 0.2)).unwrap().id;
    engine.revise(&Scope::All, pinned, Revise { pinned: Some(true), ..Revise::default() }).unwrap();
    move_to(&clock, 3 * DAY);
    for _ in 0..4 {
        assert_eq!(engine.recall(&Recall::new("tea")).unwrap().hits.len(), 1);
    }
    move_to(&clock, 17 * DAY);
    let orbits = engine.orbits(&Namespace::default(), 10).unwrap();
    assert_eq!((orbits.total, orbits.settled_at), (2, None), "looking settles nothing");
    let body = |id| orbits.bodies.iter().find(|body| body.id == id).unwrap();
    let one = body(plainly);
    assert_eq!((one.label.as_str(), one.importance, one.recalls), ("차 茶 tea", 0.7, 4));
    assert_eq!((one.created_at, one.used_at), (start(), after(3 * DAY)));
    assert!((one.freshness - 0.5).abs() < 1e-6, "one half-life after its last use: {one:?}");
    let expected = (0.3 * (5.0_f64.ln() / 101.0_f64.ln()) + 0.3 * 0.5 + 0.25 * 0.7) / 0.85;
    assert!((one.score - expected).abs() < 1e-5, "{one:?}");
    assert!((body(pinned).freshness - 1.0).abs() < f64::EPSILON, "what is pinned stays fresh");
    let orbit = engine.memory_orbit(&Scope::All, plainly).unwrap();
    assert_eq!((orbit.zone, orbit.score, orbit.recalls), (one.zone, one.score, 4));
    assert_eq!((orbit.used_at, orbit.pinned), (one.used_at, false));
    assert_eq!(
        orbit.parts.iter().map(|part| part.name).collect::<Vec<_>>(),
        ["recall", "freshness", "importance"]
    );
    let sum = |part: fn(&perihelion::OrbitPart) -> f64| orbit.parts.iter().map(part).sum::<f64>();
    assert!(
        (sum(|part| part.weight) - 1.0).abs() < 1e-5 && (sum(|part| part.share) - one.score).abs() < 1e-5
    );
}

#[test]
fn the_nearest_come_first_and_a_limit_leaves_the_farthest_out() {
    let (_folder, clock, engine) = fresh();
    for n in 0..30_u32 {
        move_to(&clock, i64::from(n) * DAY);
        engine.remember(important(format!("기억 {n}"), f64::from(n % 10) / 10.0)).unwrap();
    }
    engine.reorbit(&Scope::All).unwrap();
    let all = engine.orbits(&Namespace::default(), 1000).unwrap();
    let order = |body: &perihelion::OrbitingMemory| (body.zone, -body.score);
    assert!(all.bodies.is_sorted_by(|a, b| order(a) <= order(b)));
    let few = engine.orbits(&Namespace::default(), 7).unwrap();
    assert_eq!((&few.bodies[..], few.total, &few.zones), (&all.bodies[..7], 30, &all.zones));
    assert_eq!(all.zones.iter().map(|zone| zone.zone).collect::<Vec<_>>(), Zone::ALL);
    assert_eq!(
        all.zones.iter().map(|zone| zone.capacity).collect::<Vec<_>>(),
        [Some(20), Some(100), Some(1000), None, None]
    );
    assert_eq!(engine.orbits(&ns("nowhere"), 7).unwrap().total, 0);
}

#[test]
fn labels_are_one_line_of_whole_characters() {
    let (_folder, _clock, engine) = fresh();
    for (content, expected) in [
        ("각".repeat(200), "각".repeat(120)),
        (format!("  첫 줄\n\n둘째 줄 {}", "茶".repeat(300)), format!("첫 줄 둘째 줄 {}", "茶".repeat(111))),
        ("<script>alert('기억')</script>".to_owned(), "<script>alert('기억')</script>".to_owned()),
    ] {
        let id = engine.remember(Remember::new(content)).unwrap().id;
        let orbits = engine.orbits(&Namespace::default(), 10).unwrap();
        let body = orbits.bodies.iter().find(|body| body.id == id).unwrap();
        assert_eq!(body.label, expected);
    }
}

#[test]
fn learned_weights_are_those_of_the_picture() {
    let (_folder, clock, engine) = fresh();
    let id = engine.remember(important("무게", 1.0)).unwrap().id;
    move_to(&clock, 14 * DAY);
    let score = || engine.orbits(&Namespace::default(), 1).unwrap().bodies[0].score;
    let before = score();
    let store = SqliteStore::open(&engine.database(), &SqliteSettings::default()).unwrap();
    let value = json!({"recall": 0.0, "freshness": 0.0, "importance": 1.0, "context": 0.0});
    let (namespace, reason, at) = (Namespace::default(), "by hand".to_owned(), clock.now());
    store.write(vec![Write::SetWeights { namespace, value, reason, at }]).unwrap();
    assert!(before < 0.9 && (score() - 1.0).abs() < 1e-6, "{before}");
    let parts = engine.memory_orbit(&Scope::All, id).unwrap().parts;
    assert_eq!(parts.iter().map(|part| part.weight).collect::<Vec<_>>(), [0.0, 0.0, 1.0]);
}

#[test]
fn each_way_to_come_and_to_leave_has_its_cause() {
    let (_folder, clock, engine) = fresh();
    let (here, space) = (Namespace::default(), Scope::All);
    let mut ids =
        ["가", "나", "다"].map(|name| engine.remember(important(name, 0.5)).unwrap().id).into_iter();
    let mut next = || ids.next().unwrap();
    let (older, newer, gone) = (next(), next(), next());
    let by = |newer| Revise { superseded_by: Some(newer), ..Revise::default() };
    for (hour, step) in (1_i64..).zip(0..8) {
        move_to(&clock, hour * 3600 + 1);
        match step {
            0 => drop(engine.revise(&space, older, by(Some(newer))).unwrap()),
            1 => drop(engine.forget(&space, newer).unwrap()),
            2 => drop(engine.restore(&space, newer).unwrap()),
            3 => drop(engine.revise(&space, older, by(None)).unwrap()),
            4 => drop(engine.forget(&space, gone).unwrap()),
            5 => drop(engine.purge(&space, gone).unwrap()),
            _ => drop(engine.reorbit(&space).unwrap()),
        }
    }
    let told = moves_of(&engine, &here, 10, 0);
    assert!(told.complete && !told.more);
    let mut zones = BTreeMap::new();
    play(&told.moves, &mut zones);
    assert_eq!(zones, seen(&engine, &here));
    let stayed = |id| {
        causes(&told.moves, id).into_iter().filter(|(cause, _)| !matches!(cause, Some(MoveCause::Score)))
    };
    let (came, left) = (true, false);
    assert_eq!(
        stayed(older).collect::<Vec<_>>(),
        [
            (Some(MoveCause::Stored), came),
            (Some(MoveCause::Superseded), left),
            (Some(MoveCause::Restored), came),
            (Some(MoveCause::Superseded), left),
            (None, came),
        ]
    );
    let forgotten = (Some(MoveCause::Forgotten), left);
    assert_eq!(
        stayed(newer).collect::<Vec<_>>(),
        [(Some(MoveCause::Stored), came), forgotten, (Some(MoveCause::Restored), came)]
    );
    assert_eq!(stayed(gone).collect::<Vec<_>>(), [(Some(MoveCause::Stored), came), forgotten]);
    assert_eq!(engine.memory_orbit(&space, older).unwrap().moves.len(), causes(&told.moves, older).len());
}

#[test]
fn what_was_imported_came_when_it_was_imported() {
    let (_folder, clock, engine) = fresh();
    let kept = engine.remember(important("옮겨진 기억", 0.5)).unwrap().id;
    let lines = transfer::export(&engine);
    let (_other, elsewhere) = transfer::later(&clock, 20);
    transfer::import(&elsewhere, &lines);
    let moves = moves_of(&elsewhere, &Namespace::default(), 5, 0).moves;
    assert_eq!(causes(&moves, kept), [(Some(MoveCause::Imported), true)]);
    assert_eq!(moves[0].at, after(20 * DAY));
}

#[test]
fn too_many_moves_are_cut_far_from_now() {
    let (_folder, clock, engine) = fresh();
    for n in 0..10 {
        move_to(&clock, n * 3600 + 1);
        engine.remember(important(format!("하나 {n}"), 0.5)).unwrap();
    }
    engine.reorbit(&scope("default")).unwrap();
    let ask = |limit, ahead_days| {
        let namespace = Namespace::default();
        engine.orbit_moves(&MovesQuery { namespace, days: 1, ahead_days, limit }).unwrap()
    };
    let all = ask(1000, 200);
    let past = all.moves.iter().filter(|one| one.at <= all.now).count();
    assert!(!all.more && past < all.moves.len());
    let few = ask(4, 200);
    assert!(few.more);
    assert_eq!(few.moves[..], all.moves[past - 4..past], "the latest of the past");
    let some = ask(past + 1, 200);
    assert!(some.more);
    assert_eq!(some.moves[..], all.moves[..=past], "the first of the future");
    assert_eq!(ask(past, 0).moves[..], all.moves[..past]);
    assert!(!ask(past, 0).more);
}

#[test]
fn days_leave_out_what_was_before_and_a_log_that_does_not_reach_back_is_told() {
    let (folder, clock, engine) = fresh();
    let id = engine.remember(important("오래된 기억", 0.5)).unwrap().id;
    move_to(&clock, 100 * DAY);
    engine.reorbit(&Scope::All).unwrap();
    let all = moves_of(&engine, &Namespace::default(), 365, 0);
    let late = moves_of(&engine, &Namespace::default(), 60, 0);
    assert!(late.complete && late.moves.len() < all.moves.len());
    assert_eq!(late.moves[..], all.moves[all.moves.len() - late.moves.len()..]);
    assert!(late.moves[0].from.is_some(), "it was there before");
    // The store keeps some events; so many come after them that it lets them go.
    let recalled = || Happening::Recalled { query: "또?".to_owned(), ids: Vec::new(), micros: None };
    happen(folder.path(), (0..10_050).map(|_| (clock.now(), None, recalled())));
    engine.maintain().unwrap();
    std::fs::remove_dir_all(folder.path().join("logs")).unwrap();
    let cut = moves_of(&engine, &Namespace::default(), 365, 0);
    assert!(!cut.complete);
    let mut zones = BTreeMap::new();
    play(&cut.moves, &mut zones);
    assert_eq!(zones, seen(&engine, &Namespace::default()), "what is not told is made up for");
    assert!(zones.contains_key(&id) || engine.get(&Scope::All, id).unwrap().trashed_at.is_some());
}
