//! Numbers that a database gives by itself, which go on after the last one of the source.

use rusqlite::params;

use crate::sql::connection::{Connection, Dialect, Optional};
use crate::sql::trouble::Trouble;

/// The highest number that an event ever had. Those that were shipped to the log may be gone, and a restore may have
/// left out numbers.
pub(super) fn last_event(connection: &Connection) -> Result<u64, Trouble> {
    let known = "SELECT coalesce(max(number), 0) FROM events";
    let shipped = "SELECT value FROM counters WHERE name = 'events_shipped'";
    let given = match connection.dialect() {
        Dialect::Sqlite => "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
        Dialect::Postgres => {
            "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'number')::regclass), 0)"
        }
        Dialect::Mysql => {
            "SELECT auto_increment - 1 FROM information_schema.tables
             WHERE table_schema = database() AND table_name = 'events'"
        }
    };
    let mut last = 0;
    for sql in [known, shipped, given] {
        let number: Option<Option<u64>> =
            connection.prepare(sql)?.query_row(params![], |row| row.get(0)).optional()?;
        last = last.max(number.flatten().unwrap_or(0));
    }
    Ok(last)
}

/// Lets the database count on after the rows that it was given. MySQL commits this by itself, so that it is done
/// outside of a transaction; doing it again changes nothing.
pub(super) fn count_on(connection: &Connection, last_event: u64) -> Result<(), Trouble> {
    match connection.dialect() {
        Dialect::Sqlite => connection.batch(&format!(
            "DELETE FROM sqlite_sequence WHERE name = 'events';
             INSERT INTO sqlite_sequence (name, seq) VALUES ('events', {last_event})"
        )),
        Dialect::Mysql => {
            connection.batch(&format!("ALTER TABLE events AUTO_INCREMENT = {}", last_event.saturating_add(1)))
        }
        Dialect::Postgres => {
            for table in ["events", "uses", "lineage"] {
                let sql = format!("SELECT coalesce(max(number), 0) FROM {table}");
                let known: u64 = connection.prepare(&sql)?.query_row(params![], |row| row.get(0))?;
                let last = if table == "events" { known.max(last_event) } else { known };
                // The next number is one higher than the last; of a table without rows it is the first.
                let (number, given) = if last == 0 { (1, "false") } else { (last, "true") };
                connection.batch(&format!(
                    "SELECT setval(pg_get_serial_sequence('{table}', 'number'), {number}, {given})"
                ))?;
            }
            Ok(())
        }
    }
}
