//! Which zone a memory has by itself, and which one among others.

use peri_types::{Importance, Zone};

use crate::contest::{Claim, share_out};
use crate::rules::{Course, Moment, Rules};
use crate::settings::OrbitSettings;

/// What the orbit needs to know of a memory. Times are in milliseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// When it joined the namespace: was stored, imported or restored.
    pub born: i64,
    /// The latest of its creation, its arrival by import or restore, and its last recall.
    pub last_used: i64,
    /// How often it was recalled.
    pub recalls: u64,
    /// How much it was said to matter.
    pub importance: Importance,
    /// Whether it counts as fresh for good, never falls by idling, is never forgotten, and is the last to
    /// be pushed out of an overfull zone.
    pub pinned: bool,
    /// Whether it is never forgotten, although it moves outward like any other.
    pub kept: bool,
}

/// The zone that the score alone leads to.
pub fn zone_by_score(settings: &OrbitSettings, body: &Body, now: i64) -> Zone {
    let (rules, course, moment) = prepare(settings, body, now);
    rules.by_score(&course, &moment)
}

/// The zone that a memory has by itself: by its score, and further out the longer it was idle.
pub fn own_zone(settings: &OrbitSettings, body: &Body, now: i64) -> Zone {
    let (rules, course, moment) = prepare(settings, body, now);
    rules.own(&course, &moment).zone()
}

/// Whether a memory is forgotten at this time: it is in the cloud and was idle for too long.
pub fn is_forgotten(settings: &OrbitSettings, body: &Body, now: i64) -> bool {
    let (rules, course, moment) = prepare(settings, body, now);
    rules.own(&course, &moment).is_forgotten()
}

/// The zones of all memories of a namespace at a time: their own, as far as there is room. An overfull
/// zone pushes the lowest scores outward; of two equal ones, the first in the list stays.
pub fn place(settings: &OrbitSettings, bodies: &[Body], now: i64) -> Vec<Zone> {
    let rules = Rules::new(settings);
    let moment = rules.moment(now);
    let courses: Vec<Course> = bodies.iter().map(|body| rules.course(body, now)).collect();
    let mut zones: Vec<Zone> = courses.iter().map(|course| rules.own(course, &moment).zone()).collect();
    let mut claims = Vec::new();
    for (slot, course) in courses.iter().enumerate() {
        if let Some(zone) = rules.own(course, &moment).claim() {
            claims.push(Claim { slot, zone, standing: rules.standing(course, &moment) });
        }
    }
    share_out(rules.capacities, &claims, |slot, zone| zones[slot] = zone);
    zones
}

fn prepare(settings: &OrbitSettings, body: &Body, now: i64) -> (Rules, Course, Moment) {
    let rules = Rules::new(settings);
    let course = rules.course(body, now);
    let moment = rules.moment(now);
    (rules, course, moment)
}
