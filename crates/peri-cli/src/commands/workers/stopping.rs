//! Asking workers to stop until they have.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use peri_workers::WorkerManager;

/// So often they are asked. One that begins while others are stopped is asked too.
const PAUSE: Duration = Duration::from_millis(20);

/// Asks everything that runs here to stop, until it is dropped.
pub(crate) struct Stopping {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Stopping {
    /// Begins to ask. Without a thread for it, whoever is at work is asked once.
    pub(crate) fn begin(manager: Arc<WorkerManager>) -> Self {
        manager.cancel_all();
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new().name("peri-stopping".to_owned()).spawn(move || {
            while stopped.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                manager.cancel_all();
            }
        });
        let thread = thread.inspect_err(|error| tracing::warn!(%error, "no thread to stop the workers"));
        Self { stop: Some(stop), thread: thread.ok() }
    }
}

impl Drop for Stopping {
    fn drop(&mut self) {
        self.stop = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that stops the workers panicked");
        }
    }
}
