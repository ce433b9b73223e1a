//! The manager: runs workers by hand and by priority, one of a kind at a time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use peri_vault::Vault;
use perihelion::{Error, Perihelion, Timestamp, Turned, WorkerRun};

use crate::job::{Job, Trigger};
use crate::kind::{Line, TABLE, WorkerKind};
use crate::load::Load;
use crate::pause::{Breath, Rests};
use crate::run::{FLAG, Leash, WorkerReport, run};
use crate::schedule::next_due;
use crate::settings::WorkersSettings;
use crate::status::{Running, WorkerStatus, WorkersStatus};
use crate::work::Recalls;

/// A worker is given so many of its earlier runs.
const EARLIER: usize = 50;

/// So many findings are shown.
const ALERTS_SHOWN: usize = 200;

/// How nice a worker is to those who ask: its threads yield to theirs.
const NICENESS: i32 = 10;

/// Runs workers.
pub struct WorkerManager {
    engine: Arc<Perihelion>,
    vault: Option<Arc<Vault>>,
    pub(crate) settings: WorkersSettings,
    lines: Vec<Line>,
    running: Mutex<HashMap<WorkerKind, Arc<AtomicBool>>>,
    rests: Rests,
    recalls: Mutex<Recalls>,
    /// Whether nothing more is begun.
    halted: AtomicBool,
    /// When this process began to run them as they become due.
    pub(crate) service_started: Mutex<Option<Timestamp>>,
}

impl WorkerManager {
    /// Every worker of the table.
    pub fn new(engine: Arc<Perihelion>, vault: Option<Arc<Vault>>, settings: WorkersSettings) -> Self {
        let (lines, running) = (TABLE.to_vec(), Mutex::default());
        let (rests, recalls) = (Rests::default(), Mutex::default());
        let (halted, service_started) = (AtomicBool::new(false), Mutex::default());
        Self { engine, vault, settings, lines, running, rests, recalls, halted, service_started }
    }

    /// Registers a worker in the place of the one of its kind.
    pub fn register(&mut self, line: Line) {
        match self.lines.iter_mut().find(|own| own.kind == line.kind) {
            Some(own) => *own = line,
            None => self.lines.push(line),
        }
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(crate) fn engine(&self) -> &Perihelion {
        &self.engine
    }

    /// Runs a worker now and waits for what it comes to. That another one of its kind is at work, here or elsewhere, is
    /// the answer instead. One that has only just ended rests for a moment first, if somebody is recalling.
    pub fn dispatch(&self, kind: WorkerKind, trigger: Trigger) -> Result<Turned<WorkerReport>, Error> {
        let Some(line) = self.lines.iter().find(|line| line.kind == kind) else {
            return Ok(Turned::Elsewhere(self.engine.now()));
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        if !self.begin(kind, &cancelled) {
            return Ok(Turned::Elsewhere(self.engine.now()));
        }
        let _end = End { manager: self, kind };
        self.rests.end(kind, &self.engine, &|| !cancelled.load(Ordering::Relaxed));
        let began = Instant::now();
        let outcome = self.engine.in_turn(&kind.turn(), &|| true, |has_turn| {
            let leash = Leash::new(&self.engine, kind, &cancelled, self.settings.timeout);
            let go_on = || has_turn() && leash.go_on();
            self.run_line(line, trigger, &go_on, &leash)
        })?;
        match outcome {
            Turned::Done(report) => {
                self.rests.begin(kind, began.elapsed());
                report.map(Turned::Done)
            }
            Turned::Elsewhere(until) => Ok(Turned::Elsewhere(until)),
        }
    }

    fn run_line(
        &self,
        line: &Line,
        trigger: Trigger,
        go_on: &dyn Fn() -> bool,
        leash: &Leash<'_>,
    ) -> Result<WorkerReport, Error> {
        let earlier = self.engine.worker_runs(Some(line.kind.as_str()), EARLIER)?;
        let job = Job {
            engine: &self.engine,
            scope: &self.settings.scope,
            workspace: self.settings.workspace.as_deref(),
            vault: self.vault.as_deref(),
            trigger,
            settings: &self.settings,
            earlier: &earlier,
            go_on,
            breath: Breath::new(),
            recalls: &self.recalls,
        };
        run(line, &job, leash)
    }

    /// Runs all workers that run by themselves, those that matter most first, so many at once as configured. What
    /// failed or was elsewhere is among the answers.
    pub fn dispatch_all(&self, trigger: Trigger) -> Vec<(WorkerKind, Result<Turned<WorkerReport>, Error>)> {
        let mut kinds: Vec<&Line> =
            self.lines.iter().filter(|line| self.settings.config(line.kind).enabled).collect();
        kinds.sort_by_key(|line| line.priority);
        let kinds: Vec<WorkerKind> = kinds.into_iter().map(|line| line.kind).collect();
        self.dispatch_several(&kinds, trigger)
    }

    /// Runs these workers in this order, so many at once as configured.
    pub(crate) fn dispatch_several(
        &self,
        kinds: &[WorkerKind],
        trigger: Trigger,
    ) -> Vec<(WorkerKind, Result<Turned<WorkerReport>, Error>)> {
        let next = Mutex::new(kinds.iter().copied());
        let done = Mutex::new(Vec::new());
        let work = || {
            yield_to_others();
            loop {
                let kind = next.lock().next();
                let Some(kind) = kind.filter(|_| !self.halted.load(Ordering::Relaxed)) else { return };
                let outcome = self.dispatch(kind, trigger);
                done.lock().push((kind, outcome));
            }
        };
        let threads = self.settings.parallel.clamp(1, kinds.len().max(1));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let thread = std::thread::Builder::new().name("peri-worker".to_owned());
                if let Err(error) = thread.spawn_scoped(scope, work) {
                    tracing::warn!(%error, "no thread for a worker");
                }
            }
        });
        done.into_inner()
    }

    /// Asks whoever is at a worker, in whichever process, to stop; whether somebody is.
    pub fn cancel(&self, kind: WorkerKind) -> Result<bool, Error> {
        if let Some(cancelled) = self.running.lock().get(&kind) {
            cancelled.store(true, Ordering::Relaxed);
            return Ok(true);
        }
        if self.engine.turn_of(&kind.turn())?.is_none() {
            return Ok(false);
        }
        self.engine.raise_flag(&kind.cancel_flag(), FLAG)?;
        Ok(true)
    }

    /// Asks everything that runs here to stop.
    pub fn cancel_all(&self) {
        self.running.lock().values().for_each(|cancelled| cancelled.store(true, Ordering::Relaxed));
    }

    /// Asks everything that runs here to stop, and begins nothing more of what waits.
    pub fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
        self.cancel_all();
    }

    /// How the workers are.
    pub fn status(&self) -> Result<WorkersStatus, Error> {
        let alerts = self.engine.worker_alerts(false, ALERTS_SHOWN)?;
        let started = *self.service_started.lock();
        let of = |place: usize, line: &Line| -> Result<WorkerStatus, Error> {
            let config = self.settings.config(line.kind);
            let runs = self.engine.worker_runs(Some(line.kind.as_str()), EARLIER)?;
            let own = |alert: &&perihelion::AlertRecord| alert.worker == line.kind.as_str();
            let next =
                next_due(last_started(&runs), config.interval, started.unwrap_or(Timestamp::MIN), place);
            Ok(WorkerStatus {
                worker: line.kind,
                purpose: line.purpose.to_owned(),
                priority: line.priority,
                interval_seconds: config.interval.as_secs(),
                enabled: config.enabled,
                running: self.running(line.kind)?,
                next_run_at: (config.enabled && started.is_some()).then_some(next),
                runs: runs.len() as u64,
                successes: runs.iter().filter(|run| run.status == "done").count() as u64,
                open_alerts: alerts.iter().filter(own).count() as u64,
                last: runs.into_iter().next(),
            })
        };
        let workers = self.lines.iter().enumerate().map(|(place, line)| of(place, line));
        Ok(WorkersStatus {
            scheduled: started.is_some(),
            paused: Load::now().reason_to_wait(&self.settings),
            workspace: self.settings.workspace.as_ref().map(|path| path.display().to_string()),
            workers: workers.collect::<Result<_, Error>>()?,
            alerts,
        })
    }

    fn running(&self, kind: WorkerKind) -> Result<Running, Error> {
        if self.running.lock().contains_key(&kind) {
            return Ok(Running::Here);
        }
        let elsewhere = self.engine.turn_of(&kind.turn())?.is_some();
        Ok(if elsewhere { Running::Elsewhere } else { Running::No })
    }

    fn begin(&self, kind: WorkerKind, cancelled: &Arc<AtomicBool>) -> bool {
        let mut running = self.running.lock();
        if running.contains_key(&kind) {
            return false;
        }
        running.insert(kind, Arc::clone(cancelled));
        true
    }
}

/// When the latest of these runs began.
pub(crate) fn last_started(runs: &[WorkerRun]) -> Option<Timestamp> {
    runs.first().map(|run| run.started_at)
}

/// Takes a worker off the list of those that run, whatever becomes of it.
struct End<'a> {
    manager: &'a WorkerManager,
    kind: WorkerKind,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.manager.running.lock().remove(&self.kind);
    }
}

/// Lets threads of those who ask go first, where the system knows of such things.
pub(crate) fn yield_to_others() {
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "a worker's thread cannot yield to others");
    }
}
