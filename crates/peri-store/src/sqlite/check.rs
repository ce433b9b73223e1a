//! Looking for damage.

use rusqlite::params;

use crate::Problem;
use crate::sql::connection::Connection;
use crate::sql::trouble::Trouble;

/// Questions whose answer should be zero, and what it means when it is not.
const COUNTS: &[(&str, &str, &str)] = &[
    (
        "SELECT count(*) FROM vectors v LEFT JOIN memories m ON m.namespace_id = v.namespace_id AND m.id = v.id
         WHERE m.id IS NULL",
        "vectors without a memory",
        "they are harmless leftovers; report this, since no release should leave them",
    ),
    (
        "SELECT count(*) FROM memories m WHERE m.embedding = 1 AND NOT EXISTS (SELECT 1 FROM vectors v
         WHERE v.namespace_id = m.namespace_id AND v.id = m.id AND v.space_id = m.space_id)",
        "memories whose vector is missing",
        "they are still found by their words; revise them to embed them anew",
    ),
    (
        "SELECT count(*) FROM vectors v JOIN spaces s ON s.id = v.space_id WHERE octet_length(v.value) <> 2 * s.dimensions",
        "vectors whose length does not fit their space",
        "they are left out of search; revise their memories to embed them anew",
    ),
    (
        "SELECT count(*) FROM memories m JOIN counters c ON c.name = 'change' WHERE m.change > c.value",
        "memories with a change number from the future",
        "restore the last backup; the file was altered from outside",
    ),
    (
        "SELECT count(*) FROM memories m JOIN namespaces n ON n.id = m.namespace_id WHERE m.change > n.change",
        "memories that are newer than their namespace's last change",
        "restore the last backup; the file was altered from outside",
    ),
];

/// Reads everything and lists what is wrong.
pub(super) fn check(connection: &Connection) -> Result<Vec<Problem>, Trouble> {
    let mut problems = pragma(connection, "PRAGMA integrity_check(20)")?;
    problems.extend(relations(connection)?);
    Ok(problems)
}

/// Looks for rows that do not fit together.
pub(crate) fn relations(connection: &Connection) -> Result<Vec<Problem>, Trouble> {
    let mut problems = Vec::new();
    for (sql, what, remedy) in COUNTS {
        let count: u64 = connection.prepare(sql)?.query_row(params![], |row| row.get(0))?;
        if count > 0 {
            problems.push(Problem { what: format!("{count} {what}"), remedy: (*remedy).to_owned() });
        }
    }
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
