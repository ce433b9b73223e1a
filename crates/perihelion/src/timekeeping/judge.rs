//! Whether a clock can be believed, from what was seen of it before.

use peri_types::{Timestamp, Uptime};
use serde::{Deserialize, Serialize};

/// A clock may be off by so much, or be set right by so much, without being called wrong.
pub(super) const TOLERANCE_MS: i64 = 24 * HOUR_MS;

/// For so long a machine may have been switched off without a question.
const AWAY_MS: i64 = 7 * 24 * HOUR_MS;

/// A clock that goes on evenly for so long is believed, whatever it showed before.
const STEADY_MS: i64 = 24 * HOUR_MS;

const HOUR_MS: i64 = 3_600_000;

/// So many machines are remembered, and so many leaps.
const KEPT: usize = 16;

/// What a clock showed at a moment of its machine's uptime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reading {
    boot: Option<String>,
    uptime_ms: i64,
    pub(super) at_ms: i64,
}

/// A clock that is not believed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Doubt {
    first: Reading,
    last: Reading,
}

/// A stretch of time that nobody saw pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Skipped {
    from_ms: i64,
    to_ms: i64,
}

/// What processes have seen of the clocks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// What the clock of each machine showed last while it could be believed.
    #[serde(default)]
    witnesses: Vec<Reading>,
    #[serde(default)]
    doubt: Option<Doubt>,
    /// Leaps ahead of clocks that are believed by now, in order.
    #[serde(default)]
    pub(super) skipped: Vec<Skipped>,
}

/// How far a clock is from what can be explained: positive if it is ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) ahead_ms: i64,
}

impl Reading {
    pub(super) fn new(at: Timestamp, uptime: Uptime) -> Self {
        let Uptime { boot, millis } = uptime;
        Self { boot, uptime_ms: millis, at_ms: at.as_millisecond() }
    }

    /// What the clock should show now by an earlier reading of the same machine, if it is one. An uptime that has begun
    /// anew is that of another machine.
    fn expected_by(&self, earlier: &Self) -> Option<i64> {
        let same = self.boot.is_some() && self.boot == earlier.boot && self.uptime_ms >= earlier.uptime_ms;
        same.then(|| earlier.at_ms.saturating_add(self.uptime_ms - earlier.uptime_ms))
    }

    /// How far this reading is from where an earlier one of the same process leads, if that is too far.
    pub(super) fn gap_since(&self, earlier: &Self) -> Option<Gap> {
        let passed = self.uptime_ms.saturating_sub(earlier.uptime_ms);
        gap(self.at_ms.saturating_sub(earlier.at_ms.saturating_add(passed)), TOLERANCE_MS)
    }
}

fn gap(ahead_ms: i64, tolerance_ms: i64) -> Option<Gap> {
    (ahead_ms.saturating_abs() > tolerance_ms).then_some(Gap { ahead_ms })
}

impl Seen {
    /// What cannot be explained of what the clock shows, if that is too much. Without any witness, the latest time that the
    /// store knows of is one.
    pub(super) fn judge(&self, now: &Reading, latest: Option<Timestamp>) -> Option<Gap> {
        if let Some(expected) = self.witnesses.iter().find_map(|one| now.expected_by(one)) {
            return gap(now.at_ms.saturating_sub(expected), TOLERANCE_MS);
        }
        let last = self.witnesses.iter().map(|one| one.at_ms).max();
        let last = last.or(latest.map(Timestamp::as_millisecond))?;
        let since = now.at_ms.saturating_sub(last);
        if since < 0 {
            return gap(since, TOLERANCE_MS);
        }
        // The machine has run for as long as it says; before that it was off, or another one.
        gap(since.saturating_sub(now.uptime_ms.max(0)).max(0), AWAY_MS)
    }

    /// Notes a clock that is believed.
    pub(super) fn witness(&mut self, now: Reading) {
        self.doubt = None;
        self.witnesses.retain(|one| one.boot != now.boot);
        self.witnesses.push(now);
        let surplus = self.witnesses.len().saturating_sub(KEPT);
        self.witnesses.drain(..surplus);
    }

    /// Whether a believed clock should be noted again.
    pub(super) fn is_stale(&self, now: &Reading, after_ms: i64) -> bool {
        let own = self.witnesses.iter().find(|one| now.expected_by(one).is_some());
        self.doubt.is_some() || own.is_none_or(|one| now.uptime_ms - one.uptime_ms >= after_ms)
    }

    /// Notes a clock that is not believed. Once it has gone on evenly for a day and no other has been believed meanwhile,
    /// it is; whether that is so is the answer.
    pub(super) fn doubt(&mut self, now: &Reading) -> bool {
        let goes_on = |doubt: &Doubt| match now.expected_by(&doubt.last) {
            Some(expected) => (now.at_ms - expected).abs() <= TOLERANCE_MS,
            None => (0..=AWAY_MS).contains(&now.at_ms.saturating_sub(doubt.last.at_ms)),
        };
        match &mut self.doubt {
            Some(doubt) if goes_on(doubt) => {
                doubt.last = now.clone();
                now.at_ms.saturating_sub(doubt.first.at_ms) >= STEADY_MS
            }
            doubt => {
                *doubt = Some(Doubt { first: now.clone(), last: now.clone() });
                false
            }
        }
    }

    /// Believes a clock after all. A leap ahead is time that nobody saw pass.
    pub(super) fn accept(&mut self, now: Reading, gap: Gap) {
        let since = self.doubt.as_ref().map_or(now.at_ms, |doubt| doubt.first.at_ms);
        if gap.ahead_ms > 0 {
            self.skipped.push(Skipped { from_ms: since.saturating_sub(gap.ahead_ms), to_ms: since });
            let surplus = self.skipped.len().saturating_sub(KEPT);
            self.skipped.drain(..surplus);
        } else {
            self.skipped.retain(|one| one.to_ms <= now.at_ms);
        }
        self.witnesses.clear();
        self.witness(now);
    }

    /// The time that lies so long ago, without what nobody saw pass.
    pub(super) fn ago(&self, now_ms: i64, span_ms: i64) -> i64 {
        let (mut at, mut left) = (now_ms, span_ms);
        for one in self.skipped.iter().rev().filter(|one| one.to_ms <= now_ms) {
            if at.saturating_sub(left) >= one.to_ms {
                break;
            }
            left -= at - one.to_ms;
            at = one.from_ms;
        }
        at.saturating_sub(left)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * HOUR_MS;

    fn reading(boot: &str, uptime_days: i64, at_days: i64) -> Reading {
        Reading { boot: Some(boot.to_owned()), uptime_ms: uptime_days * DAY, at_ms: at_days * DAY }
    }

    fn seen(witnesses: &[Reading]) -> Seen {
        let mut seen = Seen::default();
        witnesses.iter().cloned().for_each(|one| seen.witness(one));
        seen
    }

    fn ahead_days(seen: &Seen, now: &Reading) -> Option<i64> {
        seen.judge(now, None).map(|gap| gap.ahead_ms / DAY)
    }

    #[test]
    fn a_clock_that_goes_with_the_uptime_is_believed_however_long_nobody_asked() {
        let seen = seen(&[reading("a", 1, 1000)]);
        assert_eq!(ahead_days(&seen, &reading("a", 301, 1300)), None);
        assert_eq!(ahead_days(&seen, &reading("a", 2, 1201)), Some(200));
        assert_eq!(ahead_days(&seen, &reading("a", 2, 901)), Some(-100));
    }

    #[test]
    fn after_a_start_of_the_machine_a_week_off_is_no_question_and_more_is() {
        let seen = seen(&[reading("a", 1, 1000)]);
        assert_eq!(ahead_days(&seen, &reading("b", 0, 1007)), None);
        assert_eq!(ahead_days(&seen, &reading("b", 0, 1091)), Some(91));
        assert_eq!(ahead_days(&seen, &reading("b", 90, 1091)), None, "it ran for most of the time");
        assert_eq!(ahead_days(&seen, &reading("b", 0, 990)), Some(-10));
    }

    #[test]
    fn without_a_witness_the_latest_time_in_the_store_is_one() {
        let latest = Timestamp::from_millisecond(1400 * DAY).ok();
        let gap = Seen::default().judge(&reading("a", 3, 1000), latest);
        assert_eq!(gap, Some(Gap { ahead_ms: -400 * DAY }));
        assert_eq!(Seen::default().judge(&reading("a", 3, 1000), None), None);
    }

    #[test]
    fn a_clock_that_goes_on_for_a_day_is_believed_unless_another_one_is() {
        let mut seen = seen(&[reading("a", 1, 1000)]);
        assert!(!seen.doubt(&reading("a", 1, 1400)));
        assert!(seen.doubt(&reading("a", 2, 1401)));
        let mut seen = self::seen(&[reading("a", 1, 1000)]);
        assert!(!seen.doubt(&reading("a", 1, 1400)));
        seen.witness(reading("a", 1, 1000));
        assert!(!seen.doubt(&reading("a", 2, 1401)), "it begins anew");
    }

    #[test]
    fn what_nobody_saw_pass_does_not_count_as_lain_in_the_trash() {
        let mut seen = seen(&[reading("a", 1, 1000)]);
        seen.doubt(&reading("a", 2, 1401));
        let now = reading("a", 3, 1402);
        let gap = seen.judge(&now, None).unwrap();
        seen.accept(now, gap);
        assert_eq!(seen.ago(1402 * DAY, DAY / 2), 1402 * DAY - DAY / 2);
        assert_eq!(seen.ago(1402 * DAY, 30 * DAY), 1001 * DAY - 29 * DAY);
    }
}
