//! A sync that is cut off at any of its steps: the next one ends where an uncut one would have.

use std::collections::BTreeMap;

use perihelion::{Scope, Trashed};

use crate::support::Desk;

/// What must be the same in the end: the files with their texts, and the memories with their places and contents.
type Outcome = (BTreeMap<String, String>, Vec<(String, String)>);

fn outcome(desk: &Desk) -> Outcome {
    let files = desk.vault.list().unwrap();
    let files = files.into_iter().map(|one| (one.path.clone(), desk.read(&one.path))).collect();
    let memories = desk.memories(Trashed::Without).into_iter();
    let mut memories: Vec<_> =
        memories.map(|memory| (memory.facets.source.unwrap_or_default(), memory.content)).collect();
    memories.sort();
    (files, memories)
}

/// Runs a story with the last sync cut off after one step, after two and so on, and compares the ends.
fn check(prepare: impl Fn(&Desk), edit: impl Fn(&Desk)) -> usize {
    let begin = || {
        let desk = Desk::new();
        prepare(&desk);
        desk.sync();
        edit(&desk);
        desk
    };
    let desk = begin();
    desk.sync();
    let expected = outcome(&desk);
    for steps in 1..200 {
        let desk = begin();
        if desk.cut_sync(steps).is_ok() {
            return steps;
        }
        let desk = desk.reopen();
        desk.sync();
        assert_eq!(outcome(&desk), expected, "cut off after {steps}");
        assert!(desk.sync().is_nothing(), "cut off after {steps}");
    }
    panic!("it never came to its end");
}

#[test]
fn new_changed_renamed_and_deleted_documents_survive_a_crash_at_every_step() {
    let steps = check(
        |desk| {
            for name in ["changed", "renamed", "deleted"] {
                desk.write(&format!("knowledge/facts/{name}.md"), &format!("{name} says one thing. [[new]]"));
            }
        },
        |desk| {
            desk.write("knowledge/facts/new.md", "새 문서 [[changed]]");
            desk.write("knowledge/facts/changed.md", "changed says another thing.");
            std::fs::rename(desk.path("knowledge/facts/renamed.md"), desk.path("knowledge/facts/改名.md"))
                .unwrap();
            desk.remove("knowledge/facts/deleted.md");
        },
    );
    assert!(steps > 8, "{steps}");
}

#[test]
fn changed_and_forgotten_memories_survive_a_crash_at_every_step() {
    let steps = check(
        |desk| {
            desk.write("knowledge/facts/revised.md", "---\ntags: [a]\n---\nIt says one thing.");
            desk.write("knowledge/facts/forgotten.md", "Nobody wants this.");
        },
        |desk| {
            desk.revise("knowledge/facts/revised.md", "It says another thing.");
            desk.engine.forget(&Scope::All, desk.memory("knowledge/facts/forgotten.md").id).unwrap();
        },
    );
    assert!(steps > 4, "{steps}");
}

#[test]
fn a_conflict_is_kept_once_whenever_it_is_cut_off() {
    let steps = check(
        |desk| desk.write("knowledge/facts/x.md", "The port is 8080."),
        |desk| {
            desk.revise("knowledge/facts/x.md", "The port is 7070.");
            desk.write("knowledge/facts/x.md", "The port is 9090.");
        },
    );
    assert!(steps > 6, "{steps}");
}

#[test]
fn a_document_whose_parts_change_survives_a_crash_at_every_step() {
    let filler = "A long story goes on and on. ".repeat(80);
    let text = |first: &str, last: &str| {
        format!("# One\n\n{filler}{first}\n\n## Two\n\n{last}\n\n## Three\n\n{first}\n")
    };
    let steps = check(
        |desk| desk.write("knowledge/facts/x.md", &text("a", "b")),
        |desk| {
            let edited =
                text("c", "b").replace("## Two", "## Four").replace("## Three", "## Five\n\nx\n\n## Six");
            desk.write("knowledge/facts/x.md", &edited);
        },
    );
    assert!(steps > 6, "{steps}");
}

#[test]
fn an_edit_after_a_crash_is_not_taken_for_a_conflict() {
    for steps in 1..40 {
        let desk = Desk::new();
        desk.write("knowledge/facts/x.md", "The port is 8080.");
        desk.sync();
        desk.write("knowledge/facts/x.md", "The port is 9090.");
        let is_done = desk.cut_sync(steps).is_ok();
        desk.write("knowledge/facts/x.md", "The port is 10101.");
        assert_eq!(desk.sync().conflicts, [], "cut off after {steps}");
        assert_eq!(desk.memory("knowledge/facts/x.md").content, "The port is 10101.");
        assert_eq!(desk.vault.list().unwrap().len(), 1);
        if is_done {
            return;
        }
    }
    panic!("it never came to its end");
}
