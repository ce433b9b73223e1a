//! Recalls alone, and recalls beside workers that run again and again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use peri_workers::{Trigger, WorkerKind, WorkerManager, WorkerReport, rest_after};
use perihelion::{Error, Perihelion, Recall, Turned};

use super::Start;
use super::food::Food;
use super::store::Store;
use crate::Outcome;
use crate::speed::figures::{Latency, timed};
use crate::speed::machine;

/// Recalls alone, before and after.
const ALONE: usize = 1000;

/// Workers run until so many recalls were made beside them...
const BESIDE: usize = 300;

/// ...and they were at work for so long...
const AT_WORK: Duration = Duration::from_secs(3);

/// ...or this long is over, with all that had to be prepared for them.
const AT_MOST: Duration = Duration::from_secs(60);

/// How long recalls took, and how long they would have taken had there always been a processor for them.
pub(super) struct Times {
    pub(super) all: Latency,
    pub(super) unhindered: Latency,
}

impl Times {
    fn of(times: Vec<(f64, f64)>) -> Self {
        let (all, unhindered) = times.into_iter().unzip();
        Self { all: Latency::of(all), unhindered: Latency::of(unhindered) }
    }
}

/// What recalls noticed of workers.
pub(super) struct Beside {
    pub(super) before: Times,
    pub(super) beside: Times,
    pub(super) after: Times,
    pub(super) recalls: usize,
    /// How long each run took by its own account, without the rest before it, in microseconds.
    pub(super) runs: Vec<f64>,
    /// How often they ended how.
    pub(super) ended: BTreeMap<String, usize>,
    /// What the last one said of its work.
    pub(super) said: String,
}

impl Beside {
    /// The p95 beside workers as a multiple of the p95 alone, which is the mean of before and after.
    pub(super) fn ratio(&self) -> f64 {
        2.0 * self.beside.all.p95 / (self.before.all.p95 + self.after.all.p95)
    }

    /// The same without the time in which others were on the processors: what a worker holds up, and not the machine.
    pub(super) fn unhindered_ratio(&self) -> f64 {
        2.0 * self.beside.unhindered.p95 / (self.before.unhindered.p95 + self.after.unhindered.p95)
    }
}

/// Recalls alone, beside the workers that a manager has switched on, and alone again.
pub(super) fn measure(
    store: &Store,
    food: &mut Food,
    manager: &WorkerManager,
    kinds: &[WorkerKind],
    start: Start,
) -> Outcome<Beside> {
    food.serve(store, kinds)?;
    let before = alone(&store.engine, &store.asked)?;
    let mut runs = Runs::default();
    let (at_work, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    let (made, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let times = std::thread::scope(|scope| {
        let recalling = scope.spawn(|| recall_until(store, &stop, &at_work, (&made, &ended)));
        let worked = (|| {
            let begun = Instant::now();
            while begun.elapsed() < AT_MOST
                && (made.load(Ordering::Relaxed) < BESIDE || runs.worked < AT_WORK)
            {
                food.serve(store, kinds)?;
                at_work.store(true, Ordering::Relaxed);
                let (time, outcomes) = timed(|| dispatch(manager, kinds, start));
                // It never runs more often than that, so its rest is part of what recalls meet beside it.
                std::thread::sleep(rest_after(Duration::from_secs_f64(time / 1e6)));
                at_work.store(false, Ordering::Relaxed);
                runs.add(time, outcomes)?;
                wait_for_recall(&ended, || recalling.is_finished());
            }
            Ok::<(), Box<dyn std::error::Error>>(())
        })();
        stop.store(true, Ordering::Relaxed);
        let times = recalling.join().map_err(|_| "the recalling thread panicked")??;
        worked.map(|()| times)
    })?;
    let after = alone(&store.engine, &store.asked)?;
    let recalls = times.len();
    let Runs { micros, ended, said, .. } = runs;
    Ok(Beside { before, beside: Times::of(times), after, recalls, runs: micros, ended, said })
}

fn alone(engine: &Perihelion, asked: &[Recall]) -> Outcome<Times> {
    let times = asked.iter().cycle().take(ALONE).map(|request| recall(engine, request));
    Ok(Times::of(times.collect::<Result<_, Error>>()?))
}

/// How long a recall takes, and how long without waiting for a processor.
fn recall(engine: &Perihelion, request: &Recall) -> Result<(f64, f64), Error> {
    let before = machine::waited_micros();
    let (time, recalled) = timed(|| engine.recall(request));
    let waited = before.zip(machine::waited_micros()).map_or(0.0, |(before, after)| after - before);
    recalled.map(|_| (time, (time - waited).max(0.0)))
}

/// Waits until the recall that began beside a worker has ended: what is prepared for the next run would hold it up, and
/// no worker would have.
fn wait_for_recall(ended: &AtomicUsize, is_over: impl Fn() -> bool) {
    let before = ended.load(Ordering::Relaxed);
    while ended.load(Ordering::Relaxed) == before && !is_over() {
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Recalls until told to stop; the times of those that began while a worker was at work. How many those are and how many
/// recalls ended is counted.
fn recall_until(
    store: &Store,
    stop: &AtomicBool,
    at_work: &AtomicBool,
    (made, ended): (&AtomicUsize, &AtomicUsize),
) -> Result<Vec<(f64, f64)>, Error> {
    let mut times = Vec::new();
    for request in store.asked.iter().cycle() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let counts = at_work.load(Ordering::Relaxed);
        let time = recall(&store.engine, request)?;
        ended.fetch_add(1, Ordering::Relaxed);
        if counts {
            times.push(time);
            made.store(times.len(), Ordering::Relaxed);
        }
    }
    Ok(times)
}

/// How a worker ended, how many milliseconds it took, and what it said of its work.
type Ended = Result<(String, u64, String), Error>;

fn dispatch(manager: &WorkerManager, kinds: &[WorkerKind], start: Start) -> Vec<Ended> {
    let outcomes = match start {
        Start::Due => manager.dispatch_all(Trigger::Hand).into_iter().map(|(_, outcome)| outcome).collect(),
        Start::ByHand => kinds.iter().map(|kind| manager.dispatch(*kind, Trigger::Hand)).collect::<Vec<_>>(),
    };
    let ended = |outcome: Turned<WorkerReport>| match outcome {
        Turned::Done(report) => (report.status.as_str().to_owned(), report.duration_ms, report.output),
        Turned::Elsewhere(_) => ("elsewhere".to_owned(), 0, String::new()),
    };
    outcomes.into_iter().map(|outcome| outcome.map(ended)).collect()
}

#[derive(Default)]
struct Runs {
    /// How long somebody was at work or rested in between.
    worked: Duration,
    micros: Vec<f64>,
    ended: BTreeMap<String, usize>,
    said: String,
}

impl Runs {
    fn add(&mut self, micros: f64, outcomes: Vec<Ended>) -> Outcome<()> {
        self.worked += Duration::from_secs_f64(micros / 1e6);
        let mut took_ms = 0;
        for outcome in outcomes {
            let (status, own_ms, said) = outcome?;
            *self.ended.entry(status).or_default() += 1;
            took_ms += own_ms;
            self.said = said;
        }
        self.micros.push(took_ms as f64 * 1000.0);
        Ok(())
    }
}
