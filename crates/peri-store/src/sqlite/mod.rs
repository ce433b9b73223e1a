//! The embedded backend: one SQLite file in WAL mode, any number of processes.
//!
//! A commit returns after the write-ahead log has been flushed to the disk (`synchronous = FULL`).
//! Processes take turns at writing through SQLite's own lock; readers never wait.

mod apart;
mod backup;
mod check;
mod frozen;
mod hint;
mod log;
mod open;
mod place;
mod rekey;
mod schema;
mod upkeep;

use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use peri_seal::Key;
use peri_types::patience;

pub use apart::{Part, PartDifference};
pub use backup::{CopyInterrupt, Ready, Replaced, Replacement, StoreCopy, StoreCounts, StoreFacts};
pub use open::SqliteSettings;
pub use rekey::{HeldAlone, Rekeyed, Rekeying, hold_alone, is_hinted_encrypted, rekey};

use crate::relocate::refuse_half_moved;
use crate::sql::connection::{Connection, Transaction};
use crate::sql::trouble::Trouble;
use crate::sql::writer::Plan;
use crate::sql::{Backend, SqlStore};
use crate::{Problem, StoreError, Upkeep};
use frozen::Readers;
use open::{Access, Location};
use place::{FileNumber, Files, Place};

/// From so many changes in one commit on, the log may grow longer before it is moved into the database: most pages of
/// the indexes are written again by the next such commit, and moving them once for several is enough.
const LARGE_COMMIT: usize = 256;
/// So many pages the log may hold after an ordinary commit, and after a large one. The next ordinary one moves it all.
const LOG_PAGES: u32 = 1000;
const LOG_PAGES_IF_LARGE: u32 = 4000;
/// How often a writer looks whether another process has finished. SQLite's own waiting grows to looking ten times a
/// second, and beside processes that write without pause a lock is free for so short a time that one of them could
/// look past it until its patience was over.
const TURN_POLL: Duration = Duration::from_millis(2);
/// A writer that has waited for so long says so.
const TOLD_AFTER: Duration = Duration::from_secs(2);

/// A store in one file.
pub type SqliteStore = SqlStore<Sqlite>;

/// The file and the connections to it.
pub struct Sqlite {
    location: Location,
    readers: Readers,
    place: Place,
    /// The database that is known to be this store.
    known: Mutex<Option<FileNumber>>,
    /// The files that the connection that writes has opened; none before there is one.
    written: Mutex<Option<Files>>,
    /// How the writer's connection is set; none while that is not known.
    manner: Mutex<Option<Manner>>,
}

/// What a commit waits for, how long the log may grow, and how much of what it changes is held until its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Manner {
    durable: bool,
    log_pages: u32,
    cache: i32,
}

impl Manner {
    fn of(plan: &Plan) -> Self {
        let is_large = plan.changes >= LARGE_COMMIT;
        let (log_pages, cache) =
            if is_large { (LOG_PAGES_IF_LARGE, open::LARGE_CACHE) } else { (LOG_PAGES, open::CACHE) };
        Self { durable: plan.durable, log_pages, cache }
    }
}

impl SqlStore<Sqlite> {
    /// Opens the store, creating it if the file does not exist. On a read-only folder it opens for reading,
    /// and writes are refused.
    pub fn open(path: &Path, settings: &SqliteSettings) -> Result<Self, StoreError> {
        Self::whole(Sqlite::open_anyway(path, settings)?, path)
    }

    /// The same, but on a disk without a free byte it is opened for reading, if nobody else has it open: for programs
    /// that answer once, since one that stays could not write until it is opened again.
    pub fn open_or_read(path: &Path, settings: &SqliteSettings) -> Result<Self, StoreError> {
        match Self::open(path, settings) {
            Err(StoreError::DiskFull { .. }) => {
                let (location, connection) = Location::open_on_full_disk(path, settings)?;
                tracing::warn!(path = %path.display(), "the disk is full, so that the store is opened for reading");
                let readers = Readers::pool(vec![Connection::Sqlite(connection)]);
                Self::whole(Sqlite::with(location, readers), path)
            }
            outcome => outcome,
        }
    }

    fn whole(backend: Sqlite, path: &Path) -> Result<Self, StoreError> {
        let place = path.display().to_string();
        backend
            .read(|connection| refuse_half_moved(connection, &place))
            .map_err(|trouble| backend.tell(trouble))?;
        Ok(Self::on(backend))
    }
}

impl Sqlite {
    /// The format of this release.
    pub(crate) const NEWEST: u32 = schema::FORMAT;

    /// Opens the file, creating it if it does not exist, also when it holds but half of a move.
    pub(crate) fn open_anyway(path: &Path, settings: &SqliteSettings) -> Result<Self, StoreError> {
        let (location, connection) = Location::open(path, settings)?;
        Ok(Self::with(location, Readers::pool(vec![Connection::Sqlite(connection)])))
    }

    /// Opens the file for reading alone, whatever its format, which is told.
    pub(crate) fn open_untouched(
        path: &Path,
        settings: &SqliteSettings,
    ) -> Result<(Self, Connection, u32), StoreError> {
        let (location, connection, format) = Location::open_untouched(path, settings)?;
        Ok((Self::with(location, Readers::pool(Vec::new())), Connection::Sqlite(connection), format))
    }

    fn with(location: Location, readers: Readers) -> Self {
        let (place, known) = (Place::of(&location.path), place::number_of(&location.path));
        let (known, written) = (Mutex::new(known), Mutex::new(None));
        Self { location, readers, place, known, written, manner: Mutex::new(None) }
    }

    /// Sets the writer's connection for what it is about to do. Most commits are like the one before them.
    fn set_manner(&self, file: &rusqlite::Connection, wanted: Manner) -> Result<(), Trouble> {
        let mut manner = self.manner.lock();
        if *manner == Some(wanted) {
            return Ok(());
        }
        *manner = None;
        file.pragma_update(None, "synchronous", if wanted.durable { "FULL" } else { "NORMAL" })?;
        file.pragma_update_and_check(None, "wal_autocheckpoint", wanted.log_pages, |_| Ok(()))?;
        file.pragma_update(None, "cache_size", wanted.cache)?;
        *manner = Some(wanted);
        Ok(())
    }

    /// Makes a commit that changes nothing: it takes the place of what the log holds beyond the last one. Then the log is taken
    /// into the database and begun anew, since what a flush failed for may never reach the disk, whatever later ones say.
    fn write_over(&self, connection: &Connection) -> Result<(), Trouble> {
        let Connection::Sqlite(file) = connection else { return Ok(()) };
        file.pragma_update(None, "synchronous", "FULL")?;
        let turn = take_turn(connection, &self.location)?;
        let format: u32 = file.pragma_query_value(None, "user_version", |row| row.get(0))?;
        file.pragma_update(None, "user_version", format)?;
        turn.commit()?;
        if let Err(error) = file.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())) {
            tracing::warn!(%error, "the log could not be begun anew after a flush that failed");
        }
        Ok(())
    }

    /// One more connection for reading.
    pub(crate) fn connect_reader(&self) -> Result<Connection, Trouble> {
        self.connect_in_place().map(Connection::Sqlite)
    }
}

impl Backend for Sqlite {
    const ATTEMPTS: usize = 1;
    const COMMITS_ARE_CERTAIN: bool = true;
    const LENDS_WRITER: bool = true;

    fn read<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, Trouble> {
        self.readers.read(&self.location, || self.connect_in_place(), work)
    }

    fn refuses_writes(&self) -> Option<StoreError> {
        let path = || self.location.path.clone();
        match self.location.access {
            Access::ReadWrite => None,
            Access::ReadOnly | Access::Immutable => Some(StoreError::ReadOnly { path: path() }),
            Access::Full => Some(StoreError::DiskFull { path: path() }),
        }
    }

    fn connect_writer(&self) -> Result<Connection, Trouble> {
        *self.manner.lock() = None;
        self.connect_to_write().map(Connection::Sqlite)
    }

    fn begin<'c>(&self, connection: &'c Connection, plan: &Plan) -> Result<Transaction<'c>, Trouble> {
        if let Connection::Sqlite(file) = connection {
            self.set_manner(file, Manner::of(plan))?;
        }
        take_turn(connection, &self.location)
    }

    fn confirm(&self) -> Result<(), Trouble> {
        Ok(self.confirm_place()?)
    }

    fn in_place(&self) -> Result<(), Trouble> {
        self.look_at_place()
    }

    /// A commit that could not be flushed lies in the log, and whoever finds it there after a crash takes it for made. So it
    /// is written over. Where that fails too, nobody knows what will be found.
    fn take_back(&self, connection: &Connection, trouble: Trouble) -> Trouble {
        if let (true, Connection::Sqlite(file)) = (trouble.is_missing(), connection) {
            self.let_go(file);
            return trouble;
        }
        if !trouble.is_disk_failure() {
            return trouble;
        }
        match self.write_over(connection) {
            Ok(()) => trouble,
            Err(error) => {
                tracing::warn!(?error, "a commit that failed could not be written over");
                Trouble::Uncertain
            }
        }
    }

    fn freeze(&self) -> Result<Self, StoreError> {
        frozen::freeze(self)
    }

    fn check(&self, connection: &Connection) -> Result<Vec<Problem>, Trouble> {
        let mut problems = check::check(connection)?;
        problems.extend(log::check(&self.location.path));
        Ok(problems)
    }

    fn upkeep(&self) -> Result<Upkeep, Trouble> {
        if self.location.access != Access::ReadWrite {
            return Ok(Upkeep::default());
        }
        upkeep::upkeep(&self.location)
    }

    fn scrub(&self) -> Result<bool, Trouble> {
        if self.location.access == Access::ReadWrite { upkeep::scrub(&self.location) } else { Ok(true) }
    }

    fn rest(&self, writer: Option<&Connection>) {
        self.readers.rest();
        writer.into_iter().for_each(open::release);
    }

    fn tell(&self, trouble: Trouble) -> StoreError {
        self.location.tell(trouble)
    }

    fn overdue(&self, waited: Duration) -> StoreError {
        self.location.busy(waited)
    }
}

/// Whether a file is a database that opens without a key.
pub fn lies_plain(path: &Path) -> bool {
    path.is_file() && Location::open_untouched(path, &SqliteSettings::default()).is_ok()
}

/// The settings for a copy that may have been made before the store was encrypted, or after it was decrypted.
pub fn settings_for_copy(path: &Path, key: Option<&Key>) -> SqliteSettings {
    let key = key.filter(|_| !lies_plain(path)).cloned();
    SqliteSettings { key, ..SqliteSettings::default() }
}

/// Begins a transaction as soon as no other process is in one.
fn take_turn<'c>(connection: &'c Connection, location: &Location) -> Result<Transaction<'c>, Trouble> {
    let first = connection.begin("BEGIN IMMEDIATE");
    if !matches!(&first, Err(trouble) if trouble.is_busy()) {
        return first;
    }
    let (started, limit) = (Instant::now(), location.patience());
    let mut told = false;
    let outcome = loop {
        let waited = started.elapsed();
        if waited >= limit {
            break Err(location.busy(waited).into());
        }
        if !told && waited >= TOLD_AFTER {
            told = true;
            tracing::warn!(limit_s = limit.as_secs(), "another process is writing; waiting for it");
        }
        std::thread::sleep(TURN_POLL.min(limit - waited));
        match connection.begin("BEGIN IMMEDIATE") {
            Err(trouble) if trouble.is_busy() => {}
            outcome => break outcome,
        }
    };
    patience::spend(started.elapsed());
    outcome
}
