//! Paths, against the same trying out as walks.

use peri_graph::{Direction, Graph, Path};
use proptest::prelude::*;

use crate::walk::{distinct, pairs, reach};
use crate::{any_edges, id, related};

const MEMORIES: u8 = 10;

proptest! {
    #[test]
    fn a_path_is_the_strongest_of_those_with_the_fewest_edges(
        edges in any_edges(MEMORIES, 30).prop_map(distinct),
        to in 0..MEMORIES,
        direction in proptest::sample::select(&[Direction::Outgoing, Direction::Incoming, Direction::Both]),
    ) {
        let graph = Graph::build((0..MEMORIES).map(id), edges.iter().copied());
        let expected = reach(&edges, &[id(0)], direction).get(&id(to)).copied();
        let found = graph.shortest_path(id(0), id(to), direction);
        prop_assert_eq!(found.as_ref().map(|path| path.links.len()), expected.map(|(depth, _)| depth));
        let Some((Path { nodes, links, strength }, (_, best))) = found.zip(expected) else { return Ok(()) };
        prop_assert!((strength - best).abs() < 1e-12, "{} instead of {}", strength, best);
        prop_assert_eq!((nodes.first(), nodes.last()), (Some(&id(0)), Some(&id(to))));
        prop_assert_eq!(nodes.len(), links.len() + 1);
        let mut product = 1.0;
        for (ends, link) in nodes.windows(2).zip(&links) {
            let edge = edges.iter().find(|edge| {
                (edge.source, edge.target, edge.edge_type) == (link.source, link.target, link.edge_type)
            });
            prop_assert_eq!(edge.map(|edge| edge.weight), Some(link.weight));
            prop_assert!(pairs(edge.unwrap(), direction).contains(&(ends[0], ends[1])));
            product *= f64::from(link.weight);
        }
        prop_assert!((product - strength).abs() < 1e-12);
    }
}

#[test]
fn fewer_edges_win_over_stronger_ones() {
    let graph = Graph::from_edges([related(1, 2, 0.1), related(1, 3, 1.0), related(3, 2, 1.0)]);
    let path = graph.shortest_path(id(1), id(2), Direction::Outgoing).unwrap();
    assert_eq!(path.nodes, [id(1), id(2)]);
}

#[test]
fn there_is_no_path_against_the_direction_between_strangers_or_from_the_unknown() {
    let mut graph = Graph::from_edges([related(1, 2, 0.5)]);
    graph.add(id(3));
    let path = |from, to, direction| graph.shortest_path(id(from), id(to), direction);
    assert_eq!(path(2, 1, Direction::Outgoing), None);
    assert!(path(2, 1, Direction::Incoming).is_some());
    assert!(path(2, 1, Direction::Both).is_some());
    assert_eq!(path(1, 3, Direction::Both), None);
    assert_eq!(path(1, 9, Direction::Both), None);
    assert_eq!(path(9, 9, Direction::Both), None);
    let here = path(3, 3, Direction::Outgoing).unwrap();
    assert_eq!((here.nodes, here.links, here.strength), (vec![id(3)], vec![], 1.0));
}

#[test]
fn a_long_chain_is_followed_to_its_end() {
    let graph = Graph::from_edges((0..200).map(|at| related(at, at + 1, 1.0)));
    let path = graph.shortest_path(id(0), id(200), Direction::Outgoing).unwrap();
    assert_eq!(path.nodes, (0..=200).map(id).collect::<Vec<_>>());
}
