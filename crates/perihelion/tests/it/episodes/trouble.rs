//! Slow disks, dead writers, damaged files: a snapshot is whole or it is not there, and nobody waits for it.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::Command;

use perihelion::{
    Chores, Clock, ErrorKind, EventKind, Happening, Options, Perihelion, Recall, Remember, Scope,
    SnapshotSettings,
};

use super::{episode, files, fresh, path_of, with_settings};
use crate::orbit::{logged, move_to, start};
use crate::support::{Random, Worker, ask, keep, role, tell, worker_command};

/// Texts of this many bytes that cannot be made smaller: more than a pipe holds.
const LARGE: usize = 400_000;

fn remember_much(engine: &Perihelion) {
    let mut random = Random(7);
    for number in 0..LARGE / 16_000 {
        let noise: String = (0..1000).map(|_| format!("{:016x}", random.next())).collect();
        engine.remember(episode(format!("day{number}x {noise}"))).unwrap();
    }
}

/// A disk that takes a little and then nothing until somebody reads: a pipe in the place of the draft.
#[cfg(unix)]
fn slow_disk(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("snapshots").join("episodes.body.part");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

fn failures(engine: &Perihelion) -> Vec<(String, String)> {
    let failed = |event: perihelion::Event| match event.what {
        Happening::OperationFailed { operation, reason, .. } => (operation, reason),
        other => panic!("no failure: {other:?}"),
    };
    logged(engine, &[EventKind::OperationFailed]).into_iter().map(failed).collect()
}

#[cfg(unix)]
#[test]
fn a_disk_that_hangs_holds_up_no_turn_and_its_failure_is_told() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let settings = with_settings(folder.path(), &clock, SnapshotSettings::default());
    let engine = Perihelion::open(settings.clone()).unwrap();
    remember_much(&engine);
    drop(engine);
    let pipe = slow_disk(folder.path());
    let engine = Perihelion::open(Options { chores: Chores::Background, ..settings }).unwrap();
    // Opening waits for the writer, and the first byte says that it is at it; then the pipe fills up.
    let mut reader = fs::File::open(&pipe).unwrap();
    reader.read_exact(&mut [0]).unwrap();
    let id = keep(&engine, "The ferry leaves at noon");
    assert_eq!(ask(&engine, "ferry").hits[0].memory.id, id);
    engine.remember(episode("새 에피소드")).unwrap();
    engine.forget(&Scope::All, id).unwrap();
    assert!(engine.recall(&Recall::new("ferry")).unwrap().hits.is_empty());
    assert!(engine.snapshots().unwrap().is_empty());
    // What is a pipe cannot be made into a snapshot: the writer finds that out once somebody reads.
    let mut rest = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| drop(reader.read_to_end(&mut rest)));
        engine.close().unwrap();
    });
    let engine = Perihelion::open(with_settings(folder.path(), &clock, SnapshotSettings::default())).unwrap();
    let told = failures(&engine);
    assert!(told.iter().any(|(operation, _)| operation == "snapshot"), "{told:?}");
    let taken = engine.take_snapshot().unwrap();
    let held = files(folder.path());
    assert!(taken.is_none() && held.len() == 1, "closing has taken it: {taken:?} {held:?}");
    assert!(held[0].ends_with(".jsonl.zst"), "{held:?}");
}

/// The worker: takes a snapshot, on a disk that hangs.
#[cfg(unix)]
#[test]
fn victim() {
    let Some(folder) = role("episodes::trouble::victim") else { return };
    let clock = Clock::manual(start());
    let settings = with_settings(Path::new(&folder), &clock, SnapshotSettings::default());
    let engine = Perihelion::open(settings).unwrap();
    tell("ready");
    drop(engine.take_snapshot());
}

#[cfg(unix)]
#[test]
fn a_writer_that_is_killed_leaves_no_snapshot_and_the_next_one_takes_its_place() {
    let (folder, _clock, engine) = fresh(SnapshotSettings::default());
    remember_much(&engine);
    let pipe = slow_disk(folder.path());
    let mut worker = Worker::start(worker_command("episodes::trouble::victim", folder.path()));
    assert_eq!(worker.hear().as_deref(), Some("ready"));
    let mut reader = fs::File::open(&pipe).unwrap();
    reader.read_exact(&mut [0]).unwrap();
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();
    drop(reader);
    assert!(engine.snapshots().unwrap().is_empty());
    assert_eq!(files(folder.path()), ["episodes.body.part"], "what the dead one has left");
    // An ordinary file, as on an ordinary disk.
    fs::remove_file(&pipe).unwrap();
    fs::write(&pipe, "half a line").unwrap();
    fs::write(pipe.with_file_name("episodes.part"), "half a file").unwrap();
    let taken = engine.take_snapshot().unwrap().unwrap();
    assert_eq!(files(folder.path()), [taken.file.as_str()]);
    let held = engine.restore_snapshot(&taken.file).unwrap();
    assert_eq!((held.known, held.refused.len()), (taken.episodes, 0));
}

#[test]
fn leftovers_go_even_when_there_is_nothing_to_write() {
    let (folder, _clock, engine) = fresh(SnapshotSettings::default());
    engine.remember(episode("one")).unwrap();
    let taken = engine.take_snapshot().unwrap().unwrap();
    for name in ["episodes.body.part", "episodes.part"] {
        fs::write(folder.path().join("snapshots").join(name), "left").unwrap();
    }
    assert_eq!(engine.take_snapshot().unwrap(), None);
    assert_eq!(files(folder.path()), [taken.file]);
}

#[test]
fn a_folder_that_cannot_be_made_stops_no_other_chore() {
    let (folder, clock, engine) = fresh(SnapshotSettings::default());
    fs::write(folder.path().join("snapshots"), "something else is here").unwrap();
    let id = engine.remember(episode("하나")).unwrap().id;
    let lasting = engine.remember(Remember::new("a lasting one")).unwrap().id;
    engine.forget(&Scope::All, lasting).unwrap();
    move_to(&clock, 40 * 24 * 3600);
    engine.maintain().unwrap();
    assert!(engine.get(&Scope::All, lasting).is_err(), "the trash was emptied all the same");
    let told = failures(&engine);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, "snapshot");
    assert!(told[0].1.contains("snapshots"), "{told:?}");
    engine.remember(episode("둘")).unwrap();
    let refused = engine.take_snapshot().unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
    assert!(engine.get(&Scope::All, id).is_ok());
}

#[test]
fn a_cut_file_is_refused_whole_and_no_flipped_byte_brings_in_anything_else() {
    let (folder, _clock, engine) = fresh(SnapshotSettings::default());
    let id = engine.remember(episode("어제 도자기를 구웠다")).unwrap().id;
    let taken = engine.take_snapshot().unwrap().unwrap();
    let path = path_of(folder.path(), &taken);
    let whole = fs::read(&path).unwrap();
    let purge = || {
        engine.forget(&Scope::All, id).unwrap();
        engine.purge(&Scope::All, id).unwrap();
    };
    purge();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let error = engine.restore_snapshot(&taken.file).expect_err("a part is not enough");
        assert_eq!(error.kind(), ErrorKind::Corrupt, "cut to {length} bytes: {error:?}");
    }
    let mut harmless = 0;
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x20;
        fs::write(&path, &damaged).unwrap();
        match engine.restore_snapshot(&taken.file) {
            Err(error) => assert_eq!(error.kind(), ErrorKind::Corrupt, "byte {at}: {error:?}"),
            // How much memory a reader should set aside, for one, is said in a byte that changes no content.
            Ok(_) => {
                assert_eq!(engine.get(&Scope::All, id).unwrap().content, "어제 도자기를 구웠다", "byte {at}");
                harmless += 1;
                purge();
            }
        }
    }
    assert!(harmless < 8, "{harmless} of {} bytes", whole.len());
    assert!(engine.get(&Scope::All, id).is_err(), "nothing came in");
    fs::write(&path, &whole).unwrap();
    assert_eq!(engine.restore_snapshot(&taken.file).unwrap().added, 1);
}

#[test]
fn a_snapshot_is_written_anew_when_the_last_one_cannot_be_read() {
    let (folder, _clock, engine) = fresh(SnapshotSettings::default());
    engine.remember(episode("one")).unwrap();
    let taken = engine.take_snapshot().unwrap().unwrap();
    fs::write(path_of(folder.path(), &taken), "damaged").unwrap();
    let again = engine.take_snapshot().unwrap().unwrap();
    assert_ne!(again.file, taken.file);
    assert_eq!(engine.snapshots().unwrap(), [again]);
}
