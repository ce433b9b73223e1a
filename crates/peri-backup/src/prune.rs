//! Removing backups that are not kept.

use jiff::SignedDuration;
use peri_types::Timestamp;
use serde::Serialize;

use crate::{BackupError, BackupName, Backups, Retention, to_remove};

/// An unfinished backup may still be under way somewhere until it is so old.
const UNFINISHED_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// What was removed, or would be.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    /// Whole backups that were not kept.
    pub removed: Vec<BackupName>,
    /// Backups that were never finished.
    pub unfinished: Vec<BackupName>,
    /// Backups whose manifest cannot be read: they are left for somebody to look at, and count for nothing.
    pub damaged: Vec<BackupName>,
    /// Backups that are kept.
    pub kept: Vec<BackupName>,
}

impl Backups {
    /// Tells what pruning would do.
    pub fn plan(&self, retention: &Retention, now: Timestamp) -> Result<Pruned, BackupError> {
        if !retention.keeps_something() {
            return Err(BackupError::NothingKept);
        }
        let mut pruned = Pruned::default();
        let mut whole = Vec::new();
        for held in self.depot.held()? {
            if !held.finished {
                if now.duration_since(held.name.time()) >= UNFINISHED_AFTER {
                    pruned.unfinished.push(held.name);
                }
                continue;
            }
            match self.manifest(&held.name) {
                Ok(_) => whole.push(held.name),
                Err(BackupError::Damaged { .. } | BackupError::TooNew { .. }) => {
                    pruned.damaged.push(held.name)
                }
                Err(error) => return Err(error),
            }
        }
        pruned.removed = to_remove(&whole, retention, now);
        pruned.kept = whole.into_iter().filter(|name| !pruned.removed.contains(name)).collect();
        Ok(pruned)
    }

    /// Removes the backups that are not kept, and those that were never finished.
    pub fn prune(&self, retention: &Retention, now: Timestamp) -> Result<Pruned, BackupError> {
        let pruned = self.plan(retention, now)?;
        for name in pruned.removed.iter().chain(&pruned.unfinished) {
            self.depot.remove(name)?;
        }
        Ok(pruned)
    }
}
