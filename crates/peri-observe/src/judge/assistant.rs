//! What the one who answers says: much of it explains how things are in general, which is not noted.

use super::{Signals, completion};
use crate::cues::Cue;
use crate::finding::FindingKind;
use crate::language::Language;

/// Words that make a failure one that happened here rather than one that may happen anywhere.
const CAUSES: &[&str] = &[
    "because",
    "since the",
    "due to",
    "caused",
    "root cause",
    "the bug",
    "the culprit",
    "the problem is",
    "the issue is",
    "the problem was",
    "the issue was",
    "i found",
    "the slow part",
    "bottleneck",
    "때문",
    "아서",
    "어서",
    "해서",
    "원인",
    "버그",
    "누수",
    "느린 부분",
    "병목",
    "因为",
    "由于",
    "原因",
    "造成",
    "导致",
    "bug",
    "慢的部分",
    "瓶颈",
];

/// Judges a sentence of the one who answers.
pub(super) fn judge(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    if completion::is_reported(signals) {
        return Some((FindingKind::CompletedTask, 0.75));
    }
    if cues.has_any(&[Cue::Offers, Cue::Conditional]) {
        return None;
    }
    let is_ours = signals.language != Language::English || cues.has_any(&[Cue::Group, Cue::Speaker]);
    let is_agreed = ["agreed", "약속", "합의", "约定"].iter().any(|word| signals.text.contains(word));
    if cues.has(Cue::Decides) && (is_ours || is_agreed) {
        return Some((FindingKind::Decision, 0.7));
    }
    let folded = signals.text.to_lowercase();
    let is_here = CAUSES.iter().any(|cause| folded.contains(cause));
    // What would go wrong if a rule were broken did not go wrong.
    if cues.has(Cue::Breaks) && is_here && !cues.has_any(&[Cue::Demands, Cue::Owes, Cue::Forbids]) {
        return Some((FindingKind::Problem, 0.65));
    }
    if cues.has(Cue::Changes) && is_ours {
        return Some((FindingKind::StateChange, 0.6));
    }
    cues.has(Cue::Reminds).then_some((FindingKind::OpenTask, 0.65))
}
