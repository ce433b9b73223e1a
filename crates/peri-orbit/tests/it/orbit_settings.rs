//! Every setting changes something, and bad ones are refused.

use std::time::Duration;

use peri_orbit::{Body, InvalidOrbit, OrbitSettings, is_forgotten, own_zone, place, score};
use peri_types::Zone;

use crate::orbit_support::*;

fn changed(change: impl FnOnce(&mut OrbitSettings)) -> OrbitSettings {
    let mut settings = OrbitSettings::default();
    change(&mut settings);
    settings
}

#[test]
fn the_defaults_are_valid() {
    assert_eq!(OrbitSettings::default().check(), Ok(()));
}

#[test]
fn bad_values_are_refused_by_name() {
    type Change = fn(&mut OrbitSettings);
    let cases: [(Change, &str); 18] = [
        (|s| s.weights.recall = -0.1, "the weight of recall is -0.1"),
        (|s| s.weights.freshness = f64::NAN, "the weight of freshness is NaN"),
        (|s| s.weights.importance = 1.1, "the weight of importance is 1.1"),
        (|s| s.weights.context = f64::INFINITY, "the weight of context is inf"),
        (
            |s| (s.weights.recall, s.weights.freshness, s.weights.importance) = (0.0, 0.0, 0.0),
            "one of them must count",
        ),
        (|s| s.saturation = 0, "the saturation is 0"),
        (|s| s.least.core = 1.5, "the least score of the core zone is 1.5"),
        (|s| s.least.belt = -0.5, "the least score of the belt zone is -0.5"),
        (|s| s.least.inner = 0.9, "the least score of the inner zone must be below that of the core zone"),
        (|s| s.least.outer = s.least.inner, "the outer zone must be below that of the inner zone"),
        (|s| s.least.belt = f64::NAN, "the least score of the belt zone is NaN"),
        (|s| s.capacities.core = 0, "the capacity of the core zone is 0"),
        (|s| s.capacities.inner = 0, "the capacity of the inner zone is 0"),
        (|s| s.capacities.outer = 0, "the capacity of the outer zone is 0"),
        (|s| s.half_life = Duration::ZERO, "the half-life of freshness is 0ns"),
        (|s| s.decay.demote_every = Duration::ZERO, "the time between two falls is 0ns"),
        (|s| s.decay.forget_after = Duration::MAX, "the time until forgetting is"),
        (|s| s.step = days(2), "the step is 172800s, but must be between 1s and 86400s"),
    ];
    for (change, message) in cases {
        let error: InvalidOrbit = changed(change).check().unwrap_err();
        assert!(error.to_string().contains(message), "{error} should say {message}");
    }
}

#[test]
fn each_weight_and_the_shape_of_each_term_change_the_score() {
    let body = Body { recalls: 5, ..body(0.8, START) };
    let now = START + 3 * DAY;
    let total = |settings: &OrbitSettings| score(settings, &body, Some(0.1), now).total;
    let usual = total(&OrbitSettings::default());
    for settings in [
        changed(|s| s.weights.recall = 0.6),
        changed(|s| s.weights.freshness = 0.6),
        changed(|s| s.weights.importance = 0.6),
        changed(|s| s.weights.context = 0.6),
        changed(|s| s.saturation = 10),
        changed(|s| s.half_life = days(1)),
    ] {
        assert!((total(&settings) - usual).abs() > 0.01, "{settings:?}");
    }
}

#[test]
fn each_setting_of_zones_changes_a_zone() {
    let placed = |settings: &OrbitSettings, importance: f64, idle: i64, count: usize| {
        let bodies = vec![body(importance, START - idle); count];
        place(settings, &bodies, START)[count - 1]
    };
    use Zone::{Belt, Cloud, Core, Inner, Outer};
    type Change = fn(&mut OrbitSettings);
    // Importance, idle days, how many alike, and the last one's zone before and after the change.
    let cases: [(f64, i64, usize, Zone, Zone, Change); 10] = [
        (1.0, 0, 1, Inner, Core, |s| s.least.core = 0.6),
        (0.5, 0, 1, Inner, Outer, |s| s.least.inner = 0.6),
        (0.5, 25, 1, Outer, Belt, |s| s.least.outer = 0.28),
        (0.1, 25, 1, Belt, Cloud, |s| s.least.belt = 0.19),
        (0.5, 0, 101, Outer, Inner, |s| s.capacities.inner = 101),
        (0.5, 0, 1101, Belt, Outer, |s| s.capacities.outer = 1001),
        (1.0, 300, 1, Inner, Cloud, |s| s.decay.protected = None),
        (0.5, 31, 1, Belt, Outer, |s| s.decay.enabled = false),
        (0.5, 31, 1, Belt, Outer, |s| s.decay.demote_every = days(32)),
        (0.5, 31, 1, Belt, Outer, |s| s.decay.protected = Some(Outer)),
    ];
    for (importance, idle, count, before, after, change) in cases {
        let zones = [OrbitSettings::default(), changed(change)]
            .map(|settings| placed(&settings, importance, idle * DAY, count));
        assert_eq!(zones, [before, after], "{importance} {idle} {count}");
    }
    let core = changed(|s| s.least.core = 0.4);
    let narrow = changed(|s| (s.least.core, s.capacities.core) = (0.4, 1));
    assert_eq!((placed(&core, 0.5, 0, 2), placed(&narrow, 0.5, 0, 2)), (Core, Inner));
}

#[test]
fn the_time_until_forgetting_and_the_step_change_when_it_happens() {
    let idle = body(0.5, START - 91 * DAY);
    assert!(is_forgotten(&OrbitSettings::default(), &idle, START));
    assert!(!is_forgotten(&changed(|s| s.decay.forget_after = days(92)), &idle, START));
    let orbits = [orbit(body(0.5, START), Zone::Inner)];
    let settled = |settings: &OrbitSettings| run(settings, &orbits, &[], START, START + DAY).settled;
    assert!(settled(&changed(|s| s.step = Duration::from_secs(7))) > settled(&OrbitSettings::default()));
}

#[test]
fn without_decay_nothing_falls_by_idling_and_nothing_is_forgotten() {
    let settings = changed(|s| s.decay.enabled = false);
    let orbits: Vec<_> =
        (0..=10).map(|tenths| orbit(body(f64::from(tenths) / 10.0, START), Zone::Inner)).collect();
    let done = run(&settings, &orbits, &[], START, START + 800 * DAY);
    assert!(done.forgotten.is_empty());
    for (orbit, after) in orbits.iter().zip(&done.orbits) {
        assert_eq!(after.zone, by_score_alone(&settings, &orbit.body, START + 800 * DAY));
    }
    assert!(done.moves.iter().all(|moved| moved.reason == peri_types::MoveReason::Score));
}

fn by_score_alone(settings: &OrbitSettings, body: &Body, now: i64) -> Zone {
    assert_eq!(own_zone(settings, body, now), peri_orbit::zone_by_score(settings, body, now));
    own_zone(settings, body, now)
}

#[test]
fn the_pinned_never_fall_and_are_never_forgotten() {
    let settings = changed(|s| s.decay.protected = None);
    for tenths in 0..=10 {
        let pinned = Body { pinned: true, ..body(f64::from(tenths) / 10.0, START) };
        let zone = own_zone(&settings, &pinned, START);
        let done = run(&settings, &[orbit(pinned, zone)], &[], START, START + 3000 * DAY);
        assert!(done.moves.is_empty() && done.forgotten.is_empty());
    }
}

#[test]
fn the_kept_fall_like_others_but_are_never_forgotten() {
    let settings = changed(|s| s.decay.protected = None);
    for tenths in 0..=10 {
        let other = body(f64::from(tenths) / 10.0, START);
        let zone = own_zone(&settings, &other, START);
        let orbits = [orbit(other, zone), orbit(Body { kept: true, ..other }, zone)];
        let done = run(&settings, &orbits, &[], START, START + 3000 * DAY);
        assert_eq!(done.forgotten.iter().map(|one| one.index).collect::<Vec<_>>(), [0]);
        assert_eq!(done.orbits[1].zone, Zone::Cloud);
    }
}
