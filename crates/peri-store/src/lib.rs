//! Where memories are kept: the durable truth behind every index, face and chore.
//!
//! [`Store`] is what the engine asks of a backend. Its operations are coarse, so that each is one
//! transaction and, on a server, one round trip; every key begins with the namespace, so that a backend
//! may shard by it. [`SqliteStore`] is the embedded backend: one file, any number of processes.
//!
//! The store knows nothing of words, meaning or ranking. It hands out [`Change`]s in the order they were
//! committed, and whoever keeps an index follows them.
//!
//! [`StoreShelf`] keeps the notes of conversations in the same database, for [`peri_notes`].
#![forbid(unsafe_code)]

mod api;
mod error;
mod imports;
mod journal;
mod learning;
mod notes;
mod records;
mod relocate;
mod search;
mod server;
mod sql;
mod sqlite;
mod vectors;
mod writes;

pub use api::{
    Asked, Change, EdgeKey, ListQuery, NamespaceStats, Order, Page, Problem, Store, Trashed, Upkeep, Usage,
};
pub use error::StoreError;
pub use imports::{ImportNote, ImportPart, ImportState};
pub use journal::{JournalPage, JournalQuery, JournalStats, TurnPage, TurnQuery};
pub use learning::{
    AlertRecord, Distilled, LearnedMark, LearnedSet, LearningStats, Looked, NewAlert, PatternRow,
    TrajectoryPage, TrajectoryQuery, WholePattern, WorkerRun,
};
pub use notes::{NotesCommit, StoreShelf};
pub use records::{
    Adopted, BodyView, ClockRecord, CurrentSpace, EdgeChanges, EventPage, Faded, Fading, FeedbackRecord,
    Gained, JudgedResult, KeptAnswer, KeyRecord, KeyUse, Lapsed, LateVector, Lease, LetGo, LoadedRows,
    Matters, Merge, Missing, OnConflict, OrbitBody, OrbitState, OrbitView, PendingUse, Released, Rewound,
    Session, Settled, Settlement, SourceEdges, SpaceStats, Told, Trimmed, WeightSet, WholeMemory, ZoneMove,
};
pub use relocate::{
    AllNotes, CarriedNotes, CarryNotes, KeptNote, MoveProgress, MoveStep, MovedNotes, MovedTable, Place,
    PlaceError, RelocateError, Relocation, relocate, relocate_with,
};
pub use search::{
    Conversation, Document, Feed, Found, Known, KnownTerm, Numbered, Occurrences, Readiness, Reading,
    SearchFilter, SearchRecipe, SearchState, Searcher, Terms, Totals, Wanted, Words,
};
pub use server::{Address, AddressError, ServerKind, ServerSettings, ServerStore};
pub use sqlite::{
    CopyInterrupt, HeldAlone, Part, PartDifference, Ready, Rekeyed, Rekeying, Replaced, Replacement,
    SqliteSettings, SqliteStore, StoreCopy, StoreCounts, StoreFacts, hold_alone, is_hinted_encrypted,
    lies_plain, rekey, settings_for_copy,
};
pub use writes::{Embedding, GIVEN_ID, IdOrigin, Links, NewMemory, Revision, Write, Written};
