//! Reading what a depot holds, and trusting none of it before it is known to be whole.

use std::io::Write;
use std::path::Path;

use peri_types::Timestamp;

use crate::depot::private_file;
use crate::manifest::{self, damaged};
use crate::streams::Bounded;
use crate::{BackupError, BackupName, Backups, FileEntry, Manifest};

/// Stands for the newest backup where a name is asked for.
pub(crate) const LATEST: &str = "latest";

/// What is made of the bytes of a file.
pub(crate) type Progress<'a> = &'a mut dyn FnMut(u64);

/// A finished backup, with its manifest or what is wrong with it.
pub type Listed = (BackupName, Result<Manifest, BackupError>);

impl Backups {
    /// Every finished backup, the oldest first, with its manifest or what is wrong with it.
    pub fn list(&self) -> Result<Vec<Listed>, BackupError> {
        let finished = self.depot.held()?.into_iter().filter(|held| held.finished);
        Ok(finished.map(|held| (held.name.clone(), self.manifest(&held.name))).collect())
    }

    /// The backup with a name; `latest` is the newest finished one that was not made before a restore. Those are for
    /// who asks for them by name: somebody who restores the latest twice wants the same twice.
    pub fn find(&self, name: &str) -> Result<BackupName, BackupError> {
        let held = self.depot.held()?;
        let mut finished = held.into_iter().filter(|held| held.finished).map(|held| held.name);
        if name == LATEST {
            return finished
                .rfind(|name| !name.is_before_restore())
                .ok_or_else(|| BackupError::None { place: self.place() });
        }
        let wanted: BackupName = name.parse()?;
        let missing = || BackupError::NotFound { name: name.to_owned(), place: self.place() };
        finished.find(|name| *name == wanted).ok_or_else(missing)
    }

    /// When the newest finished backup was made; those before a restore do not count.
    pub(crate) fn newest(&self) -> Result<Option<Timestamp>, BackupError> {
        let held =
            self.depot.held()?.into_iter().filter(|held| held.finished && !held.name.is_before_restore());
        Ok(held.map(|held| held.name.time()).max())
    }

    /// The manifest of a backup.
    pub fn manifest(&self, name: &BackupName) -> Result<Manifest, BackupError> {
        let mut bytes = Bounded::new(Vec::new(), manifest::BYTES_MAX);
        let there = self.depot.get(&format!("{name}/{}", manifest::FILE), &mut |piece| {
            bytes.write_all(piece).map_err(|_| damaged(name, "its manifest is too large"))
        })?;
        if !there {
            return Err(BackupError::NotFound { name: name.to_string(), place: self.place() });
        }
        Manifest::parse(name, &bytes.inner)
    }

    /// Writes a file of a backup to a path, and makes sure that every byte is what was backed up.
    pub(crate) fn fetch(
        &self,
        name: &BackupName,
        file: &FileEntry,
        to: &Path,
        progress: Progress<'_>,
    ) -> Result<(), BackupError> {
        let failed = |source| BackupError::file(to, "it cannot be written", source);
        let mut target = private_file().open(to).map_err(failed)?;
        self.read(name, file, &mut |piece| target.write_all(piece).map_err(failed), progress)?;
        target.sync_all().map_err(failed)
    }

    /// Hands out the bytes of a file; whether they were right is known at the end.
    pub(crate) fn read(
        &self,
        name: &BackupName,
        file: &FileEntry,
        sink: &mut dyn FnMut(&[u8]) -> Result<(), BackupError>,
        progress: Progress<'_>,
    ) -> Result<(), BackupError> {
        let broken = |what: &str| damaged(name, format!("{} {what}", file.path));
        let mut trouble = None;
        let plain = Bounded::new(Passing { sink, trouble: &mut trouble }, file.size);
        let decoder = zstd::stream::write::Decoder::new(plain).map_err(|_| broken("cannot be unpacked"))?;
        let mut stored = Bounded::new(decoder, file.stored_size);
        let mut unpacked = Ok(());
        let there = self.depot.get(&format!("{name}/{}", file.stored_path()), &mut |piece| {
            self.halt.check()?;
            progress(piece.len() as u64);
            if unpacked.is_ok() {
                unpacked = stored.write_all(piece);
            }
            if unpacked.is_err() { Err(broken("is not what was written")) } else { Ok(()) }
        });
        let flushed = stored.flush();
        let Bounded { inner: decoder, measure, .. } = stored;
        let plain = decoder.into_inner().measure;
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        if !there? {
            return Err(broken("is missing"));
        }
        let same = flushed.is_ok()
            && (measure.size(), measure.hash()) == (file.stored_size, file.stored_hash.clone())
            && (plain.size(), plain.hash()) == (file.size, file.hash.clone());
        if same { Ok(()) } else { Err(broken("is not what was written")) }
    }
}

/// Hands bytes on and remembers why somebody did not take them.
struct Passing<'a> {
    sink: &'a mut dyn FnMut(&[u8]) -> Result<(), BackupError>,
    trouble: &'a mut Option<BackupError>,
}

impl Write for Passing<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match (self.sink)(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                *self.trouble = Some(error);
                Err(std::io::Error::other("the bytes were not taken"))
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
