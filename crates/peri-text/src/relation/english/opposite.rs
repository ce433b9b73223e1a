//! Whether one English sentence denies the other.

use super::read::{Reading, Word};
use super::words::{ANTONYMS, OPPOSITE_STATES};
use crate::relation::{Reason, token};

/// Why the two cannot both be true, if they cannot.
pub(super) fn reason(new: &Reading, old: &Reading) -> Option<Reason> {
    if new.is_past != old.is_past {
        return None;
    }
    if is_denied(&new.words, &old.words) {
        return Some(Reason::Negation);
    }
    has_antonym(&new.words, &old.words).then_some(Reason::Antonym)
}

/// The words without negations, and how many of these there were.
fn asserted(words: &[Word]) -> (Vec<&str>, usize) {
    let mut kept = Vec::with_capacity(words.len());
    let mut count = 0;
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map(|word| word.text.as_str());
        match word.text.as_str() {
            // "Room no. 5".
            "no" if next.is_some_and(token::is_number) => {}
            "not" | "never" | "no" => count += 1,
            "do" | "does" | "did" if next == Some("not") => {}
            "any" => {}
            _ => kept.push(word.stem.as_str()),
        }
    }
    (kept, count)
}

fn is_denied(new: &[Word], old: &[Word]) -> bool {
    let ((a, a_count), (b, b_count)) = (asserted(new), asserted(old));
    let may = |word: &str| matches!(word, "may" | "can" | "must");
    let agree = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || (may(a) && may(b)));
    // A single word leaves open what is denied.
    agree && a.len() >= 2 && a_count + b_count == 1
}

fn has_antonym(new: &[Word], old: &[Word]) -> bool {
    if new.len() != old.len() || new.len() < 2 {
        return false;
    }
    let mut differing = (0..new.len()).filter(|at| new[*at].text != old[*at].text);
    let (Some(at), None) = (differing.next(), differing.next()) else { return false };
    let (a, b) = (&new[at], &old[at]);
    let is_predicate =
        at > 0 && matches!(new[at - 1].stem.as_str(), "be" | "was" | "not" | "stay" | "remain");
    let is_pair = |(one, other): &(&str, &str)| {
        (a.text == *one && b.text == *other) || (a.text == *other && b.text == *one)
    };
    ANTONYMS.iter().any(is_pair)
        || is_predicate
            && (OPPOSITE_STATES.iter().any(is_pair)
                || denies_by_prefix(&a.text, &b.text)
                || denies_by_prefix(&b.text, &a.text))
}

/// "Irreversible" for "reversible".
fn denies_by_prefix(long: &str, short: &str) -> bool {
    const NO_DENIALS: &[&str] =
        &["valuable", "flammable", "different", "famous", "habitable", "tense", "pressed"];
    let is_prefixed = ["un", "in", "im", "ir", "il", "non", "dis"]
        .iter()
        .any(|prefix| long.strip_prefix(prefix) == Some(short));
    is_prefixed && short.len() >= 4 && !NO_DENIALS.contains(&short)
}
