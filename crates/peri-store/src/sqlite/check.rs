//! Looking for damage.

use rusqlite::params;

use crate::Problem;
use crate::sql::check::relations;
use crate::sql::connection::Connection;
use crate::sql::trouble::Trouble;

/// Reads everything and lists what is wrong.
pub(super) fn check(connection: &Connection) -> Result<Vec<Problem>, Trouble> {
    let mut problems = pragma(connection, "PRAGMA integrity_check(20)")?;
    problems.extend(relations(connection)?);
    Ok(problems)
}

/// What SQLite's own check finds, told a line each.
pub(super) fn pragma(connection: &Connection, sql: &str) -> Result<Vec<Problem>, Trouble> {
    let mut statement = connection.prepare(sql)?;
    let lines = statement.query_all(params![], |row| row.get::<String>(0))?;
    let remedy = "stop every process that uses the folder, keep a copy of it, and restore the last backup; \
                  `sqlite3 perihelion.db .recover` salvages what can be read";
    let damaged = lines.into_iter().filter(|line| line != "ok");
    Ok(damaged.map(|what| Problem { what, remedy: remedy.to_owned() }).collect())
}
