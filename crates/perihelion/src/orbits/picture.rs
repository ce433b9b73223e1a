//! Where the memories of a namespace are now.

use peri_orbit::{Body, Capacities, OrbitSettings, TimeInUse};
use peri_store::BodyView;
use peri_types::{Kind, Layer, MemoryId, Namespace, Timestamp, Zone};
use serde::Serialize;

use super::{BEGINNING_CHARS, label, rounded};
use crate::Error;
use crate::engine::Perihelion;
use crate::reorbit::in_use;

/// The orbits of a namespace at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Orbits {
    /// Where.
    pub namespace: Namespace,
    /// The time that the zones are those of; none if they were never settled.
    pub settled_at: Option<Timestamp>,
    /// How many memories there are, shown or not.
    pub total: u64,
    /// Every zone, the nearest first.
    pub zones: Vec<OrbitingZone>,
    /// The memories, the nearest first: by zone, then by score.
    pub bodies: Vec<OrbitingMemory>,
}

/// How full a zone is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrbitingZone {
    /// Which zone.
    pub zone: Zone,
    /// How many memories are in it.
    pub memories: u64,
    /// How many fit into it; none if there is no bound.
    pub capacity: Option<u64>,
}

/// A memory in its orbit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrbitingMemory {
    /// Which memory.
    pub id: MemoryId,
    /// How its content begins: at most 120 characters, on one line.
    pub label: String,
    /// What it is.
    pub kind: Kind,
    /// How long it is meant to live. Working memory keeps the zone that it began in.
    pub layer: Layer,
    /// How near it orbits, as of the settled time.
    pub zone: Zone,
    /// How much it was said to matter, from 0 to 1.
    pub importance: f64,
    /// The memory function's value now, from 0 to 1.
    pub score: f64,
    /// How lately it was used, from 0 to 1; 1 for what is pinned.
    pub freshness: f64,
    /// How often it was recalled.
    pub recalls: u64,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was last used, or came here.
    pub used_at: Timestamp,
    /// Whether it never decays.
    pub pinned: bool,
}

impl Perihelion {
    /// Where the memories of a namespace are now, at most so many of them, the nearest first. What others took the
    /// place of and what lies in the trash are left out.
    pub fn orbits(&self, namespace: &Namespace, limit: usize) -> Result<Orbits, Error> {
        let core = &self.core;
        core.note_recalls()?;
        let now = core.now();
        let settings = core.orbit_settings(namespace)?;
        let view = core.store.orbit_view(namespace, now, BEGINNING_CHARS)?;
        let zones = Zone::ALL.iter().map(|zone| OrbitingZone {
            zone: *zone,
            memories: view.bodies.iter().filter(|one| one.zone == *zone).count() as u64,
            capacity: capacity_of(&settings.capacities, *zone),
        });
        let (zones, total) = (zones.collect(), view.bodies.len() as u64);
        let clock = TimeInUse::by(&settings, view.days);
        let mut scored: Vec<(f64, BodyView)> =
            view.bodies.into_iter().map(|one| (score_of(&settings, &one, &clock, now).total, one)).collect();
        scored.sort_by(|(a, one), (b, other)| {
            one.zone.cmp(&other.zone).then(b.total_cmp(a)).then(one.id.cmp(&other.id))
        });
        scored.truncate(limit);
        let bodies = scored.into_iter().map(|(_, one)| orbiting(&settings, &one, &clock, now)).collect();
        Ok(Orbits { namespace: namespace.clone(), settled_at: view.settled_at, total, zones, bodies })
    }
}

/// How many memories fit into a zone; none if there is no bound.
fn capacity_of(capacities: &Capacities, zone: Zone) -> Option<u64> {
    match zone {
        Zone::Core => Some(capacities.core as u64),
        Zone::Inner => Some(capacities.inner as u64),
        Zone::Outer => Some(capacities.outer as u64),
        Zone::Belt | Zone::Cloud => None,
    }
}

fn orbiting(settings: &OrbitSettings, one: &BodyView, clock: &TimeInUse, now: Timestamp) -> OrbitingMemory {
    let score = score_of(settings, one, clock, now);
    OrbitingMemory {
        id: one.id,
        label: label(&one.beginning),
        kind: one.kind,
        layer: one.layer,
        zone: one.zone,
        importance: one.importance.into(),
        score: rounded(score.total),
        freshness: rounded(score.freshness),
        recalls: one.recalls,
        created_at: one.created_at,
        used_at: used_at(one),
        pinned: one.pinned,
    }
}

fn score_of(
    settings: &OrbitSettings,
    one: &BodyView,
    clock: &TimeInUse,
    now: Timestamp,
) -> peri_orbit::Score {
    let (born, last_used) = (born(one).as_millisecond(), used_at(one).as_millisecond());
    let BodyView { recalls, importance, pinned, .. } = *one;
    // What may not be forgotten is no part of a score.
    let body = Body { born, last_used, recalls, importance, pinned, kept: false };
    peri_orbit::score(settings, &in_use(body, clock), None, clock.at(now.as_millisecond()))
}

/// When it joined the namespace.
pub(super) fn born(one: &BodyView) -> Timestamp {
    one.arrived_at.map_or(one.created_at, |arrived| arrived.max(one.created_at))
}

fn used_at(one: &BodyView) -> Timestamp {
    one.last_used_at.map_or(born(one), |used| used.max(born(one)))
}
