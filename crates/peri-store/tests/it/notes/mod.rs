//! Notes of conversations in the database, on every backend.

mod commits;
mod crash;
mod kept;
mod moves;
mod trouble;

use std::sync::Arc;

use peri_notes::{Change, Collection, Commit, Expected, Key, Shelf};
use peri_store::{NotesCommit, Store, StoreShelf, Write};

use crate::support::{House, ns};

/// A shelf in a store of its own.
fn shelf() -> (House, Arc<dyn Shelf>) {
    let house = House::new();
    let shelf = another(&house);
    (house, shelf)
}

/// One more handle on the same store.
fn another(house: &House) -> Arc<dyn Shelf> {
    Arc::new(StoreShelf::new(Arc::from(house.open())))
}

fn key(collection: Collection, name: &str) -> Key {
    Key::named(collection, name).unwrap()
}

fn put(key: &Key, text: &str) -> Change {
    Change::Put { key: key.clone(), text: text.to_owned() }
}

fn append(key: &Key, lines: &[&str]) -> Change {
    Change::Append { key: key.clone(), lines: lines.iter().map(|line| (*line).to_owned()).collect() }
}

/// Changes of the namespace `a`, to be made by the store.
fn commit(changes: Vec<Change>, expected: Vec<(Key, Expected)>) -> Write {
    Write::CommitNotes(Box::new(NotesCommit::new(ns("a"), changes, expected).unwrap()))
}

/// Makes changes of a namespace, whatever is there.
fn make(shelf: &dyn Shelf, namespace: &str, changes: &[Change]) {
    assert_eq!(shelf.commit(&ns(namespace), changes, &[]).unwrap(), Commit::Done);
}

fn text(store: &dyn Store, namespace: &str, key: &Key) -> Option<String> {
    store.shelf_read(&ns(namespace), key).unwrap()
}

#[test]
fn the_story_of_every_shelf_is_told_in_the_database() {
    let (_house, shelf) = shelf();
    peri_notes::story(&shelf).unwrap();
}
