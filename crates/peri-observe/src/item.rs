//! What is noted already.

use std::collections::BTreeSet;

use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Serialize};

use crate::finding::{FindingKind, Priority};

/// Whether an item still counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemState {
    /// It holds, or is still to be done.
    Open,
    /// It was done.
    Done,
    /// Something else holds instead.
    Superseded,
}

/// One item of the notes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Item {
    /// The id that its keeper gave it.
    pub id: String,
    /// What kind of thing it is; unknown for what people write by hand.
    pub kind: Option<FindingKind>,
    /// How much it matters.
    pub priority: Priority,
    /// What it says.
    pub text: String,
    /// When it was made.
    pub made: DateTime,
    /// The days it speaks of or was said on, as far as they are to be kept.
    pub days: BTreeSet<Date>,
    /// Whether it still counts.
    pub state: ItemState,
}
