//! Invented people: what they remember and what they come back to.
//!
//! Of what is used, some is evergreen, some is new, and some is whatever the subject of the day is, where
//! few memories are used often and most hardly ever.

use peri_types::Importance;

use super::chance::Chance;
use super::{DAY_MS, START};
use crate::Outcome;

/// So many memories are evergreen from the beginning, and another one each month.
const EVERGREENS: usize = 8;
/// The shares of uses that go to evergreens and to what is new.
const TO_EVERGREEN: f64 = 0.25;
const TO_RECENT: f64 = 0.35;
/// New is what came in about so many days.
const RECENT_DAYS: f64 = 4.0;
/// How much less the least appealing memory is used than the most appealing one.
const APPEAL_RANGE: f64 = 200.0;
/// Nobody remembers anything by night.
const MORNING_HOUR: f64 = 8.0;
const EVENING_HOUR: f64 = 22.0;

/// A way of using the engine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Profile {
    pub(super) name: &'static str,
    /// New memories on a working day.
    pub(super) memories: f64,
    /// Uses on a working day.
    pub(super) uses: f64,
    /// Every so many days, three days bring so many more memories each.
    pub(super) burst: Option<(i64, f64)>,
    /// Days without anything, from the first to the last.
    pub(super) away: &'static [(i64, i64)],
}

impl Profile {
    /// In words.
    pub(super) fn describe(&self) -> String {
        let Self { memories, uses, .. } = self;
        let mut text = format!("{memories} memories and {uses} uses on a working day");
        if let Some((every, memories)) = self.burst {
            text.push_str(&format!(", {memories} more on 3 days of {every}"));
        }
        if let Some((first, last)) = self.away.first() {
            text.push_str(&format!(", {} times {} days away", self.away.len(), last - first + 1));
        }
        text
    }
}

pub(super) const PROFILES: [Profile; 4] = [
    Profile { name: "light", memories: 5.0, uses: 10.0, burst: None, away: &[] },
    Profile { name: "heavy", memories: 60.0, uses: 150.0, burst: None, away: &[] },
    Profile { name: "bursts", memories: 4.0, uses: 15.0, burst: Some((28, 120.0)), away: &[] },
    Profile { name: "holidays", memories: 15.0, uses: 40.0, burst: None, away: &[(120, 161), (270, 311)] },
];

/// One memory, as its owner sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) born: i64,
    pub(super) importance: Importance,
    evergreen: bool,
    /// From 1 for the most appealing ones down to nearly 0.
    appeal: f64,
}

/// A person in the middle of the year.
pub(super) struct Life {
    profile: Profile,
    chance: Chance,
    evergreens: usize,
}

impl Life {
    pub(super) fn new(profile: Profile, seed: u64) -> Self {
        Self { profile, chance: Chance::new(seed), evergreens: 0 }
    }

    fn is_away(&self, day: i64) -> bool {
        self.profile.away.iter().any(|(first, last)| (*first..=*last).contains(&day))
    }

    /// How much happens on a day, where 1 is the usual. The year begins on a Thursday.
    fn activity(&self, day: i64) -> f64 {
        let weekend = matches!((day + 3) % 7, 5 | 6);
        if self.is_away(day) {
            0.0
        } else if weekend {
            0.3
        } else {
            1.0
        }
    }

    fn time(&mut self, day: i64, not_before: i64) -> i64 {
        let hour = self.chance.between(MORNING_HOUR, EVENING_HOUR);
        (START + day * DAY_MS + (hour * 3_600_000.0) as i64).max(not_before)
    }

    /// What is remembered on a day.
    pub(super) fn remember(&mut self, day: i64) -> Outcome<Vec<Item>> {
        let mut mean = self.profile.memories * self.activity(day);
        if let Some((every, memories)) = self.profile.burst
            && day % every >= every - 3
        {
            mean += memories;
        }
        let count = self.chance.about(mean);
        (0..count).map(|_| self.item(day)).collect()
    }

    fn item(&mut self, day: i64) -> Outcome<Item> {
        let evergreen = self.evergreens < EVERGREENS + (day / 30) as usize;
        self.evergreens += usize::from(evergreen);
        Ok(Item {
            born: self.time(day, 0),
            importance: Importance::new(self.chance.importance())?,
            evergreen,
            appeal: 1.0 / self.chance.between(1.0, APPEAL_RANGE),
        })
    }

    /// What is used on a day: indexes into the memories that are left, the oldest first, with times.
    pub(super) fn recall(&mut self, day: i64, left: &[Item]) -> Vec<(usize, i64)> {
        let count = self.chance.about(self.profile.uses * self.activity(day));
        if left.is_empty() {
            return Vec::new();
        }
        let evergreens: Vec<usize> = (0..left.len()).filter(|index| left[*index].evergreen).collect();
        (0..count)
            .map(|_| {
                let index = self.choose(left, &evergreens);
                (index, self.time(day, left[index].born))
            })
            .collect()
    }

    fn choose(&mut self, left: &[Item], evergreens: &[usize]) -> usize {
        let kind = self.chance.share();
        if kind < TO_EVERGREEN && !evergreens.is_empty() {
            return evergreens[self.chance.below(evergreens.len())];
        }
        if kind < TO_EVERGREEN + TO_RECENT {
            let back = -(1.0 - self.chance.share()).ln() * self.profile.memories * RECENT_DAYS;
            return (left.len() - 1).saturating_sub(back as usize);
        }
        loop {
            let index = self.chance.below(left.len());
            if self.chance.share() < left[index].appeal {
                return index;
            }
        }
    }
}
