//! Where "now" comes from. The engine never asks the system itself, so tests can set the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
#[cfg(any(not(unix), target_os = "linux"))]
use std::{sync::OnceLock, time::Instant};

use jiff::{SignedDuration, Timestamp};

/// A source of the current time: the system's, or one that a test moves by hand.
#[derive(Clone, Debug, Default)]
pub struct Clock(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    System,
    Manual {
        /// Time as it passes, which is what a machine's uptime counts.
        passed: Arc<AtomicI64>,
        /// How far this clock goes wrong.
        ahead_ms: i64,
    },
}

/// How long a machine has been running, its sleep included. It goes on evenly, whatever is done to the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uptime {
    /// Since which start of the machine; none where the system does not tell, and the process's own start counts.
    pub boot: Option<String>,
    /// Milliseconds since then.
    pub millis: i64,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still until [`Clock::advance`] moves it; clones move together.
    pub fn manual(start: Timestamp) -> Self {
        let passed = Arc::new(AtomicI64::new(start.as_millisecond()));
        Self(Source::Manual { passed, ahead_ms: 0 })
    }

    /// The same manual clock as a process sees it whose clock is wrong by so much; both advance together.
    pub fn wrong_by(&self, ahead: SignedDuration) -> Self {
        match &self.0 {
            Source::System => self.clone(),
            Source::Manual { passed, ahead_ms } => Self(Source::Manual {
                passed: Arc::clone(passed),
                ahead_ms: ahead_ms.saturating_add(i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX)),
            }),
        }
    }

    /// The current time, in whole milliseconds, which is the precision the store keeps.
    pub fn now(&self) -> Timestamp {
        let millis = match &self.0 {
            Source::System => Timestamp::now().as_millisecond(),
            Source::Manual { passed, ahead_ms } => passed.load(Ordering::SeqCst) + ahead_ms,
        };
        Timestamp::from_millisecond(millis).expect("a clock stays within the years that Timestamp covers")
    }

    /// How long the machine has been running.
    pub fn uptime(&self) -> Uptime {
        match &self.0 {
            Source::System => system_uptime(),
            Source::Manual { passed, .. } => {
                Uptime { boot: Some("manual".to_owned()), millis: passed.load(Ordering::SeqCst) }
            }
        }
    }

    /// Moves a manual clock forward; the system's clock cannot be moved and ignores this.
    pub fn advance(&self, by: SignedDuration) {
        if let Source::Manual { passed, .. } = &self.0 {
            passed.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}

#[cfg(target_os = "linux")]
fn system_uptime() -> Uptime {
    use rustix::time::{ClockId, clock_gettime};

    static BOOT: OnceLock<Option<String>> = OnceLock::new();
    let Some(boot) = BOOT.get_or_init(boot_id) else {
        return process_uptime();
    };
    let up = clock_gettime(ClockId::Boottime);
    Uptime { boot: Some(boot.clone()), millis: up.tv_sec * 1000 + up.tv_nsec / 1_000_000 }
}

#[cfg(target_os = "linux")]
fn boot_id() -> Option<String> {
    use std::io::Read as _;

    use rustix::fs::{Mode, OFlags, open};

    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = open("/proc/sys/kernel/random/boot_id", flags, Mode::empty()).ok()?;
    let mut id = String::new();
    std::fs::File::from(file).read_to_string(&mut id).ok()?;
    Some(id.trim().to_owned())
}

/// These count their sleep as well, and do not name their starts.
#[cfg(all(unix, not(target_os = "linux")))]
fn system_uptime() -> Uptime {
    let up = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Uptime { boot: None, millis: up.tv_sec * 1000 + up.tv_nsec / 1_000_000 }
}

#[cfg(not(unix))]
fn system_uptime() -> Uptime {
    process_uptime()
}

#[cfg(any(not(unix), target_os = "linux"))]
fn process_uptime() -> Uptime {
    static START: OnceLock<Instant> = OnceLock::new();
    let up = START.get_or_init(Instant::now).elapsed();
    Uptime { boot: None, millis: i64::try_from(up.as_millis()).unwrap_or(i64::MAX) }
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

    #[test]
    fn a_wrong_clock_shares_the_uptime_of_the_right_one() {
        let right = Clock::manual(Timestamp::UNIX_EPOCH);
        let wrong = right.wrong_by(SignedDuration::from_hours(24));
        right.advance(SignedDuration::from_secs(90));
        assert_eq!(wrong.now().as_second(), 86_490);
        assert_eq!(wrong.uptime(), right.uptime());
    }

    #[test]
    fn the_systems_uptime_goes_on() {
        let (first, then) = (Clock::system().uptime(), Clock::system().uptime());
        assert_eq!(first.boot, then.boot);
        assert!(first.millis <= then.millis);
    }
}
