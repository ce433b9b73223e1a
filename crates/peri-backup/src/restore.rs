//! Bringing a backup back.
//!
//! Nothing is swapped under running processes: the database's contents are replaced in one transaction, so that a kill
//! at any time leaves the old state or the new one. Notes are brought back session by session, and join those that are
//! here unless they may be replaced. Other files are written where there are none.

use std::path::{Path, PathBuf};

use peri_store::{Replaced, Replacement, StoreError};
use peri_types::ChangeNumber;
use perihelion::{BringBack, Perihelion};
use serde::Serialize;

use crate::depot::{free_bytes, private_file};
use crate::fetch::Progress;
use crate::manifest::{self, DATABASE};
use crate::safety::Safety;
use crate::verify::{self, Depth};
use crate::work::WorkFolder;
use crate::{BackupError, BackupName, Backups, FOLDER, Manifest, loss, notes};

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
        let here = engine.folder().join(FOLDER);
        check_room(&manifest, &here)?;
        let work = WorkFolder::create(&here)?;
        let copy = work.file("restored.db");
        self.fetch(name, manifest.database()?, &copy, progress)?;
        if let Some(problem) = verify::look(&manifest, &copy, Depth::Quick).into_iter().next() {
            return Err(manifest::damaged(name, problem));
        }
        let others = self.fetch_others(&manifest, &work, progress)?;
        let (notes, others) = others.into_iter().partition(|(path, _)| notes::is_part(path));
        Ok(Prepared { engine, manifest, copy, others, notes, work })
    }

    /// The files besides the database, whole, in the work folder.
    pub(crate) fn fetch_others(
        &self,
        manifest: &Manifest,
        work: &WorkFolder,
        progress: Progress<'_>,
    ) -> Result<Vec<(String, PathBuf)>, BackupError> {
        let mut fetched = Vec::new();
        for (number, file) in manifest.files.iter().filter(|file| file.path != DATABASE).enumerate() {
            let to = work.file(&format!("{number}.file"));
            self.fetch(&manifest.name, file, &to, progress)?;
            fetched.push((file.path.clone(), to));
        }
        Ok(fetched)
    }
}

impl Prepared<'_> {
    /// Restores it. If that is refused it can be tried again in another way, without fetching anything twice.
    pub fn apply(&self, how: Restore, progress: Progress<'_>) -> Result<Restored, BackupError> {
        let mut safety = Safety::new(self.engine);
        for _ in 0..TRIES {
            let Some(replaced) = self.replace(how, &mut safety, progress)? else { continue };
            let (mut written, mut kept) = put_others(self.engine.folder(), &self.others, how.overwrite)?;
            let bring_back = match how.overwrite {
                Overwrite::Allowed => BringBack::Replacing,
                Overwrite::Refused => BringBack::Adding,
            };
            let brought = notes::bring_back(self.engine, &self.work, &self.notes, bring_back)?;
            written.extend(brought.written);
            kept.extend(brought.joined);
            return Ok(Restored {
                name: self.manifest.name.clone(),
                memories: replaced.memories,
                gone: replaced.gone,
                change: replaced.change,
                safety_backup: safety.into_name(),
                written,
                kept,
            });
        }
        safety.discard();
        Err(BackupError::Overtaken)
    }

    /// Gets ready while others write, and replaces what is here if nobody has written since. `None`: somebody has.
    fn replace(
        &self,
        how: Restore,
        safety: &mut Safety<'_>,
        progress: Progress<'_>,
    ) -> Result<Option<Replaced>, BackupError> {
        let before = self.engine.store_facts()?;
        let moved_on = loss::has_moved_on(&before, &self.copy)?;
        if moved_on && how.overwrite == Overwrite::Refused {
            let loss = loss::compare(self.engine, &self.copy)?;
            if !loss.is_none() {
                return Err(BackupError::WouldOverwrite { name: self.manifest.name.to_string(), loss });
            }
        }
        // Notes that are here may be replaced although nothing else is.
        let may_lose_notes = how.overwrite == Overwrite::Allowed && self.engine.notes_bytes() > 0;
        if (moved_on || may_lose_notes) && how.safety == SafetyBackup::Made {
            safety.cover(before.change, progress)?;
        }
        let replacement = Replacement {
            copy: self.copy.clone(),
            name: self.manifest.name.to_string(),
            taken_at: self.manifest.created_at,
            at: self.engine.options().clock.now(),
        };
        let mut overtaken = false;
        let replaced = self.engine.replace_store(&replacement, &mut |now| {
            let saved = how.safety == SafetyBackup::Skipped || safety.covers(now);
            overtaken = now != before.change && !(how.overwrite == Overwrite::Allowed && saved);
            if overtaken { Err(StoreError::Closed) } else { Ok(()) }
        });
        if overtaken { Ok(None) } else { Ok(Some(replaced?)) }
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
    let has_logs = data.join("logs").exists();
    for (path, file) in others {
        let target = path.split('/').fold(data.to_owned(), |folder, name| folder.join(name));
        let is_log = path.starts_with("logs/");
        if target.exists() || (is_log && has_logs) {
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

fn same(one: &Path, other: &Path) -> Result<bool, BackupError> {
    if !other.is_file() {
        return Ok(false);
    }
    let hash = |path: &Path| -> std::io::Result<blake3::Hash> {
        let mut hasher = blake3::Hasher::new();
        std::io::copy(&mut std::fs::File::open(path)?, &mut hasher)?;
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
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut part = target.to_owned().into_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    let copied = || -> std::io::Result<()> {
        let mut bytes = private_file().open(&part)?;
        std::io::copy(&mut std::fs::File::open(file)?, &mut bytes)?;
        bytes.sync_all()?;
        std::fs::rename(&part, target)
    };
    copied().map_err(failed)
}
