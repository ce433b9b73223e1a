//! The points at which a sync can be cut off, so that tests can do so at each of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::VaultError;

/// Counts the steps of a sync, and ends it at one of them if asked to.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    taken: AtomicUsize,
    /// The last step that is taken; all of them if zero.
    last: usize,
}

impl Steps {
    /// Ends what is at work after so many steps.
    pub(crate) fn ending_after(last: usize) -> Self {
        Self { taken: AtomicUsize::new(0), last }
    }

    /// Takes a step.
    pub(crate) fn step(&self) -> Result<(), VaultError> {
        let taken = self.taken.fetch_add(1, Ordering::Relaxed) + 1;
        if self.last > 0 && taken >= self.last { Err(VaultError::Stopped) } else { Ok(()) }
    }
}
