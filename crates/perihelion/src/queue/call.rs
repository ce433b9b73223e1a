//! A call as it waits in the queue.

use peri_queue::Severity;
use peri_store::{StoreError, Write};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// A call as it waits in the queue: changes that are made together.
#[derive(Serialize, Deserialize)]
pub(super) struct Call {
    /// What somebody wanted.
    pub(super) operation: String,
    /// The changes.
    pub(super) writes: Vec<Write>,
}

/// As much of a call as is told of it.
#[derive(Deserialize)]
pub(super) struct Outline {
    /// What somebody wanted.
    pub(super) operation: String,
    writes: Vec<IgnoredAny>,
}

impl Outline {
    /// What a payload is about. One that cannot be read is told of all the same.
    pub(super) fn of(payload: &str) -> Self {
        let unknown = |_| Self { operation: "unknown".to_owned(), writes: Vec::new() };
        serde_json::from_str(payload).unwrap_or_else(unknown)
    }

    /// How many changes it makes.
    pub(super) fn changes(&self) -> usize {
        self.writes.len()
    }
}

/// Whether a call may wait. Not those whose answer the caller needs at once, nor those that are found out again anyway.
pub(super) fn may_wait(writes: &[Write]) -> bool {
    !writes.iter().any(|write| {
        matches!(
            write,
            // Imports go on by themselves where they were.
            Write::Import(_)
                | Write::DropImport { .. }
                | Write::DropImports { .. }
                // Nobody would ever see the secret of a key that comes later.
                | Write::CreateKey(_)
                // An answer that is kept too late is of no use.
                | Write::KeepAnswer(_)
                | Write::DropAnswers { .. }
                // Chores.
                | Write::ShipEvents { .. }
                | Write::Settle(_)
                | Write::Lapse { .. }
                | Write::Embed { .. }
                | Write::AdoptSpace { .. }
                | Write::SwitchSpace { .. }
                | Write::PutVectors { .. }
                | Write::DropVectors { .. }
        )
    })
}

/// How bad it is that a call could not be made.
pub(super) fn severity(error: &StoreError) -> Severity {
    match error {
        error if error.is_passing() => Severity::Passing,
        StoreError::ReadOnly { .. }
        | StoreError::CannotOpen { .. }
        | StoreError::Corrupt { .. }
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::Database { .. } => Severity::Unclear,
        _ => Severity::Final,
    }
}
