//! The right to work calls off, which one process has at a time.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use peri_seal::{Purpose, Seal};

use super::error::InboxError;
use super::{ASIDE, CALL_BYTES_MAX, CallId, LOCK, SEAL_BYTES_MAX, calls_in, disk};
use crate::hooks::call::{Call, WrittenVersion};

/// How the name ends of the file that says why something was put aside.
pub(super) const WHY: &str = ".why";
/// Nobody writes a call for longer than this.
const PART_AGE_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Whether calls came while the last one was worked off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// None did.
    Nothing,
    /// Some did, and whoever put them may have left because the inbox was claimed. Claim it again.
    Calls,
}

/// The right to work calls off. Held until it is dropped, or the process is no more.
#[derive(Debug)]
pub struct Claim {
    folder: PathBuf,
    _lock: File,
    seal: Seal,
    waiting: VecDeque<CallId>,
    given: HashSet<CallId>,
}

/// What a file holds.
enum Found {
    Call(Box<Call>),
    /// Nothing any more.
    Gone,
    /// What only a later version understands.
    Newer,
    /// Nothing that was ever a call.
    Damaged(String),
}

impl Claim {
    pub(super) fn new(folder: PathBuf, lock: File, seal: Seal) -> Self {
        Self { folder, _lock: lock, seal, waiting: VecDeque::new(), given: HashSet::new() }
    }

    /// The next call, the earliest first; none if all were given. Each is given once to a claim: say whether it is
    /// [`done`](Self::done), or the next claim is given it again. What is no call is put aside.
    pub fn next_call(&mut self) -> Result<Option<(CallId, Call)>, InboxError> {
        loop {
            if self.waiting.is_empty() {
                self.look()?;
            }
            let Some(id) = self.waiting.pop_front() else { return Ok(None) };
            self.given.insert(id.clone());
            match self.read(&id) {
                Ok(Found::Call(call)) => return Ok(Some((id, *call))),
                Ok(Found::Gone) => {}
                Ok(Found::Newer) => {
                    tracing::warn!(call = %id, "a call waits for a newer version of Perihelion")
                }
                Ok(Found::Damaged(why)) => self.put_aside_or_leave(&id.file_name(), &why),
                Err(error) => {
                    tracing::warn!(call = %id, %error, "a call cannot be read now and stays where it is")
                }
            }
        }
    }

    /// Removes a call durably: it never comes back.
    pub fn done(&mut self, id: &CallId) -> Result<(), InboxError> {
        let path = self.folder.join(id.file_name());
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(InboxError::disk(&path, "removed", error))
            }
            _ => disk::sync_folder(&self.folder),
        }
    }

    /// Puts a call aside that can never be done, with the reason.
    pub fn aside(&mut self, id: &CallId, why: &str) -> Result<(), InboxError> {
        self.put_aside(&id.file_name(), why)
    }

    /// Gives the right back and looks whether calls came in the meantime.
    pub fn close(self) -> Result<Left, InboxError> {
        let Self { folder, _lock, given, .. } = self;
        drop(_lock);
        let left = calls_in(&folder)?.into_iter().any(|id| !given.contains(&id));
        Ok(if left { Left::Calls } else { Left::Nothing })
    }

    /// Finds what waits and was not given yet, and tidies the folder.
    fn look(&mut self) -> Result<(), InboxError> {
        let mut found = Vec::new();
        for name in disk::names(&self.folder)? {
            match CallId::of_file(&name) {
                Some(id) if self.given.contains(&id) => {}
                Some(id) => found.push(id),
                None if CallId::is_part(&name) => self.sweep(&name),
                None if name == LOCK || name == ASIDE || name.starts_with('.') => {}
                None => self.put_aside_or_leave(&name, "it is not the call of a hook"),
            }
        }
        found.sort();
        self.waiting = found.into();
        Ok(())
    }

    fn read(&self, id: &CallId) -> Result<Found, InboxError> {
        let path = self.folder.join(id.file_name());
        let reading = |error| InboxError::disk(&path, "read", error);
        let mut bytes = Vec::new();
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Gone),
            Err(error) => return Err(reading(error)),
            Ok(metadata) if !metadata.is_file() => return Ok(Found::Damaged("it is not a file".to_owned())),
            Ok(_) => {}
        }
        let file = peri_private::open(&path).map_err(reading)?;
        let most = CALL_BYTES_MAX + SEAL_BYTES_MAX;
        file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(reading)?;
        // What is sealed under a key that is not here is not damaged, and waits for it.
        let bytes = self.seal.open(Purpose::Hook, bytes).map_err(|error| reading(error.into()))?;
        if bytes.len() > CALL_BYTES_MAX {
            return Ok(Found::Damaged(format!("it is longer than {CALL_BYTES_MAX} bytes")));
        }
        let version = serde_json::from_slice::<WrittenVersion>(&bytes);
        if version.is_ok_and(|written| written.version > Call::VERSION) {
            return Ok(Found::Newer);
        }
        Ok(match serde_json::from_slice(&bytes) {
            Ok(call) => Found::Call(Box::new(call)),
            Err(error) => Found::Damaged(format!("it is damaged: {error}")),
        })
    }

    /// Removes what somebody began to write long ago. It was never acknowledged.
    fn sweep(&self, name: &str) {
        let path = self.folder.join(name);
        let age = path.metadata().and_then(|metadata| metadata.modified());
        let is_old =
            age.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > PART_AGE_MAX));
        if is_old && let Err(error) = std::fs::remove_file(&path) {
            tracing::debug!(path = %path.display(), %error, "a part of a call stays behind");
        }
    }

    /// Nothing that lies in the way may hold the others up.
    fn put_aside_or_leave(&self, name: &str, why: &str) {
        match self.put_aside(name, why) {
            Ok(()) => tracing::warn!(name, why, "a file in the inbox of hooks was put aside"),
            Err(error) => tracing::warn!(name, why, %error, "a file in the inbox of hooks stays in the way"),
        }
    }

    fn put_aside(&self, name: &str, why: &str) -> Result<(), InboxError> {
        let from = self.folder.join(name);
        if from.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(());
        }
        let folder = self.folder.join(ASIDE);
        disk::create_folder(&folder)?;
        let mut target = name.to_owned();
        for number in 1.. {
            let place = folder.join(&target);
            if !peri_private::is_taken(&place)
                .map_err(|error| InboxError::disk(&place, "looked at", error))?
            {
                break;
            }
            target = format!("{number}-{name}");
        }
        // Whoever is broken off before the file follows leaves a reason that the next one replaces.
        let reason = format!("{target}{WHY}");
        let part = format!("{reason}.part");
        if let Err(error) = std::fs::remove_file(folder.join(&part))
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(InboxError::disk(&folder.join(&part), "removed", error));
        }
        disk::write(&folder, &part, &reason, format!("{why}\n").as_bytes())?;
        std::fs::rename(&from, folder.join(&target))
            .map_err(|error| InboxError::disk(&from, "put aside", error))?;
        disk::sync_folder(&folder)?;
        disk::sync_folder(&self.folder)
    }
}
