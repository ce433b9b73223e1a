//! How much room there is on the disk.

use std::path::Path;

/// With less room than this no further write can wait: one record may take as much.
const FULL_BYTES: u64 = 1024 * 1024;

/// Bytes that are free on the disk of a folder, or of the nearest one above that exists; none if that cannot be told.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    folder.ancestors().find(|folder| folder.exists()).and_then(free_bytes_at)
}

/// Whether the disk of a folder is full; none if that cannot be told.
pub(crate) fn is_full(folder: &Path) -> Option<bool> {
    free_bytes(folder).map(|free| free < FULL_BYTES)
}

#[cfg(unix)]
fn free_bytes_at(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes_at(_: &Path) -> Option<u64> {
    None
}
