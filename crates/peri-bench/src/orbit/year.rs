//! A year of one person, settled every night, and what is counted in it.

use std::collections::HashMap;

use peri_orbit::{Body, Move, Orbit, OrbitSettings, Replay, Use, own_zone, replay};
use peri_types::MoveReason;

use super::life::{Item, Life, Profile};
use super::{DAY_MS, START};
use crate::Outcome;

pub(super) const DAYS: i64 = 365;

/// What happened in about a month, and how things stood at its end.
#[derive(Debug, Clone, Default)]
pub(super) struct Month {
    /// Memories by zone.
    pub(super) zones: [usize; 5],
    pub(super) by_score: usize,
    pub(super) by_idling: usize,
    pub(super) by_room: usize,
    /// Of those by room, the ones that came nearer again.
    pub(super) back_in: usize,
    pub(super) forgotten: usize,
    /// Of those, the ones that fell into the cloud at the same step.
    pub(super) forgotten_at_once: usize,
    /// Changes of direction that explain themselves neither by a use of the memory nor by room.
    pub(super) unexplained: usize,
    /// The mean zone of what was used in the last seven days, and of what was never used.
    pub(super) zone_of_used: Option<f64>,
    pub(super) zone_of_unused: Option<f64>,
}

/// What became of a year.
pub(super) struct Year {
    pub(super) months: Vec<Month>,
    /// Memories by zone at the end of each day.
    pub(super) days: Vec<[usize; 5]>,
    /// Memories of importance 1 that were forgotten.
    pub(super) vital_forgotten: usize,
}

/// Lives through a year.
pub(super) fn live(settings: &OrbitSettings, profile: Profile, seed: u64) -> Outcome<Year> {
    let mut state =
        State { settings, items: Vec::new(), orbits: Vec::new(), settled: START, used: HashMap::new() };
    let mut life = Life::new(profile, seed);
    let mut year = Year { months: Vec::new(), days: Vec::new(), vital_forgotten: 0 };
    let mut month = Month::default();
    for day in 0..DAYS {
        let items = life.remember(day)?;
        state.add(items);
        let uses = life.recall(day, &state.items);
        year.vital_forgotten += state.settle(day, &uses, &mut month);
        month.zones = count(&state.orbits);
        year.days.push(month.zones);
        if (day + 1) * 12 / DAYS > day * 12 / DAYS {
            (month.zone_of_used, month.zone_of_unused) = state.mean_zones(day);
            year.months.push(std::mem::take(&mut month));
        }
    }
    Ok(year)
}

struct State<'a> {
    settings: &'a OrbitSettings,
    items: Vec<Item>,
    orbits: Vec<Orbit>,
    settled: i64,
    /// When memories were used on the day at hand, by index.
    used: HashMap<usize, Vec<i64>>,
}

impl State<'_> {
    fn add(&mut self, mut items: Vec<Item>) {
        items.sort_by_key(|item| item.born);
        for item in items {
            let Item { born, importance, .. } = item;
            let body = Body { born, last_used: born, recalls: 0, importance, pinned: false, kept: false };
            self.orbits.push(Orbit { body, zone: own_zone(self.settings, &body, born) });
            self.items.push(item);
        }
    }

    /// Brings the orbits up to the end of a day and drops what was forgotten. Says how much of that was
    /// vital.
    fn settle(&mut self, day: i64, uses: &[(usize, i64)], month: &mut Month) -> usize {
        let uses: Vec<Use> =
            uses.iter().map(|(index, at)| Use { index: *index, at: *at, recalls: 1 }).collect();
        let done = replay(&Replay {
            settings: self.settings,
            orbits: &self.orbits,
            uses: &uses,
            from: self.settled,
            to: START + (day + 1) * DAY_MS,
        });
        self.used.clear();
        for used in &uses {
            self.used.entry(used.index).or_default().push(used.at);
        }
        for moved in &done.moves {
            match moved.reason {
                MoveReason::Score => month.by_score += 1,
                MoveReason::Idle => month.by_idling += 1,
                MoveReason::Room => month.by_room += 1,
            }
            let comes_nearer = moved.to < moved.from;
            month.back_in += usize::from(comes_nearer && moved.reason == MoveReason::Room);
            month.unexplained += usize::from(comes_nearer && !self.is_explained(moved));
        }
        month.forgotten += done.forgotten.len();
        let mut gone = vec![false; self.orbits.len()];
        let mut vital = 0;
        for forgetting in &done.forgotten {
            gone[forgetting.index] = true;
            vital += usize::from(self.items[forgetting.index].importance.value() == 1.0);
            let at_once = |moved: &Move| moved.index == forgetting.index && moved.at == forgetting.at;
            month.forgotten_at_once += usize::from(done.moves.iter().any(at_once));
        }
        let mut left = gone.iter().map(|gone| !gone);
        self.items.retain(|_| left.next().unwrap_or(true));
        let orbits = done.orbits.into_iter().zip(&gone);
        self.orbits = orbits.filter(|(_, gone)| !**gone).map(|(orbit, _)| orbit).collect();
        self.settled = done.settled;
        vital
    }

    /// Without use a memory only falls. It comes nearer because it was used at that step, or because there
    /// is room for it again.
    fn is_explained(&self, moved: &Move) -> bool {
        let step = self.settings.step.as_millis() as i64;
        let at_that_step = |at: &i64| moved.at - step < *at && *at <= moved.at;
        moved.reason == MoveReason::Room
            || self.used.get(&moved.index).is_some_and(|uses| uses.iter().any(at_that_step))
    }

    fn mean_zones(&self, day: i64) -> (Option<f64>, Option<f64>) {
        let week_ago = START + (day + 1 - 7) * DAY_MS;
        let used =
            self.orbits.iter().filter(|orbit| orbit.body.recalls > 0 && orbit.body.last_used > week_ago);
        let unused = self.orbits.iter().filter(|orbit| orbit.body.recalls == 0);
        (mean_zone(used), mean_zone(unused))
    }
}

fn mean_zone<'a>(orbits: impl Iterator<Item = &'a Orbit>) -> Option<f64> {
    let (sum, count) =
        orbits.fold((0.0, 0.0), |(sum, count), orbit| (sum + f64::from(orbit.zone.code()), count + 1.0));
    (count > 0.0).then_some(sum / count)
}

fn count(orbits: &[Orbit]) -> [usize; 5] {
    let mut zones = [0; 5];
    orbits.iter().for_each(|orbit| zones[usize::from(orbit.zone.code())] += 1);
    zones
}

#[cfg(test)]
mod tests {
    use super::super::life::PROFILES;
    use super::*;

    /// Years of people who remember less than the profiles do, with other chances each.
    fn years(away: &'static [(i64, i64)]) -> impl Iterator<Item = Year> {
        [(5.0, 10.0, 1), (4.0, 25.0, 2), (12.0, 15.0, 3)].into_iter().map(move |(memories, uses, seed)| {
            let profile = Profile { memories, uses, away, ..PROFILES[0] };
            live(&OrbitSettings::default(), profile, seed).unwrap()
        })
    }

    #[test]
    fn all_zones_are_populated_once_the_first_quarter_is_over() {
        for year in years(&[]) {
            for month in &year.months[3..] {
                assert!(month.zones.iter().all(|count| *count > 0), "{month:?}");
                assert!(month.forgotten > 0, "{month:?}");
            }
        }
    }

    #[test]
    fn nothing_changes_its_direction_without_a_reason() {
        for year in years(&[]).chain(years(&[(100, 141)])) {
            assert!(year.months.iter().all(|month| month.unexplained == 0));
            assert!(year.months.iter().any(|month| month.by_idling > 0 && month.by_room > 0));
        }
    }

    #[test]
    fn what_is_used_is_at_least_a_zone_nearer_than_what_is_not() {
        for year in years(&[]) {
            for month in &year.months[2..] {
                let (used, unused) = (month.zone_of_used.unwrap(), month.zone_of_unused.unwrap());
                assert!(used + 1.0 < unused, "{month:?}");
            }
        }
    }

    #[test]
    fn vital_memories_are_not_forgotten_even_over_six_weeks_away() {
        for year in years(&[(100, 141), (250, 291)]) {
            assert_eq!(year.vital_forgotten, 0);
            assert!(year.months.iter().map(|month| month.forgotten).sum::<usize>() > 0);
        }
    }
}
