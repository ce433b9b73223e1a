//! Pauses: while somebody asks, workers take half of a core at most, and those of a kind do not follow each other at once.

use std::cell::Cell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use perihelion::Perihelion;

use crate::kind::WorkerKind;

/// Somebody asks who was answered within so long.
const ASKED: Duration = Duration::from_millis(100);

/// Less work than this needs no pause of its own.
const STINT: Duration = Duration::from_millis(5);

/// A pause within a run is no longer than this.
const PAUSE_MAX: Duration = Duration::from_millis(50);

/// The pause between two runs of a kind is as long as the first one took, and within these. Each run begins and ends
/// with a few commits and threads of its own, however little it does.
const REST_MIN: Duration = Duration::from_millis(100);
const REST_MAX: Duration = Duration::from_secs(1);

/// So often somebody who pauses looks whether to go on.
const LOOK: Duration = Duration::from_millis(5);

/// Pauses within a run.
pub(crate) struct Breath {
    since: Cell<Instant>,
}

impl Breath {
    /// The work begins now.
    pub(crate) fn new() -> Self {
        Self { since: Cell::new(Instant::now()) }
    }

    /// Pauses for as long as was worked since the last pause, if somebody asks meanwhile.
    pub(crate) fn take(&self, engine: &Perihelion, go_on: &dyn Fn() -> bool) {
        let worked = self.since.get().elapsed();
        if worked < STINT {
            return;
        }
        pause(worked.min(PAUSE_MAX), &|| engine.was_asked_within(ASKED) && go_on());
        self.since.set(Instant::now());
    }
}

/// Pauses between runs: when a worker of each kind ended here last, and how long it should rest.
#[derive(Default)]
pub(crate) struct Rests {
    ended: Mutex<HashMap<WorkerKind, (Instant, Duration)>>,
}

impl Rests {
    /// Notes that a run took so long and is over.
    pub(crate) fn begin(&self, kind: WorkerKind, took: Duration) {
        self.ended.lock().insert(kind, (Instant::now(), rest_after(took)));
    }

    /// Waits for the end of a worker's rest, if somebody asks meanwhile.
    pub(crate) fn end(&self, kind: WorkerKind, engine: &Perihelion, go_on: &dyn Fn() -> bool) {
        let Some((ended, rest)) = self.ended.lock().get(&kind).copied() else { return };
        pause(rest.saturating_sub(ended.elapsed()), &|| engine.was_asked_within(ASKED) && go_on());
    }
}

/// How long a worker rests, while somebody asks, after a run that took so long.
pub fn rest_after(took: Duration) -> Duration {
    took.clamp(REST_MIN, REST_MAX)
}

/// Does nothing for so long, as long as there is a reason to.
fn pause(lasting: Duration, has_reason: &dyn Fn() -> bool) {
    let began = Instant::now();
    while has_reason() {
        let left = lasting.saturating_sub(began.elapsed());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_when_there_is_no_reason_for_it_any_more() {
        let looks = Cell::new(0);
        let until_third_look = || {
            looks.set(looks.get() + 1);
            looks.get() < 3
        };
        pause(Duration::from_secs(3600), &until_third_look);
        assert_eq!(looks.get(), 3);
    }

    #[test]
    fn a_pause_ends_after_its_time_although_there_is_a_reason() {
        pause(Duration::ZERO, &|| true);
        pause(Duration::from_millis(1), &|| true);
    }

    #[test]
    fn a_rest_is_as_long_as_the_work_within_bounds() {
        let rested = [1, 300, 60_000].map(|took| rest_after(Duration::from_millis(took)).as_millis());
        assert_eq!(rested, [100, 300, 1000]);
    }
}
