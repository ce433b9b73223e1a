//! Calls of hooks that wait to be worked off.
//!
//! A hook has no time: it puts what it was told here, durably, and is gone. Whoever has time takes the [`Claim`] and works
//! the calls off, one process at a time, in the order in which they were made.
//!
//! ```text
//! 001763314200123456789-000000-000004d2-9f…1c.json   a call, named by its time
//! ….part                                             a call that is being written
//! aside/                                             what can never be done, with why beside it
//! lock                                               held by whoever works calls off
//! ```

mod claim;
mod disk;
mod error;
mod id;

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

pub use claim::{Claim, Left};
pub use error::InboxError;
pub use id::CallId;

use peri_seal::{Purpose, Seal};

use super::call::Call;

/// No more calls than these wait.
pub const CALLS_MAX: usize = 10_000;
/// No call is longer than this when it is written, in bytes.
const CALL_BYTES_MAX: usize = 16 << 20;
/// What sealing adds at most.
const SEAL_BYTES_MAX: usize = 1024;
const LOCK: &str = "lock";
const ASIDE: &str = "aside";

/// The folder in which calls wait. Any number of processes may use the same one.
#[derive(Debug, Clone)]
pub struct Inbox {
    folder: PathBuf,
    calls_max: usize,
    seal: Seal,
}

impl Inbox {
    /// The inbox in a folder, which is made when something is put into it.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), calls_max: CALLS_MAX, seal: Seal::default() }
    }

    /// The same, with calls that are sealed when they are kept; those that are there are read either way.
    #[must_use]
    pub fn sealed(self, seal: Seal) -> Self {
        Self { seal, ..self }
    }

    /// The same, but full with fewer calls.
    #[must_use]
    pub fn holding(self, calls_max: usize) -> Self {
        Self { calls_max: calls_max.min(CALLS_MAX), ..self }
    }

    /// Keeps a call. Once this answers, the call is not lost, whatever happens to the process or to the power.
    pub fn put(&self, call: &Call) -> Result<CallId, InboxError> {
        let waiting = self.len()?;
        if waiting >= self.calls_max {
            return Err(InboxError::Full { folder: self.folder.clone(), waiting });
        }
        let bytes =
            serde_json::to_vec(call).map_err(|error| InboxError::Unwritable { detail: error.to_string() })?;
        if bytes.len() > CALL_BYTES_MAX {
            let detail = format!("it takes {} bytes, and {CALL_BYTES_MAX} are allowed", bytes.len());
            return Err(InboxError::Unwritable { detail });
        }
        let bytes = self
            .seal
            .seal(Purpose::Hook, bytes)
            .map_err(|error| InboxError::Unwritable { detail: error.to_string() })?;
        disk::prepare(&self.folder, LOCK)?;
        let id = CallId::new(call.at, next_number());
        disk::write(&self.folder, &id.part_name(), &id.file_name(), &bytes)?;
        Ok(id)
    }

    /// Takes the right to work calls off. None if another process has it, or if nothing was ever put here: then there is
    /// nothing to do. Whoever is killed gives it back.
    pub fn claim(&self) -> Result<Option<Claim>, InboxError> {
        if !self.folder.is_dir() {
            return Ok(None);
        }
        disk::prepare(&self.folder, LOCK)?;
        let path = self.folder.join(LOCK);
        let lock = peri_private::file(&path).write(true).open(&path);
        let lock = lock.map_err(|error| InboxError::disk(&path, "opened", error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Claim::new(self.folder.clone(), lock, self.seal.clone()))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(InboxError::disk(&path, "locked", error)),
        }
    }

    /// How many calls wait.
    pub fn len(&self) -> Result<usize, InboxError> {
        Ok(calls_in(&self.folder)?.len())
    }

    /// Whether no call waits.
    pub fn is_empty(&self) -> Result<bool, InboxError> {
        Ok(self.len()? == 0)
    }

    /// How many calls were put aside.
    pub fn aside_len(&self) -> Result<usize, InboxError> {
        let names = disk::names(&self.folder.join(ASIDE))?;
        Ok(names.iter().filter(|name| !name.ends_with(claim::WHY)).count())
    }
}

/// The calls that wait in a folder, in no order.
fn calls_in(folder: &Path) -> Result<Vec<CallId>, InboxError> {
    Ok(disk::names(folder)?.iter().filter_map(|name| CallId::of_file(name)).collect())
}

/// Counts the calls of this process, so that those of one moment stay in order.
fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed) % 1_000_000
}
