//! Notes of a namespace that is moved or deleted.

use std::sync::Arc;

use peri_notes::{Collection, Key, Shape, Shelf};
use peri_store::{Store, StoreShelf, Write};
use peri_types::Scope;

use super::{append, key, make, put, text};
use crate::support::{House, at, ns};

fn open() -> (House, Arc<dyn Store>, StoreShelf) {
    let house = House::new();
    let store: Arc<dyn Store> = Arc::from(house.open());
    let shelf = StoreShelf::new(Arc::clone(&store));
    (house, store, shelf)
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
fn notes_stay_where_they_are_until_whoever_keeps_them_moves_them() {
    let (_house, store, shelf) = open();
    fill(&shelf, "a", "회의");
    crate::support::keep(&*store, "a", "하나");
    let before = all(&*store, "a");
    assert_eq!(before.len(), Collection::ALL.len());
    store.write(vec![Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(90) }]).unwrap();
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
