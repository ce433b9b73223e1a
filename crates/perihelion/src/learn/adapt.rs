//! Adaptation: questions are turned a little towards what was of use for such questions before.
//!
//! An adapter is learned from a namespace's own feedback, and takes part only after it has proved itself on feedback
//! that it was not learned from.

/// What an adapter is called among what was learned.
pub(super) const ADAPTER: &str = "adapter";
