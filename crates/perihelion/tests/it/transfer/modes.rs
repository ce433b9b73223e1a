//! What an import does with what is here, and what it tells beforehand.

use perihelion::{
    Effect, Ending, ImportMode, ImportOptions, Imported, Perihelion, Remember, Revise, Scope, Trashed,
};

use super::{everything, export, later, sides};
use crate::graph::link;
use crate::supersession::clocked;
use crate::support::{fresh, keep, ns};

fn imported(engine: &Perihelion, lines: &str, mode: ImportMode, effect: Effect) -> Imported {
    let options = ImportOptions { mode, effect, ..ImportOptions::default() };
    engine.import(&mut lines.as_bytes(), options).unwrap()
}

/// What would happen, checked against what happens.
fn foretold(engine: &Perihelion, lines: &str, mode: ImportMode) -> Imported {
    let before = export(engine);
    let told = imported(engine, lines, mode, Effect::Rehearsed);
    assert_eq!(export(engine), before, "a rehearsal writes nothing");
    assert_eq!(told, imported(engine, lines, mode, Effect::Written));
    told
}

fn contents(engine: &Perihelion, trashed: Trashed) -> Vec<String> {
    let mut found: Vec<String> = everything(engine, trashed).into_iter().map(|one| one.content).collect();
    found.sort();
    found
}

#[test]
fn replacing_moves_what_the_file_does_not_hold_to_the_trash_of_its_namespaces_alone() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "서울의 왜가리"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 1);
    keep(&engine, "storks nest on roofs");
    let elsewhere = Remember::new("storks nest on roofs").in_namespace(ns("elsewhere"));
    let elsewhere = engine.remember(elsewhere).unwrap().id;
    let told = foretold(&engine, &lines, ImportMode::Replace);
    assert_eq!((told.added, told.trashed, told.edges), (2, 1, 1), "{told:?}");
    assert_eq!((told.ending, &told.nothing_trashed), (Ending::Whole, &None));
    assert_eq!(sides(&engine)[0].len(), 3);
    assert_eq!(contents(&engine, Trashed::Only), ["storks nest on roofs"]);
    assert!(engine.get(&Scope::All, elsewhere).unwrap().trashed_at.is_none(), "another namespace");
    let again = foretold(&engine, &lines, ImportMode::Replace);
    assert_eq!((again.added, again.replaced, again.trashed), (0, 2, 0), "{again:?}");
}

#[test]
fn a_file_that_is_not_whole_moves_nothing_to_the_trash_and_says_so() {
    let (_folder, engine, clock) = clocked();
    keep(&engine, "herons nest by the lake");
    let whole = export(&engine);
    let without_end: String =
        whole.lines().filter(|line| !line.contains("\"end\"")).map(|line| format!("{line}\n")).collect();
    let without_memory: String =
        whole.lines().filter(|line| !line.contains("herons")).map(|line| format!("{line}\n")).collect();
    for (lines, ending, why) in [
        (without_end.clone(), Ending::Cut, "cut"),
        (without_end.replace("\"perihelion\":5", "\"perihelion\":1"), Ending::Unmarked, "no last line"),
        (without_memory, Ending::Whole, "refused"),
        (format!("nonsense\n{whole}"), Ending::Whole, "refused"),
        (format!("{without_end}{whole}"), Ending::Cut, "cut"),
        (whole.replace("\"perihelion\":5", "\"perihelion\":5,\"partial\":true"), Ending::Whole, "part"),
        (String::new(), Ending::Unmarked, "no last line"),
    ] {
        let (_folder, engine) = later(&clock, 1);
        keep(&engine, "storks nest on roofs");
        let told = foretold(&engine, &lines, ImportMode::Replace);
        assert_eq!(told.ending, ending, "{lines}");
        assert!(told.nothing_trashed.as_ref().unwrap().contains(why), "{told:?}");
        assert_eq!(told.trashed, 0);
        assert!(contents(&engine, Trashed::Only).is_empty());
    }
}

#[test]
fn statements_that_changed_their_ids_are_told_apart_by_each_mode() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep(&engine, text));
    let lines = export(&engine);
    // The same two statements, each under the id of the other.
    let (a, b) = (ids[0].to_string(), ids[1].to_string());
    let swapped = lines.replace(&a, "A").replace(&b, &a).replace('A', &b);
    let live = |engine: &Perihelion| {
        let live = everything(engine, Trashed::Without);
        live.into_iter().map(|one| (one.id, one.content)).collect::<Vec<_>>()
    };
    for (mode, known) in [(ImportMode::Append, 2), (ImportMode::Upsert, 2), (ImportMode::Replace, 0)] {
        let (_folder, engine) = later(&clock, 1);
        imported(&engine, &lines, ImportMode::Append, Effect::Written);
        let told = foretold(&engine, &swapped, mode);
        assert_eq!(told.known + told.newer_here, known, "{mode:?}: {told:?}");
        let expected = if mode == ImportMode::Replace { &swapped } else { &lines };
        let (_folder, other) = later(&clock, 1);
        imported(&other, expected, ImportMode::Append, Effect::Written);
        assert_eq!(live(&engine), live(&other), "{mode:?}");
    }
}

#[test]
fn a_memory_that_says_the_same_under_another_id_leaves_when_everything_is_replaced() {
    let (_folder, engine, clock) = clocked();
    let theirs = keep(&engine, "herons nest by the lake");
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 1);
    let own = keep(&engine, "herons nest by the lake");
    let told = foretold(&engine, &lines, ImportMode::Replace);
    assert_eq!((told.replaced, told.trashed), (1, 1), "{told:?}");
    assert_eq!(sides(&engine), [[theirs], [own]]);
}

#[test]
fn what_was_remembered_since_the_import_began_stays() {
    let (_folder, engine, clock) = clocked();
    keep(&engine, "herons nest by the lake");
    let lines = export(&engine);
    let (_folder, engine, clock) = {
        let (folder, engine, other) = clocked();
        other.advance(clock.now().duration_since(other.now()));
        (folder, engine, other)
    };
    struct Pausing<'a>(&'a [u8], Option<Box<dyn FnOnce() + 'a>>);
    impl std::io::Read for Pausing<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if let Some(meanwhile) = self.1.take() {
                meanwhile();
            }
            self.0.read(buffer)
        }
    }
    keep(&engine, "storks nest on roofs");
    let meanwhile = || {
        clock.advance(jiff::SignedDuration::from_secs(1));
        keep(&engine, "penguins cannot fly");
    };
    let options = ImportOptions { mode: ImportMode::Replace, ..ImportOptions::default() };
    let mut source = std::io::BufReader::new(Pausing(lines.as_bytes(), Some(Box::new(meanwhile))));
    let told = engine.import(&mut source, options).unwrap();
    assert_eq!(told.trashed, 1);
    assert_eq!(contents(&engine, Trashed::Without), ["herons nest by the lake", "penguins cannot fly"]);
}

#[test]
fn a_rehearsal_foretells_refusals_and_repeated_lines() {
    let (_folder, engine) = fresh();
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    let content = Some("herons nest by the river".to_owned());
    let lines = export(&engine);
    engine.revise(&Scope::All, ids[0], Revise { content, ..Revise::default() }).unwrap();
    let memory = lines.lines().find(|line| line.contains("herons")).unwrap();
    let twin = memory.replace(&ids[0].to_string(), "01980000-0000-7000-8000-000000000001");
    let edge = lines.lines().find(|line| line.contains("\"edge\"")).unwrap();
    let lost = edge.replace(&ids[1].to_string(), "01980000-0000-7000-8000-000000000002");
    let body: Vec<&str> = lines.lines().collect();
    let mangled = [&body[..], &[memory, &twin, edge, &lost, "{}"]].concat().join("\n");
    for mode in [ImportMode::Append, ImportMode::Upsert, ImportMode::Replace] {
        let (_folder, other) = fresh();
        keep(&other, "storks nest on roofs");
        let told = foretold(&other, &mangled, mode);
        assert!(told.refused.len() >= 2, "{mode:?}: {told:?}");
        foretold(&engine, &mangled, mode);
    }
}

fn revised(engine: &Perihelion, id: perihelion::MemoryId, content: &str) {
    let content = Some(content.to_owned());
    engine.revise(&Scope::All, id, Revise { content, ..Revise::default() }).unwrap();
}

/// What a memory says, and what it said before, the earliest first.
fn story(engine: &Perihelion, id: perihelion::MemoryId) -> Vec<String> {
    let history = engine.history(&Scope::All, id).unwrap();
    let versions = history.versions.into_iter().map(|version| version.content);
    versions.chain([history.memory.content]).collect()
}

#[test]
fn an_older_file_takes_nothing_back_that_was_revised_or_forgotten_here_since() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "storks nest on roofs", "penguins cannot fly"];
    let ids = ids.map(|text| keep(&engine, text));
    let lines = export(&engine);
    clock.advance(jiff::SignedDuration::from_hours(1));
    revised(&engine, ids[0], "herons nest by the river");
    engine.forget(&Scope::All, ids[1]).unwrap();
    let told = foretold(&engine, &lines, ImportMode::Upsert);
    assert_eq!((told.newer_here, told.replaced, told.known), (2, 1, 0), "{told:?}");
    assert_eq!(story(&engine, ids[0]), ["herons nest by the lake", "herons nest by the river"]);
    assert_eq!(contents(&engine, Trashed::Only), ["storks nest on roofs"]);
}

#[test]
fn a_later_revision_of_the_file_holds_and_what_it_replaces_stays_in_the_history() {
    for mode in [ImportMode::Upsert, ImportMode::Replace] {
        let (_folder, engine, clock) = clocked();
        let id = keep(&engine, "herons nest by the lake");
        let lines = export(&engine);
        clock.advance(jiff::SignedDuration::from_hours(1));
        revised(&engine, id, "herons nest by the river");
        let theirs = export(&engine);
        let (_folder, other) = later(&clock, 1);
        foretold(&other, &lines, ImportMode::Append);
        // Here it was revised too, before their last revision as the file tells it.
        let ours = lines.replace("by the lake", "by the pond");
        let ours = ours.replace("\"version\":1", "\"version\":2");
        foretold(&other, &ours, ImportMode::Replace);
        assert_eq!(story(&other, id), ["herons nest by the lake", "herons nest by the pond"]);
        let told = foretold(&other, &theirs, mode);
        assert_eq!((told.replaced, told.newer_here), (1, 0), "{told:?}");
        let all = story(&other, id);
        assert_eq!(all.last().unwrap(), "herons nest by the river");
        assert!(
            ["herons nest by the lake", "herons nest by the pond"]
                .iter()
                .all(|said| all.contains(&(*said).to_owned()))
        );
        foretold(&other, &theirs, mode);
        assert_eq!(story(&other, id), all, "and once more changes nothing");
    }
}

#[test]
fn where_the_clocks_cannot_be_compared_the_one_here_holds() {
    let (_folder, engine, clock) = clocked();
    let id = keep(&engine, "herons nest by the lake");
    let lines = export(&engine);
    clock.advance(jiff::SignedDuration::from_hours(24 * 400));
    revised(&engine, id, "said under a clock that runs ahead");
    let ahead = export(&engine);
    let (_folder, other) = later(&clock, -400);
    foretold(&other, &lines, ImportMode::Append);
    let told = foretold(&other, &ahead, ImportMode::Upsert);
    assert_eq!((told.newer_here, told.replaced), (1, 0), "{told:?}");
    assert_eq!(story(&other, id), ["herons nest by the lake"]);
}
