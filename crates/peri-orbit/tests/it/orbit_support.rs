//! Bodies, times and settings for the tests of the orbit.

use std::time::Duration;

use peri_orbit::{Body, Capacities, Decay, Least, Orbit, OrbitSettings, Replay, Replayed, Use, replay};
use peri_types::{Importance, Zone};
use proptest::prelude::*;

pub const SECOND: i64 = 1000;
pub const HOUR: i64 = 3600 * SECOND;
pub const DAY: i64 = 24 * HOUR;
/// A Monday in 2026, and no multiple of anything.
pub const START: i64 = 1_772_442_123_457;

pub fn days(count: u64) -> Duration {
    Duration::from_secs(count * 86_400)
}

pub fn importance(value: f64) -> Importance {
    Importance::new(value).expect("between 0 and 1")
}

/// A body that was born and last used at one time, and never recalled.
pub fn body(value: f64, at: i64) -> Body {
    Body { born: at, last_used: at, recalls: 0, importance: importance(value), pinned: false, kept: false }
}

pub fn orbit(body: Body, zone: Zone) -> Orbit {
    Orbit { body, zone }
}

pub fn run(settings: &OrbitSettings, orbits: &[Orbit], uses: &[Use], from: i64, to: i64) -> Replayed {
    replay(&Replay { settings, orbits, uses, from, to })
}

/// Times up to `most`, half of them on a coarse grid, so that some coincide.
fn times(least: i64, most: i64) -> impl Strategy<Value = i64> {
    prop_oneof![
        (least..=most).prop_map(|at| START + at),
        (least / (5 * DAY)..=most / (5 * DAY)).prop_map(|at| START + at * 5 * DAY)
    ]
}

fn bodies() -> impl Strategy<Value = Body> {
    (
        times(-300 * DAY, 60 * DAY),
        prop_oneof![4 => Just(0), 4 => 0..200 * DAY],
        prop_oneof![4 => Just(0_u64), 2 => 1..10_u64, 1 => 10..300_u64],
        0..=10_i32,
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(born, later, recalls, tenths, pinned, kept)| Body {
            born,
            last_used: born + later,
            recalls,
            importance: importance(f64::from(tenths) / 10.0),
            pinned,
            kept,
        })
}

pub fn orbits(most: usize) -> impl Strategy<Value = Vec<Orbit>> {
    let zone = prop::sample::select(Zone::ALL.to_vec());
    prop::collection::vec((bodies(), zone).prop_map(|(body, zone)| Orbit { body, zone }), 0..most)
}

pub fn uses(most: usize) -> impl Strategy<Value = Vec<Use>> {
    let one = (0..80_usize, times(-20 * DAY, 150 * DAY), prop_oneof![1 => Just(0), 9 => 1..4_u64]);
    prop::collection::vec(one.prop_map(|(index, at, recalls)| Use { index, at, recalls }), 0..most)
}

/// Settings under which zones are soon full and much happens.
pub fn narrow_settings() -> impl Strategy<Value = OrbitSettings> {
    (
        (1..4_usize, 1..4_usize, 1..6_usize),
        prop::sample::select(vec![HOUR, 3 * HOUR, 7 * HOUR, DAY]),
        prop::sample::select(vec![HOUR, DAY, 5 * DAY, 14 * DAY, 90 * DAY, 3000 * DAY]),
        (prop::bool::weighted(0.9), 5..40_u64, 20..100_u64),
        prop::sample::select(vec![None, Some(Zone::Core), Some(Zone::Inner), Some(Zone::Belt)]),
    )
        .prop_map(|((core, inner, outer), step, half_life, (enabled, demote, forget), protected)| {
            OrbitSettings {
                capacities: Capacities { core, inner, outer },
                step: Duration::from_millis(step.unsigned_abs()),
                half_life: Duration::from_millis(half_life.unsigned_abs()),
                decay: Decay {
                    enabled,
                    demote_every: days(demote),
                    forget_after: days(forget),
                    protected,
                    ..Decay::default()
                },
                ..OrbitSettings::default()
            }
        })
}

/// Settings under which nearly everybody claims a place in the core for good, and only few get one.
pub fn crowded_settings() -> impl Strategy<Value = OrbitSettings> {
    let exposed = (prop::bool::weighted(0.3), 10..60_u64);
    (narrow_settings(), exposed, 0.0..0.3_f64).prop_map(|(mut settings, (enabled, demote), core)| {
        settings.decay.enabled = enabled;
        settings.decay.demote_every = days(demote);
        settings.least = Least { core, inner: core * 0.9, outer: core * 0.8, belt: core * 0.1 };
        settings
    })
}

/// Memories of which the older ones matter more, so that they overtake the newer ones in time.
pub fn overtaking(most: usize) -> impl Strategy<Value = Vec<Orbit>> {
    let one = (0..60 * DAY, 0.0..0.1_f64, prop::bool::weighted(0.02));
    let one = one.prop_map(|(age, chance, pinned)| Orbit {
        body: Body { pinned, ..body(age as f64 / (70 * DAY) as f64 + chance, START - age) },
        zone: Zone::Belt,
    });
    prop::collection::vec(one, 0..most)
}
