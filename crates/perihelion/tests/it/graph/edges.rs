//! Edges drawn by hand, and walks over them.

use jiff::SignedDuration;
use peri_graph::Admission;
use perihelion::{
    Clock, ConsolidationSettings, Direction, Edge, EdgeType, EdgeTypes, ErrorKind, GraphSettings, MemoryId,
    Namespace, NewEdge, Options, Perihelion, Remember, Scope, Timestamp, Walk,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::{drawn, link};
use crate::support::{ask, fresh, keep, kind_of, ns, open, options, time};

/// Nothing is linked, merged or replaced but by hand.
fn by_hand(folder: &std::path::Path, edges_max: usize, clock: Clock) -> Perihelion {
    let graph = GraphSettings { auto_link: false, edges_max, ..GraphSettings::default() };
    let consolidation =
        ConsolidationSettings { merge: false, supersede: false, ..ConsolidationSettings::default() };
    Perihelion::open(Options { graph, consolidation, clock, ..options(folder) }).unwrap()
}

fn fresh_by_hand() -> (tempfile::TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    let engine = by_hand(folder.path(), 20, Clock::system());
    (folder, engine)
}

fn keep_many(engine: &Perihelion, count: usize) -> Vec<MemoryId> {
    (0..count).map(|i| keep(engine, &format!("note number {i}"))).collect()
}

fn ends(edges: &[Edge]) -> Vec<(MemoryId, MemoryId)> {
    edges.iter().map(|edge| (edge.source, edge.target)).collect()
}

fn walked(engine: &Perihelion, walk: &Walk<'_>) -> Vec<(MemoryId, usize)> {
    let steps = engine.walk(&Namespace::default(), walk).unwrap();
    let mut found: Vec<_> = steps.into_iter().map(|step| (step.id, step.depth)).collect();
    found.sort();
    found
}

#[test]
fn an_edge_is_seen_from_both_ends_and_after_a_restart() {
    let (folder, engine) = fresh_by_hand();
    let [one, two, three] = keep_many(&engine, 3).try_into().unwrap();
    link(&engine, one, two);
    let light = NewEdge { edge_type: EdgeType::Sequence, weight: 0.25, ..drawn(three, one) };
    assert!(engine.link(&Scope::All, &light).unwrap());
    engine.close().unwrap();
    let engine = open(folder.path());
    let edges = |id| engine.edges(&Scope::All, id).unwrap();
    assert_eq!(ends(&edges(one)), [(one, two), (three, one)], "the heaviest first");
    assert_eq!((edges(one)[1].edge_type, edges(one)[1].weight), (EdgeType::Sequence, 0.25));
    assert_eq!((ends(&edges(two)), ends(&edges(three))), (vec![(one, two)], vec![(three, one)]));
}

#[test]
fn a_memory_keeps_twenty_outgoing_edges_and_any_number_of_incoming_ones() {
    let (_folder, engine) = fresh_by_hand();
    let ids = keep_many(&engine, 23);
    for (at, target) in ids[1..=20].iter().enumerate() {
        let weight = 0.5 + at as f32 / 100.0;
        assert!(engine.link(&Scope::All, &NewEdge { weight, ..drawn(ids[0], *target) }).unwrap());
        link(&engine, *target, ids[21]);
    }
    let outgoing = |engine: &Perihelion| {
        let mut edges = engine.edges(&Scope::All, ids[0]).unwrap();
        edges.retain(|edge| edge.source == ids[0]);
        edges.into_iter().map(|edge| edge.target).collect::<Vec<_>>()
    };
    assert!(engine.link(&Scope::All, &NewEdge { weight: 0.7, ..drawn(ids[0], ids[20]) }).unwrap());
    assert_eq!(outgoing(&engine).len(), 20, "a replaced edge lets nobody leave");
    assert!(!engine.link(&Scope::All, &NewEdge { weight: 0.1, ..drawn(ids[0], ids[22]) }).unwrap());
    assert!(!outgoing(&engine).contains(&ids[22]), "it would be the lightest itself");
    link(&engine, ids[0], ids[22]);
    let left = outgoing(&engine);
    assert!(left.len() == 20 && left.contains(&ids[22]) && !left.contains(&ids[1]), "the lightest left");
    assert_eq!(engine.edges(&Scope::All, ids[21]).unwrap().len(), 20);
}

#[derive(Debug, Clone)]
struct Draw {
    target: usize,
    edge_type: EdgeType,
    weight: u8,
    pause: bool,
}

fn draw() -> impl Strategy<Value = Draw> {
    let types = prop::sample::select(vec![EdgeType::RelatedTo, EdgeType::Sequence]);
    (1..7_usize, types, 0_u8..6, any::<bool>()).prop_map(|(target, edge_type, weight, pause)| Draw {
        target,
        edge_type,
        weight,
        pause,
    })
}

proptest! {
    #![proptest_config(Config {
        cases: 20,
        rng_seed: RngSeed::Fixed(0x5EED),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn outgoing_edges_are_those_that_the_rule_of_admission_leaves(
        steps in prop::collection::vec(draw(), 1..40),
        lowered in 1_usize..4,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(time("2026-01-01T00:00:00Z"));
        let mut engine = by_hand(folder.path(), 4, clock.clone());
        let batch = (0..7).map(|i| Remember::new(format!("note number {i}"))).collect();
        let ids: Vec<_> = engine.remember_all(batch).unwrap().into_iter().map(|one| one.id).collect();
        let (mut model, mut max): (Vec<Edge>, usize) = (Vec::new(), 4);
        for (number, step) in steps.iter().enumerate() {
            if step.pause {
                clock.advance(SignedDuration::from_secs(1));
            }
            if number == 25 {
                max = lowered;
                drop(engine);
                engine = by_hand(folder.path(), max, clock.clone());
            }
            let weight = f32::from(step.weight) / 5.0;
            let new = NewEdge { weight, edge_type: step.edge_type, ..drawn(ids[0], ids[step.target]) };
            let linked = engine.link(&Scope::All, &new);
            let (source, target, edge_type) = (new.source, new.target, new.edge_type);
            let edge = Edge { source, target, edge_type, weight, created_at: clock.now() };
            match peri_graph::admit(&model, edge, max) {
                Admission::Refused(_) => prop_assert_eq!(kind_of(linked), Some(ErrorKind::InvalidInput)),
                Admission::TooLight => prop_assert!(!linked.unwrap()),
                Admission::Replaces(old) => {
                    prop_assert!(linked.unwrap());
                    model.retain(|one| *one != old);
                    model.push(edge);
                }
                Admission::Added { evicted } => {
                    prop_assert!(linked.unwrap());
                    model.retain(|one| !evicted.contains(one));
                    model.push(edge);
                }
            }
            let mut kept = engine.edges(&Scope::All, ids[0]).unwrap();
            let key = |edge: &Edge| (edge.target, edge.edge_type);
            kept.sort_by_key(key);
            model.sort_by_key(key);
            prop_assert_eq!(&kept, &model);
        }
    }
}

#[test]
fn edges_hide_while_an_end_is_in_the_trash_and_go_with_a_purge_in_both_directions() {
    let (_folder, engine) = fresh_by_hand();
    let [one, two, three] = keep_many(&engine, 3).try_into().unwrap();
    for (source, target) in [(one, two), (two, three), (three, one)] {
        link(&engine, source, target);
    }
    let starts = [one];
    let seen = || {
        let stats = engine.stats(&Scope::All).unwrap().namespaces[0].edges;
        assert_eq!(engine.health().edges, stats);
        (engine.edges(&Scope::All, one).unwrap().len(), walked(&engine, &Walk::from(&starts)).len(), stats)
    };
    assert_eq!(seen(), (2, 2, 3));
    engine.forget(&Scope::All, two).unwrap();
    assert_eq!(seen(), (1, 1, 1));
    assert!(engine.edges(&Scope::All, two).unwrap().is_empty());
    engine.restore(&Scope::All, two).unwrap();
    assert_eq!(seen(), (2, 2, 3));
    engine.forget(&Scope::All, two).unwrap();
    engine.purge(&Scope::All, two).unwrap();
    assert_eq!(seen(), (1, 1, 1));
    assert!(engine.communities(&Namespace::default()).unwrap().groups.iter().flatten().all(|id| *id != two));
}

#[test]
fn edges_that_cannot_be_are_refused_and_change_nothing() {
    let (_folder, engine) = fresh_by_hand();
    let [one, two, gone] = keep_many(&engine, 3).try_into().unwrap();
    let elsewhere = engine.remember(Remember::new("elsewhere").in_namespace(ns("other"))).unwrap().id;
    engine.forget(&Scope::All, gone).unwrap();
    link(&engine, one, two);
    let before = (engine.edges(&Scope::All, one).unwrap(), engine.stats(&Scope::All).unwrap());
    for weight in [0.0, -0.5, 1.5, f32::NAN, f32::INFINITY] {
        let refused = engine.link(&Scope::All, &NewEdge { weight, ..drawn(one, two) });
        assert_eq!(kind_of(refused), Some(ErrorKind::InvalidInput), "{weight}");
    }
    assert_eq!(kind_of(engine.link(&Scope::All, &drawn(one, one))), Some(ErrorKind::InvalidInput));
    let unknown = MemoryId::generate(Timestamp::UNIX_EPOCH);
    for (source, target) in
        [(one, unknown), (unknown, one), (one, elsewhere), (elsewhere, one), (one, gone), (gone, one)]
    {
        let refused = engine.link(&Scope::All, &drawn(source, target));
        assert_eq!(kind_of(refused), Some(ErrorKind::NotFound), "{source} to {target}");
    }
    let outside = engine.link(&Scope::Exact(ns("other")), &drawn(one, two));
    assert_eq!(kind_of(outside), Some(ErrorKind::NotFound));
    assert_eq!((engine.edges(&Scope::All, one).unwrap(), engine.stats(&Scope::All).unwrap()), before);
}

#[test]
fn another_engine_sees_edges_come_and_go_on_its_next_call() {
    let (folder, writer) = fresh_by_hand();
    let reader = open(folder.path());
    let [one, two] = keep_many(&writer, 2).try_into().unwrap();
    let starts = [one];
    assert!(walked(&reader, &Walk::from(&starts)).is_empty());
    link(&writer, one, two);
    assert_eq!(walked(&reader, &Walk::from(&starts)), [(two, 1)]);
    assert_eq!(reader.path(&Namespace::default(), two, one).unwrap().unwrap().links.len(), 1);
    assert_eq!(reader.unlink(&Scope::All, one, two, Some(EdgeType::Sequence)).unwrap(), 0);
    assert_eq!(reader.unlink(&Scope::All, one, two, None).unwrap(), 1);
    assert!(walked(&writer, &Walk::from(&starts)).is_empty());
    assert!(writer.edges(&Scope::All, two).unwrap().is_empty());
}

#[test]
fn a_moved_namespace_takes_its_edges_along() {
    let (_folder, engine) = fresh_by_hand();
    let [one, two] = keep_many(&engine, 2).try_into().unwrap();
    link(&engine, one, two);
    let starts = [one];
    assert_eq!(walked(&engine, &Walk::from(&starts)).len(), 1);
    engine.move_namespace(&Namespace::default(), &ns("archive")).unwrap();
    assert!(walked(&engine, &Walk::from(&starts)).is_empty());
    assert_eq!(engine.walk(&ns("archive"), &Walk::from(&starts)).unwrap()[0].id, two);
    assert_eq!(ends(&engine.edges(&Scope::All, two).unwrap()), [(one, two)]);
}

#[test]
fn a_walk_goes_as_deep_and_which_way_it_is_told() {
    let (_folder, engine) = fresh_by_hand();
    let [before, start, next, last] = keep_many(&engine, 4).try_into().unwrap();
    for (source, target) in [(before, start), (start, next), (next, last)] {
        link(&engine, source, target);
    }
    let starts = [start];
    let walk = |direction, depth_max| walked(&engine, &Walk { direction, depth_max, ..Walk::from(&starts) });
    assert_eq!(walk(Direction::Outgoing, 1), [(next, 1)]);
    assert_eq!(walk(Direction::Outgoing, 2), [(next, 1), (last, 2)]);
    assert_eq!(walk(Direction::Incoming, 2), [(before, 1)]);
    assert_eq!(walk(Direction::Both, 1), [(before, 1), (next, 1)]);
    assert_eq!(walk(Direction::Both, 2), [(before, 1), (next, 1), (last, 2)]);
    let types = EdgeTypes::only(&[EdgeType::Sequence]);
    assert!(walked(&engine, &Walk { types, ..Walk::from(&starts) }).is_empty());
}

#[test]
fn an_edge_that_says_that_one_replaces_another_makes_it_so_and_without_it_both_hold() {
    let (_folder, engine) = fresh_by_hand();
    let [old, new] =
        ["The lamp in the hall is yellow", "The hall lamp glows violet"].map(|text| keep(&engine, text));
    let found = || -> Vec<_> { ask(&engine, "hall lamp").hits.iter().map(|hit| hit.memory.id).collect() };
    assert!(found().contains(&old) && found().contains(&new));
    let edge = NewEdge { source: new, target: old, edge_type: EdgeType::Supersedes, weight: 0.9 };
    assert!(engine.link(&Scope::All, &edge).unwrap());
    let successor = || engine.get(&Scope::All, old).unwrap().facets.superseded_by;
    assert_eq!((successor(), found()), (Some(new), vec![new]));
    assert!(engine.link(&Scope::All, &edge).unwrap(), "drawing it again changes nothing");
    let back = NewEdge { source: old, target: new, ..edge };
    assert!(engine.link(&Scope::All, &back).is_err(), "in a circle nothing would hold");
    assert_eq!(engine.unlink(&Scope::All, new, old, None).unwrap(), 1);
    assert_eq!(successor(), None);
    assert!(found().contains(&old) && found().contains(&new), "{:?}", found());
}

#[test]
fn what_was_replaced_by_itself_holds_again_when_the_edge_is_taken_away() {
    let (_folder, engine) = fresh();
    let old = keep(&engine, "默认分支是master");
    let new = keep(&engine, "默认分支现在是main");
    assert_eq!(engine.get(&Scope::All, old).unwrap().facets.superseded_by, Some(new));
    assert!(engine.unlink(&Scope::All, new, old, Some(EdgeType::Supersedes)).unwrap() > 0);
    assert_eq!(engine.get(&Scope::All, old).unwrap().facets.superseded_by, None);
    assert_eq!(ask(&engine, "默认分支").hits.len(), 2);
}

#[test]
fn what_was_merged_is_not_parted_by_taking_an_edge_away() {
    let (_folder, engine) = fresh();
    let one = keep(&engine, "We deploy on Mondays.");
    let absorbed = engine.remember(Remember::new("On Mondays we deploy.")).unwrap().absorbed.unwrap();
    let refused = engine.unlink(&Scope::All, one, absorbed, None);
    assert!(matches!(refused, Err(perihelion::Error::Merged { .. })), "{refused:?}");
    assert_eq!(engine.get(&Scope::All, absorbed).unwrap().facets.superseded_by, Some(one));
}

#[test]
fn who_asks_for_what_was_replaced_is_told_the_new_one_although_the_edge_had_to_leave() {
    let folder = tempfile::tempdir().unwrap();
    let graph = GraphSettings { edges_max: 1, auto_link: false, ..GraphSettings::default() };
    let engine = Perihelion::open(Options { graph, ..options(folder.path()) }).unwrap();
    let old = keep(&engine, "민수는 서울에 산다.");
    let new = keep(&engine, "민수는 부산으로 이사했다.");
    assert_eq!(engine.get(&Scope::All, old).unwrap().facets.superseded_by, Some(new));
    let other = keep(&engine, "Apple cake needs cinnamon");
    link(&engine, new, other);
    let edges = engine.edges(&Scope::All, new).unwrap();
    assert!(edges.iter().all(|edge| edge.edge_type != EdgeType::Supersedes), "it has left: {edges:?}");
    assert_eq!(ask(&engine, "서울").hits.first().map(|hit| hit.memory.id), Some(new));
}

#[test]
fn a_walk_comes_to_the_same_memories_whether_or_not_the_graph_is_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let ids: Vec<MemoryId> = {
        let engine = open(folder.path());
        let ids: Vec<_> = (0..40).map(|n| keep(&engine, &format!("bird{n}x"))).collect();
        for (at, source) in ids.iter().enumerate() {
            for target in [ids[(at * 7 + 3) % 40], ids[(at * 3 + 1) % 40]].iter().filter(|id| *id != source) {
                let edge_type = if at % 3 == 0 { EdgeType::Sequence } else { EdgeType::RelatedTo };
                let weight = 0.1 + at as f32 / 50.0;
                engine
                    .link(&Scope::All, &NewEdge { source: *source, target: *target, edge_type, weight })
                    .unwrap();
            }
        }
        ids
    };
    let cold = open(folder.path());
    let warm = open(folder.path());
    let here = Namespace::default();
    // Far enough that the whole graph is read.
    let far = Walk { depth_max: 100, limit: 1000, ..Walk::from(&ids) };
    warm.walk(&here, &far).unwrap();
    warm.path(&here, ids[0], ids[1]).unwrap();
    for direction in [Direction::Both, Direction::Outgoing, Direction::Incoming] {
        for (depth_max, limit) in [(1, 100), (2, 100), (2, 3), (4, 100), (4, 5)] {
            for types in [EdgeTypes::ALL, EdgeTypes::only(&[EdgeType::Sequence])] {
                let walk = Walk { direction, depth_max, limit, types, ..Walk::from(&ids[3..5]) };
                let steps = cold.walk(&here, &walk).unwrap();
                assert_eq!(steps, warm.walk(&here, &walk).unwrap(), "{walk:?}");
            }
        }
    }
}
