//! Making a backup.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use peri_store::{StoreCopy, StoreFacts};
use peri_types::{Happening, Timestamp};
use perihelion::Perihelion;

use crate::depot::{self, private_file};
use crate::fetch::Progress;
use crate::files::{self, Found};
use crate::manifest::{self, DATABASE};
use crate::streams::{Measure, Measured};
use crate::verify::Depth;
use crate::work::WorkFolder;
use crate::{BackupError, BackupName, Backups, FileEntry, Halt, Manifest};

/// How hard files are compressed: half the size of level 1's gain, at a speed that keeps up with a disk.
const LEVEL: i32 = 3;

/// Room that is asked for beyond what is known to be needed.
const SPARE_BYTES: u64 = 1024 * 1024;

/// What a backup is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// To have it.
    Regular,
    /// To come back to what a restore replaces.
    BeforeRestore,
}

/// A backup that was made and verified.
#[derive(Debug)]
pub struct Created {
    /// What belongs to it.
    pub manifest: Manifest,
    /// Everything that was left out and is nothing of ours, such as files without a name in Unicode.
    pub skipped: Vec<PathBuf>,
}

/// A file that waits, compressed, until the backup has a name.
pub(crate) struct Staged {
    pub(crate) entry: FileEntry,
    file: PathBuf,
}

impl Backups {
    /// Makes a backup of an engine's data folder, verifies it, and tells of it. Others go on reading and writing.
    pub fn create(&self, engine: &Perihelion, progress: Progress<'_>) -> Result<Created, BackupError> {
        let created = self.make(engine, Kind::Regular, progress)?;
        let Manifest { name, change, .. } = &created.manifest;
        if !engine.is_read_only() {
            engine.tell(Happening::BackedUp { backup: name.to_string(), change: *change })?;
        }
        Ok(created)
    }

    /// Makes a backup without telling of it.
    pub(crate) fn make(
        &self,
        engine: &Perihelion,
        kind: Kind,
        progress: Progress<'_>,
    ) -> Result<Created, BackupError> {
        let made = self.make_unless_halted(engine, kind, progress);
        // Whatever failed then, it failed because of that.
        made.map_err(|error| if self.halt.is_halted() { BackupError::Halted } else { error })
    }

    fn make_unless_halted(
        &self,
        engine: &Perihelion,
        kind: Kind,
        progress: Progress<'_>,
    ) -> Result<Created, BackupError> {
        let data = engine.folder();
        let (found, skipped) = files::find(data, self.depot.folder())?;
        self.check_room(engine, &found)?;
        let work = WorkFolder::create(&self.work)?;
        // The audit log must not be ahead of the store, so it is taken first.
        let staged = self.stage_all(engine, &work, found, progress)?;
        let copy = work.file("copy.db");
        engine.copy_store(&copy, &|copying| self.halt.on_halt(move || copying.interrupt()))?;
        self.halt.check()?;
        let facts = StoreCopy::open(&copy, self.key.as_ref())?.facts()?;
        let now = engine.options().clock.now();
        let name = self.free_name(now, &facts, kind)?;
        let outcome = self.put_all(&name, now, facts, &copy, staged, &work, progress);
        match outcome {
            Ok(manifest) => Ok(Created { manifest, skipped }),
            Err(error) => {
                if let Err(error) = self.depot.remove(&name) {
                    tracing::warn!(%error, %name, "an unfinished backup is left behind");
                }
                Err(error)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn put_all(
        &self,
        name: &BackupName,
        now: Timestamp,
        facts: StoreFacts,
        copy: &Path,
        staged: Vec<Staged>,
        work: &WorkFolder,
        progress: Progress<'_>,
    ) -> Result<Manifest, BackupError> {
        let mut entries = vec![self.put_database(name, copy, progress)?];
        remove(copy)?;
        for Staged { entry, file } in staged {
            let mut bytes = open(&file)?;
            self.depot.put(&format!("{name}/{}", entry.stored_path()), &mut bytes)?;
            remove(&file)?;
            entries.push(entry);
        }
        self.depot.settle(name)?;
        let manifest = Manifest::new(name.clone(), now, facts, self.key.is_some(), entries);
        if let Some(problem) = self.problems(&manifest, Depth::Quick, work, progress)?.into_iter().next() {
            return Err(manifest::damaged(name, format!("read back, {problem}")));
        }
        self.depot.put(&format!("{name}/{}", manifest::FILE), &mut manifest.to_bytes().as_slice())?;
        self.depot.settle(name)?;
        self.manifest(name)
    }

    fn put_database(
        &self,
        name: &BackupName,
        copy: &Path,
        progress: Progress<'_>,
    ) -> Result<FileEntry, BackupError> {
        let path = DATABASE.to_owned();
        packed(open(copy)?, path, &self.halt, progress, |path, bytes| {
            self.depot.put(&format!("{name}/{path}.zst"), bytes)
        })
    }

    /// A name that no other backup has, even if one was made a moment ago.
    fn free_name(&self, now: Timestamp, facts: &StoreFacts, kind: Kind) -> Result<BackupName, BackupError> {
        let taken = self.depot.held()?;
        let mut at = now;
        loop {
            let name = BackupName::new(at, facts.change);
            let name = if kind == Kind::BeforeRestore { name.before_restore() } else { name };
            if !taken.iter().any(|held| held.name == name) {
                return Ok(name);
            }
            at += SignedDuration::from_secs(1);
        }
    }

    fn check_room(&self, engine: &Perihelion, found: &[Found]) -> Result<(), BackupError> {
        let size = |path: PathBuf| std::fs::metadata(path).map_or(0, |file| file.len());
        let database = size(engine.database()) + size(engine.folder().join(format!("{DATABASE}-wal")));
        let others: u64 = found.iter().map(|found| found.size).sum();
        // Beside the copy lies its compressed form, which is hardly ever larger.
        let needed = match self.depot.folder() {
            Some(_) => 2 * (database + others),
            None => database + others,
        };
        let free = self.depot.free_bytes().or_else(|| depot::free_bytes(&self.work));
        match free {
            Some(free) if free < needed + SPARE_BYTES => Err(BackupError::NoRoom {
                place: self.work.display().to_string(),
                needed: needed + SPARE_BYTES,
                free,
            }),
            _ => Ok(()),
        }
    }
}

/// Compresses the files into the work folder. One that is gone by now was temporary.
pub(crate) fn stage(
    work: &WorkFolder,
    found: &[Found],
    halt: &Halt,
    progress: Progress<'_>,
    staged: &mut Vec<Staged>,
) -> Result<(), BackupError> {
    for one in found {
        let number = staged.len();
        let bytes = match peri_private::open(&one.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(source) => return Err(BackupError::file(&one.file, "it cannot be read", source)),
        };
        let file = work.file(&format!("{number}.zst"));
        let entry = packed(bytes, one.path.clone(), halt, progress, |_, bytes| {
            let failed = |source| BackupError::file(&one.file, "it cannot be copied", source);
            let mut target = private_file().open(&file).map_err(failed)?;
            std::io::copy(bytes, &mut target).map(drop).map_err(failed)
        })?;
        staged.push(Staged { entry, file });
    }
    Ok(())
}

/// Compresses a file on its way somewhere, and measures it on both sides.
fn packed(
    file: File,
    path: String,
    halt: &Halt,
    progress: Progress<'_>,
    put: impl FnOnce(&str, &mut dyn Read) -> Result<(), BackupError>,
) -> Result<FileEntry, BackupError> {
    let (mut plain, mut stored) = (Measure::default(), Measure::default());
    let source = Measured { inner: file, measure: &mut plain, progress, halt };
    let encoder = zstd::stream::read::Encoder::new(source, LEVEL)
        .map_err(|source| BackupError::file(&path, "it cannot be compressed", source))?;
    put(&path, &mut Measured { inner: encoder, measure: &mut stored, progress: &mut |_| {}, halt })?;
    Ok(FileEntry {
        path,
        size: plain.size(),
        stored_size: stored.size(),
        hash: plain.hash(),
        stored_hash: stored.hash(),
    })
}

fn open(path: &Path) -> Result<File, BackupError> {
    peri_private::open(path).map_err(|source| BackupError::file(path, "it cannot be read", source))
}

fn remove(path: &Path) -> Result<(), BackupError> {
    std::fs::remove_file(path).map_err(|source| BackupError::file(path, "it cannot be removed", source))
}
