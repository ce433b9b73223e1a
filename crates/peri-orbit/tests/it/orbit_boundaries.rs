//! One second before, exactly at, and one second after each number.

use std::time::Duration;

use peri_orbit::{Body, OrbitSettings, Weights, is_forgotten, own_zone, score, zone_by_score};
use peri_types::{MoveReason, Zone};

use crate::orbit_support::*;

/// A whole second, so that steps of one second fall on it.
const BIRTH: i64 = START - START % SECOND;

fn by_seconds() -> OrbitSettings {
    OrbitSettings { step: Duration::from_secs(1), ..OrbitSettings::default() }
}

/// The zone by itself around a time, and what a replay over that time moves.
fn check_fall(settings: &OrbitSettings, body: Body, at: i64, from: Zone, to: Zone, reason: MoveReason) {
    for (now, zone) in [(at - SECOND, from), (at, to), (at + SECOND, to)] {
        assert_eq!(own_zone(settings, &body, now), zone, "{body:?} {}", now - at);
    }
    let done = run(settings, &[orbit(body, from)], &[], at - 10 * SECOND, at + 10 * SECOND);
    let moves: Vec<_> =
        done.moves.iter().map(|moved| (moved.from, moved.to, moved.at, moved.reason)).collect();
    assert_eq!(moves, [(from, to, at, reason)]);
}

#[test]
fn idle_memories_fall_at_whole_thirty_days() {
    // Five recalls keep the score of the outer zone for good, and it falls no lower after a month.
    let body = Body { recalls: 5, ..body(0.3, BIRTH) };
    let settings = OrbitSettings { half_life: days(5), ..by_seconds() };
    assert_eq!(zone_by_score(&settings, &body, BIRTH + 800 * DAY), Zone::Outer);
    check_fall(&settings, body, BIRTH + 30 * DAY, Zone::Outer, Zone::Belt, MoveReason::Idle);
    check_fall(&settings, body, BIRTH + 60 * DAY, Zone::Belt, Zone::Cloud, MoveReason::Idle);
    let settings = OrbitSettings {
        least: peri_orbit::Least { core: 0.03, inner: 0.02, outer: 0.01, belt: 0.0 },
        ..settings
    };
    let mut exposed = settings;
    exposed.decay.protected = None;
    for (count, from, to) in
        [(1, Zone::Core, Zone::Inner), (2, Zone::Inner, Zone::Outer), (3, Zone::Outer, Zone::Belt)]
    {
        check_fall(&exposed, body, BIRTH + count * 30 * DAY, from, to, MoveReason::Idle);
        assert_eq!(own_zone(&settings, &body, BIRTH + count * 30 * DAY), Zone::Core, "protected");
    }
}

#[test]
fn the_cloud_is_forgotten_at_ninety_idle_days() {
    let settings = by_seconds();
    let body = body(0.5, BIRTH);
    let at = BIRTH + 90 * DAY;
    for (now, forgotten) in [(at - SECOND, false), (at, true), (at + SECOND, true)] {
        assert_eq!(is_forgotten(&settings, &body, now), forgotten);
        assert_eq!(own_zone(&settings, &body, now), Zone::Cloud);
    }
    let done = run(&settings, &[orbit(body, Zone::Cloud)], &[], at - 10 * SECOND, at + 10 * SECOND);
    assert_eq!((done.moves.len(), done.forgotten.len()), (0, 1));
    assert_eq!((done.forgotten[0].at, done.forgotten[0].idle_days), (at, 90));
}

#[test]
fn a_use_at_the_last_second_saves_and_one_second_later_is_too_late() {
    let settings = by_seconds();
    let orbits = [orbit(body(0.5, BIRTH), Zone::Cloud)];
    let at = BIRTH + 90 * DAY;
    for (used, forgotten) in [(at - SECOND, 0), (at, 0), (at + SECOND, 1)] {
        let uses = [peri_orbit::Use { index: 0, at: used, recalls: 1 }];
        let done = run(&settings, &orbits, &uses, at - 10 * SECOND, at + 10 * SECOND);
        assert_eq!(done.forgotten.len(), forgotten, "{}", used - at);
    }
}

#[test]
fn a_falling_score_leaves_each_zone_at_the_second_it_passes_the_least_one() {
    let mut settings = by_seconds();
    // Freshness alone, and slow to fall, so that idling does not interfere.
    settings.weights = Weights { recall: 0.0, freshness: 1.0, importance: 0.0, context: 0.0 };
    settings.decay.protected = Some(Zone::Cloud);
    let body = body(0.5, BIRTH);
    let least = settings.least;
    for (from, to, least) in [
        (Zone::Core, Zone::Inner, least.core),
        (Zone::Inner, Zone::Outer, least.inner),
        (Zone::Outer, Zone::Belt, least.outer),
        (Zone::Belt, Zone::Cloud, least.belt),
    ] {
        let seconds = (-least.log2() * settings.half_life.as_secs_f64()).ceil() as i64;
        let at = BIRTH + seconds * SECOND;
        assert!(score(&settings, &body, None, at).total < least);
        assert!(score(&settings, &body, None, at - SECOND).total >= least);
        check_fall(&settings, body, at, from, to, MoveReason::Score);
    }
}

#[test]
fn a_score_that_is_exactly_the_least_one_belongs_to_the_zone() {
    let mut settings = by_seconds();
    settings.weights = Weights { recall: 0.0, freshness: 0.0, importance: 1.0, context: 0.0 };
    let least = settings.least;
    for (zone, least) in [
        (Zone::Core, least.core),
        (Zone::Inner, least.inner),
        (Zone::Outer, least.outer),
        (Zone::Belt, least.belt),
    ] {
        for (value, expected) in [(least - 1e-5, zone.outward(1)), (least, zone), (least + 1e-5, zone)] {
            assert_eq!(own_zone(&settings, &body(value, BIRTH), BIRTH), expected, "{value}");
        }
    }
    // After one half-life, wherever it lies in time, freshness is a half and no hair less.
    settings.weights = Weights { recall: 0.0, freshness: 1.0, importance: 0.0, context: 0.0 };
    settings.least.inner = 0.5;
    let half_life = settings.half_life.as_millis() as i64;
    for shift in 0..1000 {
        let body = body(0.0, BIRTH + shift * 12_345_678);
        let at = body.born + half_life;
        assert_eq!(zone_by_score(&settings, &body, at), Zone::Inner);
        assert_eq!(zone_by_score(&settings, &body, at + SECOND), Zone::Outer);
    }
}

#[test]
fn a_clock_that_jumped_ahead_and_back_ages_nothing_until_time_catches_up() {
    let settings = by_seconds();
    let body = body(0.5, BIRTH + 100 * DAY);
    for now in [BIRTH, BIRTH + 50 * DAY, BIRTH + 100 * DAY] {
        assert_eq!(own_zone(&settings, &body, now), Zone::Inner);
        assert_eq!(score(&settings, &body, None, now).freshness, 1.0);
    }
    assert!(is_forgotten(&settings, &body, BIRTH + 190 * DAY));
    assert!(!is_forgotten(&settings, &body, BIRTH + 190 * DAY - SECOND));
}
