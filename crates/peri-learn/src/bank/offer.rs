//! Which patterns an agent is shown for a task.

use std::cmp::Ordering;

use jiff::Timestamp;
use peri_types::Pattern;

use super::quality::sound;
use super::settings::BankSettings;
use super::worth::match_score;

/// A pattern that suits a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The pattern.
    pub pattern: Pattern,
    /// How close it is to the task.
    pub similarity: f32,
    /// What it is ordered by: the similarity, somewhat less for a pattern of little worth.
    pub score: f32,
}

/// Chooses among patterns that a search has found, each with its similarity to the task: best first, and nothing that
/// is retired, not similar enough or known to be bad.
pub fn offers(found: Vec<(Pattern, f32)>, now: Timestamp, settings: &BankSettings) -> Vec<Offer> {
    let is_fit = |pattern: &Pattern, similarity: f32| {
        pattern.retired_at.is_none()
            && similarity >= settings.offer_cosine_min
            && sound(pattern.quality) >= settings.offer_quality_min
    };
    let mut offers: Vec<Offer> = found
        .into_iter()
        .filter(|(pattern, similarity)| is_fit(pattern, *similarity))
        .map(|(pattern, similarity)| {
            let score = match_score(similarity, &pattern, now, settings);
            Offer { pattern, similarity, score }
        })
        .collect();
    offers.sort_by(better_first);
    offers.truncate(settings.offer_max);
    offers
}

fn better_first(one: &Offer, other: &Offer) -> Ordering {
    other.score.total_cmp(&one.score).then_with(|| one.pattern.id.cmp(&other.pattern.id))
}
