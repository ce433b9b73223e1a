//! What a queue holds.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use jiff::Timestamp;
use peri_types::{InvalidId, MemoryId};
use serde::{Deserialize, Serialize};

use crate::QueueError;

/// What tells a record from every other one, wherever it is delivered: a UUID of version 7, so that ids sort by the time
/// they were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transparent, inline))]
#[serde(transparent)]
pub struct RecordId(MemoryId);

impl RecordId {
    /// A fresh id.
    pub fn generate(now: Timestamp) -> Self {
        Self(MemoryId::generate(now))
    }

    /// Its sixteen bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// The id with these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(MemoryId::from_bytes(bytes))
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RecordId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        text.parse().map(Self)
    }
}

/// No queue ever counts further. What claims to is not what was written.
pub(crate) const NUMBER_MAX: u64 = u64::MAX / 2;

/// Something that waits to be delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its place in its queue.
    pub number: u64,
    /// What tells it from every other one.
    pub id: RecordId,
    /// When it was pushed.
    pub at: Timestamp,
    /// What is to be delivered.
    pub payload: Arc<str>,
    /// How often that was tried.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it is tried again; at once if there is none.
    pub next_try: Option<Timestamp>,
    /// Bytes that it takes in its file.
    pub(crate) bytes: u64,
    /// The number of the dead letter that it was.
    pub(crate) again: Option<u64>,
}

/// Something that could not be delivered and will not be tried again unless somebody says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetter {
    /// Its place in its queue.
    pub number: u64,
    /// What tells it from every other one.
    pub id: RecordId,
    /// When it was pushed.
    pub at: Timestamp,
    /// What was to be delivered.
    pub payload: String,
    /// How often that was tried.
    pub attempts: u32,
    /// Why it was given up.
    pub reason: String,
    /// When.
    pub died_at: Timestamp,
}

/// What a queue holds, in figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Records that wait.
    pub depth: u64,
    /// Bytes that they take on the disk.
    pub bytes: u64,
    /// When the first of them was pushed.
    pub oldest_at: Option<Timestamp>,
    /// Dead letters.
    pub dead: u64,
    /// Lines that could not be read and were put aside.
    pub damaged: u64,
    /// How often the first one was tried.
    pub attempts: u32,
    /// When the first one is tried again.
    pub next_try: Option<Timestamp>,
    /// Why it could not be delivered.
    pub last_error: Option<String>,
    /// Why this process could not write the queue's files last; none once it can.
    pub trouble: Option<QueueError>,
}

impl Stats {
    /// Adds the figures of a queue whose turn comes later.
    pub(crate) fn add(&mut self, later: Self) {
        let first = self.depth == 0 && later.depth > 0;
        self.depth += later.depth;
        self.bytes += later.bytes;
        self.dead += later.dead;
        self.damaged += later.damaged;
        self.trouble = self.trouble.take().or(later.trouble);
        self.oldest_at = match (self.oldest_at, later.oldest_at) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        if first {
            (self.attempts, self.next_try, self.last_error) =
                (later.attempts, later.next_try, later.last_error);
        }
    }
}
