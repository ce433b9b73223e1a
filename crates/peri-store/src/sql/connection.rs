//! A connection to any of the databases, in the shape of rusqlite's.
//!
//! Statements are written once, in SQLite's dialect. On SQLite they run as they are; a driver translates them for its
//! server. Values cross as SQLite's, and rows of a server are fetched whole: every query of the store is bounded.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use peri_types::patience;
use rusqlite::CachedStatement;
use rusqlite::types::{FromSql, FromSqlError, ToSql, ToSqlOutput, Value, ValueRef};

use super::trouble::Trouble;
use crate::server::{Driver, Failure};

/// Whoever waits for an answer is given no connection that waits for longer, where it settled that when it was opened.
pub(crate) const PROMPT_MAX: Duration = Duration::from_secs(3);

/// Which words a database understands, where they differ too much to be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
    Mysql,
}

/// A connection to a database.
pub(crate) enum Connection {
    Sqlite(rusqlite::Connection),
    Server(Server),
}

/// A connection to a database server.
pub(crate) struct Server {
    dialect: Dialect,
    driver: RefCell<Box<dyn Driver>>,
    in_transaction: Cell<bool>,
}

impl Connection {
    pub(crate) fn to_server(dialect: Dialect, driver: Box<dyn Driver>) -> Self {
        Self::Server(Server { dialect, driver: RefCell::new(driver), in_transaction: Cell::new(false) })
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Server(server) => server.dialect,
        }
    }

    /// Whether it is outside of any transaction.
    pub(crate) fn is_autocommit(&self) -> bool {
        match self {
            Self::Sqlite(connection) => connection.is_autocommit(),
            Self::Server(server) => !server.in_transaction.get(),
        }
    }

    /// Whether it can still be used.
    pub(crate) fn is_alive(&self) -> bool {
        match self {
            Self::Sqlite(_) => true,
            Self::Server(server) => server.driver.borrow().is_alive(),
        }
    }

    /// Whether it waits for its server about as long as whoever calls now may, where work for which nobody waits is given
    /// so long.
    pub(crate) fn suits(&self, usual: Duration) -> bool {
        match self {
            Self::Sqlite(_) => true,
            Self::Server(server) => server.driver.borrow().patience().is_none_or(|settled| {
                if patience::left().is_some() { settled <= PROMPT_MAX } else { settled >= usual }
            }),
        }
    }

    pub(crate) fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>, Trouble> {
        Ok(match self {
            Self::Sqlite(connection) => Statement::Cached(connection.prepare_cached(sql)?),
            Self::Server(server) => Statement::Server(server, sql.to_owned()),
        })
    }

    pub(crate) fn prepare(&self, sql: &str) -> Result<Statement<'_>, Trouble> {
        Ok(match self {
            Self::Sqlite(connection) => Statement::Once(connection.prepare(sql)?),
            Self::Server(server) => Statement::Server(server, sql.to_owned()),
        })
    }

    pub(crate) fn execute(&self, sql: &str, parameters: impl Parameters) -> Result<usize, Trouble> {
        self.prepare(sql)?.execute(parameters)
    }

    /// Begins a transaction that is taken back unless it is committed. The statement is in the database's own dialect.
    pub(crate) fn begin(&self, sql: &str) -> Result<Transaction<'_>, Trouble> {
        self.command(sql)?;
        if let Self::Server(server) = self {
            server.in_transaction.set(true);
        }
        Ok(Transaction { connection: self, open: true })
    }

    /// Begins a transaction that shows one moment to several reads.
    pub(crate) fn begin_reading(&self) -> Result<Transaction<'_>, Trouble> {
        self.begin(match self.dialect() {
            Dialect::Sqlite => "BEGIN",
            Dialect::Postgres => "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
            Dialect::Mysql => {
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
            }
        })
    }

    /// Runs one of the statements that steer a transaction. They are few, so that they are kept ready.
    pub(crate) fn command(&self, sql: &str) -> Result<(), Trouble> {
        match self {
            Self::Sqlite(connection) => {
                connection.prepare_cached(sql)?.execute([])?;
            }
            Self::Server(server) => server.driver.borrow_mut().batch(sql)?,
        }
        Ok(())
    }

    /// Runs statements without parameters, in the database's own dialect.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), Trouble> {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(sql)?,
            Self::Server(server) => server.driver.borrow_mut().batch(sql)?,
        }
        Ok(())
    }
}

/// One moment for several reads: a transaction of their own, unless the connection shows only one anyway.
pub(crate) fn moment(connection: &Connection) -> Result<Option<Transaction<'_>>, Trouble> {
    if connection.is_autocommit() { connection.begin_reading().map(Some) } else { Ok(None) }
}

/// A transaction under way. Dropped without a commit, it is taken back.
pub(crate) struct Transaction<'c> {
    connection: &'c Connection,
    open: bool,
}

impl Transaction<'_> {
    pub(crate) fn commit(mut self) -> Result<(), Trouble> {
        self.connection.command("COMMIT")?;
        self.ended();
        Ok(())
    }

    fn ended(&mut self) {
        self.open = false;
        if let Connection::Server(server) = self.connection {
            server.in_transaction.set(false);
        }
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        self.ended();
        // SQLite has taken it back already where a failure ended it.
        if let Connection::Sqlite(connection) = self.connection
            && connection.is_autocommit()
        {
            return;
        }
        // On a connection that broke there is nobody to ask; a server that hangs would be waited for once more.
        if !self.connection.is_alive() {
            return;
        }
        if let Err(trouble) = self.connection.command("ROLLBACK") {
            tracing::debug!(?trouble, "a transaction could not be taken back; its connection is closed");
        }
    }
}

/// A statement that is ready to run.
pub(crate) enum Statement<'c> {
    Cached(CachedStatement<'c>),
    Once(rusqlite::Statement<'c>),
    Server(&'c Server, String),
}

impl Statement<'_> {
    /// How many rows it changed.
    pub(crate) fn execute(&mut self, parameters: impl Parameters) -> Result<usize, Trouble> {
        parameters.with(|parameters| match self {
            Self::Cached(statement) => Ok(statement.execute(parameters)?),
            Self::Once(statement) => Ok(statement.execute(parameters)?),
            Self::Server(server, sql) => Ok(server.driver.borrow_mut().execute(sql, &values(parameters)?)?),
        })
    }

    pub(crate) fn query(&mut self, parameters: impl Parameters) -> Result<Rows<'_>, Trouble> {
        parameters.with(|parameters| match self {
            Self::Cached(statement) => Ok(Rows::Sqlite(statement.query(parameters)?)),
            Self::Once(statement) => Ok(Rows::Sqlite(statement.query(parameters)?)),
            Self::Server(server, sql) => {
                let rows = server.driver.borrow_mut().query(sql, &values(parameters)?)?;
                Ok(Rows::Fetched { rows: rows.into_iter(), current: Vec::new() })
            }
        })
    }

    /// What is read of the first row; that there is none is [`Trouble::NoRow`].
    pub(crate) fn query_row<T>(
        &mut self,
        parameters: impl Parameters,
        read: impl FnOnce(Row<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut rows = self.query(parameters)?;
        let row = rows.next()?.ok_or(Trouble::NoRow)?;
        read(row)
    }

    /// What is read of all rows.
    pub(crate) fn query_all<T>(
        &mut self,
        parameters: impl Parameters,
        mut read: impl FnMut(Row<'_>) -> Result<T, Trouble>,
    ) -> Result<Vec<T>, Trouble> {
        let mut rows = self.query(parameters)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(read(row)?);
        }
        Ok(all)
    }

    /// Whether there is a row.
    pub(crate) fn exists(&mut self, parameters: impl Parameters) -> Result<bool, Trouble> {
        Ok(self.query(parameters)?.next()?.is_some())
    }
}

/// That there is no row, as a value.
pub(crate) trait Optional<T> {
    fn optional(self) -> Result<Option<T>, Trouble>;
}

impl<T> Optional<T> for Result<T, Trouble> {
    fn optional(self) -> Result<Option<T>, Trouble> {
        match self {
            Err(Trouble::NoRow) => Ok(None),
            outcome => outcome.map(Some),
        }
    }
}

/// The rows of a query.
pub(crate) enum Rows<'s> {
    Sqlite(rusqlite::Rows<'s>),
    Fetched { rows: std::vec::IntoIter<Vec<Value>>, current: Vec<Value> },
}

impl Rows<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>, Trouble> {
        match self {
            Self::Sqlite(rows) => Ok(rows.next()?.map(Row::Sqlite)),
            Self::Fetched { rows, current } => match rows.next() {
                Some(row) => {
                    *current = row;
                    Ok(Some(Row::Fetched(current)))
                }
                None => Ok(None),
            },
        }
    }
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) enum Row<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Fetched(&'r [Value]),
}

impl Row<'_> {
    /// The value of a column, counted from zero.
    pub(crate) fn get<T: FromSql>(&self, column: usize) -> Result<T, Trouble> {
        match self {
            Self::Sqlite(row) => Ok(row.get(column)?),
            Self::Fetched(values) => {
                let value = values.get(column).ok_or_else(|| super::row::malformed("a column is missing"))?;
                read(value.into()).map_err(super::row::malformed)
            }
        }
    }

    /// Whether a column holds nothing.
    pub(crate) fn is_null(&self, column: usize) -> Result<bool, Trouble> {
        Ok(match self {
            Self::Sqlite(row) => matches!(row.get_ref(column)?, ValueRef::Null),
            Self::Fetched(values) => matches!(values.get(column), None | Some(Value::Null)),
        })
    }
}

/// Texts that are compared byte by byte are bytes to some databases.
fn read<T: FromSql>(value: ValueRef<'_>) -> Result<T, FromSqlError> {
    match (T::column_result(value), value) {
        (Err(FromSqlError::InvalidType), ValueRef::Blob(bytes)) if std::str::from_utf8(bytes).is_ok() => {
            T::column_result(ValueRef::Text(bytes))
        }
        (outcome, _) => outcome,
    }
}

/// What fills the places of a statement.
pub(crate) trait Parameters {
    fn with<R>(self, run: impl FnOnce(&[&dyn ToSql]) -> R) -> R;
}

impl Parameters for &[&dyn ToSql] {
    fn with<R>(self, run: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
        run(self)
    }
}

impl<T: ToSql, const N: usize> Parameters for [T; N] {
    fn with<R>(self, run: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
        run(&self.each_ref().map(|value| value as &dyn ToSql))
    }
}

impl<T: ToSql> Parameters for Vec<T> {
    fn with<R>(self, run: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
        run(&self.iter().map(|value| value as &dyn ToSql).collect::<Vec<_>>())
    }
}

fn values(parameters: &[&dyn ToSql]) -> Result<Vec<Value>, Trouble> {
    parameters.iter().map(|parameter| value(*parameter)).collect()
}

fn value(parameter: &dyn ToSql) -> Result<Value, Trouble> {
    Ok(match parameter.to_sql()? {
        ToSqlOutput::Borrowed(value) => value.try_into().map_err(super::row::malformed)?,
        ToSqlOutput::Owned(value) => value,
        _ => return Err(super::row::malformed("a value that cannot be sent to a server")),
    })
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Server(failure)
    }
}
