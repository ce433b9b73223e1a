//! The lock of a namespace's folder, between processes and between threads.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use peri_types::patience;

use super::disk::private_file;
use crate::ShelfError;

const NAME: &str = "lock";
/// The first wait; each further one is twice as long...
const PAUSE_MIN: Duration = Duration::from_micros(200);
/// ...but never longer than this.
const PAUSE_MAX: Duration = Duration::from_millis(10);

/// Held until it is dropped.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock, but not for ever.
    pub(super) fn take(folder: &Path, wait: Duration) -> Result<Self, ShelfError> {
        let path = folder.join(NAME);
        let file = private_file(&path).write(true).truncate(false).open(&path);
        Self::wait_for(file.map_err(|error| ShelfError::writing(&path, &error))?, path, wait)
    }

    /// The same for who only reads: a lock that is there is waited for, whether it can be written or not. None: there is
    /// none and none can be made, so that nobody is changing anything.
    pub(super) fn take_to_read(folder: &Path, wait: Duration) -> Result<Option<Self>, ShelfError> {
        let path = folder.join(NAME);
        let opened = match private_file(&path).write(true).truncate(false).open(&path) {
            Err(error) if is_refused(&error) => peri_private::open(&path),
            opened => opened,
        };
        match opened {
            Ok(file) => Self::wait_for(file, path, wait).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ShelfError::reading(&path, &error)),
        }
    }

    fn wait_for(file: File, path: PathBuf, wait: Duration) -> Result<Self, ShelfError> {
        let begun = Instant::now();
        let mut pause = PAUSE_MIN;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(ShelfError::writing(&path, &error)),
                Err(TryLockError::WouldBlock) => {}
            }
            let left = wait.saturating_sub(begun.elapsed());
            if left.is_zero() {
                patience::spend(begun.elapsed());
                return Err(ShelfError::Busy { path });
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }
}

/// Whether a file cannot be made or opened for writing where it could still be read.
fn is_refused(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
    )
}
