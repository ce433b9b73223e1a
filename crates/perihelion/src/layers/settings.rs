//! How long each layer keeps what it holds.

use std::time::Duration;

use peri_store::Matters;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long each layer keeps what it holds, and what moves on to the next.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LayerSettings {
    /// Working memory.
    pub working: WorkingSettings,
    /// Episodes.
    pub episodic: EpisodicSettings,
    /// Long-term memory.
    pub long_term: LongTermSettings,
    /// What moves on to the next layer.
    pub promotion: PromotionSettings,
}

/// How working memory behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkingSettings {
    /// How long a value stays that nobody sets again; for good if zero.
    pub time_to_live: Duration,
    /// So many values fit into one session's; the one used longest ago leaves first. No bound if zero.
    pub capacity: usize,
    /// How often what has expired is taken away. It is not seen from the moment it expires.
    pub sweep_interval: Duration,
}

impl Default for WorkingSettings {
    fn default() -> Self {
        Self {
            time_to_live: Duration::from_secs(900),
            capacity: 12,
            sweep_interval: Duration::from_secs(120),
        }
    }
}

/// How long episodes are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodicSettings {
    /// From their storing or import on; for good if zero.
    pub retention: Duration,
}

impl Default for EpisodicSettings {
    fn default() -> Self {
        Self { retention: 30 * DAY }
    }
}

/// What long-term memory is cleaned of. Pinned memories and what was lately imported or restored are left alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongTermSettings {
    /// A namespace keeps at most so many; the lowest score, then the least recalled, then the longest idle go first.
    pub items_max: Option<usize>,
    /// What scores less goes.
    pub score_min: Option<f64>,
    /// What was not used for so long goes.
    pub idle_max: Option<Duration>,
    /// For so long after it came, nothing that was imported or restored goes.
    pub grace: Duration,
}

impl Default for LongTermSettings {
    fn default() -> Self {
        Self { items_max: None, score_min: None, idle_max: None, grace: 30 * DAY }
    }
}

impl LongTermSettings {
    /// Whether anything is cleaned up at all.
    pub fn is_on(&self) -> bool {
        self.items_max.is_some() || self.score_min.is_some() || self.idle_max.is_some()
    }
}

/// What moves on to the next layer when its time in its own is over. Either is enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromotionSettings {
    /// Whether anything does by itself.
    pub enabled: bool,
    /// At least so important.
    pub importance_min: f64,
    /// Used at least so often.
    pub recalls_min: u64,
    /// An episode that was told at least so often, in nearly the same words and on different occasions.
    pub repeats_min: usize,
    /// How close the meanings of such repetitions must be, as a cosine.
    pub repeat_cosine_min: f32,
}

impl Default for PromotionSettings {
    fn default() -> Self {
        Self { enabled: true, importance_min: 0.7, recalls_min: 3, repeats_min: 3, repeat_cosine_min: 0.85 }
    }
}

impl PromotionSettings {
    /// What matters, for the store; nothing if promotion is off.
    pub(crate) fn matters(&self) -> Option<Matters> {
        let matters = Matters { importance_min: self.importance_min, recalls_min: self.recalls_min };
        self.enabled.then_some(matters)
    }
}
