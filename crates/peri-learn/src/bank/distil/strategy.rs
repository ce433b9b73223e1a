//! A strategy in words: what the tasks are about, what to do in which order, and what to avoid.

use std::collections::{BTreeMap, HashSet};

use peri_text::redact;
use peri_types::TaskOutcome;

use super::Traced;
use super::phrase::in_common;
use super::step::Step;

/// Which part of a strategy may be spent on naming what the tasks are about.
const HEAD_SHARE: usize = 3;

/// The shared steps without those that make no difference: steps that only look and that failures took as well. At
/// least one step stays.
pub(super) fn needed(steps: &[Step], group: &[&Traced<'_>]) -> Vec<Step> {
    let failures: Vec<_> =
        group.iter().filter(|one| one.trajectory.outcome == TaskOutcome::Failure).collect();
    let took = |one: &Traced<'_>, step: &Step| one.steps.iter().any(|own| own.key == step.key);
    let makes_no_difference = |step: &Step| {
        step.only_looks && !failures.is_empty() && failures.iter().all(|failure| took(failure, step))
    };
    let needed: Vec<Step> = steps.iter().filter(|step| !makes_no_difference(step)).cloned().collect();
    if needed.is_empty() { steps.to_vec() } else { needed }
}

/// Steps that at least half of a group's failures took and nobody else, those of the most failures first.
pub(super) fn only_failures(group: &[&Traced<'_>], steps_max: usize) -> Vec<Step> {
    let (failures, others): (Vec<&Traced<'_>>, Vec<&Traced<'_>>) =
        group.iter().partition(|one| one.trajectory.outcome == TaskOutcome::Failure);
    let harmless: HashSet<&str> =
        others.iter().flat_map(|one| one.steps.iter().map(|step| step.key.as_str())).collect();
    let mut counts: BTreeMap<&str, (usize, &Step)> = BTreeMap::new();
    for failure in &failures {
        let mut seen = HashSet::new();
        for step in failure.steps.iter().filter(|step| seen.insert(step.key.as_str())) {
            counts.entry(&step.key).or_insert((0, step)).0 += 1;
        }
    }
    let is_sign = |count: usize, step: &Step| {
        count * 2 >= failures.len() && !step.only_looks && !harmless.contains(step.key.as_str())
    };
    let mut signs: Vec<_> = counts.into_values().filter(|(count, step)| is_sign(*count, step)).collect();
    signs.sort_by_key(|(count, step)| (usize::MAX - count, step.key.clone()));
    signs.into_iter().take(steps_max).map(|(_, step)| step.clone()).collect()
}

/// Puts a strategy in words, in at most so many characters. What does not fit is left out from the end, step by step.
pub(super) fn write(tasks: &[&str], steps: &[Step], avoid: &[Step], chars_max: usize) -> String {
    let head = cut(&format!("For tasks about {}:", in_common(tasks)), (chars_max / HEAD_SHARE).max(1));
    let mut text = Text { text: head, chars_max };
    text.list(" ", ", then ", steps);
    text.list(". avoid: ", ", ", avoid);
    // Steps are commands as somebody gave them; a secret may have been among their first words.
    cut(&redact(&text.text).text, chars_max)
}

/// A text that does not grow beyond its bound.
struct Text {
    text: String,
    chars_max: usize,
}

impl Text {
    fn list(&mut self, opening: &str, between: &str, steps: &[Step]) {
        for (place, step) in steps.iter().enumerate() {
            let before = if place == 0 { opening } else { between };
            let piece = format!("{before}`{}`", step.shown);
            if self.text.chars().count() + piece.chars().count() > self.chars_max {
                return;
            }
            self.text.push_str(&piece);
        }
    }
}

/// A text of at most so many characters; what was cut is marked.
fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
