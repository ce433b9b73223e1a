//! Whether something is there; a disk that cannot say so is an error of the backup.

use std::path::Path;

use crate::BackupError;

pub(crate) fn is_there(path: &Path) -> Result<bool, BackupError> {
    told(path, peri_private::is_there(path))
}

pub(crate) fn is_file(path: &Path) -> Result<bool, BackupError> {
    told(path, peri_private::is_file(path))
}

pub(crate) fn is_folder(path: &Path) -> Result<bool, BackupError> {
    told(path, peri_private::is_folder(path))
}

fn told(path: &Path, found: std::io::Result<bool>) -> Result<bool, BackupError> {
    found.map_err(|source| BackupError::file(path, "it cannot be looked at", source))
}
