//! The embedded backend: one SQLite file in WAL mode, any number of processes.
//!
//! A commit returns after the write-ahead log has been flushed to the disk (`synchronous = FULL`).
//! Processes take turns at writing through SQLite's own lock; readers never wait.

mod adopt;
mod answers;
mod apply;
mod backup;
mod check;
mod edges;
mod error;
mod frozen;
mod happenings;
mod imports;
mod keys;
mod knowledge;
mod layers;
mod learned;
mod namespaces;
mod open;
mod orbit;
mod read;
mod replace;
mod row;
mod schema;
mod sessions;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use peri_types::{
    ChangeNumber, Edge, Fingerprint, KeyId, Memory, MemoryId, Namespace, Scope, SpaceId, Timestamp, Version,
};
use rusqlite::Connection;

pub use backup::{CopyInterrupt, Ready, Replaced, Replacement, StoreCopy, StoreCounts, StoreFacts};
pub use open::SqliteSettings;

use crate::{
    Change, EdgeChanges, EdgeKey, EventPage, FeedbackRecord, ImportState, KeptAnswer, KeyRecord, KeyUse,
    Lease, ListQuery, Merge, NamespaceStats, OrbitState, Page, Problem, Session, Store, StoreError, Told,
    Usage, WeightSet, Write, Written,
};
use error::Trouble;
use frozen::Readers;
use open::Location;
use writer::{Answer, Pending, Task, Writer};

/// A store in one file.
pub struct SqliteStore {
    location: Arc<Location>,
    readers: Readers,
    /// Started by the first write, so that a process that only reads has no second thread.
    writer: Mutex<Option<Writer>>,
}

impl SqliteStore {
    /// Opens the store, creating it if the file does not exist. On a read-only folder it opens for reading,
    /// and writes are refused.
    pub fn open(path: &Path, settings: &SqliteSettings) -> Result<Self, StoreError> {
        let (location, connection) = Location::open(path, settings)?;
        let readers = Readers::Pool(Mutex::new(vec![connection]));
        Ok(Self { location: Arc::new(location), readers, writer: Mutex::new(None) })
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Trouble>) -> Result<T, StoreError> {
        self.readers.read(&self.location, work).map_err(|trouble| self.location.tell(trouble))
    }

    fn submit(&self, task: Task) -> Result<Pending, StoreError> {
        let mut writer = self.writer.lock();
        let writer = match &mut *writer {
            Some(writer) => writer,
            empty => empty.insert(Writer::start(Arc::clone(&self.location))?),
        };
        Ok(writer.submit(task))
    }

    fn lease(&self, task: Task) -> Result<bool, StoreError> {
        Ok(matches!(self.submit(task)?.wait()?, Answer::Lease(true)))
    }
}

impl Store for SqliteStore {
    fn identity(&self) -> Result<String, StoreError> {
        self.read(|connection| Ok(connection.query_row("SELECT id FROM identity", [], |row| row.get(0))?))
    }

    fn lineage(&self, at: ChangeNumber) -> Result<String, StoreError> {
        self.read(|connection| read::lineage(connection, at))
    }

    fn is_read_only(&self) -> bool {
        self.location.access != open::Access::ReadWrite
    }

    fn write(&self, writes: Vec<Write>) -> Result<Vec<Written>, StoreError> {
        match self.submit(Task::Write(writes))?.wait()? {
            Answer::Written(written) => Ok(written),
            Answer::Done | Answer::Lease(_) => Err(StoreError::Closed),
        }
    }

    fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        self.read(|connection| read::get(connection, scope, ids))
    }

    fn list(&self, query: &ListQuery) -> Result<Page, StoreError> {
        self.read(|connection| read::list(connection, query))
    }

    fn versions(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Version>, StoreError> {
        self.read(|connection| read::versions(connection, namespace, id))
    }

    fn head(&self, namespace: &Namespace) -> Result<ChangeNumber, StoreError> {
        self.read(|connection| read::head(connection, namespace))
    }

    fn changes(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError> {
        self.read(|connection| read::changes(connection, namespace, space, after, limit))
    }

    fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, StoreError> {
        self.read(|connection| {
            Ok(read::namespace_numbers(connection, scope)?.into_iter().map(|(_, path)| path).collect())
        })
    }

    fn stats(&self, scope: &Scope) -> Result<Vec<NamespaceStats>, StoreError> {
        self.read(|connection| read::stats(connection, scope))
    }

    fn record_usage(&self, usage: &[Usage], told: &[Told]) -> Result<(), StoreError> {
        self.submit(Task::Usage(usage.to_vec(), told.to_vec()))?.wait().map(|_| ())
    }

    fn usage(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<(u64, Timestamp)>, StoreError> {
        self.read(|connection| orbit::usage(connection, namespace, id))
    }

    fn acquire_lease(
        &self,
        name: &str,
        holder: &str,
        now: Timestamp,
        time_to_live: Duration,
    ) -> Result<bool, StoreError> {
        let millis = i64::try_from(time_to_live.as_millis()).unwrap_or(i64::MAX);
        let until = now.as_millisecond().saturating_add(millis);
        self.lease(Task::AcquireLease { name: name.to_owned(), holder: holder.to_owned(), now, until })
    }

    fn release_lease(&self, name: &str, holder: &str) -> Result<(), StoreError> {
        let task = Task::ReleaseLease { name: name.to_owned(), holder: holder.to_owned() };
        self.submit(task)?.wait().map(|_| ())
    }

    fn lease(&self, name: &str) -> Result<Option<Lease>, StoreError> {
        self.read(|connection| read::lease(connection, name))
    }

    fn orbit(&self, namespace: &Namespace) -> Result<OrbitState, StoreError> {
        self.read(|connection| orbit::state(connection, namespace))
    }

    fn unsettled(&self, before: Timestamp) -> Result<Vec<Namespace>, StoreError> {
        self.read(|connection| orbit::unsettled(connection, before))
    }

    fn edge_changes(&self, namespace: &Namespace, after: ChangeNumber) -> Result<EdgeChanges, StoreError> {
        self.read(|connection| edges::changes(connection, namespace, after))
    }

    fn edges_of(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Edge>, StoreError> {
        self.read(|connection| edges::of(connection, namespace, id))
    }

    fn all_edges(&self, namespace: &Namespace) -> Result<Vec<Edge>, StoreError> {
        self.read(|connection| edges::all(connection, namespace))
    }

    fn knowledge_revision(&self, namespace: &Namespace) -> Result<u64, StoreError> {
        self.read(|connection| knowledge::revision(connection, namespace))
    }

    fn merges(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Merge>, StoreError> {
        self.read(|connection| match read::namespace_number(connection, namespace)? {
            Some(number) => replace::merges(connection, number, id),
            None => Ok(Vec::new()),
        })
    }

    fn sessions(&self, scope: &Scope, limit: usize) -> Result<Vec<Session>, StoreError> {
        self.read(|connection| sessions::list(connection, scope, limit))
    }

    fn feedback(&self, namespace: &Namespace, limit: usize) -> Result<Vec<FeedbackRecord>, StoreError> {
        self.read(|connection| learned::feedback(connection, namespace, limit))
    }

    fn weights(&self, namespace: &Namespace) -> Result<Vec<WeightSet>, StoreError> {
        self.read(|connection| learned::weights(connection, namespace))
    }

    fn events(&self, after: u64, limit: usize) -> Result<EventPage, StoreError> {
        self.read(|connection| happenings::page(connection, after, limit))
    }

    fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(keys::list)
    }

    fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, StoreError> {
        self.read(|connection| keys::find(connection, id))
    }

    fn has_keys(&self) -> Result<bool, StoreError> {
        self.read(keys::any)
    }

    fn note_key_uses(&self, uses: &[KeyUse]) -> Result<(), StoreError> {
        self.submit(Task::KeyUses(uses.to_vec()))?.wait().map(|_| ())
    }

    fn answer(&self, caller: &str, key: &str) -> Result<Option<KeptAnswer>, StoreError> {
        self.read(|connection| answers::find(connection, caller, key))
    }

    fn oldest_answer(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(answers::oldest)
    }

    fn has_lapsed(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.read(|connection| layers::has_lapsed(connection, now))
    }

    fn working_value(
        &self,
        namespace: &Namespace,
        session: Option<&str>,
        key: &str,
    ) -> Result<Option<Memory>, StoreError> {
        self.read(|connection| layers::value(connection, namespace, session, key))
    }

    fn working_sessions(
        &self,
        namespace: &Namespace,
        now: Timestamp,
    ) -> Result<Vec<(Option<String>, u64)>, StoreError> {
        self.read(|connection| layers::working_sessions(connection, namespace, now))
    }

    fn old_episodes(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, MemoryId)>,
        limit: usize,
    ) -> Result<Vec<(Memory, Timestamp)>, StoreError> {
        self.read(|connection| layers::old_episodes(connection, before, after, limit))
    }

    fn edges_after(
        &self,
        namespace: &Namespace,
        after: Option<EdgeKey>,
        limit: usize,
    ) -> Result<Vec<Edge>, StoreError> {
        self.read(|connection| edges::after(connection, namespace, after, limit))
    }

    fn sessions_after(
        &self,
        namespace: &Namespace,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Session>, StoreError> {
        self.read(|connection| sessions::after(connection, namespace, after, limit))
    }

    fn feedback_after(
        &self,
        namespace: &Namespace,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, FeedbackRecord)>, StoreError> {
        self.read(|connection| learned::feedback_after(connection, namespace, after, limit))
    }

    fn said_by(&self, namespace: &Namespace, said: Fingerprint) -> Result<Option<MemoryId>, StoreError> {
        self.read(|connection| read::said_by(connection, namespace, said))
    }

    fn import_state(&self, name: &str) -> Result<Option<ImportState>, StoreError> {
        self.read(|connection| imports::state(connection, name))
    }

    fn frozen(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(self.freeze()?))
    }

    fn check(&self) -> Result<Vec<Problem>, StoreError> {
        self.read(check::check)
    }
}
