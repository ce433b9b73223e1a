//! What the default numbers mean for single memories.

use peri_orbit::{OrbitSettings, Use};
use peri_types::{MoveReason, Zone};

use crate::orbit_support::*;

#[test]
fn an_ordinary_memory_that_nobody_uses_passes_every_zone_and_is_forgotten() {
    let settings = OrbitSettings::default();
    let done = run(&settings, &[orbit(body(0.5, START), Zone::Inner)], &[], START, START + 365 * DAY);
    let zones: Vec<Zone> = done.moves.iter().map(|moved| moved.to).collect();
    assert_eq!(zones, [Zone::Outer, Zone::Belt, Zone::Cloud]);
    assert_eq!(done.forgotten.len(), 1);
    let stay = done.forgotten[0].at - done.moves[2].at;
    assert!(stay > 14 * DAY, "there is time to notice what is about to be forgotten");
}

#[test]
fn a_vital_memory_stays_near_though_nobody_uses_it() {
    let settings = OrbitSettings::default();
    let done = run(&settings, &[orbit(body(1.0, START), Zone::Inner)], &[], START, START + 3650 * DAY);
    assert!(done.moves.iter().all(|moved| moved.reason == MoveReason::Score && moved.to <= Zone::Inner));
    assert_eq!((done.orbits[0].zone, done.forgotten.len()), (Zone::Inner, 0));
}

#[test]
fn what_is_used_every_week_comes_to_the_core_and_stays_there() {
    let settings = OrbitSettings::default();
    let uses: Vec<Use> =
        (1..52).map(|week| Use { index: 0, at: START + week * 7 * DAY, recalls: 1 }).collect();
    let done = run(&settings, &[orbit(body(0.5, START), Zone::Inner)], &uses, START, START + 365 * DAY);
    assert!(done.moves.iter().all(|moved| moved.to <= Zone::Inner));
    assert_eq!(done.orbits[0].zone, Zone::Core);
    let last = done.moves.last().map(|moved| moved.at);
    assert!(last.is_some_and(|at| at < START + 270 * DAY), "it does not come and go for good");
}

#[test]
fn one_use_gives_an_ordinary_memory_another_ninety_days() {
    let settings = OrbitSettings::default();
    let used = START + 80 * DAY;
    let uses = [Use { index: 0, at: used, recalls: 1 }];
    let done = run(&settings, &[orbit(body(0.5, START), Zone::Inner)], &uses, START, START + 365 * DAY);
    assert_eq!(done.forgotten.len(), 1);
    assert!((0..300_000).contains(&(done.forgotten[0].at - used - 90 * DAY)));
}
