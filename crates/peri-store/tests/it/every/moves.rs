//! A namespace that moves to where its like is already.

use peri_store::{FeedbackRecord, LoadedRows, Missing, Session, Store, Write, Written};
use peri_types::{Edge, EdgeType, Layer, Memory, Scope};

use super::{get, make, of_layer, store_it};
use crate::support::{at, keep, ns, open};

fn session(namespace: &str, name: &str, second: i64) -> Session {
    let (namespace, name, started_at) = (ns(namespace), name.to_owned(), at(second));
    Session { namespace, name, started_at, ended_at: None, summary: None }
}

fn learn(store: &dyn Store, namespace: &str) {
    let feedback =
        FeedbackRecord { namespace: ns(namespace), at: at(1), query: "물음".into(), results: Vec::new() };
    let (value, reason) = (serde_json::json!({ "recall": 0.5 }), namespace.to_owned());
    let weights = Write::SetWeights { namespace: ns(namespace), value, reason, at: at(1) };
    store.write(vec![Write::Judge(Box::new(feedback)), weights]).unwrap();
}

fn move_to_b(store: &dyn Store) -> Written {
    make(store, Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(90) })
}

#[test]
fn what_is_at_the_new_place_stays_and_the_rest_comes_along() {
    let (_house, store) = open();
    let sessions = [("a", "회의", 1), ("a", "only a", 2), ("b", "회의", 3), ("b", "only b", 4)];
    let adopt = |(namespace, name, second)| Write::AdoptSession(Box::new(session(namespace, name, second)));
    store.write(sessions.map(adopt).to_vec()).unwrap();
    learn(&*store, "a");
    learn(&*store, "b");
    let (learned, weights) = (store.feedback(&ns("b"), 9).unwrap(), store.weights(&ns("b")).unwrap());
    let [one, two] = ["하나", "둘"].map(|content| keep(&*store, "a", content));
    let (edge_type, weight, created_at) = (EdgeType::Sequence, 0.5, at(3));
    let edge = Edge { source: one.id, target: two.id, edge_type, weight, created_at };
    let settled = Write::AdoptSettled { namespace: ns("a"), settled_at: at(7) };
    let link = Write::Link { namespace: ns("a"), edges: vec![edge], max: 9, missing: Missing::Refused };
    store.write(vec![settled, link]).unwrap();

    assert_eq!(move_to_b(&*store), Written::NamespaceGone { memories: 2, repeated: 0 });
    let there = [session("b", "only b", 4), session("b", "회의", 3), session("b", "only a", 2)];
    assert_eq!(store.sessions(&Scope::All, 9).unwrap(), there);
    assert_eq!((store.feedback(&ns("a"), 9).unwrap(), store.weights(&ns("a")).unwrap()), (vec![], vec![]));
    assert_eq!((store.feedback(&ns("b"), 9).unwrap(), store.weights(&ns("b")).unwrap()), (learned, weights));
    assert_eq!(
        (store.all_edges(&ns("a")).unwrap(), store.all_edges(&ns("b")).unwrap()),
        (vec![], vec![edge])
    );
    assert_eq!(store.orbit(&ns("b")).unwrap().settled_at, Some(at(7)));
}

#[test]
fn what_was_promoted_and_what_working_memory_holds_move_as_they_are() {
    let (_house, store) = open();
    let source = store_it(&*store, of_layer(Layer::Episodic, Some("회의"), "출처", 1), 0.25);
    let held = store_it(&*store, super::under_key(None, "목표", "이사", 2), 0.5);
    let (namespace, sources) = (ns("a"), vec![source.id]);
    let write = Write::Promote { namespace, sources, to: Layer::LongTerm, at: at(60) };
    let Written::Promoted(Some(promoted)) = make(&*store, write) else { panic!() };
    assert_eq!(move_to_b(&*store), Written::NamespaceGone { memories: 3, repeated: 0 });
    let moved = |memory: &Memory| {
        let change = get(&*store, memory.id).unwrap().change;
        Some(Memory { namespace: ns("b"), change, ..memory.clone() })
    };
    assert_eq!(store.working_value(&ns("b"), None, "목표").unwrap(), moved(&held));
    assert_eq!(get(&*store, promoted.id), moved(&promoted));
    let undo = Write::UndoPromotion {
        scope: Scope::Exact(ns("b")),
        id: promoted.id,
        working_until: None,
        at: at(95),
    };
    let Written::PromotionUndone(back) = make(&*store, undo) else { panic!() };
    assert_eq!(back.iter().map(|memory| memory.id).collect::<Vec<_>>(), [source.id]);
    assert_eq!(store.stats(&Scope::Exact(ns("a"))).unwrap().iter().map(|one| one.memories).sum::<u64>(), 0);
}

#[test]
fn rows_that_came_together_leave_together_and_nothing_else_does() {
    let (_house, store) = open();
    learn(&*store, "a");
    let sessions = ["loaded", "own"].map(|name| Write::AdoptSession(Box::new(session("a", name, 1))));
    store.write(sessions.to_vec()).unwrap();
    let [one, two] = ["하나", "둘"].map(|content| keep(&*store, "a", content));
    learn(&*store, "a");
    let learned = |name: &str| Write::SetLearned {
        namespace: ns("a"),
        name: name.to_owned(),
        value: serde_json::json!(1),
        reason: "x".to_owned(),
        at: at(2),
    };
    store.write(vec![learned("router"), learned("router")]).unwrap();
    let rows = LoadedRows {
        memories: vec![one.id],
        sessions: vec!["loaded".to_owned()],
        learned: vec![("router".to_owned(), 1)],
        feedback_through: 1,
        weights_through: 1,
        ..LoadedRows::default()
    };
    let remove = Write::RemoveLoaded { namespace: ns("a"), rows: Box::new(rows), at: at(5) };
    assert_eq!(make(&*store, remove.clone()), Written::Purged(1));
    assert_eq!((get(&*store, one.id), get(&*store, two.id).map(|memory| memory.id)), (None, Some(two.id)));
    assert_eq!(store.sessions(&Scope::All, 9).unwrap(), [session("a", "own", 1)]);
    let numbers =
        |sets: Vec<peri_store::LearnedSet>| sets.into_iter().map(|set| set.number).collect::<Vec<_>>();
    assert_eq!(numbers(store.learned(&ns("a"), "router", 0, 9).unwrap()), [2]);
    assert_eq!((store.feedback(&ns("a"), 9).unwrap().len(), store.weights(&ns("a")).unwrap().len()), (1, 1));
    assert_eq!(make(&*store, remove), Written::Purged(0), "and once more changes nothing");
}
