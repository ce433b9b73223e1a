//! Manifests of backups.

use peri_backup::{BackupName, fuzzing};

use crate::given::{self, is_for_people, stays_as_text};

/// Manifests, also such as a forger would write: every file lies inside the data folder, sizes can be told, and what was changed
/// after it was written is refused.
pub(crate) fn manifest(data: &[u8]) {
    stays_as_text::<BackupName>(&given::text(data));
    let plain: BackupName = BackupName::new(super::desk::now(), peri_types::ChangeNumber(7));
    if let Err(error) = fuzzing::manifest(&plain, data) {
        is_for_people(&error);
    }
    let Some((name, sealed)) = fuzzing::forged(data) else { return };
    match fuzzing::manifest(&name, &sealed) {
        Ok(manifest) => {
            for file in &manifest.files {
                let parts: Vec<_> = file.path.split(['/', '\\']).collect();
                assert!(!parts.contains(&"..") && !file.path.starts_with('/'), "{:?}", file.path);
            }
            assert!(manifest.bytes() >= manifest.files.iter().map(|file| file.size).max().unwrap_or(0));
            assert!(
                manifest.stored_bytes()
                    >= manifest.files.iter().map(|file| file.stored_size).max().unwrap_or(0)
            );
        }
        Err(error) => is_for_people(&error),
    }
}
