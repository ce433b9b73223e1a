//! What keeps a Korean sentence from replacing another, or from being replaced.

use super::endings;
use super::read::{Role, Word};
use super::words::{ADDITIVE, ASKING, POINTERS, TEMPORARY, UNREAL};
use crate::relation::Reason;

/// The blockers of a sentence, but for its tense.
pub(super) fn blockers(sentence: &str, words: &[Word]) -> Vec<Reason> {
    let mut found = Vec::new();
    let bare = sentence.trim_end_matches(['.', '!', '~', ' ']);
    if bare.ends_with('?') || ASKING.iter().any(|end| bare.ends_with(end)) {
        found.push(Reason::Question);
    }
    if UNREAL.iter().any(|piece| sentence.contains(piece)) || has_future(sentence) {
        found.push(Reason::Unreal);
    }
    if TEMPORARY.iter().any(|piece| sentence.contains(piece)) {
        found.push(Reason::Temporary);
    }
    if words.iter().any(|word| word.role == Role::Also || ADDITIVE.contains(&word.text.as_str())) {
        found.push(Reason::Additive);
    }
    if words.first().is_some_and(|word| POINTERS.contains(&word.text.as_str())) {
        found.push(Reason::UnclearSubject);
    }
    found
}

/// 할 것, 갈 거: a syllable that ends in ㄹ before 것 or 거.
fn has_future(sentence: &str) -> bool {
    [" 것", " 거"].iter().any(|noun| {
        sentence
            .match_indices(noun)
            .any(|(at, _)| sentence[..at].chars().next_back().and_then(endings::tail) == Some(8))
    })
}
