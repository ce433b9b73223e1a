//! The backups of a program that stays: made when they are due, or when somebody asks, one at a time.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use peri_backup::{BackupError, Backups, Halt, Listed, Reach, ScheduleSettings};
use peri_http::{BackupInfo, BackupList, BackupMade, Failure};
use perihelion::{EncryptionKey, ErrorKind, Perihelion, Timestamp};

use crate::config::{BackupSettings, Loaded};

/// Where backups are configured to go, and whose turn it is. Clones are about the same ones.
#[derive(Clone)]
pub(crate) struct ServedBackups {
    settings: BackupSettings,
    data: PathBuf,
    halt: Halt,
    key: Option<EncryptionKey>,
    /// Held while one is made in this process; other processes are kept off by the store.
    making: Arc<Mutex<()>>,
}

impl ServedBackups {
    /// As configured.
    pub(crate) fn new(loaded: &Loaded) -> Self {
        let (settings, data) = (loaded.config.backup.clone(), loaded.home.folder.clone());
        let key = loaded.config.encryption.clone();
        Self { settings, data, halt: Halt::default(), key, making: Arc::default() }
    }

    /// Tells a backup that is under way to give up.
    pub(crate) fn halt(&self) -> Halt {
        self.halt.clone()
    }

    /// When they are made without being asked for, if they are.
    pub(crate) fn schedule(&self) -> Option<ScheduleSettings> {
        self.settings.schedule()
    }

    /// Reaches the place where they are.
    pub(crate) fn open(&self) -> Result<Backups, BackupError> {
        let reach = Reach { halt: self.halt.clone(), ..self.settings.reach() };
        let backups = Backups::new(self.settings.to.open(&reach)?, &self.data);
        Ok(backups.heeding(self.halt.clone()).keyed(self.key.clone()))
    }

    /// Does something while no other backup is made in this process.
    pub(crate) fn in_turn<T>(&self, work: impl FnOnce() -> T) -> T {
        let _turn = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// The backups there are.
    pub(crate) fn list(&self, engine: &Perihelion) -> Result<BackupList, Failure> {
        let backups = self.open().map_err(|error| failure(&error))?;
        let mut listed = backups.list().map_err(|error| failure(&error))?;
        listed.reverse();
        let next_at = self.next_at(&listed, engine.options().clock.now());
        Ok(BackupList {
            place: Some(backups.place()),
            scheduled: next_at.is_some(),
            next_at,
            backups: listed.into_iter().map(info).collect(),
        })
    }

    /// When the next one is due: at once if there is none, or the newest is too old.
    fn next_at(&self, listed: &[Listed], now: Timestamp) -> Option<Timestamp> {
        let interval = self.settings.interval?;
        let newest = listed.iter().map(|(name, _)| name).find(|name| !name.is_before_restore());
        let due = newest.and_then(|name| name.time().checked_add(interval).ok());
        Some(due.unwrap_or(now).max(now))
    }

    /// Makes one now.
    pub(crate) fn create(&self, engine: &Perihelion) -> Result<BackupMade, Failure> {
        let _turn = match self.making.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(at_it("this server")),
        };
        let backups = self.open().map_err(|error| failure(&error))?;
        let created = backups.create_if_free(engine, &mut |_| {}).map_err(|error| failure(&error))?;
        let created = created.ok_or_else(|| at_it("another process"))?;
        for file in &created.skipped {
            let file = file.display();
            tracing::warn!(%file, "not in the backup: it is no plain file, or its name is no text");
        }
        let manifest = created.manifest;
        let (memories, bytes) = (manifest.counts.memories, manifest.stored_bytes());
        Ok(BackupMade { name: manifest.name.to_string(), bytes, memories })
    }
}

fn info((name, manifest): Listed) -> BackupInfo {
    let manifest = manifest.inspect_err(|error| tracing::warn!(%error, "a backup is damaged")).ok();
    BackupInfo {
        at: name.time(),
        memories: manifest.as_ref().map(|manifest| manifest.counts.memories),
        bytes: manifest.as_ref().map(peri_backup::Manifest::stored_bytes),
        change: name.change(),
        before_restore: name.is_before_restore(),
        name: name.to_string(),
    }
}

fn failure(error: &BackupError) -> Failure {
    Failure { kind: error.kind(), detail: error.to_string(), hint: error.hint() }
}

fn at_it(who: &str) -> Failure {
    Failure {
        kind: ErrorKind::Conflict,
        detail: format!("{who} is making a backup already; nothing was begun"),
        hint: Some("wait until it is in the list of backups".to_owned()),
    }
}
