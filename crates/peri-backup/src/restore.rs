//! Bringing a backup back.
//!
//! Nothing is swapped under running processes: the database's contents are replaced in one transaction, so that a kill
//! at any time leaves the old state or the new one. Other files are written where there are none.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use peri_store::{Replacement, SqliteSettings, SqliteStore, Store, StoreCopy, StoreError, StoreFacts};
use peri_types::{ChangeNumber, Edge, Scope};
use perihelion::Perihelion;
use serde::Serialize;

use crate::create::Kind;
use crate::depot::{free_bytes, private_file};
use crate::fetch::Progress;
use crate::manifest::{self, DATABASE};
use crate::verify::{self, Depth};
use crate::work::WorkFolder;
use crate::{BackupError, BackupName, Backups, FOLDER, Manifest, Snapshot};

/// More sessions than a namespace has.
const SESSIONS_MAX: usize = usize::MAX >> 1;

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

/// What a restore would lose: memories as they are here, compared with the backup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// Memories that the backup does not have.
    pub added: u64,
    /// Memories that the backup has otherwise.
    pub changed: u64,
    /// Memories that were moved to the trash or out of it since.
    pub moved: u64,
    /// Memories that the backup has and that were purged here since, which would come back.
    pub purged: u64,
    /// Links that the backup does not have, or has otherwise.
    pub links: u64,
    /// Sessions that the backup does not have, or has otherwise.
    pub sessions: u64,
}

impl Loss {
    fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { added, changed, moved, purged, links, sessions } = self;
        write!(
            f,
            "{added} memories added, {changed} changed, {moved} moved to the trash or back, {purged} purged, \
             {links} links and {sessions} sessions changed since"
        )
    }
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
    /// Other files that were written.
    pub written: Vec<String>,
    /// Other files that are here and different, and were left as they are.
    pub kept: Vec<String>,
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
        let before = engine.store_facts()?;
        let standing = standing(engine, &before, &copy)?;
        let loss = standing.loss;
        if how.overwrite == Overwrite::Refused && !loss.is_none() {
            return Err(BackupError::WouldOverwrite { name: name.to_string(), loss });
        }
        let mut safety = Safety::new(engine, how, standing.moved_on);
        safety.make(before.change, progress)?;
        let replacement = Replacement {
            copy,
            name: name.to_string(),
            taken_at: manifest.created_at,
            at: engine.options().clock.now(),
        };
        let mut trouble = None;
        let replaced = engine.replace_store(&replacement, &mut |change| {
            let ready = safety.still_covers(change, before.change, progress);
            ready.map_err(|error| {
                trouble = Some(error);
                StoreError::Closed
            })
        });
        let replaced = match trouble {
            Some(trouble) => return Err(trouble),
            None => replaced?,
        };
        let (written, kept) = put_others(engine.folder(), others, how.overwrite)?;
        Ok(Restored {
            name: name.clone(),
            memories: replaced.memories,
            gone: replaced.gone,
            change: replaced.change,
            safety_backup: safety.name,
            written,
            kept,
        })
    }

    /// The files besides the database, whole, in the work folder.
    fn fetch_others(
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

/// The backup of what a restore replaces.
struct Safety<'a> {
    engine: &'a Perihelion,
    how: Restore,
    needed: bool,
    /// What it is called, and up to which change it holds everything.
    name: Option<BackupName>,
    change: Option<ChangeNumber>,
}

impl<'a> Safety<'a> {
    fn new(engine: &'a Perihelion, how: Restore, moved_on: bool) -> Self {
        let needed = how.safety == SafetyBackup::Made && moved_on;
        Self { engine, how, needed, name: None, change: None }
    }

    fn make(&mut self, change: ChangeNumber, progress: Progress<'_>) -> Result<(), BackupError> {
        if !self.needed || self.change.is_some_and(|covered| covered >= change) {
            return Ok(());
        }
        let created =
            Backups::beside(self.engine.folder()).make(self.engine, Kind::BeforeRestore, progress)?;
        self.change = Some(created.manifest.change);
        self.name = Some(created.manifest.name);
        Ok(())
    }

    /// Asked when nobody else can write any more. Whatever came since is saved too, or the restore is refused.
    fn still_covers(
        &mut self,
        now: ChangeNumber,
        compared: ChangeNumber,
        progress: Progress<'_>,
    ) -> Result<(), BackupError> {
        if now == compared {
            return Ok(());
        }
        if self.how.overwrite == Overwrite::Refused {
            return Err(BackupError::Overtaken);
        }
        self.needed = self.how.safety == SafetyBackup::Made;
        self.make(now, progress)
    }
}

/// How what is here stands to a backup.
struct Standing {
    /// Whether it is neither empty, nor what the backup was made of, nor what came before that.
    moved_on: bool,
    loss: Loss,
}

fn standing(engine: &Perihelion, here: &StoreFacts, copy: &Path) -> Result<Standing, BackupError> {
    let behind = Standing { moved_on: false, loss: Loss::default() };
    if here.counts.memories + here.counts.trashed + here.counts.sessions == 0 {
        return Ok(behind);
    }
    let opened = StoreCopy::open(copy)?;
    let there = opened.facts()?;
    let same_line = here.identity == there.identity && here.lineage == opened.lineage(here.change)?;
    if same_line && here.change <= there.change {
        return Ok(behind);
    }
    drop(opened);
    let store = SqliteStore::open(copy, &SqliteSettings::default())?;
    Ok(Standing { moved_on: true, loss: loss(engine, &store)? })
}

/// What a backup does not have of what is here.
fn loss(engine: &Perihelion, backup: &dyn Store) -> Result<Loss, BackupError> {
    let mut loss = Loss::default();
    for one in engine.compare_with(backup, &mut |_| {})? {
        // What the backup would remove was added here, and so on.
        loss.added += one.removed;
        loss.changed += one.reworded + one.altered;
        loss.moved += one.trashed + one.restored;
        loss.purged += one.added;
    }
    let here = Snapshot::of_folder(engine.folder())?;
    for namespace in here.store().namespaces(&Scope::All)? {
        let (ours, theirs) = (here.store().all_edges(&namespace)?, backup.all_edges(&namespace)?);
        let key = |edge: &Edge| (edge.source, edge.edge_type.code(), edge.target, edge.weight.to_bits());
        let theirs: HashSet<_> = theirs.iter().map(key).collect();
        loss.links += ours.iter().filter(|edge| !theirs.contains(&key(edge))).count() as u64;
        let scope = Scope::Exact(namespace);
        let theirs = backup.sessions(&scope, SESSIONS_MAX)?;
        let ours = here.store().sessions(&scope, SESSIONS_MAX)?;
        loss.sessions += ours.iter().filter(|session| !theirs.contains(session)).count() as u64;
    }
    Ok(loss)
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
    others: Vec<(String, PathBuf)>,
    overwrite: Overwrite,
) -> Result<(Vec<String>, Vec<String>), BackupError> {
    let (mut written, mut kept) = (Vec::new(), Vec::new());
    let has_logs = data.join("logs").exists();
    for (path, file) in others {
        let target = path.split('/').fold(data.to_owned(), |folder, name| folder.join(name));
        let is_log = path.starts_with("logs/");
        if target.exists() || (is_log && has_logs) {
            if same(&file, &target)? {
                continue;
            }
            if is_log || overwrite == Overwrite::Refused {
                kept.push(path);
                continue;
            }
        }
        put(&file, &target)?;
        written.push(path);
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
