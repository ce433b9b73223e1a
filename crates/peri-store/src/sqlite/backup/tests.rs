//! What a restore does with every table, and with notes.
#![allow(clippy::unwrap_used)]

use peri_notes::{Change, Collection, Key};

use super::*;
use crate::{NotesCommit, Store as _, Write};

/// Tables of which a restore keeps what is here, or which it renews by rules of its own.
const OTHERS: [&str; 13] = [
    "answers",
    "applied",
    "counters",
    "edge_changes",
    "events",
    "identity",
    "keys",
    "leases",
    "lineage",
    "namespaces",
    "reindexing",
    "spaces",
    "tombstones",
];

#[test]
fn it_is_decided_for_every_table_what_a_restore_does_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::<Sqlite>::open(&folder.path().join("x.db"), &SqliteSettings::default()).unwrap();
    let tables = store.read(|connection| {
        let sql =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1";
        connection.prepare(sql)?.query_all(params![], |row| row.get::<String>(0))
    });
    let mut decided: Vec<&str> = CONTENT.into_iter().chain(OTHERS).collect();
    decided.sort_unstable();
    assert_eq!(tables.unwrap(), decided);
}

/// Puts a document and adds a line to a log in a namespace.
fn note(store: &SqlStore<Sqlite>, namespace: &str, said: &str) {
    let key = |collection| Key::named(collection, "회의").unwrap();
    let changes = vec![
        Change::Put { key: key(Collection::Observations), text: said.to_owned() },
        Change::Append { key: key(Collection::Pending), lines: vec![said.to_owned()] },
    ];
    let commit = NotesCommit::new(namespace.parse().unwrap(), changes, Vec::new()).unwrap();
    store.write(vec![Write::CommitNotes(Box::new(commit))]).unwrap();
}

/// Every document and every line of a store, with where it is.
fn notes(store: &SqlStore<Sqlite>) -> Vec<(String, String)> {
    let key = Key::named(Collection::Pending, "회의").unwrap();
    let mut found = Vec::new();
    for namespace in store.shelf_namespaces().unwrap() {
        let documents = store.shelf_documents(&namespace, Collection::Observations).unwrap();
        let lines = store.shelf_lines(&namespace, &key).unwrap();
        let said = documents.into_iter().map(|(_, text)| text).chain(lines);
        found.extend(said.map(|said| (namespace.to_string(), said)));
    }
    found
}

#[test]
fn a_copy_holds_the_notes_and_brings_them_back_in_the_place_of_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        |name: &str| SqlStore::<Sqlite>::open(&folder.path().join(name), &SqliteSettings::default()).unwrap();
    let (old, new) = (open("old.db"), open("new.db"));
    note(&old, "먼저", "1");
    note(&old, "팀", "2");
    note(&old, "팀", "3");
    let expected = notes(&old);
    assert_eq!(expected.len(), 5);
    let copy = folder.path().join("copy.db");
    old.copy_to(&copy, &|_| {}).unwrap();
    // The same namespace has another number here, and what only this store knows is to go.
    note(&new, "팀", "다른 것");
    note(&new, "남", "없어질 것");
    let before = new.facts().unwrap().change;
    note(&new, "남", "더");
    assert!(new.facts().unwrap().change > before, "a commit of notes is a change");
    let at = Timestamp::UNIX_EPOCH;
    let replacement = Replacement { copy, name: "복사".to_owned(), taken_at: at, at };
    new.replace_with(&replacement, &mut |_| Ok(())).unwrap();
    assert_eq!(notes(&new), expected);
    note(&new, "팀", "4");
    assert_eq!(notes(&new).len(), 6);
    assert!(new.check().unwrap().is_empty());
}
