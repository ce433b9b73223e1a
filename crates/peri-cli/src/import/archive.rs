//! Exports as people have them: a file, the archive it came in, the folder that was unpacked from it, or a pipe.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use zip::ZipArchive;

use super::progress;
use super::unpacked::{Packed, Unpacked};
use crate::error::CliError;

/// A file that holds records, or a part of it.
pub(super) struct Part<'a> {
    /// Its name in messages, where there is more than one.
    pub(super) name: Option<String>,
    /// What it holds.
    pub(super) reader: Box<dyn Read + 'a>,
}

/// An export that is there.
pub(crate) struct Export {
    /// What it is called in messages.
    pub(crate) name: String,
    holds: Holds,
}

enum Holds {
    Pipe,
    /// What the user named, with what was read of it already: it may be a pipe, which is read once.
    Named(Vec<u8>, File),
    Files(Vec<PathBuf>),
    Archive(ZipArchive<File>, Vec<usize>),
}

impl Export {
    /// Finds the export. `is_wanted` says by their names which files of an archive or a folder hold records.
    pub(crate) fn open(file: &Path, is_wanted: fn(&str) -> bool) -> Result<Self, CliError> {
        if file == Path::new("-") {
            return Self::pipe();
        }
        let name = file.display().to_string();
        if file.is_dir() {
            return Self::folder(file, name, is_wanted);
        }
        let unreadable = |source| CliError::read(&name, source);
        let mut opened = peri_private::open_named(file).map_err(unreadable)?;
        let mut magic = Vec::new();
        opened.by_ref().take(4).read_to_end(&mut magic).map_err(unreadable)?;
        if !magic.starts_with(b"PK\x03\x04") && !magic.starts_with(b"PK\x05\x06") {
            return Ok(Self { name, holds: Holds::Named(magic, opened) });
        }
        opened.rewind().map_err(unreadable)?;
        Self::archive(opened, name, is_wanted)
    }

    fn pipe() -> Result<Self, CliError> {
        if io::stdin().is_terminal() {
            return Err(CliError::input(
                "nothing is piped in",
                "nothing was stored; name the file instead of -",
            ));
        }
        Ok(Self { name: "standard input".to_owned(), holds: Holds::Pipe })
    }

    fn folder(folder: &Path, name: String, is_wanted: fn(&str) -> bool) -> Result<Self, CliError> {
        let unreadable = |source| CliError::read(&name, source);
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            if entry.file_type().map_err(unreadable)?.is_file()
                && is_wanted(&entry.file_name().to_string_lossy())
            {
                files.push(entry.path());
            }
        }
        files.sort();
        if files.is_empty() {
            return Err(nothing_in(&name, "folder"));
        }
        Ok(Self { name, holds: Holds::Files(files) })
    }

    fn archive(file: File, name: String, is_wanted: fn(&str) -> bool) -> Result<Self, CliError> {
        let mut archive = ZipArchive::new(file).map_err(|error| {
            CliError::input(
                format!("{name} is an archive that cannot be read: {error}"),
                "nothing was stored; fetch it again, it may have been cut off",
            )
        })?;
        let mut wanted = Vec::new();
        for index in 0..archive.len() {
            let Ok(entry) = archive.by_index_raw(index) else { continue };
            let Ok(path) = entry.name().map(String::from) else { continue };
            let base = path.rsplit('/').next().unwrap_or(&path);
            if entry.is_file() && is_wanted(base) && !path.starts_with("__MACOSX/") {
                wanted.push((path, index));
            }
        }
        wanted.sort();
        if wanted.is_empty() {
            return Err(nothing_in(&name, "archive"));
        }
        Ok(Self {
            name,
            holds: Holds::Archive(archive, wanted.into_iter().map(|(_, index)| index).collect()),
        })
    }

    /// Hands out every part, in the order of their names, and shows how far it is where somebody looks.
    pub(super) fn each(
        self,
        shown: bool,
        take: &mut dyn FnMut(Part<'_>) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        match self.holds {
            Holds::Pipe => {
                let progress = progress(None, shown);
                let outcome = take(Part {
                    name: None,
                    reader: Box::new(NoArchive { reader: progress.wrap_read(io::stdin().lock()), at: 0 }),
                });
                progress.finish_and_clear();
                outcome
            }
            Holds::Named(begun, file) => {
                let bytes = file.metadata().ok().filter(|file| file.is_file()).map(|file| file.len());
                let progress = progress(bytes, shown);
                let reader = progress.wrap_read(io::Cursor::new(begun).chain(file));
                let outcome = take(Part { name: None, reader: Box::new(reader) });
                progress.finish_and_clear();
                outcome
            }
            Holds::Files(files) => {
                let several = files.len() > 1;
                files.iter().try_for_each(|path| {
                    let name = path.display().to_string();
                    let file = peri_private::open(path).map_err(|source| CliError::read(&name, source))?;
                    let bytes = file.metadata().ok().map(|file| file.len());
                    let progress = progress(bytes, shown);
                    let reader = Box::new(progress.wrap_read(file));
                    let outcome = take(Part { name: several.then(|| base_of(&name)), reader });
                    progress.finish_and_clear();
                    outcome
                })
            }
            Holds::Archive(archive, wanted) => each_entry(archive, &wanted, shown, take),
        }
    }
}

fn each_entry(
    mut archive: ZipArchive<File>,
    wanted: &[usize],
    shown: bool,
    take: &mut dyn FnMut(Part<'_>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut total = 0;
    for index in wanted {
        let entry = archive.by_index(*index).map_err(|error| {
            CliError::input(
                format!("a file of the archive cannot be read: {error}"),
                "unpack the archive and import the folder; what is stored already is not doubled",
            )
        })?;
        let name = entry.name().map_or_else(|_| format!("file {index}"), |name| base_of(&name));
        let progress: ProgressBar = progress(Some(entry.size()), shown);
        let packed = entry.compressed_size();
        let mut unpacked = Unpacked::new(progress.wrap_read(entry), Packed::Bytes(packed), total);
        let named = (wanted.len() > 1).then_some(name);
        let outcome = take(Part { name: named, reader: Box::new(&mut unpacked) });
        total = unpacked.total;
        progress.finish_and_clear();
        outcome?;
    }
    Ok(())
}

fn base_of(path: &str) -> String {
    path.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(path).to_owned()
}

fn nothing_in(name: &str, what: &str) -> CliError {
    CliError::input(
        format!("{name} is a {what} without the file that an export has"),
        "nothing was stored; conversations are in conversations.json, mem0's memories in memories.json",
    )
}

/// A pipe, which cannot be an archive: those are read from their end.
struct NoArchive<R> {
    reader: R,
    at: u64,
}

impl<R: Read> Read for NoArchive<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        if self.at == 0 && buffer[..read].starts_with(b"PK\x03\x04") {
            return Err(io::Error::other("an archive cannot be read from a pipe; name the file"));
        }
        self.at += read as u64;
        Ok(read)
    }
}
