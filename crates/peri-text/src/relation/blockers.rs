//! What becomes of a verdict when a sentence asks, wishes, guesses or points elsewhere.

use super::{Reason, Relation, Verdict};

/// Gives a replacement up when either sentence is a question, a wish, the past or the like.
pub(super) fn replacement(reasons: Vec<Reason>, new: &[Reason], old: &[Reason]) -> Relation {
    let mut found = new.to_vec();
    // What an older statement added to another one is no less replaceable.
    found.extend(old.iter().filter(|one| **one != Reason::Additive && !new.contains(one)));
    if found.is_empty() { Relation::new(Verdict::Replaces, reasons) } else { Relation::unrelated(found) }
}

/// Two opposite statements contradict each other, unless the newer one tells of a change.
pub(super) fn opposition(reason: Reason, is_change: bool, new: &[Reason], old: &[Reason]) -> Relation {
    if is_change {
        return replacement(vec![Reason::ChangeMarker, reason], new, old);
    }
    let blocks = |one: &&Reason| matches!(one, Reason::Question | Reason::UnclearSubject);
    match new.iter().chain(old).find(blocks) {
        Some(blocker) => Relation::unrelated([*blocker]),
        None => Relation::new(Verdict::Contradicts, [reason]),
    }
}
