//! Episodes that grow old, and what is let go.

use peri_store::{LetGo, Released, Revision, Store, Write, Written};
use peri_types::{ChangeNumber, CleanUpReason, Happening, Layer, Memory, MemoryId, Scope, TrashedBy};

use super::{events, forget, get, make, nobody, of_layer, store_it, told_after};
use crate::support::{at, keep, ns, open};

fn episode(store: &dyn Store, content: &str, second: i64) -> Memory {
    store_it(store, of_layer(Layer::Episodic, Some("회의"), content, second), 0.5)
}

fn let_go(memory: &Memory, why: LetGo) -> Released {
    Released { id: memory.id, change: memory.change, why }
}

fn release(store: &dyn Store, namespace: &str, released: Vec<Released>) -> u64 {
    match make(store, Write::Release { namespace: ns(namespace), released, at: at(90) }) {
        Written::Released(count) => count,
        other => panic!("not released: {other:?}"),
    }
}

#[test]
fn what_is_let_go_goes_to_the_trash_unless_it_was_touched_since() {
    let (_house, store) = open();
    let outlived = LetGo::Outlived { age_days: 40 };
    let old = episode(&*store, "오래된 일", 1);
    let idle = keep(&*store, "a", "idle");
    let [touched, trashed] = ["touched", "trashed"].map(|content| episode(&*store, content, 2));
    let mut pinned = of_layer(Layer::Episodic, None, "pinned", 3);
    pinned.facets.pinned = true;
    let pinned = store_it(&*store, pinned, 0.5);
    let elsewhere = keep(&*store, "b", "elsewhere");
    let revision = Box::new(Revision { tags: Some(vec!["새".into()]), ..Revision::default() });
    let (scope, expected_version) = (Scope::All, None);
    let revise = Write::Revise { scope, id: touched.id, revision, expected_version, at: at(10) };
    store.write(vec![revise, forget(&trashed, 10)]).unwrap();
    let others: Vec<_> = [&touched, &trashed, &pinned, &elsewhere].map(|one| let_go(one, outlived)).to_vec();
    let unknown = Released { id: nobody(), change: ChangeNumber(u64::from(u32::MAX)), why: outlived };

    let (head, before) = (store.head(&ns("a")).unwrap(), events(&*store).len());
    assert_eq!(release(&*store, "a", Vec::new()), 0);
    assert_eq!(release(&*store, "a", [others.clone(), vec![unknown]].concat()), 0);
    assert_eq!(release(&*store, "b", vec![let_go(&old, outlived)]), 0);
    assert_eq!((store.head(&ns("a")).unwrap(), events(&*store).len()), (head, before));

    let cleaned = LetGo::CleanedUp(CleanUpReason::LowScore);
    assert_eq!(
        release(&*store, "a", [others, vec![let_go(&old, outlived), let_go(&idle, cleaned)]].concat()),
        2
    );
    for (one, by) in [(&old, TrashedBy::Retention), (&idle, TrashedBy::Limits)] {
        let change = get(&*store, one.id).unwrap().change;
        let expected = Memory { trashed_at: Some(at(90)), trashed_by: Some(by), change, ..one.clone() };
        assert_eq!(get(&*store, one.id), Some(expected));
    }
    let told = [
        Happening::Outlived { id: old.id, age_days: 40 },
        Happening::CleanedUp { id: idle.id, reason: CleanUpReason::LowScore },
    ];
    assert_eq!(told_after(&*store, before), told.map(|what| (at(90), what)));
    assert_eq!(get(&*store, trashed.id).unwrap().trashed_at, Some(at(10)), "as it was");
    assert_eq!((get(&*store, pinned.id), get(&*store, elsewhere.id)), (Some(pinned), Some(elsewhere)));
}

#[test]
fn what_a_memory_was_promoted_from_is_let_go_with_it() {
    let (_house, store) = open();
    let source = episode(&*store, "출처", 1);
    let (namespace, sources) = (ns("a"), vec![source.id]);
    let write = Write::Promote { namespace, sources, to: Layer::LongTerm, at: at(60) };
    let Written::Promoted(Some(promoted)) = make(&*store, write) else { panic!() };
    let cleaned = LetGo::CleanedUp(CleanUpReason::TooMany);
    assert_eq!(release(&*store, "a", vec![let_go(&promoted, cleaned)]), 1);
    for id in [source.id, promoted.id] {
        assert_eq!(get(&*store, id).unwrap().trashed_at, Some(at(90)));
    }
    assert_eq!(store.said_by(&ns("a"), promoted.fingerprint()).unwrap(), None);
}

#[test]
fn old_episodes_are_read_page_by_page_in_the_order_they_came() {
    let (_house, store) = open();
    let mut expected: Vec<_> = [("셋", 30), ("하나", 10), ("둘", 20), ("둘 더", 20)]
        .map(|(content, second)| (episode(&*store, content, second), at(second)))
        .to_vec();
    let restored = episode(&*store, "restored", 1);
    let restore = Write::Restore { scope: Scope::All, id: restored.id, at: at(25) };
    store.write(vec![forget(&restored, 5), restore]).unwrap();
    expected.push((get(&*store, restored.id).unwrap(), at(25)));
    expected.sort_by_key(|(memory, here)| (*here, memory.id));
    let trashed = episode(&*store, "trashed", 1);
    keep(&*store, "a", "no episode");
    store.write(vec![forget(&trashed, 5)]).unwrap();

    assert_eq!(store.old_episodes(at(30), None, 10).unwrap(), expected);
    assert_eq!(store.old_episodes(at(24), None, 10).unwrap(), expected[..3]);
    assert_eq!(store.old_episodes(at(9), None, 10).unwrap(), []);
    for size in 1..=3 {
        let (mut read, mut after) = (Vec::new(), None);
        loop {
            let page = store.old_episodes(at(30), after, size).unwrap();
            let Some((last, here)) = page.last() else { break };
            assert!(page.len() <= size);
            after = Some((*here, last.id));
            read.extend(page);
        }
        assert_eq!(read, expected, "{size} at a time");
    }
    assert_eq!(store.old_episodes(at(30), Some((at(40), MemoryId::from_bytes([0; 16]))), 9).unwrap(), []);
}
