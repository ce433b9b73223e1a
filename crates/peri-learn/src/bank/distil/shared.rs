//! The steps that successes share, in the order in which all of them took them.

use super::Traced;
use super::step::Step;

/// Successes and the steps they share.
pub(super) struct Shared<'a> {
    /// Who shares them, the first one first.
    pub(super) members: Vec<&'a Traced<'a>>,
    /// The steps, as the first one took them.
    pub(super) steps: Vec<Step>,
}

/// Gathers those of the others that share steps with the first one.
///
/// The most alike come first. One that would leave less than half of the steps that the first two share stays out, so
/// that a straggler does not wear a rich pattern down to what everybody does.
pub(super) fn gather<'a>(first: &'a Traced<'a>, others: &[&'a Traced<'a>]) -> Shared<'a> {
    let mut close: Vec<(usize, &Traced<'a>)> = others
        .iter()
        .map(|other| (common(&first.steps, &other.steps).len(), *other))
        .filter(|(count, other)| *count >= least(first, other))
        .collect();
    close.sort_by_key(|(count, _)| usize::MAX - count);
    let least_kept = close.first().map_or(1, |(count, _)| count.div_ceil(2));
    let mut shared = Shared { members: vec![first], steps: first.steps.clone() };
    for (_, other) in close {
        let kept = common(&shared.steps, &other.steps);
        if kept.len() >= least_kept {
            shared.steps = kept;
            shared.members.push(other);
        }
    }
    shared
}

/// Whether two successes share enough steps to be one strategy.
pub(super) fn alike(one: &Traced<'_>, other: &Traced<'_>) -> bool {
    common(&one.steps, &other.steps).len() >= least(one, other)
}

/// Whether somebody took all these steps in this order, with or without others in between.
pub(super) fn follows(one: &Traced<'_>, steps: &[Step]) -> bool {
    let mut taken = one.steps.iter();
    steps.iter().all(|step| taken.any(|own| own.key == step.key))
}

/// Two steps, or one if somebody did not take more: one step that everybody takes is no strategy.
fn least(one: &Traced<'_>, other: &Traced<'_>) -> usize {
    one.steps.len().min(other.steps.len()).clamp(1, 2)
}

/// The longest sequence of steps that both hold in this order.
fn common(one: &[Step], other: &[Step]) -> Vec<Step> {
    let width = other.len() + 1;
    let mut lengths = vec![0_u16; (one.len() + 1) * width];
    for row in (0..one.len()).rev() {
        for column in (0..other.len()).rev() {
            lengths[row * width + column] = if one[row].key == other[column].key {
                lengths[(row + 1) * width + column + 1] + 1
            } else {
                lengths[(row + 1) * width + column].max(lengths[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column, mut found) = (0, 0, Vec::new());
    while row < one.len() && column < other.len() {
        if one[row].key == other[column].key {
            found.push(one[row].clone());
            (row, column) = (row + 1, column + 1);
        } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    found
}
