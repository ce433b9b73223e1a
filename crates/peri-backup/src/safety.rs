//! The backup of what a restore replaces.

use peri_types::ChangeNumber;
use perihelion::Perihelion;

use crate::create::Kind;
use crate::fetch::Progress;
use crate::{BackupError, BackupName, Backups};

/// A backup in the data folder, made anew whenever somebody has written since. Nobody waits for it.
pub(crate) struct Safety<'a> {
    engine: &'a Perihelion,
    backups: Backups,
    /// What it is called, and up to which change it holds everything.
    made: Option<(BackupName, ChangeNumber)>,
}

impl<'a> Safety<'a> {
    /// Begins without one.
    pub(crate) fn new(engine: &'a Perihelion) -> Self {
        let key = engine.options().encryption.clone();
        Self { engine, backups: Backups::beside(engine.folder()).keyed(key), made: None }
    }

    /// Makes sure that there is one which holds everything up to a change.
    pub(crate) fn cover(&mut self, change: ChangeNumber, progress: Progress<'_>) -> Result<(), BackupError> {
        if self.covers(change) {
            return Ok(());
        }
        let manifest = self.backups.make(self.engine, Kind::BeforeRestore, progress)?.manifest;
        self.discard();
        self.made = Some((manifest.name, manifest.change));
        Ok(())
    }

    /// Whether there is one which holds everything up to a change.
    pub(crate) fn covers(&self, change: ChangeNumber) -> bool {
        self.made.as_ref().is_some_and(|(_, covered)| *covered >= change)
    }

    /// Removes it, because it is of no use.
    pub(crate) fn discard(&mut self) {
        if let Some((name, _)) = self.made.take()
            && let Err(error) = self.backups.depot.remove(&name)
        {
            tracing::warn!(%error, %name, "a backup that is not needed is left behind");
        }
    }

    /// What it is called, if there is one.
    pub(crate) fn into_name(self) -> Option<BackupName> {
        self.made.map(|(name, _)| name)
    }
}
