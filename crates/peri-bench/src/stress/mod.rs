//! `peri-bench stress`: everything at once, in a hurry, and nothing may be lost.
//!
//! Threads of this process, and further processes on the same folder, remember into all layers, recall, revise, forget,
//! restore, promote and purge, while the sweeper, the retention, the clean-up, the snapshots and the reorbits run every
//! second or two. What is seen is checked while it runs; at the end every acknowledged memory must be there, or the
//! audit log must say where it went.

mod account;
mod actor;
mod events;
mod report;
mod resident;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use perihelion::{
    EpisodicSettings, EventSettings, LayerSettings, LongTermSettings, Options, Perihelion, SnapshotSettings,
    WorkingSettings,
};

use crate::Outcome;
use account::Account;
use report::Report;
use resident::Resident;

/// How long values stay in working memory.
const WORKING: Duration = Duration::from_secs(2);
/// How long episodes are kept.
const RETENTION: Duration = Duration::from_secs(5);
/// How long the trash is kept.
const TRASH: Duration = Duration::from_secs(8);
/// How often everything that has an interval is done.
const INTERVAL: Duration = Duration::from_secs(1);
/// So many long-term memories a namespace holds.
const ITEMS_MAX: usize = 1500;
/// How often the size of the process is looked at.
const SAMPLE: Duration = Duration::from_millis(100);

/// What to do, and for how long.
#[derive(clap::Args, Clone)]
pub(crate) struct Plan {
    /// For so many minutes.
    #[arg(long, default_value_t = 3)]
    minutes: u64,
    /// For so many seconds instead.
    #[arg(long)]
    seconds: Option<u64>,
    /// Threads of this process.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// So many more processes write into the same folder.
    #[arg(long, default_value_t = 0)]
    processes: usize,
    /// Where chance begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// What a further process does; `stress` starts it.
#[derive(clap::Args)]
pub(crate) struct One {
    #[arg(long)]
    folder: std::path::PathBuf,
    #[arg(long)]
    seconds: u64,
    #[arg(long)]
    seed: u64,
}

impl Plan {
    fn time(&self) -> Duration {
        Duration::from_secs(self.seconds.unwrap_or(self.minutes * 60))
    }
}

/// Runs, prints what was found, and fails if anything was wrong.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let report = stress(plan, folder.path())?;
    report.print(plan.json)?;
    match report.violations.len() {
        0 => Ok(()),
        count => Err(format!("{count} things were wrong").into()),
    }
}

/// A further process: does its part and prints its account as JSON.
pub(crate) fn run_one(one: &One) -> Outcome<()> {
    let engine = Perihelion::open(options(&one.folder))?;
    let until = Instant::now() + Duration::from_secs(one.seconds);
    let account = actor::act(&engine, one.seed, until);
    engine.close()?;
    println!("{}", serde_json::to_string(&account)?);
    Ok(())
}

/// Everything short, so that a minute holds what is otherwise months.
fn options(folder: &Path) -> Options {
    let layers = LayerSettings {
        working: WorkingSettings { time_to_live: WORKING, capacity: 12, sweep_interval: INTERVAL },
        episodic: EpisodicSettings { retention: RETENTION },
        long_term: LongTermSettings {
            items_max: Some(ITEMS_MAX),
            grace: Duration::from_secs(2),
            ..LongTermSettings::default()
        },
        ..LayerSettings::default()
    };
    Options {
        layers,
        reorbit_interval: INTERVAL,
        trash_retention: TRASH,
        snapshots: SnapshotSettings { interval: INTERVAL, kept: 3, ..SnapshotSettings::default() },
        // The whole log is read at the end.
        events: EventSettings { recalls: false, log_bytes_max: u64::MAX, ..EventSettings::default() },
        ..Options::at(folder)
    }
}

fn stress(plan: &Plan, folder: &Path) -> Outcome<Report> {
    let engine = Perihelion::open(options(folder))?;
    let time = plan.time();
    let children = (0..plan.processes)
        .map(|number| start(plan, folder, plan.seed + 1000 + number as u64))
        .collect::<Outcome<Vec<_>>>()?;
    let until = Instant::now() + time;
    let stop = AtomicBool::new(false);
    let (accounts, resident) = std::thread::scope(|scope| -> Outcome<_> {
        let sampling = scope.spawn(|| Resident::sample(SAMPLE, &stop));
        let acting: Vec<_> = (0..plan.threads.max(1) as u64)
            .map(|number| {
                let engine = &engine;
                scope.spawn(move || actor::act(engine, plan.seed + number, until))
            })
            .collect();
        let accounts: Vec<_> = acting.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        stop.store(true, Ordering::Relaxed);
        let accounts = accounts.into_iter().collect::<Result<Vec<_>, _>>();
        let accounts = accounts.map_err(|_| "a thread that acts panicked")?;
        Ok((accounts, sampling.join().map_err(|_| "the thread that samples panicked")?))
    })?;
    let mut whole = Account::default();
    accounts.into_iter().for_each(|account| whole.join(account));
    for child in children {
        whole.join(finish(child)?);
    }
    // Whatever is under way ends, then the books are closed.
    engine.maintain()?;
    let told = events::read(&engine)?;
    whole.check(&engine, &told)?;
    let kinds = told.counts;
    let report = Report::new(plan, time, whole, kinds, resident, engine.disk_use().database_bytes);
    engine.close()?;
    Ok(report)
}

fn start(plan: &Plan, folder: &Path, seed: u64) -> Outcome<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("stress-one").arg("--folder").arg(folder);
    command.args(["--seconds", &plan.time().as_secs().to_string(), "--seed", &seed.to_string()]);
    Ok(command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn()?)
}

fn finish(child: Child) -> Outcome<Account> {
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("a process that wrote beside this one failed: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_loses_nothing_and_shows_nothing_that_is_gone() {
        let plan = Plan { minutes: 0, seconds: Some(3), threads: 2, processes: 0, seed: 3, json: true };
        let folder = tempfile::tempdir().unwrap();
        let report = stress(&plan, folder.path()).unwrap();
        assert_eq!(report.violations, Vec::<String>::new());
        assert!(report.acknowledged > 0, "something was remembered");
    }
}
