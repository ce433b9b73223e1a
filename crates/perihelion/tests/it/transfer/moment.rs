//! An export is one moment, whatever others do meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};

use peri_store::{ListQuery, SqliteSettings, SqliteStore, Store as _, StoreError, Write};
use perihelion::{Namespace, Perihelion, Remember, Revise, Scope};

use super::export;
use crate::support::{fresh, keep, open};

/// Memories that are always changed together.
const PAIR: [&str; 2] = ["the left shoe stands in row", "the right shoe stands in row"];

/// A writer that is interrupted between no two of its changes: an export that shows one of them shows both.
#[test]
fn an_export_beside_a_writer_is_a_state_that_the_store_was_in() {
    let (folder, engine) = fresh();
    let filler = (0..1500).map(|i| Remember::new(format!("Quixou{i} {}", "lorem ".repeat(10))));
    engine.remember_all(filler.collect()).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let writer = threads.spawn(|| {
            let writer = open(folder.path());
            let mut round = 0;
            // At least a few, however quick the exports are.
            while !done.load(Ordering::Relaxed) || round < 5 {
                round += 1;
                let pair =
                    PAIR.map(|text| Remember::new(format!("{text} number {round}")).said("shoes", "Ana"));
                writer.remember_all(pair.into()).unwrap();
            }
        });
        for _ in 0..12 {
            let lines = export(&engine);
            let [left, right] = PAIR.map(|text| lines.matches(text).count());
            assert_eq!(left, right, "both or none");
            let end = lines.lines().last().unwrap();
            let memories = lines.lines().filter(|line| line.starts_with("{\"record\":\"memory\"")).count();
            assert!(end.contains(&format!("\"memories\":{memories},")), "{end}");
        }
        done.store(true, Ordering::Relaxed);
        writer.join().unwrap();
    });
}

#[test]
fn a_frozen_store_shows_one_moment_and_cannot_be_written() {
    let (folder, engine) = fresh();
    let old = keep(&engine, "herons nest by the lake");
    let path = folder.path().join(Perihelion::DATABASE);
    let store = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
    let frozen = store.frozen().unwrap();
    let new = keep(&engine, "storks nest on roofs");
    let content = Some("herons nest by the river".to_owned());
    engine.revise(&Scope::All, old, Revise { content, ..Revise::default() }).unwrap();
    engine.start_session(&Namespace::default(), "monday").unwrap();
    std::thread::scope(|threads| {
        // Several readers at once share the one connection that shows this moment.
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..50 {
                    let page = frozen.list(&ListQuery::default()).unwrap();
                    let contents: Vec<&str> =
                        page.memories.iter().map(|memory| memory.content.as_str()).collect();
                    assert_eq!(contents, ["herons nest by the lake"]);
                    assert!(frozen.get(&Scope::All, &[new]).unwrap().is_empty());
                    assert!(frozen.sessions(&Scope::All, 10).unwrap().is_empty());
                    let stats = frozen.stats(&Scope::All).unwrap();
                    assert_eq!(stats[0].memories, 1);
                    let head = frozen.head(&Namespace::default()).unwrap();
                    assert_eq!(frozen.edge_changes(&Namespace::default(), head).unwrap().head, head);
                    let changes =
                        frozen.changes(&Namespace::default(), None, Default::default(), 10).unwrap();
                    assert_eq!(changes.len(), 1);
                }
            });
        }
    });
    assert!(frozen.is_read_only());
    let write = Write::DropImport { name: "x".to_owned() };
    assert!(matches!(frozen.write(vec![write.clone()]), Err(StoreError::ReadOnly { .. })));
    assert!(matches!(
        frozen.acquire_lease("a", "b", Default::default(), Default::default()),
        Err(StoreError::ReadOnly { .. })
    ));
    assert!(frozen.frozen().is_err(), "it would have to be the same moment");
    store.write(vec![write]).unwrap();
    drop(frozen);
    assert_eq!(store.list(&ListQuery::default()).unwrap().memories.len(), 2);
}
