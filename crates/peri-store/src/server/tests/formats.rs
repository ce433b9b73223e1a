//! Stores of earlier formats on servers.

use peri_notes::{Change, Collection, Key};
use peri_types::Scope;
use rusqlite::types::Value;

use super::*;
use crate::{NotesCommit, ServerSettings, ServerStore, Store as _, StoreError, Write};

/// The tables of the first format that was ever on a server, and what each later one adds.
fn steps(url: &str) -> [&'static str; 5] {
    match Address::parse(url).unwrap().kind() {
        ServerKind::Postgres => [
            include_str!("../migrations/postgres/007_tables.sql"),
            include_str!("../migrations/postgres/008_notes.sql"),
            include_str!("../migrations/postgres/009_learning.sql"),
            include_str!("../migrations/postgres/010_telling.sql"),
            include_str!("../migrations/postgres/011_use.sql"),
        ],
        ServerKind::Mysql => [
            include_str!("../migrations/mysql/007_tables.sql"),
            include_str!("../migrations/mysql/008_notes.sql"),
            include_str!("../migrations/mysql/009_learning.sql"),
            include_str!("../migrations/mysql/010_telling.sql"),
            include_str!("../migrations/mysql/011_use.sql"),
        ],
    }
}

/// Runs the first statements of a migration.
fn run(driver: &mut dyn Driver, migration: &str, count: usize) {
    let statements = migration.split_inclusive(";\n").filter(|statement| statement.contains(';'));
    statements.take(count).for_each(|statement| driver.batch(statement).unwrap());
}

/// The first format of those steps, and the newest.
const FIRST: usize = 7;
const NEWEST: usize = 11;
/// The first that knows which answers tell what memories say.
const TELLING: usize = 10;

/// A store as a release with an earlier format left it, with one namespace.
fn written_by(format: usize, url: &str) -> Box<dyn Driver> {
    let mut driver = connect(url);
    driver.batch("CREATE TABLE perihelion_schema (format BIGINT NOT NULL PRIMARY KEY)").unwrap();
    for (number, step) in (FIRST..=format).zip(steps(url)) {
        run(&mut *driver, step, usize::MAX);
        driver.batch(&format!("INSERT INTO perihelion_schema (format) VALUES ({number})")).unwrap();
    }
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

fn learn(store: &ServerStore, second: i64) {
    let (namespace, name) = ("team".parse().unwrap(), "router".to_owned());
    let (value, at) = (serde_json::json!(second), peri_types::Timestamp::from_second(second).unwrap());
    store.write(vec![Write::SetLearned { namespace, name, value, reason: "배움".to_owned(), at }]).unwrap();
}

fn formats(driver: &mut dyn Driver) -> Vec<Vec<Value>> {
    driver.query("SELECT format FROM perihelion_schema ORDER BY format", &[]).unwrap()
}

#[test]
fn a_store_of_every_earlier_format_opens_keeps_everything_and_can_hold_what_came_later() {
    for (format, url) in
        (FIRST..NEWEST).flat_map(|format| databases().into_iter().map(move |url| (format, url)))
    {
        let mut driver = written_by(format, &url);
        let identity = driver.query("SELECT id FROM identity", &[]).unwrap();
        let store = open(&url).unwrap();
        let path = store.namespaces(&Scope::All).unwrap().remove(0);
        assert_eq!(path.as_str(), "team");
        assert_eq!(store.shelf_namespaces().unwrap(), []);
        assert_eq!(store.learned_marks(&path).unwrap(), []);
        note(&store, "적어 둔 것");
        learn(&store, 1);
        drop(store);
        let store = open(&url).unwrap();
        assert_eq!(store.shelf_lines(&path, &log()).unwrap(), ["적어 둔 것"]);
        assert_eq!(store.learned(&path, "router", 0, 9).unwrap().len(), 1);
        assert_eq!(driver.query("SELECT id FROM identity", &[]).unwrap(), identity);
        assert_eq!(formats(&mut *driver), [7, 8, 9, 10, 11].map(|format| [Value::Integer(format)]));
    }
}

#[test]
fn answers_of_an_earlier_format_are_known_to_tell_or_not() {
    for (format, url) in
        (FIRST..TELLING).flat_map(|format| databases().into_iter().map(move |url| (format, url)))
    {
        let mut driver = written_by(format, &url);
        for (key, body) in [("memory", r#"{"content":"비밀"}"#), ("receipt", r#"{"id":"contents"}"#)] {
            let values = [key.to_owned().into(), body.as_bytes().to_vec().into()];
            let sql = "INSERT INTO answers (caller, key, digest, status, body, at) VALUES ('a', ?1, '', 200, ?2, 1)";
            driver.execute(sql, &values).unwrap();
        }
        drop(open(&url).unwrap());
        let found = driver.query("SELECT key, tells FROM answers ORDER BY key", &[]).unwrap();
        let tells: Vec<&Value> = found.iter().map(|row| &row[1]).collect();
        assert_eq!(tells, [&Value::Integer(1), &Value::Integer(0)], "format {format}");
    }
}

#[test]
fn nodes_that_open_a_store_of_an_earlier_format_at_once_migrate_it_once() {
    for url in databases() {
        let mut driver = written_by(FIRST, &url);
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
        assert_eq!(formats(&mut *driver).len(), steps(&url).len());
    }
}

#[test]
fn a_node_that_died_while_it_migrated_leaves_the_rest_to_the_next_where_tables_are_committed_one_by_one() {
    for (format, made) in [
        (7, 1),
        (8, 1),
        (8, 2),
        (8, 3),
        (8, 4),
        (8, 5),
        (9, 1),
        (9, 3),
        (9, 4),
        (10, 1),
        (10, 2),
        (10, 6),
        (10, 10),
    ] {
        let is_mysql = |url: &String| Address::parse(url).unwrap().kind() == ServerKind::Mysql;
        for url in databases().into_iter().filter(is_mysql) {
            let mut driver = written_by(format, &url);
            run(&mut *driver, steps(&url)[format + 1 - FIRST], made);
            let store = open(&url).unwrap();
            note(&store, "남은 것");
            learn(&store, 1);
            assert_eq!(formats(&mut *driver).len(), steps(&url).len());
        }
    }
}

#[test]
fn a_store_of_a_newer_format_is_refused() {
    for url in databases() {
        let mut driver = written_by(FIRST, &url);
        driver.batch("INSERT INTO perihelion_schema (format) VALUES (12)").unwrap();
        let error = open(&url).map(drop).unwrap_err();
        assert!(matches!(error, StoreError::TooNew { found: 12, known: 11, .. }), "{error}");
    }
}
