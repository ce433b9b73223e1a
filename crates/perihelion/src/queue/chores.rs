//! The queue among the engine's chores.

use std::time::{Duration, Instant};

use crate::engine::Core;
use crate::{Chores, Error};

/// A program that is about to leave works off what others left behind for so long.
const LEAVING: Duration = Duration::from_secs(1);

impl Core {
    /// Whether it is known that the store does not answer.
    pub(crate) fn is_store_away(&self) -> bool {
        self.queue.as_ref().is_some_and(|queue| queue.is_store_away())
    }

    /// Takes over what processes left behind that are gone, tries what waits where no thread does, and tells of what
    /// somebody should hear of.
    pub(crate) fn look_after_queue(&self) {
        let Some(queue) = &self.queue else { return };
        if self.store.is_read_only() {
            return;
        }
        queue.adopt();
        match self.options.chores {
            Chores::ByHand => {
                queue.probe();
                queue.replay(&|| true);
            }
            Chores::Background => queue.wake(),
        }
        for (operation, what) in queue.take_reports() {
            self.note_failure(operation, &what);
        }
    }

    /// What a program does for the queue before it leaves: if it had no trouble itself, it works off for a moment what
    /// others left behind.
    pub(crate) fn finish_queue(&self) {
        let Some(queue) = &self.queue else { return };
        if self.options.chores == Chores::ByHand && !self.store.is_read_only() && !queue.had_trouble() {
            queue.adopt();
            let started = Instant::now();
            queue.replay(&|| started.elapsed() < LEAVING);
        }
        for (operation, what) in queue.take_reports() {
            self.note_failure(operation, &what);
        }
    }

    /// What is read before a change for the change's sake alone: nothing, if the store does not answer and the change
    /// will wait for it.
    pub(crate) fn unless_away<T>(&self, read: Result<T, Error>) -> Result<Option<T>, Error> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(Error::Store(error)) if error.is_unreachable() && self.queue.is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
