//! What waits on this machine until the store can be reached again.
//!
//! A [`Queues`] is a folder in which each process has a [`Queue`] of its own, under a file lock. What was pushed is on
//! the disk when [`Queue::push`] returns, is handed out strictly in the order it was pushed, and leaves only when it is
//! done, dropped, or put among the dead letters with the reason. Queues of processes that are gone are taken over.
//!
//! Payloads are opaque texts. The crate knows neither stores nor memories; whoever delivers a payload twice after a
//! crash must be able to tell by its [`RecordId`].
#![forbid(unsafe_code)]

mod backoff;
mod dead;
mod error;
mod files;
mod line;
mod look;
mod marks;
mod queue;
mod queues;
mod record;
mod segment;
mod settings;
mod window;

pub use backoff::Backoff;
pub use error::QueueError;
pub use queue::{Failure, Fate, Queue, Severity};
pub use queues::Queues;
pub use record::{DeadLetter, Record, RecordId, Stats};
pub use settings::QueueSettings;
