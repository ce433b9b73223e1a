//! The thread of `peri serve` that makes backups when they are due, and its end.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use peri_backup::{Halt, Made, Schedule};
use perihelion::Perihelion;

use super::ServedBackups;

/// How often it is looked whether one is due.
const LOOK: Duration = Duration::from_secs(20);

/// The thread gets at least so long to end, however little grace there is: it has an engine that is to be closed.
const END_MIN: Duration = Duration::from_secs(1);

/// Makes backups until it is told to end. One that is under way then is given up.
pub(crate) struct Scheduler {
    stop: SyncSender<()>,
    ended: Receiver<()>,
    thread: JoinHandle<()>,
    halt: Halt,
}

impl Scheduler {
    /// Starts the thread, if backups are to be made.
    pub(crate) fn start(engine: &Arc<Perihelion>, backups: &ServedBackups) -> Option<Self> {
        let schedule = Schedule::new(backups.schedule()?);
        let (engine, backups) = (Arc::clone(engine), backups.clone());
        let (stop, stopped) = sync_channel(0);
        let (ending, ended) = sync_channel::<()>(0);
        let halt = backups.halt();
        let thread = std::thread::Builder::new().name("peri-backup".to_owned()).spawn(move || {
            serve(&engine, schedule, &backups, &stopped);
            drop(engine);
            drop(ending);
        });
        match thread {
            Ok(thread) => Some(Self { stop, ended, thread, halt }),
            Err(error) => {
                tracing::warn!(%error, "no thread for the backups, so none will be made");
                None
            }
        }
    }

    /// Ends the thread. If it does not end in time it is left behind: a backup that is not finished counts for nothing
    /// and is cleared away by the next one.
    pub(crate) fn end(self, grace: Duration) {
        self.halt.halt();
        drop(self.stop);
        if self.ended.recv_timeout(grace.max(END_MIN)) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!("a backup did not end in time and is left unfinished");
        } else if self.thread.join().is_err() {
            tracing::error!("the backups' thread panicked");
        }
    }
}

fn serve(engine: &Perihelion, mut schedule: Schedule, backups: &ServedBackups, stopped: &Receiver<()>) {
    loop {
        let open = || backups.open();
        // Whoever asked for a backup meanwhile has it first.
        if schedule.has_work(engine, &open)
            && let Some(Made::Done { created, pruned }) =
                backups.in_turn(|| schedule.run_if_due(engine, &open))
        {
            let name = &created.manifest.name;
            tracing::info!(%name, pruned = pruned.removed.len(), "a backup was made and verified");
        }
        // The channel only ever closes; waiting on it is how the thread sleeps and still stops at once.
        if stopped.recv_timeout(LOOK) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}
