//! The folder of snapshots: their names, who may write, and how a file gets its name.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use peri_seal::{Purpose, Seal};
use peri_types::Timestamp;

use super::SnapshotInfo;
use super::file::{self, About, Body, Medium};
use crate::Error;

const PREFIX: &str = "episodes-";
const SUFFIX: &str = ".jsonl.zst";
const STAMP: &str = "%Y%m%dT%H%M%SZ";
const STAMP_CHARS: usize = 16;

/// Whoever holds a lock on it may write. It stays: were it deleted, two could hold locks on two files of this name.
const LOCK: &str = "episodes.lock";
/// The episodes while they are written; only the holder of the lock has one, so a second one is of a dead writer.
const BODY: &str = "episodes.body.part";
/// The whole file before it gets its name.
const WHOLE: &str = "episodes.part";

/// What a snapshot is called: when it was taken, to the second, and which one of that second it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) at: Timestamp,
    number: u32,
}

/// What to do when another process is writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Wait for it.
    Awaited,
    /// Leave it to that one.
    IfFree,
}

/// The folder.
pub(super) struct SnapshotFolder(PathBuf, Seal);

/// The right to write, until it is dropped. What was begun and not published goes with it.
pub(super) struct Writing<'a> {
    folder: &'a SnapshotFolder,
    _lock: File,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stamp = self.at.to_zoned(TimeZone::UTC).strftime(STAMP).to_string();
        match self.number {
            1 => write!(f, "{PREFIX}{stamp}{SUFFIX}"),
            number => write!(f, "{PREFIX}{stamp}-{number}{SUFFIX}"),
        }
    }
}

impl FromStr for Name {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let middle = text.strip_prefix(PREFIX).and_then(|text| text.strip_suffix(SUFFIX)).ok_or(())?;
        let (stamp, number) = middle.split_at_checked(STAMP_CHARS).ok_or(())?;
        let civil = DateTime::strptime(STAMP, stamp).map_err(|_| ())?;
        let at = civil.to_zoned(TimeZone::UTC).map_err(|_| ())?.timestamp();
        let number = match number.strip_prefix('-') {
            Some(number) => number.parse().map_err(|_| ())?,
            None if number.is_empty() => 1,
            None => return Err(()),
        };
        let name = Self { at, number };
        // Only what we would call it ourselves, so that a name leads back to its file.
        if name.to_string() == text { Ok(name) } else { Err(()) }
    }
}

impl SnapshotFolder {
    pub(super) fn new(path: PathBuf, seal: Seal) -> Self {
        Self(path, seal)
    }

    /// What a file holds. What is sealed is opened as a whole: a snapshot holds a few hundred episodes.
    fn opened(&self, path: &Path) -> io::Result<Box<dyn io::Read>> {
        if !self.1.is_on() {
            return Ok(Box::new(peri_private::open(path)?));
        }
        let bytes = self.1.open(Purpose::Episodes, peri_private::read(path)?)?.into_owned();
        Ok(Box::new(io::Cursor::new(bytes)))
    }

    fn path(&self, name: Name) -> PathBuf {
        self.0.join(name.to_string())
    }

    /// What there is, the earliest first. A folder that is not there holds nothing.
    pub(super) fn names(&self) -> Result<Vec<Name>, Error> {
        let files = match fs::read_dir(&self.0) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(failed(&self.0, source)),
        };
        let mut names = Vec::new();
        for file in files {
            let file = file.map_err(|source| failed(&self.0, source))?;
            names.extend(file.file_name().to_str().and_then(|name| name.parse::<Name>().ok()));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// What there is and can be read, the latest first.
    pub(super) fn list(&self) -> Result<Vec<SnapshotInfo>, Error> {
        let mut list = Vec::new();
        for name in self.names()?.into_iter().rev() {
            match self.about(name).and_then(|about| self.info(name, &about)) {
                Ok(info) => list.push(info),
                Err(error) => {
                    let reason = crate::failures::with_causes(&error);
                    tracing::warn!(reason, "a snapshot cannot be read");
                }
            }
        }
        Ok(list)
    }

    pub(super) fn info(&self, name: Name, about: &About) -> Result<SnapshotInfo, Error> {
        let path = self.path(name);
        let bytes = fs::metadata(&path).map_err(|source| failed(&path, source))?.len();
        Ok(SnapshotInfo { file: name.to_string(), at: about.at, episodes: about.episodes, bytes })
    }

    fn about(&self, name: Name) -> Result<About, Error> {
        let path = self.path(name);
        self.opened(&path).and_then(file::about).map_err(|source| failed(&path, source))
    }

    /// Makes sure that a snapshot is whole.
    pub(super) fn verify(&self, name: Name) -> Result<(), Error> {
        let path = self.path(name);
        self.opened(&path).and_then(file::verify).map_err(|source| failed(&path, source))
    }

    /// The lines of a snapshot.
    pub(super) fn open(&self, name: Name) -> Result<impl io::Read + use<>, Error> {
        let path = self.path(name);
        self.opened(&path).and_then(zstd::Decoder::new).map_err(|source| failed(&path, source))
    }

    /// Takes one's turn to write; none if another process is at it and is not waited for.
    pub(super) fn turn(&self, turn: Turn) -> Result<Option<Writing<'_>>, Error> {
        peri_private::create_folder(&self.0).map_err(|source| failed(&self.0, source))?;
        let path = self.0.join(LOCK);
        let lock = peri_private::file(&path).create(true).append(true).open(&path);
        let lock = lock.map_err(|source| failed(&path, source))?;
        match turn {
            Turn::Awaited => lock.lock().map_err(|source| failed(&path, source))?,
            Turn::IfFree => match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(source)) => return Err(failed(&path, source)),
            },
        }
        Ok(Some(Writing { folder: self, _lock: lock }))
    }
}

impl Writing<'_> {
    fn draft(&self, name: &str) -> PathBuf {
        self.folder.0.join(name)
    }

    pub(super) fn failed(&self, source: io::Error) -> Error {
        failed(&self.folder.0, source)
    }

    /// What the latest snapshot that can be read tells of itself.
    pub(super) fn last(&self) -> Result<Option<About>, Error> {
        let names = self.folder.names()?;
        Ok(names.into_iter().rev().find_map(|name| self.folder.about(name).ok()))
    }

    /// Begins the lines of the episodes.
    pub(super) fn begin(&self) -> Result<Body, Error> {
        let path = self.draft(BODY);
        let medium: Result<Box<dyn Medium>, _> = match self.folder.1.is_on() {
            true => Ok(Box::new(io::Cursor::new(Vec::new()))),
            false => draft(&path).map(|file| Box::new(file) as _),
        };
        medium.and_then(Body::new).map_err(|source| failed(&path, source))
    }

    /// Gives what was begun its name, once all of it is on the disk.
    pub(super) fn publish(&self, about: &About, lines: &mut dyn Medium) -> Result<Name, Error> {
        let whole = self.draft(WHOLE);
        let out = draft(&whole).map_err(|source| failed(&whole, source))?;
        self.join(about, lines, &out).map_err(|source| failed(&whole, source))?;
        drop(out);
        let name = self.next_name(about.at)?;
        fs::rename(&whole, self.folder.path(name)).map_err(|source| failed(&whole, source))?;
        sync_folder(&self.folder.0).map_err(|source| self.failed(source))?;
        Ok(name)
    }

    fn join(&self, about: &About, lines: &mut dyn Medium, mut out: &File) -> io::Result<()> {
        let seal = &self.folder.1;
        if seal.is_on() {
            let whole = file::join(about, lines, Vec::new())?;
            io::Write::write_all(&mut out, &seal.seal(Purpose::Episodes, whole)?)?;
        } else {
            file::join(about, lines, out)?;
        }
        out.sync_all()
    }

    /// A name behind all others: which snapshot is the latest is told by the names, also when a clock was set back.
    fn next_name(&self, at: Timestamp) -> Result<Name, Error> {
        let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
        Ok(match self.folder.names()?.last() {
            Some(last) if last.at >= at => Name { at: last.at, number: last.number.saturating_add(1) },
            _ => Name { at, number: 1 },
        })
    }

    /// Deletes all but the latest so many.
    pub(super) fn prune(&self, kept: usize) -> Result<(), Error> {
        let names = self.folder.names()?;
        for name in names.iter().take(names.len().saturating_sub(kept)) {
            let path = self.folder.path(*name);
            fs::remove_file(&path).map_err(|source| failed(&path, source))?;
        }
        Ok(())
    }
}

impl Drop for Writing<'_> {
    /// Takes away what was not published: by this writer, or by one that died. Failing to is left for the next time.
    fn drop(&mut self) {
        for name in [BODY, WHOLE] {
            match fs::remove_file(self.draft(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    tracing::warn!(%error, name, "an unfinished snapshot is left behind");
                }
                _ => {}
            }
        }
    }
}

/// A new file, in the place of what a dead writer has left.
fn draft(path: &Path) -> io::Result<File> {
    peri_private::file(path).create(true).read(true).write(true).truncate(true).open(path)
}

/// Makes sure that a new name survives a power cut, where the system can do that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    peri_private::flush_folder(folder)
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::Record { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_leads_back_to_its_time_and_sorts_by_it() {
        let name = Name { at: at("2026-11-16T07:10:40Z"), number: 1 };
        assert_eq!(name.to_string(), "episodes-20261116T071040Z.jsonl.zst");
        assert_eq!(name.to_string().parse(), Ok(name));
        let second = Name { number: 2, ..name };
        assert_eq!(second.to_string(), "episodes-20261116T071040Z-2.jsonl.zst");
        assert_eq!(second.to_string().parse(), Ok(second));
        assert!(name < second && second < Name { at: at("2026-11-16T07:10:41Z"), number: 1 });
    }

    #[test]
    fn what_we_would_not_call_a_snapshot_is_none() {
        for text in [
            "",
            "episodes-.jsonl.zst",
            "episodes-20261116T071040Z.jsonl",
            "episodes-20261316T071040Z.jsonl.zst",
            "episodes-20261116T071040Z-1.jsonl.zst",
            "episodes-20261116T071040Z-02.jsonl.zst",
            "episodes-20261116T071040Z-x.jsonl.zst",
            "episodes-20261116T07104가.jsonl.zst",
            "../episodes-20261116T071040Z.jsonl.zst",
            "episodes.part",
        ] {
            assert_eq!(text.parse::<Name>(), Err(()), "{text:?}");
        }
    }
}
