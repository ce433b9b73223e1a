//! A kill between the database and the rest of a restore: it is told, and the same restore again finishes it.

use peri_backup::{Backups, Restore, SafetyBackup};
use perihelion::{Hear, Observe, Perihelion, Said, SaidBy, Verdict};

use crate::support::{OVERWRITE, Worker, create, export, keep, open, restore, role};

/// The worker: restores the latest backup, and does not come to an end because the notes are held.
#[test]
fn restorer() {
    let Some(folder) = role("mixed::restorer") else { return };
    let engine = open(folder.as_ref());
    let backups = Backups::beside(folder.as_ref());
    let name = backups.find("latest").unwrap();
    let how = Restore { safety: SafetyBackup::Skipped, ..OVERWRITE };
    restore(&backups, &name, &engine, how).unwrap();
}

fn say(engine: &Perihelion, text: &str) {
    let at = engine.options().clock.now();
    let messages = vec![Said::new(SaidBy::User, text, at)];
    engine.hear(Hear { session: "회의".to_owned(), messages, ..Hear::default() }, Observe::Now).unwrap();
}

#[test]
fn a_restore_that_is_killed_after_the_database_is_told_of_and_finished_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("perihelion.toml");
    std::fs::write(&config, "[recall]\nlimit = 7\n").unwrap();
    let engine = open(folder.path());
    keep(&engine, "王芳喜欢在周末拍照");
    say(&engine, "앞으로 배포는 금요일에 하지 않기로 결정했어.");
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let expected = export(&engine);
    keep(&engine, "something new");
    std::fs::write(&config, "[recall]\nlimit = 3\n").unwrap();
    let notes = folder.path().join("notes/default");
    let mark = folder.path().join(Perihelion::RESTORING);
    let held = engine.hold_notes(&notes).unwrap();
    let mut worker = Worker::start(None, "mixed::restorer", folder.path());
    let is_half_done = || mark.exists() && std::fs::read_to_string(&config).unwrap().contains('7');
    while !is_half_done() {
        assert!(worker.child.try_wait().unwrap().is_none(), "it waits for the notes");
        std::thread::yield_now();
    }
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();
    drop(held);
    let told = engine.doctor().into_iter().find(|check| check.name == "restore").unwrap();
    assert_eq!(told.verdict, Verdict::Warning);
    assert!(told.remedy.unwrap().contains(&format!("peri backup restore {name} --overwrite")));
    assert!(!create(&backups, &engine).manifest.files.iter().any(|file| file.path == Perihelion::RESTORING));
    let again = restore(&backups, &name, &engine, OVERWRITE).unwrap();
    assert_eq!(again.interrupted.as_deref(), Some(name.as_str()));
    assert!(!mark.exists());
    assert!(engine.doctor().iter().all(|check| check.name != "restore"));
    assert_eq!(std::fs::read_to_string(&config).unwrap(), "[recall]\nlimit = 7\n");
    assert_eq!(export(&engine), expected);
}

#[test]
fn a_restore_that_fails_before_it_changes_anything_leaves_no_mark() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    keep(&engine, "먼저");
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    keep(&engine, "나중");
    assert!(restore(&backups, &name, &engine, crate::support::CAREFUL).is_err());
    assert!(!folder.path().join(Perihelion::RESTORING).exists());
    restore(&backups, &name, &engine, OVERWRITE).unwrap();
    assert!(!folder.path().join(Perihelion::RESTORING).exists());
}
