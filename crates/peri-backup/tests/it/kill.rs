//! kill -9 at random moments: the store is always whole, old or new, and no half backup counts.
//!
//! `PERI_CRASH_KILLS=500 cargo test -p peri-backup --test it kill` kills more often than the default.

use std::path::Path;

use peri_backup::{Backups, Depth};
use peri_store::{SqliteSettings, SqliteStore, Store as _};
use perihelion::{Perihelion, Remember, Trashed};

use crate::support::{OVERWRITE, Random, Worker, all, create, open, restore, role, tell};

fn kills() -> u64 {
    std::env::var("PERI_CRASH_KILLS").map_or(24, |kills| kills.parse().unwrap())
}

fn fill(engine: &Perihelion, what: &str, count: u64) {
    let batch =
        (0..count).map(|number| Remember::new(format!("{what} number {number} of the long list"))).collect();
    engine.remember_all(batch).unwrap();
}

/// The worker: makes backups until it is killed.
#[test]
fn creator() {
    let Some(folder) = role("kill::creator") else { return };
    let engine = open(folder.as_ref());
    let backups = Backups::beside(folder.as_ref());
    loop {
        tell("begin");
        tell(format!("made {}", create(&backups, &engine).manifest.name));
    }
}

/// The worker: restores one backup and the other by turns until it is killed.
#[test]
fn restorer() {
    let Some(folder) = role("kill::restorer") else { return };
    let engine = open(folder.as_ref());
    let backups = Backups::beside(folder.as_ref());
    let names: Vec<_> = backups.list().unwrap().into_iter().map(|(name, _)| name).collect();
    let how = peri_backup::Restore { safety: peri_backup::SafetyBackup::Skipped, ..OVERWRITE };
    for name in names.iter().take(2).cycle() {
        tell("begin");
        restore(&backups, name, &engine, how).unwrap();
    }
}

fn live_and_die(test: &str, folder: &Path, random: &mut Random) -> Vec<String> {
    let mut worker = Worker::start(None, test, folder);
    let mut told = Vec::new();
    for _ in 0..=random.below(3) {
        told.extend(worker.hear());
    }
    (0..random.below(12_000_000)).for_each(|_| std::hint::spin_loop());
    worker.child.kill().unwrap();
    told.extend(std::iter::from_fn(|| worker.hear()));
    assert!(!worker.child.wait().unwrap().success(), "killed, not ended");
    told
}

#[test]
fn a_killed_backup_counts_for_nothing_and_those_before_it_stay_whole() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    fill(&engine, "entry", 400);
    let backups = Backups::beside(folder.path());
    let mut random = Random(1);
    let mut made = Vec::new();
    for _ in 0..kills() {
        for line in live_and_die("kill::creator", folder.path(), &mut random) {
            made.extend(line.strip_prefix("made ").map(ToOwned::to_owned));
        }
        let listed: Vec<_> = backups.list().unwrap().into_iter().map(|(name, _)| name.to_string()).collect();
        assert!(made.iter().all(|name| listed.contains(name)), "{made:?} {listed:?}");
    }
    for (name, manifest) in backups.list().unwrap() {
        manifest.unwrap();
        assert_eq!(backups.verify(&name, Depth::Quick, &mut |_| {}).unwrap().problems, [] as [String; 0]);
    }
    create(&backups, &engine);
    let left = std::fs::read_dir(folder.path().join("backups")).unwrap();
    let work =
        left.filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with('.')).count();
    assert_eq!(work, 0, "what the dead left is cleared away");
}

#[test]
fn a_killed_restore_leaves_the_old_state_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    fill(&engine, "old entry", 300);
    let backups = Backups::beside(folder.path());
    create(&backups, &engine);
    fill(&engine, "new entry", 500);
    create(&backups, &engine);
    let mut random = Random(2);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..kills() {
        live_and_die("kill::restorer", folder.path(), &mut random);
        let store = SqliteStore::open(&engine.database(), &SqliteSettings::default()).unwrap();
        assert_eq!(store.check().unwrap(), []);
        let count = all(&engine, Trashed::Without).len();
        assert!(count == 300 || count == 800, "{count}");
        let hits = engine.recall(&perihelion::Recall::new("new entry number 17")).unwrap().hits;
        let found = hits.iter().any(|hit| hit.memory.content.starts_with("new entry number 17 "));
        assert_eq!(found, count == 800, "an engine that stayed open sees what is there");
        seen.insert(count);
    }
    assert_eq!(seen.len(), 2, "both states were met");
}
