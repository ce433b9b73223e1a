//! A year of one person, settled every night, and what is counted in it.

use std::collections::HashMap;

use peri_orbit::{Body, Move, Orbit, OrbitSettings, Replay, Use, own_zone, replay};
use peri_types::{MoveReason, Zone};

use super::life::{Item, Life, Profile};
use super::{DAY_MS, START};
use crate::Outcome;

pub(super) const DAYS: i64 = 365;
const DAYS_PER_MONTH: i64 = 30;

/// What happened in about a month, and how things stood at its end.
#[derive(Debug, Clone, Default)]
pub(super) struct Month {
    /// Memories by zone.
    pub(super) zones: [usize; 5],
    pub(super) by_score: usize,
    pub(super) by_idling: usize,
    pub(super) by_room: usize,
    pub(super) forgotten: usize,
    /// Of those, the ones that fell into the cloud at the same step.
    pub(super) forgotten_at_once: usize,
    /// Moves nearer that neither a use nor room explains, and falls back after less than a step.
    pub(super) unexplained: usize,
    /// The mean zone of what was used in the last seven days, and of what was never used.
    pub(super) zone_of_used: f64,
    pub(super) zone_of_unused: f64,
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
        State { settings, items: Vec::new(), orbits: Vec::new(), settled: START, last_uses: HashMap::new() };
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
        if (day + 1) % DAYS_PER_MONTH == 0 {
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
    /// The step of the last use of the memories that are left, by index, within the day.
    last_uses: HashMap<usize, Vec<i64>>,
}

impl State<'_> {
    fn add(&mut self, mut items: Vec<Item>) {
        items.sort_by_key(|item| item.born);
        for item in items {
            let Item { born, importance, .. } = item;
            let body = Body { born, last_used: born, recalls: 0, importance, pinned: false };
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
        self.last_uses.clear();
        for used in &uses {
            self.last_uses.entry(used.index).or_default().push(used.at);
        }
        for moved in &done.moves {
            match moved.reason {
                MoveReason::Score => month.by_score += 1,
                MoveReason::Idle => month.by_idling += 1,
                MoveReason::Room => month.by_room += 1,
            }
            month.unexplained += usize::from(self.is_unexplained(moved));
        }
        month.forgotten += done.forgotten.len();
        let mut gone = vec![false; self.orbits.len()];
        let mut vital = 0;
        for forgetting in &done.forgotten {
            gone[forgetting.index] = true;
            vital += usize::from(self.items[forgetting.index].importance.value() == 1.0);
            let at_once = |moved: &Move| {
                moved.index == forgetting.index && moved.at == forgetting.at
            };
            month.forgotten_at_once += usize::from(done.moves.iter().any(at_once));
        }
        let mut left = gone.iter().map(|gone| !gone);
        self.items.retain(|_| left.next().unwrap_or(true));
        let orbits = done.orbits.into_iter().zip(&gone);
        self.orbits = orbits.filter(|(_, gone)| !**gone).map(|(orbit, _)| orbit).collect();
        self.settled = done.settled;
        vital
    }

    /// A memory comes nearer because it was used at that step, or because there is room.
    fn is_unexplained(&self, moved: &Move) -> bool {
        let step = self.settings.step.as_millis() as i64;
        let used = |at: &i64| moved.at - step < *at && *at <= moved.at;
        moved.to < moved.from
            && moved.reason != MoveReason::Room
            && !self.last_uses.get(&moved.index).is_some_and(|uses| uses.iter().any(used))
    }

    fn mean_zones(&self, day: i64) -> (f64, f64) {
        let week_ago = START + (day + 1 - 7) * DAY_MS;
        let used =
            self.orbits.iter().filter(|orbit| orbit.body.recalls > 0 && orbit.body.last_used > week_ago);
        let unused = self.orbits.iter().filter(|orbit| orbit.body.recalls == 0);
        (mean_zone(used), mean_zone(unused))
    }
}

fn mean_zone<'a>(orbits: impl Iterator<Item = &'a Orbit>) -> f64 {
    let (sum, count) =
        orbits.fold((0.0, 0.0), |(sum, count), orbit| (sum + f64::from(orbit.zone.code()), count + 1.0));
    if count > 0.0 { sum / count } else { f64::NAN }
}

fn count(orbits: &[Orbit]) -> [usize; 5] {
    let mut zones = [0; 5];
    orbits.iter().for_each(|orbit| zones[usize::from(orbit.zone.code())] += 1);
    zones
}
