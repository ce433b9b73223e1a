//! What the tests share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use peri_notes::{
    Confirmed, Draft, FileSettings, FileShelf, Handover, Item, Loan, Notes, Priority, Session, Sheet, Shelf,
    Wanted,
};
use peri_types::{Clock, Namespace, Timestamp};

/// A shelf in a folder that waits for others as long as a busy machine may need.
pub fn patient(root: &Path) -> FileShelf {
    FileShelf::new(root.join("notes"), FileSettings { lock_wait: Duration::from_secs(600) })
}

pub fn notes(shelf: impl Shelf + 'static) -> Notes {
    let clock = Clock::manual("2026-02-10T09:00:00Z".parse().unwrap());
    Notes::new(Arc::new(shelf), clock, |text: &str| text.chars().count())
}

/// Adds a note that matters.
pub fn add(sheet: &mut Sheet, text: &str, now: Timestamp) {
    sheet.add(Draft::new(Priority::High, text), now).unwrap();
}

pub fn session(name: &str) -> Session {
    name.parse().unwrap()
}

pub fn team() -> Namespace {
    "팀/김민수".parse().unwrap()
}

/// How long something is lent.
pub const LEASE: Duration = Duration::from_secs(60);

/// Lends what is wanted and confirms it; none if that was too late.
pub fn take(notes: &Notes, name: &str, wanted: Wanted) -> Option<Loan> {
    let loan = notes.lend(&team(), &session(name), wanted, LEASE).unwrap();
    let confirmed = notes.confirm(&team(), &session(name), &loan.id, &[]).unwrap();
    (confirmed == Confirmed::Done).then_some(loan)
}

/// Takes the new notes of a session.
pub fn take_new(notes: &Notes, name: &str) -> Vec<Item> {
    take(notes, name, Wanted::NOTHING.with_new()).map(|loan| loan.new).unwrap_or_default()
}

/// Takes notes of another session.
pub fn take_undelivered(notes: &Notes, name: &str) -> Option<Handover> {
    take(notes, name, Wanted::NOTHING.with_handover())?.handover
}

/// Every file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Files that should not be there when nothing is being changed.
pub fn left_over(folder: &Path) -> Vec<PathBuf> {
    let mut found = files(folder);
    found.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.ends_with(".part")
            || name == "intent.json"
            || path.components().any(|part| part.as_os_str() == "edited")
    });
    found
}
