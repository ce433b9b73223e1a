//! The graph against naive models of what it should answer.
#![allow(clippy::unwrap_used)]

mod admit;
mod community;
mod export;
mod follow;
mod path;
mod rank;
mod walk;
mod xml;

use peri_types::{Edge, EdgeType, MemoryId, Timestamp};
use proptest::prelude::*;

/// The memory with this number. Ids sort otherwise than numbers, so that no test passes by confusing them.
pub(crate) fn id(number: u8) -> MemoryId {
    MemoryId::from_bytes([number.reverse_bits(); 16])
}

pub(crate) fn link(source: u8, target: u8, edge_type: EdgeType, weight: f32) -> Edge {
    let created_at = Timestamp::UNIX_EPOCH;
    Edge { source: id(source), target: id(target), edge_type, weight, created_at }
}

pub(crate) fn related(source: u8, target: u8, weight: f32) -> Edge {
    link(source, target, EdgeType::RelatedTo, weight)
}

pub(crate) fn any_type() -> impl Strategy<Value = EdgeType> {
    proptest::sample::select(EdgeType::ALL)
}

/// Few different weights, so that ties are common.
pub(crate) fn any_weight() -> impl Strategy<Value = f32> {
    proptest::sample::select(&[0.1_f32, 0.25, 0.5, 0.7, 1.0])
}

/// Edges among the first so many memories: with cycles, repetitions and links of a memory to itself.
pub(crate) fn any_edges(memories: u8, most: usize) -> impl Strategy<Value = Vec<Edge>> {
    let edge = (0..memories, 0..memories, any_type(), any_weight());
    prop::collection::vec(edge.prop_map(|(a, b, edge_type, weight)| link(a, b, edge_type, weight)), 0..most)
}

/// A small generator for tests that need many numbers from one seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}
