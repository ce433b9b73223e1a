//! Writes that the store refuses when their turn comes.

use jiff::SignedDuration;
use peri_store::StoreError;
use perihelion::{
    Error, ErrorKind, EventKind, Happening, LogQuery, MemoryId, QueuedId, Revise, Scope, Trashed,
};

use super::{World, queue_one};
use crate::support::{keep, kind_of};

/// A world in which somebody revised by a version that is out of date when its turn comes.
fn refused(folder: &std::path::Path) -> (World, MemoryId, QueuedId) {
    let world = World::new(folder);
    let id = keep(&world.engine, "a heron");
    world.cut_off();
    let revise = |content: &str, expected_version| Revise {
        content: Some(content.to_owned()),
        expected_version,
        ..Revise::default()
    };
    queue_one(&world.engine, "a stork");
    for content in ["a grey heron", "a white heron"] {
        let outcome = world.engine.revise(&Scope::All, id, revise(content, Some(1)));
        assert!(matches!(outcome, Err(Error::Queued)));
    }
    queue_one(&world.engine, "a crane");
    world.come_back();
    let dead = world.engine.dead_calls(10).unwrap();
    assert_eq!(dead.len(), 1);
    assert_eq!((dead[0].operation.as_str(), dead[0].changes, dead[0].attempts), ("revise", 1, 1));
    assert_eq!(dead[0].reason, format!("memory {id} is at version 2, not 1"));
    (world, id, dead[0].id)
}

#[test]
fn a_refused_write_lies_among_the_dead_letters_with_the_reason_and_holds_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let (world, ..) = refused(folder.path());
    assert_eq!(world.depth(), 0);
    assert_eq!(world.contents(Trashed::Without), ["a grey heron", "a stork", "a crane"]);
    let health = world.engine.health();
    assert_eq!(health.queue.dead_writes, 1);
    assert!(health.warnings.iter().any(|warning| warning.contains("given up")), "{:?}", health.warnings);
    let kinds = vec![EventKind::QueueEmptied, EventKind::OperationFailed];
    let events = world.engine.events(&LogQuery { kinds, ..LogQuery::default() }).unwrap().events;
    assert_eq!(events[0].what, Happening::QueueEmptied { replayed: 3, dead: 1 });
    assert!(
        matches!(&events[1].what, Happening::OperationFailed { operation, .. } if operation == "queued write")
    );
}

#[test]
fn a_dead_letter_can_be_tried_again_and_dies_again_while_nothing_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (world, _, dead) = refused(folder.path());
    assert_eq!(world.engine.replay_queue(Some(dead)).unwrap(), 1);
    let again = world.engine.dead_calls(10).unwrap();
    assert_eq!((again.len(), again[0].id, world.depth()), (1, dead, 0));
    assert_eq!(world.engine.replay_queue(None).unwrap(), 1);
    let unknown = QueuedId::generate(world.clock.now());
    assert_eq!(kind_of(world.engine.replay_queue(Some(unknown))), Some(ErrorKind::NotFound));
}

#[test]
fn dead_letters_and_what_waits_can_be_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let (world, _, dead) = refused(folder.path());
    world.engine.drop_queued(dead).unwrap();
    assert_eq!(kind_of(world.engine.drop_queued(dead)), Some(ErrorKind::NotFound));
    assert_eq!(world.engine.dead_calls(10).unwrap(), []);
    world.cut_off();
    queue_one(&world.engine, "never mind");
    queue_one(&world.engine, "never mind that either");
    let first = world.engine.queued(1).unwrap()[0].id;
    world.engine.drop_queued(first).unwrap();
    assert_eq!(world.engine.drop_all_queued().unwrap(), 1);
    world.come_back();
    assert_eq!(world.contents(Trashed::Without), ["a grey heron", "a stork", "a crane"]);
}

#[test]
fn what_nobody_can_say_about_is_given_up_after_twenty_attempts_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    queue_one(&world.engine, "a heron");
    queue_one(&world.engine, "a stork");
    world.store.mend();
    let error = StoreError::Database { path: "perihelion.db".into(), detail: "numéro 42".into() };
    world.store.break_down("write_once", error);
    for attempt in 1..=20 {
        world.clock.advance(SignedDuration::from_secs(61));
        world.do_chores();
        let status = world.engine.queue_status().unwrap();
        assert_eq!((status.depth, status.dead), if attempt < 20 { (2, 0) } else { (1, 1) }, "{attempt}");
    }
    world.come_back();
    assert_eq!(world.contents(Trashed::Without), ["a stork"]);
    assert_eq!(world.engine.replay_queue(None).unwrap(), 1);
    assert_eq!(world.contents(Trashed::Without), ["a heron", "a stork"], "nothing is lost");
}
