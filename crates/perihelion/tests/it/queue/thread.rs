//! Programs that stay: a thread finds out whether the store answers again.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use perihelion::{Chores, Options, Outcome, Perihelion, QueueSettings, Remember, Trashed};

use super::{queue_one, unreachable};
use crate::faults::store::faulty::Faulty;
use crate::support::{all, ask, finds, options};

/// Hardly ever waits before it tries again.
pub fn eager() -> QueueSettings {
    let (backoff_min, backoff_max) = (Duration::from_millis(1), Duration::from_millis(5));
    QueueSettings { backoff_min, backoff_max, ..QueueSettings::default() }
}

fn open(folder: &Path, store: &Arc<Faulty>) -> Perihelion {
    let queue = eager();
    let options = Options { chores: Chores::Background, queue, ..options(folder) };
    Perihelion::on_store(options, store.clone()).unwrap()
}

/// Waits for the thread, for as long as it takes.
pub fn until(condition: impl Fn() -> bool) {
    while !condition() {
        std::thread::yield_now();
    }
}

#[test]
fn what_waits_is_made_without_a_restart_and_without_anybody_calling() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = open(folder.path(), &store);
    for round in 0..3 {
        store.break_down("*", unreachable());
        for number in 0..20 {
            queue_one(&engine, &format!("round {round}, note number {number}"));
        }
        store.mend();
        until(|| engine.queue_status().unwrap().depth == 0);
    }
    until(|| engine.remember(Remember::new("the last one")).unwrap().outcome != Outcome::Queued);
    let expected: Vec<_> = (0..3)
        .flat_map(|round| (0..20).map(move |number| format!("round {round}, note number {number}")))
        .collect();
    let held: Vec<_> = all(&engine, Trashed::Without).into_iter().map(|memory| memory.content).collect();
    assert_eq!(held[..60], expected);
    engine.close().unwrap();
}

#[test]
fn a_store_that_only_readers_found_away_is_found_back_by_the_thread() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = open(folder.path(), &store);
    engine.remember(Remember::new("a heron by the lake")).unwrap();
    store.break_down("*", unreachable());
    assert_eq!(ask(&engine, "heron").degraded.len(), 1);
    store.mend();
    until(|| finds(&engine, "heron", "a heron by the lake"));
}

#[test]
fn many_threads_write_through_outages_and_nothing_is_lost_or_doubled() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = open(folder.path(), &store);
    let ids = std::thread::scope(|threads| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let engine = &engine;
                let one = move |number| {
                    let content = format!("w{writer}n{number} z{number}q{writer}");
                    engine.remember(Remember::new(content)).unwrap().id
                };
                threads.spawn(move || (0..40).map(one).collect::<Vec<_>>())
            })
            .collect();
        while !writers.iter().all(|writer| writer.is_finished()) {
            store.break_down("*", unreachable());
            until(|| engine.queue_status().unwrap().depth > 3 || writers.iter().all(|one| one.is_finished()));
            store.mend();
            until(|| engine.queue_status().unwrap().depth == 0);
        }
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
    });
    until(|| engine.queue_status().unwrap().depth == 0);
    engine.close().unwrap();
    let mut held: Vec<_> = store_ids(&store);
    let mut expected = ids;
    held.sort();
    expected.sort();
    assert_eq!(held, expected);
}

fn store_ids(store: &Faulty) -> Vec<perihelion::MemoryId> {
    let query = peri_store::ListQuery { limit: 1000, ..peri_store::ListQuery::default() };
    store.inner.list(&query).unwrap().memories.into_iter().map(|memory| memory.id).collect()
}

#[test]
fn closing_stops_the_thread_while_the_store_is_away_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = open(folder.path(), &store);
    store.break_down("*", unreachable());
    queue_one(&engine, "a heron by the lake");
    engine.close().unwrap();
    store.mend();
    let engine = open(folder.path(), &store);
    until(|| store.count() == 1);
    drop(engine);
}
