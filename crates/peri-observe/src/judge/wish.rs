//! How somebody wants things to be.

use peri_orbit::importance::Reason;

use super::Signals;
use crate::cues::Cue;
use crate::finding::FindingKind;
use crate::language::Language;

/// How answers are to be given is a wish of the user's, however it is put.
pub(super) fn manner(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    let asks_for_it = [Cue::Henceforth, Cue::Standing, Cue::Forbids, Cue::Demands, Cue::Likes];
    let is_wish = cues.has(Cue::Manner) && cues.has_any(&asks_for_it)
        || cues.has(Cue::Henceforth) && is_instruction(signals)
        || cues.has(Cue::Occasion) && asks_listener(signals);
    if is_wish {
        return Some((FindingKind::Preference, 0.85));
    }
    let is_general =
        cues.has(Cue::Universal) && is_instruction(signals) && asks_listener(signals) && is_order(signals);
    is_general.then_some((FindingKind::Constraint, 0.75))
}

/// Whether an English sentence begins with a verb of instructions; other languages tell orders by their ends.
fn is_order(signals: &Signals<'_>) -> bool {
    const VERBS: &[&str] = &[
        "use", "write", "put", "name", "store", "prefix", "run", "make", "add", "format", "document", "test",
        "wrap", "log", "call", "check", "please", "sort", "round", "show", "return", "include", "start",
        "end", "import", "avoid", "prefer",
    ];
    let first: String = signals.folded.signs.iter().take_while(|sign| sign.is_alphanumeric()).collect();
    signals.language != Language::English || VERBS.contains(&first.as_str())
}

/// Whether a sentence tells the listener to do something.
fn asks_listener(signals: &Signals<'_>) -> bool {
    if signals.cues.has_any(&[Cue::Past, Cue::Breaks]) {
        return false;
    }
    let bare = signals.text.trim_end_matches(['.', '!', '~', ' ', '。', '！']);
    match signals.language {
        Language::English => {
            let first: String = signals
                .folded
                .signs
                .iter()
                .take_while(|sign| sign.is_alphanumeric() || **sign == '\'')
                .collect();
            let is_named =
                signals.cues.has_any(&[Cue::Speaker, Cue::Group]) && !signals.cues.has(Cue::Listener);
            !is_named && !["i", "we", "he", "she", "they", "it", "there"].contains(&first.as_str())
        }
        Language::Korean => ["줘", "주세요", "세요", "써", "해", "달라", "줄래", "바람", "할 것"]
            .iter()
            .any(|ending| bare.ends_with(ending)),
        Language::Chinese => {
            !signals.cues.has_any(&[Cue::Speaker, Cue::Group])
                || ["给我", "帮我", "请", "跟我"].iter().any(|word| signals.text.contains(word))
        }
    }
}

fn is_instruction(signals: &Signals<'_>) -> bool {
    let ends_in_order = signals.language == Language::Korean && asks_listener(signals);
    ends_in_order || [Reason::Instruction, Reason::Rule].into_iter().any(|reason| signals.has_reason(reason))
}

/// What somebody likes and dislikes.
pub(super) fn preference(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    let is_own = match signals.language {
        Language::English => cues.has_any(&[Cue::Speaker, Cue::Kin, Cue::Group]),
        // Whoever speaks need not be named in Korean.
        Language::Korean => !cues.has(Cue::Listener),
        Language::Chinese => cues.has_any(&[Cue::Speaker, Cue::Kin, Cue::Group]) && !cues.has(Cue::Listener),
    };
    if !is_own || cues.has(Cue::Conditional) {
        return None;
    }
    let is_told = signals.has_reason(Reason::Preference) && signals.evaluation.emotional >= 0.6;
    if cues.has(Cue::Likes) {
        Some((FindingKind::Preference, if is_told { 0.9 } else { 0.75 }))
    } else {
        (is_told && cues.has(Cue::Speaker) && !cues.has(Cue::Past)).then_some((FindingKind::Preference, 0.6))
    }
}
