//! Reading both sides again and comparing them.

use rusqlite::types::Value;

use super::encode::{Row, shown, write};
use super::pages::Pages;
use super::tables::{TABLES, Table};
use super::target::Target;
use super::{MoveProgress, MoveStep, MovedTable, RelocateError, Source, Watch};
use crate::sql::connection::Connection;
use crate::sql::trouble::Trouble;

/// How many rows are compared between two reports of progress.
const ROWS_TOLD: u64 = 1000;

/// Compares every table, and tells what both sides hold.
pub(super) fn verify(
    source: &Source<'_>,
    target: &Target,
    watch: &mut Watch<'_>,
) -> Result<Vec<MovedTable>, RelocateError> {
    watch.tell(progress(&TABLES[0], 0, source.stamp.rows_of(TABLES[0].name)))?;
    let _moment = target.connection.begin_reading().map_err(|trouble| target.told(trouble))?;
    TABLES.iter().map(|table| compare(source, target, table, watch)).collect()
}

/// The digest of all tables.
pub(super) fn whole(tables: &[MovedTable]) -> String {
    let mut all = blake3::Hasher::new();
    for table in tables {
        let name = Value::Text(table.name.to_owned());
        let digest = Value::Text(table.digest.clone());
        let mut bytes = Vec::new();
        write(&[name, Value::Integer(table.rows as i64), digest], &mut bytes);
        all.update(&bytes);
    }
    all.finalize().to_hex().to_string()
}

fn progress(table: &Table, rows: u64, of: u64) -> MoveProgress {
    MoveProgress { step: MoveStep::Verifying, table: table.name, rows, of }
}

fn compare(
    source: &Source<'_>,
    target: &Target,
    table: &'static Table,
    watch: &mut Watch<'_>,
) -> Result<MovedTable, RelocateError> {
    let of = source.stamp.rows_of(table.name);
    let mut left = Side::new(source.connection, table);
    let mut right = Side::new(&target.connection, table);
    let (mut rows, mut digest) = (0, blake3::Hasher::new());
    watch.tell(progress(table, 0, of))?;
    loop {
        let ours = left.next().map_err(|trouble| source.end.tell(trouble))?;
        let theirs = right.next().map_err(|trouble| target.told(trouble))?;
        let (Some(here), Some(there)) = (&ours, &theirs) else {
            match ours.or(theirs) {
                Some(only) => return Err(differs(table, &only)),
                None => break,
            }
        };
        if left.bytes != right.bytes {
            // What has the lower key is not on the other side, or is different there.
            let first = if lower(&there[..table.key], &here[..table.key]) { there } else { here };
            return Err(differs(table, first));
        }
        digest.update(&left.bytes);
        rows += 1;
        if rows % ROWS_TOLD == 0 {
            watch.tell(progress(table, rows, of))?;
        }
    }
    watch.tell(progress(table, rows, of))?;
    Ok(MovedTable { name: table.name, rows, digest: digest.finalize().to_hex().to_string() })
}

fn differs(table: &'static Table, row: &[Value]) -> RelocateError {
    RelocateError::Differs { table: table.name, key: shown(table, row) }
}

/// Whether a key comes before another one.
fn lower(key: &[Value], other: &[Value]) -> bool {
    let order = key.iter().zip(other).map(|pair| match pair {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Blob(a), Value::Blob(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
    order.into_iter().find(|order| order.is_ne()).is_some_and(std::cmp::Ordering::is_lt)
}

/// The rows of one side, one after the other.
struct Side<'c> {
    pages: Pages<'c>,
    rows: std::vec::IntoIter<Row>,
    /// The last row as it is digested.
    bytes: Vec<u8>,
}

impl<'c> Side<'c> {
    fn new(connection: &'c Connection, table: &'static Table) -> Self {
        Self { pages: Pages::after(connection, table, None), rows: Vec::new().into_iter(), bytes: Vec::new() }
    }

    fn next(&mut self) -> Result<Option<Row>, Trouble> {
        if self.rows.len() == 0 {
            self.rows = self.pages.next()?.into_iter();
        }
        let row = self.rows.next();
        self.bytes.clear();
        if let Some(row) = &row {
            write(row, &mut self.bytes);
        }
        Ok(row)
    }
}
