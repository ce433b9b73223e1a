//! The replay as one would write it without any thought of speed.

use peri_orbit::{
    Body, Forgetting, Move, Orbit, OrbitSettings, Replayed, Use, is_forgotten, own_zone, place, zone_by_score,
};
use peri_types::{MoveReason, Zone};

use crate::orbit_support::DAY;

/// Walks every step and places everybody anew at each.
pub fn walk(settings: &OrbitSettings, orbits: &[Orbit], uses: &[Use], from: i64, to: i64) -> Replayed {
    let step = settings.step.as_millis() as i64;
    let mut done =
        Replayed { moves: Vec::new(), forgotten: Vec::new(), orbits: orbits.to_vec(), settled: from };
    let mut gone = vec![false; orbits.len()];
    let mut counted = vec![false; uses.len()];
    let mut now = (from.div_euclid(step) + 1) * step;
    while now <= to {
        let mut touched = vec![false; orbits.len()];
        for (used, counted) in uses.iter().zip(&mut counted) {
            let known = used.index < orbits.len() && !gone[used.index];
            if known && used.at <= now && !*counted {
                *counted = true;
                touched[used.index] = true;
                count(used, &mut done.orbits[used.index].body);
            }
        }
        let present: Vec<usize> =
            (0..orbits.len()).filter(|index| !gone[*index] && orbits[*index].body.born <= now).collect();
        let bodies: Vec<Body> = present.iter().map(|index| done.orbits[*index].body).collect();
        for (index, to) in present.iter().copied().zip(place(settings, &bodies, now)) {
            let Orbit { body, zone: from } = done.orbits[index];
            touched[index] |= body.born > now - step;
            if from != to {
                let reason = reason(settings, &body, now, touched[index], from, to);
                done.moves.push(Move { index, from, to, at: now, reason });
                done.orbits[index].zone = to;
            }
            if is_forgotten(settings, &body, now) {
                gone[index] = true;
                let idle_days = ((now - body.last_used) / DAY) as u64;
                done.forgotten.push(Forgetting { index, at: now, idle_days });
            }
        }
        done.settled = now;
        now += step;
    }
    done
}

fn count(used: &Use, body: &mut Body) {
    body.recalls += used.recalls;
    if used.recalls > 0 {
        body.last_used = body.last_used.max(used.at);
    }
}

fn reason(
    settings: &OrbitSettings,
    body: &Body,
    now: i64,
    touched: bool,
    from: Zone,
    to: Zone,
) -> MoveReason {
    match () {
        () if to < from && touched => MoveReason::Score,
        () if to < from => MoveReason::Room,
        () if to != own_zone(settings, body, now) => MoveReason::Room,
        () if zone_by_score(settings, body, now) > from => MoveReason::Score,
        () => MoveReason::Idle,
    }
}
