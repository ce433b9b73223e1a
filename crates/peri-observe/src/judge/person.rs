//! Who somebody is.

use super::Signals;
use crate::cues::Cue;
use crate::finding::FindingKind;
use crate::language::Language;

/// Finds names, roles, places and families.
pub(super) fn judge(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    if cues.has(Cue::Conditional) && !cues.has(Cue::Post) {
        return None;
    }
    let is_one_of_us = cues.has_any(&[Cue::Speaker, Cue::Kin]);
    let names = has_name(signals) || signals.language == Language::Korean && tells_own_life(signals.text);
    if cues.has(Cue::Identity) && (is_one_of_us || names || cues.has(Cue::Post)) {
        return Some((FindingKind::Person, if is_one_of_us { 0.8 } else { 0.7 }));
    }
    if cues.has(Cue::Post) && names {
        return Some((FindingKind::Person, 0.7));
    }
    let tells_of_kin =
        signals.language == Language::English && cues.has(Cue::Kin) && names && signals.text.contains(" is ");
    (tells_of_kin && !cues.has(Cue::Past)).then_some((FindingKind::Person, 0.6))
}

/// Whoever speaks of a life without a name speaks of their own in Korean.
fn tells_own_life(text: &str) -> bool {
    ["에 살", "에서 살", "에서 자랐", "산 지", "에서 태어", "에 다녀", "에 다니", "가르쳐", "가르치"]
        .iter()
        .any(|words| text.contains(words))
}

/// Whether a sentence names a person beside a role.
fn has_name(signals: &Signals<'_>) -> bool {
    match signals.language {
        Language::English => has_capitalised_name(signals.text),
        Language::Korean => {
            let acts = [
                "맡고",
                "맡았",
                "맡아",
                "이끌",
                "담당",
                "책임",
                "총괄",
                "한테 물어",
                "한테 연락",
                "에게 물어",
                "에게 연락",
            ];
            let has_title = signals.text.contains("님") || signals.text.contains('씨');
            has_title && !signals.text.contains("님께서 말")
                || acts.iter().any(|verb| signals.text.contains(verb))
        }
        Language::Chinese => {
            ["由", "叫", "负责", "带队", "是我", "姓", "找"].iter().any(|word| signals.text.contains(word))
                || signals.text.contains('是') && !signals.cues.has(Cue::Event)
        }
    }
}

/// A capital inside the sentence, or at its beginning before a verb that people do.
fn has_capitalised_name(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "is",
        "leads",
        "runs",
        "owns",
        "handles",
        "manages",
        "does",
        "was",
        "works",
        "maintains",
        "reports",
        "lives",
        "takes",
        "has",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_capital = |word: &str| {
        let mut letters = word.trim_start_matches(['(', '"', '“']).chars();
        let first = letters.next().is_some_and(char::is_uppercase);
        first
            && letters.next().is_some_and(char::is_lowercase)
            && !["I'm", "I've", "I'll", "I'd"].contains(&word)
    };
    const PLAIN: &[&str] = &[
        "The", "This", "That", "It", "He", "She", "They", "There", "Everyone", "Nobody", "Someone", "My",
        "Our", "What", "Who",
    ];
    let leads =
        words.len() > 1 && is_capital(words[0]) && VERBS.contains(&words[1]) && !PLAIN.contains(&words[0]);
    leads || words.iter().skip(1).any(|word| is_capital(word))
}
