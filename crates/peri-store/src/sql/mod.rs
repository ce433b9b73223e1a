//! The store over SQL: the same statements on SQLite, PostgreSQL, and MySQL or MariaDB.
//!
//! Whoever writes is alone, in every process and on every node: on SQLite through its lock, on a server through the
//! row that holds the last change number. So change numbers are committed in their order, two writers never meet in
//! a deadlock, and what is read before a change still holds when it is made.

mod adopt;
mod answers;
pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod connection;
mod days;
mod edges;
mod happenings;
mod ids;
mod imports;
mod journal;
mod keys;
mod knowledge;
mod layers;
mod learned;
mod namespaces;
pub(crate) mod notes;
mod orbit;
mod patterns;
pub(crate) mod read;
mod replace;
mod row;
mod sessions;
mod spaces;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod trajectories;
pub(crate) mod trouble;
mod workers;
pub(crate) mod writer;

use std::sync::Arc;
use std::time::Duration;

use peri_types::{
    ChangeNumber, DayInUse, Edge, EntryId, Fingerprint, JournalEntry, KeyId, Memory, MemoryId, Namespace,
    PatternId, Scope, SpaceId, Timestamp, Trajectory, TrajectoryId, Turn, TurnId, Version,
};
use rusqlite::params;

use crate::learning::{
    AlertRecord, LearnedMark, LearnedSet, LearningStats, PatternRow, TrajectoryPage, TrajectoryQuery,
    WorkerRun,
};
use crate::{
    Asked, Change, ClockRecord, CurrentSpace, EdgeChanges, EdgeKey, EventPage, FeedbackRecord, ImportState,
    JournalPage, JournalQuery, JournalStats, KeptAnswer, KeyRecord, KeyUse, Lease, ListQuery, Merge,
    NamespaceStats, OrbitState, OrbitView, Page, Problem, Searcher, Session, SpaceStats, Store, StoreError,
    Told, TurnPage, TurnQuery, Upkeep, Usage, WeightSet, Write, Written,
};
use connection::{Connection, Transaction};
use trouble::Trouble;
use writer::{Answer, Plan, Task, Writer};

/// A database that statements can be sent to.
pub(crate) trait Backend: Send + Sync + Sized + 'static {
    /// How often a commit is tried at most when somebody is in the way.
    const ATTEMPTS: usize;
    /// Whether a commit that failed was surely not made.
    const COMMITS_ARE_CERTAIN: bool;
    /// Whether the connection that writes may be read on between two commits.
    const LENDS_WRITER: bool;

    /// Reads, on a connection that is lent for it. It may be read twice, if the first connection was broken.
    fn read<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, Trouble>;

    /// Why every write is refused, if it is.
    fn refuses_writes(&self) -> Option<StoreError>;

    /// A connection for writing.
    fn connect_writer(&self) -> Result<Connection, Trouble>;

    /// Whether a connection that lies idle serves whoever calls now.
    fn suits(&self, _connection: &Connection) -> bool {
        true
    }

    /// Begins a transaction for writing as soon as no other process is in one.
    fn begin<'c>(&self, connection: &'c Connection, plan: &Plan) -> Result<Transaction<'c>, Trouble>;

    /// Refuses to commit where that would keep nothing.
    fn confirm(&self) -> Result<(), Trouble> {
        Ok(())
    }

    /// Looks whether the database is where it was.
    fn in_place(&self) -> Result<(), Trouble> {
        Ok(())
    }

    /// Sees to it that a commit that failed stays unmade, and says what is the matter.
    fn take_back(&self, _connection: &Connection, trouble: Trouble) -> Trouble {
        trouble
    }

    /// The database as it is now, for reading alone.
    fn freeze(&self) -> Result<Self, StoreError>;

    /// Looks for damage, thoroughly.
    fn check(&self, connection: &Connection) -> Result<Vec<Problem>, Trouble>;

    /// Moves what the database's log holds into the database.
    fn upkeep(&self) -> Result<Upkeep, Trouble> {
        Ok(Upkeep::default())
    }

    /// Empties the database's log of what was destroyed. `false`: it cannot be emptied now.
    fn scrub(&self) -> Result<bool, Trouble> {
        Ok(true)
    }

    /// Gives back what connections hold only to answer faster; `writer` is the one that writes, if there is one.
    fn rest(&self, _writer: Option<&Connection>) {}

    /// The search inside the database, if it has one.
    fn searcher(&self) -> Option<&dyn Searcher> {
        None
    }

    /// The error as callers of the store see it.
    fn tell(&self, trouble: Trouble) -> StoreError;

    /// The error of a caller who waited for so long while another one was about to write.
    fn overdue(&self, waited: Duration) -> StoreError;
}

/// A store in an SQL database.
pub struct SqlStore<B> {
    pub(crate) backend: Arc<B>,
    writer: Writer<B>,
}

#[expect(private_bounds, reason = "which databases there are is decided in this crate")]
impl<B: Backend> SqlStore<B> {
    pub(crate) fn on(backend: B) -> Self {
        let backend = Arc::new(backend);
        Self { writer: Writer::new(Arc::clone(&backend)), backend }
    }

    pub(crate) fn read<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, StoreError> {
        self.backend.read(work).map_err(|trouble| self.backend.tell(trouble))
    }

    /// Reads a little, on the connection that writes if that lies at hand: it still holds the pages that it wrote, which
    /// every other connection reads from the disk's cache after each commit.
    fn read_briefly<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, StoreError> {
        self.writer.lend(&work).map_or_else(|| self.read(&work), Ok)
    }

    fn submit(&self, task: Task) -> Result<Answer, StoreError> {
        match self.backend.refuses_writes() {
            Some(error) => Err(error),
            None => self.writer.write(task),
        }
    }

    fn submit_writes(&self, task: Task, count: usize) -> Result<Vec<Written>, StoreError> {
        match self.submit(task)? {
            Answer::Written(written) => Ok(written),
            Answer::Stale => Ok(vec![Written::Stale; count]),
            Answer::Done | Answer::Lease(_) => Err(StoreError::Closed),
        }
    }

    fn lease(&self, task: Task) -> Result<bool, StoreError> {
        Ok(matches!(self.submit(task)?, Answer::Lease(true)))
    }
}

impl<B: Backend> Store for SqlStore<B> {
    fn identity(&self) -> Result<String, StoreError> {
        self.read(|connection| {
            connection.prepare_cached("SELECT id FROM identity")?.query_row(params![], |row| row.get(0))
        })
    }

    fn lineage(&self, at: ChangeNumber) -> Result<String, StoreError> {
        self.read(|connection| read::lineage(connection, at))
    }

    fn is_read_only(&self) -> bool {
        self.backend.refuses_writes().is_some()
    }

    fn in_place(&self) -> Result<(), StoreError> {
        self.backend.in_place().map_err(|trouble| self.backend.tell(trouble))
    }

    fn write(&self, writes: Vec<Write>) -> Result<Vec<Written>, StoreError> {
        let count = writes.len();
        self.submit_writes(Task::Write(writes), count)
    }

    fn write_once(&self, token: [u8; 16], writes: Vec<Write>) -> Result<Vec<Written>, StoreError> {
        let count = writes.len();
        self.submit_writes(Task::WriteOnce(token, writes), count).map_err(|error| match error {
            StoreError::Uncertain { place, .. } => StoreError::Uncertain { place, token },
            error => error,
        })
    }

    fn commits_are_certain(&self) -> bool {
        B::COMMITS_ARE_CERTAIN
    }

    fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        self.read_briefly(|connection| read::get(connection, scope, ids))
    }

    fn list(&self, query: &ListQuery) -> Result<Page, StoreError> {
        self.read(|connection| read::list(connection, query))
    }

    fn versions(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Version>, StoreError> {
        self.read(|connection| read::versions(connection, namespace, id))
    }

    fn head(&self, namespace: &Namespace) -> Result<ChangeNumber, StoreError> {
        self.read_briefly(|connection| read::head(connection, namespace))
    }

    fn changes(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError> {
        self.read_briefly(|connection| read::changes(connection, namespace, space, after, limit))
    }

    fn current_space(&self) -> Result<Option<CurrentSpace>, StoreError> {
        self.read_briefly(spaces::current)
    }

    fn spaces(&self) -> Result<Vec<SpaceStats>, StoreError> {
        self.read(spaces::spaces)
    }

    fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, StoreError> {
        self.read(|connection| {
            Ok(read::namespace_numbers(connection, scope)?.into_iter().map(|(_, path)| path).collect())
        })
    }

    fn stats(&self, scope: &Scope) -> Result<Vec<NamespaceStats>, StoreError> {
        self.read(|connection| read::stats(connection, scope))
    }

    fn record_usage(&self, usage: &[Usage], told: &[Told], asked: &[Asked]) -> Result<(), StoreError> {
        self.submit(Task::Usage(usage.to_vec(), told.to_vec(), asked.to_vec())).map(|_| ())
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
        self.submit(task).map(|_| ())
    }

    fn lease(&self, name: &str) -> Result<Option<Lease>, StoreError> {
        self.read(|connection| read::lease(connection, name))
    }

    fn orbit(&self, namespace: &Namespace) -> Result<OrbitState, StoreError> {
        self.read(|connection| orbit::state(connection, namespace))
    }

    fn orbit_view(
        &self,
        namespace: &Namespace,
        now: Timestamp,
        beginning_chars: usize,
    ) -> Result<OrbitView, StoreError> {
        self.read(|connection| orbit::view(connection, namespace, now, beginning_chars))
    }

    fn arrived_at(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<Timestamp>, StoreError> {
        self.read(|connection| orbit::arrived_at(connection, namespace, id))
    }

    fn days_in_use(&self, namespace: &Namespace) -> Result<Vec<DayInUse>, StoreError> {
        self.read(|connection| days::days_of(connection, namespace))
    }

    fn clock(&self) -> Result<(ClockRecord, Option<Timestamp>), StoreError> {
        self.read(days::clock)
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

    fn session(&self, namespace: &Namespace, name: &str) -> Result<Option<Session>, StoreError> {
        self.read(|connection| sessions::one(connection, namespace, name))
    }

    fn feedback(&self, namespace: &Namespace, limit: usize) -> Result<Vec<FeedbackRecord>, StoreError> {
        self.read(|connection| learned::feedback(connection, namespace, limit))
    }

    fn weights(&self, namespace: &Namespace) -> Result<Vec<WeightSet>, StoreError> {
        self.read_briefly(|connection| learned::weights(connection, namespace))
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
        self.submit(Task::KeyUses(uses.to_vec())).map(|_| ())
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

    fn journal(&self, query: &JournalQuery) -> Result<JournalPage, StoreError> {
        self.read(|connection| journal::entries(connection, query))
    }

    fn entries(&self, scope: &Scope, ids: &[EntryId]) -> Result<Vec<JournalEntry>, StoreError> {
        self.read(|connection| journal::entries_of(connection, scope, ids))
    }

    fn turns(&self, query: &TurnQuery) -> Result<TurnPage, StoreError> {
        self.read(|connection| journal::turns(connection, query))
    }

    fn turn(&self, scope: &Scope, id: TurnId) -> Result<Option<Turn>, StoreError> {
        self.read(|connection| journal::turn_of(connection, scope, id))
    }

    fn journal_stats(&self, scope: &Scope) -> Result<Vec<JournalStats>, StoreError> {
        self.read(|connection| journal::stats(connection, scope))
    }

    fn shelf_read(&self, namespace: &Namespace, key: &peri_notes::Key) -> Result<Option<String>, StoreError> {
        self.read(|connection| notes::document(connection, namespace, key))
    }

    fn shelf_lines(&self, namespace: &Namespace, key: &peri_notes::Key) -> Result<Vec<String>, StoreError> {
        self.read(|connection| notes::lines(connection, namespace, key))
    }

    fn shelf_list(
        &self,
        namespace: &Namespace,
        collection: peri_notes::Collection,
    ) -> Result<Vec<peri_notes::Key>, StoreError> {
        self.read(|connection| notes::list(connection, namespace, collection))
    }

    fn shelf_documents(
        &self,
        namespace: &Namespace,
        collection: peri_notes::Collection,
    ) -> Result<Vec<(peri_notes::Key, String)>, StoreError> {
        self.read(|connection| notes::documents(connection, namespace, collection))
    }

    fn shelf_namespaces(&self) -> Result<Vec<Namespace>, StoreError> {
        self.read(notes::namespaces)
    }

    fn patterns(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<PatternRow>, StoreError> {
        self.read(|connection| patterns::changed(connection, namespace, space, after, limit))
    }

    fn pattern(
        &self,
        scope: &Scope,
        id: PatternId,
        space: Option<&SpaceId>,
    ) -> Result<Option<PatternRow>, StoreError> {
        self.read(|connection| patterns::one(connection, scope, id, space))
    }

    fn pattern_mark(&self, namespace: &Namespace) -> Result<(u64, ChangeNumber), StoreError> {
        self.read(|connection| patterns::mark(connection, namespace))
    }

    fn trajectories(&self, query: &TrajectoryQuery) -> Result<TrajectoryPage, StoreError> {
        self.read(|connection| trajectories::list(connection, query))
    }

    fn trajectory(&self, scope: &Scope, id: TrajectoryId) -> Result<Option<Trajectory>, StoreError> {
        self.read(|connection| trajectories::one(connection, scope, id))
    }

    fn learned(
        &self,
        namespace: &Namespace,
        name: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LearnedSet>, StoreError> {
        self.read(|connection| learned::sets(connection, namespace, name, (after, limit)))
    }

    fn learned_marks(&self, namespace: &Namespace) -> Result<Vec<LearnedMark>, StoreError> {
        self.read_briefly(|connection| learned::marks(connection, namespace))
    }

    fn learning_stats(&self, scope: &Scope) -> Result<Vec<LearningStats>, StoreError> {
        self.read(|connection| learned::stats(connection, scope))
    }

    fn worker_runs(&self, worker: Option<&str>, limit: usize) -> Result<Vec<WorkerRun>, StoreError> {
        self.read(|connection| workers::runs(connection, worker, limit))
    }

    fn worker_alerts(&self, resolved: bool, limit: usize) -> Result<Vec<AlertRecord>, StoreError> {
        self.read(|connection| workers::alerts(connection, resolved, limit))
    }

    fn upkeep(&self) -> Result<Upkeep, StoreError> {
        self.backend.upkeep().map_err(|trouble| self.backend.tell(trouble))
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        self.backend.scrub().map_err(|trouble| self.backend.tell(trouble))
    }

    fn rest(&self) {
        self.writer.rest();
    }

    fn searcher(&self) -> Option<&dyn Searcher> {
        self.backend.searcher()
    }

    fn frozen(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(Self::on(self.backend.freeze()?)))
    }

    fn check(&self) -> Result<Vec<Problem>, StoreError> {
        self.read(|connection| self.backend.check(connection))
    }
}
