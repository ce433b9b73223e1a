//! Damaged, deleted, foreign and outdated files in the data folder.

use std::fs;
use std::path::Path;

use perihelion::{ErrorKind, Perihelion, Remember, Revise, Scope, Trashed, Verdict};
use tempfile::TempDir;

use crate::support::{Random, all, answers, ask, contents, finds, keep, kind_of, open, options, snapshots};

const QUERIES: [&str; 6] = [
    "crate of apples",
    "apples from the north orchard",
    "crate 17",
    "pears",
    "barrel 40 in the cellar",
    "whales",
];

/// A folder with enough memories for a snapshot, and the answers it gives.
fn orchard() -> (TempDir, Vec<Vec<(perihelion::MemoryId, u32)>>) {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let fruits = ["apples", "pears", "plums", "quinces"];
    let batch = (0..200).map(|i| {
        let place = ["north orchard", "south orchard", "cellar"][i % 3];
        Remember::new(format!("crate {i} holds {} from the {place}, barrel {}", fruits[i % 4], i * 2))
    });
    engine.remember_all(batch.collect()).unwrap();
    let expected = answers(&engine, &QUERIES);
    engine.maintain().unwrap();
    assert_eq!(answers(&engine, &QUERIES), expected, "maintenance changes no answer");
    engine.close().unwrap();
    assert_eq!(snapshots(folder.path()).len(), 1, "the cases need a snapshot");
    (folder, expected)
}

fn check_rebuilt(about: &str, damage: impl FnOnce(&Path)) {
    let (folder, expected) = orchard();
    damage(folder.path());
    let engine = open(folder.path());
    assert_eq!(answers(&engine, &QUERIES), expected, "{about}");
    assert!(ask(&engine, QUERIES[0]).degraded.is_empty(), "{about}");
    engine.maintain().unwrap();
    engine.close().unwrap();
    let engine = open(folder.path());
    assert_eq!(answers(&engine, &QUERIES), expected, "{about}, opened again");
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "{about}: {check:?}");
    }
}

#[test]
fn a_snapshot_answers_as_the_index_did_that_it_was_made_from() {
    check_rebuilt("untouched", |_| {});
}

#[test]
fn a_damaged_snapshot_is_built_anew_and_the_answers_stay_the_same() {
    let rewrite = |folder: &Path, change: &dyn Fn(&mut Vec<u8>)| {
        for path in snapshots(folder) {
            let mut bytes = fs::read(&path).unwrap();
            change(&mut bytes);
            fs::write(&path, bytes).unwrap();
        }
    };
    check_rebuilt("empty", |folder| rewrite(folder, &|bytes| bytes.clear()));
    check_rebuilt("one byte", |folder| rewrite(folder, &|bytes| bytes.truncate(1)));
    check_rebuilt("cut in half", |folder| rewrite(folder, &|bytes| bytes.truncate(bytes.len() / 2)));
    check_rebuilt("last byte missing", |folder| rewrite(folder, &|bytes| bytes.truncate(bytes.len() - 1)));
    check_rebuilt("a byte too many", |folder| rewrite(folder, &|bytes| bytes.push(0)));
    check_rebuilt("random bytes", |folder| {
        rewrite(folder, &|bytes| {
            let mut random = Random(7);
            bytes.iter_mut().for_each(|byte| *byte = random.next() as u8);
        });
    });
    for seed in 0..12 {
        check_rebuilt(&format!("flipped bit {seed}"), |folder| {
            rewrite(folder, &|bytes| {
                let mut random = Random(seed);
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
            });
        });
    }
}

#[test]
fn a_deleted_index_folder_is_built_anew() {
    check_rebuilt("deleted", |folder| fs::remove_dir_all(folder.join("index")).unwrap());
}

#[test]
fn an_index_deleted_under_a_running_engine_harms_nothing() {
    let (folder, expected) = orchard();
    let engine = open(folder.path());
    ask(&engine, "apples");
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    engine.remember_all((0..100).map(|i| Remember::new(format!("walrus number {i}"))).collect()).unwrap();
    engine.maintain().unwrap();
    assert_eq!(snapshots(folder.path()).len(), 1, "saved again");
    assert_eq!(answers(&engine, &QUERIES[..3]).len(), expected[..3].len());
    assert!(finds(&engine, "walrus number 99", "walrus number 99"));
}

#[test]
fn a_snapshot_that_cannot_be_saved_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index"), "a file where the folder should be").unwrap();
    let engine = open(folder.path());
    engine.remember_all((0..200).map(|i| Remember::new(format!("walrus number {i}"))).collect()).unwrap();
    assert!(finds(&engine, "walrus number 99", "walrus number 99"));
    engine.maintain().unwrap();
    assert!(finds(&engine, "walrus number 99", "walrus number 99"));
    engine.close().unwrap();
    assert!(finds(&open(folder.path()), "walrus number 99", "walrus number 99"));
}

#[test]
fn drafts_of_processes_that_died_while_saving_are_swept_once_they_are_old() {
    let (folder, _) = orchard();
    let index = folder.path().join("index");
    let (old, young) = (index.join("dead-process.1-0.tmp"), index.join("live-process.2-0.tmp"));
    fs::write(&old, "half a snapshot").unwrap();
    fs::write(&young, "half a snapshot").unwrap();
    let hours_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3 * 3600);
    fs::File::options().write(true).open(&old).unwrap().set_modified(hours_ago).unwrap();
    let engine = open(folder.path());
    engine.remember_all((0..100).map(|i| Remember::new(format!("walrus number {i}"))).collect()).unwrap();
    ask(&engine, "walrus");
    engine.maintain().unwrap();
    assert!(!old.exists());
    assert!(young.exists(), "somebody may still be writing it");
}

/// What is done to the bytes of a file.
type Damage<'a> = &'a dyn Fn(&mut Vec<u8>);

fn is_corrupt(outcome: Result<(), perihelion::Error>) -> bool {
    kind_of(outcome) == Some(ErrorKind::Corrupt)
}

/// Opens, asks, lists and has the doctor look; whether anything of that says the file is damaged.
fn damage_is_told(folder: &Path) -> bool {
    let engine = match Perihelion::open(options(folder)) {
        Ok(engine) => engine,
        Err(error) => return error.kind() == ErrorKind::Corrupt,
    };
    let query = perihelion::ListQuery { limit: 1000, ..perihelion::ListQuery::default() };
    let told = is_corrupt(engine.recall(&perihelion::Recall::new("apples")).map(drop))
        | is_corrupt(engine.list(query).map(drop));
    let doctor = engine.doctor();
    told || doctor.iter().any(|check| check.name == "database" && check.verdict == Verdict::Failed)
}

#[test]
fn a_damaged_database_is_reported_and_left_as_it_is() {
    let damages: [(&str, Damage); 5] = [
        ("no database at all", &|bytes| bytes.iter_mut().for_each(|byte| *byte ^= 0x5A)),
        ("header", &|bytes| bytes[..16].fill(b'x')),
        ("first page", &|bytes| bytes[100..4096].fill(0xA5)),
        ("cut in half", &|bytes| bytes.truncate(bytes.len() / 2 / 4096 * 4096)),
        ("pages in the middle", &|bytes| {
            let middle = bytes.len() / 2 / 4096 * 4096;
            bytes[middle..middle + 16 * 4096].fill(0xA5);
        }),
    ];
    for (about, damage) in damages {
        let (folder, _) = orchard();
        let path = folder.path().join(Perihelion::DATABASE);
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        fs::remove_dir_all(folder.path().join("index")).unwrap();
        assert!(damage_is_told(folder.path()), "{about}");
        assert!(fs::read(&path).unwrap() == bytes, "{about}: the file was changed");
    }
}

#[test]
fn a_file_of_another_program_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Perihelion::DATABASE);
    fs::write(&path, "Dear diary, today I was mistaken for a database. ".repeat(100)).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(kind_of(Perihelion::open(options(folder.path()))), Some(ErrorKind::Corrupt)));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_folder_that_cannot_be_made_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let outcome = Perihelion::open(options(file.join("data")));
    assert_eq!(kind_of(outcome), Some(ErrorKind::Unavailable));
}

/// Puts an older copy of the database in place, with the index of the newer one.
fn go_back(folder: &Path, older: &[u8]) {
    fs::write(folder.join(Perihelion::DATABASE), older).unwrap();
    for log in ["perihelion.db-wal", "perihelion.db-shm"] {
        assert!(!folder.join(log).exists(), "closed engines leave no log");
    }
}

#[test]
fn answers_follow_a_database_restored_from_an_older_copy() {
    let (folder, expected) = orchard();
    let older = fs::read(folder.path().join(Perihelion::DATABASE)).unwrap();
    let engine = open(folder.path());
    for memory in all(&engine, Trashed::Without).into_iter().take(80) {
        let revise = Revise { content: Some(format!("{} (sold)", memory.content)), ..Revise::default() };
        engine.revise(&Scope::All, memory.id, revise).unwrap();
    }
    keep(&engine, "a whale was seen from the orchard");
    assert!(finds(&engine, "whale", "a whale was seen from the orchard"));
    engine.maintain().unwrap();
    engine.close().unwrap();
    go_back(folder.path(), &older);
    let engine = open(folder.path());
    assert_eq!(answers(&engine, &QUERIES), expected);
    assert!(ask(&engine, "whale").hits.is_empty());
}

#[test]
fn answers_follow_a_restored_database_that_has_grown_past_the_index_since() {
    let (folder, _) = orchard();
    let older = fs::read(folder.path().join(Perihelion::DATABASE)).unwrap();
    let engine = open(folder.path());
    engine.remember_all((0..100).map(|i| Remember::new(format!("walrus number {i}"))).collect()).unwrap();
    ask(&engine, "walrus");
    engine.maintain().unwrap();
    engine.close().unwrap();
    go_back(folder.path(), &older);
    // A process that only writes does not look at the index; its changes take the numbers of those undone.
    let writer = open(folder.path());
    for i in 0..120 {
        keep(&writer, &format!("narwhal number {i}"));
    }
    drop(writer);
    let engine = open(folder.path());
    assert_eq!(contents(&ask(&engine, "walrus")), [""; 0], "what the restored store does not hold");
    assert!(finds(&engine, "narwhal number 3", "narwhal number 3"), "what it holds now");
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "{check:?}");
    }
}

#[test]
fn another_database_in_the_same_folder_is_never_answered_from_the_old_index() {
    let (folder, _) = orchard();
    fs::remove_file(folder.path().join(Perihelion::DATABASE)).unwrap();
    let engine = open(folder.path());
    assert!(ask(&engine, "apples").hits.is_empty());
    for i in 0..250 {
        engine.remember(Remember::new(format!("narwhal number {i}"))).unwrap();
    }
    assert!(ask(&engine, "apples").hits.is_empty());
    assert!(finds(&engine, "narwhal number 3", "narwhal number 3"));
}

#[test]
fn a_database_that_was_deleted_beside_its_indexes_is_noticed() {
    let (folder, _) = orchard();
    for name in ["perihelion.db", "perihelion.db-wal", "perihelion.db-shm"] {
        // Only the first is there after a clean end.
        drop(fs::remove_file(folder.path().join(name)));
    }
    let checks = open(folder.path()).doctor();
    assert_eq!((checks[0].name, checks[0].verdict), ("database", Verdict::Warning), "{checks:?}");
    assert!(checks[0].remedy.as_ref().is_some_and(|remedy| remedy.contains("deleted or replaced")));
}
