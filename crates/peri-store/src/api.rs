//! What the engine asks of any backend.

use std::time::Duration;

use peri_notes::{Collection, Key};
use peri_types::{
    ChangeNumber, DayInUse, Edge, EdgeType, EntryId, Filter, Fingerprint, JournalEntry, KeyId, Kind, Layer,
    Memory, MemoryId, Namespace, PatternId, Scope, SpaceId, Timestamp, Trajectory, TrajectoryId, Turn,
    TurnId, Version, Zone,
};
use serde::{Deserialize, Serialize};

use crate::learning::{
    AlertRecord, LearnedMark, LearnedSet, LearningStats, PatternRow, TrajectoryPage, TrajectoryQuery,
    WorkerRun,
};
use crate::records::{
    ClockRecord, CurrentSpace, EdgeChanges, EventPage, FeedbackRecord, KeptAnswer, KeyRecord, KeyUse, Lease,
    Merge, OrbitState, OrbitView, Session, SpaceStats, Told, WeightSet,
};
use crate::{
    ImportState, JournalPage, JournalQuery, JournalStats, Searcher, StoreError, TurnPage, TurnQuery, Write,
    Written,
};

/// What an index must do to follow the store.
#[derive(Debug, Clone)]
pub enum Change {
    /// The memory is as given here, with its vector in the space that was asked for.
    Put {
        /// The record as it is now.
        memory: Box<Memory>,
        /// Its vector in that space, if it has one.
        vector: Option<Vec<f32>>,
    },
    /// The memory is in the trash or destroyed.
    Gone {
        /// Which one.
        id: MemoryId,
        /// The change that took it away.
        change: ChangeNumber,
    },
}

impl Change {
    /// The change's number.
    pub fn number(&self) -> ChangeNumber {
        match self {
            Self::Put { memory, .. } => memory.change,
            Self::Gone { change, .. } => *change,
        }
    }
}

/// Which side of the trash to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Trashed {
    /// Only what is not in the trash.
    #[default]
    Without,
    /// Only what is in the trash.
    Only,
}

/// In which order to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The latest first.
    #[default]
    NewestFirst,
    /// The earliest first.
    OldestFirst,
}

/// What to list.
#[derive(Debug, Clone)]
pub struct ListQuery {
    /// Where to look.
    pub scope: Scope,
    /// What to let through.
    pub filter: Filter,
    /// Which side of the trash.
    pub trashed: Trashed,
    /// Only what has lain in the trash since before this time.
    pub trashed_before: Option<Timestamp>,
    /// Leave out what has expired by this time; `None` shows all.
    pub now: Option<Timestamp>,
    /// Only memories of these zones; of all if empty.
    pub zones: Vec<Zone>,
    /// Only memories that still wait for a vector.
    pub unembedded: bool,
    /// Only memories that no engine has been asked for a vector in this space, whether they have others or not.
    pub lacking: Option<SpaceId>,
    /// Only memories whose links have not been looked for.
    pub unlinked: bool,
    /// Only memories whose place this one took.
    pub superseded_by: Option<MemoryId>,
    /// Only memories that came from this entry of the journal.
    pub entry: Option<EntryId>,
    /// Tell what took a memory's place although that lies in the trash, and until when it holds only where that was
    /// said: as it is kept, rather than as it is seen.
    pub as_kept: bool,
    /// In which order, by id and so by the time of storing.
    pub order: Order,
    /// Go on after this id, as told by the page before.
    pub after: Option<MemoryId>,
    /// At most so many.
    pub limit: usize,
}

impl Default for ListQuery {
    fn default() -> Self {
        Self {
            scope: Scope::All,
            filter: Filter::default(),
            trashed: Trashed::default(),
            trashed_before: None,
            now: None,
            zones: Vec::new(),
            unembedded: false,
            lacking: None,
            unlinked: false,
            superseded_by: None,
            entry: None,
            as_kept: false,
            order: Order::default(),
            after: None,
            limit: 100,
        }
    }
}

/// A part of a longer list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Page {
    /// The memories of this page.
    pub memories: Vec<Memory>,
    /// Where the next page goes on, if there is one.
    pub next: Option<MemoryId>,
}

/// That a memory was handed out, so often, last at this time.
#[derive(Debug, Clone)]
pub struct Usage {
    /// Where it is.
    pub namespace: Namespace,
    /// Which one.
    pub id: MemoryId,
    /// How many times since the last report.
    pub recalls: u32,
    /// The last of them.
    pub last_at: Timestamp,
}

/// That a namespace was asked for what it holds, whether it held something or not.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Which one.
    pub namespace: Namespace,
    /// When.
    pub at: Timestamp,
}

/// What a namespace holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamespaceStats {
    /// Which one.
    pub namespace: Namespace,
    /// Memories that are not in the trash.
    pub memories: u64,
    /// Memories in the trash.
    pub trashed: u64,
    /// Memories that wait for a vector.
    pub unembedded: u64,
    /// Memories by kind.
    pub kinds: Vec<(Kind, u64)>,
    /// Memories by layer.
    pub layers: Vec<(Layer, u64)>,
    /// Bytes of content outside the trash.
    pub content_bytes: u64,
    /// Memories whose links have not been looked for.
    pub unlinked: u64,
    /// Memories by zone. What others took the place of takes no room.
    pub zones: Vec<(Zone, u64)>,
    /// Edges between them.
    pub edges: u64,
    /// Up to which time their orbits are settled.
    pub settled_at: Option<Timestamp>,
    /// The last change in it.
    pub head: ChangeNumber,
}

/// What a database takes, after its upkeep. All zero where it looks after itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Upkeep {
    /// Bytes of the database.
    pub database_bytes: u64,
    /// Bytes of it that hold nothing.
    pub free_bytes: u64,
    /// Bytes of its log that were not in the database before, and after.
    pub log_bytes: (u64, u64),
}

/// Something that a check found wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What is wrong, for a person.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// Where in the order of edges one is: its source, type and target.
pub type EdgeKey = (MemoryId, EdgeType, MemoryId);

/// The durable truth. Every method is one transaction; a write that returned `Ok` survives a power cut.
pub trait Store: Send + Sync {
    /// What tells this store from every other one, for naming files derived from it.
    fn identity(&self) -> Result<String, StoreError>;

    /// A mark that the writer of a change left at or before it: two copies of a store that went separate ways
    /// have different marks from there on. Empty if nothing has been written.
    fn lineage(&self, at: ChangeNumber) -> Result<String, StoreError>;

    /// Whether every write will be refused, as on a read-only folder.
    fn is_read_only(&self) -> bool;

    /// Looks whether what is written would be kept: a file that was removed or renamed is still open, and gone with the
    /// last process that has it open.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if the store is no longer in its place.
    fn in_place(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Makes these changes together, or none of them. Concurrent calls share a commit.
    fn write(&self, writes: Vec<Write>) -> Result<Vec<Written>, StoreError>;

    /// The same, once: the token is kept in the same transaction, and a call whose token is kept already writes nothing
    /// and answers [`Written::Repeated`] for each of its changes. So a call whose outcome is not known can be made again.
    fn write_once(&self, token: [u8; 16], writes: Vec<Write>) -> Result<Vec<Written>, StoreError>;

    /// Whether a write that failed was surely not made. Otherwise it may be [`StoreError::Uncertain`].
    fn commits_are_certain(&self) -> bool;

    /// The memories with these ids that lie in the scope, the trash included, in the order asked for;
    /// ids that are not there are left out.
    fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError>;

    /// Memories page by page.
    fn list(&self, query: &ListQuery) -> Result<Page, StoreError>;

    /// What a memory said before, the earliest first.
    fn versions(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Version>, StoreError>;

    /// The number of a namespace's last change; zero if it does not exist.
    fn head(&self, namespace: &Namespace) -> Result<ChangeNumber, StoreError>;

    /// A namespace's changes after a number, in order, at most `limit` of them; only the last change of
    /// each memory is told. Vectors are those of `space`.
    fn changes(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError>;

    /// Which space answers; none if nobody has chosen one yet.
    fn current_space(&self) -> Result<Option<CurrentSpace>, StoreError>;

    /// What the vectors of each space take. Looks at every vector.
    fn spaces(&self) -> Result<Vec<SpaceStats>, StoreError>;

    /// The namespaces of a scope, in order.
    fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, StoreError>;

    /// What each namespace of a scope holds.
    fn stats(&self, scope: &Scope) -> Result<Vec<NamespaceStats>, StoreError>;

    /// Notes which memories were handed out, which namespaces were asked, and the events that tell of it. All may be lost in a power cut;
    /// nothing else depends on them.
    fn record_usage(&self, usage: &[Usage], told: &[Told], asked: &[Asked]) -> Result<(), StoreError>;

    /// How often and when last a memory was handed out.
    fn usage(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<(u64, Timestamp)>, StoreError>;

    /// Takes or renews a lease on a chore that only one process may do. `false`: somebody else has it.
    fn acquire_lease(
        &self,
        name: &str,
        holder: &str,
        now: Timestamp,
        time_to_live: Duration,
    ) -> Result<bool, StoreError>;

    /// Who holds a lease, run out or not.
    fn lease(&self, name: &str) -> Result<Option<Lease>, StoreError>;

    /// Gives a lease back before it runs out. Giving back what one does not hold changes nothing.
    fn release_lease(&self, name: &str, holder: &str) -> Result<(), StoreError>;

    /// What the orbits of a namespace depend on.
    fn orbit(&self, namespace: &Namespace) -> Result<OrbitState, StoreError>;

    /// The memories of a namespace that hold at a time, each with so many characters of how it begins. One look, however
    /// many they are.
    fn orbit_view(
        &self,
        namespace: &Namespace,
        now: Timestamp,
        beginning_chars: usize,
    ) -> Result<OrbitView, StoreError>;

    /// When a memory came in, by import or from the trash, if it did.
    fn arrived_at(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<Timestamp>, StoreError> {
        let bodies = self.orbit(namespace)?.bodies;
        Ok(bodies.into_iter().find(|body| body.id == id).and_then(|body| body.arrived_at))
    }

    /// The days on which a namespace was used, in order.
    fn days_in_use(&self, namespace: &Namespace) -> Result<Vec<DayInUse>, StoreError>;

    /// What was kept of the machines' clocks, and the latest time that something was used or settled at.
    fn clock(&self) -> Result<(ClockRecord, Option<Timestamp>), StoreError>;

    /// The namespaces whose orbits are not settled up to a time.
    fn unsettled(&self, before: Timestamp) -> Result<Vec<Namespace>, StoreError>;

    /// The edges that changed after a number. Edges of memories in the trash are as good as gone.
    fn edge_changes(&self, namespace: &Namespace, after: ChangeNumber) -> Result<EdgeChanges, StoreError>;

    /// The edges of one memory, in both directions.
    fn edges_of(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Edge>, StoreError>;

    /// Every edge of a namespace, by source, type and target, those of memories in the trash included.
    fn all_edges(&self, namespace: &Namespace) -> Result<Vec<Edge>, StoreError>;

    /// How often the knowledge graph of a namespace was changed; zero if there is none.
    fn knowledge_revision(&self, namespace: &Namespace) -> Result<u64, StoreError>;

    /// What was merged into a memory, or what it was merged into.
    fn merges(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Merge>, StoreError>;

    /// The sessions of a scope, the latest first.
    fn sessions(&self, scope: &Scope, limit: usize) -> Result<Vec<Session>, StoreError>;

    /// One session.
    fn session(&self, namespace: &Namespace, name: &str) -> Result<Option<Session>, StoreError> {
        let all = self.sessions(&Scope::Exact(namespace.clone()), i64::MAX as usize)?;
        Ok(all.into_iter().find(|session| session.name == name))
    }

    /// The latest feedback of a namespace, the latest first.
    fn feedback(&self, namespace: &Namespace, limit: usize) -> Result<Vec<FeedbackRecord>, StoreError>;

    /// The weights that held in a namespace, the earliest first.
    fn weights(&self, namespace: &Namespace) -> Result<Vec<WeightSet>, StoreError>;

    /// Events after a number, in order.
    fn events(&self, after: u64, limit: usize) -> Result<EventPage, StoreError>;

    /// Every key, the revoked ones too, the earliest first.
    fn keys(&self) -> Result<Vec<KeyRecord>, StoreError>;

    /// One key, revoked or not. Asked at every request, so it must be quick.
    fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, StoreError>;

    /// Whether there is a key that is not revoked.
    fn has_keys(&self) -> Result<bool, StoreError>;

    /// Notes when keys were used. It may be lost in a power cut; nothing depends on it.
    fn note_key_uses(&self, uses: &[KeyUse]) -> Result<(), StoreError>;

    /// The answer that a caller was given under a name.
    fn answer(&self, caller: &str, key: &str) -> Result<Option<KeptAnswer>, StoreError>;

    /// When the oldest answer was given that is kept.
    fn oldest_answer(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Whether something has expired by a time and waits to be taken away.
    fn has_lapsed(&self, now: Timestamp) -> Result<bool, StoreError>;

    /// What a session's working memory holds under a key, expired or not.
    fn working_value(
        &self,
        namespace: &Namespace,
        session: Option<&str>,
        key: &str,
    ) -> Result<Option<Memory>, StoreError>;

    /// The working memories of a namespace that hold something by a time: the sessions, and how much each holds.
    fn working_sessions(
        &self,
        namespace: &Namespace,
        now: Timestamp,
    ) -> Result<Vec<(Option<String>, u64)>, StoreError>;

    /// Episodes of all namespaces that have been here since before a time, with when they came, in that order.
    fn old_episodes(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, MemoryId)>,
        limit: usize,
    ) -> Result<Vec<(Memory, Timestamp)>, StoreError>;

    /// Up to `limit` edges of a namespace after one of them, in the order of [`Store::all_edges`].
    fn edges_after(
        &self,
        namespace: &Namespace,
        after: Option<EdgeKey>,
        limit: usize,
    ) -> Result<Vec<Edge>, StoreError>;

    /// Up to `limit` sessions of a namespace after one of this name, by name.
    fn sessions_after(
        &self,
        namespace: &Namespace,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Session>, StoreError>;

    /// Up to `limit` records of feedback after a number, the earliest first, each with its own.
    fn feedback_after(
        &self,
        namespace: &Namespace,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, FeedbackRecord)>, StoreError>;

    /// The memory outside the trash that makes a statement.
    fn said_by(&self, namespace: &Namespace, said: Fingerprint) -> Result<Option<MemoryId>, StoreError>;

    /// How far an import has come that was begun and not finished.
    fn import_state(&self, name: &str) -> Result<Option<ImportState>, StoreError>;

    /// The journal's entries page by page.
    fn journal(&self, query: &JournalQuery) -> Result<JournalPage, StoreError>;

    /// The entries with these ids that lie in the scope, in the order asked for; ids that are not there are left out.
    fn entries(&self, scope: &Scope, ids: &[EntryId]) -> Result<Vec<JournalEntry>, StoreError>;

    /// Turns page by page.
    fn turns(&self, query: &TurnQuery) -> Result<TurnPage, StoreError>;

    /// One turn, if it lies in the scope.
    fn turn(&self, scope: &Scope, id: TurnId) -> Result<Option<Turn>, StoreError>;

    /// What the journal of each namespace of a scope holds; those without one are left out.
    fn journal_stats(&self, scope: &Scope) -> Result<Vec<JournalStats>, StoreError>;

    /// A document of notes; none if there is none. Notes are changed with [`Write::CommitNotes`].
    fn shelf_read(&self, namespace: &Namespace, key: &Key) -> Result<Option<String>, StoreError>;

    /// The lines of a log of notes, the oldest first; none if it is not there.
    fn shelf_lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, StoreError>;

    /// What a collection of notes holds, sorted.
    fn shelf_list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, StoreError>;

    /// Every document of a collection of notes, sorted.
    fn shelf_documents(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<Vec<(Key, String)>, StoreError>;

    /// The namespaces that hold notes, sorted.
    fn shelf_namespaces(&self) -> Result<Vec<Namespace>, StoreError>;

    /// Patterns of a namespace that changed after a number, in the order of their changes, the retired ones too. Vectors
    /// are those of `space`.
    fn patterns(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<PatternRow>, StoreError>;

    /// How many patterns a namespace has, the retired ones too, and the last change of any of them. Whoever follows
    /// patterns by their changes learns from it of those that have left, with a namespace that was moved or purged, or
    /// in a restore: nothing is told of them, but then there are fewer than it holds, and it reads all again.
    fn pattern_mark(&self, namespace: &Namespace) -> Result<(u64, ChangeNumber), StoreError>;

    /// One pattern, if it lies in the scope, with its vector in this space.
    fn pattern(
        &self,
        scope: &Scope,
        id: PatternId,
        space: Option<&SpaceId>,
    ) -> Result<Option<PatternRow>, StoreError>;

    /// Trajectories page by page.
    fn trajectories(&self, query: &TrajectoryQuery) -> Result<TrajectoryPage, StoreError>;

    /// One trajectory, if it lies in the scope.
    fn trajectory(&self, scope: &Scope, id: TrajectoryId) -> Result<Option<Trajectory>, StoreError>;

    /// What was learned under a name, the latest first; after a number, if one is given. So whoever has the latest is told
    /// nothing.
    fn learned(
        &self,
        namespace: &Namespace,
        name: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LearnedSet>, StoreError>;

    /// Which set of each name holds in a namespace, by name. Numbers begin anew after a purge and may fall in a restore,
    /// so that whoever holds a set reads it again when the number or the time here is another one.
    fn learned_marks(&self, namespace: &Namespace) -> Result<Vec<LearnedMark>, StoreError>;

    /// What each namespace of a scope has learned; those that have learned nothing are left out.
    fn learning_stats(&self, scope: &Scope) -> Result<Vec<LearningStats>, StoreError>;

    /// Runs of background jobs, of one or of all, the latest first.
    fn worker_runs(&self, worker: Option<&str>, limit: usize) -> Result<Vec<WorkerRun>, StoreError>;

    /// What background jobs found and still is so; with the resolved ones if asked for. The latest first.
    fn worker_alerts(&self, resolved: bool, limit: usize) -> Result<Vec<AlertRecord>, StoreError>;

    /// Moves what the database's log holds into the database, beside whoever reads and writes. Servers do so by
    /// themselves.
    fn upkeep(&self) -> Result<Upkeep, StoreError> {
        Ok(Upkeep::default())
    }

    /// Empties the database's log, so that nothing of what was destroyed is left in it. `false`: others read it, and it is
    /// left for the next time. What servers keep is theirs.
    fn scrub(&self) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Gives back memory that is held only to answer faster, when nobody has asked anything for a while.
    fn rest(&self) {}

    /// The search inside the database, if it has one.
    fn searcher(&self) -> Option<&dyn Searcher> {
        None
    }

    /// The store as it is now, for reading one moment while others write. It cannot be written. Old contents stay
    /// on the disk until it is dropped.
    fn frozen(&self) -> Result<Box<dyn Store>, StoreError>;

    /// Looks for damage, thoroughly: reads everything.
    fn check(&self) -> Result<Vec<Problem>, StoreError>;
}
