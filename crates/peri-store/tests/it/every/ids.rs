//! Ids that come along: what another namespace holds stays its own.

use peri_store::{
    Adopted, Embedding, GIVEN_ID, IdOrigin, Links, Missing, NewMemory, OnConflict, StoreError, WholeMemory,
    Write, Written,
};
use peri_types::{Edge, EdgeType, Memory, MemoryId, Scope};

use super::{forget, get, make, store_it};
use crate::support::{at, memory, ns, open};

fn remember(memory: Memory, id: IdOrigin) -> Write {
    let (embedding, links) = (Embedding::Pending, Links::Sought);
    Write::Remember(Box::new(NewMemory { memory, embedding, links, id }))
}

fn with_id(namespace: &str, content: &str, id: MemoryId) -> Memory {
    Memory { id, ..memory(namespace, content) }
}

fn stored(written: Written) -> Memory {
    match written {
        Written::Stored(memory) => *memory,
        other => panic!("not stored: {other:?}"),
    }
}

fn whole(memory: Memory) -> Write {
    let whole = WholeMemory {
        memory,
        versions: Vec::new(),
        recalls: 0,
        last_used_at: None,
        embedding: Embedding::Pending,
        merge: None,
        links: Links::Sought,
    };
    Write::Adopt { whole: Box::new(whole), on_conflict: OnConflict::Keep, at: at(9) }
}

#[test]
fn a_given_id_that_another_namespace_holds_becomes_another_one_and_stays_known() {
    let (_house, store) = open();
    let own = store_it(&*store, memory("b", "walnuts"), 0.5);
    let squatter = stored(make(&*store, remember(with_id("a", "almonds", own.id), IdOrigin::Given)));
    assert_eq!(squatter.id, own.id.within(&ns("a")));
    assert_eq!(squatter.facets.metadata[GIVEN_ID], own.id.to_string());
    assert_eq!(get(&*store, own.id).unwrap().content, "walnuts", "and it names one memory alone");
    // Once more, it is the same memory; and an id that nobody holds stays as it is.
    let again = make(&*store, remember(with_id("a", "almonds", own.id), IdOrigin::Given));
    assert!(matches!(again, Written::Merged(memory) if memory.id == squatter.id));
    let free = MemoryId::from_bytes([7; 16]);
    assert_eq!(stored(make(&*store, remember(with_id("a", "pecans", free), IdOrigin::Given))).id, free);
}

#[test]
fn a_call_within_a_namespace_finds_a_memory_by_the_id_it_came_with() {
    let (_house, store) = open();
    let own = store_it(&*store, memory("b", "walnuts"), 0.5);
    let squatter = stored(make(&*store, remember(with_id("a", "almonds", own.id), IdOrigin::Given)));
    let by_given_id = Memory { id: own.id, ..squatter.clone() };
    assert!(
        matches!(make(&*store, forget(&by_given_id, 5)), Written::Forgotten(memory) if memory.id == squatter.id)
    );
    assert!(get(&*store, own.id).unwrap().trashed_at.is_none());
    let purge = Write::Purge { scope: Scope::Exact(ns("a")), id: own.id, at: at(6) };
    assert_eq!(make(&*store, purge), Written::Purged(1));
    assert_eq!(get(&*store, squatter.id), None);
    assert_eq!(get(&*store, own.id).unwrap().content, "walnuts");
}

#[test]
fn what_is_taken_over_into_another_namespace_keeps_its_relations_under_ids_of_its_own() {
    let (_house, store) = open();
    let [one, two] = ["하나", "둘"].map(|content| store_it(&*store, memory("a", content), 0.5));
    let mut older = with_id("b", "하나", one.id);
    older.facets.superseded_by = Some(two.id);
    let newer = with_id("b", "둘", two.id);
    let edge_type = EdgeType::RelatedTo;
    let edge = Edge { source: two.id, target: one.id, edge_type, weight: 0.5, created_at: at(3) };
    let link = Write::Link { namespace: ns("b"), edges: vec![edge], max: 9, missing: Missing::Skipped };
    for expected in [Adopted::Added, Adopted::Known] {
        let made = store.write(vec![whole(older.clone()), whole(newer.clone()), link.clone()]).unwrap();
        assert_eq!(made[..2], [Written::Adopted(expected), Written::Adopted(expected)]);
    }
    let [own_one, own_two] = [&one, &two].map(|memory| memory.id.within(&ns("b")));
    assert_eq!(get(&*store, own_one).unwrap().facets.superseded_by, Some(own_two));
    let edges = store.all_edges(&ns("b")).unwrap();
    assert_eq!(edges.iter().map(|edge| (edge.source, edge.target)).collect::<Vec<_>>(), [(own_two, own_one)]);
    assert_eq!(store.all_edges(&ns("a")).unwrap(), []);
    assert_eq!(get(&*store, one.id).unwrap().facets.superseded_by, None);
}

#[test]
fn an_id_that_an_older_store_holds_twice_is_named_as_ambiguous_and_reached_by_its_namespace() {
    let (_house, store) = open();
    let own = store_it(&*store, memory("team/b", "walnuts"), 0.5);
    // As releases before this one did.
    stored(make(&*store, remember(with_id("team/a", "almonds", own.id), IdOrigin::Drawn)));
    let error = store.get(&Scope::All, &[own.id]).unwrap_err();
    let named = |error: &StoreError| match error {
        StoreError::Ambiguous { namespaces, .. } => namespaces.clone(),
        other => panic!("{other}"),
    };
    assert_eq!(named(&error), [ns("team/a"), ns("team/b")]);
    let forget_any = Write::Forget { scope: "team/*".parse().unwrap(), id: own.id, at: at(4) };
    assert_eq!(named(&store.write(vec![forget_any]).unwrap_err()), [ns("team/a"), ns("team/b")]);
    let exact = |namespace| store.get(&Scope::Exact(ns(namespace)), &[own.id]).unwrap().pop().unwrap();
    assert_eq!((exact("team/a").content, exact("team/b").content), ("almonds".into(), "walnuts".into()));
    make(&*store, forget(&own, 5));
    assert!(exact("team/a").trashed_at.is_none() && exact("team/b").trashed_at.is_some());
    drop(store);
}
