//! The settings of the layers: how long each keeps what it holds, and what moves on.

use std::time::Duration;

use perihelion::{EpisodicSettings, LayerSettings, LongTermSettings, PromotionSettings, WorkingSettings};

use super::ConfigError;
use super::keys::Keys;
use super::resolve::DAY_SECONDS;

/// A thousand years; what is older is before every time there is.
const DAYS_MAX: u64 = 365_250;

/// The same in seconds.
const SECONDS_MAX: u64 = DAYS_MAX * DAY_SECONDS;

/// How long each layer keeps what it holds.
pub(super) fn layers(keys: &Keys<'_>) -> Result<LayerSettings, ConfigError> {
    Ok(LayerSettings {
        working: working(keys)?,
        episodic: EpisodicSettings { retention: days(keys, "episodic.retention_days")? },
        long_term: long_term(keys)?,
        promotion: promotion(keys)?,
    })
}

fn working(keys: &Keys<'_>) -> Result<WorkingSettings, ConfigError> {
    Ok(WorkingSettings {
        time_to_live: Duration::from_secs(keys.at_most("working.ttl_seconds", SECONDS_MAX)?),
        capacity: keys.size("working.capacity")?,
        sweep_interval: Duration::from_secs(keys.between("working.sweep_seconds", 1, DAY_SECONDS)?),
    })
}

fn long_term(keys: &Keys<'_>) -> Result<LongTermSettings, ConfigError> {
    let idle = days(keys, "long_term.idle_days_max")?;
    Ok(LongTermSettings {
        items_max: Some(keys.size("long_term.items_max")?).filter(|max| *max > 0),
        score_min: Some(keys.share("long_term.score_min")?).filter(|min| *min > 0.0),
        idle_max: Some(idle).filter(|idle| !idle.is_zero()),
        grace: days(keys, "long_term.grace_days")?,
    })
}

fn promotion(keys: &Keys<'_>) -> Result<PromotionSettings, ConfigError> {
    let repeats = keys.between("promotion.repeats_min", 2, u64::from(u32::MAX))?;
    Ok(PromotionSettings {
        enabled: keys.flag("promotion.enabled")?,
        importance_min: keys.share("promotion.importance_min")?,
        recalls_min: keys.between("promotion.recalls_min", 1, u64::from(u32::MAX))?,
        repeats_min: usize::try_from(repeats).unwrap_or(usize::MAX),
        repeat_cosine_min: keys.share("promotion.repeat_cosine_min")? as f32,
    })
}

fn days(keys: &Keys<'_>, key: &str) -> Result<Duration, ConfigError> {
    Ok(Duration::from_secs(keys.at_most(key, DAYS_MAX)? * DAY_SECONDS))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::layers::{add_file, defaults};
    use super::*;

    /// Only programs that stay make use of it, so no command can show it.
    #[test]
    fn how_often_staying_programs_sweep_reaches_the_engine() {
        let mut settings = defaults().unwrap();
        add_file(&mut settings, Path::new("x.toml"), "[working]\nsweep_seconds = 7").unwrap();
        let working = layers(&Keys(&settings)).unwrap().working;
        assert_eq!(working.sweep_interval, Duration::from_secs(7));
    }
}
