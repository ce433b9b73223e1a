//! What a backup holds, and what it holds when others write all the while.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use peri_backup::{BackupError, Backups, Depth};
use perihelion::{EventKind, LogQuery, MemoryId, Remember, Trashed};

use crate::support::{Worker, all, clock, create, files, furnished, keep, open, open_at, role, tell};

#[test]
fn a_backup_holds_the_database_and_the_files_of_the_folder_and_nothing_derived() {
    let (folder, engine) = furnished(&clock());
    std::fs::create_dir_all(folder.path().join("notes/하위")).unwrap();
    std::fs::write(folder.path().join("notes/하위/笔记.md"), "x").unwrap();
    std::fs::write(folder.path().join("notes/mine.part"), "x").unwrap();
    std::fs::write(folder.path().join("logs/half.part"), "x").unwrap();
    let backups = Backups::beside(folder.path());
    let created = create(&backups, &engine);
    let place = folder.path().join("backups").join(created.manifest.name.as_str());
    let mut expected = vec![
        "logs/events.jsonl.zst",
        "manifest.json",
        "notes/mine.part.zst",
        "notes/하위/笔记.md.zst",
        "perihelion.db.zst",
        "perihelion.toml.zst",
    ];
    expected.sort_unstable();
    // Snapshots of episodes come along if there are any.
    let held: Vec<_> = files(&place).into_iter().filter(|file| !file.starts_with("snapshots/")).collect();
    assert_eq!(held, expected);
    let counts = created.manifest.counts;
    assert_eq!((counts.memories, counts.trashed, counts.namespaces), (4, 1, 2));
    assert_eq!(created.manifest.name.as_str()[..17], *"20260301T100000Z-");
    assert_eq!(created.manifest.files[0].path, "perihelion.db");
    let verified = backups.verify(&created.manifest.name, Depth::Deep, &mut |_| {}).unwrap();
    assert_eq!(verified.problems, [] as [String; 0]);
    // Nothing is left of the work.
    let left: Vec<_> = files(&folder.path().join("backups"))
        .into_iter()
        .filter(|file| !file.starts_with(created.manifest.name.as_str()))
        .collect();
    assert_eq!(left, [] as [String; 0]);
    let told = engine.events(&LogQuery { kinds: vec![EventKind::BackedUp], ..LogQuery::default() }).unwrap();
    assert_eq!(told.events.len(), 1);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_a_backup() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, engine) = furnished(&clock());
    create(&Backups::beside(folder.path()), &engine);
    let mut looked = vec![folder.path().join("backups")];
    while let Some(path) = looked.pop() {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        if path.is_dir() {
            looked.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

#[test]
fn what_was_purged_is_in_no_later_backup() {
    let (folder, engine) = furnished(&clock());
    let id = keep(&engine, "the password of the safe is wombat-seven-lantern");
    engine.forget(&perihelion::Scope::All, id).unwrap();
    engine.purge(&perihelion::Scope::All, id).unwrap();
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let stored = folder.path().join("backups").join(name.as_str()).join("perihelion.db.zst");
    let plain = zstd::stream::decode_all(std::fs::File::open(stored).unwrap()).unwrap();
    let holds = |needle: &[u8]| plain.windows(needle.len()).any(|window| window == needle);
    assert!(holds("Ganymede".as_bytes()) && !holds(b"wombat-seven-lantern"));
}

#[test]
fn two_backups_of_the_same_moment_have_names_of_their_own() {
    let (folder, engine) = furnished(&clock());
    let elsewhere = tempfile::tempdir().unwrap();
    let backups =
        Backups::new(Box::new(peri_backup::FolderDepot::new(elsewhere.path().join("x"))), folder.path());
    // Telling of a backup takes no change number, so the second is of the same state at the same time.
    let (one, two) = (create(&backups, &engine).manifest.name, create(&backups, &engine).manifest.name);
    assert!(one < two, "{one} {two}");
    assert_eq!(backups.list().unwrap().len(), 2);
    assert_eq!(backups.find("latest").unwrap(), two);
    assert!(matches!(backups.find("nonsense"), Err(BackupError::Name(_))));
    let missing = "20200101T000000Z-000000000001";
    assert!(matches!(backups.find(missing), Err(BackupError::NotFound { .. })));
    let nothing = Backups::beside(elsewhere.path());
    assert!(matches!(nothing.find("latest"), Err(BackupError::None { .. })));
}

/// The worker: writes until it is killed, and tells every receipt.
#[test]
fn writer() {
    let Some(folder) = role("create::writer") else { return };
    let engine = open(folder.as_ref());
    for number in 0_u64.. {
        let receipt =
            engine.remember(Remember::new(format!("process entry {number} of the harvest"))).unwrap();
        tell(format!("{} {}", receipt.id, receipt.change.0));
    }
}

#[test]
fn a_backup_under_load_holds_exactly_what_was_acknowledged_up_to_its_change_number() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let mut worker = Worker::start(None, "create::writer", folder.path());
    let mut receipts: HashMap<MemoryId, u64> = HashMap::new();
    let note = |receipts: &mut HashMap<MemoryId, u64>, line: &str| {
        let (id, change) = line.split_once(' ').unwrap();
        receipts.insert(id.parse().unwrap(), change.parse().unwrap());
    };
    note(&mut receipts, &worker.hear().unwrap());
    let stop = AtomicBool::new(false);
    let backups = Backups::beside(folder.path());
    let (manifests, told) = std::thread::scope(|threads| {
        let writers: Vec<_> = (0..3)
            .map(|thread| {
                let (engine, stop) = (&engine, &stop);
                threads.spawn(move || {
                    let mut own = Vec::new();
                    let mut number = 0;
                    while !stop.load(Ordering::Relaxed) {
                        let content = format!("thread {thread} entry {number} of the harvest");
                        let receipt = engine.remember(Remember::new(content)).unwrap();
                        own.push((receipt.id, receipt.change.0));
                        number += 1;
                    }
                    own
                })
            })
            .collect();
        let manifests: Vec<_> = (0..4).map(|_| create(&backups, &engine).manifest).collect();
        stop.store(true, Ordering::Relaxed);
        let told: Vec<_> = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        (manifests, told)
    });
    receipts.extend(told);
    worker.child.kill().unwrap();
    while let Some(line) = worker.hear() {
        note(&mut receipts, &line);
    }
    for manifest in manifests {
        let to = tempfile::tempdir().unwrap();
        let restored = open(to.path());
        let outcome =
            backups.restore(&manifest.name, &restored, crate::support::CAREFUL, &mut |_| {}).unwrap();
        let held: HashMap<MemoryId, ()> =
            all(&restored, Trashed::Without).into_iter().map(|memory| (memory.id, ())).collect();
        assert_eq!(held.len() as u64, outcome.memories);
        let mut expected = 0;
        for (id, change) in &receipts {
            let inside = *change <= manifest.change.0;
            assert_eq!(held.contains_key(id), inside, "{change} of {:?}", manifest.change);
            expected += usize::from(inside);
        }
        // A killed writer may have been acknowledged one that it could not tell of any more.
        assert!(held.len() - expected <= 1, "{} held, {expected} acknowledged", held.len());
        assert_eq!(
            backups.verify(&manifest.name, Depth::Deep, &mut |_| {}).unwrap().problems,
            [] as [String; 0]
        );
    }
    assert!(receipts.len() > 20, "{}", receipts.len());
}

#[test]
#[cfg(unix)]
fn files_of_any_name_are_in_the_backup_and_come_back_and_locks_are_not() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let facts = folder.path().join("vault/knowledge/facts");
    std::fs::create_dir_all(&facts).unwrap();
    let names = ["Q3: plan.md", "a:b.png", "draft.tmp", "영화.part", "poetry.lock", "back\\slash"];
    names.iter().for_each(|name| std::fs::write(facts.join(name), name).unwrap());
    std::fs::write(folder.path().join("vault/.peri-lock"), "").unwrap();
    let backups = Backups::beside(folder.path());
    let created = create(&backups, &engine);
    assert_eq!(created.skipped, [] as [std::path::PathBuf; 0]);
    assert!(created.manifest.files.iter().all(|file| !file.path.ends_with(".peri-lock")));
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    backups.restore(&created.manifest.name, &other, crate::support::CAREFUL, &mut |_| {}).unwrap();
    for name in names {
        let back = to.path().join("vault/knowledge/facts").join(name);
        assert_eq!(std::fs::read_to_string(back).unwrap(), name);
    }
}
