//! Every part of a memory that can be changed, and taken away again.

use peri_store::{Embedding, Revision, Store, Write, Written};
use peri_types::{Importance, Kind, Layer, Memory, MemoryId, Scope};
use serde_json::json;

use super::{forget, get, make, store_it, vector_of};
use crate::support::{at, keep, ns, open, vector};

fn revise(store: &dyn Store, id: MemoryId, revision: Revision, second: i64) -> Memory {
    let (scope, revision, expected_version) = (Scope::Exact(ns("a")), Box::new(revision), None);
    match make(store, Write::Revise { scope, id, revision, expected_version, at: at(second) }) {
        Written::Revised(memory) => *memory,
        other => panic!("not revised: {other:?}"),
    }
}

fn object(value: serde_json::Value) -> serde_json::Map<String, serde_json::Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn every_part_is_changed_and_those_that_may_be_are_taken_away_again() {
    let (_house, store) = open();
    let (one, newer) = (keep(&*store, "a", "하나"), keep(&*store, "a", "newer"));
    let mut context = peri_types::Context::default();
    context.add("spatial.장소=서울 🍵".parse().unwrap());
    let revision = Revision {
        content: Some(("둘".into(), Embedding::Ready(vector(0.75)))),
        layer: Some(Layer::Episodic),
        kind: Some(Kind::Decision),
        importance: Some(Importance::new(0.7).unwrap()),
        tags: Some(vec!["꼬리표".into()]),
        aliases: Some(vec!["别名".into()]),
        pinned: Some(true),
        expires_at: Some(Some(at(1000))),
        superseded_by: Some(Some(newer.id)),
        valid_from: Some(Some(at(-5))),
        valid_until: Some(Some(at(500))),
        metadata: Some(object(json!({ "깊이": [1.5, null, { "a": "\"" }] }))),
        context: Some(context.clone()),
        data: Some(Some(json!({ "값": 1e-7 }))),
        source: Some("새 이름.md".into()),
    };
    let revised = revise(&*store, one.id, revision.clone(), 10);
    let mut expected = Memory { version: 2, updated_at: at(10), change: revised.change, ..one.clone() };
    expected.content = "둘".into();
    (expected.layer, expected.kind) = (Layer::Episodic, Kind::Decision);
    expected.importance = Importance::new(0.7).unwrap();
    expected.facets = peri_types::Facets {
        tags: vec!["꼬리표".into()],
        aliases: vec!["别名".into()],
        pinned: true,
        expires_at: Some(at(1000)),
        superseded_by: Some(newer.id),
        valid_from: Some(at(-5)),
        valid_until: Some(at(500)),
        metadata: revision.metadata.unwrap(),
        context,
        data: Some(json!({ "값": 1e-7 })),
        source: Some("새 이름.md".into()),
        ..one.facets.clone()
    };
    assert_eq!(revised, expected);
    assert_eq!(get(&*store, one.id), Some(expected.clone()));
    assert_eq!(vector_of(&*store, &revised), Some(vector(0.75).values));
    assert_eq!(store.versions(&ns("a"), one.id).unwrap()[0].content, "하나");

    let away = Revision {
        tags: Some(Vec::new()),
        pinned: Some(false),
        expires_at: Some(None),
        superseded_by: Some(None),
        valid_from: Some(None),
        valid_until: Some(None),
        metadata: Some(serde_json::Map::new()),
        data: Some(None),
        ..Revision::default()
    };
    let revised = revise(&*store, one.id, away, 20);
    (expected.version, expected.updated_at, expected.change) = (3, at(20), revised.change);
    let facets = &mut expected.facets;
    (facets.tags, facets.pinned, facets.expires_at) = (Vec::new(), false, None);
    (facets.superseded_by, facets.valid_from, facets.valid_until) = (None, None, None);
    (facets.metadata, facets.data) = (serde_json::Map::new(), None);
    assert_eq!(revised, expected, "what was left out stays");
    assert_eq!(get(&*store, one.id), Some(expected));
    assert_eq!(store.versions(&ns("a"), one.id).unwrap().len(), 1, "it said the same");
}

#[test]
fn what_was_destroyed_is_in_no_page_of_an_embedded_store() {
    let (house, store) = open();
    let word = "kumquat-5d2c";
    let long = format!("{word} {}", "and so on ".repeat(2000));
    let memory = store_it(&*store, crate::support::memory("a", &long), 0.5);
    let content = Some((format!("shorter, {word}"), Embedding::Pending));
    let revision = Box::new(Revision { content, ..Revision::default() });
    let scope = Scope::Exact(ns("a"));
    let revise =
        Write::Revise { scope: scope.clone(), id: memory.id, revision, expected_version: None, at: at(3) };
    make(&*store, revise);
    make(&*store, forget(&memory, 4));
    make(&*store, Write::Purge { scope, id: memory.id, at: at(5) });
    assert!(store.scrub().unwrap());
    for end in ["", "-wal"] {
        let file = house.path().join(format!("perihelion.db{end}"));
        // On a server there is none.
        let bytes = std::fs::read(file).unwrap_or_default();
        assert!(!bytes.windows(word.len()).any(|part| part == word.as_bytes()), "perihelion.db{end}");
    }
}
