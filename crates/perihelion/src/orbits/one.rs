//! One memory's orbit: why it is where it is, and how it came there.

use peri_orbit::{OrbitSettings, Score, TimeInUse};
use peri_types::{Event, EventKind, Happening, Memory, MemoryId, Scope, Timestamp, Zone};
use serde::Serialize;

use super::moves::OrbitMove;
use super::rounded;
use super::walk::{AllPresent, Present};
use crate::Error;
use crate::engine::{Core, Perihelion};
use crate::reorbit::in_use;

/// So many of the latest moves are shown.
const MOVES_MAX: usize = 200;

/// Why a memory is where it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryOrbit {
    /// Which memory.
    pub id: MemoryId,
    /// How near it orbits, as of the last settled step.
    pub zone: Zone,
    /// The memory function's value now, from 0 to 1.
    pub score: f64,
    /// What the score is made of.
    pub parts: Vec<OrbitPart>,
    /// How often it was recalled.
    pub recalls: u64,
    /// When it was last used, or came here.
    pub used_at: Timestamp,
    /// Whether it never decays.
    pub pinned: bool,
    /// How it moved: at most 200 moves, the latest last.
    pub moves: Vec<OrbitMove>,
}

/// A term of the memory function.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrbitPart {
    /// Which term: `recall`, `freshness`, `importance` or `context`.
    pub name: &'static str,
    /// Its value, from 0 to 1.
    pub value: f64,
    /// How much it counts; the weights of all parts sum to 1.
    pub weight: f64,
    /// What it adds to the score; those of all parts sum to it.
    pub share: f64,
}

impl Perihelion {
    /// Why a memory is where it is, and how it came there. The trash is looked at too.
    pub fn memory_orbit(&self, scope: &Scope, id: MemoryId) -> Result<MemoryOrbit, Error> {
        let core = &self.core;
        core.note_recalls()?;
        let (memory, now) = (self.get(scope, id)?, core.now());
        let settings = core.orbit_settings(&memory.namespace)?;
        let body = core.body_of(&memory)?;
        let clock = TimeInUse::by(&settings, core.store.days_in_use(&memory.namespace)?);
        let score = peri_orbit::score(&settings, &in_use(body, &clock), None, clock.at(now.as_millisecond()));
        let mut moves = core.moves_of(&memory, now)?;
        moves.drain(..moves.len().saturating_sub(MOVES_MAX));
        Ok(MemoryOrbit {
            id,
            zone: memory.zone,
            score: rounded(score.total),
            parts: parts(&settings, &score),
            recalls: body.recalls,
            used_at: Timestamp::from_millisecond(body.last_used).unwrap_or(memory.created_at),
            pinned: memory.facets.pinned,
            moves,
        })
    }
}

impl Core {
    /// How one memory moved. What took its place at some time had a part in that.
    fn moves_of(&self, memory: &Memory, now: Timestamp) -> Result<Vec<OrbitMove>, Error> {
        let (id, namespace) = (memory.id, &memory.namespace);
        let mut texts = vec![id.to_string(), EventKind::NamespaceDeleted.to_string()];
        let mut gathered = self.movements(namespace, now, texts.clone())?;
        let newer = newer_than(id, &gathered.events);
        if !newer.is_empty() {
            texts.extend(newer.iter().map(ToString::to_string));
            gathered = self.movements(namespace, now, texts)?;
        }
        let mut present = AllPresent::new();
        if memory.is_visible(now) && memory.facets.promoted_to.is_none() {
            let arrived_at = self.store.arrived_at(namespace, id)?;
            present.insert(id, Present::new(memory.zone, memory.created_at, arrived_at));
        }
        let mut moves = self.walk_back(namespace, &gathered, &present, now)?;
        moves.retain(|one| one.id == id);
        Ok(moves)
    }
}

/// What took a memory's place, by what is told.
fn newer_than(id: MemoryId, events: &[Event]) -> Vec<MemoryId> {
    let newer = events.iter().filter_map(|event| match event.what {
        Happening::Superseded { older, newer } if older == id => Some(newer),
        Happening::Consolidated { survivor, absorbed } if absorbed == id => Some(survivor),
        _ => None,
    });
    newer.collect()
}

fn parts(settings: &OrbitSettings, score: &Score) -> Vec<OrbitPart> {
    let weights = &settings.weights;
    let mut terms = vec![
        ("recall", weights.recall, score.recall),
        ("freshness", weights.freshness, score.freshness),
        ("importance", weights.importance, score.importance),
    ];
    terms.extend(score.context.map(|context| ("context", weights.context, context)));
    let sum: f64 = terms.iter().map(|(_, weight, _)| weight).sum();
    let part = |(name, weight, value): (&'static str, f64, f64)| {
        let weight = if sum > 0.0 { weight / sum } else { 0.0 };
        OrbitPart { name, value: rounded(value), weight: rounded(weight), share: rounded(weight * value) }
    };
    terms.into_iter().map(part).collect()
}
