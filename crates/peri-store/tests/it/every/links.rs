//! Links that were looked for, edges page by page, and who makes a statement.

use peri_store::{ListQuery, Missing, Order, Store, Write, Written};
use peri_types::{Edge, EdgeType, Fingerprint, MemoryId, Scope};

use super::{forget, get, make, nobody};
use crate::support::{at, keep, ns, open};

fn unlinked(store: &dyn Store) -> Vec<String> {
    let query = ListQuery { unlinked: true, order: Order::OldestFirst, ..ListQuery::default() };
    let mut found: Vec<_> = store.list(&query).unwrap().memories.into_iter().map(|one| one.content).collect();
    found.sort();
    found
}

#[test]
fn memories_whose_links_were_looked_for_no_longer_wait_for_it() {
    let (_house, store) = open();
    let [one, two, three] = ["1 하나", "2 둘", "3 셋"].map(|content| keep(&*store, "a", content));
    let elsewhere = keep(&*store, "b", "4 elsewhere");
    let head = store.head(&ns("a")).unwrap();
    let mark = |namespace: &str, ids: &[MemoryId]| {
        make(&*store, Write::MarkLinked { namespace: ns(namespace), ids: ids.to_vec() })
    };
    assert_eq!(mark("a", &[]), Written::Done);
    assert_eq!(mark("a", &[nobody(), elsewhere.id]), Written::Done);
    assert_eq!(unlinked(&*store), ["1 하나", "2 둘", "3 셋", "4 elsewhere"]);
    assert_eq!(mark("a", &[one.id, nobody(), three.id]), Written::Done);
    assert_eq!(mark("a", &[one.id]), Written::Done);
    assert_eq!(unlinked(&*store), ["2 둘", "4 elsewhere"]);
    let stats = store.stats(&Scope::All).unwrap();
    assert_eq!(stats.iter().map(|one| one.unlinked).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(store.head(&ns("a")).unwrap(), head, "it is no change");
    assert_eq!((get(&*store, one.id), get(&*store, two.id)), (Some(one), Some(two)));
}

#[test]
fn edges_are_read_page_by_page_in_the_order_of_all() {
    let (_house, store) = open();
    let all: Vec<_> = (0..5).map(|n| keep(&*store, "a", &format!("기억 {n}"))).collect();
    let mut edges = Vec::new();
    for (n, source) in all.iter().enumerate() {
        for (m, target) in all.iter().enumerate().filter(|(m, _)| *m != n) {
            for edge_type in [EdgeType::RelatedTo, EdgeType::Sequence].into_iter().take(1 + (n + m) % 2) {
                let (weight, created_at) = (0.25 + 0.125 * m as f32, at(n as i64));
                edges.push(Edge { source: source.id, target: target.id, edge_type, weight, created_at });
            }
        }
    }
    let link = Write::Link { namespace: ns("a"), edges: edges.clone(), max: 20, missing: Missing::Refused };
    assert_eq!(make(&*store, link), Written::Linked(edges.len() as u64));
    make(&*store, forget(&all[0], 9));
    let key = |edge: &Edge| (edge.source, edge.edge_type, edge.target);
    edges.sort_by_key(key);
    assert_eq!(store.all_edges(&ns("a")).unwrap(), edges, "those of the trash too");
    for size in [1, 2, 7, 100] {
        let mut read: Vec<Edge> = Vec::new();
        loop {
            let page = store.edges_after(&ns("a"), read.last().map(key), size).unwrap();
            assert!(page.len() <= size);
            if page.is_empty() {
                break;
            }
            read.extend(page);
        }
        assert_eq!(read, edges, "{size} at a time");
    }
    let first = MemoryId::from_bytes([0; 16]);
    assert_eq!(
        store.edges_after(&ns("a"), Some((first, EdgeType::Supersedes, first)), 1).unwrap(),
        edges[..1]
    );
    assert_eq!(store.edges_after(&ns("a"), None, 0).unwrap(), []);
    assert_eq!(store.edges_after(&ns("b"), None, 9).unwrap(), []);
}

#[test]
fn a_statement_is_said_by_the_memory_outside_the_trash_that_makes_it() {
    let (_house, store) = open();
    let [one, two] = ["金曜日に出す", "Die Straße"].map(|content| keep(&*store, "a", content));
    let elsewhere = keep(&*store, "b", "elsewhere");
    let said_by = |namespace: &str, said| store.said_by(&ns(namespace), said).unwrap();
    for memory in [&one, &two] {
        assert_eq!(said_by("a", memory.fingerprint()), Some(memory.id));
    }
    assert_eq!(said_by("b", one.fingerprint()), None);
    assert_eq!(said_by("a", elsewhere.fingerprint()), None);
    assert_eq!(said_by("nowhere", one.fingerprint()), None);
    assert_eq!(said_by("a", Fingerprint::of("die straße", None, None, None)), None);
    make(&*store, forget(&one, 5));
    assert_eq!(said_by("a", one.fingerprint()), None);
}
