//! Reorbit: bring the zones of all memories to where they belong by now.
//!
//! Zones advance in whole steps of time. Whoever reorbits, by timer or by hand, once a month or every minute,
//! walks the steps that are missing, so that the zones, and the events that tell of the moves, are always the
//! same.

mod before;
mod fading;

use std::collections::HashMap;

use peri_orbit::{Body, Orbit, OrbitSettings, Replay, Replayed, TimeInUse, Use};
use peri_store::{Faded, OrbitBody, OrbitState, Settled, Settlement, StoreError, Write, Written, ZoneMove};
use peri_types::{MemoryId, MoveReason, Namespace, Scope, Timestamp, Zone};
use serde::Serialize;

use crate::Error;
use crate::engine::{Core, Perihelion};
use fading::{Due, Fader};

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
        core.believe_clock()?;
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

/// Walks the steps that are missing, on the namespace's time in use.
pub(crate) fn settlement(
    settings: &OrbitSettings,
    namespace: &Namespace,
    state: OrbitState,
    step: Timestamp,
) -> Settlement {
    let OrbitState { settled_at, bodies, uses, uses_through, days, fading } = state;
    let clock = TimeInUse::by(settings, days);
    let numbers: HashMap<MemoryId, usize> =
        bodies.iter().enumerate().map(|(number, body)| (body.id, number)).collect();
    let uses: Vec<Use> = uses
        .iter()
        .filter_map(|one| {
            let index = *numbers.get(&one.id)?;
            let at = clock.at(one.at.as_millisecond());
            Some(Use { index, at, recalls: u64::from(one.recalls) })
        })
        .collect();
    let orbits: Vec<Orbit> =
        bodies.iter().map(|one| Orbit { body: in_use(body(one), &clock), zone: one.zone }).collect();
    let to = clock.at(step.as_millisecond());
    // Without an earlier settlement, the walk begins with the first memory: what was placed at birth moves on.
    let first = orbits.iter().map(|one| one.body.born).min().unwrap_or(to);
    let from = settled_at.map_or(first - 1, |settled| clock.at(settled.as_millisecond()));
    let request = Replay { settings, orbits: &orbits, uses: &uses, from, to };
    let Replayed { moves, forgotten, .. } = peri_orbit::replay(&request);
    let time = |shown| Timestamp::from_millisecond(clock.when(shown)).unwrap_or(step);
    let mut moves: Vec<ZoneMove> = moves
        .into_iter()
        .map(|one| {
            let (id, at) = (bodies[one.index].id, time(one.at));
            ZoneMove { id, from: one.from, to: one.to, at, reason: one.reason }
        })
        .collect();
    let mut due = Vec::new();
    for one in forgotten {
        let own = orbits[one.index].body;
        // A reorbit that comes late finds some that were used after their time. They were still there to be used,
        // so they stay, and are where that use brings them.
        match used_since(&uses, one.index, one.at) {
            None => {
                due.push(Due { index: one.index, at: one.at, last_used: last_use(&uses, one.index, &own) })
            }
            Some((recalls, last_used)) => {
                let saved = Body { recalls: own.recalls + recalls, last_used, ..own };
                let zone = peri_orbit::own_zone(settings, &saved, to);
                if zone != Zone::Cloud {
                    let (id, at) = (bodies[one.index].id, time(to));
                    moves.push(ZoneMove { id, from: Zone::Cloud, to: zone, at, reason: MoveReason::Score });
                }
            }
        }
    }
    let mut fader = Fader::new(settings, orbits.iter().map(|one| one.body.born).collect(), fading);
    let faded = fader.fade(&due, to).into_iter();
    Settlement {
        namespace: namespace.clone(),
        from: settled_at,
        settled_at: step,
        uses_through,
        moves,
        faded: faded
            .map(|one| Faded { id: bodies[one.index].id, at: time(one.at), idle_days: one.idle_days })
            .collect(),
        fading: fader.fading,
    }
}

/// When a memory was last used, with what its body does not count yet.
fn last_use(uses: &[Use], index: usize, body: &Body) -> i64 {
    let counted = uses.iter().filter(|one| one.index == index && one.recalls > 0);
    counted.fold(body.last_used, |last, one| last.max(one.at))
}

/// The same on a namespace's time in use.
pub(crate) fn in_use(body: Body, clock: &TimeInUse) -> Body {
    Body { born: clock.at(body.born), last_used: clock.at(body.last_used), ..body }
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
