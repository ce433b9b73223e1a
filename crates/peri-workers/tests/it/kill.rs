//! Whatever a worker is doing when it is killed, the next run ends where an undisturbed one would have.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use peri_vault::Vault;
use peri_workers::{RunStatus, Trigger, WorkerKind, WorkerManager, WorkersSettings};
use perihelion::{
    Chores, Clock, Feedback, JournalStatus, Namespace, NewEntry, NewTrajectory, NewTurn, Options, Perihelion,
    Recall, Remember, Scope, TaskOutcome, Timestamp, TurnUpdate, Turned,
};
use serde_json::json;

const FOLDER: &str = "PERI_TEST_WORKERS_FOLDER";
const WORKER: &str = "PERI_TEST_WORKERS_KIND";

fn open(folder: &std::path::Path, clock: Clock) -> Arc<Perihelion> {
    let options = Options { chores: Chores::ByHand, clock, ..Options::at(folder.join("data")) };
    Arc::new(Perihelion::open(options).unwrap())
}

/// Some time from now, when those who were killed have lost their turns.
fn later() -> Clock {
    Clock::manual(Timestamp::now().checked_add(Duration::from_secs(120)).unwrap())
}

fn manager(folder: &std::path::Path, clock: Clock) -> WorkerManager {
    let engine = open(folder, clock);
    let vault = Arc::new(Vault::new(folder.join("data/vault"), Namespace::default()));
    vault.create().unwrap();
    let settings = WorkersSettings { workspace: Some(folder.join("code")), ..WorkersSettings::default() };
    WorkerManager::new(engine, Some(vault), settings)
}

/// Something for each worker to do.
fn prepare(folder: &std::path::Path) {
    let engine = open(folder, Clock::system());
    let batch = (0..300).map(|number| {
        Remember::new(format!("Ship {} carries cargo {number} to harbour {}", number % 40, number % 7))
    });
    let mut ids: Vec<_> =
        engine.remember_all(batch.collect()).unwrap().into_iter().map(|receipt| receipt.id).collect();
    ids.truncate(20);
    for (place, id) in ids.iter().enumerate() {
        let (used, unused) = (vec![*id], vec![ids[(place + 1) % ids.len()]]);
        let feedback =
            Feedback { query: format!("which ship carries cargo {place}?"), used, unused, session: None };
        engine.feedback(&Namespace::default(), &feedback).unwrap();
        engine.recall(&Recall::new(format!("cargo {place}"))).unwrap();
    }
    for number in 0..40 {
        let entry =
            engine.append(NewEntry::new(format!("unload ship {number} in harbour {}", number % 3))).unwrap();
        let turn = engine.begin_turn(NewTurn { input: Some(entry.id), ..NewTurn::default() }).unwrap().turn;
        let calls = ["open hatch", "run crane", "close hatch"];
        let calls = calls.iter().map(|call| json!({ "name": "Bash", "input": call })).collect();
        let update =
            TurnUpdate { status: Some(JournalStatus::Ok), tool_calls: Some(calls), ..TurnUpdate::default() };
        engine.update_turn(&Scope::All, turn.id, update).unwrap();
        let task = NewTrajectory::new(format!("paint hull {number}"), TaskOutcome::Success).by("painter");
        engine.record_trajectory(task).unwrap();
    }
    for number in 0..60 {
        let path = folder.join(format!("code/src/part_{number}.rs"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("//! Part {number}.\npub fn part_{number}() -> u32 {{ {number} }}\n"))
            .unwrap();
    }
    Arc::into_inner(engine).unwrap().close().unwrap();
}

/// Runs a worker in this process to its end.
fn run_here(folder: &std::path::Path, kind: WorkerKind) {
    match manager(folder, later()).dispatch(kind, Trigger::Hand).unwrap() {
        Turned::Done(report) => {
            assert!(matches!(report.status, RunStatus::Done | RunStatus::Unavailable), "{report:?}");
        }
        Turned::Elsewhere(until) => panic!("{kind} is at work until {until}"),
    }
}

/// The child's part: runs one worker until it is killed.
#[test]
fn worker_process() {
    let (Some(folder), Ok(kind)) = (std::env::var_os(FOLDER), std::env::var(WORKER)) else { return };
    let workers = manager(folder.as_ref(), Clock::system());
    let kind: WorkerKind = kind.parse().unwrap();
    loop {
        drop(workers.dispatch(kind, Trigger::Hand));
    }
}

/// Starts a process that runs a worker, and kills it after a while.
fn run_and_kill(folder: &std::path::Path, kind: WorkerKind, after: Duration) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::worker_process", "--nocapture"])
        .env(FOLDER, folder)
        .env(WORKER, kind.as_str())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while started.elapsed() < after {
        std::thread::park_timeout(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Everything that matters of a store, without what depends on when it was done.
fn outcome(folder: &std::path::Path) -> (usize, Vec<String>, Vec<String>) {
    let engine = open(folder, later());
    let mut out = Vec::new();
    engine.export(Scope::All, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let mut contents: Vec<String> = text
        .lines()
        .filter_map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let part = |name: &str| value.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
            let content = part("content").or_else(|| part("strategy")).or_else(|| part("task"))?;
            Some(format!("{} {content}", part("record").unwrap_or_default()))
        })
        .collect();
    contents.sort();
    let doctor = engine.doctor();
    let broken = doctor.into_iter().filter(|check| check.verdict == perihelion::Verdict::Failed);
    (contents.len(), contents, broken.map(|check| check.detail).collect())
}

#[test]
fn every_worker_that_is_killed_leaves_nothing_half_done() {
    for (place, kind) in WorkerKind::ALL.iter().enumerate() {
        let (killed, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        prepare(killed.path());
        prepare(whole.path());
        run_here(whole.path(), *kind);
        run_and_kill(killed.path(), *kind, Duration::from_millis(100 + 40 * place as u64));
        run_here(killed.path(), *kind);
        let (killed, whole) = (outcome(killed.path()), outcome(whole.path()));
        assert!(killed.2.is_empty(), "{kind}: {:?}", killed.2);
        assert_eq!(killed.1, whole.1, "{kind}");
    }
}
