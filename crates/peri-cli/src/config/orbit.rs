//! The settings of the orbit: what must hold between them is checked here, so that the message names a key.

use std::time::Duration;

use perihelion::{Capacities, Decay, IdleTime, Least, OrbitSettings, TunerSettings, Weights, Zone};

use super::ConfigError;
use super::keys::Keys;
use super::resolve::DAY_SECONDS;

/// A hundred years, the most that the orbit counts.
const DAYS_MAX: u64 = 36_500;

/// So much feedback is kept.
const FEEDBACKS_MAX: u64 = 2000;

/// The least scores, from the nearest zone outward.
const LEAST: [&str; 4] = ["orbit.core_min", "orbit.inner_min", "orbit.outer_min", "orbit.belt_min"];

/// How memories orbit.
pub(super) fn orbit(keys: &Keys<'_>) -> Result<OrbitSettings, ConfigError> {
    let days = |key| Ok(Duration::from_secs(keys.between(key, 1, DAYS_MAX)? * DAY_SECONDS));
    let saturation = keys.between("orbit.saturation", 1, u64::from(u32::MAX))?;
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
            protected: protected(keys)?,
            idle_time: IdleTime::InUse,
            most_percent: u32::try_from(keys.between("decay.percent_a_day", 1, 100)?).unwrap_or(100),
        },
        step: Duration::from_secs(keys.between("orbit.step_seconds", 1, DAY_SECONDS)?),
    })
}

/// The outermost zone that does not decay.
fn protected(keys: &Keys<'_>) -> Result<Option<Zone>, ConfigError> {
    const KEY: &str = "decay.protected";
    match keys.text(KEY)?.trim() {
        "none" => Ok(None),
        name => match Zone::ALL.iter().find(|zone| zone.to_string() == name) {
            Some(zone) => Ok(Some(*zone)),
            None => Err(keys.none_of(KEY, name, "core, inner, outer, belt, cloud, none")),
        },
    }
}

/// How far and how readily feedback moves the weights.
pub(super) fn tuner(keys: &Keys<'_>) -> Result<TunerSettings, ConfigError> {
    let within = |key, least: f64, most: f64| match keys.share(key)? {
        given if (least..=most).contains(&given) => Ok(given),
        given => Err(keys.bad(key, format!("{given} is not between {least} and {most}"))),
    };
    let fewest = keys.between("feedback.feedbacks_min", 10, FEEDBACKS_MAX)?;
    let defaults = TunerSettings::default();
    let feedbacks_min = usize::try_from(fewest).unwrap_or(defaults.feedbacks_min);
    Ok(TunerSettings {
        feedbacks_min,
        feedbacks_max: defaults.feedbacks_max.max(feedbacks_min),
        step_max: within("feedback.step_max", 0.001, 0.5)?,
        weight_min: within("feedback.weight_min", 0.0, 0.25)?,
        weight_max: within("feedback.weight_max", 0.25, 1.0)?,
        ..defaults
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
