//! Upkeep: the log goes back into the file, and what the file takes is told.

use super::open::Location;
use crate::Upkeep;
use crate::sql::trouble::Trouble;

pub(super) fn upkeep(location: &Location) -> Result<Upkeep, Trouble> {
    let connection = location.connect_writer()?;
    let mut log = location.path.clone().into_os_string();
    log.push("-wal");
    let log_bytes = || std::fs::metadata(&log).map_or(0, |file| file.len());
    let before = log_bytes();
    // Nobody waits for it: what others are reading stays in the log until the next time.
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    let number = |name: &str| connection.pragma_query_value::<u64, _>(None, name, |row| row.get(0));
    let (page, pages, free) = (number("page_size")?, number("page_count")?, number("freelist_count")?);
    Ok(Upkeep { database_bytes: page * pages, free_bytes: page * free, log_bytes: (before, log_bytes()) })
}
