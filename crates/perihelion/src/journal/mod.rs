//! The journal: what an agent went through, before any interpretation, and what was made of it.
//!
//! What the store cannot take is queued on this machine, and the receipt says which. What is neither stored nor queued is
//! refused: nothing is acknowledged from memory alone. The latest entries are kept in memory beside the store ([`ring`]), and both
//! are read as one.

mod append;
mod checks;
mod derive;
mod keep;
mod query;
mod replay;
mod retention;
mod ring;
mod trace;
mod turns;

use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;

pub(crate) use append::redact_entry;
pub use append::{Appended, Kept, NewEntry};
pub use query::{JournalHealth, JournalSummary, RecentEntries, TurnWithEntries};
pub use replay::{Replay, Replayed};
pub use trace::Trace;
pub(crate) use turns::redact_turn;
pub use turns::{NewTurn, TurnReceipt, TurnUpdate};

use ring::Ring;
use turns::OpenTurns;

/// How the journal is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JournalSettings {
    /// The latest so many entries are kept in memory too, for when the store cannot be read.
    pub ring: usize,
    /// Entries and turns are kept for so long; zero means for good.
    pub retention: Duration,
}

impl Default for JournalSettings {
    fn default() -> Self {
        Self { ring: 1000, retention: Duration::from_secs(90 * 24 * 60 * 60) }
    }
}

/// What the engine keeps of the journal in memory.
pub(crate) struct Journal {
    pub(crate) ring: Mutex<Ring>,
    turns: Mutex<OpenTurns>,
}

impl Journal {
    pub(crate) fn new(settings: &JournalSettings) -> Self {
        Self { ring: Mutex::new(Ring::new(settings.ring)), turns: Mutex::default() }
    }
}
