//! Calls that waited when the backup was made come back, and each is made once.

use std::path::Path;

use peri_backup::Backups;
use perihelion::{Perihelion, Trashed};

use crate::support::{OVERWRITE, all, clock, furnished, keep, open_at, restore};

/// Holds the database's lock, so that nobody else can write.
fn held(folder: &Path) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(folder.join("perihelion.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

fn count(engine: &Perihelion, content: &str) -> usize {
    all(engine, Trashed::Without).iter().filter(|memory| memory.content == content).count()
}

fn impatient(folder: &Path, time: &perihelion::Clock) -> Perihelion {
    let options = perihelion::Options {
        chores: perihelion::Chores::ByHand,
        clock: time.clone(),
        busy_timeout: std::time::Duration::ZERO,
        ..perihelion::Options::at(folder)
    };
    Perihelion::open(options).unwrap()
}

#[test]
fn a_write_that_waited_when_the_backup_was_made_is_there_once_after_every_restore() {
    const WAITED: &str = "기다린 기억";
    let time = clock();
    let (folder, engine) = furnished(&time);
    engine.close().unwrap();
    let backups = Backups::beside(folder.path());
    let lock = held(folder.path());
    let engine = impatient(folder.path(), &time);
    engine.remember(perihelion::Remember::new(WAITED)).unwrap();
    assert_eq!(count(&engine, WAITED), 0, "it waits");
    let name = backups.create(&engine, &mut |_| {});
    // It cannot be told, but it is made.
    let name = match name {
        Ok(created) => created.manifest.name,
        Err(_) => backups.find("latest").unwrap(),
    };
    lock.execute_batch("ROLLBACK").unwrap();
    engine.close().unwrap();
    let engine = open_at(folder.path(), &time);
    engine.maintain().unwrap();
    assert_eq!(count(&engine, WAITED), 1, "it was made");
    for _ in 0..2 {
        keep(&engine, "newer");
        let restored = restore(&backups, &name, &engine, OVERWRITE).unwrap();
        assert!(restored.written.iter().any(|file| file.starts_with("queue/")), "{restored:?}");
        let again = open_at(folder.path(), &time);
        again.maintain().unwrap();
        assert_eq!(count(&again, WAITED), 1);
        assert_eq!(count(&again, "newer"), 0);
        again.close().unwrap();
    }
    // Elsewhere it is made too.
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    restore(&backups, &name, &other, OVERWRITE).unwrap();
    other.close().unwrap();
    let other = open_at(to.path(), &time);
    other.maintain().unwrap();
    assert_eq!(count(&other, WAITED), 1);
}
