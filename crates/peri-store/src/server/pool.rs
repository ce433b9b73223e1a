//! Connections for reading: a few of them, lent one at a time.

use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use peri_types::patience;

use super::Failure;
use crate::sql::connection::Connection;
use crate::sql::trouble::Trouble;

/// Connections that are open, and how many are lent.
pub(super) struct Pool {
    state: Mutex<State>,
    returned: Condvar,
    size: usize,
    patience: Duration,
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    lent: usize,
}

/// A connection and whether it has lain idle, so that it may have broken unnoticed.
pub(super) struct Lent<'p> {
    pool: &'p Pool,
    connection: Option<Connection>,
    pub(super) was_idle: bool,
}

impl Pool {
    /// At most so many connections; whoever finds none waits for so long.
    pub(super) fn new(size: usize, patience: Duration) -> Self {
        Self { state: Mutex::default(), returned: Condvar::new(), size: size.max(1), patience }
    }

    /// Lends a connection, opening one if none is idle.
    pub(super) fn lend(
        &self,
        connect: impl FnOnce() -> Result<Connection, Trouble>,
        suits: impl Fn(&Connection) -> bool,
    ) -> Result<Lent<'_>, Trouble> {
        let until = Instant::now() + patience::at_most(self.patience);
        let mut state = self.state.lock();
        while state.lent >= self.size {
            if self.returned.wait_until(&mut state, until).timed_out() {
                let why = format!("all {} connections are in use", self.size);
                return Err(Failure::Again(why).into());
            }
        }
        state.lent += 1;
        let found = state.idle.iter().rposition(suits);
        let idle = found.map(|at| state.idle.remove(at));
        if idle.is_none() && state.idle.len() + state.lent > self.size {
            // The others make room for it.
            state.idle.pop();
        }
        drop(state);
        let mut lent = Lent { pool: self, was_idle: idle.is_some(), connection: idle };
        if lent.connection.is_none() {
            lent.connection = Some(connect()?);
        }
        Ok(lent)
    }

    /// Closes what lies idle: one of them has broken, so that the others have too.
    pub(super) fn close_idle(&self) {
        let idle = std::mem::take(&mut self.state.lock().idle);
        drop(idle);
    }
}

impl Lent<'_> {
    pub(super) fn connection(&self) -> Result<&Connection, Trouble> {
        self.connection
            .as_ref()
            .ok_or_else(|| Failure::Unreachable("the connection is closed".to_owned()).into())
    }

    /// Puts another connection in its place.
    pub(super) fn replace(&mut self, connection: Connection) {
        self.connection = Some(connection);
        self.was_idle = false;
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let usable =
            self.connection.take().filter(|connection| connection.is_alive() && connection.is_autocommit());
        let mut state = self.pool.state.lock();
        state.lent -= 1;
        state.idle.extend(usable);
        drop(state);
        self.pool.returned.notify_one();
    }
}
