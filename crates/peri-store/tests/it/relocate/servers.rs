//! Moves to servers, from one to another, and back.

use peri_servers::{MariaDb, Postgres};
use peri_store::{
    Address, Place, RelocateError, ServerSettings, ServerStore, Store as _, StoreError, relocate,
};

use super::support::{Stores, assert_same, go};
use crate::support::keep;

fn postgres() -> String {
    Postgres::shared().fresh_database().unwrap()
}

fn mariadb() -> String {
    MariaDb::shared().fresh_database().unwrap()
}

fn place(url: &str) -> Place {
    Place::parse(url).unwrap()
}

fn open(url: &str) -> Result<ServerStore, StoreError> {
    ServerStore::open(Address::parse(url).unwrap(), ServerSettings::default())
}

#[test]
fn everything_comes_back_from_postgresql_and_mariadb_as_it_went() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let stores = Stores::new();
    let (postgres, mariadb) = (place(&postgres()), place(&mariadb()));
    let first = go(&stores.place("source"), &postgres).unwrap();
    let second = go(&postgres, &mariadb).unwrap();
    let third = go(&mariadb, &stores.place("back")).unwrap();
    assert_eq!((&first.digest, &first.tables), (&second.digest, &second.tables));
    assert_eq!((&first.digest, &first.tables), (&third.digest, &third.tables));
    assert_same(&stores.file("source"), &stores.file("back"));
    // And the other way round.
    let postgres = place(&self::postgres());
    let fourth = go(&mariadb, &postgres).unwrap();
    assert_eq!((first.digest, first.tables), (fourth.digest, fourth.tables));
}

fn numbers_go_on(url: &str) {
    let stores = Stores::new();
    go(&stores.place("source"), &place(url)).unwrap();
    let target = open(url).unwrap();
    keep(&target, "default", "새로운 기억");
    assert_eq!(target.events(42, 1).unwrap().events[0].number, 91);
}

#[test]
fn numbers_go_on_after_the_last_one_of_the_source_on_postgresql() {
    if !peri_servers::may_be_left_out() {
        numbers_go_on(&postgres());
    }
}

#[test]
fn numbers_go_on_after_the_last_one_of_the_source_on_mariadb() {
    if !peri_servers::may_be_left_out() {
        numbers_go_on(&mariadb());
    }
}

/// Stops wherever it may, begins anew after a change of the source, and is not a store before the end.
fn goes_on(url: &str) {
    let stores = Stores::new();
    let (from, to) = (stores.place("source"), place(url));
    for stop in [1, 2, 3, 4, 9, 33] {
        let (halt, mut told) = (std::sync::atomic::AtomicBool::new(false), 0);
        let watch = &mut |_| {
            told += 1;
            halt.store(told >= stop, std::sync::atomic::Ordering::Relaxed);
        };
        let outcome = relocate(&from, &to, watch, &halt);
        assert!(matches!(outcome, Err(RelocateError::Halted)), "{outcome:?}");
        assert!(matches!(open(url), Err(StoreError::HalfMoved { .. })));
        if stop == 4 {
            keep(&stores.open("source").unwrap(), "default", "중간에 온 기억");
        }
    }
    let moved = go(&from, &to).unwrap();
    assert!(moved.resumed);
    go(&to, &stores.place("back")).unwrap();
    assert_same(&stores.file("source"), &stores.file("back"));
    let error = go(&from, &to).unwrap_err();
    assert!(matches!(error, RelocateError::Occupied { .. }), "{error}");
}

#[test]
fn a_move_to_postgresql_goes_on_where_it_was() {
    if !peri_servers::may_be_left_out() {
        goes_on(&postgres());
    }
}

#[test]
fn a_move_to_mariadb_goes_on_where_it_was() {
    if !peri_servers::may_be_left_out() {
        goes_on(&mariadb());
    }
}

#[test]
fn an_empty_database_is_no_source_and_is_left_empty() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let stores = Stores::new();
    for url in [postgres(), mariadb()] {
        for _ in 0..2 {
            let error = go(&place(&url), &stores.place("target")).unwrap_err();
            assert!(matches!(error, RelocateError::NoSource { .. }), "{error}");
        }
        assert!(!stores.file("target").exists());
    }
}

#[test]
fn a_text_that_postgresql_cannot_keep_is_named() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let stores = Stores::new();
    stores.edit("source", "UPDATE versions SET content = 'a' || char(0) || 'b' WHERE version = 2");
    let error = go(&stores.place("source"), &place(&postgres())).unwrap_err();
    let RelocateError::Unstorable { table, key } = &error else { panic!("{error}") };
    assert_eq!(
        (*table, key.as_str()),
        ("versions", "namespace_id 9, id 00000000000000000000000000000000, version 2")
    );
}

#[test]
fn a_server_that_cannot_be_reached_is_told_without_its_password() {
    let stores = Stores::new();
    let nobody = place("postgres://anna:s3cret@127.0.0.1:1/d");
    for (from, to) in [(stores.place("source"), nobody.clone()), (nobody, stores.place("target"))] {
        let error = go(&from, &to).unwrap_err();
        let told = format!("{error} {error:?}");
        assert!(matches!(error, RelocateError::Store(StoreError::Unreachable { .. })), "{told}");
        assert!(told.contains("127.0.0.1:1/d") && !told.contains("s3cret"), "{told}");
    }
    assert!(!stores.file("target").exists());
}
