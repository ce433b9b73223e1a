//! How many memories fade on one day in use: a few at most, the one idle longest first, however often somebody reorbits.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use peri_orbit::{DAY_MS, Forgetting, OrbitSettings};
use peri_store::Fading;

/// A memory that may fade. Times are those of the namespace's time in use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Due {
    pub(super) index: usize,
    /// From when on it may.
    pub(super) at: i64,
    pub(super) last_used: i64,
}

/// Lets memories fade when their time has come and the day leaves room for it; the others wait.
pub(super) struct Fader<'a> {
    settings: &'a OrbitSettings,
    /// When each memory joined the namespace, in order.
    births: Vec<i64>,
    pub(super) fading: Fading,
    /// How many have faded in this run.
    gone: u64,
}

impl<'a> Fader<'a> {
    /// For a namespace whose memories joined it at these times.
    pub(super) fn new(settings: &'a OrbitSettings, mut births: Vec<i64>, fading: Fading) -> Self {
        births.sort_unstable();
        Self { settings, births, fading, gone: 0 }
    }

    /// Those that fade up to a time, in the order in which they do. They are due in the order of time.
    pub(super) fn fade(&mut self, due: &[Due], to: i64) -> Vec<Forgetting> {
        let mut faded = Vec::new();
        let mut waiting: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
        let mut steps: BTreeSet<i64> = due.iter().map(|one| one.at).collect();
        let mut next = due.iter().peekable();
        while let Some(step) = steps.pop_first() {
            while let Some(one) = next.next_if(|one| one.at <= step) {
                waiting.push(Reverse((one.last_used, one.index)));
            }
            for _ in 0..self.room(step) {
                let Some(Reverse((last_used, index))) = waiting.pop() else { break };
                let idle_days = (step.saturating_sub(last_used) / DAY_MS).unsigned_abs();
                faded.push(Forgetting { index, at: step, idle_days });
                self.count(step);
            }
            let tomorrow = self.first_step_after(step);
            if !waiting.is_empty() && tomorrow <= to {
                steps.insert(tomorrow);
            }
        }
        faded
    }

    /// How many more may fade on the day of a step. Of a small namespace one does, and then none for days.
    fn room(&self, step: i64) -> u64 {
        let day = step.div_euclid(DAY_MS);
        let today = if self.fading.day == Some(day) { self.fading.count } else { 0 };
        let born = self.births.partition_point(|born| *born <= step) as u64;
        // Those that are there, and those that were this morning.
        let held = (born.saturating_sub(self.gone) + today).max(1);
        let percent = u64::from(self.settings.decay.most_percent);
        let most = held * percent / 100;
        if most > 0 {
            return most.saturating_sub(today);
        }
        let days_each = i64::try_from(100_u64.div_ceil(held * percent)).unwrap_or(i64::MAX);
        u64::from(self.fading.day.is_none_or(|last| day - last >= days_each))
    }

    fn count(&mut self, step: i64) {
        let day = Some(step.div_euclid(DAY_MS));
        let count = if self.fading.day == day { self.fading.count } else { 0 };
        self.fading = Fading { day, count: count + 1 };
        self.gone += 1;
    }

    /// The first step of the day after this one.
    fn first_step_after(&self, at: i64) -> i64 {
        let tomorrow = (at.div_euclid(DAY_MS) + 1) * DAY_MS;
        let step = i64::try_from(self.settings.step.as_millis()).unwrap_or(DAY_MS).max(1);
        tomorrow.div_euclid(step) * step + if tomorrow.rem_euclid(step) == 0 { 0 } else { step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faded(count: usize, days: i64) -> Vec<(i64, usize)> {
        let settings = OrbitSettings::default();
        let due: Vec<Due> = (0..count).map(|index| Due { index, at: DAY_MS, last_used: 0 }).collect();
        let mut fader = Fader::new(&settings, vec![0; count], Fading::default());
        let faded = fader.fade(&due, days * DAY_MS);
        faded.iter().map(|one| (one.at / DAY_MS, one.index)).collect()
    }

    #[test]
    fn at_most_one_in_twenty_fades_a_day_and_the_rest_follows() {
        let days: Vec<i64> = faded(100, 4).iter().map(|(day, _)| *day).collect();
        assert_eq!(days, [1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4], "of 100, 95, 91 and 87");
    }

    #[test]
    fn of_a_few_memories_one_fades_and_then_none_for_days() {
        assert_eq!(faded(4, 12), [(1, 0), (8, 1)], "of three left, one in seven days");
    }

    #[test]
    fn fading_in_many_rounds_is_fading_in_one() {
        let settings = OrbitSettings::default();
        let due: Vec<Due> =
            (0..60).map(|index| Due { index, at: DAY_MS * (1 + index as i64 / 30), last_used: 7 }).collect();
        let at_once = Fader::new(&settings, vec![0; 60], Fading::default()).fade(&due, 9 * DAY_MS);
        let (mut left, mut gone, mut fading) = (due, Vec::new(), Fading::default());
        for round in 1..=18 {
            let to = round * DAY_MS / 2;
            let mut fader = Fader::new(&settings, vec![0; left.len()], fading);
            let open: Vec<Due> = left
                .iter()
                .filter(|one| one.at <= to)
                .map(|one| Due { at: one.at.max(to - DAY_MS / 2 + 300_000), ..*one })
                .collect();
            let faded = fader.fade(&open, to);
            fading = fader.fading;
            left.retain(|one| !faded.iter().any(|gone| gone.index == one.index));
            gone.extend(faded);
        }
        let by_day = |all: &[Forgetting]| -> Vec<(i64, usize)> {
            all.iter().map(|one| (one.at / DAY_MS, one.index)).collect()
        };
        assert_eq!(by_day(&at_once), by_day(&gone));
    }
}
