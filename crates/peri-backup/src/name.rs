//! What backups are called: when they were made, and up to which change they hold everything.

use jiff::tz::TimeZone;
use peri_types::{ChangeNumber, Timestamp};

/// The name of a backup, such as `20261116T071040Z-000000012345`. Names sort by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BackupName(String);

/// Why a text is not the name of a backup.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not the name of a backup, such as 20261116T071040Z-000000012345")]
pub struct InvalidName {
    /// The text that was given.
    pub given: String,
}

/// Ends the name of a backup that was made before a restore, of what the restore replaced.
const BEFORE_RESTORE: &str = "-before-restore";
const TIME: &str = "%Y%m%dT%H%M%SZ";
const TIME_LENGTH: usize = 16;
const CHANGE_DIGITS: usize = 12;

impl BackupName {
    /// The name of a backup that is made at a time, of a store at a change.
    pub fn new(at: Timestamp, change: ChangeNumber) -> Self {
        let time = at.to_zoned(TimeZone::UTC).strftime(TIME).to_string();
        Self(format!("{time}-{:0width$}", change.0, width = CHANGE_DIGITS))
    }

    /// The same, made to come back to what a restore replaced.
    pub fn before_restore(self) -> Self {
        Self(self.0 + BEFORE_RESTORE)
    }

    /// Whether it was made to come back to what a restore replaced.
    pub fn is_before_restore(&self) -> bool {
        self.0.ends_with(BEFORE_RESTORE)
    }

    /// When it was made, to the second.
    pub fn time(&self) -> Timestamp {
        time(&self.0).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Up to which change it holds everything.
    pub fn change(&self) -> ChangeNumber {
        let digits = self.0.split('-').nth(1).unwrap_or_default();
        ChangeNumber(digits.parse().unwrap_or_default())
    }

    /// The name as a text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn time(text: &str) -> Option<Timestamp> {
    let zoned = jiff::civil::DateTime::strptime(TIME, text.get(..TIME_LENGTH)?).ok()?;
    Some(zoned.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

impl std::fmt::Display for BackupName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

impl std::str::FromStr for BackupName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let plain = text.strip_suffix(BEFORE_RESTORE).unwrap_or(text);
        let parts = plain.split_once('-').filter(|(at, change)| {
            at.len() == TIME_LENGTH
                && (CHANGE_DIGITS..=20).contains(&change.len())
                && change.bytes().all(|byte| byte.is_ascii_digit())
        });
        match parts.and_then(|(at, _)| time(at)) {
            Some(_) => Ok(Self(text.to_owned())),
            None => Err(InvalidName { given: text.to_owned() }),
        }
    }
}

impl serde::Serialize for BackupName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for BackupName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_when_it_was_made_and_reads_back() {
        let at: Timestamp = "2026-11-16T07:10:40.9Z".parse().unwrap();
        let name = BackupName::new(at, ChangeNumber(12_345));
        assert_eq!(name.as_str(), "20261116T071040Z-000000012345");
        assert_eq!(name.time().to_string(), "2026-11-16T07:10:40Z");
        assert_eq!(name.change(), ChangeNumber(12_345));
        assert_eq!(name.as_str().parse(), Ok(name.clone()));
        let safety = name.clone().before_restore();
        assert!(safety.is_before_restore() && !name.is_before_restore());
        assert_eq!(safety.as_str().parse(), Ok(safety.clone()));
        assert_eq!((safety.time(), safety.change()), (name.time(), name.change()));
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in [
            "",
            "latest",
            "../20261116T071040Z-000000012345",
            "20261116T071040Z-000000012345/x",
            "20261316T071040Z-000000012345",
            "20261116T071040Z-12345",
            "20261116T071040Z-00000001234x",
            "20261116T071040Z-000000012345-after",
            "20261116T071040é-000000012345",
            "이름",
        ] {
            assert!(text.parse::<BackupName>().is_err(), "{text:?}");
        }
    }
}
