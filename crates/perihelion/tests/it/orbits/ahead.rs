//! The future by the rules, against what a reorbit really does.

use perihelion::{EventKind, Happening, MemoryId, MoveCause, Namespace, OrbitMove, Scope, Timestamp, Zone};

use super::{fresh, moves_of, play, seen};
use crate::orbit::{DAY, after, important, logged, move_to};
use crate::support::Random;

type Made = (MemoryId, Timestamp, Option<Zone>, Option<Zone>, Option<MoveCause>);

fn made(one: &OrbitMove) -> Made {
    (one.id, one.at, one.from, one.to, one.reason)
}

#[test]
fn the_future_is_what_a_reorbit_makes_when_nobody_uses_anything() {
    for seed in 0..3 {
        let (_folder, clock, engine) = fresh();
        let mut random = Random(seed);
        for n in 0..60_i64 {
            move_to(&clock, n * 11_000 + 7);
            engine.remember(important(format!("기억 {n} 记忆"), random.below(11) as f64 / 10.0)).unwrap();
        }
        engine.reorbit(&Scope::All).unwrap();
        let (before, told) = (seen(&engine, &Namespace::default()), logged(&engine, &[]).len());
        let ahead = moves_of(&engine, &Namespace::default(), 0, 150);
        let expected: Vec<Made> = ahead.moves.iter().filter(|one| one.at > ahead.now).map(made).collect();
        assert!(expected.len() > 100, "{}", expected.len());
        assert_eq!(logged(&engine, &[]).len(), told, "looking ahead writes nothing");
        assert_eq!(seen(&engine, &Namespace::default()), before);
        let mut zones = before;
        play(&ahead.moves.iter().filter(|one| one.at > ahead.now).copied().collect::<Vec<_>>(), &mut zones);
        // In steps of its own, which make no difference.
        let first = clock.now();
        while clock.now() < ahead.until {
            let left = ahead.until.duration_since(clock.now());
            clock.advance(left.min(jiff::SignedDuration::from_hours(24 * (1 + random.below(30) as i64))));
            engine.reorbit(&Scope::All).unwrap();
        }
        let events = logged(&engine, &[EventKind::ZoneChanged, EventKind::AutoForgotten]);
        let mut really: Vec<Made> = events
            .iter()
            .filter(|event| event.at > first)
            .map(|event| match event.what {
                Happening::ZoneChanged { id, from, to, reason } => {
                    (id, event.at, Some(from), Some(to), Some(reason.into()))
                }
                Happening::AutoForgotten { id, .. } => {
                    (id, event.at, Some(Zone::Cloud), None, Some(MoveCause::AutoForgotten))
                }
                _ => panic!("not asked for"),
            })
            .collect();
        really.sort_by_key(|one| one.1);
        assert_eq!(expected, really, "seed {seed}");
        assert_eq!(seen(&engine, &Namespace::default()), zones, "seed {seed}");
    }
}

#[test]
fn what_is_due_and_not_settled_comes_next() {
    let (_folder, clock, engine) = fresh();
    let id = engine.remember(important("밀린 기억", 0.5)).unwrap().id;
    move_to(&clock, 70 * DAY);
    let before = seen(&engine, &Namespace::default());
    let past = moves_of(&engine, &Namespace::default(), 365, 0);
    assert_eq!(past.moves.len(), 1, "nobody settled anything: {past:?}");
    let ahead = moves_of(&engine, &Namespace::default(), 365, 1);
    let due: Vec<_> = ahead.moves.iter().filter(|one| one.at > ahead.now).collect();
    assert!(due.len() > 1 && due.iter().all(|one| one.id == id && one.at <= after(71 * DAY)), "{due:?}");
    assert_eq!(Some(&due[0].from.unwrap()), before.get(&id));
    engine.reorbit(&Scope::All).unwrap();
    assert_eq!(due.last().unwrap().to, seen(&engine, &Namespace::default()).get(&id).copied());
}
