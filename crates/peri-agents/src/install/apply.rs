//! Carrying a plan out: every file is written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::ApplyError;
use super::planning::{Backup, FileChange, Plan, read};

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    /// Files that were written or removed.
    pub changed: Vec<PathBuf>,
    /// Copies of originals that were made.
    pub backups: Vec<PathBuf>,
}

/// Writes what the plan says, file by file.
///
/// # Errors
/// Nothing is written if any of the files is not as it was planned from. If one cannot be written, those before it stay
/// written, and the error lists them.
pub fn apply(plan: &Plan) -> Result<Applied, ApplyError> {
    if let Some(change) = plan.files.iter().find(|change| !is_as_planned(change)) {
        return Err(ApplyError::Changed { path: change.path.clone() });
    }
    let mut applied = Applied::default();
    for (index, change) in plan.files.iter().enumerate() {
        if let Err(source) = carry_out(change) {
            // The error may have come after the file was in its place.
            let is_done = read(&change.file).is_ok_and(|text| text == change.after);
            applied.changed.extend(is_done.then(|| change.path.clone()));
            let left = plan.files[index + usize::from(is_done)..].iter();
            return Err(ApplyError::Failed {
                path: change.path.clone(),
                source,
                changed: applied.changed,
                unchanged: left.map(|change| change.path.clone()).collect(),
            });
        }
        applied.changed.push(change.path.clone());
        if let Backup::Make(path) = &change.backup {
            applied.backups.push(path.clone());
        }
    }
    Ok(applied)
}

fn is_as_planned(change: &FileChange) -> bool {
    let present = read(&change.file);
    let leads_there =
        change.path == change.file || fs::canonicalize(&change.path).is_ok_and(|file| file == change.file);
    leads_there && present.is_ok_and(|text| text == change.before)
}

fn carry_out(change: &FileChange) -> io::Result<()> {
    let folder = change.file.parent().unwrap_or(Path::new("."));
    make_folder(folder)?;
    if let (Backup::Make(path), Some(before)) = (&change.backup, &change.before) {
        replace(path, before, &change.file)?;
    }
    if !is_as_planned(change) {
        return Err(io::Error::other("it was changed by somebody else at the same moment"));
    }
    match &change.after {
        Some(after) => replace(&change.file, after, &change.file)?,
        None => fs::remove_file(&change.file)?,
    }
    if let Backup::Spend(path) = &change.backup {
        fs::remove_file(path)?;
    }
    peri_private::flush_folder(folder)
}

static COUNT: AtomicU64 = AtomicU64::new(0);

/// Writes a text beside the file, durably, and puts it in its place. It is as readable as the model is, and for others no
/// more at any moment.
fn replace(file: &Path, text: &str, model: &Path) -> io::Result<()> {
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(format!(".peri-{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let beside = file.with_file_name(name);
    let written = write_like(&beside, text, model).and_then(|()| fs::rename(&beside, file));
    if written.is_err()
        && let Err(error) = fs::remove_file(&beside)
        && error.kind() != ErrorKind::NotFound
    {
        tracing::debug!(file = %beside.display(), %error, "a half-written file is left");
    }
    written
}

fn write_like(beside: &Path, text: &str, model: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let found = fs::metadata(model).ok();
    // Agents run what these files say: whatever the umask is, nobody else writes to one that is made here.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if found.is_some() { 0o600 } else { 0o644 });
    let mut file = options.open(beside)?;
    file.write_all(text.as_bytes())?;
    if let Some(found) = found {
        keep_owner(&file, &found)?;
        file.set_permissions(found.permissions())?;
    }
    file.sync_all()
}

#[cfg(unix)]
fn keep_owner(file: &File, found: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let ours = file.metadata()?;
    if (ours.uid(), ours.gid()) == (found.uid(), found.gid()) {
        return Ok(());
    }
    std::os::unix::fs::fchown(file, Some(found.uid()), Some(found.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Makes a folder that nobody else writes to, and those above it.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o755);
    builder.create(folder)
}
