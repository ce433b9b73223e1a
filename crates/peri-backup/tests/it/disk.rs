//! Disks without room: a clear refusal, and no half backup.

use std::path::Path;
use std::process::Command;

use peri_backup::{BackupError, Backups, FolderDepot};
use perihelion::{ErrorKind, Perihelion, Remember};
use tempfile::TempDir;

use crate::support::{Random, Worker, files, open, role, tell};

/// A small file system in memory, unmounted when dropped.
struct Disk(TempDir);

impl Disk {
    /// `None` where this process may not mount.
    fn of(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs", folder.path().to_str().unwrap()])
            .output()
            .is_ok_and(|output| output.status.success());
        if !mounted {
            eprintln!("this process may not mount, so a case is left out");
        }
        mounted.then_some(Self(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").args(["--lazy", self.0.path().to_str().unwrap()]).output());
    }
}

/// About two megabytes that do not compress.
fn fill(engine: &Perihelion) {
    let mut random = Random(7);
    for number in 0..40 {
        let words: Vec<String> = (0..2000).map(|_| format!("{:016x}", random.next())).collect();
        engine.remember(Remember::new(format!("bulky{number} {}", words.join(" ")))).unwrap();
    }
}

#[test]
fn a_disk_without_room_is_told_before_anything_is_written() {
    let Some(disk) = Disk::of("2m") else { return };
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    fill(&engine);
    let backups = Backups::new(Box::new(FolderDepot::new(disk.0.path().join("x"))), folder.path());
    let error = backups.create(&engine, &mut |_| {}).unwrap_err();
    assert!(matches!(error, BackupError::NoRoom { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains("MB") && error.hint().unwrap().contains("make room"), "{error}");
    assert_eq!(files(disk.0.path()), [] as [String; 0]);
}

/// The worker: makes a backup where files cannot become large.
#[test]
fn limited() {
    let Some(folder) = role("disk::limited") else { return };
    let engine = open(folder.as_ref());
    let error = Backups::beside(folder.as_ref()).create(&engine, &mut |_| {}).unwrap_err();
    tell(format!("{:?} {error}", error.kind()));
}

#[test]
fn a_limit_that_is_met_on_the_way_leaves_no_half_backup() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    fill(&engine);
    engine.close().unwrap();
    for limit in ["200", "1200", "2400"] {
        // An ignored signal stays ignored in the program that the shell becomes: writes fail instead of killing.
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
        let mut worker = Worker::start(Some(("sh", &["-c", &script])), "disk::limited", folder.path());
        let told = worker.hear().unwrap_or_default();
        assert!(told.starts_with("Unavailable "), "{limit}: {told:?}");
        assert_eq!(files(&folder.path().join("backups")), [] as [String; 0], "{limit}");
    }
    check_works(folder.path());
}

fn check_works(folder: &Path) {
    let engine = open(folder);
    let created = Backups::beside(folder).create(&engine, &mut |_| {}).unwrap();
    assert_eq!(created.manifest.counts.memories, 40);
}
