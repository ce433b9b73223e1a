//! What an item is worth keeping for: how important, how new and how recent it is.

use std::collections::HashMap;

use jiff::civil::DateTime;
use peri_orbit::importance::evaluate;

use crate::finding::FindingKind;
use crate::item::Item;
use crate::likeness::Likeness;

/// Days in which an item of a session loses half its worth.
const SESSION_HALF_LIFE_DAYS: f64 = 14.0;
/// Days in which a durable item loses half its worth.
const DURABLE_HALF_LIFE_DAYS: f64 = 180.0;
/// What is left of the worth of a durable item that was about one thing only.
const PARTICULAR_SHARE: f64 = 0.5;

/// How items are weighed.
pub(super) struct Worth {
    now: DateTime,
    half_life_days: f64,
    /// Whether what holds in general is worth more.
    favours: Favours,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Favours {
    Nothing,
    General,
}

impl Worth {
    /// For the notes of a session.
    pub(super) fn of_session(now: DateTime) -> Self {
        Self { now, half_life_days: SESSION_HALF_LIFE_DAYS, favours: Favours::Nothing }
    }

    /// For durable notes.
    pub(super) fn of_durable(now: DateTime) -> Self {
        Self { now, half_life_days: DURABLE_HALF_LIFE_DAYS, favours: Favours::General }
    }

    /// What each item is worth beside the others.
    pub(super) fn of_all(&self, items: &[Item]) -> Vec<f64> {
        let novelties = novelties(items);
        items.iter().zip(novelties).map(|(item, novelty)| self.of(item) * novelty).collect()
    }

    fn of(&self, item: &Item) -> f64 {
        let hours = self.now.duration_since(item.made).as_hours().max(0);
        let age = 0.5f64.powf(hours as f64 / 24.0 / self.half_life_days);
        let share =
            if self.favours == Favours::General && is_particular(item) { PARTICULAR_SHARE } else { 1.0 };
        f64::from(evaluate(&item.text).importance) * age * share
    }
}

fn is_particular(item: &Item) -> bool {
    use FindingKind::{CompletedTask, Date, Decision, OpenTask, Problem};
    matches!(item.kind, Some(Decision | OpenTask | CompletedTask | Date | Problem)) || !item.days.is_empty()
}

/// How much of each item no other one says, from 0 to 1.
fn novelties(items: &[Item]) -> Vec<f64> {
    let words: Vec<Likeness> = items.iter().map(|item| Likeness::of(&item.text)).collect();
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, own) in words.iter().enumerate() {
        own.terms().iter().for_each(|term| holders.entry(term).or_default().push(place));
    }
    let novelty = |(place, own): (usize, &Likeness)| {
        let mut shared = vec![0usize; items.len()];
        own.terms().iter().flat_map(|term| &holders[term.as_str()]).for_each(|other| shared[*other] += 1);
        let overlap = |other: usize| {
            let all = own.terms().len() + words[other].terms().len() - shared[other];
            if all == 0 { 0.0 } else { shared[other] as f64 / all as f64 }
        };
        let nearest = (0..items.len()).filter(|other| *other != place).map(overlap).fold(0.0, f64::max);
        1.0 - nearest
    };
    words.iter().enumerate().map(novelty).collect()
}
