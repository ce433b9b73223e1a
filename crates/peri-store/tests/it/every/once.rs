//! Calls that are made once, marks of writers, and what a store says of itself.

use peri_store::{Embedding, StoreError, Written};
use peri_types::{ChangeNumber, Scope};

use super::{events, forget, get, nobody};
use crate::support::{at, keep, memory, ns, open, remember, vector};

#[test]
fn a_call_with_the_same_token_is_made_once() {
    let (house, store) = open();
    let (one, two) = (memory("a", "하나"), memory("a", "둘"));
    let write = |memory: &peri_types::Memory| remember(memory.clone(), Embedding::Ready(vector(0.5)));
    let token = *b"\0\xffthe same token";
    let written = store.write_once(token, vec![write(&one), write(&two)]).unwrap();
    assert!(matches!(&written[..], [Written::Stored(_), Written::Stored(_)]), "{written:?}");
    let (head, before) = (store.head(&ns("a")).unwrap(), events(&*store));
    let again = || vec![write(&memory("a", "other")), forget(&one, 5), forget(&two, 5)];
    assert_eq!(store.write_once(token, again()).unwrap(), vec![Written::Repeated; 3]);
    drop(store);
    let store = house.open();
    assert_eq!(store.write_once(token, again()).unwrap(), vec![Written::Repeated; 3], "also later");
    assert_eq!((store.head(&ns("a")).unwrap(), events(&*store)), (head, before));
    assert_eq!(store.write_once([1; 16], vec![forget(&one, 5)]).unwrap().len(), 1, "another call");
    assert_eq!(get(&*store, one.id).unwrap().trashed_at, Some(at(5)));
}

#[test]
fn a_call_that_was_refused_may_be_made_with_its_token() {
    let (_house, store) = open();
    let one = keep(&*store, "a", "하나");
    let unknown = peri_types::Memory { id: nobody(), ..one.clone() };
    let error = store.write_once([2; 16], vec![forget(&one, 5), forget(&unknown, 5)]).unwrap_err();
    assert!(matches!(error, StoreError::NotFound { id } if id == nobody()), "{error}");
    assert_eq!(get(&*store, one.id).unwrap().trashed_at, None);
    assert!(matches!(
        &store.write_once([2; 16], vec![forget(&one, 6)]).unwrap()[..],
        [Written::Forgotten(_)]
    ));
    assert_eq!(store.write_once([3; 16], Vec::new()).unwrap(), []);
    assert_eq!(store.write_once([3; 16], vec![forget(&one, 7)]).unwrap(), [Written::Repeated]);
}

#[test]
fn every_writer_leaves_a_mark_that_holds_from_its_first_change_on() {
    let (house, store) = open();
    assert_eq!(store.lineage(ChangeNumber(1000)).unwrap(), "", "nothing has been written");
    let one = keep(&*store, "a", "하나");
    let two = keep(&*store, "b", "둘");
    let mark = store.lineage(one.change).unwrap();
    assert!(!mark.is_empty());
    assert_eq!(store.lineage(two.change).unwrap(), mark, "the same writer");
    assert_eq!(store.lineage(ChangeNumber(0)).unwrap(), "");
    let other = house.open();
    assert_eq!(other.lineage(two.change).unwrap(), mark);
    let three = keep(&*other, "a", "셋");
    assert!(three.change > two.change);
    let later = store.lineage(three.change).unwrap();
    assert_ne!(later, mark, "another writer");
    assert_eq!(store.lineage(two.change).unwrap(), mark, "earlier marks stay");
    assert_eq!(store.lineage(ChangeNumber(1000)).unwrap(), later);
}

#[test]
fn a_store_says_what_it_is_and_whether_it_can_be_written() {
    let (house, store) = open();
    let kept = keep(&*store, "a", "하나");
    assert!(!store.is_read_only());
    assert_eq!(store.commits_are_certain(), !house.is_on_a_server());
    assert_eq!(store.searcher().is_some(), house.is_on_postgresql());
    let identity = store.identity().unwrap();
    assert!(!identity.is_empty());
    assert_eq!(house.open().identity().unwrap(), identity);
    assert_ne!(open().1.identity().unwrap(), identity, "another store is another one");
    assert_eq!(store.check().unwrap(), []);

    let frozen = store.frozen().unwrap();
    assert!(frozen.is_read_only());
    assert_eq!(frozen.identity().unwrap(), identity);
    keep(&*store, "a", "둘");
    assert_eq!(frozen.get(&Scope::All, &[kept.id]).unwrap(), std::slice::from_ref(&kept));
    assert_eq!(frozen.stats(&Scope::All).unwrap()[0].memories, 1, "one moment");
    assert_eq!(store.stats(&Scope::All).unwrap()[0].memories, 2);
    for refused in [frozen.write(vec![forget(&kept, 5)]), frozen.write_once([1; 16], vec![forget(&kept, 5)])]
    {
        assert!(matches!(refused, Err(StoreError::ReadOnly { .. })), "{refused:?}");
    }
    assert_eq!(get(&*store, kept.id), Some(kept));
}
