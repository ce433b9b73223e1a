//! Whether the store answers. While it does not, nobody waits for it but whoever finds out whether it does again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_queue::Backoff;
use peri_store::StoreError;
use peri_types::{Clock, Timestamp};

/// Knows whether the store answers.
pub(super) struct Circuit {
    clock: Clock,
    /// No wait is longer.
    longest: Duration,
    broken: AtomicBool,
    state: Mutex<State>,
}

struct State {
    trouble: Option<StoreError>,
    attempts: u32,
    next_try: Timestamp,
    backoff: Backoff,
}

/// What a call did to the circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turned {
    /// The store has just stopped answering.
    Broke,
    /// It answers again.
    Mended,
    /// All is as it was.
    Not,
}

impl Circuit {
    pub(super) fn new(clock: Clock, backoff: Backoff, longest: Duration) -> Self {
        let state = State { trouble: None, attempts: 0, next_try: Timestamp::MIN, backoff };
        Self { clock, longest, broken: AtomicBool::new(false), state: Mutex::new(state) }
    }

    /// Whether the store did not answer when it was last asked.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    /// Why, if it did not.
    pub(super) fn trouble(&self) -> Option<StoreError> {
        if self.is_broken() { self.state.lock().trouble.clone() } else { None }
    }

    /// When it is asked again, if it does not answer.
    pub(super) fn next_try(&self) -> Option<Timestamp> {
        self.is_broken().then(|| self.state.lock().next_try)
    }

    /// Whether it may be asked again by now.
    pub(super) fn is_due(&self) -> bool {
        self.next_try().is_none_or(|at| !self.is_ahead(at))
    }

    /// Whether a wait is not over. None is longer than the longest: whoever's clock was set back does not wait until it is
    /// where it was.
    pub(super) fn is_ahead(&self, at: Timestamp) -> bool {
        let now = self.clock.now();
        now < at && at <= now.checked_add(self.longest).unwrap_or(Timestamp::MAX)
    }

    /// Lets it be asked again at once.
    pub(super) fn hurry(&self) {
        self.state.lock().next_try = Timestamp::MIN;
    }

    /// Takes it as found out that the store does not answer, and that it is not asked before a time.
    pub(super) fn break_until(&self, trouble: StoreError, until: Timestamp) {
        let mut state = self.state.lock();
        (state.attempts, state.next_try, state.trouble) = (1, until, Some(trouble));
        self.broken.store(true, Ordering::Release);
    }

    /// Notes what became of a call.
    pub(super) fn note<T>(&self, outcome: &Result<T, StoreError>) -> Turned {
        match outcome {
            Err(error) if error.is_unreachable() => {
                let mut state = self.state.lock();
                state.attempts += 1;
                let attempts = state.attempts;
                let wait =
                    SignedDuration::try_from(state.backoff.wait(attempts)).unwrap_or(SignedDuration::MAX);
                state.next_try = self.clock.now().checked_add(wait).unwrap_or(Timestamp::MAX);
                state.trouble = Some(plainly(error));
                if self.broken.swap(true, Ordering::AcqRel) { Turned::Not } else { Turned::Broke }
            }
            _ if self.is_broken() => {
                let mut state = self.state.lock();
                (state.attempts, state.trouble) = (0, None);
                self.broken.store(false, Ordering::Release);
                Turned::Mended
            }
            _ => Turned::Not,
        }
    }
}

/// What is told to those who do not write.
fn plainly(error: &StoreError) -> StoreError {
    match error {
        StoreError::Uncertain { place, .. } => {
            let (place, detail) = (place.clone(), "it broke off".to_owned());
            StoreError::Unreachable { place, detail }
        }
        other => other.clone(),
    }
}
