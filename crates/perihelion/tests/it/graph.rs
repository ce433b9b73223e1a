//! The graph: edges drawn by hand, links that are found, and what both bring to a recall.

mod boost;
mod edges;
pub mod found;
mod picture;

use perihelion::{EdgeType, MemoryId, Namespace, NewEdge, PageRankSettings, Perihelion, Recall, Scope};

use crate::support::{ask, keep, options};

/// A link as strong as one can be, which says that somebody drew it.
pub fn drawn(source: MemoryId, target: MemoryId) -> NewEdge {
    NewEdge { source, target, edge_type: EdgeType::RelatedTo, weight: 1.0 }
}

pub fn link(engine: &Perihelion, source: MemoryId, target: MemoryId) {
    assert!(engine.link(&Scope::All, &drawn(source, target)).unwrap());
}

#[test]
fn what_was_replaced_is_neither_ranked_nor_grouped() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    let old = keep(&engine, "The staging server is Ganymede");
    let new = keep(&engine, "The staging server is Callisto now");
    let other = keep(&engine, "Deployments go through the staging server first");
    link(&engine, new, other);
    assert_eq!(engine.get(&Scope::All, old).unwrap().facets.superseded_by, Some(new));
    let namespace = Namespace::default();
    let ranked = engine.pagerank(&namespace, &PageRankSettings::default()).unwrap();
    assert!(
        ranked.iter().all(|(id, _)| *id != old) && ranked.iter().any(|(id, _)| *id == other),
        "{ranked:?}"
    );
    let groups = engine.communities(&namespace).unwrap().groups;
    assert!(groups.iter().flatten().all(|id| *id != old), "{groups:?}");
}

#[test]
fn who_asks_for_what_was_replaced_is_told_what_replaced_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    keep(&engine, "We use SQLAlchemy for the orders service");
    let new = keep(&engine, "We switched from SQLAlchemy to plain asyncpg");
    let newest = keep(&engine, "The orders service talks to its database through sqlc");
    let revise = perihelion::Revise { superseded_by: Some(Some(newest)), ..perihelion::Revise::default() };
    engine.revise(&Scope::All, new, revise).unwrap();
    let hits = engine.recall(&Recall::new("SQLAlchemy session handling")).unwrap().hits;
    let found: Vec<_> = hits.iter().map(|hit| hit.memory.id).collect();
    assert_eq!(found, [newest], "{hits:?}");
    assert!(ask(&engine, "asyncpg pool size").hits.iter().any(|hit| hit.memory.id == newest));
}

#[test]
fn links_are_found_alike_in_the_store_and_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    let heron = keep(&engine, "a heron stood by the lake");
    let key = keep(&engine, "the boathouse key hangs behind the door");
    keep(&engine, "Ana lives in Berlin");
    keep(&engine, "Ana moved to Lisbon");
    link(&engine, heron, key);
    let found = |query: &str| {
        let hits = ask(&engine, query).hits;
        hits.into_iter().map(|hit| (hit.memory.id, hit.explanation)).collect::<Vec<_>>()
    };
    let queries = ["heron", "boathouse", "Berlin", "Ana"];
    let cold = queries.map(found);
    engine.maintain().unwrap();
    assert_eq!(queries.map(found), cold);
    assert_eq!(cold[0].iter().map(|(id, _)| *id).collect::<Vec<_>>(), [heron, key]);
}
