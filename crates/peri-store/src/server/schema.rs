//! The tables on a server and their migrations. Formats have the numbers they have on SQLite; the first that was ever
//! on a server is 7.

use rusqlite::params;

use crate::sql::connection::{Connection, Dialect, Optional};
use crate::sql::trouble::Trouble;

/// What brings the tables from nothing to format 7, and from each format to the next.
struct Migrations {
    first: &'static str,
    further: &'static [&'static str],
}

const FIRST: u32 = 7;
const POSTGRES: Migrations = Migrations {
    first: include_str!("migrations/postgres/007_tables.sql"),
    further: &[
        include_str!("migrations/postgres/008_notes.sql"),
        include_str!("migrations/postgres/009_learning.sql"),
        include_str!("migrations/postgres/010_telling.sql"),
        include_str!("migrations/postgres/011_use.sql"),
    ],
};
const MYSQL: Migrations = Migrations {
    first: include_str!("migrations/mysql/007_tables.sql"),
    further: &[
        include_str!("migrations/mysql/008_notes.sql"),
        include_str!("migrations/mysql/009_learning.sql"),
        include_str!("migrations/mysql/010_telling.sql"),
        include_str!("migrations/mysql/011_use.sql"),
    ],
};

/// The format of this release.
pub(super) const NEWEST: u32 = FIRST + POSTGRES.further.len() as u32;
const _: () = assert!(POSTGRES.further.len() == MYSQL.further.len(), "both have every format");

/// Tells who migrates from everybody else. The number says "PERI".
const LOCK_NUMBER: i64 = 0x5045_5249;
const LOCK_NAME: &str = "perihelion.migration";
/// How long a node waits for another one that is migrating.
const LOCK_SECONDS: u32 = 600;

/// Brings the tables to the format of this release. Several nodes may come at once: one migrates, the others wait.
pub(super) fn prepare(connection: &Connection) -> Result<(), Trouble> {
    let migrations = match connection.dialect() {
        Dialect::Mysql => &MYSQL,
        _ => &POSTGRES,
    };
    let newest = NEWEST;
    if recognise(connection, newest)? == Some(newest) {
        return Ok(());
    }
    match connection.dialect() {
        Dialect::Mysql => migrate_mysql(connection, migrations, newest),
        _ => migrate_postgres(connection, migrations, newest),
    }
}

/// The format of the tables that are there, if there are any.
pub(super) fn format_of(connection: &Connection) -> Result<Option<u32>, Trouble> {
    recognise(connection, NEWEST)
}

/// The format of the tables that are there. What is not ours or too new is refused.
fn recognise(connection: &Connection, newest: u32) -> Result<Option<u32>, Trouble> {
    if !exists(connection, "perihelion_schema")? {
        return if exists(connection, "memories")? && connection.dialect() == Dialect::Postgres {
            Err(Trouble::Foreign)
        } else {
            Ok(None)
        };
    }
    let format: Option<u32> = connection
        .prepare("SELECT max(format) FROM perihelion_schema")?
        .query_row(params![], |row| row.get(0))
        .optional()?
        .flatten();
    match format {
        Some(found) if found > newest => Err(Trouble::TooNew { found, known: newest }),
        format => Ok(format),
    }
}

fn exists(connection: &Connection, table: &str) -> Result<bool, Trouble> {
    let own = match connection.dialect() {
        Dialect::Mysql => "database()",
        _ => "current_schema()",
    };
    let sql =
        format!("SELECT 1 FROM information_schema.tables WHERE table_schema = {own} AND table_name = ?1");
    connection.prepare(&sql)?.exists([table])
}

fn migrate_postgres(connection: &Connection, migrations: &Migrations, newest: u32) -> Result<(), Trouble> {
    let transaction =
        connection.begin("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")?;
    connection.prepare("SELECT pg_advisory_xact_lock(?1)")?.query_row([LOCK_NUMBER], |_| Ok(()))?;
    let format = recognise(connection, newest)?;
    run(connection, migrations, format)?;
    transaction.commit()
}

/// The server commits each change to tables by itself, so that a node which dies leaves the rest to the next one; every
/// statement of a migration can be run again.
fn migrate_mysql(connection: &Connection, migrations: &Migrations, newest: u32) -> Result<(), Trouble> {
    let locked: Option<i64> = connection
        .prepare(&format!("SELECT get_lock(concat(database(), '.{LOCK_NAME}'), {LOCK_SECONDS})"))?
        .query_row(params![], |row| row.get(0))?;
    if locked != Some(1) {
        let why = "another node is migrating its tables and does not finish".to_owned();
        return Err(super::Failure::Again(why).into());
    }
    let format = recognise(connection, newest)?;
    let outcome = run(connection, migrations, format);
    connection
        .prepare(&format!("SELECT release_lock(concat(database(), '.{LOCK_NAME}'))"))?
        .query_row(params![], |_| Ok(()))?;
    outcome
}

fn run(connection: &Connection, migrations: &Migrations, format: Option<u32>) -> Result<(), Trouble> {
    connection.batch("CREATE TABLE IF NOT EXISTS perihelion_schema (format BIGINT NOT NULL PRIMARY KEY)")?;
    let done = match format {
        Some(format) => format,
        None => {
            batch(connection, migrations.first)?;
            note(connection, FIRST)?;
            FIRST
        }
    };
    for (number, migration) in (FIRST + 1..).zip(migrations.further).skip((done - FIRST) as usize) {
        batch(connection, migration)?;
        note(connection, number)?;
    }
    Ok(())
}

/// Runs a migration statement by statement, so that each has the time that one may take. Statements end their lines.
fn batch(connection: &Connection, migration: &str) -> Result<(), Trouble> {
    let statements = migration.split_inclusive(";\n").filter(|statement| statement.contains(';'));
    statements.into_iter().try_for_each(|statement| connection.batch(statement))
}

fn note(connection: &Connection, format: u32) -> Result<(), Trouble> {
    connection
        .execute("INSERT INTO perihelion_schema (format) VALUES (?1) ON CONFLICT DO NOTHING", [format])?;
    Ok(())
}
