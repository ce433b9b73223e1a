//! Whole namespaces, moved and deleted.

use perihelion::{
    Deletion, ErrorKind, ListQuery, MemoryId, MovedNamespace, Namespace, Perihelion, Recall, Remember,
    Revise, Scope, Trashed, Walk,
};

use crate::graph::link;
use crate::support::{contents, fresh, kind_of, ns, open, snapshots};

fn here(namespace: &str) -> Scope {
    Scope::Exact(ns(namespace))
}

fn keep_in(engine: &Perihelion, namespace: &str, content: &str) -> MemoryId {
    engine.remember(Remember::new(content).in_namespace(ns(namespace))).unwrap().id
}

fn found(engine: &Perihelion, namespace: &str, query: &str) -> Vec<String> {
    let recalled = engine.recall(&Recall::new(query).in_scope(here(namespace))).unwrap();
    contents(&recalled).into_iter().map(ToOwned::to_owned).collect()
}

fn listed(engine: &Perihelion, namespace: &str, trashed: Trashed) -> Vec<MemoryId> {
    let query = ListQuery { scope: here(namespace), trashed, ..ListQuery::default() };
    let mut ids: Vec<_> = engine.list(query).unwrap().memories.into_iter().map(|one| one.id).collect();
    ids.sort();
    ids
}

#[test]
fn a_moved_namespace_is_whole_at_its_new_name_for_every_engine() {
    let (folder, engine) = fresh();
    let other = open(folder.path());
    let tea = keep_in(&engine, "a", "Ana prefers tea over coffee.");
    let absorbed = engine.remember(Remember::new("Ana prefers tea to coffee").in_namespace(ns("a"))).unwrap();
    let absorbed = absorbed.absorbed.unwrap();
    let old = keep_in(&engine, "a", "Ana lives in Berlin");
    let new = keep_in(&engine, "a", "Ana moved to Lisbon");
    let gone = keep_in(&engine, "a", "something to forget");
    engine.forget(&here("a"), gone).unwrap();
    let content = Some("Ana prefers green tea over coffee.".to_owned());
    engine.revise(&here("a"), tea, Revise { content, ..Revise::default() }).unwrap();
    link(&engine, tea, new);
    engine.start_session(&ns("a"), "monday").unwrap();
    for engine in [&engine, &other] {
        assert!(!found(engine, "a", "what does Ana like to drink?").is_empty());
        engine.maintain().unwrap();
    }
    let usage = engine.usage(&ns("a"), tea).unwrap();
    assert!(usage.is_some_and(|(recalls, _)| recalls >= 2), "{usage:?}");
    let before = (listed(&engine, "a", Trashed::Without), listed(&engine, "a", Trashed::Only));

    let moved = engine.move_namespace(&ns("a"), &ns("b")).unwrap();
    assert_eq!(moved, MovedNamespace { memories: 5, repeated: 0 });
    for engine in [&engine, &other] {
        assert!(found(engine, "a", "what does Ana like to drink?").is_empty());
        let drinks = found(engine, "b", "what does Ana like to drink?");
        assert!(drinks.contains(&"Ana prefers green tea over coffee.".to_owned()), "{drinks:?}");
        assert_eq!((listed(engine, "b", Trashed::Without), listed(engine, "b", Trashed::Only)), before);
        assert_eq!(engine.namespaces(&Scope::All).unwrap(), [ns("b")]);
        assert_eq!(engine.history(&Scope::All, tea).unwrap().versions.len(), 1);
        assert_eq!(engine.get(&here("b"), old).unwrap().facets.superseded_by, Some(new));
        assert!(engine.get(&here("b"), tea).unwrap().space.is_some(), "its vector came along");
        let starts = [tea];
        let walk = |namespace: &str| engine.walk(&ns(namespace), &Walk::from(&starts)).unwrap();
        assert!(walk("a").is_empty() && walk("b").iter().any(|step| step.id == new));
        assert!(engine.session(&ns("b"), "monday").is_ok() && engine.session(&ns("a"), "monday").is_err());
    }
    let moved_usage = engine.usage(&ns("b"), tea).unwrap();
    assert!(moved_usage >= usage, "{moved_usage:?} instead of {usage:?}");
    assert_eq!(other.split(&here("b"), absorbed).unwrap().facets.superseded_by, None);
    engine.restore(&here("b"), gone).unwrap();
    assert_eq!(found(&other, "b", "something to forget"), ["something to forget"]);
}

#[test]
fn what_is_said_at_the_new_place_already_goes_to_the_trash_there_and_the_rest_is_kept() {
    let (_folder, engine) = fresh();
    let repeated = keep_in(&engine, "a", "the gate code is 4711");
    let own = keep_in(&engine, "a", "herons nest by the lake");
    let there = keep_in(&engine, "b", "the gate code is 4711");
    let moved = engine.move_namespace(&ns("a"), &ns("b")).unwrap();
    assert_eq!(moved, MovedNamespace { memories: 2, repeated: 1 });
    assert_eq!(found(&engine, "b", "gate code"), ["the gate code is 4711"]);
    let mut kept = vec![own, there];
    kept.sort();
    assert_eq!(listed(&engine, "b", Trashed::Without), kept);
    assert_eq!(listed(&engine, "b", Trashed::Only), [repeated]);
    assert_eq!(
        kind_of(engine.restore(&here("b"), repeated)),
        Some(ErrorKind::Conflict),
        "it is there already"
    );
}

#[test]
fn the_old_name_can_be_used_again_without_ghosts_also_by_an_engine_with_a_saved_index() {
    let (folder, engine) = fresh();
    let batch = (0..80).map(|i| Remember::new(format!("crate {i} holds apples")).in_namespace(ns("a")));
    let ids: Vec<_> = engine.remember_all(batch.collect()).unwrap().into_iter().map(|one| one.id).collect();
    link(&engine, ids[0], ids[1]);
    engine.maintain().unwrap();
    engine.close().unwrap();
    assert_eq!(snapshots(folder.path()).len(), 1, "the case needs a snapshot");
    let engine = open(folder.path());
    engine.move_namespace(&ns("a"), &ns("b")).unwrap();
    let fresh_one = keep_in(&engine, "a", "crate 7 holds pears");
    engine.close().unwrap();
    let engine = open(folder.path());
    assert_eq!(found(&engine, "a", "crate 7"), ["crate 7 holds pears"]);
    assert_eq!(listed(&engine, "a", Trashed::Without), [fresh_one]);
    assert!(engine.edges(&here("a"), fresh_one).unwrap().is_empty());
    assert!(engine.communities(&ns("a")).unwrap().groups.is_empty());
    assert_eq!(found(&engine, "b", "crate 7")[0], "crate 7 holds apples");
    let back = engine.move_namespace(&ns("b"), &ns("a")).unwrap();
    assert_eq!(back, MovedNamespace { memories: 80, repeated: 0 });
    assert!(found(&engine, "b", "crate 7").is_empty());
    assert_eq!(found(&engine, "a", "crate 7").len(), 10);
    assert_eq!(engine.stats(&here("a")).unwrap().memories, 81);
}

#[test]
fn moving_a_namespace_onto_itself_changes_nothing() {
    let (_folder, engine) = fresh();
    keep_in(&engine, "a", "herons nest by the lake");
    let before = engine.stats(&Scope::All).unwrap();
    assert_eq!(
        engine.move_namespace(&ns("a"), &ns("a")).unwrap(),
        MovedNamespace { memories: 0, repeated: 0 }
    );
    assert_eq!(engine.stats(&Scope::All).unwrap(), before);
    assert_eq!(found(&engine, "a", "herons").len(), 1);
}

#[test]
fn a_namespace_deleted_to_the_trash_can_be_restored() {
    let (folder, engine) = fresh();
    let other = open(folder.path());
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep_in(&engine, "a", text));
    link(&engine, ids[0], ids[1]);
    keep_in(&engine, "a/b", "a namespace below is another one");
    assert_eq!(engine.delete_namespace(&ns("a"), Deletion::ToTrash).unwrap(), 2);
    for engine in [&engine, &other] {
        assert!(found(engine, "a", "nest").is_empty());
        assert_eq!(listed(engine, "a", Trashed::Only), ids);
        assert_eq!(found(engine, "a/b", "namespace below").len(), 1);
    }
    assert_eq!(engine.delete_namespace(&ns("a"), Deletion::ToTrash).unwrap(), 0);
    for id in ids {
        other.restore(&here("a"), id).unwrap();
    }
    assert_eq!(found(&engine, "a", "nest").len(), 2);
    assert_eq!(engine.edges(&here("a"), ids[0]).unwrap().len(), 1);
}

#[test]
fn a_purged_namespace_leaves_nothing() {
    let (folder, engine) = fresh();
    let other = open(folder.path());
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep_in(&engine, "a", text));
    link(&engine, ids[0], ids[1]);
    engine.forget(&here("a"), ids[1]).unwrap();
    engine.start_session(&ns("a"), "monday").unwrap();
    keep_in(&engine, "b", "herons and storks nest");
    let untouched = other.stats(&here("b")).unwrap().namespaces;
    assert_eq!(engine.delete_namespace(&ns("a"), Deletion::Purge).unwrap(), 2);
    for engine in [&engine, &other] {
        assert!(found(engine, "a", "nest").is_empty());
        assert_eq!(engine.namespaces(&Scope::All).unwrap(), [ns("b")]);
        assert_eq!(engine.stats(&Scope::All).unwrap().namespaces, untouched);
        assert!(engine.sessions(&Scope::All, 10).unwrap().is_empty());
        assert!(ids.iter().all(|id| kind_of(engine.get(&Scope::All, *id)) == Some(ErrorKind::NotFound)));
        let mut exported = Vec::new();
        engine.export(here("a"), &mut exported).unwrap();
        assert_eq!(exported.iter().filter(|byte| **byte == b'\n').count(), 2, "only the header and the end");
    }
    let again = keep_in(&other, "a", "herons nest by the lake");
    assert_eq!(listed(&engine, "a", Trashed::Without), [again]);
}

#[test]
fn unknown_namespaces_are_neither_moved_nor_deleted() {
    let (_folder, engine) = fresh();
    keep_in(&engine, "a", "herons nest by the lake");
    let unknown: Namespace = ns("nowhere");
    assert_eq!(kind_of(engine.move_namespace(&unknown, &ns("b"))), Some(ErrorKind::NotFound));
    for deletion in [Deletion::ToTrash, Deletion::Purge] {
        assert_eq!(kind_of(engine.delete_namespace(&unknown, deletion)), Some(ErrorKind::NotFound));
    }
    assert_eq!(engine.namespaces(&Scope::All).unwrap(), [ns("a")]);
}
