//! Promotion to longer-lived layers.

use peri_store::{Embedding, ListQuery, Store, Write, Written};
use peri_types::{Edge, EdgeType, Happening, Layer, Memory, MemoryId, Scope, Zone};

use super::{
    events, forget, get, important, make, nobody, of_layer, store_it, supersede, told_after, under_key,
    use_times, vector_of,
};
use crate::support::{at, keep, ns, open, remember};

fn promote(store: &dyn Store, namespace: &str, sources: &[MemoryId], to: Layer) -> Option<Memory> {
    let sources = sources.to_vec();
    match make(store, Write::Promote { namespace: ns(namespace), sources, to, at: at(60) }) {
        Written::Promoted(promoted) => promoted.map(|memory| *memory),
        other => panic!("not promoted: {other:?}"),
    }
}

fn derived(from: &Memory, source: &Memory) -> Edge {
    let (edge_type, weight) = (EdgeType::DerivedFrom, 1.0);
    Edge { source: from.id, target: source.id, edge_type, weight, created_at: at(60) }
}

/// An episode with labels.
fn episode(content: &str, tag: &str, second: i64) -> Memory {
    let mut made = of_layer(Layer::Episodic, Some("회의"), content, second);
    made.facets.tags = vec!["같은 꼬리표".into(), tag.into()];
    made.facets.aliases = vec![format!("{tag} 별명")];
    made
}

#[test]
fn several_become_one_that_has_what_they_had_and_they_are_put_aside() {
    let (_house, store) = open();
    let first = store_it(&*store, episode("서울에서 만났다", "하나", 10), 0.25);
    let mut near = important(episode("부산에서 만났다", "둘", 20), 0.9);
    near.zone = Zone::Inner;
    near.facets.pinned = true;
    let second = store_it(&*store, near, 0.75);
    use_times(&*store, &first, 2, 30);
    use_times(&*store, &second, 5, 25);
    let (head, before) = (store.head(&ns("a")).unwrap(), events(&*store).len());

    let promoted = promote(&*store, "a", &[first.id, second.id, first.id], Layer::LongTerm).unwrap();
    let mut expected = Memory { id: promoted.id, layer: Layer::LongTerm, ..first.clone() };
    (expected.updated_at, expected.change, expected.zone) = (at(60), promoted.change, Zone::Inner);
    expected.importance = second.importance;
    expected.facets.pinned = true;
    expected.facets.promoted_from = Some(Layer::Episodic);
    expected.facets.tags = ["같은 꼬리표", "하나", "둘"].map(str::to_owned).to_vec();
    expected.facets.aliases = ["하나 별명", "둘 별명"].map(str::to_owned).to_vec();
    assert_eq!(promoted, expected);
    assert_eq!(get(&*store, promoted.id), Some(expected), "it is kept as it was told");
    assert!(promoted.change > head);
    assert_eq!(vector_of(&*store, &promoted), vector_of(&*store, &first));
    assert_eq!(store.usage(&ns("a"), promoted.id).unwrap(), Some((7, at(30))));
    for source in [&first, &second] {
        let aside = get(&*store, source.id).unwrap();
        let mut expected = Memory { change: aside.change, ..source.clone() };
        expected.facets.superseded_by = Some(promoted.id);
        expected.facets.promoted_to = Some(promoted.id);
        expected.facets.valid_until = Some(first.created_at);
        assert_eq!(aside, expected);
        assert_eq!(
            store.said_by(&ns("a"), source.fingerprint()).unwrap(),
            Some(promoted.id).filter(|_| source.id == first.id)
        );
    }
    let mut edges = [derived(&promoted, &first), derived(&promoted, &second)];
    edges.sort_by_key(|edge| edge.target);
    assert_eq!(store.all_edges(&ns("a")).unwrap(), edges);
    let changed = store.edge_changes(&ns("a"), head).unwrap();
    assert!(changed.sources.iter().any(|one| one.source == promoted.id && one.edges.len() == 2));
    let sources = vec![first.id, second.id];
    let what =
        Happening::LayerPromoted { id: promoted.id, sources, from: Layer::Episodic, to: Layer::LongTerm };
    assert_eq!(told_after(&*store, before), [(at(60), what)]);
    let listed = store.list(&ListQuery::default()).unwrap().memories;
    assert_eq!(listed, std::slice::from_ref(&promoted), "what was promoted is seen as what it became");
    let query = ListQuery { superseded_by: Some(promoted.id), ..ListQuery::default() };
    assert_eq!(store.list(&query).unwrap().memories.len(), 2);
    assert_eq!(
        store.list(&ListQuery { unlinked: true, ..ListQuery::default() }).unwrap().memories,
        [promoted]
    );
}

#[test]
fn what_cannot_be_promoted_is_left_out_and_of_nothing_comes_nothing() {
    let (_house, store) = open();
    let [gone, older, newer] = [("gone", 1), ("older", 2), ("newer", 3)]
        .map(|(text, second)| store_it(&*store, of_layer(Layer::Working, None, text, second), 0.5));
    let lasting = keep(&*store, "a", "오래 간다");
    let episode = store_it(&*store, of_layer(Layer::Episodic, None, "an episode", 4), 0.5);
    let elsewhere = keep(&*store, "b", "elsewhere");
    store.write(vec![forget(&gone, 5), supersede(&older, &newer, 5)]).unwrap();
    let (head, before) = (store.head(&ns("a")).unwrap(), events(&*store));
    let others = [nobody(), gone.id, older.id, lasting.id, episode.id, elsewhere.id];
    for sources in [&others[..], &[]] {
        assert_eq!(promote(&*store, "a", sources, Layer::Episodic), None);
    }
    assert_eq!(promote(&*store, "nowhere", &[newer.id], Layer::LongTerm), None);
    assert_eq!((store.head(&ns("a")).unwrap(), events(&*store)), (head, before));

    let mut with_others = others.to_vec();
    with_others.push(newer.id);
    let promoted = promote(&*store, "a", &with_others, Layer::Episodic).unwrap();
    assert_eq!((promoted.content.as_str(), promoted.layer), ("newer", Layer::Episodic));
    assert_eq!(store.edges_of(&ns("a"), promoted.id).unwrap(), [derived(&promoted, &newer)]);
    for untouched in [&lasting, &episode, &elsewhere] {
        assert_eq!(get(&*store, untouched.id).as_ref(), Some(untouched));
    }
}

#[test]
fn without_a_vector_the_new_one_waits_for_its_own() {
    let (_house, store) = open();
    let waiting = of_layer(Layer::Episodic, None, "기다린다", 10);
    store.write(vec![remember(waiting.clone(), Embedding::Pending)]).unwrap();
    let promoted = promote(&*store, "a", &[waiting.id], Layer::LongTerm).unwrap();
    assert_eq!((promoted.space.clone(), vector_of(&*store, &promoted)), (None, None));
    let query = ListQuery { unembedded: true, ..ListQuery::default() };
    assert_eq!(store.list(&query).unwrap().memories, [promoted]);
}

#[test]
fn a_memory_that_says_the_same_already_stands_for_what_is_promoted() {
    let (_house, store) = open();
    let mut held = important(under_key(Some("회의"), "결정", "금요일에 낸다", 10), 0.9);
    held.facets.tags = vec!["결정".into()];
    let held = store_it(&*store, held, 0.25);
    let twin = store_it(&*store, of_layer(Layer::LongTerm, Some("회의"), "금요일에 낸다", 20), 0.5);
    let stands = promote(&*store, "a", &[held.id], Layer::Episodic).unwrap();
    let mut expected = Memory { updated_at: at(60), change: stands.change, ..twin.clone() };
    expected.importance = held.importance;
    expected.facets.tags = vec!["결정".into()];
    assert_eq!(stands, expected, "it keeps its longer life, and is not said to be promoted");
    assert_eq!(get(&*store, twin.id), Some(expected));
    let aside = get(&*store, held.id).unwrap();
    assert_eq!((aside.facets.promoted_to, aside.facets.superseded_by), (Some(twin.id), Some(twin.id)));
    assert_eq!(store.all_edges(&ns("a")).unwrap(), [derived(&twin, &held)]);
    assert_eq!(store.usage(&ns("a"), twin.id).unwrap(), Some((1, at(60))));
    assert_eq!(store.get(&Scope::All, &[twin.id]).unwrap()[0].layer, Layer::LongTerm);
}
