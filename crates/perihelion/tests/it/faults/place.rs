//! The database's file, its log or the whole folder removed or renamed under an engine that stays open.
#![cfg(unix)]

use std::fs;

use perihelion::{Error, ErrorKind, Options, Outcome, Perihelion, Recall, Remember, StoreError, Verdict};

use crate::support::{contents, kind_of, open, options};

/// An engine whose writes wait when the store cannot take them, worked off by hand.
fn queueing(folder: &std::path::Path) -> Perihelion {
    Perihelion::open(Options { queue: Default::default(), ..options(folder) }).unwrap()
}

fn remove(folder: &std::path::Path) {
    for name in ["perihelion.db", "perihelion.db-wal", "perihelion.db-shm"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
}

#[test]
fn what_is_remembered_after_the_database_was_removed_waits_and_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let engine = queueing(folder.path());
    engine.remember(Remember::new("the heron nests by the lake")).unwrap();
    remove(folder.path());
    for content in ["the stork nests on the roof", "the owl nests in the barn"] {
        let receipt = engine.remember(Remember::new(content)).unwrap();
        assert_eq!(receipt.outcome, Outcome::Queued);
    }
    assert!(!folder.path().join("perihelion.db").exists());
    drop(engine);
    let engine = queueing(folder.path());
    engine.maintain().unwrap();
    let found = engine.recall(&Recall::new("which bird nests where?").score_min(0.0)).unwrap();
    let found = contents(&found);
    assert!(found.contains(&"the stork nests on the roof"), "{found:?}");
    assert!(found.contains(&"the owl nests in the barn"), "{found:?}");
}

#[test]
fn health_and_doctor_say_that_the_database_was_removed() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    engine.remember(Remember::new("the heron nests by the lake")).unwrap();
    assert!(engine.store_answers() && engine.health().healthy);
    remove(folder.path());
    assert!(!engine.store_answers());
    let health = engine.health();
    assert!(
        !health.healthy && health.problems.iter().any(|what| what.contains("not in its place")),
        "{health:?}"
    );
    let checks = engine.doctor();
    assert_eq!(checks[0].verdict, Verdict::Failed, "{checks:?}");
    assert!(checks[0].detail.contains("not in its place"), "{checks:?}");
}

#[test]
fn without_its_folder_a_write_is_refused_and_no_folder_is_made_in_its_place() {
    let outer = tempfile::tempdir().unwrap();
    let (here, away) = (outer.path().join("here"), outer.path().join("away"));
    let engine = queueing(&here);
    engine.remember(Remember::new("the heron nests by the lake")).unwrap();
    fs::rename(&here, &away).unwrap();
    let refused = engine.remember(Remember::new("the stork nests on the roof"));
    assert!(matches!(&refused, Err(Error::NotKept { store: StoreError::Missing { .. }, .. })), "{refused:?}");
    assert_eq!(kind_of(refused), Some(ErrorKind::NotKept));
    assert!(!here.exists());
    fs::rename(&away, &here).unwrap();
    let receipt = engine.remember(Remember::new("the stork nests on the roof")).unwrap();
    assert_eq!(receipt.outcome, Outcome::Stored, "it goes on where it was");
    assert!(engine.health().healthy);
}

#[test]
fn a_removed_log_costs_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let engine = queueing(folder.path());
    engine.remember(Remember::new("the heron nests by the lake")).unwrap();
    fs::remove_file(folder.path().join("perihelion.db-wal")).unwrap();
    engine.remember(Remember::new("the stork nests on the roof")).unwrap();
    engine.maintain().unwrap();
    let second = open(folder.path());
    let found = second.recall(&Recall::new("which bird nests where?").score_min(0.0)).unwrap();
    assert_eq!(found.hits.len(), 2, "{found:?}");
}
