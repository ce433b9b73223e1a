//! Reading a table from its first key to its last, never more at once than fits into memory easily.

use rusqlite::types::Value;

use super::encode::{Row, plain};
use super::note;
use super::tables::{Column, Kind, Table};
use crate::sql::connection::{Connection, Dialect};
use crate::sql::trouble::Trouble;

/// So many rows are read at once at most.
const ROWS_MAX: usize = 1000;
/// So many bytes of long texts and vectors are read at once, unless a single row has more.
const BYTES_MAX: u64 = 4 << 20;

/// The rest of a table, page by page in the order of its keys, which is the same in every database.
pub(super) struct Pages<'c> {
    connection: &'c Connection,
    table: &'static Table,
    after: Option<Vec<Value>>,
}

impl<'c> Pages<'c> {
    /// What comes after a key, or all.
    pub(super) fn after(
        connection: &'c Connection,
        table: &'static Table,
        after: Option<Vec<Value>>,
    ) -> Self {
        Self { connection, table, after }
    }

    /// The next rows; none at the end.
    pub(super) fn next(&mut self) -> Result<Vec<Row>, Trouble> {
        loop {
            let limit = self.fitting()?;
            let mut rows = if limit == 0 { Vec::new() } else { self.read(limit)? };
            let Some(last) = rows.last() else { return Ok(rows) };
            self.after = Some(last[..self.table.key].to_vec());
            if self.table.name == note::TABLE {
                rows.retain(|row| !note::is_own(row));
            }
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
    }

    /// How many of the next rows are read at once.
    fn fitting(&self) -> Result<usize, Trouble> {
        let long: Vec<_> = self.table.columns.iter().filter(|column| is_long(column)).collect();
        if long.is_empty() {
            return Ok(ROWS_MAX);
        }
        let lengths = long.iter().map(|column| format!("coalesce(octet_length({}), 0)", column.name));
        let what = lengths.collect::<Vec<_>>().join(" + ");
        let sizes = self.select(&what, ROWS_MAX, |row| row.get::<u64>(0))?;
        let mut total = 0_u64;
        let fit = sizes.iter().take_while(|size| {
            total += **size;
            total <= BYTES_MAX
        });
        Ok(fit.count().max(sizes.len().min(1)))
    }

    fn read(&self, limit: usize) -> Result<Vec<Row>, Trouble> {
        let columns = self.table.columns;
        self.select(&names(columns), limit, |row| {
            let value = |(number, column): (usize, &Column)| plain(row.get::<Value>(number)?, column.kind);
            columns.iter().enumerate().map(value).collect()
        })
    }

    fn select<T>(
        &self,
        what: &str,
        limit: usize,
        read: impl FnMut(crate::sql::connection::Row<'_>) -> Result<T, Trouble>,
    ) -> Result<Vec<T>, Trouble> {
        let Table { name, .. } = self.table;
        let key = names(self.table.key());
        let mut parameters = self.after.clone().unwrap_or_default();
        let beyond = match self.after {
            Some(_) => format!("WHERE {}", beyond(self.connection.dialect(), self.table.key())),
            None => String::new(),
        };
        parameters.push(Value::Integer(limit as i64));
        let place = parameters.len();
        let sql = format!("SELECT {what} FROM {name} {beyond} ORDER BY {key} LIMIT ?{place}");
        self.connection.prepare_cached(&sql)?.query_all(parameters, read)
    }
}

fn is_long(column: &Column) -> bool {
    matches!(column.kind, Kind::Text | Kind::Bytes)
}

pub(super) fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

/// The condition that a key comes after the one that is given. MySQL finds its way through an index only when it is
/// spelled out.
fn beyond(dialect: Dialect, key: &[Column]) -> String {
    if dialect != Dialect::Mysql {
        let places = (1..=key.len()).map(|place| format!("?{place}")).collect::<Vec<_>>().join(", ");
        return format!("({}) > ({places})", names(key));
    }
    let spelled = key.iter().enumerate().rev().fold(String::new(), |rest, (number, Column { name, .. })| {
        let place = number + 1;
        if rest.is_empty() {
            format!("{name} > ?{place}")
        } else {
            format!("({name} > ?{place} OR ({name} = ?{place} AND {rest}))")
        }
    });
    if key.len() == 1 { spelled } else { format!("{} >= ?1 AND {spelled}", key[0].name) }
}

#[cfg(test)]
mod tests {
    use super::super::tables::TABLES;
    use super::*;

    #[test]
    fn what_comes_after_a_key_is_spelled_out_where_it_must_be() {
        let edges = TABLES.iter().find(|table| table.name == "edges").expect("there is one");
        assert_eq!(
            beyond(Dialect::Postgres, edges.key()),
            "(namespace_id, source, type, target) > (?1, ?2, ?3, ?4)"
        );
        assert_eq!(
            beyond(Dialect::Mysql, edges.key()),
            "namespace_id >= ?1 AND (namespace_id > ?1 OR (namespace_id = ?1 AND (source > ?2 OR (source = ?2 AND \
             (type > ?3 OR (type = ?3 AND target > ?4))))))"
        );
        assert_eq!(beyond(Dialect::Mysql, &edges.key()[..1]), "namespace_id > ?1");
    }
}
