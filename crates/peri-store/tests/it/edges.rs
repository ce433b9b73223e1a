//! Edges: drawn, bounded, hidden with the trash, and followed by change numbers.

use std::collections::BTreeMap;

use peri_store::{EdgeChanges, Missing, Store, StoreError, Write, Written};
use peri_types::{ChangeNumber, Edge, EdgeType, Memory, MemoryId, Scope};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::{at, keep, ns, open};

fn edge(source: &Memory, target: &Memory, weight: f32, second: i64) -> Edge {
    let (source, target, edge_type) = (source.id, target.id, EdgeType::RelatedTo);
    Edge { source, target, edge_type, weight, created_at: at(second) }
}

fn link(edges: &[Edge], max: usize, missing: Missing) -> Write {
    Write::Link { namespace: ns("a"), edges: edges.to_vec(), max, missing }
}

fn draw(store: &dyn Store, edge: Edge, max: usize) -> u64 {
    match store.write(vec![link(&[edge], max, Missing::Refused)]).unwrap()[0] {
        Written::Linked(count) => count,
        ref other => panic!("{other:?}"),
    }
}

fn forget(memory: &Memory) -> Write {
    Write::Forget { scope: Scope::All, id: memory.id, at: at(50) }
}

fn targets(store: &dyn Store, source: &Memory) -> Vec<MemoryId> {
    let edges = store.edges_of(&ns("a"), source.id).unwrap();
    edges.into_iter().filter(|edge| edge.source == source.id).map(|edge| edge.target).collect()
}

fn keep_many(store: &dyn Store, count: usize) -> Vec<Memory> {
    (0..count).map(|i| keep(store, "a", &format!("memory {i}"))).collect()
}

#[test]
fn edges_are_read_from_either_end_the_heaviest_first_also_after_opening_again() {
    let (folder, store) = open();
    let [one, two, three] = keep_many(&*store, 3).try_into().unwrap();
    let (there, back) = (edge(&one, &two, 0.5, 1), edge(&three, &one, 0.75, 2));
    assert_eq!(draw(&*store, there, 20) + draw(&*store, back, 20), 2);
    drop(store);
    let store = folder.open();
    assert_eq!(store.edges_of(&ns("a"), one.id).unwrap(), [back, there]);
    assert_eq!(store.edges_of(&ns("a"), two.id).unwrap(), [there]);
    assert_eq!(store.edges_of(&ns("b"), two.id).unwrap(), []);
    assert_eq!(store.stats(&Scope::All).unwrap()[0].edges, 2);
}

#[test]
fn beyond_the_bound_the_lightest_leaves_and_of_equal_ones_the_oldest() {
    let (_folder, store) = open();
    let all = keep_many(&*store, 5);
    for (target, weight, second) in [(1, 0.5, 1), (2, 0.5, 2), (3, 0.9, 3)] {
        assert_eq!(draw(&*store, edge(&all[0], &all[target], weight, second), 3), 1);
    }
    assert_eq!(draw(&*store, edge(&all[0], &all[4], 0.6, 4), 3), 1);
    assert_eq!(targets(&*store, &all[0]), [all[3].id, all[4].id, all[2].id]);
}

#[test]
fn replacing_an_edge_lets_nobody_leave_even_when_the_bound_was_lowered() {
    let (_folder, store) = open();
    let all = keep_many(&*store, 6);
    for target in 1..=4 {
        draw(&*store, edge(&all[0], &all[target], 0.1 * target as f32, target as i64), 20);
    }
    assert_eq!(draw(&*store, edge(&all[0], &all[4], 0.95, 9), 2), 1);
    assert_eq!(targets(&*store, &all[0]).len(), 4, "replaced, not added");
    assert_eq!(draw(&*store, edge(&all[0], &all[5], 0.5, 10), 2), 1);
    assert_eq!(targets(&*store, &all[0]), [all[4].id, all[5].id], "added, so the surplus leaves");
}

#[test]
fn an_edge_that_is_too_light_is_not_drawn_and_nothing_changes() {
    let (_folder, store) = open();
    let all = keep_many(&*store, 4);
    for target in 1..=3 {
        draw(&*store, edge(&all[0], &all[target], 0.5, 1), 20);
    }
    let (head, before) = (store.head(&ns("a")).unwrap(), store.all_edges(&ns("a")).unwrap());
    let light = Edge { edge_type: EdgeType::Sequence, ..edge(&all[0], &all[1], 0.1, 2) };
    assert_eq!(draw(&*store, light, 3), 0, "another type to the same memory is another edge");
    assert_eq!(draw(&*store, light, 2), 0, "also when there is a surplus");
    assert_eq!(store.all_edges(&ns("a")).unwrap(), before);
    assert_eq!(store.head(&ns("a")).unwrap(), head);
}

#[test]
fn an_edge_without_both_ends_is_refused_or_left_out_and_changes_nothing() {
    let (_folder, store) = open();
    let [one, two, gone] = keep_many(&*store, 3).try_into().unwrap();
    let elsewhere = keep(&*store, "b", "elsewhere");
    store.write(vec![forget(&gone)]).unwrap();
    let head = store.head(&ns("a")).unwrap();
    for (source, target) in [(&one, &elsewhere), (&elsewhere, &one), (&one, &gone), (&gone, &one)] {
        let both = [edge(&one, &two, 0.5, 1), edge(source, target, 0.5, 1)];
        let error = store.write(vec![link(&both, 20, Missing::Refused)]).unwrap_err();
        assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    }
    assert_eq!((store.all_edges(&ns("a")).unwrap(), store.head(&ns("a")).unwrap()), (Vec::new(), head));
    let both = [edge(&one, &elsewhere, 0.5, 1), edge(&one, &one, 0.5, 1), edge(&one, &two, 0.5, 1)];
    let written = store.write(vec![link(&both, 20, Missing::Skipped)]).unwrap();
    assert_eq!(written, [Written::Linked(1)]);
    assert_eq!(targets(&*store, &one), [two.id]);
}

#[test]
fn an_edge_to_the_trash_that_may_be_skipped_is_kept_out_of_sight_until_the_memory_is_back() {
    let (_folder, store) = open();
    let [one, gone] = keep_many(&*store, 2).try_into().unwrap();
    store.write(vec![forget(&gone), link(&[edge(&one, &gone, 0.5, 1)], 20, Missing::Skipped)]).unwrap();
    assert_eq!((targets(&*store, &one), store.stats(&Scope::All).unwrap()[0].edges), (Vec::new(), 0));
    store.write(vec![Write::Restore { scope: Scope::All, id: gone.id, at: at(60) }]).unwrap();
    assert_eq!((targets(&*store, &one), store.stats(&Scope::All).unwrap()[0].edges), (vec![gone.id], 1));
}

#[test]
fn edges_of_the_trash_are_hidden_and_come_back_and_a_purge_takes_both_directions() {
    let (_folder, store) = open();
    let [one, two, three] = keep_many(&*store, 3).try_into().unwrap();
    for (source, target) in [(&one, &two), (&two, &three), (&three, &one)] {
        draw(&*store, edge(source, target, 0.5, 1), 20);
    }
    let seen = |store: &dyn Store| {
        let graph = known(&store.edge_changes(&ns("a"), ChangeNumber(0)).unwrap());
        (store.stats(&Scope::All).unwrap()[0].edges, graph.values().flatten().count())
    };
    assert_eq!(seen(&*store), (3, 3));
    store.write(vec![forget(&two)]).unwrap();
    assert_eq!(seen(&*store), (1, 1));
    assert_eq!(store.all_edges(&ns("a")).unwrap().len(), 3, "kept for when it comes back");
    store.write(vec![Write::Restore { scope: Scope::All, id: two.id, at: at(60) }]).unwrap();
    assert_eq!(seen(&*store), (3, 3));
    let purge = Write::Purge { scope: Scope::All, id: two.id, at: at(70) };
    store.write(vec![forget(&two), purge]).unwrap();
    assert_eq!((seen(&*store), store.all_edges(&ns("a")).unwrap().len()), ((1, 1), 1));
}

#[test]
fn edges_are_taken_away_by_their_type_or_all_at_once() {
    let (_folder, store) = open();
    let [one, two] = keep_many(&*store, 2).try_into().unwrap();
    for edge_type in [EdgeType::RelatedTo, EdgeType::Sequence, EdgeType::DerivedFrom] {
        draw(&*store, Edge { edge_type, ..edge(&one, &two, 0.5, 1) }, 20);
    }
    let unlink = |edge_type| Write::Unlink {
        namespace: ns("a"),
        source: one.id,
        target: two.id,
        edge_type,
        at: at(2),
    };
    assert_eq!(store.write(vec![unlink(Some(EdgeType::Sequence))]).unwrap(), [Written::Unlinked(1)]);
    assert_eq!(store.write(vec![unlink(Some(EdgeType::Sequence))]).unwrap(), [Written::Unlinked(0)]);
    assert_eq!(store.write(vec![unlink(None)]).unwrap(), [Written::Unlinked(2)]);
    assert_eq!(store.all_edges(&ns("a")).unwrap(), []);
}

type Known = BTreeMap<MemoryId, Vec<Edge>>;

fn known(changes: &EdgeChanges) -> Known {
    let mut graph = Known::new();
    follow(&mut graph, changes);
    graph
}

fn follow(graph: &mut Known, changes: &EdgeChanges) {
    for changed in &changes.sources {
        graph.insert(changed.source, changed.edges.clone());
    }
    graph.retain(|_, edges| !edges.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, rng_seed: RngSeed::Fixed(0x5EED), failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens, who follows the changes of edges ends with what a newcomer reads, which is every edge
    /// between memories outside the trash.
    #[test]
    fn a_follower_of_edges_always_ends_where_the_store_is(
        steps in prop::collection::vec((0_u8..8, 0_usize..6, 0_usize..6, 1_u8..=10), 1..60),
    ) {
        let (_folder, store) = open();
        let all = keep_many(&*store, 6);
        let (mut graph, mut head) = (Known::new(), ChangeNumber(0));
        for (number, (step, one, other, weight)) in steps.into_iter().enumerate() {
            let (source, target) = (&all[one], &all[other]);
            let scope = Scope::All;
            let write = match step {
                0..=3 => {
                    let drawn = edge(source, target, f32::from(weight) / 10.0, number as i64);
                    link(&[drawn], 3, Missing::Refused)
                }
                4 => Write::Unlink {
                    namespace: ns("a"), source: source.id, target: target.id, edge_type: None, at: at(1),
                },
                5 => forget(source),
                6 => Write::Restore { scope, id: source.id, at: at(60) },
                _ => Write::Purge { scope, id: source.id, at: at(70) },
            };
            // Some of these are refused, which must change nothing that the follower would miss.
            drop(store.write(vec![write]));
            if number % 3 == 0 {
                let changes = store.edge_changes(&ns("a"), head).unwrap();
                follow(&mut graph, &changes);
                head = changes.head;
            }
        }
        follow(&mut graph, &store.edge_changes(&ns("a"), head).unwrap());
        prop_assert_eq!(&graph, &known(&store.edge_changes(&ns("a"), ChangeNumber(0)).unwrap()));
        let trash = peri_store::ListQuery { trashed: peri_store::Trashed::Only, ..Default::default() };
        let trash: Vec<_> = store.list(&trash).unwrap().memories.into_iter().map(|one| one.id).collect();
        let mut seen = store.all_edges(&ns("a")).unwrap();
        seen.retain(|edge| !trash.contains(&edge.source) && !trash.contains(&edge.target));
        prop_assert_eq!(store.stats(&Scope::All).unwrap()[0].edges, seen.len() as u64);
        prop_assert_eq!(graph.into_values().flatten().collect::<Vec<_>>(), seen);
        prop_assert!(store.check().unwrap().is_empty());
    }
}
