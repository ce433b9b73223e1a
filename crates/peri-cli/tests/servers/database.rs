//! A database server that goes away and comes back, and what its tables hold.

use std::path::Path;
use std::time::{Duration, Instant};

use peri_servers::{MariaDb, Postgres};
use peri_store::{ServerStore, Store};
use perihelion::{
    Address, Chores, JournalEntry, JournalQuery, ListQuery, Memory, Options, Order, Perihelion,
    QueueSettings, ServerSettings, StoreChoice,
};

use crate::support::Peri;

/// How long to wait for a connection, and for the answer to a statement.
pub const TIMEOUT: Duration = Duration::from_secs(1);

/// How long anything may take that must happen at some time.
const PATIENCE: Duration = Duration::from_secs(90);

/// A database server of our own.
pub enum Database {
    Postgres(Postgres),
    MariaDb(MariaDb),
}

/// How a server goes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// It was told to stop.
    Stopped,
    /// It was killed.
    Killed,
    /// It takes connections and does not answer.
    Hung,
}

impl Database {
    /// A PostgreSQL, unless servers are to be left out.
    pub fn postgres() -> Option<Self> {
        (!peri_servers::may_be_left_out()).then(|| Self::Postgres(Postgres::start().unwrap()))
    }

    /// A MariaDB, unless servers are to be left out.
    pub fn mariadb() -> Option<Self> {
        (!peri_servers::may_be_left_out()).then(|| Self::MariaDb(MariaDb::start().unwrap()))
    }

    /// The same with its data below a folder.
    pub fn postgres_in(folder: &Path) -> Option<Self> {
        (!peri_servers::may_be_left_out()).then(|| Self::Postgres(Postgres::start_in(folder).unwrap()))
    }

    /// The same with its data below a folder.
    pub fn mariadb_in(folder: &Path) -> Option<Self> {
        (!peri_servers::may_be_left_out()).then(|| Self::MariaDb(MariaDb::start_in(folder).unwrap()))
    }

    /// Starts it again after its disk was full, which may have ended it or not.
    pub fn restart(&mut self) {
        match self {
            Self::Postgres(server) => server.kill().or(Ok(())).and_then(|()| server.start_again()),
            Self::MariaDb(server) => server.kill().or(Ok(())).and_then(|()| server.start_again()),
        }
        .unwrap();
    }

    /// The address of a new, empty database.
    pub fn fresh(&self) -> String {
        match self {
            Self::Postgres(server) => server.fresh_database().unwrap(),
            Self::MariaDb(server) => server.fresh_database().unwrap(),
        }
    }

    /// Makes the server go away.
    pub fn leave(&mut self, away: Away) {
        match (self, away) {
            (Self::Postgres(server), Away::Stopped) => server.stop(),
            (Self::Postgres(server), Away::Killed) => server.kill(),
            (Self::Postgres(server), Away::Hung) => server.pause(),
            (Self::MariaDb(server), Away::Stopped) => server.stop(),
            (Self::MariaDb(server), Away::Killed) => server.kill(),
            (Self::MariaDb(server), Away::Hung) => server.pause(),
        }
        .unwrap();
    }

    /// Brings it back, however it went.
    pub fn come_back(&mut self) {
        match self {
            Self::Postgres(server) => server.resume().and_then(|()| server.start_again()),
            Self::MariaDb(server) => server.resume().and_then(|()| server.start_again()),
        }
        .unwrap();
    }
}

/// How a store on a server behaves in these tests: impatiently.
pub fn impatient() -> ServerSettings {
    ServerSettings {
        connections_max: 8,
        connect_timeout: TIMEOUT,
        statement_timeout: TIMEOUT,
        busy_timeout: TIMEOUT,
    }
}

/// An engine on a folder and a database, as a program that stays would have it.
pub fn engine(folder: &Path, url: &str) -> Perihelion {
    let store = StoreChoice::Server { address: Address::parse(url).unwrap(), settings: impatient() };
    let queue = QueueSettings { backoff_max: Duration::from_millis(500), ..QueueSettings::default() };
    Perihelion::open(Options { store, queue, chores: Chores::Background, ..Options::at(folder) }).unwrap()
}

/// The store behind an address, as nobody else sees it. It waits for as long as a busy machine needs.
pub fn store(url: &str) -> ServerStore {
    ServerStore::open(Address::parse(url).unwrap(), ServerSettings::default()).unwrap()
}

/// Every memory that a database holds, in the order of storing.
pub fn memories(store: &dyn Store) -> Vec<Memory> {
    let mut query = ListQuery { order: Order::OldestFirst, limit: 500, ..ListQuery::default() };
    let mut held = Vec::new();
    loop {
        let page = store.list(&query).unwrap();
        held.extend(page.memories);
        query.after = page.next;
        if query.after.is_none() {
            return held;
        }
    }
}

/// The contents of every memory that a database holds, sorted.
pub fn contents(url: &str) -> Vec<String> {
    let mut contents: Vec<String> = memories(&store(url)).into_iter().map(|memory| memory.content).collect();
    contents.sort();
    contents
}

/// Every entry of a database's journal.
pub fn entries(store: &dyn Store) -> Vec<JournalEntry> {
    let mut query = JournalQuery { order: Order::OldestFirst, limit: 500, ..JournalQuery::default() };
    let mut held = Vec::new();
    loop {
        let page = store.journal(&query).unwrap();
        held.extend(page.entries);
        query.after = page.next;
        if query.after.is_none() {
            return held;
        }
    }
}

/// The program on a folder of its own and a database.
pub fn program(url: &str) -> Peri {
    Peri::new()
        .with("PERI_STORE_URL", url)
        .with("PERI_STORE_CONNECT_TIMEOUT_MS", "1000")
        .with("PERI_STORE_STATEMENT_TIMEOUT_MS", "1000")
        .with("PERI_STORE_BUSY_TIMEOUT_MS", "1000")
        .with("PERI_QUEUE_BACKOFF_MAX_MS", "500")
        .with("PERI_SERVER_REQUESTS_PER_MINUTE", "0")
        .with("PERI_LOG_LEVEL", "debug")
}

/// Waits until something holds, and fails if it never does.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "{what} did not come to pass within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
