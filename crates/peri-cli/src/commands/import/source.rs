//! What an import reads from: a file or a pipe, plain or compressed, and how it is known again.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use indicatif::ProgressBar;

use crate::commands::remember::open_file;
use crate::error::CliError;
use crate::import;
use crate::import::unpacked::{Counted, Unpacked};

/// How zstd begins.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// So much of either end of a file tells it from others.
const SAMPLE_BYTES: u64 = 64 * 1024;
const BUFFER_BYTES: usize = 256 * 1024;

/// A file or a pipe.
pub(in crate::commands) enum Source {
    File(File),
    Pipe,
}

impl Source {
    /// Opens a file; - is standard input.
    pub(in crate::commands) fn open(file: &Path, name: &str) -> Result<Self, CliError> {
        if file == Path::new("-") { Ok(Self::Pipe) } else { open_file(file, name).map(Self::File) }
    }

    /// What tells this import from others: the file, by its size and both ends, and how it is imported. There is
    /// nothing of the kind for a pipe.
    pub(in crate::commands) fn digest(
        &mut self,
        manner: &str,
        name: &str,
    ) -> Result<Option<String>, CliError> {
        let Self::File(file) = self else { return Ok(None) };
        let failed = |error| CliError::read(name, error);
        let about = file.metadata().map_err(failed)?;
        if !about.is_file() {
            return Ok(None);
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("peri {manner} {} ", about.len()).as_bytes());
        for start in [0, about.len().saturating_sub(SAMPLE_BYTES)] {
            file.seek(SeekFrom::Start(start)).map_err(failed)?;
            let mut sample = Vec::new();
            Read::take(&mut *file, SAMPLE_BYTES).read_to_end(&mut sample).map_err(failed)?;
            hasher.update(&sample);
        }
        file.rewind().map_err(failed)?;
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    /// The lines in it, and a bar that follows them.
    pub(in crate::commands) fn read(
        self,
        path: &Path,
        name: &str,
        wanted: bool,
    ) -> Result<(Box<dyn BufRead>, ProgressBar), CliError> {
        let bytes = match &self {
            Self::File(file) => file.metadata().ok().filter(|file| file.is_file()).map(|file| file.len()),
            Self::Pipe => None,
        };
        let progress = import::progress(bytes, wanted);
        let raw: Box<dyn Read> = match self {
            Self::File(file) => Box::new(progress.wrap_read(file)),
            Self::Pipe => Box::new(progress.wrap_read(std::io::stdin().lock())),
        };
        let mut raw = BufReader::with_capacity(BUFFER_BYTES, raw);
        let mut begins = Vec::with_capacity(ZSTD.len());
        Read::take(&mut raw, ZSTD.len() as u64)
            .read_to_end(&mut begins)
            .map_err(|error| CliError::read(name, error))?;
        let named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst"));
        let compressed = named || begins == ZSTD;
        let whole = Cursor::new(begins).chain(raw);
        if !compressed {
            return Ok((Box::new(whole), progress));
        }
        let (counted, so_far) = Counted::new(whole);
        let plain = zstd::Decoder::new(counted).map_err(|error| CliError::read(name, error))?;
        let plain = Unpacked::new(plain, so_far, 0);
        Ok((Box::new(BufReader::with_capacity(BUFFER_BYTES, plain)), progress))
    }
}
