//! Every condition of a list, against its definition.

use peri_store::{Embedding, ListQuery, Store, Trashed};
use peri_types::{Aspect, Circumstance, Filter, Layer, Memory};

use super::{expiring, forget, make, of_layer, store_it};
use crate::support::{at, memory, open, remember, vector};

/// Texts that one database or another might take for something else, or two of them for the same.
const TEXTS: [&str; 18] = [
    "plain",
    "Plain",
    "plain ",
    "가나",
    "각",
    "茶",
    "🍵",
    "é",
    "e\u{301}",
    "quo\"te",
    "back\\slash",
    "a.b",
    "$[0]",
    "tab\tand\nline",
    "'single'",
    "%_",
    "null",
    "\u{1}",
];

fn listed(store: &dyn Store, query: &ListQuery) -> Vec<String> {
    let query = ListQuery { limit: 1000, ..query.clone() };
    let mut found: Vec<_> = store.list(&query).unwrap().memories.into_iter().map(|one| one.content).collect();
    found.sort();
    found
}

#[track_caller]
fn check(store: &dyn Store, all: &[Memory], filter: Filter) {
    let matching = all.iter().filter(|memory| filter.matches(memory));
    let mut expected: Vec<_> = matching.map(|memory| memory.content.clone()).collect();
    expected.sort();
    assert!(!expected.is_empty(), "{filter:?} lets nothing through");
    assert_eq!(
        listed(store, &ListQuery { filter: filter.clone(), ..ListQuery::default() }),
        expected,
        "{filter:?}"
    );
}

/// One memory for each text, which has it for a tag, a session, a speaker, and a name and a value of its circumstances.
fn one_for_each_text(store: &dyn Store) -> Vec<Memory> {
    let made = TEXTS.iter().enumerate().map(|(n, text)| {
        let mut made = of_layer(Layer::Episodic, Some(text), &format!("기억 {n:02}"), n as i64);
        made.facets.tags = vec![TEXTS[(n + 1) % TEXTS.len()].into(), (*text).into()];
        made.facets.speaker = Some((*text).into());
        let aspect = Aspect::ALL[n % Aspect::ALL.len()];
        let value = TEXTS[(n + 2) % TEXTS.len()].to_owned();
        made.facets.context.add(Circumstance { aspect, name: (*text).into(), value });
        made.facets.context.add(Circumstance { aspect, name: "everywhere".into(), value: (*text).into() });
        made
    });
    let made: Vec<_> = made.collect();
    let write = |memory: &Memory| remember(memory.clone(), Embedding::Ready(vector(0.5)));
    store.write(made.iter().map(write).collect()).unwrap();
    made
}

#[test]
fn labels_sessions_speakers_and_circumstances_are_compared_byte_by_byte() {
    let (_house, store) = open();
    let all = one_for_each_text(&*store);
    for text in TEXTS.map(str::to_owned) {
        check(&*store, &all, Filter { tags: vec![text.clone()], ..Filter::default() });
        check(&*store, &all, Filter { session: Some(text.clone()), ..Filter::default() });
        check(&*store, &all, Filter { speaker: Some(text), ..Filter::default() });
    }
    for memory in &all {
        let context: Vec<_> = memory.facets.context.circumstances().collect();
        for asked in &context {
            check(&*store, &all, Filter { context: vec![asked.clone()], ..Filter::default() });
        }
        let (tags, session) = (memory.facets.tags.clone(), memory.facets.session.clone());
        check(&*store, &all, Filter { context, tags, session, ..Filter::default() });
    }
    for asked in ["spatial.plain=없다", "social.없다=plain", "temporal.everywhere=PLAIN"] {
        let filter = Filter { context: vec![asked.parse().unwrap()], ..Filter::default() };
        assert_eq!(listed(&*store, &ListQuery { filter, ..ListQuery::default() }), [""; 0], "{asked}");
    }
}

#[test]
fn what_has_expired_is_left_out_and_from_working_memory_it_is_gone() {
    let (_house, store) = open();
    for (layer, name) in [(Layer::Working, "w"), (Layer::Episodic, "e"), (Layer::LongTerm, "l")] {
        for place in ["", "trashed "] {
            let of = |time: &str| of_layer(layer, None, &format!("{place}{name} {time}"), 1);
            for made in [expiring(of("over"), 50), expiring(of("later"), 51), of("always")] {
                let kept = store_it(&*store, made, 0.5);
                if !place.is_empty() {
                    make(&*store, forget(&kept, 2));
                }
            }
        }
    }
    let seen = |trashed, now| listed(&*store, &ListQuery { trashed, now, ..ListQuery::default() });
    let expected = ["e always", "e later", "l always", "l later", "w always", "w later"];
    assert_eq!(seen(Trashed::Without, Some(at(50))), expected);
    assert_eq!(seen(Trashed::Without, None).len(), 9);
    let mut expected = expected.map(|name| format!("trashed {name}")).to_vec();
    expected.extend(["e", "l"].map(|name| format!("trashed {name} over")));
    expected.sort();
    assert_eq!(seen(Trashed::Only, Some(at(50))), expected, "elsewhere it lies in the trash to be seen");
    assert_eq!(seen(Trashed::Only, None).len(), 9);
}

#[test]
fn a_list_without_any_memory_is_empty_whatever_it_asks_for() {
    let (_house, store) = open();
    let queries = [
        ListQuery::default(),
        ListQuery { now: Some(at(0)), unembedded: true, unlinked: true, ..ListQuery::default() },
        ListQuery { limit: 0, as_kept: true, ..ListQuery::default() },
    ];
    for query in &queries {
        assert_eq!(listed(&*store, query), [""; 0]);
    }
    store.write(vec![remember(memory("a", "하나"), Embedding::Pending)]).unwrap();
    assert_eq!(store.list(&ListQuery { limit: 0, ..ListQuery::default() }).unwrap().memories, []);
}
