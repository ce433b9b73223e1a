//! Asking the store: nobody waits for what is known to hang, and who waited in vain says so to all processes.

use std::sync::Arc;
use std::time::Duration;

use peri_store::{Store, StoreError};
use peri_types::patience;

use super::WriteQueue;
use crate::breaker::{Admission, Party};

/// What is asked of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    /// Something that waits for nobody who writes.
    ToRead,
    /// Something for which the lock of those who write is needed.
    ToWrite,
}

impl WriteQueue {
    /// Asks the store, and notes what became of that.
    pub(super) fn ask<T>(
        self: &Arc<Self>,
        asking: Asking,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let admission = match asking {
            Asking::ToWrite if patience::left().is_some() => self.breaker.admit(Party::Writer(&self.place)),
            Asking::ToRead | Asking::ToWrite => Admission::Freely,
        };
        let ask = || patience::measured(|| call(&*self.store));
        let (outcome, vain) = match admission {
            // One look: it is taken if it is free by now.
            Admission::Not(_) => patience::within(Duration::ZERO, ask),
            Admission::Freely | Admission::OnTrial => ask(),
        };
        self.note(&outcome);
        self.tell_of_wait(asking, &outcome, vain);
        outcome
    }

    /// Tells other processes of a wait in vain, and of its end.
    fn tell_of_wait<T>(&self, asking: Asking, outcome: &Result<T, StoreError>, vain: Duration) {
        let is_long = vain >= self.hung_after;
        match outcome {
            Err(error) if error.is_unreachable() && is_long => {
                let why = match error {
                    StoreError::Unreachable { detail, .. } => detail.clone(),
                    error => error.to_string(),
                };
                self.breaker.hung(Party::Store(&self.place), &why);
            }
            Err(error @ StoreError::Busy { .. }) if is_long && asking == Asking::ToWrite => {
                self.breaker.hung(Party::Writer(&self.place), &error.to_string());
            }
            Ok(_) => {
                self.breaker.answered(Party::Store(&self.place));
                if asking == Asking::ToWrite {
                    self.breaker.answered(Party::Writer(&self.place));
                }
            }
            Err(_) => {}
        }
    }

    /// What other processes waited for in vain, this one does not wait for.
    pub(super) fn heed(&self) {
        if let Admission::Not(hung) = self.breaker.admit(Party::Store(&self.place)) {
            let (place, detail) = (self.place.clone(), hung.why);
            self.circuit.break_until(StoreError::Unreachable { place, detail }, hung.until);
        }
    }
}
