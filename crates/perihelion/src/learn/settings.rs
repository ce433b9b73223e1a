//! How the engine learns.

use peri_learn::adapt::Mode;
use peri_learn::bank::BankSettings;

use super::adapt::Adaptation;

/// How the engine learns from what was done.
#[derive(Debug, Clone, PartialEq)]
pub struct LearningSettings {
    /// The rules of the pattern bank.
    pub bank: BankSettings,
    /// So many patterns are offered with what is recalled, and to an agent; 0 for none.
    pub patterns_offered: usize,
    /// Only those that are at least so relevant are, from 0 to 1.
    pub offer_score_min: f32,
    /// Whether questions are adapted by what was of use before.
    pub adaptation: Adaptation,
    /// How much is spent on learning that.
    pub mode: Mode,
    /// So many trajectories of a namespace are kept; the oldest that something was drawn from leave first.
    pub trajectories_kept: usize,
}

impl Default for LearningSettings {
    fn default() -> Self {
        Self {
            // Sources tell what was drawn from already, so that all of them are kept.
            bank: BankSettings { sources_max: 1000, ..BankSettings::default() },
            patterns_offered: 3,
            offer_score_min: 0.15,
            adaptation: Adaptation::default(),
            mode: Mode::default(),
            trajectories_kept: 5000,
        }
    }
}
