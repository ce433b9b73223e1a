//! Waiting, which tests do without.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use peri_types::Clock;

/// How waits pass: really, or by moving a manual clock.
#[derive(Debug, Clone, Default)]
pub struct Pace(Way);

#[derive(Debug, Clone, Default)]
enum Way {
    #[default]
    Real,
    Manual {
        clock: Clock,
        waits: Arc<Mutex<Vec<Duration>>>,
    },
}

impl Pace {
    /// Waits for as long as it takes.
    pub fn real() -> Self {
        Self(Way::Real)
    }

    /// Moves a manual clock instead of waiting.
    pub fn manual(clock: &Clock) -> Self {
        Self(Way::Manual { clock: clock.clone(), waits: Arc::default() })
    }

    /// How long was waited each time; known only of waits that were not real.
    pub fn waits(&self) -> Vec<Duration> {
        match &self.0 {
            Way::Real => Vec::new(),
            Way::Manual { waits, .. } => waits.lock().clone(),
        }
    }

    /// Waits.
    pub fn wait(&self, duration: Duration) {
        match &self.0 {
            Way::Real => std::thread::sleep(duration),
            Way::Manual { clock, waits } => {
                clock.advance(SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX));
                waits.lock().push(duration);
            }
        }
    }

    /// Begins to measure.
    pub fn start(&self) -> Watch {
        match &self.0 {
            Way::Real => Watch(Time::Real(Instant::now())),
            Way::Manual { clock, .. } => Watch(Time::Manual(clock.clone(), clock.now())),
        }
    }
}

/// Measures how long something takes.
#[derive(Debug)]
pub struct Watch(Time);

#[derive(Debug)]
enum Time {
    Real(Instant),
    Manual(Clock, Timestamp),
}

impl Watch {
    /// How long it has taken so far.
    pub fn elapsed(&self) -> Duration {
        match &self.0 {
            Time::Real(start) => start.elapsed(),
            Time::Manual(clock, start) => {
                Duration::try_from(clock.now().duration_since(*start)).unwrap_or_default()
            }
        }
    }
}
