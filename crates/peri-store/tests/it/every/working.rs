//! Working memory: what it holds, what it is asked for, and how it empties.

use peri_store::{Change, Lapsed, Matters, Store, Trimmed, Write, Written};
use peri_types::{Happening, Layer, Memory, MemoryId};

use super::{
    events, expiring, get, important, make, nobody, of_layer, store_it, told_after, under_key, use_times,
    vector_of,
};
use crate::support::{at, keep, ns, open};

const MATTERS: Matters = Matters { importance_min: 0.8, recalls_min: 3 };

fn note(store: &dyn Store, session: Option<&str>, content: &str, second: i64) -> Memory {
    store_it(store, of_layer(Layer::Working, session, content, second), 0.5)
}

fn trim(store: &dyn Store, session: Option<&str>, capacity: usize, matters: Option<Matters>) -> Trimmed {
    let session = session.map(str::to_owned);
    match make(store, Write::TrimWorking { namespace: ns("a"), session, capacity, matters, at: at(60) }) {
        Written::Trimmed(trimmed) => *trimmed,
        other => panic!("not trimmed: {other:?}"),
    }
}

fn touch(namespace: &str, ids: &[MemoryId], second: i64) -> Write {
    Write::TouchWorking { namespace: ns(namespace), ids: ids.to_vec(), at: at(second) }
}

fn clear(namespace: &str, session: Option<&str>, key: Option<&str>) -> Write {
    let (session, key) = (session.map(str::to_owned), key.map(str::to_owned));
    Write::ClearWorking { namespace: ns(namespace), session, key, at: at(60) }
}

fn holds(store: &dyn Store, second: i64) -> Vec<(Option<String>, u64)> {
    store.working_sessions(&ns("a"), at(second)).unwrap()
}

#[test]
fn what_was_used_longest_ago_leaves_a_full_working_memory_of_one_session_alone() {
    let (_house, store) = open();
    let chat = Some("대화");
    let [one, two, three] =
        [("하나", 10), ("둘", 20), ("셋", 30)].map(|(text, at)| note(&*store, chat, text, at));
    let mut pinned = of_layer(Layer::Working, chat, "pinned", 1);
    pinned.facets.pinned = true;
    let pinned = store_it(&*store, pinned, 0.5);
    let over = store_it(&*store, expiring(of_layer(Layer::Working, chat, "over", 50), 59), 0.5);
    let (alone, other) = (note(&*store, None, "alone", 1), note(&*store, Some("b"), "other", 1));
    let elsewhere = keep(&*store, "b", "elsewhere");
    let head = store.head(&ns("a")).unwrap();

    assert_eq!(make(&*store, touch("a", &[one.id, nobody(), elsewhere.id], 40)), Written::Done);
    assert_eq!(make(&*store, touch("a", &[one.id], 35)), Written::Done, "an earlier use is no later one");
    assert_eq!(make(&*store, touch("a", &[], 41)), Written::Done);
    assert_eq!(store.head(&ns("a")).unwrap(), head, "a use is no change");
    assert_eq!(store.usage(&ns("a"), one.id).unwrap(), Some((2, at(40))));
    assert_eq!(store.usage(&ns("a"), elsewhere.id).unwrap(), None);
    assert_eq!(store.usage(&ns("b"), elsewhere.id).unwrap(), None);
    assert_eq!(store.usage(&ns("a"), nobody()).unwrap(), None);

    let before = events(&*store).len();
    let trimmed = trim(&*store, chat, 1, None);
    assert_eq!(trimmed, Trimmed { evicted: vec![three.clone(), two.clone()], promoted: Vec::new() });
    let told = [
        Happening::Expired { id: over.id, layer: Layer::Working },
        Happening::Evicted { id: three.id },
        Happening::Evicted { id: two.id },
    ];
    assert_eq!(told_after(&*store, before), told.map(|what| (at(60), what)));
    let gone: Vec<_> = store.changes(&ns("a"), None, head, 9).unwrap();
    let gone: Vec<_> = gone
        .iter()
        .map(|change| match change {
            Change::Gone { id, .. } => *id,
            Change::Put { memory, .. } => panic!("{memory:?} was put"),
        })
        .collect();
    assert_eq!(gone, [over.id, three.id, two.id]);
    for (memory, stays) in [(&one, true), (&pinned, true), (&alone, true), (&other, true), (&two, false)] {
        assert_eq!(get(&*store, memory.id).as_ref(), Some(memory).filter(|_| stays), "{}", memory.content);
    }
    let of = |name: &str| Some(name.to_owned());
    assert_eq!(holds(&*store, 60), [(None, 1), (of("b"), 1), (of("대화"), 2)]);

    assert_eq!(trim(&*store, chat, 1, None), Trimmed::default(), "no more than it may hold");
    assert_eq!(trim(&*store, Some("nobody's"), 0, None), Trimmed::default());
    assert_eq!(trim(&*store, None, 0, None), Trimmed { evicted: vec![alone], promoted: Vec::new() });
    assert_eq!(holds(&*store, 60), [(of("b"), 1), (of("대화"), 2)]);
}

#[test]
fn what_matters_becomes_an_episode_when_its_working_memory_is_full() {
    let (_house, store) = open();
    let chat = Some("대화");
    let important = important(under_key(chat, "목표", "서울로 이사한다", 10), 0.9);
    let important = store_it(&*store, expiring(important, 100), 0.25);
    let used = note(&*store, chat, "used often", 20);
    use_times(&*store, &used, 2, 21);
    use_times(&*store, &used, 1, 25);
    let plain = note(&*store, chat, "plain", 30);

    let trimmed = trim(&*store, chat, 0, Some(MATTERS));
    assert_eq!(trimmed.evicted, [plain.clone(), used.clone(), important.clone()]);
    let [from_used, from_important] = trimmed.promoted[..] else { panic!("{trimmed:?}") };
    assert_eq!(get(&*store, plain.id), None);
    for (source, id, usage) in [(&used, from_used, Some((3, at(25)))), (&important, from_important, None)] {
        let promoted = get(&*store, id).unwrap();
        let mut expected = Memory { id, layer: Layer::Episodic, updated_at: at(60), ..source.clone() };
        expected.change = promoted.change;
        expected.facets.key = None;
        expected.facets.expires_at = None;
        expected.facets.promoted_from = Some(Layer::Working);
        assert_eq!(promoted, expected);
        assert_eq!(vector_of(&*store, &promoted), vector_of(&*store, source), "with its meaning");
        assert_eq!(store.usage(&ns("a"), id).unwrap(), usage);
    }
    assert_eq!(store.working_value(&ns("a"), chat, "목표").unwrap(), None, "its place is free");
    assert_eq!(holds(&*store, 60), []);
}

#[test]
fn a_working_memory_is_cleared_under_one_key_or_whole() {
    let (_house, store) = open();
    let chat = Some("대화");
    let value = |session, key: &str, second| {
        store_it(&*store, under_key(session, key, &format!("{key} 값"), second), 0.5)
    };
    let [one, two, three] = ["목표", "다음", "셋째"].map(|key| value(chat, key, 10));
    let alone = value(None, "목표", 10);
    let over = store_it(&*store, expiring(under_key(chat, "over", "over", 10), 59), 0.5);
    let lasting = keep(&*store, "a", "lasting");
    let before = events(&*store).len();
    for (namespace, session, key) in [
        ("b", chat, None),
        ("a", Some("other"), None),
        ("a", chat, Some("unknown")),
        ("a", None, Some("다음")),
    ] {
        assert_eq!(make(&*store, clear(namespace, session, key)), Written::Purged(0));
    }
    assert_eq!(told_after(&*store, before), []);

    assert_eq!(make(&*store, clear("a", chat, Some("목표"))), Written::Purged(1));
    let purged = |ids: Vec<MemoryId>| (at(60), Happening::Purged { count: ids.len() as u64, ids });
    assert_eq!(told_after(&*store, before), [purged(vec![one.id])]);
    assert_eq!(store.working_value(&ns("a"), None, "목표").unwrap(), Some(alone.clone()));

    assert_eq!(make(&*store, clear("a", chat, None)), Written::Purged(2), "what had expired was not there");
    let Happening::Purged { mut ids, .. } = told_after(&*store, before).remove(1).1 else { panic!() };
    let mut cleared = vec![two.id, three.id];
    ids.sort();
    cleared.sort();
    assert_eq!(ids, cleared);
    for id in [one.id, two.id, three.id, over.id] {
        assert_eq!(get(&*store, id), None);
    }
    assert_eq!((get(&*store, alone.id), get(&*store, lasting.id)), (Some(alone), Some(lasting)));
    assert_eq!(make(&*store, clear("a", None, None)), Written::Purged(1));
}

#[test]
fn a_value_is_found_by_the_exact_bytes_of_its_session_and_key() {
    let (_house, store) = open();
    let places = [
        (None, "목표"),
        (Some("대화"), "목표"),
        (Some("대화"), "목표 "),
        (Some("chat"), "Key"),
        (Some("chat"), "key"),
    ];
    let held: Vec<_> = (10..)
        .zip(places)
        .map(|(second, (session, key))| store_it(&*store, under_key(session, key, "same", second), 0.5))
        .collect();
    for ((session, key), memory) in places.into_iter().zip(&held) {
        assert_eq!(store.working_value(&ns("a"), session, key).unwrap().as_ref(), Some(memory));
    }
    for (namespace, session, key) in
        [("b", None, "목표"), ("a", Some(""), "목표"), ("a", Some("Chat"), "key"), ("a", None, "")]
    {
        assert_eq!(store.working_value(&ns(namespace), session, key).unwrap(), None);
    }
    let again = expiring(under_key(None, "목표", "이제는 이것", 20), 30);
    let write = crate::support::remember(again, peri_store::Embedding::Pending);
    let Written::Replaced(replaced) = make(&*store, write) else { panic!("not replaced") };
    assert_eq!((replaced.id, replaced.version), (held[0].id, 2));
    assert_eq!(store.working_value(&ns("a"), None, "목표").unwrap(), Some(*replaced), "expired or not");
    let of = |name: &str| Some(name.to_owned());
    assert_eq!(holds(&*store, 29), [(None, 1), (of("chat"), 2), (of("대화"), 2)]);
    assert_eq!(holds(&*store, 30), [(of("chat"), 2), (of("대화"), 2)], "what has expired is not held");
    assert_eq!(store.working_sessions(&ns("nowhere"), at(0)).unwrap(), []);
}

#[test]
fn what_has_expired_is_taken_away_the_earliest_first_and_promoted_where_it_matters() {
    let (_house, store) = open();
    let lapse = |second, matters, limit| match make(&*store, Write::Lapse { now: at(second), matters, limit })
    {
        Written::Lapsed(lapsed) => lapsed,
        other => panic!("{other:?}"),
    };
    let of = |layer, content: &str, until| {
        store_it(&*store, expiring(of_layer(layer, Some("대화"), content, 1), until), 0.5)
    };
    let gone = of(Layer::Working, "사라진다", 10);
    let episode = of(Layer::Episodic, "an episode", 20);
    let lasting = of(Layer::LongTerm, "a fact", 30);
    let matters = important(of_layer(Layer::Working, None, "중요하다", 2), 0.8);
    let matters = store_it(&*store, expiring(matters, 40), 0.75);
    let later = of(Layer::Working, "later", 50);
    assert!(!store.has_lapsed(at(9)).unwrap());
    assert_eq!(lapse(9, Some(MATTERS), 10), Lapsed::default());
    assert!(store.has_lapsed(at(10)).unwrap());
    assert_eq!(lapse(45, Some(MATTERS), 0), Lapsed::default());

    let before = events(&*store).len();
    assert_eq!(lapse(45, Some(MATTERS), 2), Lapsed { gone: 1, trashed: 1, promoted: 0 });
    assert_eq!(lapse(45, Some(MATTERS), 10), Lapsed { gone: 0, trashed: 1, promoted: 1 });
    assert!(!store.has_lapsed(at(45)).unwrap());
    assert_eq!(get(&*store, gone.id), None);
    for trashed in [&episode, &lasting] {
        assert_eq!(get(&*store, trashed.id).unwrap().trashed_at, Some(at(45)));
    }
    let promoted = get(&*store, matters.id).unwrap().facets.promoted_to.unwrap();
    let promoted = get(&*store, promoted).unwrap();
    assert_eq!((promoted.layer, promoted.facets.expires_at), (Layer::Episodic, None));
    assert_eq!(vector_of(&*store, &promoted), vector_of(&*store, &matters));
    let expired = |memory: &Memory| Happening::Expired { id: memory.id, layer: memory.layer };
    let (from, to) = (Layer::Working, Layer::Episodic);
    let promotion = Happening::LayerPromoted { id: promoted.id, sources: vec![matters.id], from, to };
    let told = [expired(&gone), expired(&episode), expired(&lasting), promotion];
    assert_eq!(told_after(&*store, before), told.map(|what| (at(45), what)));
    assert_eq!(lapse(50, None, 10), Lapsed { gone: 1, trashed: 0, promoted: 0 });
    assert_eq!(get(&*store, later.id), None);
}

#[test]
fn what_stands_for_something_that_mattered_does_not_expire_with_it() {
    let (_house, store) = open();
    let held = important(under_key(Some("회의"), "결정", "금요일에 낸다", 1), 0.9);
    let held = store_it(&*store, expiring(held, 10), 0.25);
    let twin = expiring(of_layer(Layer::LongTerm, Some("회의"), "금요일에 낸다", 2), 20);
    let twin = store_it(&*store, twin, 0.5);
    let lapse = Write::Lapse { now: at(30), matters: Some(MATTERS), limit: 10 };
    assert_eq!(make(&*store, lapse), Written::Lapsed(Lapsed { gone: 0, trashed: 0, promoted: 1 }));
    let stands = get(&*store, twin.id).unwrap();
    assert_eq!((stands.trashed_at, stands.facets.expires_at), (None, None));
    assert_eq!(get(&*store, held.id).unwrap().facets.superseded_by, Some(twin.id));
    assert!(!store.has_lapsed(at(1000)).unwrap());
}

#[test]
fn what_stands_for_something_that_mattered_does_not_leave_with_it() {
    let (_house, store) = open();
    let chat = Some("대화");
    let twin = note(&*store, chat, "금요일에 낸다", 1);
    let held = store_it(&*store, under_key(chat, "결정", "금요일에 낸다", 10), 0.25);
    use_times(&*store, &held, 3, 20);
    let trimmed = trim(&*store, chat, 0, Some(MATTERS));
    assert_eq!(trimmed, Trimmed { evicted: vec![held.clone()], promoted: vec![twin.id] });
    let stands = get(&*store, twin.id).unwrap();
    assert_eq!((stands.layer, stands.facets.superseded_by), (Layer::Episodic, None));
    assert_eq!(get(&*store, held.id).unwrap().facets.superseded_by, Some(twin.id));
}
