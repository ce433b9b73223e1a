//! What is purged is gone: its words are in no file of the data folder, but for copies that the answer names.

use std::path::{Path, PathBuf};

use perihelion::{Deletion, EventKind, HeldBy, LogQuery, Perihelion, Recall, Remember, Revise, Scope};

use crate::support::{keep, ns, options};

const WORD: &str = "kumquat-7f3a9c51";

/// The files below a folder that hold a text.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if std::fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
            found.push(path);
        }
    }
    found
}

fn revise(engine: &Perihelion, id: perihelion::MemoryId, content: String) {
    engine.revise(&Scope::All, id, Revise { content: Some(content), ..Revise::default() }).unwrap();
}

/// Stores, changes, asks for and hands out what holds the word, as agents do.
fn live_with(engine: &Perihelion, namespace: &str) -> perihelion::MemoryId {
    let first = Remember::new(format!("the plain word is {WORD}")).in_namespace(ns(namespace));
    let id = engine.remember(first).unwrap().id;
    for number in 0..40 {
        keep(engine, &format!("filler number {number} of many"));
    }
    revise(engine, id, format!("the changed word is {WORD}, {}", "and so on ".repeat(900)));
    revise(engine, id, format!("the last word is {WORD}"));
    let asked = Recall::new(WORD).in_scope(Scope::Exact(ns(namespace)));
    let found = engine.recall(&asked).unwrap();
    let texts: Vec<String> = found.hits.iter().map(|hit| hit.memory.content.clone()).collect();
    assert!(texts.iter().any(|text| text.contains(WORD)));
    engine.note_handed_out(&ns(namespace), "s1", &texts).unwrap();
    assert!(!engine.handed_out(&ns(namespace), "s1").unwrap().is_empty());
    engine.maintain().unwrap();
    // What was asked a moment ago is not written yet.
    engine.recall(&asked).unwrap();
    id
}

#[test]
fn words_of_a_purged_memory_are_in_no_file_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    let id = live_with(&engine, "default");
    assert!(!holding(folder.path(), WORD).is_empty());
    engine.forget(&Scope::All, id).unwrap();
    let destroyed = engine.purge(&Scope::All, id).unwrap();
    assert_eq!((destroyed.memories, &destroyed.still_held[..]), (1, &[][..]));
    assert_eq!(holding(folder.path(), WORD), [] as [PathBuf; 0]);
    let handed = engine.handed_out(&ns("default"), "s1").unwrap();
    assert!(handed.iter().all(|handed| !handed.text.contains(WORD)));
    engine.close().unwrap();
    assert_eq!(holding(folder.path(), WORD), [] as [PathBuf; 0]);
    // The log is whole, and still tells that something was asked.
    let engine = Perihelion::open(options(folder.path())).unwrap();
    let asked = LogQuery { kinds: vec![EventKind::Recalled], limit: 10, ..LogQuery::default() };
    let asked = engine.events(&asked).unwrap();
    assert_eq!((asked.events.len(), asked.skipped_lines), (2, 0), "{asked:?}");
}

#[test]
fn words_of_what_is_purged_together_or_with_its_namespace_are_in_no_file_of_the_folder() {
    for whole_namespace in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let engine = Perihelion::open(options(folder.path())).unwrap();
        let id = live_with(&engine, "team/a");
        if whole_namespace {
            engine.delete_namespace(&ns("team/a"), Deletion::Purge).unwrap();
        } else {
            engine.forget(&Scope::All, id).unwrap();
            let soon = engine.options().clock.now() + jiff::SignedDuration::from_secs(1);
            assert_eq!(engine.purge_trashed(&Scope::All, soon).unwrap().memories, 1);
        }
        engine.close().unwrap();
        assert_eq!(holding(folder.path(), WORD), [] as [PathBuf; 0], "{whole_namespace}");
    }
}

#[test]
fn what_a_purge_does_not_reach_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    let episode = Remember::new(format!("an episode of {WORD}")).said("s1", "Ana");
    let id = engine.remember(episode).unwrap().id;
    engine.take_snapshot().unwrap().unwrap();
    let backup = "20261119T120000Z".to_owned();
    let change = perihelion::ChangeNumber(1);
    engine.tell(perihelion::Happening::BackedUp { backup: backup.clone(), change }).unwrap();
    engine.forget(&Scope::All, id).unwrap();
    let held = engine.purge(&Scope::All, id).unwrap().still_held;
    let by: Vec<HeldBy> = held.iter().map(|held| held.by).collect();
    assert_eq!(by, [HeldBy::Backups, HeldBy::Snapshots], "{held:?}");
    assert!(held[0].detail.contains(&backup));
}
