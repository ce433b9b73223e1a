//! What is connected: the graph that edges make of memories.
//!
//! Pure: edges go in, answers come out. [`Graph`] holds the edges of one namespace and follows their changes;
//! [`admit()`] decides which edges a memory keeps when it has too many; [`export()`] writes a graph for other
//! programs. Every answer depends on the edges alone, never on the order in which they came.
//!
//! ```
//! use peri_graph::{Graph, Walk};
//! use peri_types::{Edge, EdgeType, MemoryId, Timestamp};
//!
//! let [tea, cup, kettle] = [1, 2, 3].map(|byte| MemoryId::from_bytes([byte; 16]));
//! let edge = |source, target, weight| Edge {
//!     source,
//!     target,
//!     edge_type: EdgeType::RelatedTo,
//!     weight,
//!     created_at: Timestamp::UNIX_EPOCH,
//! };
//! let graph = Graph::from_edges([edge(tea, cup, 0.5), edge(cup, kettle, 0.5)]);
//! let steps = graph.walk(&Walk { depth_max: 2, ..Walk::from(&[tea]) });
//! assert_eq!(steps.len(), 2);
//! assert_eq!((steps[1].id, steps[1].depth, steps[1].strength), (kettle, 2, 0.25));
//! ```
#![forbid(unsafe_code)]

mod admit;
mod community;
mod component;
mod export;
mod graph;
mod level;
mod link;
mod order;
mod path;
mod rank;
mod walk;
mod wave;

pub use admit::{Admission, EdgeFault, admit, check_edge};
pub use community::Communities;
pub use export::{EdgeExport, ExportFormat, NodeExport, NodeView, export};
pub use graph::Graph;
pub use link::{Direction, EdgeTypes, Link};
pub use path::Path;
pub use rank::PageRankSettings;
pub use walk::{Step, Walk};
