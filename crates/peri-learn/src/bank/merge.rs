//! Patterns that say the same become one.

use peri_types::{Pattern, PatternTerm, TrajectoryId};

use super::likeness::{cosine, same_words};
use super::quality::joined;
use super::settings::BankSettings;

/// A pattern and the vector of its strategy, if it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Its vector. All vectors of one call are of one space.
    pub vector: Option<&'a [f32]>,
}

/// Whether two patterns say the same: they belong to one namespace, and have the same words, or belong to one field
/// and are close enough in meaning.
pub fn say_the_same(one: Held<'_>, other: Held<'_>, settings: &BankSettings) -> bool {
    if one.pattern.namespace != other.pattern.namespace {
        return false;
    }
    same_words(&one.pattern.strategy, &other.pattern.strategy)
        || (one.pattern.domain == other.pattern.domain && are_close(one.vector, other.vector, settings))
}

pub(super) fn are_close(one: Option<&[f32]>, other: Option<&[f32]>, settings: &BankSettings) -> bool {
    let both = one.zip(other);
    both.and_then(|(one, other)| cosine(one, other)).is_some_and(|cosine| cosine >= settings.same_cosine)
}

/// Joins a pattern into one that is there and says the same.
///
/// The one that is there keeps its identity and its words. Uses and successes are added, quality becomes the mean by
/// uses, sources are united, and the pattern counts as learned when the first of the two was. Long-term wins.
pub fn merge(existing: &Pattern, new: &Pattern, settings: &BankSettings) -> Pattern {
    let term = if [existing.term, new.term].contains(&PatternTerm::Long) {
        PatternTerm::Long
    } else {
        PatternTerm::Short
    };
    Pattern {
        agent: existing.agent.clone().or_else(|| new.agent.clone()),
        quality: joined(existing, new, settings),
        uses: existing.uses.saturating_add(new.uses),
        successes: existing.successes.saturating_add(new.successes),
        term,
        sources: united(&existing.sources, &new.sources, settings.sources_max),
        created_at: existing.created_at.min(new.created_at),
        used_at: existing.used_at.max(new.used_at),
        ..existing.clone()
    }
}

/// All sources, each once, oldest first. If there are too many, the latest stay: ids sort by time.
pub(super) fn united(one: &[TrajectoryId], other: &[TrajectoryId], sources_max: usize) -> Vec<TrajectoryId> {
    let mut all: Vec<TrajectoryId> = one.iter().chain(other).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.split_off(all.len().saturating_sub(sources_max))
}
