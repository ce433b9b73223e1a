//! What is not moved, and stays as it is.

use peri_store::{Place, RelocateError, StoreError};

use super::support::{Stores, go, go_watched};
use crate::support::keep;

/// How formats before the present one began.
const OLDEST: &str = include_str!("../../../src/sqlite/migrations/001_memories.sql");

/// A store of the first format.
fn old(stores: &Stores, name: &str) {
    let file = rusqlite::Connection::open(stores.file(name)).unwrap();
    file.execute_batch(OLDEST).unwrap();
    file.pragma_update(None, "application_id", 0x5045_5249).unwrap();
    file.pragma_update(None, "user_version", 1).unwrap();
}

#[test]
fn a_target_that_holds_something_is_refused_and_left_as_it_is() {
    let stores = Stores::new();
    keep(&stores.open("target").unwrap(), "default", "有人在这里");
    let before = stores.rows("target");
    let error = stores.go("source", "target").unwrap_err();
    assert!(matches!(&error, RelocateError::Occupied { .. }), "{error}");
    assert!(error.to_string().contains("is not empty"));
    assert_eq!(stores.rows("target"), before);
    drop(stores.open("target").unwrap());
}

#[test]
fn every_table_with_a_row_makes_a_target_occupied() {
    let stores = Stores::new();
    let edits = [
        "INSERT INTO keys (id, name, hash, role, scope, created_at) VALUES ('x', 'y', x'00', 0, '*', 1)",
        "INSERT INTO events (at, body) VALUES (1, '{}')",
        "INSERT INTO imports (name, state, at) VALUES ('x', '{}', 1)",
        "INSERT INTO namespaces (path) VALUES ('a')",
        "UPDATE counters SET value = 1 WHERE name = 'change'",
    ];
    for (number, edit) in edits.iter().enumerate() {
        let name = format!("target {number}");
        stores.create(&name);
        stores.edit(&name, edit);
        assert!(matches!(stores.go("source", &name), Err(RelocateError::Occupied { .. })), "{edit}");
    }
}

#[test]
fn a_store_is_not_moved_onto_itself() {
    let stores = Stores::new();
    assert!(matches!(stores.go("source", "source"), Err(RelocateError::SamePlace { .. })));
    let roundabout = Place::File(stores.0.path().join("./source.db"));
    let outcome = go(&stores.place("source"), &roundabout);
    assert!(matches!(outcome, Err(RelocateError::SamePlace { .. })), "{outcome:?}");
}

#[test]
fn what_is_not_there_is_not_moved_and_nothing_is_created() {
    let stores = Stores::new();
    let error = stores.go("nowhere", "target").unwrap_err();
    assert!(matches!(error, RelocateError::NoSource { .. }), "{error}");
    assert!(!stores.file("nowhere").exists() && !stores.file("target").exists());
    std::fs::write(stores.file("nothing"), b"").unwrap();
    assert!(matches!(stores.go("nothing", "target"), Err(RelocateError::NoSource { .. })));
    std::fs::write(stores.file("garbage"), b"not a database at all ".repeat(100)).unwrap();
    let outcome = stores.go("garbage", "target");
    assert!(matches!(outcome, Err(RelocateError::Store(StoreError::Corrupt { .. }))), "{outcome:?}");
    rusqlite::Connection::open(stores.file("foreign"))
        .unwrap()
        .execute_batch("CREATE TABLE theirs (x)")
        .unwrap();
    for (from, to) in [("foreign", "target"), ("source", "foreign")] {
        let outcome = stores.go(from, to);
        assert!(matches!(outcome, Err(RelocateError::Store(StoreError::Foreign { .. }))), "{outcome:?}");
    }
    assert!(!stores.file("target").exists());
}

#[test]
fn a_store_of_an_older_format_is_neither_moved_nor_migrated() {
    let stores = Stores::new();
    old(&stores, "old");
    let before = std::fs::read(stores.file("old")).unwrap();
    for (from, to) in [("old", "target"), ("source", "old")] {
        let error = stores.go(from, to).unwrap_err();
        assert!(matches!(error, RelocateError::Older { found: 1, .. }), "{error}");
    }
    assert_eq!(std::fs::read(stores.file("old")).unwrap(), before);
    assert!(!stores.file("target").exists());
}

#[test]
fn a_target_that_awaits_another_store_is_refused() {
    let stores = Stores::new();
    stores.create("other");
    halfway(&stores);
    let before = stores.rows("target");
    let error = stores.go("other", "target").unwrap_err();
    assert!(matches!(error, RelocateError::OtherSource { .. }), "{error}");
    assert_eq!(stores.rows("target"), before);
}

#[test]
fn half_a_store_can_neither_be_opened_nor_moved() {
    let stores = Stores::new();
    halfway(&stores);
    let error = stores.open("target").map(drop).unwrap_err();
    assert!(matches!(error, StoreError::HalfMoved { .. }), "{error}");
    let error = stores.go("target", "further").unwrap_err();
    assert!(matches!(error, RelocateError::Store(StoreError::HalfMoved { .. })), "{error}");
    assert!(!stores.file("further").exists());
    stores.go("source", "target").unwrap();
    drop(stores.open("target").unwrap());
}

#[test]
fn of_two_that_move_to_the_same_target_one_gives_up() {
    let stores = Stores::new();
    let (from, to) = (stores.place("source"), stores.place("target"));
    let mut rows = 0;
    let watch = &mut |_| {
        rows += 1;
        if rows == 3 {
            assert!(go(&from, &to).unwrap().resumed);
        }
    };
    let error = go_watched(&from, &to, watch).unwrap_err();
    assert!(matches!(error, RelocateError::Disturbed { .. }), "{error}");
    super::support::assert_same(&stores.file("source"), &stores.file("target"));
}

/// Leaves a move to `target` in the middle.
pub fn halfway(stores: &Stores) {
    let halt = std::sync::atomic::AtomicBool::new(false);
    let watch = &mut |progress: peri_store::MoveProgress| {
        let begun = progress.table == "memories" && progress.rows > 0;
        halt.fetch_or(begun, std::sync::atomic::Ordering::Relaxed);
    };
    let outcome = peri_store::relocate(&stores.place("source"), &stores.place("target"), watch, &halt);
    assert!(matches!(outcome, Err(RelocateError::Halted)), "{outcome:?}");
}
