//! What Perihelion talks about: memories, namespaces, ids, vectors, time and limits.
//!
//! No I/O happens here. Every other crate speaks in these types, and parsing text into them is the
//! only place where a bad value can be noticed: whoever holds a [`Namespace`] holds a valid one.
#![forbid(unsafe_code)]

mod clock;
mod context;
mod day_in_use;
mod document;
mod edge;
mod enums;
mod event;
mod filter;
mod id;
mod journal;
mod key;
mod knowledge;
mod learning;
mod limits;
mod memory;
mod namespace;
pub mod patience;
mod priority;
mod record_id;
#[cfg(feature = "schema")]
mod schema;
mod vector;

pub use clock::{Clock, Uptime};
pub use context::{Aspect, Circumstance, Context, InvalidCircumstance};
pub use day_in_use::DayInUse;
pub use edge::Edge;
pub use enums::{
    EdgeType, JournalDirection, JournalStatus, Kind, Layer, PatternTerm, Role, Severity, TaskOutcome,
    UnknownName, Zone,
};
pub use event::{CleanUpReason, Event, EventKind, Happening, MoveReason, without_question};
pub use filter::Filter;
pub use id::{ChangeNumber, Fingerprint, InvalidId, MemoryId};
pub use jiff::Timestamp;
pub use journal::{EntryId, InvalidPosition, JournalEntry, JournalPosition, Turn, TurnId, folded_words};
pub use key::{InvalidKeyId, KeyId};
pub use knowledge::KnowledgePart;
pub use learning::{Pattern, PatternId, Trajectory, TrajectoryId, TrajectoryStep};
pub use limits::{LimitError, Limits};
pub use memory::{Facets, Importance, InvalidImportance, Memory, TrashedBy, Version};
pub use namespace::{InvalidNamespace, Namespace, Scope};
pub use priority::Priority;
pub use record_id::InvalidRecordId;
pub use vector::{SpaceId, Vector};
