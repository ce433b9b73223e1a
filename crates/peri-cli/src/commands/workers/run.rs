//! `peri workers run`: workers by hand.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use peri_workers::{RunStatus, Trigger, WorkerKind, WorkerManager, WorkerReport, WorkersSettings};
use perihelion::Turned;
use serde::Serialize;

use super::{Stopping, with_manager};
use crate::app::App;
use crate::config::Config;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, CAUTION, FAINT, GOOD, Output, STRONG, counted};
use crate::{cli, runtime, signals};

/// Which ones.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exits with 1 if a run failed, was stopped or took too long; with 5 if a worker is at work already, here or elsewhere; and with 6 if one lacks what it needs, unless --all was asked for. Ctrl-C asks them to stop; what they did until then stays.\n\nExamples:\n  peri workers run audit optimize\n  peri workers run map --workspace ~/code/shop\n  peri workers run --all"
)]
pub(super) struct Args {
    /// Which workers, in this order
    #[arg(value_name = "NAME", value_parser = cli::worker(), required_unless_present = "all")]
    workers: Vec<WorkerKind>,
    /// All that run by themselves, those that matter most first
    #[arg(long, conflicts_with = "workers")]
    all: bool,
    /// The folder of code to look at [default: workers.workspace]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

/// What all runs came to.
#[derive(Debug, Default, Serialize)]
struct Dispatched {
    /// Runs that ended.
    results: Vec<WorkerReport>,
    /// Workers that were not run because they are at work already.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at_work: Vec<WorkerKind>,
    /// Workers that could not be run, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<NotRun>,
}

/// A worker that could not be run.
#[derive(Debug, Serialize)]
struct NotRun {
    worker: WorkerKind,
    why: String,
}

/// Runs the command.
pub(super) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let Args { mut workers, all, workspace } = args;
    let mut seen = Vec::new();
    workers.retain(|kind| {
        !seen.contains(kind) && {
            seen.push(*kind);
            true
        }
    });
    with_manager(
        app,
        |config| settings(config, workspace),
        |manager, out| {
            let dispatched = heeding_signals(manager, || {
                if all {
                    collected(manager.dispatch_all(Trigger::Hand))
                } else {
                    one_by_one(manager, &workers)
                }
            })?;
            if out.json {
                out.document(&dispatched)?;
            } else {
                tell(&dispatched, out)?;
            }
            Ok(exit(&dispatched, all))
        },
    )
}

fn settings(config: &Config, workspace: Option<PathBuf>) -> Result<WorkersSettings, CliError> {
    let mut settings = config.workers.settings.clone();
    if let Some(folder) = workspace {
        if !folder.is_dir() {
            let message = format!("{} is not a folder", folder.display());
            return Err(CliError::input(message, "no worker was run; name the folder of the code"));
        }
        settings.workspace = Some(folder.canonicalize().unwrap_or(folder));
    }
    Ok(settings)
}

fn one_by_one(manager: &WorkerManager, workers: &[WorkerKind]) -> Dispatched {
    collected(workers.iter().map(|kind| (*kind, manager.dispatch(*kind, Trigger::Hand))).collect())
}

fn collected(outcomes: Vec<(WorkerKind, Result<Turned<WorkerReport>, perihelion::Error>)>) -> Dispatched {
    let mut dispatched = Dispatched::default();
    for (worker, outcome) in outcomes {
        match outcome {
            Ok(Turned::Done(report)) => dispatched.results.push(report),
            Ok(Turned::Elsewhere(_)) => dispatched.at_work.push(worker),
            Err(error) => {
                let error = CliError::from(error);
                let why = std::iter::once(error.to_string()).chain(error.causes());
                dispatched.failed.push(NotRun { worker, why: why.collect::<Vec<_>>().join(": ") });
            }
        }
    }
    dispatched
}

/// Does something, and asks the workers to stop when somebody presses Ctrl-C meanwhile.
fn heeding_signals<T>(manager: &Arc<WorkerManager>, act: impl FnOnce() -> T) -> Result<T, CliError> {
    let runtime = runtime::start()?;
    let stop = runtime.block_on(async { signals::stop() })?;
    let stopping: Arc<Mutex<Option<Stopping>>> = Arc::default();
    let (asked, held) = (Arc::clone(manager), Arc::clone(&stopping));
    runtime.spawn(async move {
        stop.await;
        let begun = Stopping::begin(asked);
        if let Ok(mut held) = held.lock() {
            *held = Some(begun);
        }
    });
    let outcome = act();
    drop(runtime);
    drop(stopping);
    Ok(outcome)
}

fn exit(dispatched: &Dispatched, all: bool) -> Exit {
    let ended = |status| dispatched.results.iter().any(|report| report.status == status);
    let broke = [RunStatus::Failed, RunStatus::TimedOut, RunStatus::Cancelled].into_iter().any(ended);
    if broke || !dispatched.failed.is_empty() {
        Exit::Internal
    } else if !dispatched.at_work.is_empty() {
        Exit::Busy
    } else if ended(RunStatus::Unavailable) && !all {
        Exit::Unavailable
    } else {
        Exit::Done
    }
}

fn tell(dispatched: &Dispatched, out: &mut Output) -> Result<(), CliError> {
    for report in &dispatched.results {
        let name = out.paint(STRONG, &format!("{:<11}", report.worker));
        let ended = status(report.status.as_str(), out);
        let took = out.paint(FAINT, &format!("{} ms", report.duration_ms));
        out.line(&format!("{name}  {ended}  {took}"))?;
        out.indented(&report.output)?;
        if report.alerts > 0 {
            let found = counted(report.alerts, "new finding", "new findings");
            out.hint(&format!("{found}: `peri workers alerts` shows them"))?;
        }
    }
    for worker in &dispatched.at_work {
        out.warning(&format!("{worker} is at work already; it was not run again"))?;
    }
    for NotRun { worker, why } in &dispatched.failed {
        out.refusal(&format!("{worker}: {why}"))?;
    }
    Ok(())
}

/// How a run ended, in its colour and the width of a column.
pub(super) fn status(status: &str, out: &Output) -> String {
    let style = match status {
        "done" => GOOD,
        "failed" | "timed_out" => BAD,
        "unavailable" | "cancelled" => CAUTION,
        _ => FAINT,
    };
    out.paint(style, &format!("{status:<11}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(status: RunStatus) -> WorkerReport {
        WorkerReport {
            worker: WorkerKind::Map,
            priority: peri_workers::WorkerPriority::Normal,
            number: 1,
            success: status == RunStatus::Done,
            status,
            started_at: perihelion::Timestamp::UNIX_EPOCH,
            duration_ms: 1,
            output: String::new(),
            figures: serde_json::Map::new(),
            alerts: 0,
        }
    }

    #[test]
    fn the_worst_of_several_runs_decides_how_the_program_ends() {
        use RunStatus::{Cancelled, Done, Failed, TimedOut, Unavailable};
        let of = |statuses: &[RunStatus], at_work: &[WorkerKind]| Dispatched {
            results: statuses.iter().copied().map(report).collect(),
            at_work: at_work.to_vec(),
            failed: Vec::new(),
        };
        for (statuses, at_work, by_name, all) in [
            (&[Done][..], &[][..], Exit::Done, Exit::Done),
            (&[Done, Unavailable], &[], Exit::Unavailable, Exit::Done),
            (&[Unavailable], &[WorkerKind::Audit], Exit::Busy, Exit::Busy),
            (&[Failed, Done], &[WorkerKind::Audit], Exit::Internal, Exit::Internal),
            (&[TimedOut], &[], Exit::Internal, Exit::Internal),
            (&[Cancelled], &[], Exit::Internal, Exit::Internal),
        ] {
            let dispatched = of(statuses, at_work);
            assert_eq!((exit(&dispatched, false), exit(&dispatched, true)), (by_name, all), "{dispatched:?}");
        }
        let failed = vec![NotRun { worker: WorkerKind::Map, why: "no store".to_owned() }];
        assert_eq!(exit(&Dispatched { failed, ..Dispatched::default() }, true), Exit::Internal);
    }
}
