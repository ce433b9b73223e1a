//! Which edges a memory keeps.

use peri_graph::{Admission, EdgeFault, admit, check_edge};
use peri_types::{Edge, EdgeType, Timestamp};
use proptest::prelude::*;

use crate::walk::distinct;
use crate::{any_type, any_weight, id, link, related};

fn at(second: i64, edge: Edge) -> Edge {
    Edge { created_at: Timestamp::from_second(second).unwrap(), ..edge }
}

/// An edge from the first memory to another.
fn any_edge() -> impl Strategy<Value = Edge> {
    let parts = (1_u8..30, any_type(), any_weight(), 0_i64..4);
    parts.prop_map(|(target, edge_type, weight, second)| at(second, link(0, target, edge_type, weight)))
}

fn any_existing(least: usize) -> impl Strategy<Value = Vec<Edge>> {
    prop::collection::vec(any_edge(), least..12).prop_map(distinct).prop_shuffle()
}

/// What the source's edges are afterwards.
fn after(existing: &[Edge], new: Edge, admission: &Admission) -> Vec<Edge> {
    let without =
        |gone: &[Edge]| existing.iter().filter(|edge| !gone.contains(edge)).copied().chain([new]).collect();
    match admission {
        Admission::Refused(_) | Admission::TooLight => existing.to_vec(),
        Admission::Replaces(old) => without(&[*old]),
        Admission::Added { evicted } => without(evicted),
    }
}

/// The order in which edges are kept, the best first.
fn best_first(edges: &mut [Edge]) {
    edges.sort_by(|a, b| {
        b.weight
            .total_cmp(&a.weight)
            .then(b.created_at.cmp(&a.created_at))
            .then(a.target.cmp(&b.target))
            .then(a.edge_type.cmp(&b.edge_type))
    });
}

fn key(edge: &Edge) -> (peri_types::MemoryId, EdgeType) {
    (edge.target, edge.edge_type)
}

proptest! {
    #[test]
    fn there_are_never_more_than_the_maximum_and_the_heaviest_are_kept(
        new in prop::collection::vec(any_edge(), 0..40),
        max in 0_usize..8,
    ) {
        let mut edges: Vec<Edge> = Vec::new();
        for new in new {
            let admission = admit(&edges, new, max);
            let next = after(&edges, new, &admission);
            prop_assert!(next.len() <= max);
            if !edges.iter().any(|edge| key(edge) == key(&new)) {
                let mut expected: Vec<Edge> = edges.iter().copied().chain([new]).collect();
                best_first(&mut expected);
                expected.truncate(max);
                let mut kept = next.clone();
                best_first(&mut kept);
                prop_assert_eq!(kept, expected);
            }
            edges = next;
        }
    }

    #[test]
    fn replacing_an_edge_evicts_nobody(
        existing in any_existing(1),
        chosen in any::<prop::sample::Index>(),
        weight in any_weight(),
        max in 0_usize..12,
    ) {
        let old = existing[chosen.index(existing.len())];
        let new = Edge { weight, ..old };
        let admission = admit(&existing, new, max);
        prop_assert_eq!(&admission, &Admission::Replaces(old));
        prop_assert_eq!(after(&existing, new, &admission).len(), existing.len());
    }

    #[test]
    fn nobody_leaves_while_there_is_room_and_no_more_than_needed_when_there_is_not(
        existing in any_existing(0),
        new in any_edge(),
        max in 0_usize..12,
    ) {
        prop_assume!(!existing.iter().any(|edge| key(edge) == key(&new)));
        match admit(&existing, new, max) {
            Admission::Added { evicted } => {
                prop_assert_eq!(evicted.len(), (existing.len() + 1).saturating_sub(max));
                prop_assert!(evicted.iter().all(|edge| edge.weight <= new.weight));
            }
            Admission::TooLight => {
                prop_assert!(existing.len() >= max);
                let heavier = existing.iter().filter(|edge| edge.weight >= new.weight).count();
                prop_assert!(heavier >= max);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn the_order_of_the_existing_edges_does_not_matter(
        (existing, shuffled) in any_existing(0).prop_flat_map(|edges| (Just(edges.clone()), Just(edges).prop_shuffle())),
        new in any_edge(),
        max in 0_usize..12,
    ) {
        prop_assert_eq!(admit(&existing, new, max), admit(&shuffled, new, max));
    }
}

#[test]
fn among_equally_heavy_edges_the_oldest_leaves_then_the_higher_target() {
    let [low, middle, high] = {
        let mut numbers = [1, 2, 3];
        numbers.sort_by_key(|number| id(*number));
        numbers
    };
    let old = at(1, related(0, low, 0.5));
    let young = at(2, related(0, middle, 0.5));
    let cases = [
        (at(3, related(0, high, 0.5)), Admission::Added { evicted: vec![old] }),
        (at(0, related(0, high, 0.5)), Admission::TooLight),
        (at(1, related(0, high, 0.5)), Admission::TooLight),
        (at(9, related(0, high, 0.4)), Admission::TooLight),
        (at(0, related(0, high, 0.6)), Admission::Added { evicted: vec![old] }),
    ];
    for (new, expected) in cases {
        assert_eq!(admit(&[young, old], new, 2), expected, "{new:?}");
    }
}

#[test]
fn what_cannot_be_an_edge_is_refused() {
    assert_eq!(admit(&[], related(1, 1, 0.5), 20), Admission::Refused(EdgeFault::SelfLink));
    for weight in [0.0, -0.0, -0.1, 1.000_001, f32::INFINITY, f32::NEG_INFINITY] {
        let refused = Admission::Refused(EdgeFault::Weight { weight });
        assert_eq!(admit(&[], related(1, 2, weight), 20), refused, "{weight}");
    }
    assert!(check_edge(&related(1, 2, f32::NAN)).is_err());
    for weight in [f32::MIN_POSITIVE, 0.5, 1.0] {
        assert_eq!(check_edge(&related(1, 2, weight)), Ok(()), "{weight}");
    }
}

#[test]
fn a_lowered_maximum_takes_effect_with_the_next_edge_that_is_added() {
    let existing = [0.2, 0.4, 0.6, 0.8].map(|weight| related(0, (weight * 10.0) as u8, weight));
    assert_eq!(admit(&existing, related(0, 9, 0.3), 2), Admission::TooLight);
    let evicted = existing[..3].to_vec();
    assert_eq!(admit(&existing, related(0, 9, 0.9), 2), Admission::Added { evicted });
}

#[test]
fn edges_of_other_sources_do_not_count() {
    let others = [related(5, 6, 0.9), related(7, 2, 0.9)];
    assert_eq!(admit(&others, related(1, 2, 0.1), 1), Admission::Added { evicted: vec![] });
}
