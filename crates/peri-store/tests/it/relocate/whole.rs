//! Everything arrives, and nothing else changes.

use peri_store::{MoveStep, Store as _};

use super::support::{Stores, assert_same, go, go_watched};
use crate::support::keep;

#[test]
fn everything_that_a_store_holds_arrives_and_the_source_stays_as_it_was() {
    let stores = Stores::new();
    let before = std::fs::read(stores.file("source")).unwrap();
    let moved = stores.go("source", "target").unwrap();
    assert_same(&stores.file("source"), &stores.file("target"));
    assert_eq!(std::fs::read(stores.file("source")).unwrap(), before);
    assert!(!moved.resumed && !moved.source_went_on);
    assert_eq!(moved.tables.len(), 33);
    let memories = moved.tables.iter().find(|table| table.name == "memories").unwrap();
    assert_eq!(memories.rows, 2305);
    let target = stores.open("target").unwrap();
    assert_ne!(target.identity().unwrap(), stores.open("source").unwrap().identity().unwrap());
}

#[test]
fn a_digest_is_the_same_for_the_same_content_and_another_for_another() {
    let stores = Stores::new();
    let first = stores.go("source", "one").unwrap();
    let second = stores.go("one", "two").unwrap();
    assert_eq!((&first.digest, &first.tables), (&second.digest, &second.tables));
    stores.edit("one", "UPDATE edges SET weight = 0.3 WHERE weight = 0.30000000000000004");
    let third = stores.go("one", "three").unwrap();
    let differing: Vec<_> =
        first.tables.iter().zip(&third.tables).filter(|(a, b)| a != b).map(|(a, _)| a.name).collect();
    assert_eq!((differing, first.digest == third.digest), (vec!["edges"], false));
}

#[test]
fn numbers_go_on_after_the_last_one_of_the_source() {
    let stores = Stores::new();
    stores.go("source", "target").unwrap();
    let target = stores.open("target").unwrap();
    keep(&target, "default", "새로운 기억");
    assert_eq!(target.events(42, 1).unwrap().events[0].number, 91);
}

#[test]
fn progress_tells_of_every_table_twice_and_ends_with_all_rows() {
    let stores = Stores::new();
    let mut told = Vec::new();
    let watch = &mut |progress| told.push(progress);
    let moved = go_watched(&stores.place("source"), &stores.place("target"), watch).unwrap();
    for step in [MoveStep::Copying, MoveStep::Verifying] {
        for table in &moved.tables {
            let last = told.iter().rfind(|one| one.step == step && one.table == table.name).unwrap();
            assert_eq!((last.rows, last.of), (table.rows, table.rows), "{step:?} {}", table.name);
        }
    }
}

#[test]
fn a_store_without_anything_moves_too() {
    let stores = Stores(tempfile::tempdir().unwrap());
    stores.create("source");
    stores.go("source", "deep/below/target").unwrap();
    assert_eq!(stores.rows("source"), stores.rows("deep/below/target"));
    keep(&stores.open("deep/below/target").unwrap(), "default", "第一");
}

#[test]
fn what_is_written_to_the_source_meanwhile_is_told_of_and_not_moved() {
    let stores = Stores::new();
    let source = stores.open("source").unwrap();
    let mut written = false;
    let watch = &mut |_| {
        if !std::mem::replace(&mut written, true) {
            keep(&source, "default", "너무 늦은 기억");
        }
    };
    let moved = go_watched(&stores.place("source"), &stores.place("target"), watch).unwrap();
    assert!(moved.source_went_on);
    assert_eq!(moved.tables.iter().find(|table| table.name == "memories").unwrap().rows, 2305);
    go(&stores.place("source"), &stores.place("again")).unwrap();
}
