//! The same questions put to petgraph.
//!
//! Its PageRank looks at every pair of memories in every round, so it is measured on small graphs; it knows
//! neither weights nor when to stop, and gives those that a memory links to no share of its jumps. Its paths can count edges first and strength second by a cost of two parts.
//! Communities it does not have.

use std::collections::HashMap;
use std::hint::black_box;
use std::mem::size_of;
use std::ops::Add;
use std::time::Instant;

use peri_graph::{Direction, Graph, PageRankSettings};
use peri_types::{Edge, EdgeType, MemoryId};
use petgraph::algo::{astar, page_rank};
use petgraph::stable_graph::{NodeIndex, StableDiGraph};
use petgraph::visit::EdgeRef;

use crate::{edges, id, ms, spread};

type Numbers = HashMap<MemoryId, NodeIndex>;
type Other = StableDiGraph<MemoryId, (EdgeType, f32)>;

/// Edges first, then the weights' product as a sum of logarithms.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
struct Cost(u32, f64);

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

pub(crate) fn compare(count: usize, edges: &[Edge], graph: &Graph, starts: &[MemoryId]) {
    let start = Instant::now();
    let (numbers, mut other) = build(count, edges);
    println!("petgraph, StableDiGraph, {} memories and {} edges", other.node_count(), other.edge_count());
    println!("  build {:.0} ms", ms(start));
    let (nodes, links) = other.capacity();
    // The sizes of its private records: the weight, two links a node, two links and two ends an edge.
    let bytes = nodes * (size_of::<Option<MemoryId>>() + 8)
        + links * (size_of::<Option<(EdgeType, f32)>>() + 16)
        + numbers.capacity() * 8 / 7 * (size_of::<(MemoryId, NodeIndex)>() + 1);
    println!(
        "  memory {:.1} MB, {:.1} bytes an edge",
        bytes as f64 / 1e6,
        bytes as f64 / other.edge_count() as f64
    );
    neighbours(&numbers, &other, starts);
    paths(graph, &numbers, &other, starts);
    changes(&numbers, &mut other, starts);
    for count in [2_000, 5_000] {
        ranks(count);
    }
}

fn build(count: usize, edges: &[Edge]) -> (Numbers, Other) {
    let mut other = Other::with_capacity(count, edges.len());
    let numbers: Numbers = (0..count).map(|number| (id(number), other.add_node(id(number)))).collect();
    for edge in edges {
        other.add_edge(numbers[&edge.source], numbers[&edge.target], (edge.edge_type, edge.weight));
    }
    (numbers, other)
}

fn neighbours(numbers: &Numbers, other: &Other, starts: &[MemoryId]) {
    spread("outgoing edges", starts, |start| {
        let mut links: Vec<(f32, MemoryId)> =
            other.edges(numbers[start]).map(|edge| (edge.weight().1, other[edge.target()])).collect();
        links.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        black_box(links);
    });
}

fn paths(graph: &Graph, numbers: &Numbers, other: &Other, starts: &[MemoryId]) {
    let pairs: Vec<_> = starts.chunks(2).take(100).map(|pair| (pair[0], pair[1])).collect();
    let find = |from: &MemoryId, to: &MemoryId| {
        let goal = numbers[to];
        let cost = |weight: f32| Cost(1, -f64::from(weight).ln());
        astar(other, numbers[from], |node| node == goal, |edge| cost(edge.weight().1), |_| Cost(0, 0.0))
    };
    spread("shortest path, outgoing (astar, 100 pairs)", &pairs, |(from, to)| {
        black_box(find(from, to));
    });
    let differ = pairs.iter().filter(|(from, to)| {
        let ours = graph
            .shortest_path(*from, *to, Direction::Outgoing)
            .map(|path| (path.links.len(), path.strength));
        let theirs = find(from, to).map(|(cost, _)| (cost.0 as usize, (-cost.1).exp()));
        let same = match (ours, theirs) {
            (Some(a), Some(b)) => a.0 == b.0 && (a.1 - b.1).abs() < 1e-9,
            (a, b) => a.is_none() && b.is_none(),
        };
        !same
    });
    println!("  paths that differ from ours in length or strength: {} of {}", differ.count(), pairs.len());
}

fn changes(numbers: &Numbers, other: &mut Other, starts: &[MemoryId]) {
    spread("outgoing edges to nothing", &starts[..1_000], |start| {
        let edges: Vec<_> = other.edges(numbers[start]).map(|edge| edge.id()).collect();
        edges.into_iter().for_each(|edge| {
            black_box(other.remove_edge(edge));
        });
    });
}

/// Both PageRanks for as many rounds. Ours may stop earlier only when it has settled, which takes more than 20.
fn ranks(count: usize) {
    const ROUNDS: usize = 20;
    let edges = edges(count);
    let (_, other) = build(count, &edges);
    let start = Instant::now();
    black_box(page_rank(&other, 0.85_f64, ROUNDS));
    let theirs = ms(start);
    let graph = Graph::build((0..count).map(id), edges);
    let start = Instant::now();
    black_box(graph.pagerank(&PageRankSettings { iterations_max: ROUNDS, ..PageRankSettings::default() }));
    println!("  page_rank, {count} memories, {ROUNDS} rounds: {theirs:.0} ms; ours {:.2} ms", ms(start));
}
