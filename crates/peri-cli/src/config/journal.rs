//! The settings of the journal.

use std::time::Duration;

use perihelion::JournalSettings;

use super::ConfigError;
use super::keys::Keys;
use super::resolve::{DAY_SECONDS, RETENTION_DAYS_MAX};

/// More than anybody wants in memory.
const RING_MAX: u64 = 1_000_000;

impl Keys<'_> {
    /// How the journal is kept.
    pub(super) fn journal(&self) -> Result<JournalSettings, ConfigError> {
        let ring = self.at_most("journal.ring_events", RING_MAX)?;
        let days = self.at_most("journal.retention_days", RETENTION_DAYS_MAX)?;
        Ok(JournalSettings {
            ring: usize::try_from(ring).unwrap_or(usize::MAX),
            retention: Duration::from_secs(days * DAY_SECONDS),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::layers::{add_file, defaults};
    use super::*;

    /// What is in memory outlives no command, so none can show it.
    #[test]
    fn how_many_events_stay_in_memory_reaches_the_engine() {
        let mut settings = defaults().unwrap();
        add_file(&mut settings, Path::new("x.toml"), "[journal]\nring_events = 7\nretention_days = 3")
            .unwrap();
        let journal = Keys(&settings).journal().unwrap();
        assert_eq!((journal.ring, journal.retention), (7, Duration::from_secs(3 * DAY_SECONDS)));
    }
}
