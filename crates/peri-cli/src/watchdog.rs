//! An end that comes by itself: a process that was told to stop does not live on because a thread of it waits for ever.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// What a process that did not come to its end by itself says of it.
const LATE: &str = "a background thread did not end in time, so the process ends without it; what was acknowledged \
                    is on the disk";
/// Even without a grace, closing may write an index.
const LEAST: Duration = Duration::from_secs(5);

/// Ends the process some time after it was told to stop, unless it is dropped before.
#[derive(Debug)]
pub(crate) struct Watchdog(#[allow(dead_code, reason = "dropping it says that the end has come")] Sender<()>);

/// Starts the clock of a [`Watchdog`].
#[derive(Debug)]
pub(crate) struct Leash(Receiver<()>);

/// A watchdog and what wakes it.
pub(crate) fn watchdog() -> (Watchdog, Leash) {
    let (sender, receiver) = channel();
    (Watchdog(sender), Leash(receiver))
}

impl Leash {
    /// The process was told to stop: requests have the grace, and so has everything else after them.
    pub(crate) fn stopping(self, grace: Duration) {
        let patience = grace + grace.max(LEAST);
        let watch = move || {
            self.wait(patience, || {
                tracing::error!("{LATE}");
                std::process::exit(1);
            });
        };
        if let Err(error) = std::thread::Builder::new().name("peri-watchdog".to_owned()).spawn(watch) {
            tracing::warn!(%error, "nothing will end the process if a thread of it does not");
        }
    }

    fn wait(self, patience: Duration, end: impl FnOnce()) {
        if self.0.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_ends_although_a_thread_of_it_never_does() {
        let (_held, leash) = watchdog();
        let mut ended = false;
        leash.wait(Duration::ZERO, || ended = true);
        assert!(ended);
    }

    #[test]
    fn a_process_that_ends_by_itself_is_left_alone() {
        let (held, leash) = watchdog();
        drop(held);
        leash.wait(Duration::MAX, || panic!("it has ended"));
    }
}
