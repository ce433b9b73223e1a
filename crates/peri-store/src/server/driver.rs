//! What the store asks of a connection to a database server.

use std::time::Duration;

use rusqlite::types::Value;

/// One connection to a database server. Statements are written in SQLite's dialect and translated by the driver.
pub(crate) trait Driver: Send {
    /// Runs a statement; how many rows it changed or, where they were the same before, matched.
    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<usize, Failure>;

    /// Runs a query and fetches all its rows.
    fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, Failure>;

    /// Runs statements without parameters that are separated by semicolons, in the server's own dialect.
    fn batch(&mut self, sql: &str) -> Result<(), Failure>;

    /// Whether the connection can still be used.
    fn is_alive(&self) -> bool;

    /// How long it waits for an answer, where that was settled when it was opened. Others ask at each call how long the
    /// caller may wait.
    fn patience(&self) -> Option<Duration> {
        None
    }
}

/// Why a server did not do what it was asked. None of them holds a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It cannot be reached, went away, or did not answer in time.
    Unreachable(String),
    /// Somebody else was in the way; the transaction was taken back and can be tried again.
    Again(String),
    /// Its disk is full.
    Full(String),
    /// It will not do this.
    Refused {
        /// The server's own code.
        code: String,
        /// What it said.
        detail: String,
    },
}
