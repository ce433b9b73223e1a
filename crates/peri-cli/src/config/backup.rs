//! The settings of backups.

use std::path::Path;
use std::time::Duration;

use peri_backup::{Destination, Halt, Reach, Retention, ScheduleSettings};

use super::ConfigError;
use super::keys::Keys;

/// Ten years.
const INTERVAL_HOURS_MAX: u64 = 10 * 366 * 24;
/// More backups than anybody keeps.
const KEPT_MAX: u64 = 100_000;
const HOUR_SECONDS: u64 = 60 * 60;

/// Where backups go, when, and which are kept.
#[derive(Debug, Clone)]
pub(crate) struct BackupSettings {
    /// Where they go.
    pub(crate) to: Destination,
    /// How often `peri serve` makes one, if it does.
    pub(crate) interval: Option<Duration>,
    /// Which are kept.
    pub(crate) retention: Retention,
    endpoint: String,
    region: String,
}

impl BackupSettings {
    /// How to reach buckets: as configured, with the credentials of the environment.
    pub(crate) fn reach(&self) -> Reach {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with("AWS_"));
        let (endpoint, region) = (self.endpoint.clone(), self.region.clone());
        Reach { endpoint, region, variables: variables.collect(), halt: Halt::default() }
    }

    /// When `peri serve` makes them, if it does.
    pub(crate) fn schedule(&self) -> Option<ScheduleSettings> {
        self.interval.map(|interval| ScheduleSettings { interval, retention: self.retention.clone() })
    }
}

impl Keys<'_> {
    /// Backups.
    pub(super) fn backup(&self, home: &Path) -> Result<BackupSettings, ConfigError> {
        let to = Destination::parse(self.text("backup.to")?, home);
        let hours = self.at_most("backup.interval_hours", INTERVAL_HOURS_MAX)?;
        let kept = |key| Ok(u32::try_from(self.at_most(key, KEPT_MAX)?).unwrap_or(u32::MAX));
        let retention = Retention {
            last: kept("backup.keep_last")?,
            daily: kept("backup.keep_daily")?,
            weekly: kept("backup.keep_weekly")?,
            monthly: kept("backup.keep_monthly")?,
            zone: jiff::tz::TimeZone::system(),
        };
        if hours > 0 && !retention.keeps_something() {
            return Err(self.bad(
                "backup.keep_last",
                "nothing is said to be kept, so every backup would replace the one before",
            ));
        }
        let endpoint = self.text("backup.endpoint")?;
        if !(endpoint.is_empty() || endpoint.starts_with("http://") || endpoint.starts_with("https://")) {
            return Err(self.bad("backup.endpoint", "it begins with https://, as in https://s3.example.org"));
        }
        Ok(BackupSettings {
            to: to.map_err(|error| self.bad("backup.to", error.to_string()))?,
            interval: (hours > 0).then(|| Duration::from_secs(hours * HOUR_SECONDS)),
            retention,
            endpoint: endpoint.to_owned(),
            region: self.text("backup.region")?.to_owned(),
        })
    }
}
