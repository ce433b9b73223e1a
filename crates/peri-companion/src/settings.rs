//! When each step is due, and how failures are tried again.

use std::time::Duration;

/// When each step is due, in tokens. Every part has a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// So many tokens of messages wait before they are observed.
    pub observe_tokens_min: usize,
    /// At most so many are observed at once; a longer backlog takes several steps.
    pub observe_tokens_max: usize,
    /// A longer message is cut in its middle.
    pub message_tokens_max: usize,
    /// Messages are observed, however few, once the last of them is so old.
    pub idle: Duration,
    /// Notes of a session with more tokens than this are condensed...
    pub reflect_tokens: usize,
    /// ...to so many.
    pub reflect_target_tokens: usize,
    /// Candidates of all sessions are considered for the digest once they have so many tokens, by rules earlier...
    pub promote_tokens: usize,
    /// ...at most so many at once.
    pub promote_tokens_max: usize,
    /// A digest with more tokens than this is condensed...
    pub compact_tokens: usize,
    /// ...to so many.
    pub compact_target_tokens: usize,
    /// After so many answers that could not be used, a step is given up.
    pub attempts_max: u32,
    /// A step that failed is tried again after so long; each further time after twice as long...
    pub backoff_min: Duration,
    /// ...but never longer than this.
    pub backoff_max: Duration,
}

/// Settings that make no sense. Change them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct SettingsError {
    /// What is wrong.
    pub what: &'static str,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            observe_tokens_min: 200,
            observe_tokens_max: 8_000,
            message_tokens_max: 2_000,
            idle: Duration::from_secs(30 * 60),
            reflect_tokens: 20_000,
            reflect_target_tokens: 10_000,
            promote_tokens: 5_000,
            promote_tokens_max: 8_000,
            compact_tokens: 15_000,
            compact_target_tokens: 8_000,
            attempts_max: 6,
            backoff_min: Duration::from_secs(30),
            backoff_max: Duration::from_secs(3600),
        }
    }
}

impl Settings {
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let wrong = [
            (self.observe_tokens_max == 0, "at least one token has to be observed at once"),
            (self.message_tokens_max < 16, "a message has to be given at least 16 tokens"),
            (
                self.reflect_target_tokens == 0 || self.reflect_target_tokens >= self.reflect_tokens,
                "notes have to be condensed to fewer tokens than they may have, and to some",
            ),
            (
                self.compact_target_tokens == 0 || self.compact_target_tokens >= self.compact_tokens,
                "a digest has to be condensed to fewer tokens than it may have, and to some",
            ),
            (self.promote_tokens_max == 0, "at least one token has to be considered at once"),
            (self.attempts_max == 0, "a step has to be tried at least once"),
            (self.backoff_min.is_zero(), "what failed cannot be tried again without a wait"),
        ];
        match wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, what)) => Err(SettingsError { what }),
            None => Ok(()),
        }
    }

    /// How long to wait after so many failures in a row.
    pub(crate) fn backoff(&self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(31);
        self.backoff_min.saturating_mul(1 << doublings).min(self.backoff_max.max(self.backoff_min))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let settings = Settings::default();
        let waits: Vec<u64> = (1..=9).map(|failures| settings.backoff(failures).as_secs()).collect();
        assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
        assert_eq!(settings.backoff(u32::MAX), settings.backoff_max);
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        assert_eq!(Settings::default().check(), Ok(()));
        let fine = Settings::default;
        for bad in [
            Settings { observe_tokens_max: 0, ..fine() },
            Settings { message_tokens_max: 3, ..fine() },
            Settings { reflect_target_tokens: 20_000, ..fine() },
            Settings { compact_target_tokens: 0, ..fine() },
            Settings { promote_tokens_max: 0, ..fine() },
            Settings { attempts_max: 0, ..fine() },
            Settings { backoff_min: Duration::ZERO, ..fine() },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
