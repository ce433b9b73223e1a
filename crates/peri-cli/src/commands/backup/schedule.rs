//! The thread of `peri serve` that makes backups when they are due.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use peri_backup::{Backups, Made, Schedule};
use perihelion::Perihelion;

use crate::config::Loaded;

/// How often it is looked whether one is due.
const LOOK: Duration = Duration::from_secs(20);

/// Makes backups until it is dropped. One that is under way is finished first.
pub(crate) struct Scheduler {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Scheduler {
    /// Starts the thread, if backups are to be made.
    pub(crate) fn start(engine: &Arc<Perihelion>, loaded: &Loaded) -> Option<Self> {
        let settings = loaded.config.backup.clone();
        let schedule = Schedule::new(settings.schedule()?);
        let (engine, data) = (Arc::clone(engine), loaded.home.folder.clone());
        let (stop, stopped) = sync_channel(0);
        let open = move || Ok(Backups::new(settings.to.open(&settings.reach())?, &data));
        let thread = std::thread::Builder::new()
            .name("peri-backup".to_owned())
            .spawn(move || serve(&engine, schedule, &open, &stopped));
        match thread {
            Ok(thread) => Some(Self { stop: Some(stop), thread: Some(thread) }),
            Err(error) => {
                tracing::warn!(%error, "no thread for the backups, so none will be made");
                None
            }
        }
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        self.stop = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the backups' thread panicked");
        }
    }
}

fn serve(
    engine: &Perihelion,
    mut schedule: Schedule,
    open: &dyn Fn() -> Result<Backups, peri_backup::BackupError>,
    stopped: &Receiver<()>,
) {
    loop {
        if let Some(Made::Done { created, pruned }) = schedule.run_if_due(engine, open) {
            let name = &created.manifest.name;
            tracing::info!(%name, pruned = pruned.removed.len(), "a backup was made and verified");
        }
        // The channel only ever closes; waiting on it is how the thread sleeps and still stops at once.
        if stopped.recv_timeout(LOOK) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}
