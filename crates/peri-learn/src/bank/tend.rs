//! What should change in the bank: what is joined, promoted and put aside.
//!
//! [`tend`] is a function of the patterns and the time. [`Tending::apply`] carries out what it says; tending again at
//! the same time then finds nothing to do. Steps, each on the outcome of the one before: patterns that say the same
//! are joined; failing ones leave; short-term ones that nobody followed and that promised little leave; proven ones
//! are promoted; and where a namespace holds too many, those of the least worth leave.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use peri_types::{Namespace, Pattern, PatternId, PatternTerm};

use super::likeness::plain;
use super::merge::{Held, are_close, merge};
use super::quality::sound;
use super::settings::{BankSettings, START_QUALITY};
use super::worth::worth;

/// Why a pattern is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RetireReason {
    /// It was followed often enough and seldom succeeded.
    Failing,
    /// It promised little, and nobody followed it in time.
    Unproven,
    /// There were too many, and it was worth the least.
    NoRoom,
}

impl RetireReason {
    /// The reason in one word, for records and events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failing => "failing",
            Self::Unproven => "unproven",
            Self::NoRoom => "no_room",
        }
    }
}

/// What should change in the bank. Nothing has changed yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tending {
    /// These have proved themselves and become long-term.
    pub promoted: Vec<PatternId>,
    /// These are put aside.
    pub retired: Vec<(PatternId, RetireReason)>,
    /// The second of each pair is joined into the first and put aside, in this order.
    pub merged: Vec<(PatternId, PatternId)>,
}

impl Tending {
    /// Whether everything may stay as it is.
    pub fn is_empty(&self) -> bool {
        self.promoted.is_empty() && self.retired.is_empty() && self.merged.is_empty()
    }

    /// Carries it out on the patterns it was made of.
    pub fn apply(&self, patterns: &mut [Pattern], now: Timestamp, settings: &BankSettings) {
        let places: HashMap<PatternId, usize> =
            patterns.iter().enumerate().map(|(place, pattern)| (pattern.id, place)).collect();
        for (survivor, absorbed) in &self.merged {
            if let (Some(survivor), Some(absorbed)) = (places.get(survivor), places.get(absorbed)) {
                patterns[*survivor] = merge(&patterns[*survivor], &patterns[*absorbed], settings);
                patterns[*absorbed].retired_at = Some(now);
            }
        }
        for place in self.promoted.iter().filter_map(|id| places.get(id)) {
            patterns[*place].term = PatternTerm::Long;
        }
        for place in self.retired.iter().filter_map(|(id, _)| places.get(id)) {
            patterns[*place].retired_at = Some(now);
        }
    }
}

/// Says what should change in the bank at this time.
///
/// What is retired already takes no part. What somebody told by hand is spared for its first day: it may prove itself
/// and be promoted, but it is not joined, and retired only if it fails. Long-term patterns leave only for failing or
/// for lack of room.
pub fn tend(held: &[Held<'_>], now: Timestamp, settings: &BankSettings) -> Tending {
    let active: Vec<Held<'_>> =
        held.iter().copied().filter(|held| held.pattern.retired_at.is_none()).collect();
    let mut tending = Tending::default();
    let mut patterns = join(&active, now, settings, &mut tending);
    patterns.retain(|pattern| match reason_to_leave(pattern, now, settings) {
        Some(reason) => {
            tending.retired.push((pattern.id, reason));
            false
        }
        None => true,
    });
    for pattern in patterns.iter_mut().filter(|pattern| is_proven(pattern, settings)) {
        pattern.term = PatternTerm::Long;
        tending.promoted.push(pattern.id);
    }
    make_room(&patterns, now, settings, &mut tending);
    let leaving: HashSet<PatternId> = tending.retired.iter().map(|(id, _)| *id).collect();
    tending.promoted.retain(|id| !leaving.contains(id));
    tending
}

/// Joins what says the same and gives what is left, each as it will be.
fn join(active: &[Held<'_>], now: Timestamp, settings: &BankSettings, tending: &mut Tending) -> Vec<Pattern> {
    let mut order: Vec<Held<'_>> = active.to_vec();
    order.sort_by_key(|held| {
        let pattern = held.pattern;
        (pattern.term != PatternTerm::Long, u32::MAX - pattern.uses, pattern.created_at, pattern.id)
    });
    let mut survivors = Survivors::default();
    for held in order {
        let twin =
            if is_spared(held.pattern, now, settings) { None } else { survivors.twin_of(held, settings) };
        match twin {
            Some(place) => {
                tending.merged.push((survivors.patterns[place].id, held.pattern.id));
                survivors.patterns[place] = merge(&survivors.patterns[place], held.pattern, settings);
            }
            None => survivors.add(held, is_spared(held.pattern, now, settings)),
        }
    }
    survivors.patterns
}

/// Patterns of a field that have vectors, each by its place.
type Field<'a> = Vec<(usize, &'a [f32])>;

/// Patterns that stay, found by their words and, within a field, by meaning.
#[derive(Default)]
struct Survivors<'a> {
    patterns: Vec<Pattern>,
    by_words: HashMap<(&'a Namespace, String), usize>,
    by_field: HashMap<(&'a Namespace, &'a str), Field<'a>>,
}

impl<'a> Survivors<'a> {
    fn twin_of(&self, held: Held<'a>, settings: &BankSettings) -> Option<usize> {
        let pattern = held.pattern;
        let same_words = self.by_words.get(&(&pattern.namespace, plain(&pattern.strategy))).copied();
        same_words.or_else(|| {
            let field = self.by_field.get(&(&pattern.namespace, pattern.domain.as_str()))?;
            let close = field.iter().find(|(_, vector)| are_close(Some(vector), held.vector, settings));
            close.map(|(place, _)| *place)
        })
    }

    /// What is spared stays out of reach: nothing is joined into it either.
    fn add(&mut self, held: Held<'a>, is_spared: bool) {
        let (pattern, place) = (held.pattern, self.patterns.len());
        self.patterns.push(pattern.clone());
        if is_spared {
            return;
        }
        self.by_words.insert((&pattern.namespace, plain(&pattern.strategy)), place);
        if let Some(vector) = held.vector {
            self.by_field.entry((&pattern.namespace, &pattern.domain)).or_default().push((place, vector));
        }
    }
}

/// Whether somebody told it by hand less than a day ago.
fn is_spared(pattern: &Pattern, now: Timestamp, settings: &BankSettings) -> bool {
    pattern.sources.is_empty() && now.duration_since(pattern.created_at) < settings.told_grace
}

fn reason_to_leave(pattern: &Pattern, now: Timestamp, settings: &BankSettings) -> Option<RetireReason> {
    let below_start = sound(pattern.quality) < START_QUALITY;
    // Successes count full ones only. What was mostly reached in part has a quality that speaks for it.
    let rate = f64::from(pattern.successes) / f64::from(pattern.uses.max(1));
    if below_start && pattern.uses >= settings.failing_uses && rate < f64::from(settings.failing_rate) {
        return Some(RetireReason::Failing);
    }
    let is_unproven = pattern.term == PatternTerm::Short
        && below_start
        && pattern.uses < settings.unproven_uses
        && now.duration_since(pattern.created_at) > settings.unproven_after;
    (is_unproven && !is_spared(pattern, now, settings)).then_some(RetireReason::Unproven)
}

fn is_proven(pattern: &Pattern, settings: &BankSettings) -> bool {
    pattern.term == PatternTerm::Short
        && pattern.uses >= settings.promote_uses
        && sound(pattern.quality) >= settings.promote_quality
}

fn make_room(patterns: &[Pattern], now: Timestamp, settings: &BankSettings, tending: &mut Tending) {
    let mut shelves: BTreeMap<(&Namespace, u8), Vec<&Pattern>> = BTreeMap::new();
    for pattern in patterns {
        shelves.entry((&pattern.namespace, pattern.term.code())).or_default().push(pattern);
    }
    for ((_, term), shelf) in shelves {
        let room = if term == PatternTerm::Long.code() { settings.long_max } else { settings.short_max };
        let excess = shelf.len().saturating_sub(room);
        let mut candidates: Vec<&Pattern> =
            shelf.into_iter().filter(|pattern| !is_spared(pattern, now, settings)).collect();
        candidates.sort_by(|one, other| {
            let worths = worth(one, now, settings).total_cmp(&worth(other, now, settings));
            worths.then_with(|| (one.uses, one.id).cmp(&(other.uses, other.id)))
        });
        tending
            .retired
            .extend(candidates.iter().take(excess).map(|pattern| (pattern.id, RetireReason::NoRoom)));
    }
}
