//! The graph: edges drawn by hand, links that are found, and what both bring to a recall.

mod boost;
mod edges;
pub mod found;

use perihelion::{EdgeType, MemoryId, NewEdge, Perihelion, Scope};

/// A link as strong as one can be, which says that somebody drew it.
pub fn drawn(source: MemoryId, target: MemoryId) -> NewEdge {
    NewEdge { source, target, edge_type: EdgeType::RelatedTo, weight: 1.0 }
}

pub fn link(engine: &Perihelion, source: MemoryId, target: MemoryId) {
    assert!(engine.link(&Scope::All, &drawn(source, target)).unwrap());
}
