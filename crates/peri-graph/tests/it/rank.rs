//! PageRank, against powers of the whole matrix.

use peri_graph::{Graph, PageRankSettings};
use peri_types::{Edge, MemoryId};
use proptest::prelude::*;

use crate::walk::distinct;
use crate::{any_edges, id, related};

const MEMORIES: usize = 9;

/// The walker's matrix, column by column, and its powers applied until nothing moves.
fn dense(edges: &[Edge], damping: f64) -> Vec<(MemoryId, f64)> {
    let ids: Vec<MemoryId> = (0..MEMORIES as u8).map(id).collect();
    let place = |memory: MemoryId| ids.iter().position(|id| *id == memory).unwrap();
    let mut matrix = [[0.0_f64; MEMORIES]; MEMORIES];
    for edge in edges.iter().filter(|edge| edge.source != edge.target) {
        matrix[place(edge.target)][place(edge.source)] += f64::from(edge.weight);
    }
    for source in 0..MEMORIES {
        let sum: f64 = matrix.iter().map(|row| row[source]).sum();
        for row in &mut matrix {
            let share = if sum > 0.0 { row[source] / sum } else { 1.0 / MEMORIES as f64 };
            row[source] = damping * share + (1.0 - damping) / MEMORIES as f64;
        }
    }
    let mut ranks = [1.0 / MEMORIES as f64; MEMORIES];
    for _ in 0..400 {
        ranks = matrix.map(|row| row.iter().zip(&ranks).map(|(share, rank)| share * rank).sum());
    }
    ids.into_iter().zip(ranks).collect()
}

proptest! {
    #[test]
    fn ranks_are_those_of_the_dense_matrix(
        edges in any_edges(MEMORIES as u8, 40).prop_map(distinct),
        damping in 0.0_f64..0.95,
    ) {
        let graph = Graph::build((0..MEMORIES as u8).map(id), edges.iter().copied());
        let settings = PageRankSettings { damping, tolerance: 1e-13, iterations_max: 1_000 };
        let ranks = graph.pagerank(&settings);
        prop_assert!(ranks.is_sorted_by(|a, b| a.1 > b.1 || (a.1 == b.1 && a.0 < b.0)));
        let sum: f64 = ranks.iter().map(|(_, rank)| rank).sum();
        prop_assert!((sum - 1.0).abs() < 1e-12, "sum {}", sum);
        for (memory, expected) in dense(&edges, damping) {
            let found = ranks.iter().find(|(id, _)| *id == memory).unwrap().1;
            prop_assert!((found - expected).abs() < 1e-9, "{} instead of {}", found, expected);
        }
    }

    #[test]
    fn ranks_sum_to_one_whatever_the_settings(
        edges in any_edges(MEMORIES as u8, 40),
        damping in prop::num::f64::ANY,
        tolerance in prop::num::f64::ANY,
        iterations_max in 0_usize..30,
    ) {
        let graph = Graph::build([id(0)], edges);
        let ranks = graph.pagerank(&PageRankSettings { damping, tolerance, iterations_max });
        let sum: f64 = ranks.iter().map(|(_, rank)| rank).sum();
        prop_assert!((sum - 1.0).abs() < 1e-9, "sum {}", sum);
        prop_assert_eq!(ranks.len(), graph.node_count());
    }
}

#[test]
fn each_setting_changes_the_ranks() {
    let graph =
        Graph::from_edges([related(1, 2, 1.0), related(2, 3, 0.5), related(3, 1, 1.0), related(3, 4, 0.2)]);
    let usual = PageRankSettings::default();
    let ranks = graph.pagerank(&usual);
    for other in [
        PageRankSettings { damping: 0.5, ..usual },
        PageRankSettings { tolerance: 0.1, ..usual },
        PageRankSettings { iterations_max: 2, ..usual },
    ] {
        assert_ne!(graph.pagerank(&other), ranks, "{other:?}");
    }
}

#[test]
fn a_heavier_edge_carries_more_rank() {
    let graph = Graph::from_edges([related(1, 2, 0.9), related(1, 3, 0.3)]);
    let ranks = graph.pagerank(&PageRankSettings::default());
    assert_eq!(ranks.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [id(2), id(3), id(1)]);
}

#[test]
fn an_empty_graph_has_no_ranks() {
    assert_eq!(Graph::default().pagerank(&PageRankSettings::default()), []);
}
