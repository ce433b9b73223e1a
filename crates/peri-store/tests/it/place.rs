//! A database whose files are removed, renamed or replaced under those who have them open.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use peri_store::{Embedding, SqliteSettings, SqliteStore, Store, StoreError, Written};
use peri_types::Scope;

use crate::support::{keep, memory, remember};

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &SqliteSettings::default()).unwrap()
}

fn try_keep(store: &dyn Store, content: &str) -> Result<Vec<Written>, StoreError> {
    store.write(vec![remember(memory("a", content), Embedding::Pending)])
}

/// The file that was found missing by a write.
fn missing(store: &dyn Store, content: &str) -> PathBuf {
    match try_keep(store, content) {
        Err(StoreError::Missing { path, .. }) => path,
        other => panic!("{content} was not refused: {:?}", other.map(drop)),
    }
}

fn count(store: &dyn Store) -> u64 {
    store.stats(&Scope::All).unwrap().iter().map(|stats| stats.memories).sum()
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

#[test]
fn a_write_to_a_database_that_was_removed_is_refused_and_makes_no_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    for written_before in [false, true] {
        let store = open(&path);
        if written_before {
            keep(&store, "a", "kept");
        }
        for end in ["", "-wal", "-shm"] {
            fs::remove_file(beside(&path, end)).unwrap();
        }
        for _ in 0..2 {
            assert_eq!(missing(&store, "lost"), path, "{written_before}");
            assert!(matches!(store.in_place(), Err(StoreError::Missing { .. })));
        }
        assert!(!path.exists(), "{written_before}");
    }
}

#[test]
fn what_a_removed_database_held_can_be_read_and_frozen_while_it_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    let store = open(&path);
    keep(&store, "a", "kept");
    fs::remove_file(&path).unwrap();
    missing(&store, "lost");
    assert_eq!(count(&store), 1);
    assert_eq!(count(&*store.frozen().unwrap()), 1);
}

#[test]
fn a_folder_that_was_renamed_is_written_to_again_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (here, away) = (folder.path().join("here"), folder.path().join("away"));
    fs::create_dir(&here).unwrap();
    let store = open(&here.join("perihelion.db"));
    keep(&store, "a", "before");
    fs::rename(&here, &away).unwrap();
    missing(&store, "meanwhile");
    assert!(!here.exists());
    fs::rename(&away, &here).unwrap();
    assert!(store.in_place().is_ok());
    keep(&store, "a", "after");
    drop(store);
    assert_eq!(count(&open(&here.join("perihelion.db"))), 2);
}

#[test]
fn a_copy_that_was_put_back_is_written_to_and_another_store_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy, other) =
        (folder.path().join("perihelion.db"), folder.path().join("copy"), folder.path().join("other"));
    keep(&open(&path), "a", "in the copy");
    fs::copy(&path, &copy).unwrap();
    keep(&open(&other), "a", "of another store");
    for read_first in [false, true] {
        let store = open(&path);
        keep(&store, "a", &format!("not in the copy {read_first}"));
        for end in ["", "-wal", "-shm"] {
            fs::remove_file(beside(&path, end)).unwrap();
        }
        fs::copy(&other, &path).unwrap();
        assert_eq!(missing(&store, "lost"), path);
        assert!(
            matches!(store.in_place(), Err(StoreError::Missing { detail, .. }) if detail.contains("another"))
        );
        fs::remove_file(&path).unwrap();
        fs::copy(&copy, &path).unwrap();
        if read_first {
            store.in_place().unwrap();
        }
        let again = try_keep(&store, "after");
        // The connection that wrote to the former file finds that out once.
        assert!(again.is_ok() || try_keep(&store, "after").is_ok(), "{read_first}");
        assert_eq!(count(&store), 2, "{read_first}: of the copy and of after");
        drop(store);
        assert_eq!(count(&open(&path)), 2, "{read_first}");
        fs::remove_file(&path).unwrap();
        fs::copy(&copy, &path).unwrap();
    }
}

#[test]
fn of_a_log_that_was_removed_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    let store = open(&path);
    for i in 0..20 {
        keep(&store, "a", &format!("memory {i}"));
    }
    fs::remove_file(beside(&path, "-wal")).unwrap();
    assert_eq!(missing(&store, "refused once"), beside(&path, "-wal"));
    keep(&store, "a", "taken again");
    // As after a kill: nothing is tidied up.
    let seen = open(&path);
    assert_eq!(count(&seen), 21);
    assert!(seen.check().unwrap().is_empty());
    drop(store);
    assert_eq!(count(&seen), 21);
}
