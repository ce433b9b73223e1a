//! What went wrong in hooks, for people: agents are never told.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use perihelion::Timestamp;

/// Of the log so many bytes are kept, twice.
const BYTES_MAX: u64 = 256 * 1024;

/// Where the log is in the data folder.
pub(super) fn file(home: &Path) -> PathBuf {
    home.join("logs").join("hooks.log")
}

/// Writes down what went wrong. If not even that can be done, nobody is told.
pub(super) fn note(home: &Path, what: &str, error: &dyn std::error::Error) {
    if let Err(own) = write(home, what, error) {
        tracing::debug!(%own, "not even that can be written down");
    }
}

/// The last thing that went wrong within a day.
pub(super) fn latest(home: &Path) -> Option<String> {
    let log = peri_private::read_text(file(home)).ok()?;
    let line = log.lines().next_back()?;
    let at: Timestamp = line.split_whitespace().next()?.parse().ok()?;
    let is_recent = Timestamp::now().duration_since(at) < jiff::SignedDuration::from_hours(24);
    is_recent.then(|| line.to_owned())
}

fn write(home: &Path, what: &str, error: &dyn std::error::Error) -> std::io::Result<()> {
    let file = file(home);
    if let Some(folder) = file.parent() {
        peri_private::create_folder(folder)?;
    }
    if std::fs::metadata(&file).is_ok_and(|file| file.len() > BYTES_MAX) {
        std::fs::rename(&file, file.with_extension("log.1"))?;
    }
    let mut line = format!("{} {what}: {error}", Timestamp::now());
    let mut cause = error.source();
    while let Some(own) = cause {
        line.push_str(&format!(": {own}"));
        cause = own.source();
    }
    let line = peri_text::redact(&line).text.replace('\n', " ");
    let mut log = peri_private::file(&file).create(true).append(true).open(file)?;
    log.write_all(format!("{line}\n").as_bytes())
}
