//! The graph follows changes as a plain map of edges would.

use std::collections::{BTreeMap, BTreeSet};

use peri_graph::{Direction, EdgeTypes, Graph, Link, PageRankSettings, Walk};
use peri_types::{Edge, EdgeType, MemoryId, Timestamp};
use proptest::prelude::*;

use crate::{any_edges, any_type, any_weight, id, link, related};

const MEMORIES: u8 = 8;

#[derive(Debug, Clone)]
enum Change {
    Add(u8),
    SetOutgoing(u8, Vec<(u8, EdgeType, f32)>),
    Remove(u8),
}

fn any_change() -> impl Strategy<Value = Change> {
    let edges = prop::collection::vec((0..MEMORIES, any_type(), any_weight()), 0..6);
    prop_oneof![
        1 => (0..MEMORIES).prop_map(Change::Add),
        5 => (0..MEMORIES, edges).prop_map(|(source, edges)| Change::SetOutgoing(source, edges)),
        2 => (0..MEMORIES).prop_map(Change::Remove),
    ]
}

/// What the graph should hold.
#[derive(Default)]
struct Model {
    memories: BTreeSet<MemoryId>,
    edges: BTreeMap<(MemoryId, MemoryId, EdgeType), f32>,
}

impl Model {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Add(memory) => {
                self.memories.insert(id(*memory));
            }
            Change::SetOutgoing(source, edges) => {
                self.memories.insert(id(*source));
                self.edges.retain(|(from, _, _), _| *from != id(*source));
                for (target, edge_type, weight) in edges.iter().filter(|(target, ..)| target != source) {
                    self.memories.insert(id(*target));
                    self.edges.insert((id(*source), id(*target), *edge_type), *weight);
                }
            }
            Change::Remove(memory) => {
                self.memories.remove(&id(*memory));
                self.edges.retain(|(from, to, _), _| *from != id(*memory) && *to != id(*memory));
            }
        }
    }

    fn links(&self, memory: MemoryId, direction: Direction) -> Vec<Link> {
        let all = self.edges.iter().map(|((source, target, edge_type), weight)| Link {
            source: *source,
            target: *target,
            edge_type: *edge_type,
            weight: *weight,
        });
        let mut links: Vec<Link> = all
            .filter(|link| match direction {
                Direction::Outgoing => link.source == memory,
                Direction::Incoming => link.target == memory,
                Direction::Both => link.source == memory || link.target == memory,
            })
            .collect();
        // Stable: equally heavy ones stay in the order of the map's keys.
        links.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        links
    }
}

fn apply(graph: &mut Graph, change: &Change) {
    match change {
        Change::Add(memory) => graph.add(id(*memory)),
        Change::SetOutgoing(source, edges) => {
            let edges: Vec<Edge> = edges
                .iter()
                .map(|(target, edge_type, weight)| link(*source, *target, *edge_type, *weight))
                .collect();
            graph.set_outgoing(id(*source), &edges);
        }
        Change::Remove(memory) => {
            let was_there = graph.contains(id(*memory));
            assert_eq!(graph.remove(id(*memory)), was_there);
        }
    }
}

proptest! {
    #[test]
    fn a_graph_that_followed_changes_holds_what_the_model_holds(
        first in any_edges(MEMORIES, 20),
        changes in prop::collection::vec(any_change(), 0..30),
    ) {
        let mut model = Model::default();
        for edge in &first {
            model.memories.insert(edge.source);
            if edge.source != edge.target {
                model.memories.insert(edge.target);
                model.edges.insert((edge.source, edge.target, edge.edge_type), edge.weight);
            }
        }
        let mut graph = Graph::build(first.iter().map(|edge| edge.source), first.iter().copied());
        for change in &changes {
            model.apply(change);
            apply(&mut graph, change);
        }
        prop_assert_eq!(graph.node_count(), model.memories.len());
        prop_assert_eq!(graph.edge_count(), model.edges.len());
        for memory in (0..MEMORIES).map(id) {
            prop_assert_eq!(graph.contains(memory), model.memories.contains(&memory));
            for direction in [Direction::Outgoing, Direction::Incoming, Direction::Both] {
                let links = graph.links(memory, direction, EdgeTypes::ALL);
                prop_assert_eq!(graph.degree(memory, direction), links.len());
                prop_assert_eq!(links, model.links(memory, direction));
            }
        }
    }

    #[test]
    fn answers_depend_on_the_edges_and_not_on_how_they_came(
        changes in prop::collection::vec(any_change(), 0..30),
        seed in any::<u64>(),
    ) {
        let (mut followed, mut model) = (Graph::default(), Model::default());
        for change in &changes {
            apply(&mut followed, change);
            model.apply(change);
        }
        let edges = model.edges.iter().rev().map(|((source, target, edge_type), weight)| Edge {
            source: *source,
            target: *target,
            edge_type: *edge_type,
            weight: *weight,
            created_at: Timestamp::UNIX_EPOCH,
        });
        let built = Graph::build(model.memories.iter().copied(), edges);
        let settings = PageRankSettings::default();
        prop_assert_eq!(followed.pagerank(&settings), built.pagerank(&settings));
        prop_assert_eq!(followed.communities(seed), built.communities(seed));
        prop_assert_eq!(followed.components(), built.components());
        let starts = [id(0), id(1)];
        let walk = Walk { depth_max: 3, ..Walk::from(&starts) };
        prop_assert_eq!(followed.walk(&walk), built.walk(&walk));
        let path = |graph: &Graph| graph.shortest_path(id(0), id(1), Direction::Both);
        prop_assert_eq!(path(&followed), path(&built));
    }
}

#[test]
fn edges_that_cannot_be_are_left_out() {
    let graph = Graph::from_edges([
        related(1, 1, 0.5),
        related(1, 2, 0.0),
        related(1, 3, f32::NAN),
        related(1, 4, 1.5),
        related(1, 5, 0.5),
    ]);
    assert_eq!((graph.node_count(), graph.edge_count()), (2, 1));
    let mut graph = graph;
    graph.set_outgoing(id(1), &[related(1, 1, 0.5), related(2, 3, 0.5)]);
    assert_eq!(graph.edge_count(), 0);
    assert!(!graph.contains(id(3)), "an edge that begins elsewhere brings nobody");
}

#[test]
fn of_the_same_edge_given_twice_the_last_one_counts() {
    let graph = Graph::from_edges([related(1, 2, 0.9), related(1, 2, 0.2)]);
    let links = graph.links(id(1), Direction::Outgoing, EdgeTypes::ALL);
    assert_eq!(links.iter().map(|link| link.weight).collect::<Vec<_>>(), [0.2]);
}

#[test]
fn links_can_be_limited_to_types() {
    let graph = Graph::from_edges(EdgeType::ALL.iter().map(|edge_type| link(1, 2, *edge_type, 0.5)));
    let types = EdgeTypes::only(&[EdgeType::Sequence, EdgeType::Supersedes]);
    let links = graph.links(id(2), Direction::Incoming, types);
    assert_eq!(
        links.iter().map(|link| link.edge_type).collect::<Vec<_>>(),
        [EdgeType::Sequence, EdgeType::Supersedes]
    );
    assert_eq!(graph.links(id(2), Direction::Incoming, EdgeTypes::only(&[])), []);
}

#[test]
fn removed_memories_leave_room_for_others() {
    let mut graph = Graph::default();
    graph.set_outgoing(id(1), &[related(1, 2, 0.5)]);
    let before = graph.memory_bytes();
    for _ in 0..1_000 {
        graph.remove(id(2));
        graph.set_outgoing(id(1), &[related(1, 2, 0.5)]);
    }
    assert!(graph.memory_bytes() <= before + 64, "{} bytes, then {}", before, graph.memory_bytes());
}
