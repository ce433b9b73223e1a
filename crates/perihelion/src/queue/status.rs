//! What waits, for people and faces: the list, and what can be done about it.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use peri_queue::{DeadLetter, QueueError, Record, RecordId, Stats};
use peri_types::{LimitError, Limits, Timestamp};
use serde::Serialize;

use super::WriteQueue;
use super::call::Outline;
use crate::Error;
use crate::engine::Perihelion;

/// What waits on this machine for the store, of all processes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueueStatus {
    /// Calls that wait.
    pub depth: u64,
    /// Bytes that they take on the disk.
    pub bytes: u64,
    /// When the first of them was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_at: Option<Timestamp>,
    /// Calls that were given up and wait for somebody to decide.
    pub dead: u64,
    /// Records that could not be read and were put aside.
    pub damaged: u64,
    /// How often the first one was tried.
    pub attempts: u32,
    /// When the first one is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_try: Option<Timestamp>,
    /// Why it could not be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Calls that this process made out of the queue since it began.
    pub replayed: u64,
    /// Whether the disk that the queue lies on has no room: what the store cannot take is then refused as not kept.
    pub disk_full: bool,
    /// Why this process could not write the queue's files last; none once it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// A call that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueuedCall {
    /// What it is called by.
    pub id: RecordId,
    /// When it was made.
    pub at: Timestamp,
    /// What somebody wanted.
    pub operation: String,
    /// How many changes it makes.
    pub changes: usize,
    /// How often it was tried.
    pub attempts: u32,
    /// Why that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When it is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_try: Option<Timestamp>,
}

/// A call that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeadCall {
    /// What it is called by.
    pub id: RecordId,
    /// When it was made.
    pub at: Timestamp,
    /// What somebody wanted.
    pub operation: String,
    /// How many changes it would have made.
    pub changes: usize,
    /// How often it was tried.
    pub attempts: u32,
    /// Why it was given up.
    pub reason: String,
    /// When.
    pub died_at: Timestamp,
}

impl From<Record> for QueuedCall {
    fn from(record: Record) -> Self {
        let Record { id, at, payload, attempts, last_error, next_try, .. } = record;
        let outline = Outline::of(&payload);
        let changes = outline.changes();
        Self { id, at, operation: outline.operation, changes, attempts, last_error, next_try }
    }
}

impl From<DeadLetter> for DeadCall {
    fn from(letter: DeadLetter) -> Self {
        let DeadLetter { id, at, payload, attempts, reason, died_at, .. } = letter;
        let outline = Outline::of(&payload);
        let changes = outline.changes();
        Self { id, at, operation: outline.operation, changes, attempts, reason, died_at }
    }
}

impl Perihelion {
    /// What waits on this machine for the store, in figures.
    pub fn queue_status(&self) -> Result<QueueStatus, Error> {
        let Some(queue) = &self.core.queue else { return Ok(QueueStatus::default()) };
        queue.status()
    }

    /// The first so many calls that wait, in the order they will be made, whichever process they come from.
    pub fn queued(&self, limit: usize) -> Result<Vec<QueuedCall>, Error> {
        check_limit(&self.core.options.limits, limit)?;
        let Some(queue) = &self.core.queue else { return Ok(Vec::new()) };
        Ok(queue.look(limit)?.0.into_iter().map(QueuedCall::from).collect())
    }

    /// The first so many calls that were given up.
    pub fn dead_calls(&self, limit: usize) -> Result<Vec<DeadCall>, Error> {
        check_limit(&self.core.options.limits, limit)?;
        let Some(queue) = &self.core.queue else { return Ok(Vec::new()) };
        Ok(queue.look(limit)?.1.into_iter().map(DeadCall::from).collect())
    }

    /// Tries what waits at once, together with what was given up: all of it, or the one of this id. How many calls that
    /// were given up wait again.
    pub fn replay_queue(&self, dead: Option<RecordId>) -> Result<u64, Error> {
        let Some(queue) = &self.core.queue else { return Ok(0) };
        queue.adopt();
        let count = match dead {
            Some(id) => queue.queues.replay(id).map(|()| 1)?,
            None => queue.queues.replay_all()?,
        };
        queue.try_now();
        self.core.look_after_queue();
        Ok(count)
    }

    /// Drops a call that waits or was given up. What it would have changed stays as it is.
    pub fn drop_queued(&self, id: RecordId) -> Result<(), Error> {
        let queue = self.core.queue.as_ref().ok_or(QueueError::NoRecord { id })?;
        queue.adopt();
        Ok(queue.queues.drop_one(id)?)
    }

    /// Drops every call that was given up. How many those were.
    pub fn drop_dead_calls(&self) -> Result<u64, Error> {
        let Some(queue) = &self.core.queue else { return Ok(0) };
        queue.adopt();
        Ok(queue.queues.drop_dead()?)
    }

    /// Drops every call that waits. How many those were.
    pub fn drop_all_queued(&self) -> Result<u64, Error> {
        let Some(queue) = &self.core.queue else { return Ok(0) };
        queue.adopt();
        Ok(queue.queues.drop_waiting()?)
    }
}

/// A list of nothing is a mistake, and a longer one than is allowed is too.
fn check_limit(limits: &Limits, limit: usize) -> Result<(), Error> {
    if limit == 0 {
        return Err(LimitError::Empty { what: "limit" }.into());
    }
    Ok(limits.check_results(limit)?)
}

impl WriteQueue {
    /// What all processes let wait, in figures.
    pub(crate) fn status(&self) -> Result<QueueStatus, Error> {
        let Stats { depth, bytes, oldest_at, dead, damaged, attempts, next_try, last_error, trouble } =
            self.look(1)?.2;
        let is_full = crate::disk::is_full(self.queues.root());
        Ok(QueueStatus {
            depth,
            bytes,
            oldest_at,
            dead,
            damaged,
            attempts,
            next_try,
            last_error,
            replayed: self.replayed.load(Ordering::Relaxed),
            disk_full: is_full.unwrap_or_else(|| trouble.as_ref().is_some_and(QueueError::is_full)),
            trouble: trouble.map(|trouble| trouble.to_string()),
        })
    }

    pub(crate) fn look(&self, limit: usize) -> Result<(Vec<Record>, Vec<DeadLetter>, Stats), Error> {
        let (mut records, mut letters, stats) = self.queues.look(limit)?;
        // What does not open is told of as unknown.
        for record in &mut records {
            if let Ok(Cow::Owned(opened)) = self.opened(&record.payload) {
                record.payload = opened.into();
            }
        }
        for letter in &mut letters {
            if let Ok(Cow::Owned(opened)) = self.opened(&letter.payload) {
                letter.payload = opened;
            }
        }
        Ok((records, letters, stats))
    }

    /// Drops the calls that were given up whose payload says something. `false`: another process holds one of them.
    pub(crate) fn drop_dead_that(&self, says: impl Fn(&str) -> bool) -> Result<bool, Error> {
        let letters = self.look(usize::MAX >> 1)?.1;
        let mut all = true;
        for letter in letters.into_iter().filter(|letter| says(&letter.payload)) {
            match self.queues.drop_one(letter.id) {
                Ok(()) | Err(peri_queue::QueueError::NoRecord { .. }) => {}
                Err(peri_queue::QueueError::HeldElsewhere { .. }) => all = false,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(all)
    }

    /// Lets what waits be tried at once.
    fn try_now(self: &std::sync::Arc<Self>) {
        self.queues.hurry();
        self.circuit.hurry();
        self.wake();
    }
}
