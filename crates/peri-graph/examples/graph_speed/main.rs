//! How fast the graph is, how much memory it takes, and what petgraph costs for the same.
//!
//! `cargo run --release -p peri-graph --example graph_speed -- [nodes, e.g. 100000]`
//! Memories have 0 to 20 outgoing edges, 10 on average. Half of them stay in a block of 50 memories, the
//! others lead anywhere, to some memories far more often than to most.
#![allow(clippy::print_stdout)]

mod beside;

use std::hint::black_box;
use std::time::Instant;

use peri_graph::{Direction, EdgeTypes, ExportFormat, Graph, NodeView, PageRankSettings, Walk, export};
use peri_types::{Edge, EdgeType, MemoryId, Timestamp};

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let edges = edges(count);
    let graph = build(count, &edges);
    let starts = sample(count, 10_000);
    neighbours(&graph, &starts);
    walks(&graph, &starts);
    paths(&graph, &starts);
    changes(&graph, &starts, &edges);
    whole(&graph);
    exports(&graph, &edges);
    beside::compare(count, &edges, &graph, &starts);
}

/// A small generator, so that every run measures the same graph.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

fn fraction(state: &mut u64) -> f64 {
    (next(state) >> 11) as f64 / (1_u64 << 53) as f64
}

fn id(number: usize) -> MemoryId {
    MemoryId::from_bytes(
        (number as u128 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835).to_be_bytes(),
    )
}

fn edges(count: usize) -> Vec<Edge> {
    let mut state = 7;
    let mut edges: Vec<Edge> = Vec::new();
    for source in 0..count {
        let begin = edges.len();
        for _ in 0..next(&mut state) % 21 {
            let target = if next(&mut state).is_multiple_of(2) {
                source / 50 * 50 + (next(&mut state) % 50) as usize
            } else {
                (count as f64 * fraction(&mut state).powi(3)) as usize
            };
            let edge = Edge {
                source: id(source),
                target: id(target.min(count - 1)),
                edge_type: EdgeType::ALL[(next(&mut state) % 5) as usize],
                weight: 0.3 + 0.7 * fraction(&mut state) as f32,
                created_at: Timestamp::UNIX_EPOCH,
            };
            let same = |other: &Edge| (other.target, other.edge_type) == (edge.target, edge.edge_type);
            if edge.source != edge.target && !edges[begin..].iter().any(same) {
                edges.push(edge);
            }
        }
    }
    edges
}

fn sample(count: usize, size: usize) -> Vec<MemoryId> {
    let mut state = 11;
    (0..size).map(|_| id(next(&mut state) as usize % count)).collect()
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// Times each call and prints the median, the 99th of a hundred and the worst.
fn spread<T>(what: &str, items: &[T], mut call: impl FnMut(&T)) {
    let mut micros: Vec<f64> = items
        .iter()
        .map(|item| {
            let start = Instant::now();
            call(item);
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    micros.sort_by(f64::total_cmp);
    let at = |share: f64| micros[((micros.len() - 1) as f64 * share) as usize];
    println!("  {what:<42} p50 {:>9.1} µs  p99 {:>9.1} µs  max {:>9.1} µs", at(0.5), at(0.99), at(1.0));
}

fn build(count: usize, edges: &[Edge]) -> Graph {
    let start = Instant::now();
    let graph = Graph::build((0..count).map(id), edges.iter().copied());
    println!("peri-graph, {} memories and {} edges", graph.node_count(), graph.edge_count());
    println!("  build {:.0} ms", ms(start));
    let bytes = graph.memory_bytes();
    println!(
        "  memory {:.1} MB, {:.1} bytes an edge",
        bytes as f64 / 1e6,
        bytes as f64 / graph.edge_count() as f64
    );
    let most = (0..count).map(|number| graph.degree(id(number), Direction::Incoming)).max();
    println!("  most incoming edges of one memory: {}", most.unwrap_or_default());
    graph
}

fn neighbours(graph: &Graph, starts: &[MemoryId]) {
    spread("outgoing edges", starts, |start| {
        black_box(graph.links(*start, Direction::Outgoing, EdgeTypes::ALL));
    });
    spread("edges both ways", starts, |start| {
        black_box(graph.links(*start, Direction::Both, EdgeTypes::ALL));
    });
}

fn walks(graph: &Graph, starts: &[MemoryId]) {
    for (what, direction, depth_max) in [
        ("walk both ways, depth 1", Direction::Both, 1),
        ("walk outgoing, depth 2, best 100", Direction::Outgoing, 2),
        ("walk both ways, depth 2, best 100", Direction::Both, 2),
    ] {
        spread(what, &starts[..1_000], |start| {
            black_box(graph.walk(&Walk { direction, depth_max, ..Walk::from(&[*start]) }));
        });
    }
}

fn paths(graph: &Graph, starts: &[MemoryId]) {
    let pairs: Vec<_> = starts.chunks(2).take(1_000).map(|pair| (pair[0], pair[1])).collect();
    for (what, direction) in
        [("shortest path, outgoing", Direction::Outgoing), ("shortest path, both ways", Direction::Both)]
    {
        spread(what, &pairs, |(from, to)| {
            black_box(graph.shortest_path(*from, *to, direction));
        });
    }
}

fn changes(graph: &Graph, starts: &[MemoryId], edges: &[Edge]) {
    let mut graph = graph.clone();
    let outgoing: Vec<(MemoryId, Vec<Edge>)> = starts
        .iter()
        .map(|start| {
            (
                *start,
                edges
                    .iter()
                    .skip_while(|edge| edge.source != *start)
                    .take_while(|edge| edge.source == *start)
                    .copied()
                    .collect(),
            )
        })
        .take(1_000)
        .collect();
    spread("set_outgoing, one edge lighter", &outgoing, |(source, edges)| {
        let mut edges = edges.clone();
        edges.iter_mut().take(1).for_each(|edge| edge.weight /= 2.0);
        graph.set_outgoing(*source, &edges);
    });
    spread("set_outgoing, to nothing", &outgoing, |(source, _)| graph.set_outgoing(*source, &[]));
    spread("set_outgoing, from nothing", &outgoing, |(source, edges)| graph.set_outgoing(*source, edges));
    spread("remove", &outgoing, |(source, _)| {
        black_box(graph.remove(*source));
    });
    let most =
        edges.iter().map(|edge| edge.target).max_by_key(|target| graph.degree(*target, Direction::Incoming));
    spread("remove the memory that most point to", most.as_slice(), |hub| {
        black_box(graph.remove(*hub));
    });
}

fn whole(graph: &Graph) {
    let start = Instant::now();
    let ranks = graph.pagerank(&PageRankSettings::default());
    println!("  pagerank {:.0} ms, highest {:.5}", ms(start), ranks.first().map_or(0.0, |first| first.1));
    let start = Instant::now();
    let found = graph.communities(1);
    println!(
        "  communities {:.0} ms: {} groups, modularity {:.3}",
        ms(start),
        found.groups.len(),
        found.modularity
    );
    let start = Instant::now();
    println!("  components {}, {:.0} ms", graph.components().len(), ms(start));
}

fn exports(graph: &Graph, edges: &[Edge]) {
    let ranks = graph.pagerank(&PageRankSettings { iterations_max: 5, ..PageRankSettings::default() });
    for format in ExportFormat::ALL {
        let start = Instant::now();
        let nodes = ranks.iter().map(|(id, rank)| NodeView {
            rank: Some(*rank),
            ..NodeView::new(*id, "the kettle boils at 100 °C & \"whistles\"")
        });
        let bytes = export(*format, Vec::new(), nodes, edges.iter().copied()).map_or(0, |out| out.len());
        println!("  export as {format} {:.0} ms, {:.0} MB", ms(start), bytes as f64 / 1e6);
    }
}
