//! Which edges a memory keeps when it may have only so many.

use std::cmp::Ordering;

use peri_types::Edge;

/// What is wrong with an edge. The caller should mend it; nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum EdgeFault {
    /// Source and target are the same memory.
    #[error("a memory cannot be linked to itself")]
    SelfLink,
    /// The weight is not a number above 0 and at most 1.
    #[error("the weight {weight} is not above 0 and at most 1")]
    Weight {
        /// What was given.
        weight: f32,
    },
}

/// What becomes of an edge that is to be added to a memory's outgoing ones.
#[derive(Debug, Clone, PartialEq)]
pub enum Admission {
    /// It cannot be an edge at all. Nothing changes.
    Refused(EdgeFault),
    /// It takes the place of the edge with the same source, type and target. Nobody else leaves.
    Replaces(Edge),
    /// It is added, and these leave to make room: none, unless the memory was full.
    Added {
        /// The lightest, the first to leave in front.
        evicted: Vec<Edge>,
    },
    /// The memory is full, and the new edge would be the first to leave. Nothing changes.
    TooLight,
}

/// Whether an edge may be stored: no link of a memory to itself, and a weight above 0 and at most 1.
pub fn check_edge(edge: &Edge) -> Result<(), EdgeFault> {
    if edge.source == edge.target {
        return Err(EdgeFault::SelfLink);
    }
    // Written so that a weight that is not a number fails.
    let sound = edge.weight > 0.0 && edge.weight <= 1.0;
    if sound { Ok(()) } else { Err(EdgeFault::Weight { weight: edge.weight }) }
}

/// Decides on a new edge, given those that leave the same source and how many it may have.
///
/// The heaviest stay. Among equally heavy ones the oldest leaves first, then the one with the higher target.
/// Edges of other sources do not count. A memory that already has too many, because the limit was lowered,
/// loses the surplus when the next edge is really added, and not before.
pub fn admit(existing: &[Edge], new: Edge, max: usize) -> Admission {
    if let Err(fault) = check_edge(&new) {
        return Admission::Refused(fault);
    }
    let mut own: Vec<Edge> = existing.iter().filter(|edge| edge.source == new.source).copied().collect();
    let is_same = |edge: &Edge| (edge.target, edge.edge_type) == (new.target, new.edge_type);
    if let Some(at) = own.iter().position(is_same) {
        return Admission::Replaces(own.swap_remove(at));
    }
    let surplus = (own.len() + 1).saturating_sub(max);
    let lesser = own.iter().filter(|edge| leaving_order(edge, &new).is_lt()).count();
    if lesser < surplus {
        return Admission::TooLight;
    }
    own.sort_unstable_by(leaving_order);
    own.truncate(surplus);
    Admission::Added { evicted: own }
}

/// Those that leave first are the least. The type makes the order total.
fn leaving_order(a: &Edge, b: &Edge) -> Ordering {
    a.weight
        .total_cmp(&b.weight)
        .then_with(|| a.created_at.cmp(&b.created_at))
        .then_with(|| b.target.cmp(&a.target))
        .then_with(|| b.edge_type.cmp(&a.edge_type))
}
