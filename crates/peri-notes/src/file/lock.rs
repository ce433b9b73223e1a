//! The lock of a namespace's folder, between processes and between threads.

use std::fs::{File, TryLockError};
use std::path::Path;
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
        let file = file.map_err(|error| ShelfError::writing(&path, &error))?;
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
