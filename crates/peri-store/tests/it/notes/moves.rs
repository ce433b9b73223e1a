//! Notes go where their namespace goes, and nothing of them is lost where others are already.

use std::sync::Arc;

use peri_notes::{Collection, Draft, Key, Notes, Priority, Session, Shape, Shelf};
use peri_store::{Store, StoreShelf, Write};
use peri_types::{Clock, Scope};

use super::{append, key, make, put, text};
use crate::support::{House, at, ns};

fn open() -> (House, Arc<dyn Store>, StoreShelf) {
    let house = House::new();
    let store: Arc<dyn Store> = Arc::from(house.open());
    let shelf = StoreShelf::new(Arc::clone(&store));
    (house, store, shelf)
}

fn move_to_b(store: &dyn Store) {
    store.write(vec![Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(90) }]).unwrap();
}

/// Something in every collection under a name, which says where it was written.
fn fill(shelf: &dyn Shelf, namespace: &str, name: &str) {
    for collection in Collection::ALL {
        let key = key(*collection, name);
        let said = format!("{namespace} {name} {}", collection.as_str());
        let change = match collection.shape() {
            Shape::Document => put(&key, &said),
            Shape::Log => append(&key, &[&said, "더"]),
        };
        make(shelf, namespace, &[change]);
    }
}

/// Everything that a namespace holds: the collection, the name and what it says.
fn all(store: &dyn Store, namespace: &str) -> Vec<(&'static str, String, String)> {
    let mut found = Vec::new();
    for collection in Collection::ALL {
        for key in store.shelf_list(&ns(namespace), *collection).unwrap() {
            let said = match collection.shape() {
                Shape::Document => text(store, namespace, &key).unwrap(),
                Shape::Log => store.shelf_lines(&ns(namespace), &key).unwrap().join("\n"),
            };
            found.push((collection.as_str(), key.name().to_owned(), said));
        }
    }
    found
}

#[test]
fn notes_move_with_their_namespace_as_they_are() {
    let (_house, store, shelf) = open();
    fill(&shelf, "a", "회의");
    fill(&shelf, "c", "남는 것");
    let (before, others) = (all(&*store, "a"), all(&*store, "c"));
    assert_eq!(before.len(), Collection::ALL.len());
    move_to_b(&*store);
    assert_eq!((all(&*store, "a"), all(&*store, "b"), all(&*store, "c")), (Vec::new(), before, others));
    assert_eq!(store.shelf_namespaces().unwrap(), [ns("b"), ns("c")]);
}

#[test]
fn where_both_have_notes_everything_is_kept() {
    let (_house, store, shelf) = open();
    for (namespace, name) in [("a", "recent"), ("a", "only a"), ("b", "recent"), ("b", "only b")] {
        fill(&shelf, namespace, name);
    }
    let said = |namespace| all(&*store, namespace).into_iter().map(|(_, _, said)| said);
    let mut before: Vec<String> = said("a").chain(said("b")).collect();
    let there = all(&*store, "b");
    move_to_b(&*store);
    let mut after: Vec<String> = said("b").collect();
    before.sort();
    after.sort();
    assert_eq!(before, after, "not a word is lost");
    let now = all(&*store, "b");
    assert!(there.iter().all(|own| now.contains(own)), "and what was there is as it was");
    assert!(all(&*store, "a").is_empty());
    assert!(now.contains(&("pending", "recent (2)".to_owned(), "a recent pending\n더".to_owned())));
    let archived = now.iter().filter(|(collection, ..)| *collection == "archive");
    let archived: Vec<_> = archived.map(|(_, name, said)| (name.as_str(), said.as_str())).collect();
    let stamped = "recent_2025-10-09_08-54-50.000";
    let expected = [
        ("only a", "a only a archive"),
        ("only b", "b only b archive"),
        ("recent", "b recent archive"),
        ("recent-2", "a recent archive"),
        (stamped, "a recent persistent"),
    ];
    assert_eq!(archived, expected);
}

#[test]
fn logs_that_meet_without_notes_are_joined_behind_what_is_there() {
    let (_house, store, shelf) = open();
    let log = key(Collection::Pending, "회의");
    make(&shelf, "a", &[append(&log, &["a1", "a2"]), put(&key(Collection::Meta, "회의"), "{}")]);
    make(&shelf, "b", &[append(&log, &["b1", "b2", "b3"])]);
    move_to_b(&*store);
    assert_eq!(store.shelf_lines(&ns("b"), &log).unwrap(), ["b1", "b2", "b3", "a1", "a2"]);
    make(&shelf, "b", &[append(&log, &["b4"])]);
    assert_eq!(store.shelf_lines(&ns("b"), &log).unwrap().last().unwrap(), "b4");
    assert_eq!(text(&*store, "b", &key(Collection::Meta, "회의")).as_deref(), Some("{}"));
}

/// A session with one note, as an observer makes it, and a message that waits.
fn noted(notes: &Notes, shelf: &dyn Shelf, namespace: &str, said: &str) {
    let session: Session = "회의".parse().unwrap();
    let add = |record: &mut peri_notes::Record, now| {
        record.sheet.add(Draft::new(Priority::High, said), now);
    };
    notes.update(&ns(namespace), &session, add).unwrap();
    make(shelf, namespace, &[append(&key(Collection::Pending, "회의"), &[said])]);
}

#[test]
fn a_session_that_comes_under_another_name_is_a_session_like_any_other() {
    let (_house, store, shelf) = open();
    let shelf: Arc<dyn Shelf> = Arc::new(shelf);
    let notes = Notes::new(Arc::clone(&shelf), Clock::manual(at(5)), |text: &str| text.len());
    noted(&notes, &*shelf, "a", "옮겨 온 것");
    noted(&notes, &*shelf, "b", "있던 것");
    move_to_b(&*store);
    let sessions: [Session; 2] = ["회의", "회의 (2)"].map(|name| name.parse().unwrap());
    assert_eq!(notes.sessions(&ns("b")).unwrap(), sessions);
    for (session, said) in sessions.iter().zip(["있던 것", "옮겨 온 것"]) {
        let record = notes.record(&ns("b"), session).unwrap().unwrap();
        assert_eq!(record.sheet.items().map(|item| item.text.as_str()).collect::<Vec<_>>(), [said]);
        let pending = key(Collection::Pending, session.as_str());
        assert_eq!(store.shelf_lines(&ns("b"), &pending).unwrap(), [said]);
        let meta = text(&*store, "b", &key(Collection::Meta, session.as_str())).unwrap();
        let meta: serde_json::Value = serde_json::from_str(&meta).unwrap();
        assert_eq!(meta["session"], session.as_str(), "what is known of it names it");
    }
}

#[test]
fn a_move_that_is_refused_leaves_the_notes_where_they_are() {
    let (_house, store, shelf) = open();
    fill(&shelf, "a", "회의");
    let one = crate::support::keep(&*store, "a", "하나");
    let mut other = crate::support::memory("b", "다른 것");
    other.id = one.id;
    store.write(vec![crate::support::remember(other, peri_store::Embedding::Pending)]).unwrap();
    let before = all(&*store, "a");
    assert!(store.write(vec![Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(9) }]).is_err());
    assert_eq!((all(&*store, "a"), all(&*store, "b")), (before, Vec::new()));
}

#[test]
fn notes_leave_with_a_namespace_that_is_purged_and_stay_in_one_that_lies_in_the_trash() {
    let (_house, store, shelf) = open();
    fill(&shelf, "a", "회의");
    fill(&shelf, "b", "회의");
    let (before, others) = (all(&*store, "a"), all(&*store, "b"));
    let delete = |purge| Write::DeleteNamespace { namespace: ns("a"), purge, at: at(20) };
    store.write(vec![delete(false)]).unwrap();
    assert_eq!(all(&*store, "a"), before, "what lies in the trash can come back");
    store.write(vec![delete(true)]).unwrap();
    assert_eq!((all(&*store, "a"), all(&*store, "b")), (Vec::new(), others));
    assert_eq!(store.namespaces(&Scope::All).unwrap().len(), 2);
    let again: Key = key(Collection::Meta, "회의");
    make(&shelf, "a", &[put(&again, "새로")]);
    assert_eq!(text(&*store, "a", &again).as_deref(), Some("새로"));
}
