//! Whether the database's files still are where they were opened.
//!
//! A file that is removed or renamed stays writable for the processes that have it open: SQLite would go on committing to
//! a file without a name, which is gone with the last process. So every commit first compares the files that its
//! connection opened with those that lie in their places.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _};

use super::Sqlite;
use super::open::Access;
use crate::StoreError;
use crate::sql::trouble::Trouble;

/// What tells a file from every other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileNumber(u64, u64);

/// The files that a connection has opened. Where a file that is open cannot be replaced, their numbers are not known, and
/// nothing is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Files {
    database: Option<FileNumber>,
    log: Option<FileNumber>,
}

/// The number of the file in a place; none if there is no file.
#[cfg(unix)]
pub(super) fn number_of(path: &Path) -> Option<FileNumber> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|file| FileNumber(file.dev(), file.ino()))
}

/// Elsewhere a file that is open cannot be replaced.
#[cfg(not(unix))]
pub(super) fn number_of(_path: &Path) -> Option<FileNumber> {
    None
}

/// A database and its write-ahead log, with the log's name made once: it is asked for at every commit.
#[derive(Debug, Clone)]
pub(super) struct Place {
    database: PathBuf,
    log: PathBuf,
}

impl Place {
    pub(super) fn of(database: &Path) -> Self {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        Self { database: database.to_owned(), log: log.into() }
    }

    /// The files that lie there now.
    pub(super) fn files(&self) -> Files {
        Files { database: number_of(&self.database), log: number_of(&self.log) }
    }

    /// What is no longer in its place, if a connection opened these files.
    fn missing(&self, opened: Files) -> Option<StoreError> {
        let now = self.files();
        if now == opened {
            return None;
        }
        let (path, before, found) = if now.database == opened.database {
            (&self.log, opened.log, now.log)
        } else {
            (&self.database, opened.database, now.database)
        };
        before?;
        let detail = if found.is_some() {
            "another file lies there"
        } else if path.parent().is_none_or(Path::exists) {
            "it was removed or renamed"
        } else {
            "its folder was removed or renamed"
        };
        Some(StoreError::Missing { path: path.clone(), detail })
    }
}

impl Sqlite {
    /// A connection for reading, to the same store as ever.
    pub(super) fn connect_in_place(&self) -> Result<Connection, Trouble> {
        let file = self.location.connect_reader()?;
        self.recognise(&file)?;
        Ok(file)
    }

    /// The connection that writes. It has read, so that its log is open too.
    pub(super) fn connect_to_write(&self) -> Result<Connection, Trouble> {
        let file = self.location.connect_writer()?;
        self.recognise(&file)?;
        *self.written.lock() = Some(self.place.files());
        Ok(file)
    }

    /// Refuses if the files that the connection that writes has opened are not those in their places.
    pub(super) fn confirm_place(&self) -> Result<(), StoreError> {
        let written = *self.written.lock();
        written.and_then(|written| self.place.missing(written)).map_or(Ok(()), Err)
    }

    /// Refuses if the database is not in its place. One that was put back is taken up again.
    pub(super) fn look_at_place(&self) -> Result<(), Trouble> {
        let known = *self.known.lock();
        if self.location.access != Access::ReadWrite || known == number_of(&self.location.path) {
            return Ok(());
        }
        self.connect_in_place().map(drop)
    }

    /// Looks whose store a connection has opened. Another file that holds the same store was put back: from then on it is
    /// read by all. Another store is refused.
    fn recognise(&self, file: &Connection) -> Result<(), Trouble> {
        let (found, known) = (number_of(&self.location.path), *self.known.lock());
        if self.location.access != Access::ReadWrite || found == known {
            return Ok(());
        }
        let identity = |file: &Connection| {
            file.query_row("SELECT id FROM identity", [], |row| row.get::<_, String>(0)).optional()
        };
        let former = self.readers.peek(|former| Ok(identity(former)?))?.flatten();
        if former.is_some() && former != identity(file)? {
            let (path, detail) = (self.location.path.clone(), "another store lies there");
            return Err(StoreError::Missing { path, detail }.into());
        }
        tracing::info!("the database is back in its place");
        *self.known.lock() = found;
        self.readers.renew();
        Ok(())
    }

    /// Lets go of files that are no longer in their places. If only the log was removed, what it holds is moved into the
    /// database first, so that nothing acknowledged is lost; while somebody still reads from the log, the next attempt
    /// does so. Of a database that was removed, connections that read are kept: what it holds can be exported for as
    /// long as this process runs.
    pub(super) fn let_go(&self, file: &Connection) {
        let written = *self.written.lock();
        if written.is_none_or(|written| written.database != number_of(&self.location.path)) {
            return;
        }
        match file.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)) {
            Ok(0) => {
                tracing::warn!("the write-ahead log was removed; what it held was moved into the database");
                self.readers.renew();
            }
            outcome => tracing::warn!(?outcome, "the write-ahead log was removed and is still being read"),
        }
    }
}
