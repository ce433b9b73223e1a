//! Timekeeping: nothing is settled across a leap of the clock.
//!
//! What fades, expires or is purged does so by the clock, and a clock may be wrong: a machine with a dead battery, a
//! virtual machine that was restored, one node of many. So processes note what the clock shows together with the
//! machine's uptime, which no one can set. A clock that shows what neither explains is not believed: memories are stored
//! and recalled as ever, but nothing is taken away until it is right again, has gone on for a day, or a person accepts it.

mod ahead;
mod judge;

use std::sync::atomic::{AtomicBool, Ordering};

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_store::{ClockRecord, Rewound, StoreError, Write, Written};
use peri_types::{Scope, Timestamp};
use serde::Serialize;

use crate::Error;
use crate::engine::{Core, Perihelion};
pub use ahead::FadingAhead;
pub(crate) use ahead::FoundAhead;
use judge::{Gap, Reading, Seen};

/// What is known of the clocks is read again after so long.
const LOOK_AGAIN_MS: i64 = 60_000;

/// A clock that is believed is noted again after so long.
const NOTE_AGAIN_MS: i64 = 10 * 60_000;

/// A clock that shows what cannot be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockLeap {
    /// What the clock shows.
    pub shows: Timestamp,
    /// What it should show by the machine's uptime, or by the last time that the store was in use.
    pub expected: Timestamp,
    /// By how much it is ahead; negative if it is behind.
    pub ahead_seconds: i64,
}

impl std::fmt::Display for ClockLeap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.ahead_seconds.unsigned_abs();
        let (count, unit) =
            if seconds >= 2 * 86_400 { (seconds / 86_400, "days") } else { (seconds / 3600, "hours") };
        let side = if self.ahead_seconds > 0 { "ahead of" } else { "behind" };
        write!(
            f,
            "the clock shows {}, {count} {unit} {side} what the store and this machine's uptime explain; until that is \
             cleared up nothing fades, expires for good or is purged",
            self.shows.strftime("%Y-%m-%d %H:%M UTC")
        )
    }
}

/// What this process knows of the clock.
#[derive(Default)]
pub(crate) struct Timekeeper(Mutex<State>, AtomicBool);

impl Timekeeper {
    /// From now on the clock is that of a story: it is neither judged nor noted.
    pub(crate) fn follow_a_story(&self) {
        self.1.store(true, Ordering::Relaxed);
    }

    fn follows_a_story(&self) -> bool {
        self.1.load(Ordering::Relaxed)
    }
}

#[derive(Default)]
struct State {
    /// The last reading that was believed.
    believed: Option<Reading>,
    /// When the store was last asked, by the uptime.
    asked_ms: Option<i64>,
    /// When the clock was last noted there, by the uptime.
    noted_ms: Option<i64>,
    gap: Option<Gap>,
    seen: Seen,
}

impl Perihelion {
    /// What is wrong with the clock, if something is.
    pub fn clock_leap(&self) -> Option<ClockLeap> {
        self.core.clock_leap()
    }

    /// Believes the clock from now on, though it shows what cannot be explained.
    pub fn accept_clock(&self) -> Result<(), Error> {
        self.core.accept_clock()
    }

    /// Takes back what happened by itself after a time, which is now unless one is given: what faded or outlived its
    /// retention then comes back from the trash, and what was stored, used or settled later than now is so now. For the
    /// time after a clock went ahead. The clock as it is now is believed.
    pub fn rewind(&self, scope: &Scope, after: Option<Timestamp>) -> Result<Rewound, Error> {
        let core = &self.core;
        core.usage.flush(&*core.store)?;
        let rewound = core.rewind(scope, after)?;
        if core.clock_leap().is_some() {
            core.accept_clock()?;
        }
        core.publish();
        Ok(rewound)
    }
}

impl Core {
    /// What is wrong with the clock, if something is. The store is asked at most once a minute.
    pub(crate) fn clock_leap(&self) -> Option<ClockLeap> {
        if self.timekeeper.follows_a_story() {
            return None;
        }
        let now = self.reading();
        let mut state = self.timekeeper.0.lock();
        // A clock that was believed in this process goes on being so until it leaps.
        if let Some(believed) = &state.believed {
            return now.reading.gap_since(believed).map(|gap| now.leap(gap));
        }
        let is_known =
            state.asked_ms.is_some_and(|asked| (0..LOOK_AGAIN_MS).contains(&(now.uptime_ms - asked)));
        if !is_known {
            match self.judge(&now, &mut state) {
                Ok(()) => state.asked_ms = Some(now.uptime_ms),
                Err(error) => tracing::debug!(%error, "what is known of the clock cannot be read"),
            }
        }
        state.gap.map(|gap| now.leap(gap))
    }

    /// Fails if something is wrong with the clock.
    pub(crate) fn believe_clock(&self) -> Result<(), Error> {
        self.clock_leap().map_or(Ok(()), |leap| Err(Error::Clock(leap)))
    }

    /// When something is used now: by the clock, or earlier if that is known to be ahead.
    pub(crate) fn time_of_use(&self) -> Timestamp {
        let now = self.now();
        self.clock_leap().map_or(now, |leap| now.min(leap.expected))
    }

    /// The time that lies so long ago, without leaps of the clock.
    pub(crate) fn ago(&self, span: std::time::Duration) -> Timestamp {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        let at = self.timekeeper.0.lock().seen.ago(self.now().as_millisecond(), span);
        Timestamp::from_millisecond(at).unwrap_or(Timestamp::MIN)
    }

    /// Notes in the store what the clock shows, now and then. One that was in doubt and has gone on for a day is believed.
    pub(crate) fn note_clock(&self) -> Result<(), Error> {
        if self.store.is_read_only() || self.timekeeper.follows_a_story() {
            return Ok(());
        }
        let leap = self.clock_leap();
        let now = self.reading();
        let noted = self.timekeeper.0.lock().noted_ms.replace(now.uptime_ms);
        if leap.is_none() && noted.is_some_and(|noted| now.uptime_ms - noted < NOTE_AGAIN_MS) {
            self.timekeeper.0.lock().noted_ms = noted;
            return Ok(());
        }
        let (record, _) = self.store.clock()?;
        let mut seen = read(&record);
        match leap {
            None if seen.is_stale(&now.reading, NOTE_AGAIN_MS) => seen.witness(now.reading.clone()),
            None => return Ok(()),
            Some(leap) => {
                if seen.doubt(&now.reading) {
                    tracing::warn!(%leap, "the clock has gone on for a day and is believed from now on");
                    return self.accept_clock();
                }
            }
        }
        self.keep(record.revision, seen)
    }

    pub(crate) fn accept_clock(&self) -> Result<(), Error> {
        let now = self.reading();
        let (record, latest) = self.store.clock()?;
        let mut seen = read(&record);
        let gap = seen.judge(&now.reading, latest);
        match gap {
            Some(gap) => seen.accept(now.reading.clone(), gap),
            None => seen.witness(now.reading.clone()),
        }
        self.keep(record.revision, seen.clone())?;
        {
            let mut state = self.timekeeper.0.lock();
            *state = State {
                believed: Some(now.reading),
                asked_ms: Some(now.uptime_ms),
                noted_ms: None,
                gap: None,
                seen,
            };
        }
        // What was settled by a clock that went ahead would stay as it is until time has caught up.
        if gap.is_some_and(|gap| gap.ahead_ms < 0) {
            self.rewind(&Scope::All, None)?;
        }
        Ok(())
    }

    fn rewind(&self, scope: &Scope, after: Option<Timestamp>) -> Result<Rewound, Error> {
        let at = self.now();
        let rewind = Write::Rewind { scope: scope.clone(), after: after.unwrap_or(at), at };
        let outcome = self.store.write(vec![rewind])?.pop();
        self.settled.lock().clear();
        match outcome {
            Some(Written::Rewound(rewound)) => Ok(rewound),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    fn judge(&self, now: &Now, state: &mut State) -> Result<(), StoreError> {
        let (record, latest) = self.store.clock()?;
        state.seen = read(&record);
        let gap = state.seen.judge(&now.reading, latest);
        if let Some(gap) = gap.filter(|_| state.gap.is_none()) {
            tracing::warn!(leap = %now.leap(gap), "the clock is not believed");
        }
        state.gap = gap;
        state.believed = state.gap.is_none().then(|| now.reading.clone());
        Ok(())
    }

    fn keep(&self, revision: u64, seen: Seen) -> Result<(), Error> {
        let state = serde_json::to_string(&seen).expect("times and names can be written");
        self.store.write(vec![Write::KeepClock(ClockRecord { revision, state })])?;
        Ok(())
    }

    fn reading(&self) -> Now {
        let uptime = self.options.clock.uptime();
        let (at, uptime_ms) = (self.now(), uptime.millis);
        Now { at, uptime_ms, reading: Reading::new(at, uptime) }
    }
}

/// What the clock shows now.
struct Now {
    at: Timestamp,
    uptime_ms: i64,
    reading: Reading,
}

impl Now {
    fn leap(&self, gap: Gap) -> ClockLeap {
        let expected = self.at.checked_sub(SignedDuration::from_millis(gap.ahead_ms)).unwrap_or(self.at);
        ClockLeap { shows: self.at, expected, ahead_seconds: gap.ahead_ms / 1000 }
    }
}

/// A record that cannot be read says nothing.
fn read(record: &ClockRecord) -> Seen {
    serde_json::from_str(&record.state).unwrap_or_default()
}
