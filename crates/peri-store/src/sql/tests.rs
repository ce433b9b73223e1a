//! Which way SQLite finds what is asked for. It knows nothing of how many rows a table has, takes a namespace for ten of
//! them, and reads all of it rather than use an index, unless it is told to.

use peri_types::{MemoryId, Timestamp};

use super::connection::Dialect;
use super::{apply, edges, layers, read, replace};
use crate::{ListQuery, SqliteSettings, SqliteStore, Trashed};

/// Looks at how the tables that lead are searched: by more than their namespace.
fn check(sql: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    drop(SqliteStore::open(&path, &SqliteSettings::default()).unwrap());
    let file = rusqlite::Connection::open(&path).unwrap();
    let mut statement = file.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let mut rows = statement.raw_query();
    let mut searches = 0;
    while let Some(row) = rows.next().unwrap() {
        let step: String = row.get("detail").unwrap();
        assert!(!step.starts_with("SCAN"), "{step}: {sql}");
        if step.starts_with("SEARCH") {
            searches += 1;
            assert!(!step.contains("PRIMARY KEY (namespace_id=?)"), "{step}: {sql}");
        }
    }
    assert!(searches > 0, "{sql}");
}

fn listed(query: ListQuery) {
    let mut conditions = read::Conditions::new(Dialect::Sqlite);
    conditions.sql.push("m.namespace_id IN (1, 2)".to_owned());
    conditions.add_query(&query);
    check(&read::listing(&query, &conditions));
}

#[test]
fn destroying_a_memory_reads_nothing_of_others() {
    let fixed = [replace::MERGES, edges::SOURCES_TOUCHING, apply::FREE_SUPERSEDED, &layers::SOURCES_OF];
    fixed.into_iter().chain(replace::DROP_MERGES).chain(edges::DROP_EDGES).for_each(check);
}

#[test]
fn chores_that_find_nothing_to_do_read_nothing() {
    check(read::COUNT_UNLINKED);
    let before = Some(Timestamp::UNIX_EPOCH);
    for as_kept in [false, true] {
        let query = || ListQuery { as_kept, ..ListQuery::default() };
        listed(ListQuery { unlinked: true, ..query() });
        listed(ListQuery { unembedded: true, ..query() });
        listed(ListQuery { unlinked: true, unembedded: true, ..query() });
        listed(ListQuery { superseded_by: Some(MemoryId::from_bytes([1; 16])), unlinked: true, ..query() });
        listed(ListQuery { trashed: Trashed::Only, trashed_before: before, unlinked: true, ..query() });
    }
}

#[test]
#[should_panic(expected = "PRIMARY KEY (namespace_id=?)")]
fn a_plan_that_reads_a_whole_namespace_is_seen() {
    check("SELECT weight FROM edges WHERE namespace_id = ?1 AND target = ?2");
}
