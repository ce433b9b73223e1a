//! What the engine asks of any backend.

use std::time::Duration;

use peri_types::{
    ChangeNumber, Filter, Importance, Kind, Layer, Memory, MemoryId, Namespace, Scope, SpaceId, Timestamp,
    Vector, Version,
};
use serde::Serialize;

use crate::StoreError;

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
    /// Other metadata, replacing all.
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
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
    },
    /// Destroy everything that was moved to the trash before a time.
    PurgeTrashed {
        /// Where to look.
        scope: Scope,
        /// Only what has lain there since before this time.
        before: Timestamp,
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
}

/// What became of a [`Write`], in the order the writes were given.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// A new memory.
    Stored(Box<Memory>),
    /// The memory that said the same already, with the new one's tags, aliases and importance joined in.
    Merged(Box<Memory>),
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trashed {
    /// Only what is not in the trash.
    #[default]
    Without,
    /// Only what is in the trash.
    Only,
}

/// In which order to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    /// Only memories that still wait for a vector.
    pub unembedded: bool,
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
            unembedded: false,
            order: Order::default(),
            after: None,
            limit: 100,
        }
    }
}

/// A part of a longer list.
#[derive(Debug, Clone, PartialEq, Serialize)]
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

    /// Notes which memories were handed out. It may be lost in a power cut; nothing else depends on it.
    fn record_usage(&self, usage: &[Usage]) -> Result<(), StoreError>;

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

    /// Gives a lease back before it runs out. Giving back what one does not hold changes nothing.
    fn release_lease(&self, name: &str, holder: &str) -> Result<(), StoreError>;

    /// Looks for damage, thoroughly: reads everything.
    fn check(&self) -> Result<Vec<Problem>, StoreError>;
}
