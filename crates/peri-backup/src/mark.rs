//! The mark of a restore that is under way.
//!
//! The database takes its new state at once, other files and notes after it. A kill in between leaves a mix, and the mark
//! with it: doctor tells of it, and so does the next restore, which finishes what was begun.

use std::path::{Path, PathBuf};

use perihelion::{Interrupted, Perihelion};

use crate::{BackupError, depot};

/// The mark, from the moment at which something is changed on.
pub(crate) struct Mark {
    path: PathBuf,
    /// The mark of an earlier restore that was interrupted, if there is one.
    before: Option<Interrupted>,
}

impl Mark {
    /// The place of the mark in a data folder, and what an earlier restore left there.
    pub(crate) fn of(engine: &Perihelion) -> Self {
        Self { path: engine.folder().join(Perihelion::RESTORING), before: engine.interrupted_restore() }
    }

    /// The restore that was interrupted before.
    pub(crate) fn before(&self) -> Option<&Interrupted> {
        self.before.as_ref()
    }

    /// Says that a restore is under way, durably.
    pub(crate) fn set(&self, restore: &Interrupted) -> Result<(), BackupError> {
        let failed = |source| BackupError::file(&self.path, "it cannot be written", source);
        let written = || -> std::io::Result<()> {
            let mut file = peri_private::create(&self.path)?;
            serde_json::to_writer(&mut file, restore)?;
            file.sync_all()
        };
        written().map_err(failed)?;
        self.settle()
    }

    /// Takes it back, because nothing was changed. What an earlier restore left is still so.
    pub(crate) fn take_back(&self) -> Result<(), BackupError> {
        match &self.before {
            Some(before) => self.set(before),
            None => self.clear(),
        }
    }

    /// Says that nothing is under way any more.
    pub(crate) fn clear(&self) -> Result<(), BackupError> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(BackupError::file(&self.path, "it cannot be removed", error))
            }
            _ => self.settle(),
        }
    }

    fn settle(&self) -> Result<(), BackupError> {
        self.path.parent().map_or(Ok(()), |folder: &Path| depot::flush_folder(folder))
    }
}
