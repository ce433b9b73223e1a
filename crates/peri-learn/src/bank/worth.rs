//! What a pattern is worth: to keep it when room is short, and to show it when it matches.

use jiff::Timestamp;
use peri_types::Pattern;

use super::quality::sound;
use super::settings::BankSettings;

/// How lately a pattern was followed, or else learned: 1 now, falling towards the floor.
pub fn recency(pattern: &Pattern, now: Timestamp, settings: &BankSettings) -> f32 {
    let last = pattern.used_at.map_or(pattern.created_at, |used| used.max(pattern.created_at));
    let idle = now.duration_since(last).as_secs_f64().max(0.0);
    let half_life = settings.recency_half_life.as_secs_f64().max(1.0);
    let floor = f64::from(settings.recency_floor.clamp(0.0, 1.0));
    (floor + (1.0 - floor) * (-idle / half_life).exp2()) as f32
}

/// What a pattern is worth by itself, from 0 to 1: its quality, less if it has not been followed for long.
pub fn worth(pattern: &Pattern, now: Timestamp, settings: &BankSettings) -> f32 {
    sound(pattern.quality) * recency(pattern, now, settings)
}

/// How well a pattern suits a task, from its similarity to the task and its worth.
///
/// Worth decides only a share of the score, a quarter by default: a match that is more than 1 / (1 − share) times as
/// similar comes first, however good the other is.
pub fn match_score(similarity: f32, pattern: &Pattern, now: Timestamp, settings: &BankSettings) -> f32 {
    let similarity = if similarity.is_finite() { similarity.clamp(0.0, 1.0) } else { 0.0 };
    let share = settings.worth_share.clamp(0.0, 1.0);
    similarity * (1.0 - share + share * worth(pattern, now, settings))
}
