//! Looking for rows that do not fit together.

use rusqlite::params;

use super::connection::Connection;
use super::trouble::Trouble;
use crate::Problem;

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
        "SELECT count(*) FROM vectors v JOIN spaces s ON s.id = v.space_id 
         WHERE octet_length(v.value) NOT IN (0, 2 * s.dimensions)",
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
