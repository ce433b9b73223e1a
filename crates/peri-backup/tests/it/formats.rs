//! Backups that earlier releases made: of stores in formats that this one no longer writes.

use std::path::Path;

use peri_backup::{BackupError, BackupName, Backups, Depth, FileEntry, Manifest};
use peri_store::StoreCopy;
use perihelion::{Perihelion, Recall, Scope, Trashed, Verdict};

use crate::support::{
    CAREFUL, OVERWRITE, all, clock, create, export, finds, furnished, keep, open_at, restore,
};

/// What each format added to the one before.
const FORMATS: [&str; 8] = [
    include_str!("../../../peri-store/src/sqlite/migrations/001_memories.sql"),
    include_str!("../../../peri-store/src/sqlite/migrations/002_lineage.sql"),
    include_str!("../../../peri-store/src/sqlite/migrations/003_superseded.sql"),
    include_str!("../../../peri-store/src/sqlite/migrations/004_orbit.sql"),
    include_str!("../../../peri-store/src/sqlite/migrations/005_keys.sql"),
    include_str!("../../../peri-store/src/sqlite/migrations/006_layers.sql"),
    include_str!("../../../peri-store/src/sqlite/migrations/007_journal.sql"),
    include_str!("../../../peri-store/src/sqlite/migrations/008_notes.sql"),
];

/// The format that brought orbits and edges.
const ORBITS: usize = 4;
/// The format that brought notes.
const NOTES: usize = 8;

/// The memory that the rows of format 4 link to.
const REPLACED: &str = "
    INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, superseded_by,
        created_at, updated_at, version, embedding, change)
    VALUES (1, x'01980000000070008000000000000002', '오래된 기억', x'01', 2, 0, 0.5, 0,
        x'01980000000070008000000000000001', 1600000000000, 1600000000000, 1, 0, 2);
    UPDATE counters SET value = 2 WHERE name = 'change';
    UPDATE namespaces SET change = 2";

const FIRST: &str = "written by format 1";
const SECOND: &str = "오래된 기억";

/// A database as a release of that format left it.
fn written_by(format: usize, path: &Path) {
    let old = rusqlite::Connection::open(path).unwrap();
    FORMATS[..format].iter().for_each(|step| old.execute_batch(step).unwrap());
    old.execute_batch(include_str!("../../../peri-store/tests/it/format_1.sql")).unwrap();
    old.execute_batch(REPLACED).unwrap();
    if format >= ORBITS {
        old.execute_batch(include_str!("../../../peri-store/tests/it/format_4.sql")).unwrap();
    }
    if format >= NOTES {
        old.execute_batch(include_str!("../../../peri-store/tests/it/format_8.sql")).unwrap();
    }
    old.pragma_update(None, "application_id", 0x5045_5249).unwrap();
    old.pragma_update(None, "user_version", format as u32).unwrap();
}

/// A backup of a database as it is, which no engine has opened.
fn archive(database: &Path, backups: &Path) -> BackupName {
    let facts = StoreCopy::open(database, None).unwrap().facts().unwrap();
    let created_at = "2025-11-01T00:00:00Z".parse().unwrap();
    let name = BackupName::new(created_at, facts.change);
    let folder = backups.join(name.as_str());
    std::fs::create_dir_all(&folder).unwrap();
    let plain = std::fs::read(database).unwrap();
    let stored = zstd::stream::encode_all(plain.as_slice(), 3).unwrap();
    std::fs::write(folder.join("perihelion.db.zst"), &stored).unwrap();
    let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
    let entry = FileEntry {
        path: "perihelion.db".to_owned(),
        size: plain.len() as u64,
        stored_size: stored.len() as u64,
        hash: hash(&plain),
        stored_hash: hash(&stored),
    };
    let mut manifest = Manifest {
        format: 1,
        name: name.clone(),
        created_at,
        version: "0.0.1".to_owned(),
        store_format: facts.format,
        identity: facts.identity,
        lineage: facts.lineage,
        change: facts.change,
        // Releases of then counted nothing else.
        counts: facts.counts.as_first_counted(),
        encrypted: false,
        files: vec![entry],
        hash: String::new(),
    };
    let written = |manifest: &Manifest| format!("{}\n", serde_json::to_string_pretty(manifest).unwrap());
    manifest.hash = hash(written(&manifest).as_bytes());
    std::fs::write(folder.join("manifest.json"), written(&manifest)).unwrap();
    name
}

fn check_restored(engine: &Perihelion, format: usize) {
    let told: Vec<_> = all(engine, Trashed::Without).into_iter().map(|memory| memory.content).collect();
    assert_eq!(told, [FIRST, SECOND], "format {format}");
    let hits = engine.recall(&Recall::new("written by format").in_scope(Scope::All)).unwrap().hits;
    assert!(hits.iter().any(|hit| hit.memory.content == FIRST), "format {format}");
    assert!(!finds(engine, "Ganymede", "The staging server is called Ganymede"), "format {format}");
    // Earlier formats kept no vectors of this model; they are made like those of any new memory.
    engine.maintain().unwrap();
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "format {format}: {check:?}");
    }
    if format >= ORBITS {
        let memory = &all(engine, Trashed::Without)[0];
        assert_eq!(engine.edges(&Scope::All, memory.id).unwrap().len(), 1, "its links came along");
    }
    keep(engine, "그리고 여기서부터 계속된다");
    assert!(finds(engine, "계속된다", "그리고 여기서부터 계속된다"), "format {format}");
}

#[test]
fn a_backup_of_every_earlier_format_is_verified_and_restored_into_an_empty_folder() {
    for format in 1..=FORMATS.len() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("old.db");
        written_by(format, &database);
        let name = archive(&database, &folder.path().join("backups"));
        let backups = Backups::beside(folder.path());
        let verified = backups.verify(&name, Depth::Deep, &mut |_| {}).unwrap();
        assert_eq!(verified.problems, [] as [String; 0], "format {format}");
        let to = tempfile::tempdir().unwrap();
        let engine = open_at(to.path(), &clock());
        let restored = restore(&backups, &name, &engine, CAREFUL).unwrap();
        assert_eq!((restored.memories, restored.gone, restored.safety_backup), (2, 0, None));
        check_restored(&engine, format);
        engine.close().unwrap();
        // The backup itself is as it was.
        assert_eq!(backups.verify(&name, Depth::Deep, &mut |_| {}).unwrap().problems, [] as [String; 0]);
    }
}

#[test]
fn a_backup_of_every_earlier_format_replaces_a_newer_store_only_when_asked_and_all_follow() {
    for format in 1..=FORMATS.len() {
        let time = clock();
        let (folder, engine) = furnished(&time);
        let watcher = open_at(folder.path(), &time);
        assert!(finds(&watcher, "Ganymede", "The staging server is called Ganymede"));
        let before = export(&engine);
        let elsewhere = tempfile::tempdir().unwrap();
        let database = elsewhere.path().join("old.db");
        written_by(format, &database);
        let name = archive(&database, &elsewhere.path().join("backups"));
        let backups = Backups::beside(elsewhere.path());
        match restore(&backups, &name, &engine, CAREFUL) {
            Err(BackupError::WouldOverwrite { loss, .. }) => assert_eq!((loss.added, loss.purged), (5, 2)),
            other => panic!("format {format}: {other:?}"),
        }
        assert_eq!(export(&engine), before);
        let restored = restore(&backups, &name, &engine, OVERWRITE).unwrap();
        assert_eq!((restored.memories, restored.gone), (2, 5), "format {format}");
        check_restored(&watcher, format);
        let safety = restored.safety_backup.unwrap();
        restore(&Backups::beside(folder.path()), &safety, &engine, OVERWRITE).unwrap();
        assert_eq!((export(&engine), export(&watcher)), (before.clone(), before));
    }
}

#[test]
fn a_backup_made_of_an_old_folder_is_of_the_newest_format() {
    for format in 1..=FORMATS.len() {
        let folder = tempfile::tempdir().unwrap();
        written_by(format, &folder.path().join("perihelion.db"));
        let engine = open_at(folder.path(), &clock());
        let backups = Backups::beside(folder.path());
        let manifest = create(&backups, &engine).manifest;
        assert_eq!(manifest.store_format, engine.store_facts().unwrap().format);
        assert!(manifest.store_format as usize > FORMATS.len());
        let to = tempfile::tempdir().unwrap();
        let other = open_at(to.path(), &clock());
        restore(&backups, &manifest.name, &other, CAREFUL).unwrap();
        assert_eq!(export(&other), export(&engine));
    }
}
