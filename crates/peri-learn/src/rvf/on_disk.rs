//! A file on the disk: which one it is, and putting another in its place, whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::error::RvfError;

/// How many damaged files are kept beside a file before it is refused to write more of them.
const DAMAGED_MAX: u32 = 100;

/// What tells one state of a file from another: every write by us makes a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    bytes: u64,
    modified: Option<SystemTime>,
    number: u64,
}

/// The state of the file of this name; none if there is none.
pub(super) fn state(path: &Path) -> Result<Option<State>, RvfError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(state_of(&metadata))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(RvfError::File { path: path.to_owned(), doing: "looked at", source }),
    }
}

pub(super) fn state_of(metadata: &fs::Metadata) -> State {
    State { bytes: metadata.len(), modified: metadata.modified().ok(), number: number_of(metadata) }
}

#[cfg(unix)]
fn number_of(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number_of(_metadata: &fs::Metadata) -> u64 {
    0
}

/// Puts what `fill` writes in the place of a file, readable by its owner alone. Until the very end the former file is
/// there, and afterwards the new one survives a power cut.
pub(super) fn replace(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), RvfError>,
) -> Result<State, RvfError> {
    let target = followed(path);
    let unfinished = unfinished(&target);
    let outcome = write(&unfinished, fill).and_then(|state| {
        fs::rename(&unfinished, &target).and_then(|()| flush_folder(&target)).map_err(io_error)?;
        Ok(state)
    });
    if outcome.is_err() {
        // Whatever went wrong is told; that half a file stays beside would add nothing.
        fs::remove_file(&unfinished).ok();
    }
    outcome.map_err(|error| error.of(path))
}

fn write(
    unfinished: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), RvfError>,
) -> Result<State, RvfError> {
    let mut output = BufWriter::new(create(unfinished).map_err(io_error)?);
    fill(&mut output)?;
    output.flush().map_err(io_error)?;
    let file = output.get_ref();
    file.sync_all().and_then(|()| file.metadata()).map(|metadata| state_of(&metadata)).map_err(io_error)
}

fn create(path: &Path) -> io::Result<File> {
    peri_private::own_file().write(true).create_new(true).open(path)
}

fn io_error(source: io::Error) -> RvfError {
    RvfError::Io { doing: "written", source }
}

/// The file that a link leads to, so that the link stays one.
fn followed(path: &Path) -> PathBuf {
    if path.is_symlink() {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    } else {
        path.to_owned()
    }
}

/// A name beside a file that nobody else uses.
fn unfinished(target: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    beside(target, &format!(".{}-{nanos}-{count}.unfinished", std::process::id()))
}

fn beside(target: &Path, ending: &str) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    target.with_file_name(name)
}

fn flush_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Elsewhere folders cannot be opened like files, and renaming is durable by itself.
    peri_private::flush_folder(folder)
}

/// Copies a damaged file beside itself, so that what could not be read of it is not lost. Gives the copy's name.
pub(super) fn keep_damaged(path: &Path) -> Result<PathBuf, RvfError> {
    let failed = |source| RvfError::File { path: path.to_owned(), doing: "copied aside", source };
    let names = (1..=DAMAGED_MAX).map(|number| beside(path, &format!(".damaged-{number}")));
    for name in names {
        let mut copy = match create(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            copy => copy.map_err(failed)?,
        };
        let copied = peri_private::open(path).and_then(|mut file| io::copy(&mut file, &mut copy));
        if let Err(error) = copied.and_then(|_| copy.sync_all()).and_then(|()| flush_folder(&name)) {
            // Half a copy would look like a whole one.
            fs::remove_file(&name).map_err(failed)?;
            return Err(failed(error));
        }
        return Ok(name);
    }
    Err(failed(io::Error::other(format!(
        "there are {DAMAGED_MAX} damaged files beside it; remove those you do not need"
    ))))
}
