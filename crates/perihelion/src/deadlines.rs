//! How long whoever asks waits for others.
//!
//! Interfaces say of each request what sort it is, and the engine's own verbs say so too, for programs that embed it. The
//! shortest of what is said holds.

use std::time::Duration;

use peri_types::patience;

use crate::engine::{Core, Perihelion};

/// How long whoever asks waits for others: for another process that writes, for a server that holds the memories, for one
/// that embeds. What takes long because there is much to do is not cut short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// For an answer. Then it is given without what did not answer, and says so.
    pub read: Duration,
    /// For something to be kept. Then it waits on this machine until it can be made.
    pub write: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { read: Duration::from_secs(2), write: Duration::from_secs(1) }
    }
}

/// For what somebody waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// For an answer.
    Answer,
    /// For something to be kept.
    Receipt,
    /// For work that a person started, such as an import or a backup: for as long as it takes.
    Work,
}

impl Deadlines {
    /// How long is waited; none if for as long as it takes.
    pub fn of(self, awaited: Awaited) -> Option<Duration> {
        match awaited {
            Awaited::Answer => Some(self.read),
            Awaited::Receipt => Some(self.write),
            Awaited::Work => None,
        }
    }

    /// Does some work for which somebody waits.
    pub fn hold<T>(self, awaited: Awaited, work: impl FnOnce() -> T) -> T {
        match self.of(awaited) {
            Some(limit) => patience::within(limit, work),
            None => work(),
        }
    }

    /// Bounds all that this thread does from now on: for programs that do one thing and leave.
    pub fn begin(self, awaited: Awaited) {
        if let Some(limit) = self.of(awaited) {
            patience::from_now_on(limit);
        }
    }
}

impl Perihelion {
    /// Does some work with the engine for which somebody waits.
    pub fn awaited<T>(&self, awaited: Awaited, work: impl FnOnce() -> T) -> T {
        self.core.awaited(awaited, work)
    }
}

impl Core {
    /// Does some work for which somebody waits.
    pub(crate) fn awaited<T>(&self, awaited: Awaited, work: impl FnOnce() -> T) -> T {
        self.options.deadlines.hold(awaited, work)
    }
}
