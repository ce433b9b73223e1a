//! The graph: small lists of links per memory, in both directions.
//!
//! Lists of their own, rather than one frozen array, because each write to the store changes the outgoing
//! edges of a few memories and the graph has to follow at once.

use std::collections::HashMap;
use std::mem::size_of;

use peri_types::{Edge, EdgeType, MemoryId};

use crate::admit::check_edge;
use crate::{Direction, EdgeTypes, Link};

/// The edges of a namespace, ready to be followed from either end.
///
/// It holds only edges that [`check_edge`] accepts, and of several with the same source, type and target the last
/// one given. Others are left out.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    numbers: HashMap<MemoryId, u32>,
    nodes: Vec<Node>,
    /// Numbers of memories that were removed, for the next ones that come.
    free: Vec<u32>,
    edges: usize,
}

#[derive(Debug, Clone)]
struct Node {
    id: MemoryId,
    /// Sorted by the other end's number and the type.
    outgoing: Vec<Half>,
    incoming: Vec<Half>,
}

/// One end's half of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Half {
    pub(crate) other: u32,
    pub(crate) weight: f32,
    pub(crate) edge_type: EdgeType,
}

impl Half {
    fn key(&self) -> (u32, EdgeType) {
        (self.other, self.edge_type)
    }

    fn seen_from(self, other: u32) -> Self {
        Self { other, ..self }
    }
}

/// Whether an edge is met at its source or at its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    Along,
    Against,
}

impl Graph {
    /// The graph that these edges make.
    pub fn from_edges(edges: impl IntoIterator<Item = Edge>) -> Self {
        Self::build([], edges)
    }

    /// The graph of these memories, linked or not, and these edges. Ends of edges need not be named again.
    pub fn build(
        memories: impl IntoIterator<Item = MemoryId>,
        edges: impl IntoIterator<Item = Edge>,
    ) -> Self {
        let mut graph = Self::default();
        memories.into_iter().for_each(|id| graph.add(id));
        let halves: Vec<(u32, Half)> = edges
            .into_iter()
            .filter(|edge| check_edge(edge).is_ok())
            .map(|edge| graph.halve(&edge))
            .collect();
        let counts = count_by(graph.nodes.len(), halves.iter().map(|(source, _)| *source));
        for (node, count) in graph.nodes.iter_mut().zip(counts) {
            node.outgoing.reserve_exact(count);
        }
        for (source, half) in halves {
            graph.nodes[source as usize].outgoing.push(half);
        }
        for node in &mut graph.nodes {
            keep_last_of_each(&mut node.outgoing);
            graph.edges += node.outgoing.len();
        }
        graph.mirror();
        graph
    }

    /// Fills the incoming lists from the outgoing ones. Counting first keeps the lists as short as they can be.
    fn mirror(&mut self) {
        let targets = self.nodes.iter().flat_map(|node| &node.outgoing).map(|half| half.other);
        let counts = count_by(self.nodes.len(), targets);
        for (node, count) in self.nodes.iter_mut().zip(counts) {
            node.incoming.reserve_exact(count);
        }
        for number in 0..self.nodes.len() {
            for at in 0..self.nodes[number].outgoing.len() {
                let half = self.nodes[number].outgoing[at];
                self.nodes[half.other as usize].incoming.push(half.seen_from(number as u32));
            }
        }
    }

    /// Adds a memory that may have no edges yet.
    pub fn add(&mut self, id: MemoryId) {
        self.number_or_add(id);
    }

    /// Replaces the outgoing edges of a memory. Edges that begin elsewhere are left out.
    pub fn set_outgoing(&mut self, source: MemoryId, edges: &[Edge]) {
        let number = self.number_or_add(source);
        let own = edges.iter().filter(|edge| edge.source == source && check_edge(edge).is_ok());
        let mut wanted: Vec<Half> = own.map(|edge| self.halve(edge).1).collect();
        keep_last_of_each(&mut wanted);
        wanted.shrink_to_fit();
        let former = std::mem::take(&mut self.nodes[number as usize].outgoing);
        // A memory that many point to has a long list of incoming edges; what stays as it was is not looked for.
        for half in former.iter().filter(|half| !holds(&wanted, half)) {
            remove_half(&mut self.nodes[half.other as usize].incoming, number, half.edge_type);
        }
        for half in wanted.iter().filter(|half| !holds(&former, half)) {
            self.nodes[half.other as usize].incoming.push(half.seen_from(number));
        }
        self.edges = self.edges - former.len() + wanted.len();
        self.nodes[number as usize].outgoing = wanted;
    }

    /// Drops a memory with its edges in both directions. Says whether it was there.
    pub fn remove(&mut self, id: MemoryId) -> bool {
        let Some(number) = self.numbers.remove(&id) else { return false };
        let outgoing = std::mem::take(&mut self.nodes[number as usize].outgoing);
        let incoming = std::mem::take(&mut self.nodes[number as usize].incoming);
        for half in &outgoing {
            remove_half(&mut self.nodes[half.other as usize].incoming, number, half.edge_type);
        }
        for half in &incoming {
            // In order, because outgoing lists are kept sorted.
            self.nodes[half.other as usize].outgoing.retain(|link| link.other != number);
        }
        self.edges -= outgoing.len() + incoming.len();
        self.free.push(number);
        true
    }

    /// Whether the memory is in the graph.
    pub fn contains(&self, id: MemoryId) -> bool {
        self.numbers.contains_key(&id)
    }

    /// How many memories it holds.
    pub fn node_count(&self) -> usize {
        self.numbers.len()
    }

    /// How many edges it holds.
    pub fn edge_count(&self) -> usize {
        self.edges
    }

    /// How many edges a memory has in a direction.
    pub fn degree(&self, id: MemoryId, direction: Direction) -> usize {
        self.number(id).map_or(0, |number| self.around(number, direction).count())
    }

    /// The edges of a memory, the heaviest first; then by source, target and type.
    pub fn links(&self, id: MemoryId, direction: Direction, types: EdgeTypes) -> Vec<Link> {
        let Some(number) = self.number(id) else { return Vec::new() };
        let around = self.around(number, direction).filter(|(_, half)| types.contains(half.edge_type));
        let mut links: Vec<Link> = around.map(|(way, half)| self.link(number, way, half)).collect();
        links.sort_unstable_by(|a, b| {
            let key = |link: &Link| (link.source, link.target, link.edge_type);
            b.weight.total_cmp(&a.weight).then_with(|| key(a).cmp(&key(b)))
        });
        links
    }

    /// Bytes on the heap, counted from the capacities of its lists. The hash table's share is estimated.
    pub fn memory_bytes(&self) -> usize {
        let entry = size_of::<(MemoryId, u32)>() + 1;
        let halves = |node: &Node| node.outgoing.capacity() + node.incoming.capacity();
        self.numbers.capacity() * 8 / 7 * entry
            + self.nodes.capacity() * size_of::<Node>()
            + self.free.capacity() * size_of::<u32>()
            + self.nodes.iter().map(halves).sum::<usize>() * size_of::<Half>()
    }

    pub(crate) fn number(&self, id: MemoryId) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    pub(crate) fn id(&self, number: u32) -> MemoryId {
        self.nodes[number as usize].id
    }

    /// One more than the highest number in use.
    pub(crate) fn numbers_end(&self) -> usize {
        self.nodes.len()
    }

    /// Every memory with its number, in no order.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (MemoryId, u32)> {
        self.numbers.iter().map(|(id, number)| (*id, *number))
    }

    pub(crate) fn around(&self, number: u32, direction: Direction) -> impl Iterator<Item = (Way, Half)> {
        let node = &self.nodes[number as usize];
        let (outgoing, incoming): (&[Half], &[Half]) = match direction {
            Direction::Outgoing => (&node.outgoing, &[]),
            Direction::Incoming => (&[], &node.incoming),
            Direction::Both => (&node.outgoing, &node.incoming),
        };
        let along = outgoing.iter().map(|half| (Way::Along, *half));
        along.chain(incoming.iter().map(|half| (Way::Against, *half)))
    }

    /// The edge of which a memory sees this half.
    pub(crate) fn link(&self, seer: u32, way: Way, half: Half) -> Link {
        let (source, target) = match way {
            Way::Along => (seer, half.other),
            Way::Against => (half.other, seer),
        };
        Link {
            source: self.id(source),
            target: self.id(target),
            edge_type: half.edge_type,
            weight: half.weight,
        }
    }

    fn number_or_add(&mut self, id: MemoryId) -> u32 {
        *self.numbers.entry(id).or_insert_with(|| {
            let node = Node { id, outgoing: Vec::new(), incoming: Vec::new() };
            if let Some(number) = self.free.pop() {
                self.nodes[number as usize] = node;
                return number;
            }
            let number = u32::try_from(self.nodes.len()).expect("a namespace has fewer than 2^32 memories");
            self.nodes.push(node);
            number
        })
    }

    /// The source's number and its half of the edge.
    fn halve(&mut self, edge: &Edge) -> (u32, Half) {
        let source = self.number_or_add(edge.source);
        let other = self.number_or_add(edge.target);
        (source, Half { other, weight: edge.weight, edge_type: edge.edge_type })
    }
}

/// How often each number below `end` occurs.
fn count_by(end: usize, numbers: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut counts = vec![0; end];
    numbers.for_each(|number| counts[number as usize] += 1);
    counts
}

/// Sorts a list by its keys; of halves with the same key the last one given stays.
fn keep_last_of_each(halves: &mut Vec<Half>) {
    halves.sort_by_key(Half::key);
    halves.dedup_by(|later, kept| {
        let same = later.key() == kept.key();
        if same {
            *kept = *later;
        }
        same
    });
}

/// Whether a sorted list holds the very same half, weight included.
fn holds(sorted: &[Half], half: &Half) -> bool {
    sorted.binary_search_by_key(&half.key(), Half::key).is_ok_and(|at| sorted[at].weight == half.weight)
}

fn remove_half(halves: &mut Vec<Half>, other: u32, edge_type: EdgeType) {
    if let Some(at) = halves.iter().position(|half| half.key() == (other, edge_type)) {
        halves.swap_remove(at);
    }
}
