//! Walks, against every way of every length tried out.

use std::collections::BTreeMap;

use peri_graph::{Direction, EdgeTypes, Graph, Step, Walk};
use peri_types::{Edge, EdgeType, MemoryId};
use proptest::prelude::*;

use crate::{any_edges, any_type, id, link, related};

const MEMORIES: u8 = 10;

fn any_direction() -> impl Strategy<Value = Direction> {
    proptest::sample::select(&[Direction::Outgoing, Direction::Incoming, Direction::Both])
}

/// The pairs that an edge leads between.
pub(crate) fn pairs(edge: &Edge, direction: Direction) -> Vec<(MemoryId, MemoryId)> {
    let (along, against) = ((edge.source, edge.target), (edge.target, edge.source));
    match direction {
        Direction::Outgoing => vec![along],
        Direction::Incoming => vec![against],
        Direction::Both => vec![along, against],
    }
}

/// Depth and best strength of all that can be reached, by trying every edge from everywhere, level by level.
pub(crate) fn reach(
    edges: &[Edge],
    starts: &[MemoryId],
    direction: Direction,
) -> BTreeMap<MemoryId, (usize, f64)> {
    let mut known: BTreeMap<MemoryId, (usize, f64)> = starts.iter().map(|start| (*start, (0, 1.0))).collect();
    for depth in 1..=usize::from(MEMORIES) {
        let before = known.clone();
        for edge in edges.iter().filter(|edge| edge.source != edge.target) {
            for (from, to) in pairs(edge, direction) {
                let Some((at, strength)) = before.get(&from) else { continue };
                if *at + 1 == depth && !before.contains_key(&to) {
                    let strength = strength * f64::from(edge.weight);
                    let best = known.entry(to).or_insert((depth, strength));
                    best.1 = best.1.max(strength);
                }
            }
        }
    }
    known
}

/// Edges without repetitions of source, target and type, as a store holds them.
pub(crate) fn distinct(edges: Vec<Edge>) -> Vec<Edge> {
    let keyed: BTreeMap<_, Edge> =
        edges.into_iter().map(|edge| ((edge.source, edge.target, edge.edge_type), edge)).collect();
    keyed.into_values().collect()
}

proptest! {
    #[test]
    fn a_walk_meets_each_memory_once_at_its_least_depth_by_its_best_way(
        edges in any_edges(MEMORIES, 40).prop_map(distinct),
        starts in prop::collection::vec((0..MEMORIES).prop_map(id), 0..3),
        direction in any_direction(),
        depth_max in 0_usize..5,
    ) {
        let graph = Graph::build((0..MEMORIES).map(id), edges.iter().copied());
        let steps = graph.walk(&Walk { direction, depth_max, ..Walk::from(&starts) });
        let mut expected: Vec<(usize, f64, MemoryId)> = reach(&edges, &starts, direction)
            .into_iter()
            .map(|(memory, (depth, strength))| (depth, strength, memory))
            .filter(|(depth, ..)| (1..=depth_max).contains(depth))
            .collect();
        expected.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let found: Vec<_> = steps.iter().map(|step| (step.depth, step.strength, step.id)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_last_edge_leads_on_from_the_step_before(
        edges in any_edges(MEMORIES, 40).prop_map(distinct),
        direction in any_direction(),
    ) {
        let graph = Graph::from_edges(edges.iter().copied());
        let starts = [id(0), id(1)];
        let known = reach(&edges, &starts, direction);
        for step in graph.walk(&Walk { direction, depth_max: 9, ..Walk::from(&starts) }) {
            let via = edges.iter().find(|edge| {
                (edge.source, edge.target, edge.edge_type) == (step.via.source, step.via.target, step.via.edge_type)
            });
            let leads_here = |(from, to): &(MemoryId, MemoryId)| {
                *to == step.id && known.get(from).is_some_and(|(depth, strength)| {
                    *depth + 1 == step.depth && *strength * f64::from(step.via.weight) == step.strength
                })
            };
            prop_assert!(pairs(via.unwrap(), direction).iter().any(leads_here), "{:?}", step);
        }
    }

    #[test]
    fn a_limit_cuts_the_end_and_changes_nothing_before(
        edges in any_edges(MEMORIES, 40),
        direction in any_direction(),
        limit in 0_usize..12,
    ) {
        let graph = Graph::from_edges(edges);
        let starts = [id(0)];
        let walk = Walk { direction, depth_max: 4, ..Walk::from(&starts) };
        let all = graph.walk(&walk);
        let some = graph.walk(&Walk { limit, ..walk });
        prop_assert_eq!(&some[..], &all[..limit.min(all.len())]);
    }

    #[test]
    fn a_walk_of_some_types_is_a_walk_without_the_others(
        edges in any_edges(MEMORIES, 40),
        types in prop::collection::vec(any_type(), 0..4),
    ) {
        let starts = [id(0)];
        let walk = Walk { depth_max: 3, ..Walk::from(&starts) };
        let kept = edges.iter().filter(|edge| types.contains(&edge.edge_type)).copied();
        let without = Graph::from_edges(kept).walk(&walk);
        let filtered = Graph::from_edges(edges.iter().copied()).walk(&Walk { types: EdgeTypes::only(&types), ..walk });
        prop_assert_eq!(filtered, without);
    }
}

#[test]
fn unknown_and_repeated_starts_do_no_harm() {
    let graph = Graph::from_edges([related(1, 2, 0.5)]);
    assert_eq!(graph.walk(&Walk::from(&[id(9)])), []);
    let steps = graph.walk(&Walk::from(&[id(1), id(9), id(1)]));
    assert_eq!(steps.iter().map(|step| step.id).collect::<Vec<_>>(), [id(2)]);
}

#[test]
fn of_equally_strong_ways_the_same_one_is_always_told() {
    let types = [EdgeType::Supersedes, EdgeType::RelatedTo, EdgeType::Sequence];
    let edges = types.map(|edge_type| link(1, 2, edge_type, 0.5));
    let via = |edges: &[Edge]| -> Vec<Step> {
        Graph::from_edges(edges.iter().copied()).walk(&Walk::from(&[id(1)]))
    };
    let steps = via(&edges);
    assert_eq!(steps[0].via.edge_type, EdgeType::RelatedTo);
    let reversed: Vec<Edge> = edges.into_iter().rev().collect();
    assert_eq!(via(&reversed), steps);
}
