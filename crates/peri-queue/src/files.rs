//! The files of one queue, and how they are written so that a power cut loses nothing that was promised.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::QueueError;
use crate::record::NUMBER_MAX;

/// Held by the process whose queue it is.
const LOCK: &str = "lock";
/// Dead letters.
pub(crate) const DEAD: &str = "dead.jsonl";
/// Lines that could not be read.
pub(crate) const DAMAGED: &str = "damaged.jsonl";
/// How the first record fares.
pub(crate) const STATE: &str = "state.json";

/// The file of a segment.
pub(crate) fn segment(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:08}.jsonl"))
}

/// What of a segment is done.
pub(crate) fn done(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:08}.done"))
}

/// The segments of a folder, in their order.
pub(crate) fn segments(folder: &Path) -> Result<Vec<u64>, QueueError> {
    numbered(folder, "jsonl")
}

/// The segments of which something is marked as done.
pub(crate) fn marked(folder: &Path) -> Result<Vec<u64>, QueueError> {
    numbered(folder, "done")
}

fn numbered(folder: &Path, extension: &str) -> Result<Vec<u64>, QueueError> {
    let reading = |error: std::io::Error| QueueError::reading(folder, &error);
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if path.extension().is_some_and(|own| own == extension)
            && let Some(number) =
                stem.and_then(|stem| stem.parse().ok()).filter(|number| *number <= NUMBER_MAX)
        {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Appends a line and returns when it is on the disk. A line that could not be written whole is taken back.
pub(crate) fn append(path: &Path, line: &[u8]) -> Result<(), QueueError> {
    let writing = |error: std::io::Error| QueueError::writing(path, &error);
    let is_new = !path.exists();
    let mut file = peri_private::file(path).create(true).append(true).open(path).map_err(writing)?;
    let before = file.metadata().map_err(writing)?.len();
    if let Err(error) = file.write_all(line).and_then(|()| file.sync_data()) {
        if let Err(error) = file.set_len(before) {
            tracing::warn!(%error, path = %path.display(), "half a line could not be taken back");
        }
        return Err(writing(error));
    }
    if is_new { sync_parent(path) } else { Ok(()) }
}

/// Puts a file in the place of another, whole or not at all.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), QueueError> {
    let writing = |error: std::io::Error| QueueError::writing(path, &error);
    let aside = path.with_extension("new");
    let mut file = peri_private::create(&aside).map_err(writing)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(writing)?;
    std::fs::rename(&aside, path).map_err(writing)?;
    sync_parent(path)
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), QueueError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(QueueError::writing(path, &error)),
        _ => Ok(()),
    }
}

/// What a file holds; nothing if there is none.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, QueueError> {
    match peri_private::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(QueueError::reading(path, &error)),
    }
}

/// Makes the names in the folder of a file durable.
pub(crate) fn sync_parent(path: &Path) -> Result<(), QueueError> {
    path.parent().map_or(Ok(()), sync_folder)
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), QueueError> {
    peri_private::flush_folder(folder).map_err(|error| QueueError::writing(folder, &error))
}

/// Creates the folder of a new queue and locks it.
pub(crate) fn create(root: &Path, name: &str) -> Result<(PathBuf, File), QueueError> {
    let (aside, folder) = (root.join(format!(".{name}")), root.join(name));
    let writing = |error: std::io::Error| QueueError::writing(&folder, &error);
    peri_private::create_folder(&aside).map_err(writing)?;
    // Nobody takes over what has no name yet.
    let lock = peri_private::create(&aside.join(LOCK)).map_err(writing)?;
    lock.lock().map_err(writing)?;
    std::fs::rename(&aside, &folder).map_err(writing)?;
    sync_folder(root)?;
    if let Some(above) = root.parent() {
        sync_folder(above)?;
    }
    Ok((folder, lock))
}

/// Locks the folder of a queue whose process is gone; none if it is not, or if somebody was faster.
pub(crate) fn take_over(folder: &Path) -> Result<Option<File>, QueueError> {
    let path = folder.join(LOCK);
    // A queue without its lock is taken over all the same; one that is being removed holds nothing any more.
    let create = !path.exists();
    if create && !holds_something(folder) {
        return Ok(None);
    }
    let lock = peri_private::file(&path).write(true).create(create).truncate(false).open(&path);
    let lock = lock.map_err(|error| QueueError::writing(&path, &error))?;
    match lock.try_lock() {
        // Whoever had it may have removed it meanwhile.
        Ok(()) if path.exists() => Ok(Some(lock)),
        Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(QueueError::writing(&path, &error)),
    }
}

fn holds_something(folder: &Path) -> bool {
    segments(folder).is_ok_and(|segments| !segments.is_empty())
        || [DEAD, DAMAGED].iter().any(|name| folder.join(name).exists())
}

/// Removes the folder of a queue that holds nothing any more, while its lock is held.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), QueueError> {
    remove(&folder.join(STATE))?;
    remove(&folder.join(LOCK))?;
    std::fs::remove_dir(folder).map_err(|error| QueueError::writing(folder, &error))
}

/// The folders of queues below a root, the oldest first.
pub(crate) fn folders(root: &Path) -> Result<Vec<PathBuf>, QueueError> {
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(QueueError::reading(root, &error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| QueueError::reading(root, &error))?.path();
        let hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        let reading = |error| QueueError::reading(&path, &error);
        if !hidden && peri_private::is_folder(&path).map_err(reading)? {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
