//! Stores to be moved, and moves.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use peri_store::{
    MoveProgress, Place, RelocateError, Relocation, SqliteSettings, SqliteStore, StoreError, relocate,
};
use rusqlite::types::Value;
use tempfile::TempDir;

/// Something in every table.
const EVERYTHING: &str = include_str!("everything.sql");

/// A folder with stores in it.
pub struct Stores(pub TempDir);

impl Stores {
    /// A folder with a store called `source` that has something in every table.
    pub fn new() -> Self {
        let stores = Self(tempfile::tempdir().unwrap());
        stores.create("source");
        stores.edit("source", EVERYTHING);
        stores
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(format!("{name}.db"))
    }

    pub fn place(&self, name: &str) -> Place {
        Place::File(self.file(name))
    }

    pub fn create(&self, name: &str) {
        drop(self.open(name).unwrap());
    }

    pub fn open(&self, name: &str) -> Result<SqliteStore, StoreError> {
        SqliteStore::open(&self.file(name), &SqliteSettings::default())
    }

    /// Changes a file behind everybody's back.
    pub fn edit(&self, name: &str, sql: &str) {
        rusqlite::Connection::open(self.file(name)).unwrap().execute_batch(sql).unwrap();
    }

    /// Moves one file to another, undisturbed.
    pub fn go(&self, from: &str, to: &str) -> Result<Relocation, RelocateError> {
        go(&self.place(from), &self.place(to))
    }

    /// Every row of every table that is moved.
    pub fn rows(&self, name: &str) -> Vec<(String, Vec<Vec<Value>>)> {
        rows(&self.file(name))
    }
}

/// Moves from place to place, undisturbed.
pub fn go(from: &Place, to: &Place) -> Result<Relocation, RelocateError> {
    go_watched(from, to, &mut |_| {})
}

/// Moves from place to place while somebody looks on.
pub fn go_watched(
    from: &Place,
    to: &Place,
    watch: &mut dyn FnMut(MoveProgress),
) -> Result<Relocation, RelocateError> {
    relocate(from, to, watch, &AtomicBool::new(false))
}

/// Every row of every table that is moved, as SQLite has them.
pub fn rows(path: &Path) -> Vec<(String, Vec<Vec<Value>>)> {
    let file = rusqlite::Connection::open(path).unwrap();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                  AND name NOT IN ('identity', 'leases') ORDER BY name";
    let mut tables = file.prepare(tables).unwrap();
    let tables = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let dump = |table: String| {
        let mut statement = file
            .prepare(&format!("SELECT * FROM \"{table}\" ORDER BY 1, 2, 3"))
            .unwrap_or_else(|_| file.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY 1, 2")).unwrap());
        let columns = statement.column_count();
        let read = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
        let rows = statement.query_map([], read).unwrap().map(Result::unwrap).collect();
        (table, rows)
    };
    tables.map(Result::unwrap).map(dump).collect()
}

/// Compares what two files hold, table by table, so that a failure can be read.
pub fn assert_same(left: &Path, right: &Path) {
    for ((table, ours), (_, theirs)) in rows(left).into_iter().zip(rows(right)) {
        assert!(!ours.is_empty(), "{table} is tried with rows");
        assert_eq!(ours.len(), theirs.len(), "{table}");
        for (here, there) in ours.iter().zip(&theirs) {
            assert!(here == there, "{table}: {:.300?} {:.300?}", here, there);
        }
    }
}
