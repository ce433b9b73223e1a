//! Files in every state, and several hands on one file.

use std::sync::Arc;
use std::thread;

use peri_store::{ListQuery, SqliteSettings, SqliteStore, Store, StoreError};

use crate::support::{keep, open};

fn try_open(path: &std::path::Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, &SqliteSettings::default())
}

#[test]
fn what_was_kept_is_there_after_opening_again() {
    let (folder, store) = open();
    let kept = keep(&store, "a", "one");
    drop(store);
    let store = try_open(&folder.path().join("perihelion.db")).unwrap();
    assert_eq!(store.get(&peri_types::Scope::All, &[kept.id]).unwrap(), [kept]);
}

#[test]
fn a_file_that_is_no_database_is_reported_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    let garbage = b"this is certainly not a database, but it is long enough to be taken for one".repeat(20);
    std::fs::write(&path, &garbage).unwrap();
    let error = try_open(&path).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), garbage);
}

#[test]
fn a_damaged_page_is_found_and_the_file_is_left_alone() {
    let (folder, store) = open();
    for i in 0..500 {
        keep(&store, "a", &format!("memory {i} {}", "x".repeat(200)));
    }
    drop(store);
    let path = folder.path().join("perihelion.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0xA5);
    std::fs::write(&path, &bytes).unwrap();
    match try_open(&path).and_then(|store| store.check()) {
        Ok(problems) => assert!(!problems.is_empty()),
        Err(error) => assert!(matches!(error, StoreError::Corrupt { .. }), "{error}"),
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn another_programs_database_and_a_newer_format_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = folder.path().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(matches!(try_open(&foreign).map(drop).unwrap_err(), StoreError::Foreign { .. }));
    let newer = folder.path().join("newer.db");
    drop(try_open(&newer).unwrap());
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(try_open(&newer).map(drop).unwrap_err(), StoreError::TooNew { found: 99, .. }));
}

#[test]
fn stores_of_every_earlier_format_still_open() {
    let formats = [include_str!("../../src/sqlite/migrations/001_memories.sql")];
    for (number, format) in formats.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("perihelion.db");
        let old = rusqlite::Connection::open(&path).unwrap();
        old.execute_batch(format).unwrap();
        old.execute_batch(include_str!("format_1.sql")).unwrap();
        old.pragma_update(None, "application_id", 0x5045_5249).unwrap();
        old.pragma_update(None, "user_version", number as u32 + 1).unwrap();
        drop(old);
        let store = try_open(&path).unwrap();
        let kept = store.list(&ListQuery::default()).unwrap().memories;
        assert_eq!(
            kept.iter().map(|memory| memory.content.as_str()).collect::<Vec<_>>(),
            ["written by format 1"]
        );
        keep(&store, "a", "written by this one");
        assert!(store.check().unwrap().is_empty());
    }
}

#[test]
fn a_path_that_cannot_exist_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let error = try_open(&folder.path().join("no/such/folder/x.db")).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::CannotOpen { .. }), "{error}");
}

#[test]
fn odd_characters_in_the_path_are_part_of_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("한글 100%?#&.db");
    keep(&try_open(&path).unwrap(), "a", "one");
    assert!(path.is_file());
}

#[test]
fn many_threads_and_handles_write_without_losing_or_doubling() {
    let (folder, store) = open();
    let path = folder.path().join("perihelion.db");
    let second = Arc::new(try_open(&path).unwrap());
    let first = Arc::new(store);
    let threads: Vec<_> = (0..8)
        .map(|worker| {
            let store = Arc::clone(if worker % 2 == 0 { &first } else { &second });
            thread::spawn(move || {
                for i in 0..25 {
                    keep(&*store, "a", &format!("worker {worker} memory {i}"));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let all = second.list(&ListQuery { limit: 1000, ..ListQuery::default() }).unwrap().memories;
    assert_eq!(all.len(), 200);
    let mut changes: Vec<_> = all.iter().map(|memory| memory.change).collect();
    changes.sort();
    changes.dedup();
    assert_eq!(changes.len(), 200, "every write has a number of its own");
}
