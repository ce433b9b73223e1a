//! A document that is changed on both sides: both versions are kept.

use std::sync::{Arc, Mutex};

use perihelion::{Event, EventKind, Happening, LogQuery, MemoryId, Namespace, Revise, Scope, Trashed};

use crate::support::{Desk, keys};

const BESIDE: &str = "knowledge/facts/포트 (conflict 2026-11-16 10-42-05).md";

#[test]
fn the_file_wins_in_place_and_the_memorys_version_becomes_a_document_of_its_own() {
    let desk = Desk::new();
    desk.write("knowledge/facts/포트.md", "---\ntags: [net]\n---\nThe port is 8080.\n");
    desk.sync();
    let id = desk.memory("knowledge/facts/포트.md").id;
    desk.revise("knowledge/facts/포트.md", "The port is 7070.");
    desk.write("knowledge/facts/포트.md", "---\ntags: [net]\n---\nThe port is 9090.\n");
    let synced = desk.sync();
    assert_eq!(synced.conflicts.len(), 1);
    assert_eq!(desk.read("knowledge/facts/포트.md"), "---\ntags: [net]\n---\nThe port is 9090.\n");
    assert_eq!(desk.read(BESIDE), "---\ntags: [net]\n---\nThe port is 7070.\n");
    let memory = desk.memory("knowledge/facts/포트.md");
    assert_eq!((memory.id, memory.content.as_str()), (id, "The port is 9090."));
    assert_eq!(desk.memory(BESIDE).content, "The port is 7070.");
    assert_eq!(keys(&desk.vault.status().unwrap().conflicts), [BESIDE.trim_end_matches(".md")]);
    assert!(desk.sync().is_nothing());
}

#[test]
fn the_same_change_on_both_sides_is_no_conflict() {
    let desk = Desk::new();
    desk.write("knowledge/facts/포트.md", "The port is 8080.");
    desk.sync();
    desk.revise("knowledge/facts/포트.md", "The port is 9090.");
    desk.write("knowledge/facts/포트.md", "The port is 9090.");
    let synced = desk.sync();
    assert_eq!((synced.conflicts.len(), desk.memories(Trashed::Without).len()), (0, 1));
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_file_that_was_edited_while_its_memory_was_forgotten_is_remembered_anew() {
    let desk = Desk::new();
    desk.write("knowledge/facts/포트.md", "The port is 8080.");
    desk.sync();
    desk.engine.forget(&Scope::All, desk.memory("knowledge/facts/포트.md").id).unwrap();
    desk.write("knowledge/facts/포트.md", "The port is 9090.");
    desk.sync();
    assert_eq!(desk.memory("knowledge/facts/포트.md").content, "The port is 9090.");
    assert_eq!(desk.memories(Trashed::Only).len(), 1);
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_memory_that_was_destroyed_is_made_again_from_its_file() {
    let desk = Desk::new();
    desk.write("knowledge/facts/포트.md", "The port is 8080.");
    desk.sync();
    let id = desk.memory("knowledge/facts/포트.md").id;
    desk.engine.forget(&Scope::All, id).unwrap();
    desk.engine.purge(&Scope::All, id).unwrap();
    desk.sync();
    assert_ne!(desk.memory("knowledge/facts/포트.md").id, id);
    assert!(desk.has("knowledge/facts/포트.md") && desk.sync().is_nothing());
}

#[test]
fn a_conflict_about_what_is_said_of_a_document_keeps_both_too() {
    let desk = Desk::new();
    desk.write("knowledge/facts/포트.md", "The port is 8080.");
    desk.sync();
    let revise = Revise { tags: Some(vec!["mine".into()]), ..Revise::default() };
    desk.engine.revise(&Scope::All, desk.memory("knowledge/facts/포트.md").id, revise).unwrap();
    desk.write("knowledge/facts/포트.md", "The port is 9090.");
    desk.sync();
    assert_eq!(desk.read(BESIDE), "---\ntags: [\"mine\"]\n---\nThe port is 8080.\n");
    assert_eq!(desk.read("knowledge/facts/포트.md"), "The port is 9090.");
}

/// What the event log tells of conflicts: the namespace, the file and the memories.
fn alerts(desk: &Desk) -> Vec<(Option<Namespace>, Option<String>, Vec<MemoryId>)> {
    let query = LogQuery { kinds: vec![EventKind::WorkerAlert], ..LogQuery::default() };
    desk.engine.events(&query).unwrap().events.into_iter().map(alert).collect()
}

fn alert(event: Event) -> (Option<Namespace>, Option<String>, Vec<MemoryId>) {
    let Happening::WorkerAlert { worker, message, ids, file, .. } = event.what else { panic!("{event:?}") };
    assert_eq!(worker, "vault");
    assert!(!message.contains("7070"), "an event has no content: {message}");
    (event.namespace, file, ids)
}

/// A document that was changed on both sides and not synced since.
fn torn() -> Desk {
    let desk = Desk::new();
    desk.write("knowledge/facts/포트.md", "The port is 8080.");
    desk.sync();
    desk.revise("knowledge/facts/포트.md", "The port is 7070.");
    desk.write("knowledge/facts/포트.md", "The port is 9090.");
    desk
}

#[test]
fn a_conflict_is_an_event_with_the_file_and_the_memories_of_both_versions() {
    let desk = torn();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::clone(&heard);
    let kinds = Some(vec![EventKind::WorkerAlert]);
    let subscription =
        desk.engine.subscribe(kinds, move |event| hearing.lock().unwrap().push(event.clone())).unwrap();
    desk.sync();
    let ids = vec![desk.memory("knowledge/facts/포트.md").id, desk.memory(BESIDE).id];
    let file = Some("knowledge/facts/포트.md".to_owned());
    let expected = [(Some(Namespace::default()), file, ids)];
    assert_eq!(alerts(&desk), expected);
    drop(subscription);
    let heard: Vec<_> = heard.lock().unwrap().drain(..).map(alert).collect();
    assert_eq!(heard, expected);
    desk.sync();
    assert_eq!(alerts(&desk).len(), 1, "it is told once");
}

#[test]
fn a_change_on_one_side_is_no_such_event() {
    let desk = Desk::new();
    desk.write("knowledge/facts/포트.md", "The port is 8080.");
    desk.sync();
    desk.revise("knowledge/facts/포트.md", "The port is 7070.");
    desk.sync();
    desk.write("knowledge/facts/포트.md", "The port is 9090.");
    desk.sync();
    assert_eq!(alerts(&desk), []);
}

#[test]
fn a_sync_that_is_cut_off_anywhere_leaves_no_conflict_untold() {
    for steps in 1..100 {
        let desk = torn();
        if desk.cut_sync(steps).is_ok() {
            assert!(steps > 4, "there are that many steps at least");
            return;
        }
        let desk = desk.reopen();
        desk.sync();
        let told = alerts(&desk);
        assert!(matches!(told.len(), 1 | 2), "cut off after {steps}: {told:?}");
        let ids = vec![desk.memory("knowledge/facts/포트.md").id, desk.memory(BESIDE).id];
        assert_eq!(told.last().map(|(_, _, ids)| ids), Some(&ids), "cut off after {steps}");
    }
    panic!("it never came to its end");
}
