//! Whole namespaces, moved and deleted, down to the rows.

use peri_notes::{Collection, Key};
use peri_store::{
    Change, Embedding, ListQuery, Missing, NotesCommit, Revision, Store, StoreError, Trashed, Usage, Write,
    Written,
};
use peri_types::{ChangeNumber, Edge, EdgeType, Memory, MemoryId, Namespace, Scope};

use crate::support::{House, at, keep, ns, open, space, vector};

/// Two linked memories with versions, usage, a merge, which draws an edge too, and a session with notes.
fn settle_in(store: &dyn Store, path: &str) -> (Memory, Memory) {
    let (one, two) = (keep(store, path, "one"), keep(store, path, "two"));
    let absorbed = keep(store, path, "two again");
    let (namespace, edge_type) = (ns(path), EdgeType::RelatedTo);
    let edge = Edge { source: one.id, target: two.id, edge_type, weight: 0.5, created_at: at(1) };
    let content = Some(("one, revised".to_owned(), Embedding::Ready(vector(0.75))));
    let revision = Box::new(Revision { content, ..Revision::default() });
    let (scope, expected_version) = (Scope::Exact(namespace.clone()), None);
    store
        .write(vec![
            Write::Link {
                namespace: namespace.clone(),
                edges: vec![edge],
                max: 20,
                missing: Missing::Refused,
            },
            Write::Revise { scope, id: one.id, revision, expected_version, at: at(2) },
            Write::Merge { namespace: namespace.clone(), survivor: two.id, absorbed: absorbed.id, at: at(3) },
            Write::StartSession { namespace: namespace.clone(), name: "standup".into(), at: at(4) },
            Write::CommitNotes(Box::new(notes(&namespace))),
        ])
        .unwrap();
    let usage = Usage { namespace, id: one.id, recalls: 3, last_at: at(5) };
    store.record_usage(&[usage], &[], &[]).unwrap();
    (one, two)
}

/// A document and a log of a session.
fn notes(namespace: &Namespace) -> NotesCommit {
    let key = |collection| Key::named(collection, "standup").unwrap();
    let changes = vec![
        peri_notes::Change::Put { key: key(Collection::Observations), text: "- 🔴 one\n".to_owned() },
        peri_notes::Change::Append { key: key(Collection::Pending), lines: vec!["{}".to_owned()] },
    ];
    NotesCommit::new(namespace.clone(), changes, Vec::new()).unwrap()
}

fn relocate(from: &str, to: &str) -> Write {
    Write::MoveNamespace { from: ns(from), to: ns(to), at: at(10) }
}

fn listed(store: &dyn Store, path: &str, trashed: Trashed) -> Vec<MemoryId> {
    let query = ListQuery { scope: Scope::Exact(ns(path)), trashed, ..ListQuery::default() };
    let mut ids: Vec<_> = store.list(&query).unwrap().memories.into_iter().map(|one| one.id).collect();
    ids.sort();
    ids
}

/// How many rows each table has for a namespace. Marks that tell followers what is gone hold ids and nothing else.
/// On a server the tables are not looked into.
fn rows(house: &House, path: &str) -> Vec<(String, u64)> {
    if house.is_on_a_server() {
        return Vec::new();
    }
    let database = rusqlite::Connection::open(house.path().join("perihelion.db")).unwrap();
    let mut tables = database
        .prepare(
            "SELECT s.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c ON c.name = 'namespace_id'
             WHERE s.type = 'table' AND s.name NOT IN ('tombstones', 'edge_changes') ORDER BY 1",
        )
        .unwrap();
    let tables: Vec<String> =
        tables.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert!(tables.len() >= 9, "{tables:?}");
    let count = |table: String| {
        let sql = format!(
            "SELECT count(*) FROM {table} WHERE namespace_id IN (SELECT id FROM namespaces WHERE path = ?1)"
        );
        let count: u64 = database.query_row(&sql, [path], |row| row.get(0)).unwrap();
        (table, count)
    };
    tables.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
}

#[test]
fn a_moved_namespace_takes_everything_along_and_leaves_no_row_but_those_of_notes() {
    let (folder, store) = open();
    let (one, two) = settle_in(&*store, "a");
    let before = rows(&folder, "a");
    let moved = store.write(vec![relocate("a", "b")]).unwrap();
    assert_eq!(moved, [Written::NamespaceGone { memories: 3, repeated: 0 }]);
    // Notes are joined by those who know what they say, before the rest is moved.
    let (notes, rest): (Vec<_>, Vec<_>) =
        before.into_iter().partition(|(table, _)| table.starts_with("note_"));
    assert_eq!((rows(&folder, "a"), rows(&folder, "b")), (notes, rest));
    let there = store.get(&Scope::Exact(ns("b")), &[one.id]).unwrap().remove(0);
    assert_eq!((there.content.as_str(), there.version, &there.space), ("one, revised", 2, &Some(space())));
    assert_eq!(store.versions(&ns("b"), one.id).unwrap()[0].content, "one");
    assert_eq!(store.usage(&ns("b"), one.id).unwrap(), Some((4, at(5))), "three recalls and a revision");
    assert_eq!(store.edges_of(&ns("b"), two.id).unwrap().len(), 2);
    assert_eq!(store.merges(&ns("b"), two.id).unwrap().len(), 1);
    assert_eq!(store.sessions(&Scope::All, 10).unwrap()[0].namespace, ns("b"));
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn followers_of_both_namespaces_hear_of_a_move_and_of_the_way_back() {
    let (_folder, store) = open();
    let (one, _) = settle_in(&*store, "a");
    for (from, to) in [("a", "b"), ("b", "a")] {
        let heads = [from, to].map(|path| store.head(&ns(path)).unwrap());
        store.write(vec![relocate(from, to)]).unwrap();
        let left = store.changes(&ns(from), Some(&space()), heads[0], 10).unwrap();
        assert_eq!(left.len(), 3);
        assert!(left.iter().all(|change| matches!(change, Change::Gone { .. })), "{left:?}");
        let came = store.changes(&ns(to), Some(&space()), heads[1], 10).unwrap();
        let vector_of_one = came.iter().find_map(|change| match change {
            Change::Put { memory, vector } if memory.id == one.id => vector.clone(),
            _ => None,
        });
        assert_eq!((came.len(), vector_of_one), (3, Some(vector(0.75).values)));
        let edges = |path, head| store.edge_changes(&ns(path), head).unwrap().sources;
        assert_eq!(edges(from, heads[0]).iter().map(|one| one.edges.len()).sum::<usize>(), 0);
        assert!(edges(from, heads[0]).iter().any(|source| source.source == one.id));
        assert_eq!(edges(to, heads[1]).iter().map(|one| one.edges.len()).sum::<usize>(), 2);
    }
}

#[test]
fn what_is_said_at_the_new_place_already_goes_to_the_trash_there() {
    let (_folder, store) = open();
    let (one, two) = settle_in(&*store, "a");
    let there = keep(&*store, "b", "two");
    let moved = store.write(vec![relocate("a", "b")]).unwrap();
    assert_eq!(moved, [Written::NamespaceGone { memories: 3, repeated: 1 }]);
    assert_eq!(listed(&*store, "b", Trashed::Only), [two.id]);
    let seen = listed(&*store, "b", Trashed::Without);
    assert!(
        seen.contains(&there.id) && seen.contains(&one.id) && seen.len() == 3,
        "the absorbed one is seen"
    );
    assert!(store.edges_of(&ns("b"), one.id).unwrap().is_empty(), "hidden with the trash");
    assert_eq!(store.all_edges(&ns("b")).unwrap().len(), 2);
}

#[test]
fn a_move_that_would_put_two_memories_under_one_id_changes_nothing() {
    let (_folder, store) = open();
    let one = keep(&*store, "a", "one");
    let mut other = crate::support::memory("b", "another with the same id");
    other.id = one.id;
    store.write(vec![crate::support::remember(other, Embedding::Pending)]).unwrap();
    keep(&*store, "a", "two");
    let heads = [ns("a"), ns("b")].map(|path| store.head(&path).unwrap());
    let error = store.write(vec![relocate("a", "b")]).unwrap_err();
    assert!(matches!(error, StoreError::IdTaken { .. }), "{error}");
    assert_eq!([ns("a"), ns("b")].map(|path| store.head(&path).unwrap()), heads);
    assert_eq!(listed(&*store, "a", Trashed::Without).len(), 2);
}

#[test]
fn a_purged_namespace_leaves_no_row_and_tells_followers() {
    let (folder, store) = open();
    settle_in(&*store, "a");
    settle_in(&*store, "b");
    let (head, others) = (store.head(&ns("a")).unwrap(), rows(&folder, "b"));
    let delete = |purge| Write::DeleteNamespace { namespace: ns("a"), purge, at: at(20) };
    let trashed = store.write(vec![delete(false)]).unwrap();
    assert_eq!(trashed, [Written::NamespaceGone { memories: 3, repeated: 0 }]);
    assert_eq!(listed(&*store, "a", Trashed::Only).len(), 3);
    store.write(vec![delete(true)]).unwrap();
    assert_eq!((rows(&folder, "a"), rows(&folder, "b")), (Vec::new(), others));
    let changes = store.changes(&ns("a"), None, head, 10).unwrap();
    assert!(changes.len() == 3 && changes.iter().all(|change| matches!(change, Change::Gone { .. })));
    let edges = store.edge_changes(&ns("a"), ChangeNumber(0)).unwrap().sources;
    assert!(edges.iter().all(|source| source.edges.is_empty()));
}

#[test]
fn unknown_namespaces_are_refused_and_not_made_by_asking() {
    let (_folder, store) = open();
    let delete = Write::DeleteNamespace { namespace: ns("nowhere"), purge: true, at: at(1) };
    for write in [relocate("nowhere", "b"), delete] {
        let error = store.write(vec![write]).unwrap_err();
        assert!(matches!(error, StoreError::NoNamespace { .. }), "{error}");
    }
    assert!(store.namespaces(&Scope::All).unwrap().is_empty());
}
