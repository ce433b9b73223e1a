//! What a question was answered with, in turns of the conversation.

use std::collections::HashSet;

/// So many results are asked for; the first ten of them count.
pub(super) const ASKED_FOR: usize = 20;

/// So many results count as the answer.
pub(super) const FIRST: usize = 10;

/// A question's answer.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) category: String,
    /// The turns that answer it.
    pub(super) gold: Vec<String>,
    /// What was found, the best first.
    pub(super) found: Vec<Found>,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) source: Source,
    /// The turns that it was made from.
    pub(super) turns: Vec<String>,
    pub(super) tokens: usize,
}

/// What a memory was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Turn,
    Note,
}

impl Answer {
    /// The share of the gold turns that the first so many results were made from.
    pub(super) fn recall(&self, first: usize) -> f64 {
        let told: HashSet<&String> = self.found.iter().take(first).flat_map(|one| &one.turns).collect();
        let right = self.gold.iter().filter(|id| told.contains(id)).count();
        right as f64 / self.gold.len().max(1) as f64
    }

    /// What is handed out.
    pub(super) fn handed_out(&self) -> &[Found] {
        &self.found[..self.found.len().min(FIRST)]
    }
}

/// The results without those whose turns were all told by better ones: a note and its turn are one result.
pub(super) fn as_one(found: &[Found]) -> Vec<Found> {
    let mut told = HashSet::new();
    let mut kept = Vec::new();
    for one in found {
        let is_new = one.turns.is_empty() || one.turns.iter().any(|turn| !told.contains(turn));
        if is_new {
            told.extend(one.turns.iter());
            kept.push(one.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: Source, turns: &[&str]) -> Found {
        Found { source, turns: turns.iter().map(ToString::to_string).collect(), tokens: 5 }
    }

    fn answer(gold: &[&str], found: Vec<Found>) -> Answer {
        let gold = gold.iter().map(ToString::to_string).collect();
        Answer { category: "any".to_owned(), gold, found }
    }

    #[test]
    fn a_note_counts_as_every_turn_it_was_made_from_and_no_turn_counts_twice() {
        let found = vec![
            found(Source::Note, &["1", "2"]),
            found(Source::Turn, &["2"]),
            found(Source::Turn, &["9"]),
            found(Source::Turn, &["3"]),
        ];
        let answer = answer(&["1", "2", "3", "4"], found);
        assert_eq!(answer.recall(1), 0.5);
        assert_eq!(answer.recall(3), 0.5);
        assert_eq!(answer.recall(4), 0.75);
    }

    #[test]
    fn a_question_without_an_answer_finds_nothing_of_it() {
        assert_eq!(answer(&["1"], Vec::new()).recall(10), 0.0);
        assert_eq!(answer(&[], vec![found(Source::Turn, &["1"])]).recall(10), 0.0);
    }

    #[test]
    fn what_says_nothing_new_leaves_its_place_to_the_next() {
        let turn = found(Source::Turn, &["1"]);
        let again = found(Source::Note, &["1"]);
        let more = found(Source::Note, &["1", "2"]);
        let unknown = found(Source::Note, &[]);
        let kept = as_one(&[turn.clone(), again, more.clone(), unknown.clone(), unknown.clone()]);
        assert_eq!(kept, [turn, more, unknown.clone(), unknown]);
    }
}
