//! Edges as the graph hands them out, and which of them a question follows.

use peri_types::{EdgeType, MemoryId};
use serde::Serialize;

/// An edge as the graph keeps it: without the time it was drawn, which the store knows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Link {
    /// Where it begins.
    pub source: MemoryId,
    /// Where it ends.
    pub target: MemoryId,
    /// What it says of the two.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// How strong it is, above 0 and at most 1.
    pub weight: f32,
}

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From source to target.
    Outgoing,
    /// From target to source.
    Incoming,
    /// Either way.
    Both,
}

impl Direction {
    /// The way back.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Outgoing => Self::Incoming,
            Self::Incoming => Self::Outgoing,
            Self::Both => Self::Both,
        }
    }
}

/// A set of edge types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeTypes(u32);

impl EdgeTypes {
    /// Every type there is.
    pub const ALL: Self = Self(u32::MAX);

    /// These types and no others.
    pub fn only(types: &[EdgeType]) -> Self {
        Self(types.iter().fold(0, |bits, edge_type| bits | bit(*edge_type)))
    }

    /// Whether the type is in the set.
    pub const fn contains(self, edge_type: EdgeType) -> bool {
        self.0 & bit(edge_type) != 0
    }
}

impl Default for EdgeTypes {
    fn default() -> Self {
        Self::ALL
    }
}

/// Codes of edge types are few and small; a set of 32 has room for many more than there are.
const fn bit(edge_type: EdgeType) -> u32 {
    1 << edge_type.code()
}
