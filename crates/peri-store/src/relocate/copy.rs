//! Rows going over.

use rusqlite::types::Value;

use super::encode::{Row, key_of, shown};
use super::note::{Note, Stage};
use super::pages::{Pages, names};
use super::tables::{Beginning, TABLES, Table};
use super::target::Target;
use super::{MoveProgress, MoveStep, RelocateError, Source, Watch};
use crate::sql::connection::{Connection, Dialect};
use crate::sql::trouble::Trouble;

/// So many values are sent with one statement at most; every database takes more.
const VALUES_MAX: usize = 8000;

/// Copies what is not there yet.
pub(super) fn copy(source: &Source<'_>, target: &Target, watch: &mut Watch<'_>) -> Result<(), RelocateError> {
    let Stage::Copying { table: first, after, rows } = target.stage()? else { return Ok(()) };
    let after = (!after.is_empty()).then(|| after.into_iter().map(Value::from).collect());
    let mut begun = Some((after, rows));
    for table in TABLES.iter().skip_while(|table| table.name != first) {
        let (after, rows) = begun.take().unwrap_or_default();
        copy_table(source, target, Reached { table, after, rows }, watch)?;
    }
    target.commit(&Note { source: source.stamp.clone(), stage: Stage::Verifying }, |_| Ok(()))
}

/// How far a table is copied.
struct Reached {
    table: &'static Table,
    after: Option<Vec<Value>>,
    rows: u64,
}

fn copy_table(
    source: &Source<'_>,
    target: &Target,
    reached: Reached,
    watch: &mut Watch<'_>,
) -> Result<(), RelocateError> {
    let Reached { table, after, mut rows } = reached;
    let of = source.stamp.rows_of(table.name);
    let mut pages = Pages::after(source.connection, table, after);
    watch.tell(MoveProgress { step: MoveStep::Copying, table: table.name, rows, of })?;
    loop {
        let told = |trouble| source.end.tell(trouble);
        let page = pages.next().map_err(told)?;
        let Some(last) = page.last() else { return Ok(()) };
        if target.connection.dialect() == Dialect::Postgres {
            page.iter().try_for_each(|row| refuse_nul(table, row))?;
        }
        rows += page.len() as u64;
        let after = key_of(table, last).map_err(told)?;
        let stage = Stage::Copying { table: table.name.to_owned(), after, rows };
        let note = Note { source: source.stamp.clone(), stage };
        target.commit(&note, |connection| insert(connection, table, &page))?;
        watch.tell(MoveProgress { step: MoveStep::Copying, table: table.name, rows, of })?;
    }
}

/// PostgreSQL keeps every character but one.
fn refuse_nul(table: &'static Table, row: &[Value]) -> Result<(), RelocateError> {
    let has_nul = |value: &Value| matches!(value, Value::Text(text) if text.contains('\0'));
    if row.iter().any(has_nul) {
        return Err(RelocateError::Unstorable { table: table.name, key: shown(table, row) });
    }
    Ok(())
}

/// Inserts rows, many with one statement. There are few statements: each is for twice as many rows as the next.
fn insert(connection: &Connection, table: &Table, mut rows: &[Row]) -> Result<(), Trouble> {
    let most = (VALUES_MAX / table.columns.len()).max(1);
    while !rows.is_empty() {
        let count = 1 << rows.len().min(most).ilog2();
        let (now, later) = rows.split_at(count);
        let values: Vec<&Value> = now.iter().flatten().collect();
        connection.prepare_cached(&statement(table, count))?.execute(values)?;
        rows = later;
    }
    Ok(())
}

fn statement(table: &Table, rows: usize) -> String {
    let row = format!("({})", vec!["?"; table.columns.len()].join(", "));
    let values = vec![row.as_str(); rows].join(", ");
    let mut sql = format!("INSERT INTO {} ({}) VALUES {values}", table.name, names(table.columns));
    if table.beginning == Beginning::Rows {
        let rest = &table.columns[table.key..];
        let taken: Vec<_> = rest.iter().map(|column| format!("{0} = excluded.{0}", column.name)).collect();
        sql.push_str(&format!(" ON CONFLICT ({}) DO UPDATE SET {}", names(table.key()), taken.join(", ")));
    }
    sql
}
