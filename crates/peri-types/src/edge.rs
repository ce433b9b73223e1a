//! Links between memories.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{EdgeType, MemoryId};

/// A typed, weighted link from one memory to another of the same namespace.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edge {
    /// Where it begins.
    pub source: MemoryId,
    /// Where it ends.
    pub target: MemoryId,
    /// What it says of the two.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// How strong it is, above 0 and at most 1.
    pub weight: f32,
    /// When it was drawn.
    pub created_at: Timestamp,
}
