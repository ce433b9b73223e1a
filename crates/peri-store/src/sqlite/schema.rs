//! The schema and its migrations. A migration that has been released is never changed; a new one is added.

use rusqlite::{Connection, TransactionBehavior};

use crate::sql::trouble::Trouble;

/// Marks a database file as ours ("PERI").
pub(super) const APPLICATION_ID: i32 = 0x5045_5249;

/// Each entry brings the schema from the format of its index to the next one.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/001_memories.sql"),
    include_str!("migrations/002_lineage.sql"),
    include_str!("migrations/003_superseded.sql"),
    include_str!("migrations/004_orbit.sql"),
    include_str!("migrations/005_keys.sql"),
    include_str!("migrations/006_layers.sql"),
    include_str!("migrations/007_journal.sql"),
    include_str!("migrations/008_notes.sql"),
    include_str!("migrations/009_learning.sql"),
    include_str!("migrations/010_telling.sql"),
    include_str!("migrations/011_use.sql"),
];

/// The newest format this release knows.
pub(super) const FORMAT: u32 = MIGRATIONS.len() as u32;

/// The format of an open database; zero for an empty file.
pub(super) fn format_of(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Refuses what is not ours or too new, without touching it.
pub(super) fn recognise(connection: &Connection) -> Result<u32, Trouble> {
    // One moment for all of it: another process may be making the tables just now.
    let _moment = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
    let format = format_of(connection)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION_ID && (tables > 0 || application != 0) {
        return Err(Trouble::Foreign);
    }
    if format > FORMAT { Err(Trouble::TooNew { found: format, known: FORMAT }) } else { Ok(format) }
}

/// Brings the database to the newest format, in one transaction. Several processes may try at once:
/// whoever comes second finds the work done.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Trouble> {
    if recognise(connection)? == FORMAT {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let format = recognise(&transaction)?;
    for migration in &MIGRATIONS[format as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()?;
    Ok(())
}
