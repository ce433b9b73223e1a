//! Moving a store from plain to encrypted, to another key, or back.
//!
//! Everything is copied to a new file beside the old one, read back and compared; then the new file takes the name of
//! the old one, which is one step of the file system. Whoever is killed before it leaves the old store as it was, and
//! after it the new one whole. Nobody else has the store open meanwhile.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use peri_seal::Key;
use peri_types::ChangeNumber;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::backup::attach;
use super::open::{Access, Location, SqliteSettings};
use super::{hint, schema};
use crate::StoreError;
use crate::sql::trouble::Trouble;

/// How long to wait for processes that are about to leave.
const PATIENCE: Duration = Duration::from_millis(500);

/// From which key to which.
#[derive(Debug, Clone)]
pub struct Rekeying {
    /// The store's file.
    pub path: PathBuf,
    /// The key that it has; none if it is plain.
    pub from: Option<Key>,
    /// The key that it is to have; none if it is to be plain.
    pub to: Option<Key>,
}

/// A store that was moved to another key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rekeyed {
    /// How many rows it has, in all tables.
    pub rows: u64,
    /// The digest of all of them, the same before and after.
    pub digest: String,
    /// Its last change.
    pub change: ChangeNumber,
}

/// Moves a store to another key. Refuses while others have it open; then, and whatever else fails, it is as it was.
///
/// # Errors
/// [`StoreError::InUse`] if others have it open, [`StoreError::KeyMissing`], [`StoreError::WrongKey`] or
/// [`StoreError::NotEncrypted`] if it does not have the key that was said.
pub fn rekey(request: &Rekeying) -> Result<Rekeyed, StoreError> {
    let path = &request.path;
    if !cfg!(feature = "encryption") {
        return Err(StoreError::CannotEncrypt);
    }
    if !path.is_file() {
        let detail = "there is no such file".to_owned();
        return Err(StoreError::CannotOpen { path: path.clone(), detail });
    }
    let settings = SqliteSettings { busy_timeout: PATIENCE, key: request.from.clone() };
    let (location, first) = Location::open(path, &settings)?;
    drop(first);
    if location.access != Access::ReadWrite {
        return Err(StoreError::ReadOnly { path: path.clone() });
    }
    let outcome = move_alone(&location, request);
    if outcome.is_err() {
        sweep(path);
    }
    outcome.map_err(|trouble| match trouble {
        trouble if trouble.is_busy() => StoreError::InUse { path: path.clone() },
        trouble => location.tell(trouble),
    })
}

/// A store that nobody else can open, until this is dropped.
pub struct HeldAlone {
    _connection: Connection,
}

/// Takes a store alone, so that the files beside it can be changed.
///
/// # Errors
/// [`StoreError::InUse`] if others have it open.
pub fn hold_alone(path: &Path, key: Option<&Key>) -> Result<HeldAlone, StoreError> {
    let settings = SqliteSettings { busy_timeout: PATIENCE, key: key.cloned() };
    let (location, first) = Location::open(path, &settings)?;
    drop(first);
    let held = location.connect().and_then(|connection| take_alone(&connection).map(|()| connection));
    match held {
        Ok(connection) => Ok(HeldAlone { _connection: connection }),
        Err(trouble) if trouble.is_busy() => Err(StoreError::InUse { path: path.to_owned() }),
        Err(trouble) => Err(location.tell(trouble)),
    }
}

/// Whether the hint beside a database says that it is encrypted.
pub fn is_hinted_encrypted(path: &Path) -> bool {
    hint::read(path).is_some()
}

fn move_alone(location: &Location, request: &Rekeying) -> Result<Rekeyed, Trouble> {
    let old = location.connect()?;
    take_alone(&old)?;
    let draft = draft_of(&request.path);
    sweep(&request.path);
    private(&draft).map_err(|error| disk(&draft, &error))?;
    export(&old, &draft, request.to.as_ref())?;
    let before = look(&old)?;
    let settings = SqliteSettings { busy_timeout: PATIENCE, key: request.to.clone() };
    let new = Location::at(&draft, Access::ReadOnly, &settings);
    let after = {
        let connection = new.connect()?;
        check(&connection, &draft)?;
        look(&connection)?
    };
    if before != after {
        let detail = "read back, it is not what was written".to_owned();
        return Err(StoreError::Corrupt { path: draft, detail }.into());
    }
    // What is no longer plain must not be found without a hint; what is plain already is found without asking for it.
    if let Some(key) = &request.to {
        hint::write(&request.path, key);
    }
    take_place(&draft, &request.path)?;
    if request.to.is_none() {
        hint::remove(&request.path);
    }
    drop(old);
    Ok(before)
}

/// Makes sure that nobody else has the file open, and keeps it so until the connection is closed. The write-ahead log
/// goes into the file and is removed.
fn take_alone(connection: &Connection) -> Result<(), Trouble> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    let began = Instant::now();
    // Refused while anybody else is connected: they keep a lock for as long as they are.
    while let Err(error) = connection.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(())) {
        let trouble = Trouble::from(error);
        if !trouble.is_busy() || began.elapsed() > PATIENCE {
            return Err(trouble);
        }
        std::thread::sleep(PATIENCE / 50);
    }
    connection.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))?;
    connection.execute_batch("BEGIN EXCLUSIVE; COMMIT")?;
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode == "delete" {
        return Ok(());
    }
    // Somebody came in between.
    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
    Err(rusqlite::Error::SqliteFailure(busy, None).into())
}

/// Writes everything to a new file under another key.
fn export(old: &Connection, draft: &Path, key: Option<&Key>) -> Result<(), Trouble> {
    attach(old, draft, "moved", key)?;
    old.query_row("SELECT sqlcipher_export('moved')", [], |_| Ok(()))?;
    let format = schema::format_of(old)?;
    old.pragma_update(Some("moved"), "application_id", schema::APPLICATION_ID)?;
    old.pragma_update(Some("moved"), "user_version", format)?;
    old.execute_batch("DETACH moved")?;
    Ok(())
}

/// Everything that a store holds, as one digest: what its tables are called and made of, and every value of every row.
fn look(connection: &Connection) -> Result<Rekeyed, Trouble> {
    let mut hasher = blake3::Hasher::new();
    let mut rows = 0;
    let mut schema =
        connection.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")?;
    let entries = schema
        .query_map([], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for (kind, name, sql) in entries {
        if name.starts_with("sqlite_stat") {
            // What the planner knows is worked out anew.
            continue;
        }
        for text in [&kind, &name, &sql] {
            add(&mut hasher, 3, text.as_bytes());
        }
        if kind == "table" {
            rows += digest_rows(connection, &name, &mut hasher)?;
        }
    }
    for name in ["application_id", "user_version"] {
        let value: i64 = connection.pragma_query_value(None, name, |row| row.get(0))?;
        add(&mut hasher, 1, &value.to_le_bytes());
    }
    let change: u64 =
        connection.query_row("SELECT value FROM counters WHERE name = 'change'", [], |row| row.get(0))?;
    let digest = hasher.finalize().to_hex().to_string();
    Ok(Rekeyed { rows, digest, change: ChangeNumber(change) })
}

/// Adds the rows of a table, in the order of its key.
fn digest_rows(connection: &Connection, table: &str, hasher: &mut blake3::Hasher) -> Result<u64, Trouble> {
    let mut statement =
        connection.prepare("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")?;
    let key =
        statement.query_map([table], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    let key: Vec<String> = key.iter().map(|column| format!("\"{column}\"")).collect();
    // The tables without a key of their own have one row, or are SQLite's and come in order.
    let order = if key.is_empty() { "rowid".to_owned() } else { key.join(", ") };
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY {order}"))?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            match row.get_ref(column)? {
                ValueRef::Null => add(hasher, 0, &[]),
                ValueRef::Integer(value) => add(hasher, 1, &value.to_le_bytes()),
                ValueRef::Real(value) => add(hasher, 2, &value.to_bits().to_le_bytes()),
                ValueRef::Text(value) => add(hasher, 3, value),
                ValueRef::Blob(value) => add(hasher, 4, value),
            }
        }
        count += 1;
    }
    Ok(count)
}

/// Adds a value so that no two sequences of values have the same digest.
fn add(hasher: &mut blake3::Hasher, kind: u8, bytes: &[u8]) {
    hasher.update(&[kind]);
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// Reads the new file from beginning to end.
fn check(connection: &Connection, path: &Path) -> Result<(), Trouble> {
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    Err(StoreError::Corrupt { path: path.to_owned(), detail: found }.into())
}

/// Gives the new file the name of the old one, once it is on the disk.
fn take_place(draft: &Path, path: &Path) -> Result<(), Trouble> {
    let moved = || -> std::io::Result<()> {
        peri_private::open(draft)?.sync_all()?;
        std::fs::set_permissions(draft, std::fs::metadata(path)?.permissions())?;
        std::fs::rename(draft, path)?;
        peri_private::flush_folder(path.parent().unwrap_or(Path::new(".")))
    };
    moved().map_err(|error| disk(path, &error))
}

/// Where the new file is made.
fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".moving");
    name.into()
}

/// An empty file that its owner alone may read: for a while it may be the only plain one.
fn private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Removes what a move has left that did not come to its end.
pub(super) fn sweep(path: &Path) {
    let draft = draft_of(path);
    if !draft.exists() {
        return;
    }
    for ending in ["-journal", "-wal", "-shm", ""] {
        let mut name = draft.as_os_str().to_owned();
        name.push(ending);
        match std::fs::remove_file(PathBuf::from(&name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(%error, path = %Path::new(&name).display(), "what an unfinished move left stays behind");
            }
            _ => {}
        }
    }
}

fn disk(path: &Path, error: &std::io::Error) -> Trouble {
    StoreError::DiskFailed { path: path.to_owned(), detail: error.to_string() }.into()
}
