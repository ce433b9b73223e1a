//! Getting ready for a restore while others write: nobody waits for it, and nothing they wrote is lost unsaved.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use peri_backup::{
    BackupError, BackupName, Backups, Depot, FolderDepot, Held, Overwrite, Restore, SafetyBackup,
};
use perihelion::{ErrorKind, Perihelion, Scope};

use crate::support::{CAREFUL, OVERWRITE, clock, create, export, finds, furnished, keep, open_at, restore};

const NEW: &str = "Callisto is the new production server";

/// Writes something while the safety backup is made, which would fail if anybody held the lock.
fn write_each_time(other: &Perihelion, most: u64) -> impl FnMut(u64) {
    let mut written = 0;
    move |_| {
        if written < most {
            keep(other, &format!("entry {written} of those who do not wait"));
            written += 1;
        }
    }
}

#[test]
fn what_is_written_while_the_safety_backup_is_made_is_in_the_one_that_counts() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let other = open_at(folder.path(), &time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let expected = export(&engine);
    keep(&engine, NEW);
    let prepared = backups.prepare(&name, &engine, &mut |_| {}).unwrap();
    let restored = prepared.apply(OVERWRITE, &mut write_each_time(&other, 3)).unwrap();
    assert_eq!((export(&engine), export(&other)), (expected.clone(), expected));
    let safety = restored.safety_backup.unwrap();
    let made: Vec<_> = backups.list().unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(made.iter().filter(|name| name.is_before_restore()).collect::<Vec<_>>(), [&safety]);
    restore(&backups, &safety, &engine, OVERWRITE).unwrap();
    for written in [NEW, "entry 0 of those who do not wait", "entry 2 of those who do not wait"] {
        assert!(finds(&other, written, written), "{written}");
    }
}

#[test]
fn a_restore_that_is_always_overtaken_changes_nothing_and_says_so() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let other = open_at(folder.path(), &time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    keep(&engine, NEW);
    let prepared = backups.prepare(&name, &engine, &mut |_| {}).unwrap();
    let error = prepared.apply(OVERWRITE, &mut write_each_time(&other, u64::MAX)).unwrap_err();
    assert!(matches!(error, BackupError::Overtaken), "{error}");
    assert_eq!(error.kind(), ErrorKind::Busy);
    assert!(error.hint().unwrap().contains("--no-safety-backup"));
    assert!(finds(&engine, NEW, NEW));
    assert_eq!(backups.list().unwrap().len(), 1, "backups of what was not replaced are gone");
    // Without a backup there is nothing to be overtaken in.
    let unsaved = Restore { safety: SafetyBackup::Skipped, ..OVERWRITE };
    prepared.apply(unsaved, &mut write_each_time(&other, u64::MAX)).unwrap();
    assert!(!finds(&engine, NEW, NEW));
}

#[test]
fn whoever_writes_after_the_comparison_is_not_overwritten_unasked() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    // The very same state: nothing can be lost.
    let prepared = backups.prepare(&name, &engine, &mut |_| {}).unwrap();
    keep(&engine, NEW);
    let refused = prepared.apply(CAREFUL, &mut |_| {});
    assert!(matches!(refused, Err(BackupError::WouldOverwrite { loss, .. }) if loss.added == 1));
    assert!(finds(&engine, NEW, NEW));
}

/// A folder that counts how often a database is fetched from it.
struct Counting {
    folder: FolderDepot,
    fetched: Arc<AtomicU64>,
}

impl Depot for Counting {
    fn place(&self) -> String {
        self.folder.place()
    }

    fn folder(&self) -> Option<&Path> {
        self.folder.folder()
    }

    fn free_bytes(&self) -> Option<u64> {
        self.folder.free_bytes()
    }

    fn put(&self, path: &str, bytes: &mut dyn Read) -> Result<(), BackupError> {
        self.folder.put(path, bytes)
    }

    fn settle(&self, name: &BackupName) -> Result<(), BackupError> {
        self.folder.settle(name)
    }

    fn get(
        &self,
        path: &str,
        sink: &mut dyn FnMut(&[u8]) -> Result<(), BackupError>,
    ) -> Result<bool, BackupError> {
        self.fetched.fetch_add(u64::from(path.ends_with("perihelion.db.zst")), Ordering::Relaxed);
        self.folder.get(path, sink)
    }

    fn held(&self) -> Result<Vec<Held>, BackupError> {
        self.folder.held()
    }

    fn remove(&self, name: &BackupName) -> Result<(), BackupError> {
        self.folder.remove(name)
    }
}

#[test]
fn a_restore_that_was_refused_and_then_allowed_fetches_once() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let elsewhere = tempfile::tempdir().unwrap();
    let fetched = Arc::new(AtomicU64::new(0));
    let depot =
        Counting { folder: FolderDepot::new(elsewhere.path().join("x")), fetched: Arc::clone(&fetched) };
    let backups = Backups::new(Box::new(depot), folder.path());
    let name = create(&backups, &engine).manifest.name;
    let expected = export(&engine);
    let gone = keep(&engine, NEW);
    fetched.store(0, Ordering::Relaxed);
    let prepared = backups.prepare(&name, &engine, &mut |_| {}).unwrap();
    assert!(matches!(prepared.apply(CAREFUL, &mut |_| {}), Err(BackupError::WouldOverwrite { .. })));
    assert!(engine.get(&Scope::All, gone).is_ok());
    let allowed = Restore { overwrite: Overwrite::Allowed, ..CAREFUL };
    prepared.apply(allowed, &mut |_| {}).unwrap();
    assert_eq!(export(&engine), expected);
    assert_eq!(fetched.load(Ordering::Relaxed), 1);
    drop(prepared);
    let work = std::fs::read_dir(folder.path().join("backups")).unwrap();
    let left = work.filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with('.'));
    assert_eq!(left.count(), 0, "the fetched files are gone");
}
