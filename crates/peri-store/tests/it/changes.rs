//! Following the store by change numbers.

use std::collections::BTreeMap;

use peri_store::{Change, Embedding, Store, Write, Written};
use peri_types::{ChangeNumber, MemoryId, Scope};
use proptest::prelude::*;

use crate::support::{at, keep, memory, ns, open, remember, space, vector};

#[test]
fn changes_arrive_in_order_with_the_vectors_of_the_space_asked_for() {
    let (_folder, store) = open();
    let one = keep(&*store, "a", "one");
    keep(&*store, "b", "elsewhere");
    let two = memory("a", "two");
    store.write(vec![remember(two.clone(), Embedding::Pending)]).unwrap();
    let changes = store.changes(&ns("a"), Some(&space()), ChangeNumber(0), 10).unwrap();
    let told: Vec<_> = changes
        .iter()
        .map(|change| match change {
            Change::Put { memory, vector } => (memory.id, vector.clone()),
            Change::Gone { .. } => panic!("nothing is gone"),
        })
        .collect();
    assert_eq!(told, [(one.id, Some(vector(0.5).values)), (two.id, None)]);
    let other = peri_types::SpaceId { model: "other".into(), dimensions: 4 };
    let changes = store.changes(&ns("a"), Some(&other), ChangeNumber(0), 1).unwrap();
    assert!(matches!(&changes[..], [Change::Put { vector: None, .. }]), "{changes:?}");
    assert_eq!(store.head(&ns("nowhere")).unwrap(), ChangeNumber(0));
}

#[test]
fn a_vector_that_comes_later_is_a_change_unless_the_content_moved_on() {
    let (_folder, store) = open();
    let one = memory("a", "one");
    store.write(vec![remember(one.clone(), Embedding::Pending)]).unwrap();
    let head = store.head(&ns("a")).unwrap();
    let embed = |version| Write::Embed {
        namespace: ns("a"),
        id: one.id,
        version,
        embedding: Embedding::Ready(vector(0.75)),
    };
    assert_eq!(store.write(vec![embed(2)]).unwrap(), [Written::Embedded(false)]);
    assert_eq!(store.write(vec![embed(1)]).unwrap(), [Written::Embedded(true)]);
    let changes = store.changes(&ns("a"), Some(&space()), head, 10).unwrap();
    let [Change::Put { vector: Some(values), memory }] = &changes[..] else { panic!("{changes:?}") };
    assert_eq!((values, &memory.space), (&vector(0.75).values, &Some(space())));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever happens, a follower that reads in pieces of any size ends with what the store lists.
    #[test]
    fn a_follower_always_ends_where_the_store_is(steps in prop::collection::vec((0_u8..6, 0_usize..8), 1..60), piece in 1_usize..5) {
        let (_folder, store) = open();
        let mut follower: BTreeMap<MemoryId, String> = BTreeMap::new();
        let mut head = ChangeNumber(0);
        let mut ids: Vec<MemoryId> = Vec::new();
        for (number, (step, which)) in steps.into_iter().enumerate() {
            let id = ids.get(which % ids.len().max(1)).copied();
            let scope = Scope::All;
            let write = match (step, id) {
                (0 | 1, _) | (_, None) => {
                    let new = memory("a", &format!("memory {}", number % 7));
                    ids.push(new.id);
                    remember(new, Embedding::Pending)
                }
                (2, Some(id)) => Write::Forget { scope, id, at: at(1) },
                (3, Some(id)) => Write::Restore { scope, id, at: at(2) },
                (4, Some(id)) => Write::Purge { scope, id, at: at(9) },
                (_, Some(id)) => Write::Revise {
                    scope,
                    id,
                    revision: Box::new(peri_store::Revision {
                        content: Some((format!("revised {number}"), Embedding::Pending)),
                        ..Default::default()
                    }),
                    expected_version: None,
                    at: at(3),
                },
            };
            // Some of these are refused, which must change nothing that the follower would miss.
            drop(store.write(vec![write]));
            if number % 3 == 0 {
                follow(&*store, &mut follower, &mut head, piece);
            }
        }
        follow(&*store, &mut follower, &mut head, piece);
        let listed = store.list(&Default::default()).unwrap().memories;
        let listed: BTreeMap<_, _> = listed.into_iter().map(|memory| (memory.id, memory.content)).collect();
        prop_assert_eq!(follower, listed);
        prop_assert_eq!(head, store.head(&ns("a")).unwrap());
        prop_assert!(store.check().unwrap().is_empty());
    }
}

fn follow(store: &dyn Store, known: &mut BTreeMap<MemoryId, String>, head: &mut ChangeNumber, piece: usize) {
    loop {
        let changes = store.changes(&ns("a"), None, *head, piece).unwrap();
        let Some(last) = changes.last() else { break };
        *head = last.number();
        for change in changes {
            match change {
                Change::Put { memory, .. } => known.insert(memory.id, memory.content),
                Change::Gone { id, .. } => known.remove(&id),
            };
        }
    }
}
