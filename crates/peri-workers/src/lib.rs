//! Background workers: twelve jobs that look after a memory store and, where one is configured, a workspace of code.
//!
//! Each is one line of a table ([`TABLE`]) and one file in `work/`. A [`WorkerManager`] runs them by hand, all of them
//! by priority, or as they become due ([`Service`]); of one kind there is only ever one at work, in all processes and on
//! all nodes of a store. What a run came to and what it found is kept in the store.
//!
//! A worker that lacks what it needs says so and is *unavailable*; none makes up an outcome. Whatever a worker changes
//! it changes in whole steps, so that one that is killed leaves nothing half done and the next run goes on.
#![forbid(unsafe_code)]

mod dispatch;
mod job;
mod kind;
mod load;
mod pause;
mod run;
mod schedule;
mod service;
mod settings;
mod status;
mod work;

pub use dispatch::WorkerManager;
pub use job::{Findings, Job, Trigger, Trouble};
pub use kind::{Line, TABLE, WorkerKind, WorkerPriority};
pub use load::Load;
pub use pause::rest_after;
pub use run::{RunStatus, WorkerReport};
pub use schedule::{due_at, first_due_at};
pub use service::Service;
pub use settings::{WorkerConfig, WorkersSettings};
pub use status::{Running, WorkerStatus, WorkersStatus};
