//! Time in use: a clock of a namespace that stands still while nobody uses it.
//!
//! Idle time is counted on this clock, so that nothing fades while nobody is there. It goes on for a day after each use,
//! so a gap between two uses, however long, counts as one day at most, to the hour. The clock is a function of the uses that the
//! store knows, in whatever order they were noted.

use peri_types::DayInUse;

use crate::settings::{IdleTime, OrbitSettings};

/// The length of a day in milliseconds. Days are those of UTC.
pub const DAY_MS: i64 = 86_400_000;

/// The uses of a namespace as a clock.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimeInUse {
    stretches: Vec<Stretch>,
}

/// Uses without a gap of more than a day between them, and the day after the last.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    begin: i64,
    end: i64,
    /// What was left out before it.
    skipped: i64,
}

impl TimeInUse {
    /// The clock of these days. Time before the first use counts in full.
    pub fn new(days: impl IntoIterator<Item = DayInUse>) -> Self {
        let mut days: Vec<DayInUse> = days.into_iter().collect();
        days.sort_unstable_by_key(|one| one.first);
        let mut stretches: Vec<Stretch> = Vec::new();
        for DayInUse { first, last, .. } in days {
            let end = last.saturating_add(DAY_MS);
            match stretches.last_mut() {
                Some(before) if first <= before.end => before.end = before.end.max(end),
                Some(before) => {
                    let skipped = before.skipped + (first - before.end);
                    stretches.push(Stretch { begin: first, end, skipped });
                }
                None => stretches.push(Stretch { begin: i64::MIN, end, skipped: 0 }),
            }
        }
        Self { stretches }
    }

    /// The clock that these settings ask for.
    pub fn by(settings: &OrbitSettings, days: impl IntoIterator<Item = DayInUse>) -> Self {
        match settings.decay.idle_time {
            IdleTime::InUse => Self::new(days),
            IdleTime::Calendar => Self::default(),
        }
    }

    /// What the clock shows at a time.
    pub fn at(&self, time: i64) -> i64 {
        let after = self.stretches.partition_point(|one| one.begin <= time);
        match after.checked_sub(1).map(|last| self.stretches[last]) {
            Some(one) => time.min(one.end) - one.skipped,
            None => time,
        }
    }

    /// The first time at which the clock shows this. After the last use it stops after a day; that is the answer beyond.
    pub fn when(&self, shown: i64) -> i64 {
        let before = self.stretches.partition_point(|one| one.end - one.skipped < shown);
        match self.stretches.get(before).or(self.stretches.last()) {
            Some(one) => shown.saturating_add(one.skipped).clamp(one.begin, one.end),
            None => shown,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR_MS: i64 = 3_600_000;

    fn clock(uses: &[i64]) -> TimeInUse {
        TimeInUse::new(uses.iter().map(|at| DayInUse::of(*at)))
    }

    #[test]
    fn daily_use_leaves_time_as_it_is() {
        let uses: Vec<i64> = (0..10).map(|day| day * DAY_MS + 17).collect();
        let clock = clock(&uses);
        for at in [-5, 0, 3 * DAY_MS + 1, 10 * DAY_MS - 1] {
            assert_eq!((clock.at(at), clock.when(at)), (at, at));
        }
    }

    #[test]
    fn nothing_counts_after_a_day_without_use() {
        let clock = clock(&[5 * DAY_MS]);
        assert_eq!(clock.at(6 * DAY_MS), 6 * DAY_MS);
        assert_eq!(clock.at(500 * DAY_MS), 6 * DAY_MS);
    }

    proptest! {
        #[test]
        fn a_gap_between_two_uses_counts_as_one_day_at_most(
            mut uses in prop::collection::vec(0..400 * DAY_MS, 2..60),
        ) {
            let clock = clock(&uses);
            uses.sort_unstable();
            for pair in uses.windows(2) {
                let counted = clock.at(pair[1]) - clock.at(pair[0]);
                let most = (DAY_MS + HOUR_MS).min(pair[1] - pair[0]);
                prop_assert!((0..=most).contains(&counted), "{pair:?} counts {counted}");
            }
        }

        #[test]
        fn the_order_of_the_uses_and_their_repetition_change_nothing(
            uses in prop::collection::vec(0..100 * DAY_MS, 1..40), at in 0..120 * DAY_MS,
        ) {
            let mut other = uses.clone();
            other.reverse();
            other.extend(&uses);
            prop_assert_eq!(clock(&uses).at(at), clock(&other).at(at));
        }

        #[test]
        fn what_the_clock_shows_is_found_again(
            uses in prop::collection::vec(0..100 * DAY_MS, 0..40), at in -DAY_MS..120 * DAY_MS,
        ) {
            let clock = clock(&uses);
            let shown = clock.at(at);
            prop_assert_eq!(clock.at(clock.when(shown)), shown);
            prop_assert!(clock.when(shown) <= at);
        }
    }
}
