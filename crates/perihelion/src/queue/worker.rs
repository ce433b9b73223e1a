//! The thread that makes what waits and finds out whether the store answers again. It is started when there is need.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::SignedDuration;
use parking_lot::{Condvar, Mutex};
use peri_types::Timestamp;

use super::WriteQueue;
use crate::Chores;

/// After trouble with the queue's own files the thread waits for at least so long.
const AFTER_TROUBLE: Duration = Duration::from_secs(1);

/// The thread, once there was need.
#[derive(Default)]
pub(super) struct Worker {
    signals: Mutex<Signals>,
    signalled: Condvar,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Signals {
    /// Whether the engine is open.
    open: bool,
    /// Whether there is something to do.
    woken: bool,
    stopped: bool,
}

impl WriteQueue {
    /// Lets the thread be started, if this engine has one.
    pub(crate) fn serve(self: &Arc<Self>) {
        self.worker.signals.lock().open = true;
        if self.chores == Chores::Background && !self.store.is_read_only() {
            self.adopt();
        }
        if self.circuit.is_broken() || !self.is_empty() {
            self.wake();
        }
    }

    /// Tells the thread that there is something to do, and starts it if it is the first time.
    pub(crate) fn wake(self: &Arc<Self>) {
        let mut signals = self.worker.signals.lock();
        if self.chores == Chores::ByHand || !signals.open || signals.stopped {
            return;
        }
        signals.woken = true;
        self.worker.signalled.notify_all();
        let mut thread = self.worker.thread.lock();
        if thread.is_none() {
            let own = Arc::clone(self);
            let started = std::thread::Builder::new().name("peri-queue".to_owned()).spawn(move || own.work());
            match started {
                Ok(started) => *thread = Some(started),
                Err(error) => tracing::warn!(%error, "no thread for the queue; the chores work it off"),
            }
        }
    }

    fn work(self: Arc<Self>) {
        let mut least = Duration::ZERO;
        while self.wait(least) {
            self.probe();
            let fine = self.replay(&|| !self.worker.signals.lock().stopped);
            least = if fine { Duration::ZERO } else { AFTER_TROUBLE };
        }
    }

    /// Waits until there is something to do. `false`: it is time to stop.
    fn wait(&self, least: Duration) -> bool {
        let due_in = self.due_in().map(|wait| wait.max(least));
        let mut signals = self.worker.signals.lock();
        if (!signals.woken || !least.is_zero()) && !signals.stopped {
            match due_in {
                Some(wait) => {
                    self.worker.signalled.wait_for(&mut signals, wait);
                }
                None => self.worker.signalled.wait(&mut signals),
            }
        }
        signals.woken = false;
        !signals.stopped
    }

    /// In how long something is to be tried again; none if nothing is.
    fn due_in(&self) -> Option<Duration> {
        let queued = self.queues.first().map(|queue| queue.next_try().unwrap_or(Timestamp::MIN));
        let due = match (queued, self.circuit.next_try()) {
            // Both must be over.
            (Some(queued), Some(store)) => queued.max(store),
            (queued, store) => queued.or(store)?,
        };
        if !self.circuit.is_ahead(due) {
            return Some(Duration::ZERO);
        }
        let wait = due.duration_since(self.clock.now()).max(SignedDuration::ZERO);
        Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
    }

    /// Stops the thread and leaves the queues. What still waits is taken over by the next process.
    pub(crate) fn close(&self) {
        self.worker.signals.lock().stopped = true;
        self.worker.signalled.notify_all();
        let thread = self.worker.thread.lock().take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the queue's thread panicked");
        }
        if let Err(error) = self.queues.close() {
            tracing::warn!(%error, "a queue could not be left as it should be; nothing in it is lost");
        }
    }
}
