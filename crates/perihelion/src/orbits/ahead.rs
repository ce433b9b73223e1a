//! What the rules will do if nobody uses anything.

use jiff::SignedDuration;
use peri_types::{DayInUse, Namespace, Timestamp, Zone};

use super::moves::{MoveCause, OrbitMove};
use crate::Error;
use crate::engine::Core;
use crate::reorbit::settlement;

impl Core {
    /// The moves that reorbits up to a time will make, as a reorbit itself finds them; nothing is written. What is due
    /// by now and not settled yet is told as what comes next: until then everything is where it was.
    pub(crate) fn moves_ahead(
        &self,
        namespace: &Namespace,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<OrbitMove>, Error> {
        let step = self.step_of(until);
        let mut state = self.store.orbit(namespace)?;
        // What is foretold is what happens if the namespace goes on being used, and nothing of it is.
        let day = |at: Timestamp| at.as_millisecond().div_euclid(peri_orbit::DAY_MS);
        let from = state.days.last().map_or(day(now), |last| last.day + 1).max(day(now));
        state.days.extend((from..=day(until)).map(|day| {
            let begins = day * peri_orbit::DAY_MS;
            DayInUse { day, first: begins.max(now.as_millisecond()), last: begins.max(now.as_millisecond()) }
        }));
        if state.settled_at.is_some_and(|settled| settled >= step) || state.bodies.is_empty() {
            return Ok(Vec::new());
        }
        let settings = self.orbit_settings(namespace)?;
        let next = now.checked_add(SignedDuration::from_millis(1)).unwrap_or(Timestamp::MAX);
        let settled = settlement(&settings, namespace, state, step);
        let moves = settled.moves.into_iter().map(|one| OrbitMove {
            id: one.id,
            at: one.at.max(next),
            from: Some(one.from),
            to: Some(one.to),
            reason: Some(one.reason.into()),
        });
        let faded = settled.faded.into_iter().map(|one| OrbitMove {
            id: one.id,
            at: one.at.max(next),
            from: Some(Zone::Cloud),
            to: None,
            reason: Some(MoveCause::AutoForgotten),
        });
        let mut ahead: Vec<OrbitMove> = moves.chain(faded).collect();
        ahead.sort_by_key(|one| one.at);
        Ok(ahead)
    }
}
