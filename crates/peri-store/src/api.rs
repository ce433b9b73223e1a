//! What the engine asks of any backend.

use std::time::Duration;

use peri_types::{
    ChangeNumber, Context, Edge, EdgeType, Filter, Fingerprint, Importance, KeyId, Kind, Layer, Memory,
    MemoryId, Namespace, Scope, SpaceId, Timestamp, Vector, Version, Zone,
};
use serde::{Deserialize, Serialize};

use crate::records::{
    Adopted, EdgeChanges, EventPage, FeedbackRecord, KeptAnswer, KeyRecord, KeyUse, Lapsed, Lease, Matters,
    Merge, Missing, OnConflict, OrbitState, Released, Session, Settled, Settlement, Told, Trimmed, WeightSet,
    WholeMemory,
};
use crate::{ImportPart, ImportState, StoreError};

/// What is known of a memory's meaning when it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Embedding {
    /// This vector.
    Ready(Vector),
    /// Nothing yet: the engine failed. A backfill will ask again.
    Pending,
    /// Nothing, and asking again would not help: the engine does not know the language.
    NotApplicable,
}

/// A memory to be stored, complete but for the change number that the store gives.
#[derive(Debug, Clone)]
pub struct NewMemory {
    /// The record. Its `change` and `space` are set by the store.
    pub memory: Memory,
    /// Its meaning.
    pub embedding: Embedding,
    /// Whether its links were looked for.
    pub links: Links,
}

/// Whether the links of a new memory were looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Yes; what was found is written by the same call.
    Sought,
    /// No; a chore will.
    Later,
}

/// What to change of a memory. `None` leaves a part as it is.
#[derive(Debug, Clone, Default)]
pub struct Revision {
    /// New content, already redacted and analysed by the engine, with its meaning.
    pub content: Option<(String, Embedding)>,
    /// Another layer.
    pub layer: Option<Layer>,
    /// Another kind.
    pub kind: Option<Kind>,
    /// Another importance.
    pub importance: Option<Importance>,
    /// Other tags, replacing all.
    pub tags: Option<Vec<String>>,
    /// Other aliases, replacing all.
    pub aliases: Option<Vec<String>>,
    /// Pinned or not.
    pub pinned: Option<bool>,
    /// Another time of expiry; `Some(None)` takes it away.
    pub expires_at: Option<Option<Timestamp>>,
    /// The memory that takes its place; `Some(None)` makes it current again.
    pub superseded_by: Option<Option<MemoryId>>,
    /// From when on it holds; `Some(None)` means since it was said.
    pub valid_from: Option<Option<Timestamp>>,
    /// Until when it holds; `Some(None)` means for good.
    pub valid_until: Option<Option<Timestamp>>,
    /// Other metadata, replacing all.
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
    /// Other circumstances, replacing all.
    pub context: Option<Context>,
    /// Another structure of the content; `Some(None)` takes it away.
    pub data: Option<Option<serde_json::Value>>,
}

/// One change to make. A call's changes are made together or not at all.
#[derive(Debug, Clone)]
pub enum Write {
    /// Store a memory, or merge it into the one that says the same already.
    Remember(Box<NewMemory>),
    /// Change a memory, keeping what it said before.
    Revise {
        /// Where it is.
        scope: Scope,
        /// Which one.
        id: MemoryId,
        /// What to change.
        revision: Box<Revision>,
        /// Refuse unless it still has this version.
        expected_version: Option<u32>,
        /// When.
        at: Timestamp,
    },
    /// Move a memory to the trash.
    Forget {
        /// Where it is.
        scope: Scope,
        /// Which one.
        id: MemoryId,
        /// When.
        at: Timestamp,
    },
    /// Bring a memory back from the trash.
    Restore {
        /// Where it is.
        scope: Scope,
        /// Which one.
        id: MemoryId,
        /// When.
        at: Timestamp,
    },
    /// Destroy a memory that lies in the trash, with its versions and its vector.
    Purge {
        /// Where it is.
        scope: Scope,
        /// Which one.
        id: MemoryId,
        /// When.
        at: Timestamp,
    },
    /// Destroy everything that was moved to the trash before a time.
    PurgeTrashed {
        /// Where to look.
        scope: Scope,
        /// Only what has lain there since before this time.
        before: Timestamp,
        /// When.
        at: Timestamp,
    },
    /// Give a memory the vector it lacks, unless its content changed meanwhile.
    Embed {
        /// Where it is.
        namespace: Namespace,
        /// Which one.
        id: MemoryId,
        /// The version that was embedded.
        version: u32,
        /// Its meaning.
        embedding: Embedding,
    },
    /// Draw edges, or replace those of the same ends and type. Beyond `max` outgoing edges of a memory, the
    /// lightest leave.
    Link {
        /// Where both ends are.
        namespace: Namespace,
        /// The edges.
        edges: Vec<Edge>,
        /// At most so many outgoing edges of one memory.
        max: usize,
        /// What to do with an edge whose ends are not both there.
        missing: Missing,
    },
    /// Take edges away: those from one memory to another, of one type or of all.
    Unlink {
        /// Where both ends are.
        namespace: Namespace,
        /// Where they begin.
        source: MemoryId,
        /// Where they end.
        target: MemoryId,
        /// Only those of this type.
        edge_type: Option<EdgeType>,
        /// When.
        at: Timestamp,
    },
    /// Refuse the call if somebody else changed the knowledge graph since its revision was read; otherwise the
    /// revision moves on. So a change to the graph rests on what it has read of it.
    AdvanceKnowledge {
        /// Whose graph.
        namespace: Namespace,
        /// The revision that was read.
        read: u64,
    },
    /// Note that the links of these memories were looked for.
    MarkLinked {
        /// Where they are.
        namespace: Namespace,
        /// Which ones.
        ids: Vec<MemoryId>,
    },
    /// Let a newer memory take the place of an older one. Skipped if one of them is gone or replaced meanwhile,
    /// or if it would close a circle.
    Supersede {
        /// Where both are.
        namespace: Namespace,
        /// The one that no longer holds.
        older: MemoryId,
        /// The one that holds now.
        newer: MemoryId,
        /// When.
        at: Timestamp,
    },
    /// Merge a near-duplicate into another memory, so that it can be split off again. Skipped like the above.
    Merge {
        /// Where both are.
        namespace: Namespace,
        /// The one that stands for both.
        survivor: MemoryId,
        /// The one that is put aside.
        absorbed: MemoryId,
        /// When.
        at: Timestamp,
    },
    /// Split a merged memory off again.
    Split {
        /// Where it is.
        scope: Scope,
        /// The one that was put aside.
        id: MemoryId,
        /// When.
        at: Timestamp,
    },
    /// Bring the orbits of a namespace up to a time.
    Settle(Box<Settlement>),
    /// Begin a session, or go on with one that has ended.
    StartSession {
        /// Where.
        namespace: Namespace,
        /// Its name.
        name: String,
        /// When.
        at: Timestamp,
    },
    /// End a session.
    EndSession {
        /// Where.
        namespace: Namespace,
        /// Its name.
        name: String,
        /// The memory that sums it up.
        summary: Option<MemoryId>,
        /// When.
        at: Timestamp,
    },
    /// Keep what somebody said of results.
    Judge(Box<FeedbackRecord>),
    /// Take other weights of the memory function.
    SetWeights {
        /// Where.
        namespace: Namespace,
        /// The weights.
        value: serde_json::Value,
        /// Why.
        reason: String,
        /// When.
        at: Timestamp,
    },
    /// Let those leave a session's working memory that were used longest ago, until it holds no more than it may.
    TrimWorking {
        /// Where.
        namespace: Namespace,
        /// Which session's.
        session: Option<String>,
        /// It may hold so many.
        capacity: usize,
        /// What is promoted to an episode rather than dropped.
        matters: Option<Matters>,
        /// When.
        at: Timestamp,
    },
    /// Note that working memory was asked for these.
    TouchWorking {
        /// Where.
        namespace: Namespace,
        /// Which ones.
        ids: Vec<MemoryId>,
        /// When.
        at: Timestamp,
    },
    /// Destroy what a session's working memory holds, under one key or all of it.
    ClearWorking {
        /// Where.
        namespace: Namespace,
        /// Which session's.
        session: Option<String>,
        /// Only what it holds under this key.
        key: Option<String>,
        /// When.
        at: Timestamp,
    },
    /// Take away what has expired: from working memory for good, unless it matters; from elsewhere to the trash.
    Lapse {
        /// What has expired by this time.
        now: Timestamp,
        /// What is promoted to an episode rather than dropped.
        matters: Option<Matters>,
        /// At most so many.
        limit: usize,
    },
    /// Make one memory of a longer-lived layer out of others, which are put aside for it. Those that are gone, put
    /// aside or not of a shorter-lived layer are left out.
    Promote {
        /// Where.
        namespace: Namespace,
        /// Those; the first gives the content.
        sources: Vec<MemoryId>,
        /// To which layer.
        to: Layer,
        /// When.
        at: Timestamp,
    },
    /// Bring back what a memory was promoted from, and move it to the trash unless it was there before.
    UndoPromotion {
        /// Where it is.
        scope: Scope,
        /// Which one.
        id: MemoryId,
        /// Until when what comes back to working memory stays there.
        working_until: Option<Timestamp>,
        /// When.
        at: Timestamp,
    },
    /// Move memories to the trash whose time is over or that a limit leaves no room for.
    Release {
        /// Where.
        namespace: Namespace,
        /// Which ones.
        released: Vec<Released>,
        /// When.
        at: Timestamp,
    },
    /// Move everything of a namespace to another one, which may hold memories already.
    MoveNamespace {
        /// From where.
        from: Namespace,
        /// To where.
        to: Namespace,
        /// When.
        at: Timestamp,
    },
    /// Move everything of a namespace to the trash, or destroy it.
    DeleteNamespace {
        /// Which one.
        namespace: Namespace,
        /// Whether to destroy it rather than move it to the trash.
        purge: bool,
        /// When.
        at: Timestamp,
    },
    /// Take over a memory from another store, with everything that belongs to it.
    Adopt {
        /// The memory.
        whole: Box<WholeMemory>,
        /// What to do if its id is here already.
        on_conflict: OnConflict,
        /// When.
        at: Timestamp,
    },
    /// Take over a part of an export, and note how far its import is.
    Import(Box<ImportPart>),
    /// Forget how far an import was: it is finished, or is to begin anew.
    DropImport {
        /// Which one.
        name: String,
    },
    /// Forget how far imports were that nobody went on with since a time.
    DropImports {
        /// Before when.
        before: Timestamp,
    },
    /// Take over a session from another store, unless it is here.
    AdoptSession(Box<Session>),
    /// Note up to which time the orbits of a namespace that was imported are settled, unless they are.
    AdoptSettled {
        /// Where.
        namespace: Namespace,
        /// Up to when.
        settled_at: Timestamp,
    },
    /// Note that the audit log holds all events up to a number, and drop old ones beyond those to keep.
    ShipEvents {
        /// Up to which number.
        through: u64,
        /// How many shipped ones stay for those who follow.
        keep: u64,
    },
    /// Tell of something that happened outside of any change.
    Tell(Told),
    /// Let somebody in who shows this key.
    CreateKey(Box<KeyRecord>),
    /// Let nobody in any more who shows a key. The key itself stays on the list.
    RevokeKey {
        /// Which one.
        id: KeyId,
        /// When.
        at: Timestamp,
    },
    /// Keep an answer, unless the caller has one under that name already.
    KeepAnswer(Box<KeptAnswer>),
    /// Drop the answers that were given before a time.
    DropAnswers {
        /// Before when.
        before: Timestamp,
    },
}

/// What became of a [`Write`], in the order the writes were given.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// A new memory.
    Stored(Box<Memory>),
    /// The memory that said the same already, with the new one's tags, aliases and importance joined in.
    Merged(Box<Memory>),
    /// What working memory holds under the key now, in the place of another value.
    Replaced(Box<Memory>),
    /// What left a working memory.
    Trimmed(Box<Trimmed>),
    /// What became of what had expired.
    Lapsed(Lapsed),
    /// The memory that others were promoted to, or none if none of them could be.
    Promoted(Option<Box<Memory>>),
    /// Those that stand for themselves again.
    PromotionUndone(Vec<Memory>),
    /// How many memories were let go.
    Released(u64),
    /// The memory as it is now.
    Revised(Box<Memory>),
    /// The memory, now in the trash.
    Forgotten(Box<Memory>),
    /// The memory, back from the trash.
    Restored(Box<Memory>),
    /// How many memories were destroyed.
    Purged(u64),
    /// Whether the vector was taken.
    Embedded(bool),
    /// How many edges were drawn or replaced, and are there now.
    Linked(u64),
    /// How many edges were taken away.
    Unlinked(u64),
    /// Whether one memory took the place of another.
    Superseded(bool),
    /// The memory that stands for both, or none if the merge was skipped.
    Consolidated(Option<Box<Memory>>),
    /// The memory that stands for itself again.
    Split(Box<Memory>),
    /// What came of it, or none if somebody else settled meanwhile.
    Settled(Option<Settled>),
    /// The session as it is now.
    Session(Box<Session>),
    /// How many memories a namespace held that was moved or deleted, and how many of them were repeated there.
    NamespaceGone {
        /// How many memories.
        memories: u64,
        /// How many said what a memory at the new place says already.
        repeated: u64,
    },
    /// What became of a memory from another store.
    Adopted(Adopted),
    /// What became of the writes of a part of an export, in their order.
    Imported(Vec<Written>),
    /// The number of the new set of weights.
    WeightsSet(u64),
    /// The key as it is now.
    Key(Box<KeyRecord>),
    /// The answer that is kept: the new one, or the one that was there.
    Answer(Box<KeptAnswer>),
    /// Nothing more to tell.
    Done,
}

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
    /// Only memories whose links have not been looked for.
    pub unlinked: bool,
    /// Only memories whose place this one took.
    pub superseded_by: Option<MemoryId>,
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
            unlinked: false,
            superseded_by: None,
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

    /// Makes these changes together, or none of them. Concurrent calls share a commit.
    fn write(&self, writes: Vec<Write>) -> Result<Vec<Written>, StoreError>;

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

    /// The namespaces of a scope, in order.
    fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, StoreError>;

    /// What each namespace of a scope holds.
    fn stats(&self, scope: &Scope) -> Result<Vec<NamespaceStats>, StoreError>;

    /// Notes which memories were handed out, and the events that tell of it. Both may be lost in a power cut;
    /// nothing else depends on them.
    fn record_usage(&self, usage: &[Usage], told: &[Told]) -> Result<(), StoreError>;

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

    /// The store as it is now, for reading one moment while others write. It cannot be written. Old contents stay
    /// on the disk until it is dropped.
    fn frozen(&self) -> Result<Box<dyn Store>, StoreError>;

    /// Looks for damage, thoroughly: reads everything.
    fn check(&self) -> Result<Vec<Problem>, StoreError>;
}
