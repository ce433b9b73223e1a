//! How long to wait after a failure: twice as long each time, and at random within that, so that many processes do not
//! come back all at once.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use crate::QueueSettings;

/// Draws how long to wait after failures.
#[derive(Debug)]
pub struct Backoff {
    min: Duration,
    max: Duration,
    random: u64,
}

impl Backoff {
    /// Draws waits as the settings say.
    pub fn new(settings: &QueueSettings) -> Self {
        let random = settings.seed.unwrap_or_else(|| RandomState::new().hash_one(std::process::id()));
        Self { min: settings.backoff_min, max: settings.backoff_max.max(settings.backoff_min), random }
    }

    /// How long to wait after so many failed attempts: anything up to the bound.
    pub fn wait(&mut self, attempts: u32) -> Duration {
        let bound = self.bound(attempts).as_nanos();
        let share = u128::from(self.next());
        let nanos = (bound * share) >> 64;
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    fn bound(&self, attempts: u32) -> Duration {
        let doublings = attempts.saturating_sub(1).min(31);
        self.min.saturating_mul(1 << doublings).min(self.max)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeded(seed: u64) -> Backoff {
        Backoff::new(&QueueSettings { seed: Some(seed), ..QueueSettings::default() })
    }

    #[test]
    fn waits_double_up_to_a_minute_and_never_exceed_their_bound() {
        let mut backoff = seeded(1);
        let bounds: Vec<_> = (1..=12).map(|attempts| backoff.bound(attempts).as_millis()).collect();
        assert_eq!(bounds, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000]);
        assert_eq!(backoff.bound(u32::MAX), Duration::from_secs(60));
        for attempts in 1..200 {
            assert!(backoff.wait(attempts) <= backoff.bound(attempts));
        }
    }

    #[test]
    fn waits_are_spread_over_the_whole_bound_and_follow_from_the_seed() {
        let draw = |seed| {
            let mut backoff = seeded(seed);
            (0..1000).map(|_| backoff.wait(4)).collect::<Vec<_>>()
        };
        let waits = draw(7);
        let below = |millis| waits.iter().filter(|wait| wait.as_millis() < millis).count();
        assert!((150..250).contains(&below(160)) && (350..650).contains(&below(400)), "{}", below(400));
        assert_eq!(waits, draw(7));
        assert_ne!(waits, draw(8));
    }

    #[test]
    fn a_longest_wait_below_the_first_one_is_lifted_to_it() {
        let (backoff_min, backoff_max) = (Duration::from_secs(2), Duration::ZERO);
        let backoff = Backoff::new(&QueueSettings { backoff_min, backoff_max, ..QueueSettings::default() });
        assert_eq!(backoff.bound(5), Duration::from_secs(2));
    }
}
