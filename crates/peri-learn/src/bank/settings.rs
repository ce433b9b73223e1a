//! The numbers of the bank.

use jiff::SignedDuration;

/// The quality of a pattern of which nothing is known.
pub const START_QUALITY: f32 = 0.5;

const HOUR: i64 = 3600;

/// When patterns are the same, promoted, retired and offered.
#[derive(Debug, Clone, PartialEq)]
pub struct BankSettings {
    /// Two patterns of a field whose vectors are at least so close say the same. 0.95
    pub same_cosine: f32,
    /// How many outcomes the first quality of a pattern counts for. 4
    pub prior_weight: f32,
    /// How many outcomes a quality remembers; beyond them the latest count for more. 60
    pub outcomes_remembered: u32,
    /// A short-term pattern is promoted after so many uses, 3, …
    pub promote_uses: u32,
    /// … if its quality is at least this. 0.6
    pub promote_quality: f32,
    /// How many short-term patterns a namespace keeps. 1000
    pub short_max: usize,
    /// How many long-term patterns a namespace keeps. 5000
    pub long_max: usize,
    /// A short-term pattern that is older than this, a day, …
    pub unproven_after: SignedDuration,
    /// … with fewer uses than this, 2, and a quality below [`START_QUALITY`] is retired.
    pub unproven_uses: u32,
    /// A pattern with at least so many uses, 5, …
    pub failing_uses: u32,
    /// … of which a smaller share than this succeeded, 0.3, and a quality below [`START_QUALITY`] is retired.
    pub failing_rate: f32,
    /// How long what somebody told by hand is left alone unless it fails. A day.
    pub told_grace: SignedDuration,
    /// How many trajectories a pattern remembers to be drawn from; the latest stay. More than are distilled together,
    /// so that none of them is drawn from again. 512
    pub sources_max: usize,
    /// After so long without use the recency of a pattern has fallen half of the way to its floor. 30 days
    pub recency_half_life: SignedDuration,
    /// The recency of a pattern that was not used for ages. 0.5
    pub recency_floor: f32,
    /// Which share of a match's score its worth decides; the rest is similarity alone. 0.25
    pub worth_share: f32,
    /// A pattern less similar than this is not offered. 0.5
    pub offer_cosine_min: f32,
    /// A pattern of less quality than this is not offered. 0.4
    pub offer_quality_min: f32,
    /// How many patterns are offered at most. 3
    pub offer_max: usize,
}

impl Default for BankSettings {
    fn default() -> Self {
        Self {
            same_cosine: 0.95,
            prior_weight: 4.0,
            outcomes_remembered: 60,
            promote_uses: 3,
            promote_quality: 0.6,
            short_max: 1000,
            long_max: 5000,
            unproven_after: SignedDuration::from_secs(24 * HOUR),
            unproven_uses: 2,
            failing_uses: 5,
            failing_rate: 0.3,
            told_grace: SignedDuration::from_secs(24 * HOUR),
            sources_max: 512,
            recency_half_life: SignedDuration::from_secs(30 * 24 * HOUR),
            recency_floor: 0.5,
            worth_share: 0.25,
            offer_cosine_min: 0.5,
            offer_quality_min: 0.4,
            offer_max: 3,
        }
    }
}
