//! What can be asked of a store to change, and what comes of it.

use peri_types::{
    Context, Edge, EdgeType, Importance, JournalEntry, KeyId, Kind, Layer, Memory, MemoryId, Namespace,
    Scope, SpaceId, Timestamp, Trajectory, Turn, Vector,
};
use serde::{Deserialize, Serialize};

use crate::learning::{Distilled, Looked, NewAlert, WholePattern, WorkerRun};
use crate::records::{
    Adopted, ClockRecord, CurrentSpace, FeedbackRecord, KeptAnswer, KeyRecord, Lapsed, LateVector, Matters,
    Missing, OnConflict, Released, Rewound, Session, Settled, Settlement, Told, Trimmed, WholeMemory,
};
use crate::{ImportPart, LoadedRows, NotesCommit};

/// What is known of a memory's meaning when it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Embedding {
    /// This vector.
    Ready(Vector),
    /// Nothing yet: the engine failed. A backfill will ask again.
    Pending,
    /// Nothing, and asking this space's engine again would not help: it does not know the language.
    NotApplicable(SpaceId),
}

/// A memory to be stored, complete but for the change number that the store gives.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewMemory {
    /// The record. Its `change` and `space` are set by the store.
    pub memory: Memory,
    /// Its meaning.
    pub embedding: Embedding,
    /// Whether its links were looked for.
    pub links: Links,
    /// Where its id comes from.
    #[serde(default)]
    pub id: IdOrigin,
}

/// The name in the metadata of a memory, or a turn, for the id that it came with, if another namespace held that one.
pub const GIVEN_ID: &str = "given_id";

/// Where the id of a new memory comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum IdOrigin {
    /// It was drawn for this memory, so that no other one has it.
    Drawn,
    /// It came along, or follows from something that did: another namespace may hold it.
    #[default]
    Given,
}

/// Whether the links of a new memory were looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Links {
    /// Yes; what was found is written by the same call.
    Sought,
    /// No; a chore will.
    Later,
}

/// What to change of a memory. `None` leaves a part as it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
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
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "taken_away")]
    pub expires_at: Option<Option<Timestamp>>,
    /// The memory that takes its place; `Some(None)` makes it current again.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "taken_away")]
    pub superseded_by: Option<Option<MemoryId>>,
    /// From when on it holds; `Some(None)` means since it was said.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "taken_away")]
    pub valid_from: Option<Option<Timestamp>>,
    /// Until when it holds; `Some(None)` means for good.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "taken_away")]
    pub valid_until: Option<Option<Timestamp>>,
    /// Other metadata, replacing all.
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
    /// Other circumstances, replacing all.
    pub context: Option<Context>,
    /// Another structure of the content; `Some(None)` takes it away.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "taken_away")]
    pub data: Option<Option<serde_json::Value>>,
    /// Where it comes from now: the document was renamed.
    pub source: Option<String>,
}

/// Reads a part that is there: null takes it away, while a part that is left out stays as it is.
fn taken_away<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<T>::deserialize(deserializer).map(Some)
}

/// One change to make. A call's changes are made together or not at all.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// Put down the space and the engine of a store in which no memory has a vector yet, or the engine of a space
    /// whose engine nobody has put down.
    AdoptSpace {
        /// The space.
        space: SpaceId,
        /// How its engine is started.
        recipe: Option<String>,
        /// When.
        at: Timestamp,
    },
    /// Make another space the one that answers. Memories that have no vector in it wait for one.
    SwitchSpace {
        /// Which one; the store counts its revision.
        to: Box<CurrentSpace>,
        /// The revision that was read; zero if there was none. Skipped if another space was chosen since.
        read: u64,
        /// When.
        at: Timestamp,
    },
    /// Give memories vectors in a space beside those they have, without any index hearing of it.
    PutVectors {
        /// Which space.
        space: SpaceId,
        /// The vectors.
        vectors: Vec<LateVector>,
    },
    /// Drop the vectors of a namespace in all spaces but these and the one that answers.
    DropVectors {
        /// Where.
        namespace: Namespace,
        /// Which spaces are kept.
        kept: Vec<SpaceId>,
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
    /// Take back what happened by itself after a time: what went to the trash then comes back, and no memory, use or settled
    /// step is later than now.
    Rewind {
        /// Where.
        scope: Scope,
        /// After when.
        after: Timestamp,
        /// The time now.
        at: Timestamp,
    },
    /// Keep what was seen of the clocks, if nothing was kept since the record with this number was read.
    KeepClock(ClockRecord),
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
    /// Write down what happened. An entry whose id is there already is left as it is.
    AppendEntries {
        /// The entries.
        entries: Vec<JournalEntry>,
        /// When they came here: nothing that has just come is too old.
        at: Timestamp,
    },
    /// Store the memory that is made of an entry, unless it is here, in the trash or outside, or another says the same.
    Derive {
        /// The memory.
        new: Box<NewMemory>,
        /// When: from then on it counts as here.
        at: Timestamp,
    },
    /// Write a turn as it is now, in the place of what was written of it before.
    PutTurn {
        /// The turn.
        turn: Box<Turn>,
        /// When it was told of: nothing that was just told of is too old.
        at: Timestamp,
    },
    /// Drop some of what happened before a time from the journal, and came here before it, the earliest first. Once
    /// nothing is dropped, that was all.
    DropJournal {
        /// Where.
        scope: Scope,
        /// Before when.
        before: Timestamp,
        /// When.
        at: Timestamp,
    },
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
    /// Make the other changes of a call once for a request, and keep what it comes to until its answer is kept. It stands
    /// first: if the request has been made, nothing of the call is, and the answer is [`Written::Repeated`] for each.
    Claim {
        /// What the request comes to, with [`KeptAnswer::MADE`] as its status.
        answer: Box<KeptAnswer>,
        /// What was kept before that time does not count any more.
        before: Timestamp,
    },
    /// Drop the answers that were given before a time.
    DropAnswers {
        /// Before when.
        before: Timestamp,
    },
    /// Change documents and logs of notes, if all that is expected of them is still so. It cannot be written down to be
    /// made later: whoever wants that keeps what was asked for, and decides anew.
    #[serde(skip)]
    CommitNotes(Box<NotesCommit>),
    /// Keep the steps of a task, unless they are kept.
    RecordTrajectory {
        /// The task with its steps.
        trajectory: Box<Trajectory>,
        /// When it came here.
        at: Timestamp,
    },
    /// Write patterns as they are now.
    PutPatterns {
        /// Which ones.
        patterns: Vec<WholePattern>,
    },
    /// Make what was drawn from trajectories: patterns, and that it was drawn.
    Distil(Box<Distilled>),
    /// Drop the oldest trajectories of a namespace that something was drawn from, so that no more than so many are left.
    DropTrajectories {
        /// Where.
        namespace: Namespace,
        /// So many are left.
        kept: usize,
    },
    /// Take over a trajectory from another store, drawn from or not.
    AdoptTrajectory {
        /// The task with its steps.
        trajectory: Box<Trajectory>,
        /// What to do with one that has its id.
        on_conflict: OnConflict,
        /// When it came here.
        at: Timestamp,
    },
    /// Take something that was learned as a whole.
    SetLearned {
        /// Where.
        namespace: Namespace,
        /// What it is.
        name: String,
        /// The set; null for nothing.
        value: serde_json::Value,
        /// Why.
        reason: String,
        /// When.
        at: Timestamp,
    },
    /// Destroy exactly these rows of a namespace, and nothing else there.
    RemoveLoaded {
        /// Where.
        namespace: Namespace,
        /// Which ones.
        rows: Box<LoadedRows>,
        /// When.
        at: Timestamp,
    },
    /// Keep what a run of a background job came to. The oldest leave.
    KeepRun(Box<WorkerRun>),
    /// Keep what a background job found. What is new is told.
    RaiseAlerts {
        /// Which job.
        worker: String,
        /// What it found.
        alerts: Vec<NewAlert>,
        /// Whether it looked everywhere.
        looked: Looked,
        /// When.
        at: Timestamp,
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
    /// Whether another space or engine was put down.
    SpaceSwitched(bool),
    /// How many vectors were taken.
    VectorsPut(u64),
    /// How many vectors were dropped.
    VectorsDropped(u64),
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
    /// What came back, and what was corrected.
    Rewound(Rewound),
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
    /// The number of what was learned, or of a run.
    Numbered(u64),
    /// The key as it is now.
    Key(Box<KeyRecord>),
    /// The answer that is kept: the new one, or the one that was there.
    Answer(Box<KeptAnswer>),
    /// The store could not be reached. The write is kept on this machine and will be made, once, when it can be.
    Queued,
    /// It had been made before, by a call with the same token; nothing was written this time.
    Repeated,
    /// Notes were no longer as the call expected, so that nothing of it was made. This is the answer for each of its
    /// changes, and a token of the call is not kept.
    Stale,
    /// How many entries are new in the journal, or trajectories among those that are kept; or how many were dropped.
    Appended(u64),
    /// Whether a trajectory from another store is new here, or has taken the place of the one with its id.
    TrajectoryAdopted(bool),
    /// Whether the memory was made that an entry asks for.
    Derived(bool),
    /// What was dropped from the journal.
    JournalDropped {
        /// How many entries.
        entries: u64,
        /// How many turns.
        turns: u64,
    },
    /// Nothing more to tell.
    Done,
}

#[cfg(test)]
mod tests {
    use peri_types::SpaceId;

    use super::*;

    fn again(write: &Write) -> Write {
        serde_json::from_str(&serde_json::to_string(write).unwrap()).unwrap()
    }

    #[test]
    fn what_a_revision_takes_away_and_what_it_leaves_alone_are_told_apart_when_it_is_read_back() {
        let space = SpaceId { model: "모델".into(), dimensions: 3 };
        let vector = Vector { space, values: vec![0.1, -1.0 / 3.0, f32::MIN_POSITIVE] };
        let revision = Revision {
            content: Some(("李娜喜欢喝茶\n\u{1f375}".into(), Embedding::Ready(vector))),
            expires_at: Some(None),
            superseded_by: None,
            valid_until: Some(Some(Timestamp::UNIX_EPOCH)),
            data: Some(None),
            ..Revision::default()
        };
        let (scope, id) = (Scope::All, MemoryId::from_bytes([7; 16]));
        let (revision, at) = (Box::new(revision), Timestamp::UNIX_EPOCH);
        let write = Write::Revise { scope, id, revision, expected_version: Some(2), at };
        assert_eq!(format!("{:?}", again(&write)), format!("{write:?}"));
    }

    #[test]
    fn an_answer_of_any_bytes_reads_back() {
        let (caller, key, at) = ("local".into(), "one".into(), Timestamp::UNIX_EPOCH);
        let body = (0..=u8::MAX).collect();
        let answer = KeptAnswer { caller, key, digest: [0xff; 32], status: 200, body, at };
        let write = Write::KeepAnswer(Box::new(answer));
        assert_eq!(format!("{:?}", again(&write)), format!("{write:?}"));
    }
}
