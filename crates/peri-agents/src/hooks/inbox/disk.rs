//! Files of an inbox, written durably.

use std::io::{self, Write as _};
use std::path::Path;

use super::error::InboxError;

/// How many folders above an inbox may be as new as it is.
const LEVELS_SYNCED: usize = 4;

/// Makes an inbox ready to be used, durably.
pub(super) fn prepare(folder: &Path, lock: &str) -> Result<(), InboxError> {
    let lock = folder.join(lock);
    // It is made last, so nothing is left to do once it is there.
    if lock.exists() {
        return Ok(());
    }
    create_folder(folder)?;
    // Whoever made the folders may have been broken off before their names were durable.
    for (level, above) in folder.ancestors().skip(1).take(LEVELS_SYNCED).enumerate() {
        match sync_folder(above) {
            // Folders far above may be closed to us; they are none of ours.
            Err(error) if level > 0 => tracing::debug!(folder = %above.display(), %error, "not made durable"),
            synced => synced?,
        }
    }
    let made = peri_private::file(&lock).write(true).truncate(false).create(true).open(&lock);
    made.map(drop).map_err(|error| InboxError::disk(&lock, "made", error))
}

/// Makes a folder and those above it, durably, if it is not there.
pub(super) fn create_folder(folder: &Path) -> Result<(), InboxError> {
    let is_missing = |above: &&Path| !above.as_os_str().is_empty() && !above.is_dir();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    for missing in missing.into_iter().rev() {
        peri_private::create_folder(missing).map_err(|error| InboxError::disk(missing, "made", error))?;
        missing.parent().map_or(Ok(()), sync_folder)?;
    }
    Ok(())
}

/// Writes a new file under one name and gives it the other when it is whole.
pub(super) fn write(folder: &Path, part: &str, name: &str, bytes: &[u8]) -> Result<(), InboxError> {
    let (part, path) = (folder.join(part), folder.join(name));
    let written = write_whole(&part, bytes).and_then(|()| std::fs::rename(&part, &path));
    if let Err(error) = written {
        if let Err(error) = std::fs::remove_file(&part) {
            tracing::debug!(path = %part.display(), %error, "a part of a call stays behind");
        }
        return Err(InboxError::disk(&path, "written", error));
    }
    sync_folder(folder)
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = peri_private::file(path).write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(folder: &Path) -> Result<(), InboxError> {
    peri_private::flush_folder(folder).map_err(|error| InboxError::disk(folder, "made durable", error))
}

/// The names in a folder that are text; none if it is not there.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, InboxError> {
    let reading = |error: io::Error| InboxError::disk(folder, "listed", error);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(reading(error)),
    };
    let names = entries.map(|entry| Ok(entry.map_err(reading)?.file_name().into_string().ok()));
    names.filter_map(Result::transpose).collect()
}
