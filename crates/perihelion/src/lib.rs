//! A memory engine for AI agents: it remembers what it is told, and recalls what matters to a question.
//!
//! Three types carry everything: [`Perihelion`] is an engine on a folder of data, [`Remember`] is what you
//! tell it, and [`Recall`] is what you ask. What comes back is a list of [`Hit`]s, each with the memory, a
//! score between 0 and 1, and the reasons for it; when nothing is relevant the list is empty.
//!
//! ```
//! use perihelion::{Options, Perihelion, Recall, Remember, Scope};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let engine = Perihelion::open(Options::at(folder.path()))?;
//!
//! // Remember. When the receipt comes, the memory is on the disk.
//! engine.remember(Remember::new("Ana prefers tea over coffee"))?;
//! let receipt = engine.remember(Remember::new("The staging server is called Ganymede"))?;
//!
//! // Recall, by meaning and by word.
//! let recalled = engine.recall(&Recall::new("what does Ana like to drink?"))?;
//! assert_eq!(recalled.hits[0].memory.content, "Ana prefers tea over coffee");
//!
//! // Forget: to the trash, from where it can be restored.
//! engine.forget(&Scope::All, receipt.id)?;
//! assert!(engine.recall(&Recall::new("Ganymede"))?.hits.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! Turns of a conversation are found better when the engine knows who said them and in which session:
//! [`Remember::said`]. Namespaces keep users, agents and projects apart: [`Remember::in_namespace`] and
//! [`Recall::in_scope`]. The folder may be opened by several processes at once; each sees what the others
//! wrote on its next call.
//!
//! The engine is synchronous, owns its threads, and never prints, prompts, or reads the environment. Where
//! it goes next: `examples/` for three small programs, `ARCHITECTURE.md` for how it works inside.
#![forbid(unsafe_code)]

mod access;
mod acquaintance;
mod analyses;
mod answers;
mod audit;
mod backup;
mod breaker;
mod browse;
mod chores;
mod deadlines;
mod diff;
mod disk;
mod doctor;
mod documents;
mod embeddings;
mod encryption;
mod engine;
mod entry;
mod episodes;
mod error;
#[allow(dead_code)]
mod events;
mod failures;
mod feedback;
mod forget;
mod gathered;
mod graph;
mod graph_picture;
mod graphs;
mod health;
mod history;
mod holder;
mod indexes;
mod jobs;
mod journal;
mod keys;
mod knowledge;
mod latencies;
mod layers;
mod learn;
mod migrate;
mod namespaces;
mod notes;
mod options;
mod orbits;
mod pool;
mod privacy;
mod purge;
mod queue;
mod quote;
mod rank;
mod recall;
mod redact;
mod refusals;
mod reindex;
mod relocate;
mod remember;
mod reorbit;
mod report;
mod revise;
mod sample;
mod sessions;
mod snapshots;
mod structured;
mod ties;
mod timekeeping;
mod transfer;
mod usage;
mod why;

pub use access::{Caller, Refused};
pub use answers::{Claim, NewAnswer, digest_of};
pub use browse::{DiskUse, Stats};
pub use deadlines::{Awaited, Deadlines};
pub use diff::{Difference, DifferenceKind, NamespaceDifference, NotesDifference, compare, compare_notes};
pub use doctor::{Check, Interrupted, Verdict};
pub use documents::ChangedSince;
pub use embeddings::Embeddings;
pub use encryption::{LeftAsItWas, Reencrypted, Reencryption, is_encrypted, is_unfinished, reencrypt};
pub use engine::Perihelion;
pub use episodes::SnapshotInfo;
pub use error::{Error, ErrorKind};
pub use events::{Follow, FollowFrom, LogPage, LogQuery, Subscription};
pub use feedback::{Feedback, FeedbackReceipt, LearnedWeights};
pub use forget::Seen;
pub use graph::NewEdge;
pub use graph_picture::{GraphEdge, GraphNode, GraphPicture};
pub use health::{Health, QueueHealth, SchedulerHealth, ZoneUse};
pub use history::History;
pub use jobs::Turned;
pub use journal::{
    Appended, JournalHealth, JournalSettings, JournalSummary, Kept, NewEntry, NewTurn, RecentEntries, Replay,
    Replayed, Trace, TurnReceipt, TurnUpdate, TurnWithEntries,
};
pub use keys::{ApiKey, CreatedKey, NewKey};
pub use knowledge::{
    AddObservations, DeleteObservations, EntitiesDeleted, Entity, KnowledgeAdded, KnowledgeGraph,
    ObservationsAdded, ObservationsDeleted, Relation,
};
pub use latencies::{Latencies, LatencyBucket, LatencyQuery};
pub use layers::{
    EpisodicSettings, LayerSettings, LongTermSettings, Promoted, PromotionSettings, SetWork, Swept,
    TimeToLive, Undone, WorkItem, WorkReceipt, WorkSession, WorkingSettings,
};
pub use learn::{
    Adaptation, AdapterTrial, AgentTurn, Alternative, Delegated, Distilling, LearnedInfo, LearningExported,
    LearningImported, LearningOverview, LearningSettings, NewPattern, NewTrajectory, PatternList,
    PatternMatch, PatternOutcome, PatternQuery, PatternReceipt, PatternsFound, RouteRequest, Routed,
    TrainedRouter, TrajectoryReceipt, TurnEnd, TurnsLearned, says_it_failed,
};
pub use migrate::{MigrateOptions, MigrationProgress, MigrationReport, MigrationSource};
pub use namespaces::{Deletion, MovedNamespace};
pub use notes::{
    AgentContext, BringBack, Confirmation, ContextPart, ContextRequest, ContextSettings, Delivery, Given,
    Hear, HeardOutcome, HeardReceipt, Moment, NoteView, NotesBroughtBack, NotesPlace, NotesSettings,
    NotesState, NotesStill, NotesView, Observe, PartKind, Provenance, Recallable, Said, SaidBy,
    SessionOverview, Spoken, ThinkerChoice, TurnsKept,
};
pub use options::{
    Chores, ConsolidationSettings, EngineChoice, Evaluation, EventSettings, GraphSettings, Options,
    RecallSettings, Redaction, ReportSettings, SearchSettings, SnapshotSettings, StoreChoice, Tuning,
};
pub use orbits::{
    MemoryOrbit, MoveCause, MovesQuery, OrbitMove, OrbitMoves, OrbitPart, OrbitingMemory, OrbitingZone,
    Orbits,
};
pub use peri_companion as companion;
pub use peri_embed as embed;
pub use peri_graph::{
    Communities, Direction, EdgeTypes, ExportFormat, Link, PageRankSettings, Path, Step, Walk,
};
pub use peri_learn as learning;
pub use peri_notes::HandedOut;
pub use peri_orbit::tuner::TunerSettings;
pub use peri_orbit::{Capacities, Decay, IdleTime, Least, OrbitSettings, Weights};
pub use peri_seal::{Key as EncryptionKey, KeyError, Purpose, Seal, SealError};
pub use peri_store::{
    Address, AddressError, AlertRecord, FeedbackRecord, Gained, ImportState, JournalPage, JournalQuery,
    JournalStats, JudgedResult, KeptAnswer, LearnedSet, LearningStats, ListQuery, Looked, Merge,
    MoveProgress, MoveStep, MovedNotes, MovedTable, NamespaceStats, NewAlert, Order, Page, Place, PlaceError,
    RelocateError, Relocation, Rewound, ServerKind, ServerSettings, Session, SpaceStats, Store, StoreError,
    TrajectoryPage, TrajectoryQuery, Trashed, TurnPage, TurnQuery, Upkeep, WorkerRun,
};
pub use peri_text::{gives_orders, visible};
pub use peri_tokens::count as count_tokens;
pub use peri_types::{
    Aspect, ChangeNumber, Circumstance, CleanUpReason, Clock, Context, Edge, EdgeType, EntryId, Event,
    EventKind, Facets, Filter, Fingerprint, Happening, Importance, InvalidCircumstance, InvalidId,
    InvalidImportance, InvalidKeyId, InvalidNamespace, InvalidPosition, InvalidRecordId, JournalDirection,
    JournalEntry, JournalPosition, JournalStatus, KeyId, Kind, KnowledgePart, Layer, LimitError, Limits,
    Memory, MemoryId, MoveReason, Namespace, Pattern, PatternId, PatternTerm, Priority, Role, Scope,
    Severity, SpaceId, TaskOutcome, Timestamp, Trajectory, TrajectoryId, TrajectoryStep, Turn, TurnId,
    UnknownName, Vector, Version, Zone, patience,
};
pub use purge::{Destroyed, HeldBy, StillHeld};
pub use queue::{DeadCall, QueueSettings, QueueStatus, QueuedCall, QueuedId, Queueing};
pub use quote::{ORDERS_MARK, framed, marked, quoted};
pub use rank::{Stage, Stages};
pub use recall::{Explanation, FeatureInfo, Hit, Part, Recall, Recalled, Took, UnderstoodTime, Weighed};
pub use redact::RedactedSecret;
pub use reindex::{
    OldVectors, PreparedEngine, ReindexEnding, ReindexEngine, ReindexFailure, ReindexProgress,
    ReindexRequest, Reindexed, Spaces,
};
pub use relocate::{refuse_waiting, relocate};
pub use remember::{Meaning, Outcome, Receipt, Remember};
pub use reorbit::Reorbited;
pub use report::{
    Counts, Failed, PromotedCount, RecallTimes, Report, ReportQuery, ReportedDisk, ReportedHeld, SlowRecall,
    TurnedAway,
};
pub use revise::{Revise, Revised};
pub use sample::{SampleError, SampleLoaded, SampleRemoved, SampleStatus};
pub use structured::{FactData, FactRelation, ProcedureData, fact_of, procedure_of};
pub use timekeeping::{ClockLeap, FadingAhead};
pub use transfer::{
    Effect, Ending, ExportOptions, Exported, ExportedTrash, ImportMode, ImportOptions, Imported, Pace,
    Resume, Start,
};
pub use why::{FilterCondition, StagePlace, Why, WhyReason};
