//! What stores keep besides memories: orbits, edges, merges, sessions, feedback, events, keys and answers.

use std::time::Duration;

use peri_types::{
    CleanUpReason, DayInUse, Edge, EntryId, Event, Happening, Importance, KeyId, Kind, Layer, Memory,
    MemoryId, MoveReason, Namespace, PatternId, Role, Scope, SpaceId, Timestamp, TrajectoryId, TurnId,
    Version, Zone,
};
use serde::{Deserialize, Serialize};

use crate::{Embedding, Links};

/// What the orbit of one memory depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct OrbitBody {
    /// Which memory.
    pub id: MemoryId,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was imported or restored, if it was.
    pub arrived_at: Option<Timestamp>,
    /// How much it was said to matter.
    pub importance: Importance,
    /// Whether it never decays.
    pub pinned: bool,
    /// Whether it is never forgotten by itself: it is part of a knowledge graph.
    pub kept: bool,
    /// The zone it was last settled in, or began in.
    pub zone: Zone,
    /// How often it was recalled, as far as settled steps have counted.
    pub recalls: u64,
    /// The last of those recalls.
    pub last_used_at: Option<Timestamp>,
    /// How long it is meant to live.
    pub layer: Layer,
    /// The change that last touched it.
    pub change: peri_types::ChangeNumber,
}

/// Recalls of a memory that no settled step has counted yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingUse {
    /// Which memory.
    pub id: MemoryId,
    /// When it was last recalled.
    pub at: Timestamp,
    /// How often.
    pub recalls: u32,
}

/// What the orbits of a namespace depend on. Memories that others took the place of, and those in the trash,
/// take no part.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OrbitState {
    /// Up to which time they are settled.
    pub settled_at: Option<Timestamp>,
    /// The memories, by id.
    pub bodies: Vec<OrbitBody>,
    /// Recalls since then, in the order they were written back.
    pub uses: Vec<PendingUse>,
    /// The number of the last of those.
    pub uses_through: u64,
    /// The days on which the namespace was used, in order.
    pub days: Vec<DayInUse>,
    /// How many memories faded on the last day in use on which one did.
    pub fading: Fading,
}

/// How many memories faded on one day in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fading {
    /// Which day that was, counted on the namespace's time in use; none if none ever faded.
    pub day: Option<i64>,
    /// How many.
    pub count: u64,
}

/// What processes have seen of the machines' clocks. The store keeps it and does not read it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClockRecord {
    /// Counts changes; a record is kept only in the place of the one with its number.
    pub revision: u64,
    /// What was seen, as JSON; empty if nothing was.
    pub state: String,
}

/// What came of taking back what happened by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rewound {
    /// Memories that came back from the trash.
    pub restored: u64,
    /// Memories with times later than now, which are now.
    pub corrected: u64,
}

/// The memories of a namespace that hold, as somebody looks at them: what is in the trash, has expired, was promoted,
/// or has lost its place to another is left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OrbitView {
    /// Up to which time their orbits are settled.
    pub settled_at: Option<Timestamp>,
    /// The memories, by id.
    pub bodies: Vec<BodyView>,
    /// The days on which the namespace was used, in order.
    pub days: Vec<DayInUse>,
}

/// A memory as somebody looks at it from afar.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyView {
    /// Which memory.
    pub id: MemoryId,
    /// What it is.
    pub kind: Kind,
    /// How long it is meant to live.
    pub layer: Layer,
    /// The zone it was last settled in, or began in.
    pub zone: Zone,
    /// How much it was said to matter.
    pub importance: Importance,
    /// Whether it never decays.
    pub pinned: bool,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was imported or restored, if it was.
    pub arrived_at: Option<Timestamp>,
    /// How often it was recalled, settled or not.
    pub recalls: u64,
    /// The last of those recalls.
    pub last_used_at: Option<Timestamp>,
    /// How its content begins, in as many characters as were asked for.
    pub beginning: String,
}

/// A memory that changed its zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneMove {
    /// Which memory.
    pub id: MemoryId,
    /// Where it was.
    pub from: Zone,
    /// Where it is.
    pub to: Zone,
    /// At which step.
    pub at: Timestamp,
    /// Why.
    pub reason: MoveReason,
}

/// A memory that nobody used for too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faded {
    /// Which memory.
    pub id: MemoryId,
    /// At which step.
    pub at: Timestamp,
    /// Whole days since it was last used.
    pub idle_days: u64,
}

/// The orbits of a namespace, brought from one time to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settlement {
    /// Where.
    pub namespace: Namespace,
    /// Up to which time they were settled before; refused if that has changed meanwhile.
    pub from: Option<Timestamp>,
    /// Up to which time they are settled now.
    pub settled_at: Timestamp,
    /// Recalls up to this number and time have been counted.
    pub uses_through: u64,
    /// What moved, in the order of the steps.
    pub moves: Vec<ZoneMove>,
    /// What goes to the trash, in the order of the steps.
    pub faded: Vec<Faded>,
    /// How many have faded on the last day on which one did, these included.
    #[serde(default)]
    pub fading: Fading,
}

/// What came of a [`Settlement`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settled {
    /// Moves made. A memory that is gone meanwhile is skipped.
    pub moved: u64,
    /// Memories moved to the trash. One that was used meanwhile is not.
    pub forgotten: u64,
}

/// The outgoing edges of one memory, as they are after a change.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceEdges {
    /// Where they begin.
    pub source: MemoryId,
    /// The edges; none if the memory has lost them all or is gone.
    pub edges: Vec<Edge>,
}

/// Edges that changed, and up to which change that is all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EdgeChanges {
    /// The sources whose edges changed.
    pub sources: Vec<SourceEdges>,
    /// The namespace's last change when this was read.
    pub head: peri_types::ChangeNumber,
}

/// What becomes of an edge whose memories are not both there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Missing {
    /// The call is refused.
    Refused,
    /// The edge is left out.
    Skipped,
}

/// What a memory gained when another was merged into it, so that it can be taken away again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Gained {
    /// Tags it did not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Aliases it did not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The importance it had, if the other's was higher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub importance_before: Option<Importance>,
    /// Whether it was pinned only by the other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}

/// That a memory was merged into another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Merge {
    /// The one that is put aside.
    pub absorbed: MemoryId,
    /// The one that stands for both.
    pub survivor: MemoryId,
    /// When.
    pub at: Timestamp,
    /// What the survivor gained.
    pub gained: Gained,
}

/// One conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// Where it takes place.
    pub namespace: Namespace,
    /// Its name, unique there.
    pub name: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; open while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// The memory that sums it up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<MemoryId>,
}

/// One result of a recall that somebody judged, with the terms of the memory function at that time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JudgedResult {
    /// Which memory.
    pub id: MemoryId,
    /// Whether it was of use.
    pub used: bool,
    /// How often it had been recalled, from 0 to 1.
    pub recall: f64,
    /// How freshly it had been used, from 0 to 1.
    pub freshness: f64,
    /// How much it was said to matter, from 0 to 1.
    pub importance: f64,
    /// How close it was to the session's context, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<f64>,
}

/// What somebody said of the results of one recall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedbackRecord {
    /// Where.
    pub namespace: Namespace,
    /// When.
    pub at: Timestamp,
    /// What had been asked.
    pub query: String,
    /// The results.
    pub results: Vec<JudgedResult>,
}

/// Weights of the memory function that held from a time on. What they are is the engine's business.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WeightSet {
    /// Counts the sets of a namespace, from 1.
    pub number: u64,
    /// Since when.
    pub at: Timestamp,
    /// The weights.
    pub value: serde_json::Value,
    /// Why they were taken.
    pub reason: String,
}

/// A lease that somebody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Who holds it.
    pub holder: String,
    /// Until when, unless it is renewed.
    pub expires_at: Timestamp,
}

impl Lease {
    /// Who needs a lease for longer asks for it at each attempt. What runs out later than this was taken by a clock that was
    /// ahead.
    pub const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

    /// Whether it is held at a time.
    pub fn is_held(&self, now: Timestamp) -> bool {
        let latest = now.checked_add(Self::LONGEST).unwrap_or(Timestamp::MAX);
        self.expires_at > now && self.expires_at <= latest
    }
}

/// The space whose vectors answer, and the engine that makes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrentSpace {
    /// Which one; none if memories are found by their words alone, by choice.
    pub space: Option<SpaceId>,
    /// How its engine is started, in the words of whoever chose it; none if nobody has said.
    #[serde(default)]
    pub recipe: Option<String>,
    /// What the settings asked for when this was chosen instead.
    #[serde(default)]
    pub instead_of: Option<String>,
    /// Grows with each choice.
    pub revision: u64,
    /// Whether any memory has a vector, in whichever space. It is found out, not chosen.
    #[serde(skip)]
    pub in_use: bool,
}

/// What the vectors of a space take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpaceStats {
    /// Which space.
    pub space: SpaceId,
    /// How many memories have a vector in it, the trash included.
    pub vectors: u64,
    /// How many its engine has been asked for and has no vector for.
    pub without: u64,
    /// Bytes of the vectors themselves.
    pub bytes: u64,
}

/// A vector that a memory gets beside those it has, unless its content changed meanwhile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LateVector {
    /// Where the memory is.
    pub namespace: Namespace,
    /// Which one.
    pub id: MemoryId,
    /// The version that was embedded.
    pub version: u32,
    /// The vector; none if the engine has none for the text.
    pub values: Option<Vec<f32>>,
}

/// Something to be told that happened outside of any change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// Where.
    pub namespace: Option<Namespace>,
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: Happening,
}

/// Events that the audit log lacks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EventPage {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Up to which number they are in the log.
    pub shipped: u64,
    /// How many were dropped because the log could not be written for too long.
    pub lost: u64,
    /// How many wait for the log in all.
    pub waiting: u64,
}

/// A memory with everything that belongs to it, for moving it between stores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WholeMemory {
    /// The record. Its change number is given by the store.
    pub memory: Memory,
    /// What it said before.
    pub versions: Vec<Version>,
    /// How often it was recalled.
    pub recalls: u64,
    /// The last of those recalls.
    pub last_used_at: Option<Timestamp>,
    /// Its meaning.
    pub embedding: Embedding,
    /// Into which memory it was merged.
    pub merge: Option<Merge>,
    /// Whether its links were looked for.
    pub links: Links,
}

/// What an import does with a memory whose id is there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnConflict {
    /// The memory that is there stays as it is.
    #[default]
    Keep,
    /// The imported one replaces it.
    Replace,
    /// Likewise; and a memory with another id that says the same goes to the trash, rather than being taken for it.
    TakeOver,
}

/// What became of an imported memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adopted {
    /// It is new here.
    Added,
    /// It replaced the one with its id.
    Replaced,
    /// One with its id is here already.
    Known,
    /// A memory with another id says the same already.
    SaidBy(MemoryId),
    /// It is here, and a memory with another id that says the same went to the trash.
    InsteadOf(MemoryId),
    /// The one with its id stays, because it was changed later, or because that cannot be told.
    NewerHere,
}

impl Adopted {
    /// Whether a memory that is here stays as it is, though one that comes in with its id is to replace it. The later
    /// change wins. A time that lies ahead of the clock here comes from a clock that cannot be compared with it.
    pub fn stays(own: &Memory, coming: &Memory, now: Timestamp) -> bool {
        let changed =
            |memory: &Memory| memory.trashed_at.map_or(memory.updated_at, |at| at.max(memory.updated_at));
        let (ours, theirs) = (changed(own), changed(coming));
        if ours == theirs {
            own.content != coming.content
        } else {
            theirs < ours || theirs > now || ours > now
        }
    }
}

/// Rows that came to a namespace together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadedRows {
    /// Memories, with everything that belongs to them.
    pub memories: Vec<MemoryId>,
    /// Journal entries.
    pub entries: Vec<EntryId>,
    /// Turns.
    pub turns: Vec<TurnId>,
    /// Sessions, by name.
    pub sessions: Vec<String>,
    /// Trajectories.
    pub trajectories: Vec<TrajectoryId>,
    /// Patterns.
    pub patterns: Vec<PatternId>,
    /// What was learned, by name, up to a number.
    pub learned: Vec<(String, u64)>,
    /// Feedback up to this number.
    pub feedback_through: u64,
    /// Weights up to this number.
    pub weights_through: u64,
}

/// What makes a memory worth keeping for longer than its layer keeps it. Either is enough.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Matters {
    /// At least so important.
    pub importance_min: f64,
    /// Used at least so often.
    pub recalls_min: u64,
}

/// What left a working memory that was full.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trimmed {
    /// What left, as it was.
    pub evicted: Vec<Memory>,
    /// What those became that matter.
    pub promoted: Vec<MemoryId>,
}

/// What became of memories that had expired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lapsed {
    /// Gone from working memory.
    pub gone: u64,
    /// Moved to the trash, from the other layers.
    pub trashed: u64,
    /// Promoted from working memory, because they matter.
    pub promoted: u64,
}

impl Lapsed {
    /// How many that were in all.
    pub fn count(&self) -> u64 {
        self.gone + self.trashed + self.promoted
    }
}

/// A memory to let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Released {
    /// Which one.
    pub id: MemoryId,
    /// The change that had last touched it when that was decided; one that was touched since stays.
    pub change: peri_types::ChangeNumber,
    /// Why.
    pub why: LetGo,
}

/// Why a memory is let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LetGo {
    /// An episode's time was over.
    Outlived {
        /// Whole days since it was stored or imported.
        age_days: u64,
    },
    /// The clean-up of long-term memory.
    CleanedUp(CleanUpReason),
}

/// A key, by which somebody is let in. Of its secret only a hash is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// What it is called by.
    pub id: KeyId,
    /// What it is for, in somebody's words. Two keys may have the same name.
    pub name: String,
    /// The hash of the whole secret.
    pub hash: [u8; 32],
    /// What it allows.
    pub role: Role,
    /// Where it allows that.
    pub scope: Scope,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked, if it was. Creating a key ignores it.
    pub revoked_at: Option<Timestamp>,
    /// About when it was last used. Creating a key ignores it.
    pub used_at: Option<Timestamp>,
}

/// That a key was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUse {
    /// Which one.
    pub id: KeyId,
    /// When last.
    pub at: Timestamp,
}

/// What a caller was answered to a request that they may send again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer {
    /// Who asked.
    pub caller: String,
    /// What the caller calls the request.
    pub key: String,
    /// A digest of what was asked: the same name for another request is a mistake.
    pub digest: [u8; 32],
    /// The answer's status.
    pub status: u16,
    /// The answer.
    pub body: Vec<u8>,
    /// When it was given.
    pub at: Timestamp,
}

impl KeptAnswer {
    /// The status of what a request came to that was made and not answered yet: written with what it changed, in words of
    /// the engine. What it is answered takes its place.
    pub const MADE: u16 = 0;
}
