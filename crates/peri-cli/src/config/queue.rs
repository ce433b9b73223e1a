//! The settings of the failure queue.

use std::time::Duration;

use perihelion::{QueueSettings, Queueing};

use super::ConfigError;
use super::keys::Keys;

/// Every call takes some memory, and so many take more than anybody has.
const IN_MEMORY_MAX: u64 = 100_000_000;
/// A terabyte.
const SEGMENT_MB_MAX: u64 = 1_000_000;
/// More attempts than anybody waits for.
const ATTEMPTS_MAX: u64 = 1_000_000_000;
/// A day.
const BACKOFF_MS_MAX: u64 = 24 * 60 * 60 * 1000;

impl Keys<'_> {
    /// The failure queue.
    pub(super) fn queue(&self) -> Result<QueueSettings, ConfigError> {
        let attempts =
            |key, min| Ok(u32::try_from(self.between(key, min, ATTEMPTS_MAX)?).unwrap_or(u32::MAX));
        let backoff_min = self.between("queue.backoff_min_ms", 1, BACKOFF_MS_MAX)?;
        let backoff_max = self.between("queue.backoff_max_ms", 1, BACKOFF_MS_MAX)?;
        if backoff_max < backoff_min {
            let why = format!("{backoff_max} is less than the {backoff_min} of queue.backoff_min_ms");
            return Err(self.bad("queue.backoff_max_ms", why));
        }
        let in_memory_max = self.between("queue.in_memory_max", 1, IN_MEMORY_MAX)?;
        Ok(QueueSettings {
            queueing: if self.flag("queue.enabled")? { Queueing::On } else { Queueing::Off },
            in_memory_max: usize::try_from(in_memory_max).unwrap_or(usize::MAX),
            segment_bytes: self.between("queue.segment_mb", 1, SEGMENT_MB_MAX)? * 1024 * 1024,
            attempts_max: Some(attempts("queue.attempts_max", 0)?).filter(|max| *max > 0),
            unclear_attempts_max: attempts("queue.unclear_attempts_max", 1)?,
            backoff_min: Duration::from_millis(backoff_min),
            backoff_max: Duration::from_millis(backoff_max),
            seed: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{layers, resolve};
    use super::*;

    fn queue_with(text: &str) -> Result<QueueSettings, String> {
        let mut settings = layers::defaults().unwrap();
        layers::add_file(&mut settings, Path::new("x.toml"), &format!("[queue]\n{text}")).unwrap();
        let folder = Path::new("somewhere");
        let config = resolve::resolve(&settings, folder).map_err(|error| error.to_string())?;
        Ok(config.options(folder).queue)
    }

    #[test]
    fn every_setting_reaches_the_engine() {
        let text = "enabled = false\nin_memory_max = 7\nsegment_mb = 2\nattempts_max = 3\n\
                    unclear_attempts_max = 4\nbackoff_min_ms = 5\nbackoff_max_ms = 6";
        let expected = QueueSettings {
            queueing: Queueing::Off,
            in_memory_max: 7,
            segment_bytes: 2 * 1024 * 1024,
            attempts_max: Some(3),
            unclear_attempts_max: 4,
            backoff_min: Duration::from_millis(5),
            backoff_max: Duration::from_millis(6),
            seed: None,
        };
        assert_eq!(queue_with(text), Ok(expected));
        assert_eq!(queue_with(""), Ok(QueueSettings::default()));
    }

    #[test]
    fn values_without_meaning_are_refused_and_named() {
        for (text, key) in [
            ("in_memory_max = 0", "queue.in_memory_max"),
            ("segment_mb = 0", "queue.segment_mb"),
            ("unclear_attempts_max = 0", "queue.unclear_attempts_max"),
            ("backoff_min_ms = 0", "queue.backoff_min_ms"),
            ("backoff_max_ms = 99", "queue.backoff_max_ms"),
            ("backoff_max_ms = 999999999", "queue.backoff_max_ms"),
        ] {
            let error = queue_with(text).unwrap_err();
            assert!(error.starts_with(&format!("{key} (x.toml:2)")), "{error}");
        }
    }
}
