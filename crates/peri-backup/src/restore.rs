//! Bringing a backup back.
//!
//! Nothing is swapped under running processes: the database's contents are replaced in one transaction, so that a kill
//! at any time leaves the old state or the new one. Notes are brought back session by session, and join those that are
//! here unless they may be replaced. Other files are written where there are none, and calls that waited wait again. A
//! kill between the database and the rest leaves a mark, and the same restore again finishes it.

use std::path::{Path, PathBuf};

use peri_store::{Replaced, Replacement, StoreError};
use peri_types::ChangeNumber;
use perihelion::{BringBack, Interrupted, Perihelion};
use serde::Serialize;

use crate::depot::free_bytes;
use crate::fetch::Progress;
use crate::manifest::{self, DATABASE};
use crate::mark::Mark;
use crate::safety::Safety;
use crate::verify::{self, Depth};
use crate::work::WorkFolder;
use crate::{BackupError, BackupName, Backups, FOLDER, Manifest, files, look, loss, notes, queue};

/// How often it is tried to be ready before somebody else writes again.
const TRIES: u32 = 5;

/// Whether what is here may be replaced although the backup does not hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// Yes.
    Allowed,
    /// No.
    Refused,
}

/// Whether what is here is backed up before it is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SafetyBackup {
    /// Yes, to the folder `backups` of the data folder.
    Made,
    /// No.
    Skipped,
}

/// How to restore.
#[derive(Debug, Clone, Copy)]
pub struct Restore {
    /// Whether what is here may be replaced.
    pub overwrite: Overwrite,
    /// Whether it is backed up before.
    pub safety: SafetyBackup,
}

/// What a restore did.
#[derive(Debug, Serialize)]
pub struct Restored {
    /// Which backup.
    pub name: BackupName,
    /// Memories that are here now, those in the trash included.
    pub memories: u64,
    /// Memories that were here and are not in the backup.
    pub gone: u64,
    /// The store's last change now.
    pub change: ChangeNumber,
    /// The backup of what was here before, if there was something to lose.
    pub safety_backup: Option<BackupName>,
    /// Other files that were written, and sessions whose notes were.
    pub written: Vec<String>,
    /// Other files that are here and different, and were left as they are, and sessions whose notes were only added to.
    pub kept: Vec<String>,
    /// The backup whose restore was interrupted here before, if one was. This one took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<String>,
}

/// A backup that was fetched and found whole, ready to be restored into an engine's data folder.
pub struct Prepared<'a> {
    engine: &'a Perihelion,
    manifest: Manifest,
    /// The database, and the other files by their paths. They lie in the work folder.
    copy: PathBuf,
    others: Vec<(String, PathBuf)>,
    /// The files of notes likewise.
    notes: Vec<(String, PathBuf)>,
    /// Those of calls that waited.
    queues: Vec<(String, PathBuf)>,
    work: WorkFolder,
}

impl Backups {
    /// Restores a backup into an engine's data folder, which may be empty, and which others may have open.
    pub fn restore(
        &self,
        name: &BackupName,
        engine: &Perihelion,
        how: Restore,
        progress: Progress<'_>,
    ) -> Result<Restored, BackupError> {
        self.prepare(name, engine, progress)?.apply(how, progress)
    }

    /// Fetches a backup that is to be restored. Nothing is changed yet.
    pub fn prepare<'a>(
        &self,
        name: &BackupName,
        engine: &'a Perihelion,
        progress: Progress<'_>,
    ) -> Result<Prepared<'a>, BackupError> {
        let manifest = self.manifest(name)?;
        self.check_key(&manifest)?;
        if !manifest.encrypted && engine.seal().is_on() {
            return Err(BackupError::Plain { name: manifest.name.to_string() });
        }
        let here = engine.folder().join(FOLDER);
        check_room(&manifest, &here)?;
        let work = WorkFolder::create(&here)?;
        let copy = work.file("restored.db");
        self.fetch(name, manifest.database()?, &copy, progress)?;
        if let Some(problem) =
            verify::look(&manifest, &copy, Depth::Quick, self.key.as_ref()).into_iter().next()
        {
            return Err(manifest::damaged(name, problem));
        }
        let others = self.fetch_others(&manifest, &work, progress)?;
        let (notes, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(path, _)| notes::is_part(path));
        let (queues, others) = others.into_iter().partition(|(path, _)| queue::is_part(path));
        Ok(Prepared { engine, manifest, copy, others, notes, queues, work })
    }

    /// The files besides the database, whole, in the work folder.
    pub(crate) fn fetch_others(
        &self,
        manifest: &Manifest,
        work: &WorkFolder,
        progress: Progress<'_>,
    ) -> Result<Vec<(String, PathBuf)>, BackupError> {
        let mut fetched = Vec::new();
        // Earlier releases took locks along, which are of no use.
        let wanted = manifest.files.iter().filter(|file| file.path != DATABASE && files::belongs(&file.path));
        for (number, file) in wanted.enumerate() {
            let to = work.file(&format!("{number}.file"));
            self.fetch(&manifest.name, file, &to, progress)?;
            fetched.push((file.path.clone(), to));
        }
        Ok(fetched)
    }
}

impl Prepared<'_> {
    /// Puts another text in the place of a file that is to be restored, such as settings that must not hold where it
    /// is restored to. Whether there was something to change is the answer.
    pub fn rewrite(&self, path: &str, change: &dyn Fn(&str) -> Option<String>) -> Result<bool, BackupError> {
        let Some((_, file)) = self.others.iter().find(|(own, _)| own == path) else { return Ok(false) };
        let failed = |source| BackupError::file(file, "it cannot be changed", source);
        let bytes = peri_private::read(file).map_err(failed)?;
        let Some(changed) = std::str::from_utf8(&bytes).ok().and_then(change) else { return Ok(false) };
        std::fs::write(file, changed).map_err(failed)?;
        Ok(true)
    }

    /// Restores it. If that is refused it can be tried again in another way, without fetching anything twice.
    pub fn apply(&self, how: Restore, progress: Progress<'_>) -> Result<Restored, BackupError> {
        let mut safety = Safety::new(self.engine);
        let mark = Mark::of(self.engine);
        for _ in 0..TRIES {
            let Some(replaced) = self.replace(how, &mark, &mut safety, progress)? else { continue };
            let (written, kept) = self.put_rest(how)?;
            mark.clear()?;
            return Ok(Restored {
                name: self.manifest.name.clone(),
                memories: replaced.memories,
                gone: replaced.gone,
                change: replaced.change,
                safety_backup: safety.into_name(),
                written,
                kept,
                interrupted: mark.before().map(|before| before.backup.clone()),
            });
        }
        safety.discard();
        Err(BackupError::Overtaken)
    }

    /// Writes everything but the database: what was written, and what was left as it is.
    fn put_rest(&self, how: Restore) -> Result<(Vec<String>, Vec<String>), BackupError> {
        let data = self.engine.folder();
        let (mut written, mut kept) = put_others(data, &self.others, how.overwrite)?;
        written.extend(queue::bring_back(data, &self.queues, self.engine.options().clock.now())?);
        let bring_back = match how.overwrite {
            Overwrite::Allowed => BringBack::Replacing,
            Overwrite::Refused => BringBack::Adding,
        };
        let brought = notes::bring_back(self.engine, &self.work, &self.notes, bring_back)?;
        written.extend(brought.written);
        kept.extend(brought.joined);
        Ok((written, kept))
    }

    /// Gets ready while others write, and replaces what is here if nobody has written since. `None`: somebody has.
    fn replace(
        &self,
        how: Restore,
        mark: &Mark,
        safety: &mut Safety<'_>,
        progress: Progress<'_>,
    ) -> Result<Option<Replaced>, BackupError> {
        let before = self.engine.store_facts()?;
        let moved_on = loss::has_moved_on(&before, &self.copy, self.engine.options().encryption.as_ref())?;
        if moved_on && how.overwrite == Overwrite::Refused {
            let loss = loss::compare(self.engine, &self.copy)?;
            if !loss.is_none() {
                let name = self.manifest.name.to_string();
                return Err(BackupError::WouldOverwrite { name, loss: Box::new(loss) });
            }
        }
        let is_needed = moved_on || (how.overwrite == Overwrite::Allowed && self.may_lose_files()?);
        if is_needed && how.safety == SafetyBackup::Made {
            safety.cover(before.change, progress)?;
        }
        let replacement = self.replacement();
        let (mut overtaken, mut unmarked) = (false, None);
        let replaced = self.engine.replace_store(&replacement, &mut |now| {
            let saved = how.safety == SafetyBackup::Skipped || safety.covers(now);
            overtaken = now != before.change && !(how.overwrite == Overwrite::Allowed && saved);
            if overtaken {
                return Err(StoreError::Closed);
            }
            unmarked = mark.set(&self.under_way(how)).err();
            if unmarked.is_some() { Err(StoreError::Closed) } else { Ok(()) }
        });
        match (unmarked, replaced) {
            (Some(error), _) => Err(error),
            _ if overtaken => Ok(None),
            (None, Ok(replaced)) => Ok(Some(replaced)),
            (None, Err(error)) => {
                mark.take_back()?;
                Err(error.into())
            }
        }
    }

    fn replacement(&self) -> Replacement {
        Replacement {
            copy: self.copy.clone(),
            name: self.manifest.name.to_string(),
            taken_at: self.manifest.created_at,
            at: self.engine.options().clock.now(),
            events_after: self.engine.log_ahead(),
        }
    }

    fn under_way(&self, how: Restore) -> Interrupted {
        Interrupted {
            backup: self.manifest.name.to_string(),
            overwrite: how.overwrite == Overwrite::Allowed,
            at: self.engine.options().clock.now(),
        }
    }

    /// Whether notes or another file here may be replaced although the database is as it was.
    fn may_lose_files(&self) -> Result<bool, BackupError> {
        if self.engine.notes_bytes() > 0 {
            return Ok(true);
        }
        for (path, file) in self.others.iter().filter(|(path, _)| !is_log(path)) {
            let target = place(self.engine.folder(), path);
            if look::is_there(&target)? && !same(file, &target)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn check_room(manifest: &Manifest, here: &Path) -> Result<(), BackupError> {
    // The fetched copy, and the same again twice in the database and its log.
    let needed = 3 * manifest.bytes();
    match free_bytes(here) {
        Some(free) if free < needed => {
            Err(BackupError::NoRoom { place: here.display().to_string(), needed, free })
        }
        _ => Ok(()),
    }
}

/// Writes the other files: where there are none, and in the place of different ones only when that is allowed. The
/// audit log of the folder goes on in any case.
fn put_others(
    data: &Path,
    others: &[(String, PathBuf)],
    overwrite: Overwrite,
) -> Result<(Vec<String>, Vec<String>), BackupError> {
    let (mut written, mut kept) = (Vec::new(), Vec::new());
    let has_logs = look::is_there(&data.join("logs"))?;
    for (path, file) in others {
        let (target, is_log) = (place(data, path), is_log(path));
        if look::is_there(&target)? || (is_log && has_logs) {
            if same(file, &target)? {
                continue;
            }
            if is_log || overwrite == Overwrite::Refused {
                kept.push(path.clone());
                continue;
            }
        }
        put(file, &target)?;
        written.push(path.clone());
    }
    Ok((written, kept))
}

/// Logs that are here go on, whatever a backup holds.
fn is_log(path: &str) -> bool {
    path.starts_with("logs/")
}

/// Where a file of a backup belongs in a data folder.
fn place(data: &Path, path: &str) -> PathBuf {
    path.split('/').fold(data.to_owned(), |folder, name| folder.join(name))
}

/// Whether two files hold the same; not if the second is none.
pub(crate) fn same(one: &Path, other: &Path) -> Result<bool, BackupError> {
    if !look::is_file(other)? {
        return Ok(false);
    }
    let hash = |path: &Path| -> std::io::Result<blake3::Hash> {
        let mut hasher = blake3::Hasher::new();
        std::io::copy(&mut peri_private::open(path)?, &mut hasher)?;
        Ok(hasher.finalize())
    };
    let read =
        |path: &Path| hash(path).map_err(|source| BackupError::file(path, "it cannot be read", source));
    Ok(read(one)? == read(other)?)
}

/// Writes a file beside its place and moves it there.
fn put(file: &Path, target: &Path) -> Result<(), BackupError> {
    let failed = |source| BackupError::file(target, "it cannot be written", source);
    let folder = target.parent().unwrap_or(target);
    peri_private::create_folder(folder).map_err(failed)?;
    let mut part = target.to_owned().into_os_string();
    part.push(files::RESTORING);
    let part = PathBuf::from(part);
    let copied = || -> std::io::Result<()> {
        let mut bytes = peri_private::create(&part)?;
        std::io::copy(&mut peri_private::open(file)?, &mut bytes)?;
        bytes.sync_all()?;
        std::fs::rename(&part, target)
    };
    copied().map_err(failed)
}
