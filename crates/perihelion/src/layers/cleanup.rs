//! The clean-up of long-term memory: over its limits, what matters least goes to the trash first.

use std::cmp::Ordering;
use std::collections::HashMap;

use peri_orbit::TimeInUse;
use peri_store::{LetGo, OrbitBody, Released};
use peri_types::{CleanUpReason, Layer, MemoryId, Namespace, Scope, Timestamp};

use super::{LongTermSettings, Swept};
use crate::Error;
use crate::engine::Core;
use crate::reorbit::{body, in_use};

/// So many are moved to the trash in one transaction.
const BATCH: usize = 256;

/// A long-term memory with what decides whether it stays.
struct Candidate {
    id: MemoryId,
    change: peri_types::ChangeNumber,
    score: f64,
    recalls: u64,
    last_used: i64,
}

impl Core {
    /// Brings every namespace within the limits of long-term memory.
    pub(super) fn clean_up(&self, go_on: &dyn Fn() -> bool, swept: &mut Swept) -> Result<(), Error> {
        let settings = self.options.layers.long_term;
        if !settings.is_on() {
            return Ok(());
        }
        let now = self.now();
        for namespace in self.store.namespaces(&Scope::All)? {
            if !go_on() {
                break;
            }
            let released = self.beyond_limits(&namespace, &settings, now)?;
            for batch in released.chunks(BATCH) {
                let batch = batch.iter().map(|one| (namespace.clone(), *one)).collect();
                swept.cleaned_up += self.release_all(batch, now)?;
            }
        }
        Ok(())
    }

    fn beyond_limits(
        &self,
        namespace: &Namespace,
        settings: &LongTermSettings,
        now: Timestamp,
    ) -> Result<Vec<Released>, Error> {
        let orbit = self.orbit_settings(namespace)?;
        let state = self.store.orbit(namespace)?;
        let clock = TimeInUse::by(&orbit, state.days.iter().copied());
        let now_in_use = clock.at(now.as_millisecond());
        let mut pending: HashMap<MemoryId, (u64, i64)> = HashMap::new();
        for one in &state.uses {
            let entry = pending.entry(one.id).or_default();
            entry.0 += u64::from(one.recalls);
            entry.1 = entry.1.max(one.at.as_millisecond());
        }
        let is_long_term = |one: &&OrbitBody| one.layer == Layer::LongTerm;
        let held = state.bodies.iter().filter(is_long_term).count();
        let may_go = |one: &&OrbitBody| !one.pinned && !one.kept && !is_fresh(one, settings, now);
        let mut candidates: Vec<Candidate> = state
            .bodies
            .iter()
            .filter(is_long_term)
            .filter(may_go)
            .map(|one| {
                let mut body = body(one);
                if let Some((recalls, last)) = pending.get(&one.id) {
                    body.recalls += recalls;
                    body.last_used = body.last_used.max(*last);
                }
                let body = in_use(body, &clock);
                let score = peri_orbit::score(&orbit, &body, None, now_in_use).total;
                let (id, change) = (one.id, one.change);
                Candidate { id, change, score, recalls: body.recalls, last_used: body.last_used }
            })
            .collect();
        candidates.sort_by(leaving_order);
        let surplus = settings.items_max.map_or(0, |max| held.saturating_sub(max));
        let idle_since = settings
            .idle_max
            .map(|idle| now_in_use.saturating_sub(i64::try_from(idle.as_millis()).unwrap_or(i64::MAX)));
        let why = |(place, one): (usize, &Candidate)| {
            if place < surplus {
                Some(CleanUpReason::TooMany)
            } else if settings.score_min.is_some_and(|min| one.score < min) {
                Some(CleanUpReason::LowScore)
            } else {
                idle_since.is_some_and(|since| one.last_used < since).then_some(CleanUpReason::Idle)
            }
        };
        let gone = candidates.iter().enumerate().filter_map(|(place, one)| {
            let why = LetGo::CleanedUp(why((place, one))?);
            Some(Released { id: one.id, change: one.change, why })
        });
        Ok(gone.collect())
    }
}

/// The one that matters least first: by score, then by how often it was recalled, then by how long it is idle.
fn leaving_order(a: &Candidate, b: &Candidate) -> Ordering {
    a.score
        .total_cmp(&b.score)
        .then(a.recalls.cmp(&b.recalls))
        .then(a.last_used.cmp(&b.last_used))
        .then(a.id.cmp(&b.id))
}

/// Whether a memory was imported or restored lately: what somebody just brought back does not go again.
fn is_fresh(one: &OrbitBody, settings: &LongTermSettings, now: Timestamp) -> bool {
    let until = one.arrived_at.and_then(|at| at.checked_add(settings.grace).ok());
    until.is_some_and(|until| now < until)
}
