//! How long one step takes, and catching up on a year that nobody was there.

use std::time::Instant;

use peri_orbit::{Body, Orbit, OrbitSettings, Replay, Replayed, replay};
use peri_types::{Importance, Zone};

use super::chance::Chance;
use super::{DAY_MS, START};
use crate::Outcome;

const SIZES: [usize; 2] = [10_000, 100_000];
/// Memories are up to so many days old when the measurement begins.
const DAYS: f64 = 120.0;
const STEPS: usize = 101;
const YEARS: usize = 3;

/// Measures every size and prints a table.
pub(super) fn run(settings: &OrbitSettings, seed: u64) -> Outcome<()> {
    println!(
        "{:>9}  {:>14}  {:>13}  {:>9}  {:>9}  {:>9}",
        "memories", "one step, ms", "idle year, s", "moves", "forgotten", "left"
    );
    for size in SIZES {
        let (orbits, settled) = settle(settings, &population(size, &mut Chance::new(seed))?);
        let to = settled + settings.step.as_millis() as i64;
        let step =
            fastest(STEPS, || replay(&Replay { settings, orbits: &orbits, uses: &[], from: settled, to }));
        let to = settled + 365 * DAY_MS;
        let year =
            fastest(YEARS, || replay(&Replay { settings, orbits: &orbits, uses: &[], from: settled, to }));
        println!(
            "{:>9}  {:>14.2}  {:>13.2}  {:>9}  {:>9}  {:>9}",
            orbits.len(),
            step.0 * 1e3,
            year.0,
            year.1.moves.len(),
            year.1.forgotten.len(),
            orbits.len() - year.1.forgotten.len(),
        );
    }
    Ok(())
}

/// The shortest time of several runs in seconds, which others on the machine disturb least, and what the
/// last one did.
fn fastest(runs: usize, mut run: impl FnMut() -> Replayed) -> (f64, Replayed) {
    let mut done = run();
    let mut least = f64::INFINITY;
    for _ in 0..runs {
        let began = Instant::now();
        done = run();
        least = least.min(began.elapsed().as_secs_f64());
    }
    (least, done)
}

/// Memories of any age, most of them never used, none of them idle for so long that it would be forgotten.
fn population(size: usize, chance: &mut Chance) -> Outcome<Vec<Orbit>> {
    let mut orbits = Vec::with_capacity(size);
    for _ in 0..size {
        let age = chance.between(0.0, DAYS);
        let idle = chance.between(0.0, age.min(89.0));
        let recalls = if chance.share() < 0.6 { 0 } else { (1.0 / chance.between(0.01, 1.0)) as u64 };
        let last_used = START - ((if recalls == 0 { age.min(89.0) } else { idle }) * DAY_MS as f64) as i64;
        let born = (START - (age * DAY_MS as f64) as i64).min(last_used);
        let importance = Importance::new(chance.importance())?;
        let body = Body { born, last_used, recalls, importance, pinned: false, kept: false };
        orbits.push(Orbit { body, zone: Zone::Outer });
    }
    Ok(orbits)
}

/// The memories in their places.
fn settle(settings: &OrbitSettings, orbits: &[Orbit]) -> (Vec<Orbit>, i64) {
    let to = START + settings.step.as_millis() as i64;
    let done = replay(&Replay { settings, orbits, uses: &[], from: START, to });
    (done.orbits, done.settled)
}
