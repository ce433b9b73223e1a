//! The description of the tables against the databases themselves: a column that is forgotten would not be moved.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use rusqlite::params;

use super::Place;
use super::ends::End;
use super::tables::{Kind, LEFT, TABLES};
use crate::sql::connection::{Connection, Dialect};

/// A column of a table: the table, the column, its type, and its place in the key, counted from one.
type Described = (String, String, String, u64);

/// Every column of every table that is there.
fn found(connection: &Connection) -> BTreeSet<Described> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => {
            "SELECT t.name, c.name, lower(c.type), c.pk FROM sqlite_schema t JOIN pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'"
        }
        Dialect::Postgres => {
            "SELECT c.table_name::text, c.column_name::text, c.data_type::text, coalesce((
                 SELECT k.ordinal_position::bigint FROM information_schema.key_column_usage k
                 JOIN information_schema.table_constraints t ON t.constraint_name = k.constraint_name
                     AND t.constraint_type = 'PRIMARY KEY' AND t.table_schema = k.table_schema
                 WHERE k.table_schema = c.table_schema AND k.table_name = c.table_name
                     AND k.column_name = c.column_name), 0)
             FROM information_schema.columns c WHERE c.table_schema = current_schema()"
        }
        Dialect::Mysql => return told(connection),
    };
    let read = |row: crate::sql::connection::Row<'_>| {
        let words = (row.get::<String>(0)?, row.get::<String>(1)?, row.get::<String>(2)?);
        Ok((words.0.to_lowercase(), words.1.to_lowercase(), words.2.to_lowercase(), row.get::<u64>(3)?))
    };
    let rows = connection.prepare(sql).unwrap().query_all(params![], read).unwrap();
    rows.into_iter().filter(|(table, ..)| !stays(table)).collect()
}

fn stays(table: &str) -> bool {
    LEFT.contains(&table) || table == "perihelion_schema"
}

/// The same from what MySQL says of its tables, without the columns that it computes by itself.
fn told(connection: &Connection) -> BTreeSet<Described> {
    let text = |sql: &str, column| {
        let read = |row: crate::sql::connection::Row<'_>| row.get::<String>(column);
        connection.prepare(sql).unwrap().query_all(params![], read).unwrap()
    };
    let mut columns = BTreeSet::new();
    for table in text("SHOW TABLES", 0).into_iter().filter(|table| !stays(table)) {
        let created = text(&format!("SHOW CREATE TABLE {table}"), 1).remove(0).replace('"', "`");
        let key = created.lines().find_map(|line| line.trim().strip_prefix("PRIMARY KEY (")).unwrap();
        let key: Vec<_> = key.split('`').skip(1).step_by(2).collect();
        for line in created.lines().filter(|line| !line.contains(" GENERATED ALWAYS AS ")) {
            let Some((name, rest)) = line.trim().strip_prefix('`').and_then(|line| line.split_once("` "))
            else {
                continue;
            };
            let kind = rest.split([' ', '(', ',']).next().unwrap().to_owned();
            let position =
                key.iter().position(|part| *part == name).map_or(0, |position| position as u64 + 1);
            columns.insert((table.clone(), name.to_owned(), kind, position));
        }
    }
    columns
}

/// How a database may call what a column holds.
fn types(dialect: Dialect, kind: Kind) -> &'static [&'static str] {
    match (dialect, kind) {
        (Dialect::Sqlite, Kind::Integer) => &["integer"],
        (Dialect::Sqlite, Kind::Real) => &["real"],
        (Dialect::Sqlite, Kind::Name | Kind::Text) => &["text"],
        (Dialect::Sqlite, Kind::Id | Kind::Bytes) => &["blob"],
        (_, Kind::Integer) => &["bigint"],
        (Dialect::Postgres, Kind::Real) => &["double precision"],
        (Dialect::Postgres, Kind::Name | Kind::Text) => &["text"],
        (Dialect::Postgres, Kind::Id | Kind::Bytes) => &["bytea"],
        (Dialect::Mysql, Kind::Real) => &["double"],
        (Dialect::Mysql, Kind::Name) => &["varbinary"],
        (Dialect::Mysql, Kind::Text) => &["longtext"],
        (Dialect::Mysql, Kind::Id) => &["binary", "varbinary"],
        (Dialect::Mysql, Kind::Bytes) => &["longblob"],
    }
}

fn check(place: &str) {
    let (_, connection) = End::target(&Place::parse(place).unwrap()).unwrap();
    let mut found = found(&connection);
    for table in TABLES {
        for (number, column) in table.columns.iter().enumerate() {
            let position = if number < table.key { number as u64 + 1 } else { 0 };
            let mut fits = |kind: &&str| {
                let one = (table.name.to_owned(), column.name.to_owned(), (*kind).to_owned(), position);
                found.remove(&one)
            };
            let kinds = types(connection.dialect(), column.kind);
            assert!(kinds.iter().any(&mut fits), "{}.{} is not as described", table.name, column.name);
        }
    }
    assert!(found.is_empty(), "these columns would not be moved: {found:?}");
}

#[test]
fn every_column_of_a_file_is_moved() {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path().to_str().unwrap());
}

#[test]
fn every_column_on_postgresql_is_moved() {
    if !peri_servers::may_be_left_out() {
        check(&peri_servers::Postgres::shared().fresh_database().unwrap());
    }
}

#[test]
fn every_column_on_mariadb_is_moved() {
    if !peri_servers::may_be_left_out() {
        check(&peri_servers::MariaDb::shared().fresh_database().unwrap());
    }
}
