//! Where "now" comes from. The engine never asks the system itself, so tests can set the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

/// A source of the current time: the system's, or one that a test moves by hand.
#[derive(Clone, Debug, Default)]
pub struct Clock(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    System,
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still until [`Clock::advance`] moves it; clones move together.
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.as_millisecond()))))
    }

    /// The current time, in whole milliseconds, which is the precision the store keeps.
    pub fn now(&self) -> Timestamp {
        let millis = match &self.0 {
            Source::System => Timestamp::now().as_millisecond(),
            Source::Manual(millis) => millis.load(Ordering::SeqCst),
        };
        Timestamp::from_millisecond(millis).expect("a clock stays within the years that Timestamp covers")
    }

    /// Moves a manual clock forward; the system's clock cannot be moved and ignores this.
    pub fn advance(&self, by: SignedDuration) {
        if let Source::Manual(millis) = &self.0 {
            millis.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_by_hand_and_together_with_its_clones() {
        let clock = Clock::manual(Timestamp::UNIX_EPOCH);
        let twin = clock.clone();
        clock.advance(SignedDuration::from_secs(90));
        assert_eq!(twin.now().as_second(), 90);
        assert_eq!(twin.now(), clock.now());
    }
}
