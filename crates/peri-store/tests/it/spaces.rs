//! Which space answers, and vectors beside those that do.

use peri_store::{
    Change, CurrentSpace, Embedding, LateVector, ListQuery, Order, Revision, Store, Trashed, Write, Written,
};
use peri_types::{ChangeNumber, Memory, MemoryId, Scope, SpaceId, Vector};

use crate::support::{at, keep, memory, ns, open, remember, space};

fn other() -> SpaceId {
    SpaceId { model: "另一个 모델".into(), dimensions: 2 }
}

fn adopt(store: &dyn Store, space: SpaceId, recipe: Option<&str>) -> bool {
    let write = Write::AdoptSpace { space, recipe: recipe.map(str::to_owned), at: at(1) };
    store.write(vec![write]).unwrap() == [Written::SpaceSwitched(true)]
}

fn switch(store: &dyn Store, to: Option<SpaceId>, read: u64) -> bool {
    let to = CurrentSpace {
        space: to,
        recipe: Some("how".into()),
        instead_of: Some("what".into()),
        revision: 77,
        in_use: false,
    };
    let write = Write::SwitchSpace { to: Box::new(to), read, at: at(2) };
    store.write(vec![write]).unwrap() == [Written::SpaceSwitched(true)]
}

fn put(store: &dyn Store, memory: &Memory, values: Option<Vec<f32>>) -> u64 {
    let (namespace, id, version) = (memory.namespace.clone(), memory.id, memory.version);
    let vectors = vec![LateVector { namespace, id, version, values }];
    match store.write(vec![Write::PutVectors { space: other(), vectors }]).unwrap().remove(0) {
        Written::VectorsPut(count) => count,
        other => panic!("{other:?}"),
    }
}

fn lacking(store: &dyn Store, trashed: Trashed) -> Vec<MemoryId> {
    let (lacking, order) = (Some(other()), Order::OldestFirst);
    let query = ListQuery { lacking, order, trashed, ..ListQuery::default() };
    store.list(&query).unwrap().memories.into_iter().map(|memory| memory.id).collect()
}

fn seen(store: &dyn Store, id: MemoryId) -> Memory {
    store.get(&Scope::All, &[id]).unwrap().remove(0)
}

/// The vectors of a namespace in a space, as an index reads them.
fn indexed(store: &dyn Store, space: &SpaceId) -> Vec<Option<Vec<f32>>> {
    let changes = store.changes(&ns("a"), Some(space), ChangeNumber(0), 100).unwrap();
    let vector = |change| match change {
        Change::Put { vector, .. } => vector,
        Change::Gone { .. } => None,
    };
    changes.into_iter().map(vector).collect()
}

#[test]
fn the_first_engine_is_put_down_and_stays_once_there_are_vectors() {
    let (_house, store) = open();
    assert_eq!(store.current_space().unwrap(), None);
    assert!(adopt(&*store, other(), None));
    assert!(adopt(&*store, space(), None), "nothing has a vector yet");
    assert!(!adopt(&*store, space(), None), "twice is once");
    keep(&*store, "a", "one");
    assert!(!adopt(&*store, other(), Some("theirs")));
    assert!(adopt(&*store, space(), Some("ours")), "how it is started was not known");
    assert!(!adopt(&*store, space(), Some("otherwise")));
    let current = store.current_space().unwrap().unwrap();
    assert_eq!((current.space, current.recipe.as_deref()), (Some(space()), Some("ours")));
    assert_eq!((current.revision, current.in_use), (2, true));
}

#[test]
fn what_no_engine_had_a_vector_for_waits_for_the_next_engine() {
    let (_house, store) = open();
    assert!(adopt(&*store, other(), None));
    let write = remember(memory("a", "회의"), Embedding::NotApplicable(other()));
    store.write(vec![write]).unwrap();
    assert_eq!(store.stats(&Scope::All).unwrap()[0].unembedded, 0);
    assert!(adopt(&*store, space(), None));
    assert_eq!(store.stats(&Scope::All).unwrap()[0].unembedded, 1);
}

#[test]
fn vectors_beside_the_current_ones_are_not_seen_until_the_switch_and_are_all_there_is_after_it() {
    let (_house, store) = open();
    adopt(&*store, space(), None);
    let (one, two, three) = (keep(&*store, "a", "one"), keep(&*store, "a", "둘"), keep(&*store, "a", "三"));
    let head = store.head(&ns("a")).unwrap();
    assert_eq!(put(&*store, &one, Some(vec![0.5, 0.25])), 1);
    assert_eq!(put(&*store, &two, None), 1);
    assert_eq!(store.head(&ns("a")).unwrap(), head, "no index hears of it");
    assert_eq!(seen(&*store, one.id).space, Some(space()));
    assert_eq!(lacking(&*store, Trashed::Without), [three.id]);
    assert!(store.check().unwrap().is_empty(), "{:?}", store.check());
    let stats: Vec<_> =
        store.spaces().unwrap().into_iter().map(|one| (one.vectors, one.without, one.bytes)).collect();
    assert_eq!(stats, [(3, 0, 24), (1, 1, 4)]);

    assert!(!switch(&*store, Some(other()), 5), "somebody else was faster");
    assert_eq!(seen(&*store, one.id).space, Some(space()));
    assert!(switch(&*store, Some(other()), 1));
    let current = store.current_space().unwrap().unwrap();
    assert_eq!((current.space, current.revision), (Some(other()), 2));
    assert_eq!(current.instead_of.as_deref(), Some("what"));
    assert_eq!(indexed(&*store, &other()), [Some(vec![0.5, 0.25]), None, None]);
    let spaces = [one.id, two.id, three.id].map(|id| seen(&*store, id).space);
    assert_eq!(spaces, [Some(other()), None, None]);
    let waiting = ListQuery { unembedded: true, ..ListQuery::default() };
    let waiting: Vec<_> = store.list(&waiting).unwrap().memories.iter().map(|memory| memory.id).collect();
    assert_eq!(waiting, [three.id], "the one that its engine has nothing for does not");
    assert!(store.check().unwrap().is_empty());

    assert!(switch(&*store, None, 2), "words alone");
    assert_eq!(store.stats(&Scope::All).unwrap()[0].unembedded, 3);
    assert!(switch(&*store, Some(space()), 3), "and back");
    assert_eq!(store.stats(&Scope::All).unwrap()[0].unembedded, 0);
}

#[test]
fn whoever_comes_with_a_vector_of_another_space_leaves_a_memory_that_waits() {
    let (_house, store) = open();
    adopt(&*store, other(), None);
    let kept = keep(&*store, "a", "one");
    assert_eq!(kept.space, None);
    store.write(vec![remember(memory("a", "two"), Embedding::NotApplicable(space()))]).unwrap();
    assert_eq!(store.stats(&Scope::All).unwrap()[0].unembedded, 2);
    assert_eq!(indexed(&*store, &other()), [None, None]);
    let embed = |embedding| Write::Embed { namespace: ns("a"), id: kept.id, version: 1, embedding };
    let late = Embedding::Ready(Vector { space: space(), values: vec![1.0; 4] });
    store.write(vec![embed(late)]).unwrap();
    assert_eq!(seen(&*store, kept.id).space, None);
    store.write(vec![embed(Embedding::Ready(Vector { space: other(), values: vec![1.0; 2] }))]).unwrap();
    assert_eq!(seen(&*store, kept.id).space, Some(other()));
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn a_late_vector_of_what_was_revised_or_purged_is_not_taken_and_the_trash_counts() {
    let (_house, store) = open();
    adopt(&*store, space(), None);
    let (revised, purged, trashed) =
        (keep(&*store, "a", "1"), keep(&*store, "a", "2"), keep(&*store, "a", "3"));
    assert_eq!(put(&*store, &revised, Some(vec![1.0, 0.0])), 1);
    let revision = Revision {
        content: Some((
            "otherwise".into(),
            Embedding::Ready(Vector { space: space(), values: vec![0.5; 4] }),
        )),
        ..Revision::default()
    };
    let (scope, id, revision) = (Scope::All, revised.id, Box::new(revision));
    let forget = |id| Write::Forget { scope: Scope::All, id, at: at(3) };
    store
        .write(vec![
            Write::Revise { scope, id, revision, expected_version: None, at: at(3) },
            forget(purged.id),
            Write::Purge { scope: Scope::All, id: purged.id, at: at(3) },
            forget(trashed.id),
        ])
        .unwrap();
    assert_eq!(lacking(&*store, Trashed::Without), [revised.id], "its vectors went with what it said");
    assert_eq!(lacking(&*store, Trashed::Only), [trashed.id]);
    assert_eq!((put(&*store, &revised, None), put(&*store, &purged, None)), (0, 0));
    assert_eq!(put(&*store, &trashed, Some(vec![0.0, 1.0])), 1);
    assert_eq!(lacking(&*store, Trashed::Only), []);
    assert!(switch(&*store, Some(other()), 1));
    assert_eq!(seen(&*store, trashed.id).space, Some(other()));
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn dropping_keeps_what_answers_and_what_is_named() {
    let (_house, store) = open();
    let one = keep(&*store, "a", "one");
    put(&*store, &one, Some(vec![1.0, 0.0]));
    let dropped = |kept: Vec<SpaceId>| match store
        .write(vec![Write::DropVectors { namespace: ns("a"), kept }])
        .unwrap()
        .remove(0)
    {
        Written::VectorsDropped(count) => count,
        other => panic!("{other:?}"),
    };
    assert_eq!(dropped(Vec::new()), 0, "nobody has said which one answers");
    assert!(switch(&*store, Some(space()), 0));
    assert_eq!(dropped(vec![other()]), 0);
    assert_eq!(dropped(Vec::new()), 1);
    assert_eq!(indexed(&*store, &space()).iter().flatten().count(), 1);
    assert_eq!(store.spaces().unwrap().len(), 1);
}

/// More memories than follow a switch in one transaction, in two namespaces.
fn many(store: &dyn Store) -> Vec<Memory> {
    let content = |number: usize| format!("번호 {number}");
    let place = |number: usize| if number.is_multiple_of(3) { "z" } else { "a" };
    let vector = || Embedding::Ready(Vector { space: space(), values: vec![0.5; 4] });
    let told = (0..2500).map(|number| remember(memory(place(number), &content(number)), vector()));
    store.write(told.collect()).unwrap();
    let query = ListQuery { order: Order::OldestFirst, limit: 5000, ..ListQuery::default() };
    store.list(&query).unwrap().memories
}

/// How many memories say that they have a vector in the other space, and how many that they wait.
fn followed(store: &dyn Store) -> (usize, u64) {
    let query = ListQuery { limit: 5000, ..ListQuery::default() };
    let memories = store.list(&query).unwrap().memories;
    let waiting = store.stats(&Scope::All).unwrap().iter().map(|stats| stats.unembedded).sum();
    (memories.iter().filter(|memory| memory.space == Some(other())).count(), waiting)
}

#[test]
fn a_switch_is_small_and_memories_follow_in_pieces_whatever_happens_in_between() {
    let (_house, store) = open();
    adopt(&*store, space(), None);
    let held = many(&*store);
    let (lacking, rest) = held.split_at(2);
    let late = |memory: &Memory| {
        let (namespace, id, version) = (memory.namespace.clone(), memory.id, memory.version);
        LateVector { namespace, id, version, values: Some(vec![0.5, 0.25]) }
    };
    let vectors = rest.iter().map(late).collect();
    store.write(vec![Write::PutVectors { space: other(), vectors }]).unwrap();

    assert!(switch(&*store, Some(other()), 1));
    let current = store.current_space().unwrap().unwrap();
    assert_eq!((current.space, current.revision), (Some(other()), 2));
    let seen_by_index = indexed(&*store, &other()).iter().flatten().count();
    assert!(seen_by_index > 0, "the new space answers at once");
    let (first, _) = followed(&*store);
    assert!((1..2000).contains(&first), "a piece has followed: {first}");
    assert!(store.check().unwrap().is_empty(), "{:?}", store.check());

    // Meanwhile others come, move and are asked for again.
    let unknown = remember(memory("a", "회의록"), Embedding::NotApplicable(other()));
    let moved = Write::MoveNamespace { from: ns("z"), to: ns("a"), at: at(3) };
    let dropped = Write::DropVectors { namespace: ns("a"), kept: Vec::new() };
    let written = store.write(vec![unknown, moved, dropped]).unwrap();
    assert_eq!(written[2], Written::VectorsDropped(0), "some memories still name their old vectors");
    assert!(store.check().unwrap().is_empty(), "{:?}", store.check());

    let mut pieces = 1;
    while switch(&*store, Some(other()), 2) {
        pieces += 1;
        assert!(store.check().unwrap().is_empty(), "{:?}", store.check());
    }
    assert!(pieces > 2, "{pieces}");
    assert_eq!(store.current_space().unwrap().unwrap().revision, 2, "nobody need follow twice");
    assert_eq!(followed(&*store), (rest.len(), lacking.len() as u64));
    let waiting = ListQuery { unembedded: true, order: Order::OldestFirst, ..ListQuery::default() };
    let waiting: Vec<_> = store.list(&waiting).unwrap().memories.iter().map(|memory| memory.id).collect();
    assert_eq!(waiting, [lacking[0].id, lacking[1].id]);
}
