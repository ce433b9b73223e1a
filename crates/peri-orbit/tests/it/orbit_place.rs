//! Zones of one memory and of a whole namespace at one time.

use peri_orbit::{Body, OrbitSettings, own_zone, place, score, zone_by_score};
use peri_types::Zone;
use proptest::prelude::*;

use crate::orbit_support::*;

/// Who stays in a zone by the scores as shown to people.
fn sorted_out(settings: &OrbitSettings, bodies: &[Body], now: i64) -> Vec<Zone> {
    let mut zones: Vec<Zone> = bodies.iter().map(|body| own_zone(settings, body, now)).collect();
    let capacities = &settings.capacities;
    for (zone, capacity) in
        [(Zone::Core, capacities.core), (Zone::Inner, capacities.inner), (Zone::Outer, capacities.outer)]
    {
        let mut inside: Vec<usize> = (0..bodies.len()).filter(|index| zones[*index] == zone).collect();
        inside.sort_by(|left, right| {
            let key = |index: usize| (bodies[index].pinned, score(settings, &bodies[index], None, now).total);
            let ((left_pinned, left_score), (right_pinned, right_score)) = (key(*left), key(*right));
            right_pinned.cmp(&left_pinned).then(right_score.total_cmp(&left_score)).then(left.cmp(right))
        });
        inside.into_iter().skip(capacity).for_each(|index| zones[index] = zone.outward(1));
    }
    zones
}

fn by_scores(settings: &OrbitSettings, total: f64) -> Zone {
    let least = &settings.least;
    let bars = [least.core, least.inner, least.outer, least.belt];
    Zone::ALL[bars.iter().filter(|bar| total < **bar).count()]
}

proptest! {
    #[test]
    fn zones_follow_the_scores_and_the_room(
        settings in narrow_settings(),
        orbits in orbits(80),
        later in 0..200 * DAY,
    ) {
        let bodies: Vec<Body> = orbits.iter().map(|orbit| orbit.body).collect();
        let now = START + later;
        let mut totals: Vec<f64> = bodies.iter().map(|body| score(&settings, body, None, now).total).collect();
        for (body, total) in bodies.iter().zip(&totals) {
            let least = &settings.least;
            if [least.core, least.inner, least.outer, least.belt].iter().all(|bar| (bar - total).abs() > 1e-9) {
                prop_assert_eq!(zone_by_score(&settings, body, now), by_scores(&settings, *total));
            }
        }
        totals.sort_by(f64::total_cmp);
        // Two scores that differ by less than rounding have no order to check.
        if totals.windows(2).all(|pair| pair[0] == pair[1] || pair[1] - pair[0] > 1e-9) {
            prop_assert_eq!(place(&settings, &bodies, now), sorted_out(&settings, &bodies, now));
        }
    }

    #[test]
    fn a_place_is_never_nearer_than_ones_own_and_overflow_never_reaches_the_cloud(
        settings in narrow_settings(),
        orbits in orbits(80),
    ) {
        let bodies: Vec<Body> = orbits.iter().map(|orbit| orbit.body).collect();
        for (body, zone) in bodies.iter().zip(place(&settings, &bodies, START)) {
            let own = own_zone(&settings, body, START);
            prop_assert!(zone >= own);
            prop_assert!(zone == own || zone < Zone::Cloud);
        }
    }
}

#[test]
fn of_equal_ones_the_first_stay_and_the_rest_cascade_to_the_belt() {
    let mut settings = OrbitSettings::default();
    settings.least.core = 0.4;
    settings.capacities = peri_orbit::Capacities { core: 1, inner: 2, outer: 1 };
    let bodies = [body(0.5, START); 6];
    use Zone::{Belt, Core, Inner, Outer};
    assert_eq!(place(&settings, &bodies, START), [Core, Inner, Inner, Outer, Belt, Belt]);
}

#[test]
fn the_pinned_are_pushed_out_last_and_only_by_each_other() {
    let mut settings = OrbitSettings::default();
    settings.least.core = 0.4;
    settings.capacities.core = 2;
    let pinned = Body { pinned: true, ..body(0.3, START - 300 * DAY) };
    let mut bodies = vec![body(1.0, START), body(1.0, START), pinned, pinned];
    assert_eq!(place(&settings, &bodies, START)[2..], [Zone::Core, Zone::Core]);
    bodies.push(Body { importance: importance(0.4), ..pinned });
    assert_eq!(place(&settings, &bodies, START)[2..], [Zone::Core, Zone::Inner, Zone::Core]);
}
