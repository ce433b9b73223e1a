//! The graph to look at: the same ranks and groups as by themselves, with the edges between what is shown.

use std::collections::HashMap;

use perihelion::{
    Clock, EdgeType, MemoryId, Namespace, NewEdge, OrbitSettings, PageRankSettings, Perihelion, Revise, Scope,
};

use crate::orbit::{important, plain, start};
use crate::support::{Random, ns};

fn fresh() -> (tempfile::TempDir, Perihelion) {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let mut options = plain(folder.path(), &clock, OrbitSettings::default());
    options.graph.auto_link = false;
    (folder, Perihelion::open(options).unwrap())
}

fn draw(engine: &Perihelion, source: MemoryId, target: MemoryId, edge_type: EdgeType, weight: f32) {
    engine.link(&Scope::All, &NewEdge { source, target, edge_type, weight }).unwrap();
}

fn keep(engine: &Perihelion, n: usize) -> MemoryId {
    engine.remember(important(format!("기억 {n} 记忆"), 0.5)).unwrap().id
}

#[test]
fn the_picture_has_the_ranks_and_groups_that_are_told_by_themselves() {
    for seed in 0..5 {
        let (_folder, engine) = fresh();
        let mut random = Random(seed);
        let ids: Vec<MemoryId> = (0..40).map(|n| keep(&engine, n)).collect();
        for _ in 0..70 {
            let (a, b) = (random.below(40) as usize, random.below(40) as usize);
            if a / 8 == b / 8 && a != b {
                draw(&engine, ids[a], ids[b], EdgeType::RelatedTo, 0.2 + random.below(8) as f32 / 10.0);
            }
        }
        engine.forget(&Scope::All, ids[3]).unwrap();
        let replaced = Revise { superseded_by: Some(Some(ids[9])), ..Revise::default() };
        engine.revise(&Scope::All, ids[8], replaced).unwrap();
        let namespace = Namespace::default();
        let picture = engine.graph_picture(&namespace, 1000).unwrap();
        let ranks = engine.pagerank(&namespace, &PageRankSettings::default()).unwrap();
        assert_eq!(picture.nodes.iter().map(|node| (node.id, node.rank)).collect::<Vec<_>>(), ranks);
        let communities = engine.communities(&namespace).unwrap();
        let groups: Vec<_> = communities.groups.into_iter().filter(|group| group.len() > 1).collect();
        assert_eq!((picture.communities, picture.modularity), (groups.len() as u64, communities.modularity));
        let mut told: HashMap<u64, Vec<MemoryId>> = HashMap::new();
        for node in &picture.nodes {
            if let Some(community) = node.community {
                told.entry(community).or_default().push(node.id);
            }
        }
        for (number, group) in groups.iter().enumerate() {
            let told = told.get_mut(&(number as u64)).unwrap();
            told.sort_unstable();
            assert_eq!(told, group, "seed {seed}");
        }
        let shown: usize = picture.nodes.iter().map(|node| node.degree as usize).sum();
        assert_eq!((picture.total_edges, picture.edges.len() * 2), (picture.edges.len() as u64, shown));
        assert!(picture.nodes.iter().all(|node| node.id != ids[3] && node.id != ids[8]), "what holds alone");
    }
}

#[test]
fn a_limit_shows_the_most_central_and_only_edges_between_them() {
    let (_folder, engine) = fresh();
    let ids: Vec<MemoryId> = (0..6).map(|n| keep(&engine, n)).collect();
    for n in 1..5 {
        draw(&engine, ids[n], ids[0], EdgeType::Sequence, 1.0);
    }
    draw(&engine, ids[0], ids[1], EdgeType::RelatedTo, 0.5);
    let all = engine.graph_picture(&Namespace::default(), 100).unwrap();
    assert_eq!((all.total_nodes, all.total_edges), (5, 5), "one is without edges");
    let few = engine.graph_picture(&Namespace::default(), 2).unwrap();
    assert_eq!(few.nodes[..], all.nodes[..2]);
    assert_eq!((few.total_nodes, few.total_edges, few.communities), (5, 5, all.communities));
    let ends = |n: usize| few.nodes.iter().position(|node| node.id == ids[n]).unwrap() as u64;
    let mut edges: Vec<_> = few.edges.iter().map(|edge| (edge.source, edge.target, edge.edge_type)).collect();
    edges.sort_unstable();
    let mut expected = [(ends(1), ends(0), EdgeType::Sequence), (ends(0), ends(1), EdgeType::RelatedTo)];
    expected.sort_unstable();
    assert_eq!(edges, expected);
    assert_eq!(
        (few.nodes[0].id, few.nodes[0].degree, few.nodes[0].label.as_str()),
        (ids[0], 5, "기억 0 记忆")
    );
    assert_eq!(engine.graph_picture(&ns("nowhere"), 9).unwrap().nodes, []);
}

#[test]
fn that_two_contradict_each_other_is_shown_and_makes_neither_central() {
    let (_folder, engine) = fresh();
    let ids: Vec<MemoryId> = (0..2).map(|n| keep(&engine, n)).collect();
    draw(&engine, ids[0], ids[1], EdgeType::Contradicts, 1.0);
    let picture = engine.graph_picture(&Namespace::default(), 10).unwrap();
    assert_eq!((picture.nodes.len(), picture.edges.len(), picture.communities), (2, 1, 0));
    assert!(
        picture.nodes.iter().all(|node| node.rank == 0.0 && node.community.is_none() && node.degree == 1)
    );
    assert_eq!(picture.edges[0].edge_type, EdgeType::Contradicts);
}
