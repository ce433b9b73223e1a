//! Which failures are tried again, and after how long.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use parking_lot::Mutex;

/// Whether a server that answers so may answer otherwise later.
pub fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

/// Whether a server that answers so may have charged for the answer all the same. Servers that are overloaded, or that
/// did not take the request, have not worked on it; one that failed, or waited for another, perhaps has.
pub fn may_have_charged(status: u16) -> bool {
    matches!(status, 408 | 500..=599) && !matches!(status, 501 | 503 | 529)
}

/// How long a server asks to wait: seconds, or a date.
pub fn retry_after(header: &str, now: Timestamp) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    let until = DateTimeParser::new().parse_timestamp(header).ok()?;
    Some(Duration::try_from(until.duration_since(now)).unwrap_or_default())
}

/// Within which bounds waits are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// The wait after the first failed attempt is at most so long; each further one twice as long...
    pub min: Duration,
    /// ...but never longer than this.
    pub max: Duration,
    /// A server that asks for a longer wait is asked again after this one.
    pub server_max: Duration,
    /// What the jitter is drawn from; none draws anew in each process.
    pub seed: Option<u64>,
}

/// Draws the waits between attempts.
#[derive(Debug)]
pub struct Backoff {
    min: Duration,
    max: Duration,
    server_max: Duration,
    random: Mutex<u64>,
}

impl Backoff {
    /// Draws waits within these bounds.
    pub fn new(waits: Waits) -> Self {
        let random = waits.seed.unwrap_or_else(|| RandomState::new().hash_one(std::process::id()));
        Self {
            min: waits.min,
            max: waits.max.max(waits.min),
            server_max: waits.server_max,
            random: Mutex::new(random),
        }
    }

    /// How long to wait after so many failed attempts: at least as long as the server asks, within bounds.
    pub fn wait(&self, attempts: u32, server: Option<Duration>) -> Duration {
        let doublings = attempts.saturating_sub(1).min(31);
        let bound = self.min.saturating_mul(1 << doublings).min(self.max);
        // At least half the bound: a wait near zero would be none.
        let share = self.next() >> 33;
        let drawn = bound / 2 + (bound / 2).mul_f64(share as f64 / f64::from(1_u32 << 31));
        drawn.max(server.unwrap_or_default().min(self.server_max))
    }

    /// SplitMix64.
    fn next(&self) -> u64 {
        let mut random = self.random.lock();
        *random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backoff(seed: u64) -> Backoff {
        Backoff::new(Waits {
            min: Duration::from_millis(500),
            max: Duration::from_secs(30),
            server_max: Duration::from_secs(60),
            seed: Some(seed),
        })
    }

    #[test]
    fn waits_double_within_their_bounds_and_follow_from_the_seed() {
        let (first, again, other) = (backoff(1), backoff(1), backoff(2));
        let mut differs = false;
        for attempts in 1..40 {
            let bound = Duration::from_millis(500 << (attempts - 1).min(6)).min(Duration::from_secs(30));
            let wait = first.wait(attempts, None);
            assert!(wait <= bound && wait >= bound / 2, "{attempts}: {wait:?}");
            assert_eq!(again.wait(attempts, None), wait);
            differs |= other.wait(attempts, None) != wait;
        }
        assert!(differs);
    }

    #[test]
    fn a_server_may_ask_for_a_longer_wait_but_not_for_any() {
        let backoff = backoff(1);
        assert_eq!(backoff.wait(1, Some(Duration::from_secs(20))), Duration::from_secs(20));
        assert_eq!(backoff.wait(1, Some(Duration::from_secs(86_400))), Duration::from_secs(60));
        assert!(backoff.wait(1, Some(Duration::ZERO)) >= Duration::from_millis(250));
    }

    #[test]
    fn servers_say_how_long_to_wait_in_seconds_or_as_a_date() {
        let now: Timestamp = "2026-03-02T14:00:00Z".parse().unwrap();
        let seconds = |header| retry_after(header, now).map(|wait| wait.as_secs());
        assert_eq!(seconds("7"), Some(7));
        assert_eq!(seconds(" 1.5 "), Some(1));
        assert_eq!(seconds("Mon, 02 Mar 2026 14:00:30 GMT"), Some(30));
        assert_eq!(seconds("Mon, 02 Mar 2026 13:00:00 GMT"), Some(0));
        assert_eq!(seconds("-5"), Some(0));
        for garbage in ["", "soon", "NaN", "inf", "1e300", "나중에"] {
            assert_eq!(retry_after(garbage, now).filter(|wait| !wait.is_zero()), None, "{garbage}");
        }
    }
}
