//! When the next backup is due, and what becomes of one that fails.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use peri_types::{Happening, Timestamp};
use perihelion::{ErrorKind, Perihelion};

use crate::fetch::Progress;
use crate::{BackupError, Backups, Created, Pruned, Retention};

/// A process keeps the backups to itself for so long at most.
const LEASE: Duration = Duration::from_secs(30 * 60);
/// The same when somebody asked for one, renewed meanwhile: who breaks it off need not wait long to try again.
const LEASE_BY_HAND: Duration = Duration::from_secs(60);
/// Whoever finds that another process is at it looks again after so long.
const LOOK_AGAIN: Duration = Duration::from_secs(5 * 60);
/// After a failure it is tried again after so long, then after twice that, and so on...
const RETRY_FIRST: Duration = Duration::from_secs(60);
/// ...up to this.
const RETRY_MAX: Duration = Duration::from_secs(60 * 60);

/// How often backups are made, and which are kept.
#[derive(Debug, Clone)]
pub struct ScheduleSettings {
    /// A backup is due when the newest is so old.
    pub interval: Duration,
    /// Which are kept.
    pub retention: Retention,
}

/// What came of a backup that was due.
#[derive(Debug)]
pub enum Made {
    /// It was made, and others were pruned.
    Done {
        /// The new one.
        created: Box<Created>,
        /// What was removed.
        pruned: Pruned,
    },
    /// It was not; it will be tried again.
    Failed(BackupError),
}

/// Knows when to look next. It asks the engine's clock and no other.
#[derive(Debug)]
pub struct Schedule {
    settings: ScheduleSettings,
    next: Option<Timestamp>,
    failures: u32,
}

impl Schedule {
    /// Begins by looking at what is there.
    pub fn new(settings: ScheduleSettings) -> Self {
        Self { settings, next: None, failures: 0 }
    }

    /// Whether there is something to do: a backup is due, or it cannot be seen whether one is, which
    /// [`Self::run_if_due`] then tells. Looking may take a while, and nothing is made meanwhile: whoever lets one backup
    /// at a time be made need not keep others waiting for it.
    pub fn has_work(&mut self, engine: &Perihelion, open: &dyn Fn() -> Result<Backups, BackupError>) -> bool {
        let now = engine.options().clock.now();
        if self.next.is_some_and(|next| now < next) {
            return false;
        }
        let is_due = open().and_then(|backups| self.is_due(&backups, now));
        if matches!(is_due, Ok(false)) {
            self.failures = 0;
        }
        is_due.unwrap_or(true)
    }

    /// Makes a backup if one is due and no other process is at it. One that was given up is none.
    pub fn run_if_due(
        &mut self,
        engine: &Perihelion,
        open: &dyn Fn() -> Result<Backups, BackupError>,
    ) -> Option<Made> {
        let now = engine.options().clock.now();
        if self.next.is_some_and(|next| now < next) {
            return None;
        }
        match self.look(engine, open, now) {
            Ok(made) => {
                self.failures = 0;
                made
            }
            Err(BackupError::Halted) => {
                tracing::info!("a backup was given up because the program is to end");
                None
            }
            Err(error) => {
                self.note_failure(engine, &error, now);
                Some(Made::Failed(error))
            }
        }
    }

    fn look(
        &mut self,
        engine: &Perihelion,
        open: &dyn Fn() -> Result<Backups, BackupError>,
        now: Timestamp,
    ) -> Result<Option<Made>, BackupError> {
        let backups = open()?;
        if !self.is_due(&backups, now)? {
            return Ok(None);
        }
        if !engine.take_on_backups(LEASE)? {
            self.next = Some(later(now, LOOK_AGAIN));
            return Ok(None);
        }
        let made = self.make(engine, &backups, now);
        engine.leave_backups()?;
        made
    }

    fn make(
        &mut self,
        engine: &Perihelion,
        backups: &Backups,
        now: Timestamp,
    ) -> Result<Option<Made>, BackupError> {
        // Another process may have made one between the first look and now.
        if !self.is_due(backups, now)? {
            return Ok(None);
        }
        let created = Box::new(backups.create(engine, &mut |_| {})?);
        self.next = Some(later(now, self.settings.interval));
        let pruned = backups.prune(&self.settings.retention, now)?;
        Ok(Some(Made::Done { created, pruned }))
    }

    fn is_due(&mut self, backups: &Backups, now: Timestamp) -> Result<bool, BackupError> {
        let Some(newest) = backups.newest()? else { return Ok(true) };
        let due = later(newest, self.settings.interval);
        // A clock that was set back must not put backups off for ever.
        if due <= now || newest > later(now, LOOK_AGAIN) {
            return Ok(true);
        }
        self.next = Some(due);
        Ok(false)
    }

    fn note_failure(&mut self, engine: &Perihelion, error: &BackupError, now: Timestamp) {
        let wait = RETRY_FIRST.saturating_mul(2_u32.saturating_pow(self.failures)).min(RETRY_MAX);
        self.next = Some(later(now, wait.min(self.settings.interval)));
        self.failures = self.failures.saturating_add(1);
        tracing::warn!(%error, retry_in_seconds = wait.as_secs(), "a backup failed and will be tried again");
        let told = Happening::OperationFailed {
            operation: "backup".to_owned(),
            reason: error.to_string(),
            count: 1,
        };
        if let Err(error) = engine.tell(told) {
            tracing::warn!(%error, "the failure could not be told");
        }
    }
}

impl Backups {
    /// Makes a backup now, whether or not one is due; none if another process is at it. Within a process the caller
    /// sees to it that only one is made at a time.
    pub fn create_if_free(
        &self,
        engine: &Perihelion,
        progress: Progress<'_>,
    ) -> Result<Option<Created>, BackupError> {
        // Where nothing can be written, nobody can take on anything, and the scheduler does not work either.
        if engine.is_read_only() {
            return self.create(engine, progress).map(Some);
        }
        match engine.take_on_backups(LEASE_BY_HAND) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            // Somebody holds the store who is no backup, or it is full: that is no reason to do without one.
            Err(error) if matches!(error.kind(), ErrorKind::Busy | ErrorKind::Unavailable) => {
                tracing::debug!(%error, "a backup is made although others cannot be kept off");
                return self.create(engine, progress).map(Some);
            }
            Err(error) => return Err(error.into()),
        }
        let created = self.create_meanwhile(engine, progress);
        let left = engine.leave_backups();
        let created = created?;
        left?;
        Ok(Some(created))
    }

    /// Makes a backup, and keeps other processes off for as long as that takes.
    fn create_meanwhile(&self, engine: &Perihelion, progress: Progress<'_>) -> Result<Created, BackupError> {
        let (done, waiting) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while waiting.recv_timeout(LEASE_BY_HAND / 3) == Err(RecvTimeoutError::Timeout) {
                    if let Err(error) = engine.take_on_backups(LEASE_BY_HAND) {
                        // At worst another process makes one as well.
                        tracing::debug!(%error, "the turn to make a backup could not be renewed");
                    }
                }
            });
            let created = self.create(engine, progress);
            drop(done);
            created
        })
    }
}

fn later(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}
