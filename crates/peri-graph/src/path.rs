//! How two memories are connected.

use peri_types::MemoryId;
use serde::Serialize;

use crate::wave::Wave;
use crate::{Direction, EdgeTypes, Graph, Link};

/// A way from one memory to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Path {
    /// The memories on the way, both ends included.
    pub nodes: Vec<MemoryId>,
    /// The edges between them, in the same order; one fewer than the memories.
    pub links: Vec<Link>,
    /// The product of the weights.
    pub strength: f64,
}

impl Graph {
    /// The way with the fewest edges and, among those, the strongest; none if there is no way or one of the
    /// two is unknown.
    ///
    /// Edges count before weights because the answer explains to a reader how two memories belong together,
    /// and each further memory in between explains less. Summing `1 / weight` instead would prefer long chains
    /// of near-duplicates, whose weights are close to 1, over one plain link.
    ///
    /// Waves spread from both ends, always the one with less to look at, until they touch.
    pub fn shortest_path(&self, from: MemoryId, to: MemoryId, direction: Direction) -> Option<Path> {
        let (start, end) = (self.number(from)?, self.number(to)?);
        if start == end {
            return Some(Path { nodes: vec![from], links: Vec::new(), strength: 1.0 });
        }
        let wave = |number, direction| Wave::new(self, [number].into_iter(), direction, EdgeTypes::ALL);
        let mut fore = wave(start, direction);
        let mut back = wave(end, direction.reversed());
        loop {
            let fore_is_next = fore.effort() <= back.effort();
            let (next, other) = if fore_is_next { (&mut fore, &back) } else { (&mut back, &fore) };
            if next.advance().is_empty() {
                return None;
            }
            if let Some((meeting, strength)) = self.best_meeting(next, other) {
                return Some(self.join(&fore, &back, meeting, strength));
            }
        }
    }

    /// Where a wave has just touched the other. Every shortest way leads through one of these memories: had
    /// the waves touched on a shorter one, it would have been noticed a level earlier.
    fn best_meeting(&self, wave: &Wave, other: &Wave) -> Option<(u32, f64)> {
        let touched = wave.outermost().iter().filter_map(|reached| {
            let met = other.find(reached.number)?;
            Some((reached.number, reached.strength * met.strength))
        });
        // The greatest wins: the strongest and, among equals, the lowest id.
        touched.max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| self.id(b.0).cmp(&self.id(a.0))))
    }

    fn join(&self, fore: &Wave, back: &Wave, meeting: u32, strength: f64) -> Path {
        let mut to_start = fore.way_back(meeting);
        to_start.reverse();
        let to_end = back.way_back(meeting);
        let numbers = to_start.iter().map(|(_, number)| *number).chain([meeting]);
        let numbers = numbers.chain(to_end.iter().map(|(_, number)| *number));
        let nodes = numbers.map(|number| self.id(number)).collect();
        let links = to_start.iter().chain(&to_end).map(|(link, _)| *link).collect();
        Path { nodes, links, strength }
    }
}
