//! The files of the record: one of JSON lines for each day, and a lock.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use peri_seal::{Purpose, Seal};

use super::{Entry, LedgerError};

/// Held while something is reserved or written, which takes a moment.
const LOCK: &str = "lock";
/// Whoever holds it longer is stopped or hangs.
const LOCK_WAIT: Duration = Duration::from_secs(10);
const LOCK_LOOK: Duration = Duration::from_millis(5);

/// The file of a day.
pub(crate) fn path(folder: &Path, day: Date) -> PathBuf {
    folder.join(format!("{day}.jsonl"))
}

/// The days of which there are files, the earliest first.
pub(crate) fn days(folder: &Path) -> Result<Vec<Date>, LedgerError> {
    let reading = |error: std::io::Error| LedgerError::reading(folder, &error);
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(reading)?,
    };
    let mut days = Vec::new();
    for entry in entries {
        let name = entry.map_err(reading)?.file_name();
        let day = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
        days.extend(day.and_then(|day| day.parse::<Date>().ok()));
    }
    days.sort_unstable();
    Ok(days)
}

/// How many bytes a file has; none if it is not there.
pub(crate) fn length(path: &Path) -> Result<u64, LedgerError> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        found => found.map(|found| found.len()).map_err(|error| LedgerError::reading(path, &error)),
    }
}

/// The entries behind a place of a file, and where the last whole line ends. Lines that nobody can read were torn by
/// a crash: a reservation torn so was never acted upon, and what it should have settled counts in full.
pub(crate) fn entries(path: &Path, from: u64, seal: &Seal) -> Result<(Vec<Entry>, u64), LedgerError> {
    let reading = |error: std::io::Error| LedgerError::reading(path, &error);
    let mut file = match peri_private::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        file => file.map_err(reading)?,
    };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from)).and_then(|_| file.read_to_end(&mut bytes)).map_err(reading)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut entries = Vec::new();
    for line in bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        // What is sealed under another key is not torn; to count it as nothing would let more be spent.
        let line = seal.open_line(Purpose::Ledger, line).map_err(|error| reading(error.into()))?;
        match serde_json::from_slice(&line) {
            Ok(entry) => entries.push(entry),
            Err(error) => tracing::debug!(%error, path = %path.display(), "a torn line is skipped"),
        }
    }
    Ok((entries, from + whole as u64))
}

/// Whether a line has to survive a power cut before it is acted upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durable {
    Now,
    Later,
}

/// The right to write, until it is dropped.
pub(crate) struct Locked<'a> {
    folder: &'a Path,
    seal: &'a Seal,
    _lock: File,
}

/// Waits for the right to write.
pub(crate) fn lock<'a>(folder: &'a Path, seal: &'a Seal) -> Result<Locked<'a>, LedgerError> {
    let path = folder.join(LOCK);
    let writing = |error: std::io::Error| LedgerError::writing(&path, &error);
    let lock = match open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            peri_private::create_folder(folder).map_err(writing)?;
            open(&path).map_err(writing)?
        }
        opened => opened.map_err(writing)?,
    };
    let began = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Locked { folder, seal, _lock: lock }),
            Err(TryLockError::Error(error)) => return Err(writing(error)),
            Err(TryLockError::WouldBlock) if began.elapsed() > LOCK_WAIT => {
                return Err(LedgerError::Busy { path: folder.to_owned() });
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_LOOK),
        }
    }
}

/// Opens a file to append to; only its owner may read it.
fn open(path: &Path) -> std::io::Result<File> {
    peri_private::file(path).create(true).read(true).append(true).open(path)
}

impl Locked<'_> {
    /// Appends lines to a day's file. A line that could not be written whole is taken back.
    pub(crate) fn append(&self, day: Date, entries: &[Entry], durable: Durable) -> Result<(), LedgerError> {
        let path = path(self.folder, day);
        let writing = |error: std::io::Error| LedgerError::writing(&path, &error);
        let is_new = !path.exists();
        let mut file = open(&path).map_err(writing)?;
        let before = file.metadata().map_err(writing)?.len();
        let mut bytes = Vec::new();
        if before > 0 && !ends_with_line(&mut file).map_err(writing)? {
            bytes.push(b'\n');
        }
        for entry in entries {
            let line = serde_json::to_string(entry).map_err(|error| writing(error.into()))?;
            bytes.extend_from_slice(self.seal.seal_line(Purpose::Ledger, line).map_err(writing)?.as_bytes());
            bytes.push(b'\n');
        }
        let written = file.write_all(&bytes).and_then(|()| match durable {
            Durable::Now => file.sync_data(),
            Durable::Later => Ok(()),
        });
        if let Err(error) = written {
            if let Err(error) = file.set_len(before) {
                tracing::warn!(%error, path = %path.display(), "half a line could not be taken back");
            }
            return Err(writing(error));
        }
        if is_new { self.sync_names() } else { Ok(()) }
    }

    /// Makes the names in the folder, and its own, durable.
    fn sync_names(&self) -> Result<(), LedgerError> {
        // Elsewhere folders cannot be opened like files, and making files is durable by itself.
        if cfg!(unix) {
            for folder in [Some(self.folder), self.folder.parent()].into_iter().flatten() {
                let synced = peri_private::flush_folder(folder);
                synced.map_err(|error| LedgerError::writing(folder, &error))?;
            }
        }
        Ok(())
    }
}

/// Whether the last line was written to its end.
fn ends_with_line(file: &mut File) -> std::io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
