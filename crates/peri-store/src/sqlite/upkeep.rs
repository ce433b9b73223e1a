//! Upkeep: the log goes back into the file, and what the file takes is told.

use super::open::Location;
use crate::Upkeep;
use crate::sql::trouble::Trouble;

pub(super) fn upkeep(location: &Location) -> Result<Upkeep, Trouble> {
    let connection = location.connect_writer()?;
    // Nobody waits for it: what others are reading stays in the log until the next time.
    let pages = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
    let (held, moved) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], pages)?;
    let number = |name: &str| connection.pragma_query_value(None, name, number);
    let (page, count, free) = (number("page_size")?, number("page_count")?, number("freelist_count")?);
    let bytes = |pages: i64| pages.max(0).unsigned_abs() * page;
    Ok(Upkeep {
        database_bytes: page * count,
        free_bytes: page * free,
        log_bytes: (bytes(held), bytes(held - moved)),
    })
}

/// How long the log is waited for that others read or write.
const LOG_WAIT: std::time::Duration = std::time::Duration::from_secs(1);

/// Takes the log into the file and empties it, so that it holds nothing of what was destroyed. `false`: somebody reads it.
pub(super) fn scrub(location: &Location) -> Result<bool, Trouble> {
    let connection = location.connect_writer()?;
    connection.busy_timeout(LOG_WAIT.min(location.busy_timeout))?;
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    Ok(busy == 0)
}

/// SQLCipher tells the size of its pages as text.
fn number(row: &rusqlite::Row<'_>) -> rusqlite::Result<u64> {
    row.get(0).or_else(|error| row.get::<_, String>(0)?.parse().map_err(|_| error))
}
