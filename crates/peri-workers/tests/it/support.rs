//! What the tests share: engines on temporary folders, and managers on them.

use std::sync::Arc;

use peri_workers::{RunStatus, Trigger, WorkerKind, WorkerManager, WorkerReport, WorkersSettings};
use perihelion::{Chores, Options, Perihelion, Turned};
use tempfile::TempDir;

pub fn options(folder: &TempDir) -> Options {
    Options { chores: Chores::ByHand, ..Options::at(folder.path()) }
}

pub fn fresh() -> (TempDir, Arc<Perihelion>) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Arc::new(Perihelion::open(options(&folder)).unwrap());
    (folder, engine)
}

/// Another process's engine, as far as the store can tell.
pub fn another(folder: &TempDir) -> Arc<Perihelion> {
    Arc::new(Perihelion::open(options(folder)).unwrap())
}

pub fn settings() -> WorkersSettings {
    WorkersSettings { parallel: 2, ..WorkersSettings::default() }
}

pub fn manager(engine: &Arc<Perihelion>) -> WorkerManager {
    WorkerManager::new(Arc::clone(engine), None, settings())
}

pub fn run(manager: &WorkerManager, kind: WorkerKind) -> WorkerReport {
    match manager.dispatch(kind, Trigger::Hand).unwrap() {
        Turned::Done(report) => report,
        Turned::Elsewhere(_) => panic!("{kind} is at work elsewhere"),
    }
}

/// Runs a worker that must do what it should.
pub fn done(manager: &WorkerManager, kind: WorkerKind) -> WorkerReport {
    let report = run(manager, kind);
    assert_eq!(report.status, RunStatus::Done, "{report:?}");
    report
}

pub fn figure(report: &WorkerReport, name: &str) -> f64 {
    report.figures.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN)
}
