//! Opening the database file, whatever state it and its folder are in.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use peri_seal::Key;
use peri_types::patience;

use super::place::number_of;
use super::{hint, schema};
use crate::StoreError;
use crate::sql::trouble::Trouble;

/// How the embedded store behaves.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// How long to wait for another process that is writing before giving up.
    pub busy_timeout: Duration,
    /// The key that the file is encrypted with; none if it is not.
    pub key: Option<Key>,
}

impl Default for SqliteSettings {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(30), key: None }
    }
}

/// Makes the file that SQLite would make for everybody to read; its log and its shared memory then get the same mode.
/// Where that fails, SQLite says why.
fn make_private(path: &Path) {
    match peri_private::file(path).write(true).create_new(true).open(path) {
        Ok(_) => {}
        Err(error) => tracing::trace!(%error, path = %path.display(), "the database is not a new one"),
    }
}

/// What a connection holds of the database, in KiB, as SQLite wants it told. The inner pages of every tree fit into it;
/// the rest is held by the system, once for all connections, while what a connection holds goes whenever another one has
/// committed.
pub(super) const CACHE: i32 = -4_000;
/// The same for who makes a large commit: what it changed is held until its end, or written to the log twice.
pub(super) const LARGE_CACHE: i32 = -16_000;

/// What SQLite shares between processes is at least so large while somebody has the database open.
const SHARED_BYTES: u64 = 32 * 1024;

/// SQLite counts the milliseconds in 32 bits.
const BUSY_TIMEOUT_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Whether the file can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    ReadWrite,
    /// The folder is read-only; other processes may still be writing through another mount.
    ReadOnly,
    /// The folder is read-only and holds no write-ahead log: nobody writes, so no locks are needed.
    Immutable,
    /// The disk is full, and nobody has the database open: it is read like one that never changes.
    Full,
}

/// Where the database is and how to reach it.
#[derive(Debug, Clone)]
pub(super) struct Location {
    pub(super) path: PathBuf,
    pub(super) access: Access,
    pub(super) busy_timeout: Duration,
    pub(super) key: Option<Key>,
    /// Whether a file that is not there is created: not once there was one.
    creation: Creation,
}

/// Whether a database that is not there is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Creation {
    IfAbsent,
    Never,
}

impl Location {
    /// Opens or creates the database and brings it to the newest format.
    pub(super) fn open(path: &Path, settings: &SqliteSettings) -> Result<(Self, Connection), StoreError> {
        let started = Instant::now();
        let mut location = Self::at(path, Access::ReadWrite, settings);
        make_private(path);
        let outcome = loop {
            match location.prepare() {
                // Switching a new file to WAL does not wait for other processes doing the same, so we do.
                Err(trouble) if trouble.is_busy() && started.elapsed() < location.patience() => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                outcome => break outcome,
            }
        };
        let connection = match outcome {
            // A disk that is full or fails for a moment is told: whoever opened for reading alone because of it could
            // not write until it is opened again, and might read past what others write.
            Err(trouble) if trouble.is_read_only() && location.is_forbidden() => location.open_read_only(),
            outcome => outcome,
        };
        match connection {
            Ok(connection) => {
                location.tidy();
                location.creation = Creation::Never;
                Ok((location, connection))
            }
            Err(trouble) => Err(location.tell_of_key(trouble)),
        }
    }

    pub(super) fn at(path: &Path, access: Access, settings: &SqliteSettings) -> Self {
        let (busy_timeout, key) = (settings.busy_timeout, settings.key.clone());
        Self { path: path.to_owned(), access, busy_timeout, key, creation: Creation::IfAbsent }
    }

    /// Whoever has the file open keeps others from moving it to another key, so what such a move began is left over.
    fn tidy(&self) {
        if self.access == Access::ReadWrite {
            super::rekey::sweep(&self.path);
            if let Some(key) = &self.key {
                hint::write(&self.path, key);
            }
        }
    }

    /// The same, told with what it has to do with the key.
    pub(super) fn tell_of_key(&self, trouble: Trouble) -> StoreError {
        if !trouble.is_not_a_database() {
            return self.tell(trouble);
        }
        let path = self.path.clone();
        match &self.key {
            None if hint::read(&path).is_some() => StoreError::KeyMissing { path },
            None => self.tell(trouble),
            Some(_) if super::lies_plain(&path) => StoreError::NotEncrypted { path },
            Some(key) => {
                let detail = match hint::read(&path) {
                    Some(check) if check == hint::check(key) => {
                        return StoreError::Corrupt {
                            path,
                            detail: "the key is right, and the file is not what it was".to_owned(),
                        };
                    }
                    Some(_) => "it was encrypted with another one",
                    None => "it was encrypted with another one, or is damaged",
                };
                StoreError::WrongKey { path, detail }
            }
        }
    }

    /// A further connection, for reading.
    pub(super) fn connect_reader(&self) -> Result<Connection, Trouble> {
        let connection = self.connect()?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }

    /// The connection that writes. FULL makes every commit wait for the disk, so that what was acknowledged
    /// survives a power cut; NORMAL would only survive a crash of the process.
    pub(super) fn connect_writer(&self) -> Result<Connection, Trouble> {
        let connection = self.connect()?;
        // The writer waits for its turn by itself.
        connection.busy_timeout(Duration::ZERO)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // What is destroyed is overwritten, also in pages that become free.
        connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
        Ok(connection)
    }

    /// How long whoever calls now waits for another process.
    pub(super) fn patience(&self) -> Duration {
        patience::at_most(self.busy_timeout).min(BUSY_TIMEOUT_MAX)
    }

    /// Another process held the lock for as long as it was waited for.
    pub(super) fn busy(&self, waited: Duration) -> StoreError {
        let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
        StoreError::Busy { path: self.path.clone(), waited_ms }
    }

    pub(super) fn tell(&self, trouble: Trouble) -> StoreError {
        trouble.tell(&self.path, u64::try_from(self.busy_timeout.as_millis()).unwrap_or(u64::MAX))
    }

    fn prepare(&self) -> Result<Connection, Trouble> {
        let mut connection = self.connect()?;
        if connection.is_readonly("main")? {
            // SQLite opens what it cannot write for reading without a word.
            return Err(StoreError::ReadOnly { path: self.path.clone() }.into());
        }
        schema::recognise(&connection)?;
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if mode != "wal" {
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        }
        schema::migrate(&mut connection)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }

    /// Opens the database for reading alone: nothing is created, migrated or written, even where it could be. The
    /// format is told.
    pub(super) fn open_untouched(
        path: &Path,
        settings: &SqliteSettings,
    ) -> Result<(Self, Connection, u32), StoreError> {
        let mut location = Self::at(path, Access::ReadOnly, settings);
        match location.connect_read_only() {
            Ok((connection, format)) => Ok((location, connection, format)),
            Err(trouble) => Err(location.tell_of_key(trouble)),
        }
    }

    fn open_read_only(&mut self) -> Result<Connection, Trouble> {
        let (connection, format) = self.connect_read_only()?;
        if format < schema::FORMAT {
            return Err(StoreError::ReadOnly { path: self.path.clone() }.into());
        }
        Ok(connection)
    }

    fn connect_read_only(&mut self) -> Result<(Connection, u32), Trouble> {
        self.access = Access::ReadOnly;
        let opened = self
            .connect()
            .and_then(|connection| schema::recognise(&connection).map(|format| (connection, format)));
        match opened {
            Err(trouble) if (trouble.is_read_only() || trouble.is_full()) && !self.has_log() => {
                self.access = Access::Immutable;
                let connection = self.connect()?;
                let format = schema::recognise(&connection)?;
                Ok((connection, format))
            }
            outcome => outcome,
        }
    }

    /// Opens, for a moment and for reading alone, a database on a disk that has no room for what SQLite shares between
    /// processes. Where that has its size, or the log holds something, somebody has the database open or had, and what
    /// they wrote must not be read past.
    pub(super) fn open_on_full_disk(
        path: &Path,
        settings: &SqliteSettings,
    ) -> Result<(Self, Connection), StoreError> {
        let location = Self::at(path, Access::Full, settings);
        if location.has_log() || location.bytes_beside("-shm").is_none_or(|bytes| bytes >= SHARED_BYTES) {
            return Err(StoreError::DiskFull { path: path.to_owned() });
        }
        let opened = location.connect().and_then(|connection| {
            let format = schema::recognise(&connection)?;
            Ok((connection, format))
        });
        match opened {
            Ok((connection, schema::FORMAT)) => Ok((location, connection)),
            Ok(_) => Err(StoreError::DiskFull { path: path.to_owned() }),
            Err(trouble) => Err(location.tell_of_key(trouble)),
        }
    }

    fn has_log(&self) -> bool {
        // Without surely seeing that there is none, nothing is read past it.
        self.bytes_beside("-wal").is_none_or(|bytes| bytes > 0)
    }

    /// How large a file is that SQLite keeps beside; none if that cannot be told.
    fn bytes_beside(&self, end: &str) -> Option<u64> {
        match std::fs::metadata(self.beside(end)) {
            Ok(found) => Some(found.len()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(0),
            Err(_) => None,
        }
    }

    /// Whether the file is there and it, its folder or what SQLite keeps beside it may not be written.
    fn is_forbidden(&self) -> bool {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.path.is_file()
            && (peri_private::is_forbidden(folder.unwrap_or(Path::new(".")))
                || ["", "-wal", "-shm"].iter().any(|end| peri_private::is_forbidden(&self.beside(end))))
    }

    /// The file itself, or one that SQLite keeps beside it.
    fn beside(&self, end: &str) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(end);
        path.into()
    }

    /// Connects. If another file took the place of this one meanwhile, as when the store is moved to another key, it
    /// connects to that: what is written to a file without a name is lost.
    pub(super) fn connect(&self) -> Result<Connection, Trouble> {
        loop {
            if self.creation == Creation::Never && !self.path.exists() {
                let (path, detail) = (self.path.clone(), "it was removed or renamed");
                return Err(StoreError::Missing { path, detail }.into());
            }
            let before = number_of(&self.path);
            let connection = self.connect_once()?;
            if before.is_none() {
                return Ok(connection);
            }
            // Whoever has read holds a lock that keeps others from moving the file.
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            if number_of(&self.path) == before {
                return Ok(connection);
            }
        }
    }

    fn connect_once(&self) -> Result<Connection, Trouble> {
        let common = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let (flags, query) = match self.access {
            Access::ReadWrite if self.creation == Creation::Never => (OpenFlags::SQLITE_OPEN_READ_WRITE, ""),
            Access::ReadWrite => (OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE, ""),
            Access::ReadOnly => (OpenFlags::SQLITE_OPEN_READ_ONLY, ""),
            Access::Immutable | Access::Full => (OpenFlags::SQLITE_OPEN_READ_ONLY, "?immutable=1"),
        };
        let connection = Connection::open_with_flags(self.uri(query), flags | common)?;
        if let Some(key) = &self.key {
            unlock(&connection, key)?;
        }
        connection.busy_timeout(self.patience())?;
        // Without this SQLite plans a cached statement anew for every value bound to it: most of a row's cost.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(64);
        connection.pragma_update(None, "cache_size", CACHE)?;
        Ok(connection)
    }

    /// The path as a URI: everything but unreserved characters is escaped.
    fn uri(&self, query: &str) -> String {
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        let mut uri = String::from("file:");
        for byte in path.to_string_lossy().bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                    uri.push(char::from(byte))
                }
                other => uri.push_str(&format!("%{other:02X}")),
            }
        }
        uri + query
    }
}

/// Gives back the pages that a connection holds.
pub(super) fn release(connection: &crate::sql::connection::Connection) {
    if let crate::sql::connection::Connection::Sqlite(file) = connection
        && let Err(error) = file.release_memory()
    {
        tracing::debug!(%error, "a connection keeps the pages that it holds");
    }
}

/// Gives a connection its key, before anything is read.
#[cfg(feature = "encryption")]
fn unlock(connection: &Connection, key: &Key) -> Result<(), Trouble> {
    // Otherwise SQLCipher writes to standard error whenever a key does not fit; callers are told by an error.
    connection.execute_batch("PRAGMA cipher_log_level = NONE")?;
    Ok(connection.pragma_update(None, "key", as_given(Some(key)))?)
}

#[cfg(not(feature = "encryption"))]
fn unlock(_connection: &Connection, _key: &Key) -> Result<(), Trouble> {
    Err(StoreError::CannotEncrypt.into())
}

/// A key as SQLCipher takes it: the bits themselves, from which nothing has to be derived. Nothing stands for none.
pub(super) fn as_given(key: Option<&Key>) -> String {
    key.map_or_else(String::new, |key| format!("x'{}'", key.hexadecimal()))
}
