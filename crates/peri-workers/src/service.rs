//! The service: runs workers as they become due, until it is dropped.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use perihelion::{Error, Timestamp};

use crate::dispatch::{WorkerManager, last_started};
use crate::job::Trigger;
use crate::kind::WorkerKind;
use crate::load::Load;
use crate::schedule::next_due;

/// So often the service looks what is due.
const LOOK: Duration = Duration::from_secs(1);

/// Runs workers as they become due. Dropping it asks what runs to stop and waits for it.
pub struct Service {
    manager: Arc<WorkerManager>,
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Starts the service; without a thread for it, workers run by hand alone.
    pub fn start(manager: Arc<WorkerManager>) -> Self {
        let (stop, stopped) = sync_channel(0);
        *manager.service_started.lock() = Some(manager.engine().now());
        let served = Arc::clone(&manager);
        let thread = std::thread::Builder::new().name("peri-workers".to_owned());
        let thread = thread.spawn(move || serve(&served, &stopped)).map_err(|error| {
            tracing::warn!(%error, "no thread for the workers; they run by hand alone");
            *manager.service_started.lock() = None;
        });
        Self { manager, stop: Some(stop), thread: thread.ok() }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop = None;
        self.manager.halt();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the workers' thread panicked");
        }
        *self.manager.service_started.lock() = None;
    }
}

fn serve(manager: &WorkerManager, stopped: &Receiver<()>) {
    // The channel only ever closes; waiting on it is how the thread sleeps and still stops at once.
    while stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        let due = match due(manager) {
            Ok(due) => due,
            Err(error) => {
                tracing::debug!(%error, "what is due cannot be told");
                continue;
            }
        };
        if due.is_empty() {
            continue;
        }
        if let Some(reason) = Load::now().reason_to_wait(&manager.settings) {
            tracing::debug!(reason, "workers wait");
            continue;
        }
        for (kind, outcome) in manager.dispatch_several(&due, Trigger::Timer) {
            if let Err(error) = outcome {
                tracing::warn!(%error, worker = %kind, "a worker could not be run");
                manager.engine().tell_failed("worker", &format!("{kind}: {error}"));
            }
        }
    }
}

/// The workers that are due, those that matter most first.
fn due(manager: &WorkerManager) -> Result<Vec<WorkerKind>, Error> {
    let now = manager.engine().now();
    let started = manager.service_started.lock().unwrap_or(Timestamp::MIN);
    let mut due = Vec::new();
    for (place, line) in manager.lines().iter().enumerate() {
        let config = manager.settings.config(line.kind);
        if !config.enabled {
            continue;
        }
        let runs = manager.engine().worker_runs(Some(line.kind.as_str()), 1)?;
        if next_due(last_started(&runs), config.interval, started, place) <= now {
            due.push((line.priority, line.kind));
        }
    }
    due.sort();
    Ok(due.into_iter().map(|(_, kind)| kind).collect())
}
