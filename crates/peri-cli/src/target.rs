//! A file that is written whole or not at all: beside its place first, then moved there.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::CliError;

/// What to do with a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It stays, and nothing is written.
    Kept,
    /// It is replaced.
    Replaced,
}

/// A file under way. Dropping it before [`Target::finish`] leaves nothing behind.
pub(crate) struct Target {
    path: PathBuf,
    part: PathBuf,
    file: Option<BufWriter<File>>,
    existing: Existing,
}

impl Target {
    /// Begins a file that is to have this path.
    pub(crate) fn begin(path: &Path, existing: Existing) -> Result<Self, CliError> {
        refuse(path, existing)?;
        let Some(name) = path.file_name() else {
            return Err(CliError::input(format!("{} names no file", path.display()), "nothing was written"));
        };
        let mut part = std::ffi::OsString::from(".");
        part.push(name);
        part.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(part);
        let opened = peri_private::own_file().write(true).create_new(true).open(&part);
        let file = opened.map_err(|source| unwritable(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            part,
            file: Some(BufWriter::with_capacity(1 << 16, file)),
            existing,
        })
    }

    /// Moves the file to its place, once it is on the disk.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        let failed = |source| unwritable(&self.path, source);
        let Some(file) = self.file.take() else { return Ok(()) };
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        // Who could read the former file can read this one; a new one is for its owner alone.
        if let Ok(former) = std::fs::metadata(&self.path) {
            file.set_permissions(former.permissions()).map_err(failed)?;
        }
        file.sync_all().map_err(failed)?;
        drop(file);
        // Somebody else may have written there meanwhile.
        refuse(&self.path, self.existing)?;
        std::fs::rename(&self.part, &self.path).map_err(failed)
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.as_mut().map_or_else(|| Err(ErrorKind::BrokenPipe.into()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        match std::fs::remove_file(&self.part) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                tracing::warn!(%error, file = %self.part.display(), "an unfinished file is left behind");
            }
            _ => {}
        }
    }
}

fn refuse(path: &Path, existing: Existing) -> Result<(), CliError> {
    let name = path.display();
    if path.is_dir() {
        return Err(CliError::input(format!("{name} is a folder"), "nothing was written; name a file in it"));
    }
    if existing == Existing::Kept && path.exists() {
        let hint = "nothing was written; --force replaces it";
        return Err(CliError::input(format!("{name} is there already"), hint));
    }
    Ok(())
}

fn unwritable(path: &Path, source: std::io::Error) -> CliError {
    CliError::Write { path: path.to_owned(), source }
}
