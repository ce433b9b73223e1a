//! Moving a data folder from plain to encrypted, to another key, or back.
//!
//! The store goes first, as one step (`peri_store::rekey`); then notes, and the files that hold what memories say.
//! Each of these steps can be made again, and a mark in the folder tells that they are not all done: whoever was
//! killed runs the same command again. Between the steps everything can be used, with the key that the store has.

mod files;
mod notes;

use std::path::{Path, PathBuf};

use peri_queue::Queues;
use peri_seal::{Key, Seal};
use peri_store::{Rekeyed, Rekeying, SqliteSettings, SqliteStore, StoreError};
use serde::{Deserialize, Serialize};

use crate::notes::NotesPlace;
use crate::{Error, Perihelion, queue};

/// Tells that a move to another key is not finished.
const MARK: &str = "encryption.unfinished";
const MARK_FORMAT: u32 = 1;

/// From which key to which a data folder is moved.
#[derive(Debug, Clone)]
pub struct Reencryption {
    /// The data folder.
    pub folder: PathBuf,
    /// The key that it has; none if it is plain.
    pub from: Option<Key>,
    /// The key that it is to have; none if it is to be plain.
    pub to: Option<Key>,
    /// Where notes are kept. Where that is left to the engine they go along: into the store that is encrypted, and back
    /// into files.
    pub notes: NotesPlace,
}

/// A data folder that was moved to another key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reencrypted {
    /// What was moved of the store; none if an earlier run that was broken off had done so.
    pub store: Option<Rekeyed>,
    /// Documents and lines of notes that were moved into the store or out of it.
    pub notes: u64,
    /// Files beside the store that were sealed or opened.
    pub files: u64,
    /// What lies in the folder as it did before, and why.
    pub left: Vec<LeftAsItWas>,
}

/// Something that a move to another key leaves as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftAsItWas {
    /// Where it is.
    pub path: PathBuf,
    /// What it is, and what to know about it.
    pub what: &'static str,
}

#[derive(Serialize, Deserialize)]
struct Mark {
    format: u32,
    to: String,
}

/// Moves a data folder to another key. Refuses while other processes have it open, or while writes wait in its queue.
/// Nothing of what was there goes before what takes its place is on the disk and was read back.
///
/// # Errors [`Error::Store`] with [`StoreError::InUse`] if others have it open, and with what is wrong with the key;
/// [`Error::WritesWait`] if writes wait; [`Error::Record`] if a file cannot be read or written. What was done stays
/// done, and the same call goes on from there.
pub fn reencrypt(request: &Reencryption) -> Result<Reencrypted, Error> {
    let (folder, path) = (&request.folder, request.folder.join(Perihelion::DATABASE));
    refuse_queued(folder)?;
    let store = if opens(&path, request.to.as_ref()) {
        // An earlier run got so far.
        put_mark(folder, request)?;
        None
    } else {
        let was_marked = is_unfinished(folder)?;
        put_mark(folder, request)?;
        let (from, to) = (request.from.clone(), request.to.clone());
        let moved = peri_store::rekey(&Rekeying { path: path.clone(), from, to });
        if moved.is_err() && !was_marked {
            remove_mark(folder)?;
        }
        Some(moved?)
    };
    let notes = notes::carry(request)?;
    let seals = (Seal::new(request.from.clone()), Seal::new(request.to.clone()));
    let held = peri_store::hold_alone(&path, request.to.as_ref())?;
    let files = files::convert(folder, &seals.0, &seals.1)?;
    drop(held);
    remove_mark(folder)?;
    Ok(Reencrypted { store, notes, files, left: files::left(request) })
}

/// Whether a data folder is encrypted, as far as can be told without its key.
pub fn is_encrypted(folder: &Path) -> bool {
    peri_store::is_hinted_encrypted(&folder.join(Perihelion::DATABASE))
}

/// Whether a move of a data folder to another key is not finished.
///
/// # Errors
/// [`Error::Record`] if the disk cannot say.
pub fn is_unfinished(folder: &Path) -> Result<bool, Error> {
    let path = folder.join(MARK);
    peri_private::is_there(&path).map_err(|source| Error::Record { path, source })
}

fn opens(path: &Path, key: Option<&Key>) -> bool {
    let settings = SqliteSettings { key: key.cloned(), ..SqliteSettings::default() };
    path.is_file() && SqliteStore::open(path, &settings).is_ok()
}

/// What waits in the queue was written before, and would be read by nobody after; so nothing may.
fn refuse_queued(folder: &Path) -> Result<(), Error> {
    let root = folder.join(queue::FOLDER);
    if !peri_private::is_folder(&root).map_err(|source| Error::Record { path: root.clone(), source })? {
        return Ok(());
    }
    let (_, _, stats) = Queues::new(&root, peri_queue::QueueSettings::default()).look(0)?;
    match stats.depth + stats.dead + stats.damaged {
        0 => Ok(()),
        writes => Err(Error::WritesWait { writes, folder: root }),
    }
}

fn put_mark(folder: &Path, request: &Reencryption) -> Result<(), Error> {
    let path = folder.join(MARK);
    let to = if request.to.is_some() { "encrypted" } else { "plain" }.to_owned();
    let written = serde_json::to_vec(&Mark { format: MARK_FORMAT, to })
        .map_err(std::io::Error::from)
        .and_then(|bytes| peri_private::write(&path, &bytes))
        .and_then(|()| peri_private::open(&path)?.sync_all());
    written.map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            let detail = "there is no such folder".to_owned();
            Error::Store(StoreError::CannotOpen { path: folder.to_owned(), detail })
        }
        _ => Error::Record { path, source },
    })
}

fn remove_mark(folder: &Path) -> Result<(), Error> {
    let path = folder.join(MARK);
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::Record { path, source }),
        _ => Ok(()),
    }
}
