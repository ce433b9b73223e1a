//! Chores that one process does for all: whoever has the lease, which is short and renewed as long as the chore runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use peri_types::Timestamp;

use crate::Error;
use crate::engine::Core;

/// A lease is held for so long. Whoever dies at a chore is replaced after it.
pub(crate) const HELD: Duration = Duration::from_secs(15);

/// While a chore runs, its lease is renewed so often.
const RENEWED: Duration = Duration::from_secs(5);

/// What becomes of a lease when its chore is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Afterwards {
    /// Whoever comes next may have it.
    GivenBack,
    /// It is kept until a time at which its holder will renew it, and a little longer.
    KeptUntil(Timestamp),
}

/// What became of an attempt at a chore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It is done.
    Done,
    /// Somebody else is at it, who has the lease until then unless it is renewed.
    Elsewhere(Timestamp),
}

impl Turn {
    /// When to look again, if somebody else is at it.
    pub(crate) fn wake_at(self) -> Option<Timestamp> {
        match self {
            Self::Done => None,
            Self::Elsewhere(until) => Some(until),
        }
    }
}

impl Core {
    /// Does a chore unless somebody else is at it. The chore should stop when what it is given says no: somebody wants to,
    /// or the lease was lost.
    pub(crate) fn in_turn(
        &self,
        lease: &str,
        afterwards: Afterwards,
        go_on: &dyn Fn() -> bool,
        chore: impl FnOnce(&dyn Fn() -> bool) -> Result<(), Error>,
    ) -> Result<Turn, Error> {
        let now = self.now();
        if !self.store.acquire_lease(lease, &self.holder, now, HELD)? {
            let until = self.store.lease(lease)?.map_or(now, |lease| lease.expires_at);
            return Ok(Turn::Elsewhere(until));
        }
        let outcome = self.renewing(lease, RENEWED, go_on, chore);
        // Trouble in a chore keeps nobody else from trying.
        match afterwards {
            Afterwards::KeptUntil(until) if outcome.is_ok() => self.keep_lease(lease, until)?,
            _ => self.store.release_lease(lease, &self.holder)?,
        }
        outcome.map(|()| Turn::Done)
    }

    /// Runs a chore while a thread of its own renews its lease, however long each of its steps takes.
    pub(super) fn renewing(
        &self,
        lease: &str,
        every: Duration,
        go_on: &dyn Fn() -> bool,
        chore: impl FnOnce(&dyn Fn() -> bool) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let lost = AtomicBool::new(false);
        let lost = &lost;
        std::thread::scope(|scope| {
            // Its end tells the thread to stop, even if that is a panic of the chore.
            let (done, until_done) = sync_channel::<()>(0);
            let renew = move || self.renew_until(lease, every, &until_done, lost);
            let thread = std::thread::Builder::new().name("peri-lease".to_owned()).spawn_scoped(scope, renew);
            if let Err(error) = thread {
                tracing::warn!(%error, lease, "no thread renews the lease; others may begin the chore again");
            }
            let outcome = chore(&|| go_on() && !lost.load(Ordering::Relaxed));
            drop(done);
            outcome
        })
    }

    fn renew_until(&self, lease: &str, every: Duration, done: &Receiver<()>, lost: &AtomicBool) {
        while done.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
            match self.store.acquire_lease(lease, &self.holder, self.now(), HELD) {
                Ok(true) => {}
                Ok(false) => {
                    tracing::warn!(lease, "somebody else has taken over a chore that took too long to go on");
                    lost.store(true, Ordering::Relaxed);
                    return;
                }
                Err(error) => tracing::debug!(%error, lease, "the lease could not be renewed"),
            }
        }
    }

    fn keep_lease(&self, lease: &str, until: Timestamp) -> Result<(), Error> {
        let now = self.now();
        let left = Duration::try_from(until.duration_since(now)).unwrap_or_default();
        self.store.acquire_lease(lease, &self.holder, now, left.saturating_add(HELD))?;
        Ok(())
    }
}
