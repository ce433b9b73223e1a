//! Workers that run as they become due.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use peri_workers::{Findings, Line, Service, TABLE, WorkerKind, WorkerManager, WorkersSettings};
use perihelion::{Clock, Options, Perihelion, Timestamp};

use crate::support::{options, settings};

static RUNS: AtomicUsize = AtomicUsize::new(0);

fn wait_for(what: impl Fn() -> bool) {
    let started = Instant::now();
    while !what() {
        assert!(started.elapsed() < Duration::from_secs(60), "it never came");
        std::thread::yield_now();
    }
}

#[test]
fn the_service_runs_what_is_due_by_the_engines_clock_and_stops_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(Timestamp::from_second(1_800_000_000).unwrap());
    let pass = |seconds| clock.advance(jiff::SignedDuration::from_secs(seconds));
    let now = || clock.now();
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(&folder) }).unwrap();
    let engine = Arc::new(engine);
    let mut limits = WorkersSettings { load_max: 0.0, memory_free_min: 0.0, ..settings() };
    limits.workers.iter_mut().for_each(|(kind, config)| config.enabled = *kind == WorkerKind::Map);
    let mut workers = WorkerManager::new(engine, None, limits);
    let own = TABLE.iter().find(|line| line.kind == WorkerKind::Map).unwrap();
    workers.register(Line {
        work: |_| {
            RUNS.fetch_add(1, Ordering::SeqCst);
            Ok(Findings::new("ran"))
        },
        ..*own
    });
    let workers = Arc::new(workers);
    let service = Service::start(Arc::clone(&workers));
    let next = || workers.status().unwrap().workers.iter().find_map(|one| one.next_run_at).unwrap();
    assert!(next() > now(), "it is told when it is due");
    pass(120);
    wait_for(|| RUNS.load(Ordering::SeqCst) == 1);
    wait_for(|| next() > now());
    pass(601);
    wait_for(|| RUNS.load(Ordering::SeqCst) == 2);
    drop(service);
    pass(10_000);
    assert_eq!(RUNS.load(Ordering::SeqCst), 2);
    assert!(!workers.status().unwrap().scheduled);
}
