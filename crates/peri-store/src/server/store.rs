//! A store on a database server, for several machines at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use peri_types::patience;
use rusqlite::params;

use super::address::{Address, ServerKind};
use super::pool::Pool;
use super::search::Kept;
use super::{Driver, Failure, Timeouts, mysql, postgres, schema};
use crate::relocate::refuse_half_moved;
use crate::sql::connection::{Connection, Dialect, Transaction};
use crate::sql::trouble::Trouble;
use crate::sql::writer::{AT_ONCE, Plan};
use crate::sql::{Backend, SqlStore};
use crate::{Problem, Searcher, StoreError};

/// How a store on a server behaves.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Connections for reading, at most; one more writes.
    pub connections_max: usize,
    /// How long to wait for the server to take a connection.
    pub connect_timeout: Duration,
    /// How long to wait for the answer to one statement.
    pub statement_timeout: Duration,
    /// How long to wait for another node that is writing, and for a connection.
    pub busy_timeout: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            connections_max: 10,
            connect_timeout: Duration::from_secs(3),
            statement_timeout: Duration::from_secs(30),
            busy_timeout: Duration::from_secs(30),
        }
    }
}

/// A store on PostgreSQL, or on MySQL or MariaDB.
pub type ServerStore = SqlStore<Server>;

/// The server and the connections to it.
pub struct Server {
    address: Address,
    settings: ServerSettings,
    readers: Readers,
    /// Whether the tables are known to be of this release.
    prepared: AtomicBool,
    /// What the search inside the database keeps.
    pub(super) search: Kept,
}

/// Where readers take their connections from.
enum Readers {
    Pool(Pool),
    /// The only one, inside a transaction that shows one moment.
    Frozen(Mutex<Connection>),
}

impl SqlStore<Server> {
    /// Opens the store, and creates or migrates its tables if need be. Several nodes may do so at once.
    pub fn open(address: Address, settings: ServerSettings) -> Result<Self, StoreError> {
        let store = Self::open_unseen(address, settings);
        store.read(|_| Ok(()))?;
        Ok(store)
    }

    /// The same without asking the server yet: whoever uses the store first finds out whether it can be reached.
    pub fn open_unseen(address: Address, settings: ServerSettings) -> Self {
        let pool = Pool::new(settings.connections_max, settings.busy_timeout);
        let readers = Readers::Pool(pool);
        Self::on(Server {
            address,
            settings,
            readers,
            prepared: AtomicBool::new(false),
            search: Kept::default(),
        })
    }
}

impl Server {
    /// The format of this release.
    pub(crate) const NEWEST: u32 = schema::NEWEST;

    pub(super) fn dialect(&self) -> Dialect {
        match self.address.kind() {
            ServerKind::Postgres => Dialect::Postgres,
            ServerKind::Mysql => Dialect::Mysql,
        }
    }

    fn place(&self) -> PathBuf {
        PathBuf::from(self.address.to_string())
    }

    /// A connection to tables that are of this release and hold no half of a move.
    fn connect(&self) -> Result<Connection, Trouble> {
        let connection = self.reach()?;
        if !self.prepared.load(Ordering::Acquire) {
            schema::prepare(&connection)?;
            refuse_half_moved(&connection, &self.address.to_string())?;
            self.prepared.store(true, Ordering::Release);
        }
        Ok(connection)
    }

    fn reach(&self) -> Result<Connection, Trouble> {
        self.reach_within(self.settings.statement_timeout)
    }

    /// A connection on which a statement may take so long.
    pub(super) fn connect_within(&self, statement: Duration) -> Result<Connection, Trouble> {
        if !self.prepared.load(Ordering::Acquire) {
            self.connect()?;
        }
        self.reach_within(statement)
    }

    fn reach_within(&self, statement: Duration) -> Result<Connection, Trouble> {
        let timeouts = Timeouts { connect: patient(self.settings.connect_timeout), statement };
        let dialect = self.dialect();
        let driver: Box<dyn Driver> = match dialect {
            Dialect::Postgres => postgres::connect(&self.address, &timeouts)?,
            _ => mysql::connect(&self.address, &timeouts)?,
        };
        Ok(Connection::to_server(dialect, driver))
    }

    /// One end of a move: its tables are left as they are.
    pub(crate) fn untouched(address: Address, settings: ServerSettings) -> Self {
        let readers = Readers::Pool(Pool::new(settings.connections_max, settings.busy_timeout));
        Self { address, settings, readers, prepared: AtomicBool::new(true), search: Kept::default() }
    }

    /// A connection, and the format of the tables that are there.
    pub(crate) fn connect_untouched(&self) -> Result<(Connection, Option<u32>), Trouble> {
        let connection = self.reach()?;
        let format = schema::format_of(&connection)?;
        Ok((connection, format))
    }

    /// Creates the tables, or brings them to the format of this release.
    pub(crate) fn prepare(&self, connection: &Connection) -> Result<(), Trouble> {
        schema::prepare(connection)
    }

    /// Begins to show one moment, for as long as the connection lives.
    fn frozen_connection(&self) -> Result<Connection, Trouble> {
        let connection = self.connect()?;
        // What is given up here is only the guard that would end the transaction.
        std::mem::forget(connection.begin_reading()?);
        connection.prepare("SELECT value FROM counters WHERE name = 'change'")?.exists(params![])?;
        Ok(connection)
    }
}

/// Whoever has waited for as long as it may still gives a server the time in which a healthy one answers.
pub(super) const PATIENCE_MIN: Duration = Duration::from_millis(100);

/// The system counts the seconds after which it asks whether a silent connection still stands, and refuses to count none.
pub(super) const KEEPALIVE_MIN: Duration = Duration::from_secs(1);

/// How long whoever calls now waits for a server that would be waited for so long.
pub(super) fn patient(wait: Duration) -> Duration {
    patience::at_most(wait).max(PATIENCE_MIN.min(wait))
}

impl Backend for Server {
    const ATTEMPTS: usize = 5;
    const COMMITS_ARE_CERTAIN: bool = false;
    // Whoever writes would wait for the network.
    const LENDS_WRITER: bool = false;

    fn read<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, Trouble> {
        let pool = match &self.readers {
            Readers::Pool(pool) => pool,
            Readers::Frozen(only) => {
                let connection = only.lock();
                if !connection.is_alive() {
                    return Err(Failure::Unreachable("the frozen view was lost".to_owned()).into());
                }
                return work(&connection);
            }
        };
        let mut lent = pool.lend(|| self.connect(), |connection| self.suits(connection))?;
        let began = Instant::now();
        match work(lent.connection()?) {
            Err(Trouble::Server(Failure::Unreachable(why))) if lent.was_idle => {
                pool.close_idle();
                if began.elapsed() >= AT_ONCE {
                    return Err(Failure::Unreachable(why).into());
                }
                lent.replace(self.connect()?);
                work(lent.connection()?)
            }
            Err(Trouble::Server(Failure::Again(_))) => work(lent.connection()?),
            outcome => outcome,
        }
    }

    fn refuses_writes(&self) -> Option<StoreError> {
        matches!(self.readers, Readers::Frozen(_)).then(|| StoreError::ReadOnly { path: self.place() })
    }

    fn connect_writer(&self) -> Result<Connection, Trouble> {
        self.connect()
    }

    fn suits(&self, connection: &Connection) -> bool {
        connection.suits(self.settings.statement_timeout)
    }

    /// Whoever holds the row of the last change writes; all others wait for it.
    fn begin<'c>(&self, connection: &'c Connection, plan: &Plan) -> Result<Transaction<'c>, Trouble> {
        // The server gives up first, so that a lock that is held can be told from a server that hangs.
        let wait = patience::left().map_or(self.settings.busy_timeout, |left| {
            left.max(PATIENCE_MIN).min(self.settings.busy_timeout) * 3 / 4
        });
        let wait_ms = wait.as_millis().max(1);
        let begin = match self.dialect() {
            Dialect::Mysql => format!(
                "SET SESSION innodb_lock_wait_timeout = {}; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; \
                 START TRANSACTION",
                wait_ms.div_ceil(1000)
            ),
            _ => format!(
                "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = {wait_ms}; \
                 SET LOCAL synchronous_commit = {}",
                if plan.durable { "on" } else { "off" }
            ),
        };
        let transaction = connection.begin(&begin)?;
        connection
            .prepare_cached("SELECT value FROM counters WHERE name = 'change' FOR UPDATE")?
            .exists(params![])?;
        Ok(transaction)
    }

    fn freeze(&self) -> Result<Self, StoreError> {
        if let Readers::Frozen(_) = self.readers {
            return Err(StoreError::ReadOnly { path: self.place() });
        }
        let connection = self.frozen_connection().map_err(|trouble| self.tell(trouble))?;
        Ok(Self {
            address: self.address.clone(),
            settings: self.settings.clone(),
            readers: Readers::Frozen(Mutex::new(connection)),
            prepared: AtomicBool::new(true),
            search: Kept::default(),
        })
    }

    fn check(&self, connection: &Connection) -> Result<Vec<Problem>, Trouble> {
        crate::sql::check::relations(connection)
    }

    fn searcher(&self) -> Option<&dyn Searcher> {
        let searches = self.dialect() == Dialect::Postgres && matches!(self.readers, Readers::Pool(_));
        searches.then_some(self as &dyn Searcher)
    }

    fn tell(&self, trouble: Trouble) -> StoreError {
        let waited = patience::at_most(self.settings.busy_timeout);
        let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
        trouble.tell(&self.place(), waited_ms)
    }

    fn overdue(&self, waited: Duration) -> StoreError {
        let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
        StoreError::Busy { path: self.place(), waited_ms }
    }
}
