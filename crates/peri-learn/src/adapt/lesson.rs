//! One round of learning: train on most of the feedback, try on the rest, and protect what was taken.

use super::example::split;
use super::train::Training;
use super::trial::{Verdict, try_out};
use super::{AdaptError, Adapter, Consolidation, Example};

/// What came of a round of learning.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The candidate, to be used only if it was taken.
    pub adapter: Adapter,
    /// Whether it was, and why.
    pub verdict: Verdict,
    /// What is protected when the candidate is used.
    pub protected: Consolidation,
    /// How many examples it was learned from.
    pub learned_from: usize,
    /// How many steps of training were taken.
    pub epochs: usize,
}

/// Learns from feedback. Every fifth question, by its own vector, is held out for the trial. The task's name is what
/// its protection is kept under, such as the time or the change number it was learned at.
pub fn learn(training: &Training<'_>, task: &str, examples: &[Example]) -> Result<Lesson, AdaptError> {
    let (learned_from, held_out) = split(examples, training.current.dimensions());
    let trained = training.on(&learned_from)?;
    let protected = training.protected.after(task, &trained.adapter, &learned_from)?;
    let verdict = try_out(training.current, &trained.adapter, &held_out);
    Ok(Lesson {
        adapter: trained.adapter,
        verdict,
        protected,
        learned_from: learned_from.len(),
        epochs: trained.epochs,
    })
}
