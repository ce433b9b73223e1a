//! One round of learning: train, try on feedback that was held out, and protect what was taken.
//!
//! Each part of the feedback is judged by an adapter that was trained on the other parts, so that all of it takes part
//! in the trial. The candidate itself is then trained on everything, in the same way.

use super::example::{PARTS, usable};
use super::train::Training;
use super::trial::{Verdict, judge, reciprocal_ranks};
use super::{AdaptError, Adapter, Consolidation, Example};

/// What came of a round of learning.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The candidate, to be used only if it was taken.
    pub adapter: Adapter,
    /// Whether it was, by meaning alone, and why.
    pub verdict: Verdict,
    /// For each part of the feedback, the adapter that was trained on the other parts: whoever can ask again sees with
    /// them what the whole recall makes of questions that were not learned from; see [`Example::part`].
    pub trials: Vec<Adapter>,
    /// What is protected when the candidate is used.
    pub protected: Consolidation,
    /// How many examples it was learned from.
    pub learned_from: usize,
    /// How many steps of training were taken.
    pub epochs: usize,
}

/// Learns from feedback; what is not sound is left out. The task's name is what its protection is kept under, such as
/// the time or the change number it was learned at.
pub fn learn(training: &Training<'_>, task: &str, examples: &[Example]) -> Result<Lesson, AdaptError> {
    let examples = usable(examples, training.current.dimensions());
    let (mut before, mut after, mut trials) = (Vec::new(), Vec::new(), Vec::new());
    for part in 0..PARTS {
        let (held_out, others): (Vec<&Example>, Vec<&Example>) =
            examples.iter().copied().partition(|example| example.part() == part);
        let trained = training.on(&others)?;
        before.extend(reciprocal_ranks(training.current, &held_out));
        after.extend(reciprocal_ranks(&trained.adapter, &held_out));
        trials.push(trained.adapter);
    }
    let trained = training.on(&examples)?;
    let protected = training.protected.after(task, &trained.adapter, &examples)?;
    Ok(Lesson {
        adapter: trained.adapter,
        verdict: judge(&before, &after),
        trials,
        protected,
        learned_from: examples.len(),
        epochs: trained.epochs,
    })
}
