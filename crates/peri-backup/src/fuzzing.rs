//! What is read of a backup before any of it is believed, for the fuzz targets alone.

use crate::{BackupError, BackupName, Manifest};

/// A manifest, as found under a name.
pub fn manifest(name: &BackupName, bytes: &[u8]) -> Result<Manifest, BackupError> {
    Manifest::parse(name, bytes)
}

/// A manifest whose hash fits, as a forger would write it; none if the bytes are not one at all.
pub fn forged(bytes: &[u8]) -> Option<(BackupName, Vec<u8>)> {
    let manifest: Manifest = serde_json::from_slice(bytes).ok()?;
    let sealed = manifest.sealed();
    Some((sealed.name.clone(), sealed.to_bytes()))
}
