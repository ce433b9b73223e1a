//! What can be reached from some memories, and how strongly.

use peri_types::MemoryId;
use serde::Serialize;

use crate::wave::Wave;
use crate::{Direction, EdgeTypes, Graph, Link};

/// Where to walk. [`Walk::from`] gives the defaults: either way, to depth 1, 100 steps, every type.
#[derive(Debug, Clone, Copy)]
pub struct Walk<'ids> {
    /// Where to begin. Those that the graph does not know are passed over.
    pub starts: &'ids [MemoryId],
    /// Which way edges are followed.
    pub direction: Direction,
    /// How many edges away a memory may be.
    pub depth_max: usize,
    /// How many steps to return at most.
    pub limit: usize,
    /// Which edges are followed.
    pub types: EdgeTypes,
}

impl<'ids> Walk<'ids> {
    /// A walk from these memories with every other setting at its default.
    pub fn from(starts: &'ids [MemoryId]) -> Self {
        Self { starts, direction: Direction::Both, depth_max: 1, limit: 100, types: EdgeTypes::ALL }
    }
}

/// A memory that a walk came to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// The memory.
    pub id: MemoryId,
    /// How many edges it is away from the nearest start.
    pub depth: usize,
    /// The last edge on the strongest of the shortest ways to it.
    pub via: Link,
    /// The product of the weights on that way.
    pub strength: f64,
}

impl Graph {
    /// Walks outward from the starts, breadth first.
    ///
    /// Each memory is met once, at its least depth, and the starts are left out. The nearest come first, then
    /// the strongest, then the lowest id; a limit cuts that order and changes nothing before the cut.
    pub fn walk(&self, walk: &Walk) -> Vec<Step> {
        let starts = walk.starts.iter().filter_map(|id| self.number(*id));
        let mut wave = Wave::new(self, starts, walk.direction, walk.types);
        let mut steps: Vec<Step> = Vec::new();
        for depth in 1..=walk.depth_max {
            if steps.len() >= walk.limit || wave.advance().is_empty() {
                break;
            }
            let begin = steps.len();
            steps.extend(wave.outermost().iter().filter_map(|reached| {
                let via = wave.last_link(reached)?;
                Some(Step { id: self.id(reached.number), depth, via, strength: reached.strength })
            }));
            steps[begin..]
                .sort_unstable_by(|a, b| b.strength.total_cmp(&a.strength).then_with(|| a.id.cmp(&b.id)));
        }
        steps.truncate(walk.limit);
        steps
    }
}
