//! Reorbit: bring the zones of all memories to where they belong by now.
//!
//! Zones advance in whole steps of time. Whoever reorbits, by timer or by hand, once a month or every minute,
//! walks the steps that are missing, so that the zones, and the events that tell of the moves, are always the
//! same.

mod before;

use std::collections::HashMap;

use peri_orbit::{Body, Orbit, OrbitSettings, Replay, Replayed, Use};
use peri_store::{Faded, OrbitBody, OrbitState, Settled, Settlement, StoreError, Write, Written, ZoneMove};
use peri_types::{MemoryId, MoveReason, Namespace, Scope, Timestamp, Zone};
use serde::Serialize;

use crate::Error;
use crate::engine::{Core, Perihelion};

/// What a reorbit did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reorbited {
    /// The time that the zones are those of.
    pub step: Option<Timestamp>,
    /// Memories that were looked at.
    pub memories: u64,
    /// How often a memory changed its zone.
    pub moved: u64,
    /// Memories that went to the trash because nobody used them.
    pub forgotten: u64,
    /// Namespaces that were brought up to date.
    pub namespaces: Vec<Namespace>,
}

impl Perihelion {
    /// Brings the zones of a scope's memories to where they belong by now, and moves what nobody used for long to
    /// the trash. The background thread does the same; doing it again changes nothing.
    pub fn reorbit(&self, scope: &Scope) -> Result<Reorbited, Error> {
        let core = &self.core;
        core.usage.flush(&*core.store)?;
        let done = core.reorbit(scope, &|| true)?;
        core.publish();
        Ok(done)
    }
}

impl Core {
    pub(crate) fn reorbit(&self, scope: &Scope, go_on: &dyn Fn() -> bool) -> Result<Reorbited, Error> {
        let step = self.last_step();
        let mut done = Reorbited { step: Some(step), ..Reorbited::default() };
        for namespace in self.store.unsettled(step)? {
            if !scope.contains(&namespace) {
                continue;
            }
            if !go_on() {
                break;
            }
            if let Some((memories, Settled { moved, forgotten })) = self.settle(&namespace, step, &[])? {
                done.memories += memories;
                done.moved += moved;
                done.forgotten += forgotten;
                done.namespaces.push(namespace);
            }
        }
        Ok(done)
    }

    /// The last whole step by now.
    pub(crate) fn last_step(&self) -> Timestamp {
        self.step_of(self.now())
    }

    /// The last whole step by a time.
    pub(crate) fn step_of(&self, at: Timestamp) -> Timestamp {
        let step = i64::try_from(self.options.orbit.step.as_millis()).unwrap_or(i64::MAX).max(1);
        let at = at.as_millisecond();
        Timestamp::from_millisecond(at - at.rem_euclid(step)).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Settles one namespace; none if somebody else did meanwhile, or there was nothing to settle. What somebody is
    /// about to change is not forgotten.
    fn settle(
        &self,
        namespace: &Namespace,
        step: Timestamp,
        changing: &[MemoryId],
    ) -> Result<Option<(u64, Settled)>, Error> {
        let state = self.store.orbit(namespace)?;
        if let Some(settled) = state.settled_at.filter(|settled| *settled >= step) {
            self.note_settled(namespace, settled);
            return Ok(None);
        }
        let settings = self.orbit_settings(namespace)?;
        let (memories, from) = (state.bodies.len() as u64, state.settled_at);
        let mut settlement = settlement(&settings, namespace, state, step);
        settlement.faded.retain(|faded| !changing.contains(&faded.id));
        match self.store.write(vec![Write::Settle(Box::new(settlement))])?.pop() {
            Some(Written::Settled(Some(settled))) => {
                let Settled { moved, forgotten, .. } = settled;
                tracing::debug!(%namespace, memories, moved, forgotten, "the orbits are settled");
                self.note_settled(namespace, step);
                Ok(Some((memories, settled)))
            }
            Some(Written::Settled(None)) => {
                tracing::debug!(%namespace, ?from, "another process reorbited at the same time");
                Ok(None)
            }
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// How memories of a namespace orbit: as configured, with the weights that feedback has taught.
    pub(crate) fn orbit_settings(&self, namespace: &Namespace) -> Result<OrbitSettings, Error> {
        let mut settings = self.options.orbit;
        if let Some(weights) = self.learned_weights(namespace)? {
            settings.weights = weights;
        }
        Ok(settings)
    }
}

/// Walks the steps that are missing.
pub(crate) fn settlement(
    settings: &OrbitSettings,
    namespace: &Namespace,
    state: OrbitState,
    step: Timestamp,
) -> Settlement {
    let OrbitState { settled_at, bodies, uses, uses_through } = state;
    let numbers: HashMap<MemoryId, usize> =
        bodies.iter().enumerate().map(|(number, body)| (body.id, number)).collect();
    let uses: Vec<Use> = uses
        .iter()
        .filter_map(|one| {
            let index = *numbers.get(&one.id)?;
            Some(Use { index, at: one.at.as_millisecond(), recalls: u64::from(one.recalls) })
        })
        .collect();
    // Without an earlier settlement, the walk begins with the first memory: what was placed at birth moves on.
    let first = bodies.iter().map(|one| body(one).born).min().unwrap_or(step.as_millisecond());
    let from = settled_at.map_or(first - 1, Timestamp::as_millisecond);
    let orbits: Vec<Orbit> = bodies.iter().map(|one| Orbit { body: body(one), zone: one.zone }).collect();
    let request = Replay { settings, orbits: &orbits, uses: &uses, from, to: step.as_millisecond() };
    let Replayed { moves, forgotten, .. } = peri_orbit::replay(&request);
    let time = |millis| Timestamp::from_millisecond(millis).unwrap_or(step);
    let mut moves: Vec<ZoneMove> = moves
        .into_iter()
        .map(|one| {
            let (id, at) = (bodies[one.index].id, time(one.at));
            ZoneMove { id, from: one.from, to: one.to, at, reason: one.reason }
        })
        .collect();
    let mut faded = Vec::new();
    for one in forgotten {
        let (id, at) = (bodies[one.index].id, time(one.at));
        // A reorbit that comes late finds some that were used after their time. They were still there to be used,
        // so they stay, and are where that use brings them.
        match used_since(&uses, one.index, one.at) {
            None => faded.push(Faded { id, at, idle_days: one.idle_days }),
            Some((recalls, last_used)) => {
                let own = &orbits[one.index].body;
                let saved = Body { recalls: own.recalls + recalls, last_used, ..*own };
                let to = peri_orbit::own_zone(settings, &saved, step.as_millisecond());
                if to != Zone::Cloud {
                    moves.push(ZoneMove { id, from: Zone::Cloud, to, at: step, reason: MoveReason::Score });
                }
            }
        }
    }
    Settlement {
        namespace: namespace.clone(),
        from: settled_at,
        settled_at: step,
        uses_through,
        moves,
        faded,
    }
}

/// How often a memory was used after a time, and when last; none if it was not.
fn used_since(uses: &[Use], index: usize, after: i64) -> Option<(u64, i64)> {
    let later = uses.iter().filter(|one| one.index == index && one.at > after);
    later.fold(None, |known, one| {
        let (recalls, last) = known.unwrap_or((0, i64::MIN));
        Some((recalls + one.recalls, last.max(one.at)))
    })
}

/// What the orbit needs to know of a memory.
pub(crate) fn body(one: &OrbitBody) -> Body {
    let born = one.arrived_at.map_or(one.created_at, |arrived| arrived.max(one.created_at));
    let last_used = one.last_used_at.map_or(born, |used| used.max(born));
    Body {
        born: born.as_millisecond(),
        last_used: last_used.as_millisecond(),
        recalls: one.recalls,
        importance: one.importance,
        pinned: one.pinned,
        kept: one.kept,
    }
}
