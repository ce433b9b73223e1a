//! The settings of the orbit: what must hold between them is checked here, so that the message names a key.

use std::time::Duration;

use perihelion::{Capacities, Decay, Least, OrbitSettings, Weights};

use super::ConfigError;
use super::keys::Keys;
use super::resolve::DAY_SECONDS;

/// A hundred years, the most that the orbit counts.
const DAYS_MAX: u64 = 36_500;

/// The least scores, from the nearest zone outward.
const LEAST: [&str; 4] = ["orbit.core_min", "orbit.inner_min", "orbit.outer_min", "orbit.belt_min"];

/// How memories orbit.
pub(super) fn orbit(keys: &Keys<'_>) -> Result<OrbitSettings, ConfigError> {
    let days = |key| Ok(Duration::from_secs(keys.between(key, 1, DAYS_MAX)? * DAY_SECONDS));
    let saturation = keys.between("orbit.saturation", 1, u64::from(u32::MAX))?;
    let defaults = OrbitSettings::default();
    Ok(OrbitSettings {
        weights: weights(keys)?,
        saturation: u32::try_from(saturation).unwrap_or(u32::MAX),
        half_life: days("orbit.half_life_days")?,
        least: least(keys)?,
        capacities: capacities(keys)?,
        decay: Decay {
            enabled: keys.flag("decay.enabled")?,
            demote_every: days("decay.demote_days")?,
            forget_after: days("decay.forget_days")?,
            ..defaults.decay
        },
        step: Duration::from_secs(keys.between("orbit.step_seconds", 1, DAY_SECONDS)?),
    })
}

fn weights(keys: &Keys<'_>) -> Result<Weights, ConfigError> {
    let weights = Weights {
        recall: keys.share("orbit.weights.recall")?,
        freshness: keys.share("orbit.weights.freshness")?,
        importance: keys.share("orbit.weights.importance")?,
        context: keys.share("orbit.weights.context")?,
    };
    // Outside of sessions there is no context, and something must count there too.
    if weights.recall + weights.freshness + weights.importance == 0.0 {
        let why = "recall, freshness and importance cannot all be 0: one of them must count";
        return Err(keys.bad("orbit.weights.recall", why));
    }
    Ok(weights)
}

fn least(keys: &Keys<'_>) -> Result<Least, ConfigError> {
    let [core, inner, outer, belt] = LEAST;
    let least = [keys.share(core)?, keys.share(inner)?, keys.share(outer)?, keys.share(belt)?];
    for (at, pair) in least.windows(2).enumerate() {
        if pair[1] >= pair[0] {
            let (further, nearer) = (LEAST[at + 1], LEAST[at]);
            return Err(keys.bad(further, format!("{} is not below {}, which is {nearer}", pair[1], pair[0])));
        }
    }
    let [core, inner, outer, belt] = least;
    Ok(Least { core, inner, outer, belt })
}

fn capacities(keys: &Keys<'_>) -> Result<Capacities, ConfigError> {
    let capacity = |key| match keys.size(key)? {
        0 => Err(keys.bad(key, "it must be at least 1")),
        capacity => Ok(capacity),
    };
    Ok(Capacities {
        core: capacity("orbit.core_capacity")?,
        inner: capacity("orbit.inner_capacity")?,
        outer: capacity("orbit.outer_capacity")?,
    })
}
