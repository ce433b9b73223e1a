//! Running workers: one of a kind at a time, within their time, stopped when asked, and never made up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use peri_workers::{
    Findings, Job, Line, RunStatus, Running, TABLE, Trigger, Trouble, WorkerKind, WorkerManager,
    WorkerPriority, WorkersSettings,
};
use perihelion::{EventKind, LogQuery, NewAlert, Severity, Turned};

use crate::support::{another, fresh, manager, run, settings};

fn line(kind: WorkerKind, work: fn(&Job<'_>) -> Result<Findings, Trouble>) -> Line {
    let own = TABLE.iter().find(|line| line.kind == kind).unwrap();
    Line { work, ..*own }
}

fn alert(mark: &str) -> NewAlert {
    NewAlert {
        mark: mark.to_owned(),
        namespace: None,
        severity: Severity::Warning,
        message: format!("문제가 있다: {mark}"),
        ids: Vec::new(),
        file: None,
    }
}

#[test]
fn the_table_is_the_seeds_with_its_priorities_and_intervals() {
    let expected = [
        ("ultralearn", "normal", 60),
        ("audit", "critical", 600),
        ("optimize", "high", 300),
        ("consolidate", "low", 1800),
        ("predict", "normal", 300),
        ("map", "normal", 600),
        ("deepdive", "normal", 600),
        ("document", "normal", 1800),
        ("refactor", "normal", 600),
        ("benchmark", "normal", 600),
        ("testgaps", "normal", 600),
        ("learning", "normal", 900),
    ];
    let table: Vec<_> = TABLE
        .iter()
        .map(|line| (line.kind.as_str(), line.priority.as_str(), line.interval.as_secs()))
        .collect();
    assert_eq!(table, expected);
}

#[test]
fn a_run_is_kept_with_what_it_found_and_told_as_events() {
    let (_folder, engine) = fresh();
    let mut workers = manager(&engine);
    workers.register(line(WorkerKind::Map, |_| {
        Ok(Findings::new("둘러보았다").figure("files", 7).alert(alert("a")))
    }));
    let report = run(&workers, WorkerKind::Map);
    assert!(report.success && report.alerts == 1, "{report:?}");
    let runs = engine.worker_runs(Some("map"), 10).unwrap();
    assert_eq!((runs[0].summary.as_str(), runs[0].status.as_str()), ("둘러보았다", "done"));
    assert_eq!(runs[0].detail["figures"]["files"], 7);
    let kinds = vec![EventKind::WorkerDispatched, EventKind::WorkerCompleted, EventKind::WorkerAlert];
    let events = engine.events(&LogQuery { kinds, ..LogQuery::default() }).unwrap().events;
    assert_eq!(events.len(), 3, "{events:?}");
}

#[test]
fn what_is_found_again_is_told_once_and_what_is_no_more_is_resolved() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let (_folder, engine) = fresh();
    let mut workers = manager(&engine);
    workers.register(line(WorkerKind::Audit, |_| {
        let findings = Findings::new("looked");
        Ok(if RUNS.fetch_add(1, Ordering::SeqCst) < 2 { findings.alert(alert("leak")) } else { findings })
    }));
    assert_eq!(run(&workers, WorkerKind::Audit).alerts, 1);
    assert_eq!(run(&workers, WorkerKind::Audit).alerts, 0, "it is known");
    assert_eq!(engine.worker_alerts(false, 10).unwrap()[0].seen, 2);
    run(&workers, WorkerKind::Audit);
    assert!(engine.worker_alerts(false, 10).unwrap().is_empty());
    assert_eq!(engine.worker_alerts(true, 10).unwrap().len(), 1, "and still known");
}

#[test]
fn trouble_a_panic_and_a_lack_are_told_as_what_they_are() {
    let (_folder, engine) = fresh();
    let mut workers = manager(&engine);
    workers.register(line(WorkerKind::Map, |_| Err(Trouble::Failed("the disk is gone".to_owned()))));
    workers.register(line(WorkerKind::Audit, |_| panic!("on purpose")));
    workers.register(line(WorkerKind::Testgaps, |job| job.need_workspace().map(|_| Findings::new("never"))));
    let failed = run(&workers, WorkerKind::Map);
    assert_eq!((failed.status, failed.success), (RunStatus::Failed, false));
    assert!(failed.output.contains("the disk is gone"));
    assert_eq!(run(&workers, WorkerKind::Audit).status, RunStatus::Failed);
    let unavailable = run(&workers, WorkerKind::Testgaps);
    assert_eq!(unavailable.status, RunStatus::Unavailable);
    assert!(unavailable.output.contains("workers.workspace"), "{}", unavailable.output);
    assert_eq!(engine.worker_runs(None, 10).unwrap().len(), 3, "each is kept");
}

/// Where a worker waits for its test, and tells it that it does.
struct Gate {
    here: SyncSender<()>,
    go: Mutex<Receiver<()>>,
}

static GATES: Mutex<Vec<(String, Arc<Gate>)>> = Mutex::new(Vec::new());

fn gate(name: &str) -> (Receiver<()>, SyncSender<()>) {
    let (here, is_here) = sync_channel(8);
    let (go, goes) = sync_channel(8);
    GATES.lock().unwrap().push((name.to_owned(), Arc::new(Gate { here, go: Mutex::new(goes) })));
    (is_here, go)
}

/// Says that it is at work and works until it is told to stop or to end.
fn waits(job: &Job<'_>, name: &str) -> Result<Findings, Trouble> {
    let gates = GATES.lock().unwrap();
    let gate = Arc::clone(&gates.iter().find(|(own, _)| own == name).unwrap().1);
    drop(gates);
    gate.here.send(()).unwrap();
    loop {
        if gate.go.lock().unwrap().recv_timeout(Duration::from_millis(5)).is_ok() {
            return Ok(Findings::new("let go"));
        }
        job.check()?;
    }
}

#[test]
fn of_a_kind_only_one_is_at_work_in_all_processes() {
    let (folder, engine) = fresh();
    let (is_here, go) = gate("one");
    let mut workers = manager(&engine);
    workers.register(line(WorkerKind::Map, |job| waits(job, "one")));
    let workers = Arc::new(workers);
    let other = manager(&another(&folder));
    std::thread::scope(|scope| {
        let first = scope.spawn(|| run(&workers, WorkerKind::Map));
        is_here.recv().unwrap();
        let here = workers.dispatch(WorkerKind::Map, Trigger::Hand).unwrap();
        assert!(matches!(here, Turned::Elsewhere(_)), "not twice here");
        let elsewhere = other.dispatch(WorkerKind::Map, Trigger::Hand).unwrap();
        assert!(matches!(elsewhere, Turned::Elsewhere(_)), "nor there");
        let status = |manager: &WorkerManager| {
            let all = manager.status().unwrap().workers;
            all.into_iter().find(|one| one.worker == WorkerKind::Map).unwrap().running
        };
        assert_eq!((status(&workers), status(&other)), (Running::Here, Running::Elsewhere));
        go.send(()).unwrap();
        assert_eq!(first.join().unwrap().status, RunStatus::Done);
    });
    assert_eq!(
        run(&other, WorkerKind::Map).status,
        RunStatus::Unavailable,
        "its own worker has its turn again"
    );
}

#[test]
fn a_worker_is_cancelled_from_its_own_process_and_from_another() {
    let (folder, engine) = fresh();
    for from_elsewhere in [false, true] {
        let name = if from_elsewhere { "cancel there" } else { "cancel here" };
        let (is_here, _go) = gate(name);
        let mut workers = manager(&engine);
        let work: fn(&Job<'_>) -> _ =
            if from_elsewhere { |job| waits(job, "cancel there") } else { |job| waits(job, "cancel here") };
        workers.register(line(WorkerKind::Deepdive, work));
        let workers = Arc::new(workers);
        let other = manager(&another(&folder));
        std::thread::scope(|scope| {
            let first = scope.spawn(|| run(&workers, WorkerKind::Deepdive));
            is_here.recv().unwrap();
            let canceller = if from_elsewhere { &other } else { &*workers };
            assert!(canceller.cancel(WorkerKind::Deepdive).unwrap());
            assert_eq!(first.join().unwrap().status, RunStatus::Cancelled);
        });
        assert!(!workers.cancel(WorkerKind::Deepdive).unwrap(), "nobody is at it any more");
    }
}

#[test]
fn a_worker_that_takes_too_long_is_stopped() {
    let (_folder, engine) = fresh();
    let (_is_here, _go) = gate("slow");
    let limits = WorkersSettings { timeout: Duration::from_millis(20), ..settings() };
    let mut workers = WorkerManager::new(Arc::clone(&engine), None, limits);
    workers.register(line(WorkerKind::Refactor, |job| waits(job, "slow")));
    assert_eq!(run(&workers, WorkerKind::Refactor).status, RunStatus::TimedOut);
}

static ORDER: Mutex<Vec<WorkerKind>> = Mutex::new(Vec::new());

#[test]
fn all_are_run_by_priority_and_those_that_are_off_are_not() {
    fn note(kind: WorkerKind) -> Result<Findings, Trouble> {
        ORDER.lock().unwrap().push(kind);
        Ok(Findings::new("noted"))
    }
    let (_folder, engine) = fresh();
    let mut limits = WorkersSettings { parallel: 1, ..settings() };
    for (kind, config) in &mut limits.workers {
        let kept = [WorkerKind::Audit, WorkerKind::Optimize, WorkerKind::Map, WorkerKind::Consolidate];
        config.enabled = kept.contains(kind);
    }
    let mut workers = WorkerManager::new(Arc::clone(&engine), None, limits);
    workers.register(line(WorkerKind::Audit, |_| note(WorkerKind::Audit)));
    workers.register(line(WorkerKind::Optimize, |_| note(WorkerKind::Optimize)));
    workers.register(line(WorkerKind::Map, |_| note(WorkerKind::Map)));
    workers.register(line(WorkerKind::Consolidate, |_| note(WorkerKind::Consolidate)));
    workers.register(line(WorkerKind::Document, |_| note(WorkerKind::Document)));
    let outcomes = workers.dispatch_all(Trigger::Hand);
    assert_eq!(outcomes.len(), 4);
    let expected = [WorkerKind::Audit, WorkerKind::Optimize, WorkerKind::Map, WorkerKind::Consolidate];
    assert_eq!(*ORDER.lock().unwrap(), expected);
    assert!(WorkerPriority::Critical < WorkerPriority::Low);
}

#[test]
fn at_most_so_many_run_at_once() {
    static NOW: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    fn busy(_: &Job<'_>) -> Result<Findings, Trouble> {
        let now = NOW.fetch_add(1, Ordering::SeqCst) + 1;
        MOST.fetch_max(now, Ordering::SeqCst);
        std::thread::yield_now();
        NOW.fetch_sub(1, Ordering::SeqCst);
        Ok(Findings::new("busy"))
    }
    let (_folder, engine) = fresh();
    let mut workers =
        WorkerManager::new(Arc::clone(&engine), None, WorkersSettings { parallel: 2, ..settings() });
    TABLE.iter().for_each(|own| workers.register(line(own.kind, busy)));
    let outcomes = workers.dispatch_all(Trigger::Hand);
    assert_eq!(outcomes.len(), 12);
    assert!(outcomes.iter().all(|(_, outcome)| matches!(outcome, Ok(Turned::Done(_)))));
    assert!(MOST.load(Ordering::SeqCst) <= 2, "{}", MOST.load(Ordering::SeqCst));
}

#[test]
fn what_a_run_leaves_behind_is_there_for_the_next_one() {
    let (_folder, engine) = fresh();
    let mut workers = manager(&engine);
    workers.register(line(WorkerKind::Predict, |job| {
        let count = job.left_behind().get("count").and_then(serde_json::Value::as_u64).unwrap_or(0);
        let mut findings = Findings::new("counted").figure("count", count);
        findings.state = serde_json::json!({ "count": count + 1 });
        Ok(findings)
    }));
    let counts: Vec<_> =
        (0..3).map(|_| run(&workers, WorkerKind::Predict).figures["count"].clone()).collect();
    assert_eq!(counts, [0, 1, 2]);
}
