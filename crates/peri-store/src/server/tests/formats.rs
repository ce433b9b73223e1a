//! Stores of earlier formats on servers.

use peri_notes::{Change, Collection, Key};
use peri_types::Scope;
use rusqlite::types::Value;

use super::*;
use crate::{NotesCommit, ServerSettings, ServerStore, Store as _, StoreError, Write};

/// The tables of the first format that was ever on a server, and what the next one adds.
fn steps(url: &str) -> [&'static str; 2] {
    match Address::parse(url).unwrap().kind() {
        ServerKind::Postgres => [
            include_str!("../migrations/postgres/007_tables.sql"),
            include_str!("../migrations/postgres/008_notes.sql"),
        ],
        ServerKind::Mysql => [
            include_str!("../migrations/mysql/007_tables.sql"),
            include_str!("../migrations/mysql/008_notes.sql"),
        ],
    }
}

/// Runs the first statements of a migration.
fn run(driver: &mut dyn Driver, migration: &str, count: usize) {
    let statements = migration.split_inclusive(";\n").filter(|statement| statement.contains(';'));
    statements.take(count).for_each(|statement| driver.batch(statement).unwrap());
}

/// A store as a release with format 7 left it, with one namespace.
fn written_by_format_7(url: &str) -> Box<dyn Driver> {
    let mut driver = connect(url);
    run(&mut *driver, steps(url)[0], usize::MAX);
    driver.batch("CREATE TABLE perihelion_schema (format BIGINT NOT NULL PRIMARY KEY)").unwrap();
    driver.batch("INSERT INTO perihelion_schema (format) VALUES (7)").unwrap();
    driver.batch("INSERT INTO namespaces (id, path) VALUES (7, 'team')").unwrap();
    driver
}

fn open(url: &str) -> Result<ServerStore, StoreError> {
    ServerStore::open(Address::parse(url).unwrap(), ServerSettings::default())
}

fn log() -> Key {
    Key::named(Collection::Pending, "회의").unwrap()
}

fn note(store: &ServerStore, line: &str) {
    let changes = vec![Change::Append { key: log(), lines: vec![line.to_owned()] }];
    let commit = NotesCommit::new("team".parse().unwrap(), changes, Vec::new()).unwrap();
    store.write(vec![Write::CommitNotes(Box::new(commit))]).unwrap();
}

fn formats(driver: &mut dyn Driver) -> Vec<Vec<Value>> {
    driver.query("SELECT format FROM perihelion_schema ORDER BY format", &[]).unwrap()
}

#[test]
fn a_store_of_format_7_opens_keeps_everything_and_can_hold_notes() {
    for url in databases() {
        let mut driver = written_by_format_7(&url);
        let identity = driver.query("SELECT id FROM identity", &[]).unwrap();
        let store = open(&url).unwrap();
        let path = store.namespaces(&Scope::All).unwrap().remove(0);
        assert_eq!(path.as_str(), "team");
        assert_eq!(store.shelf_namespaces().unwrap(), []);
        note(&store, "적어 둔 것");
        drop(store);
        let store = open(&url).unwrap();
        assert_eq!(store.shelf_lines(&path, &log()).unwrap(), ["적어 둔 것"]);
        assert_eq!(driver.query("SELECT id FROM identity", &[]).unwrap(), identity);
        assert_eq!(formats(&mut *driver), [[Value::Integer(7)], [Value::Integer(8)]]);
    }
}

#[test]
fn nodes_that_open_a_store_of_format_7_at_once_migrate_it_once() {
    for url in databases() {
        let mut driver = written_by_format_7(&url);
        std::thread::scope(|scope| {
            for number in 0..4 {
                let url = &url;
                scope.spawn(move || note(&open(url).unwrap(), &number.to_string()));
            }
        });
        let path = "team".parse().unwrap();
        let mut lines = open(&url).unwrap().shelf_lines(&path, &log()).unwrap();
        lines.sort();
        assert_eq!(lines, ["0", "1", "2", "3"]);
        assert_eq!(formats(&mut *driver).len(), 2);
    }
}

#[test]
fn a_node_that_died_while_it_migrated_leaves_the_rest_to_the_next_where_tables_are_committed_one_by_one() {
    for url in databases() {
        if Address::parse(&url).unwrap().kind() == ServerKind::Mysql {
            let mut driver = written_by_format_7(&url);
            run(&mut *driver, steps(&url)[1], 1);
            note(&open(&url).unwrap(), "남은 것");
            assert_eq!(formats(&mut *driver).len(), 2);
        }
    }
}

#[test]
fn a_store_of_a_newer_format_is_refused() {
    for url in databases() {
        let mut driver = written_by_format_7(&url);
        driver.batch("INSERT INTO perihelion_schema (format) VALUES (9)").unwrap();
        let error = open(&url).map(drop).unwrap_err();
        assert!(matches!(error, StoreError::TooNew { found: 9, known: 8, .. }), "{error}");
    }
}
