//! Commits happen all or not at all, and one of two.

use std::sync::{Arc, Barrier};

use peri_notes::{Change, Collection, Commit, Expected, Key, Shelf, ShelfError, Version};
use peri_store::{Embedding, NotesCommit, Store, Written};
use peri_types::Scope;

use super::{another, append, commit, key, put, shelf, text};
use crate::support::{keep, memory, ns, open, remember};

fn flag() -> Key {
    key(Collection::Inject, "회의")
}

/// A commit that nothing can fulfil.
fn stale() -> peri_store::Write {
    commit(vec![put(&flag(), "no")], vec![(flag(), Expected::Version(Version::of("nothing")))])
}

#[test]
fn of_two_that_expect_the_same_exactly_one_gets_it() {
    let (house, first) = shelf();
    let second = another(&house);
    let (sum, log) = (key(Collection::Meta, "합"), key(Collection::Candidates, "합"));
    for round in 0..20 {
        let read = first.read(&ns("a"), &sum).unwrap();
        let expected = [(sum.clone(), Expected::unchanged(read.as_ref()))];
        let barrier = Barrier::new(2);
        let race = |shelf: &Arc<dyn Shelf>, name: &str| {
            barrier.wait();
            let changes = [put(&sum, &format!("{round} {name}")), append(&log, &[name])];
            shelf.commit(&ns("a"), &changes, &expected).unwrap()
        };
        let outcomes = std::thread::scope(|scope| {
            let one = scope.spawn(|| race(&first, "하나"));
            let two = scope.spawn(|| race(&second, "二"));
            [one.join().unwrap(), two.join().unwrap()]
        });
        assert!(outcomes.contains(&Commit::Done) && outcomes.contains(&Commit::Stale), "{outcomes:?}");
        let won = if outcomes[0] == Commit::Done { "하나" } else { "二" };
        let lines = second.lines(&ns("a"), &log).unwrap();
        assert_eq!((lines.len(), lines.last().unwrap().as_str()), (round + 1, won));
        assert_eq!(first.read(&ns("a"), &sum).unwrap().unwrap().text, format!("{round} {won}"));
    }
}

#[test]
fn a_call_whose_notes_are_stale_leaves_nothing_not_even_a_namespace() {
    let (_house, store) = open();
    let new = memory("a", "기억");
    let change = store.lineage(peri_types::ChangeNumber(u64::MAX >> 1)).unwrap();
    let written = store.write(vec![remember(new.clone(), Embedding::Pending), stale()]).unwrap();
    assert_eq!(written, [Written::Stale, Written::Stale]);
    assert!(store.get(&Scope::All, &[new.id]).unwrap().is_empty());
    assert_eq!(text(&*store, "a", &flag()), None);
    assert!(store.namespaces(&Scope::All).unwrap().is_empty());
    assert_eq!(store.lineage(peri_types::ChangeNumber(u64::MAX >> 1)).unwrap(), change);
    let absent = vec![(flag(), Expected::Absent)];
    let good = commit(vec![put(&flag(), "yes")], absent);
    let written = store.write(vec![remember(new.clone(), Embedding::Pending), good]).unwrap();
    assert!(matches!(written[..], [Written::Stored(_), Written::Done]), "{written:?}");
    assert_eq!(text(&*store, "a", &flag()).as_deref(), Some("yes"));
}

#[test]
fn calls_that_share_a_commit_with_a_stale_one_are_made() {
    let (_house, store) = open();
    let store: Arc<dyn Store> = Arc::from(store);
    let barrier = Barrier::new(16);
    std::thread::scope(|scope| {
        for number in 0..16 {
            let (store, barrier) = (Arc::clone(&store), &barrier);
            scope.spawn(move || {
                barrier.wait();
                for round in 0..10 {
                    if number % 2 == 0 {
                        assert_eq!(store.write(vec![stale()]).unwrap(), [Written::Stale]);
                    } else {
                        keep(&*store, "a", &format!("{number} {round}"));
                        let log = key(Collection::Heard, "회의");
                        let line = format!("{number} {round}");
                        let write = commit(vec![append(&log, &[&line])], Vec::new());
                        assert_eq!(store.write(vec![write]).unwrap(), [Written::Done]);
                    }
                }
            });
        }
    });
    assert_eq!(store.shelf_lines(&ns("a"), &key(Collection::Heard, "회의")).unwrap().len(), 80);
    assert_eq!(store.stats(&Scope::All).unwrap()[0].memories, 80);
    assert_eq!(text(&*store, "a", &flag()), None);
}

#[test]
fn a_commit_with_a_token_is_made_once_and_a_stale_one_keeps_none() {
    let (_house, store) = open();
    let log = key(Collection::Pending, "회의");
    let add =
        || vec![commit(vec![append(&log, &["말"])], vec![(flag(), Expected::Version(Version::of("")))])];
    let token = [7; 16];
    assert_eq!(store.write_once(token, add()).unwrap(), [Written::Stale]);
    store.write(vec![commit(vec![put(&flag(), "")], Vec::new())]).unwrap();
    assert_eq!(store.write_once(token, add()).unwrap(), [Written::Done], "the first call was never made");
    assert_eq!(store.write_once(token, add()).unwrap(), [Written::Repeated]);
    assert_eq!(store.shelf_lines(&ns("a"), &log).unwrap(), ["말"]);
    assert_eq!(store.shelf_list(&ns("a"), Collection::Pending).unwrap(), [log]);
    assert_eq!(store.shelf_namespaces().unwrap(), [ns("a")]);
    let documents = store.shelf_documents(&ns("a"), Collection::Inject).unwrap();
    assert_eq!(documents, [(flag(), String::new())]);
}

#[test]
fn removing_where_nothing_is_makes_no_namespace() {
    let (_house, store) = open();
    let (log, nothing) = (key(Collection::Pending, "s"), key(Collection::Dropped, "s"));
    let changes = vec![
        Change::Remove { key: flag() },
        Change::Clear { key: log.clone() },
        Change::Append { key: nothing, lines: Vec::new() },
    ];
    let expected = vec![(flag(), Expected::Absent), (log, Expected::Absent)];
    assert_eq!(store.write(vec![commit(changes, expected)]).unwrap(), [Written::Done]);
    assert!(store.namespaces(&Scope::All).unwrap().is_empty());
}

#[test]
fn what_no_shelf_can_keep_never_becomes_a_write() {
    let log = key(Collection::Pending, "s");
    for bad in
        [put(&log, "a log"), append(&flag(), &["a document"]), put(&flag(), "\0"), append(&log, &["\n"])]
    {
        let refused = NotesCommit::new(ns("a"), vec![put(&flag(), "good"), bad], Vec::new());
        assert!(matches!(refused, Err(ShelfError::Refused { .. })), "{refused:?}");
    }
}

#[test]
fn a_commit_tells_one_state_of_the_store_from_another_and_no_index() {
    let (_house, store) = open();
    keep(&*store, "a", "기억");
    let head = store.head(&ns("a")).unwrap();
    store.write(vec![commit(vec![put(&flag(), "")], Vec::new())]).unwrap();
    assert_eq!(store.head(&ns("a")).unwrap(), head, "there is nothing to follow");
    let next = keep(&*store, "a", "다음 기억");
    assert_eq!(next.change.0, head.0 + 2, "the commit took the number in between");
    assert!(store.check().unwrap().is_empty());
}
