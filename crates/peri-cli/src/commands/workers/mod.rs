//! `peri workers`: the background workers, what they did and what they found.

mod run;
mod show;
mod stopping;

use std::sync::Arc;

use peri_workers::{WorkerManager, WorkersSettings};
use perihelion::{Perihelion, WorkerRun};

pub(crate) use self::stopping::Stopping;
use crate::app::{App, Session};
use crate::config::Config;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;

/// So many runs are looked through for those that failed.
const LOOKED_THROUGH: usize = 200;

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "`peri serve` runs them as they become due; of one kind there is only ever one at work, in all processes.\n\nExamples:\n  peri workers status\n  peri workers run audit\n  peri workers run --all --workspace ."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show each worker, when it ran and how that ended
    Status(show::StatusArgs),
    /// Run workers now, and wait for what they come to
    Run(run::Args),
    /// Show what workers did, the latest first
    Logs(show::LogsArgs),
    /// Show what workers found and still is so
    Alerts(show::AlertsArgs),
    /// Ask a worker to stop, in whichever process it is at work
    Cancel(show::CancelArgs),
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        let hint = "leave --namespace out; workers.scope says which namespaces they look after";
        return Err(CliError::input("workers are not of one namespace", hint));
    }
    match args.verb {
        Verb::Status(_) => show::status(app),
        Verb::Run(args) => run::run(args, app),
        Verb::Logs(args) => show::logs(&args, app),
        Verb::Alerts(args) => show::alerts(&args, app),
        Verb::Cancel(args) => show::cancel(&args, app),
    }
}

/// The workers as they are configured.
pub(crate) fn manager(engine: &Arc<Perihelion>, config: &Config, settings: WorkersSettings) -> WorkerManager {
    WorkerManager::new(Arc::clone(engine), config.vault.followed().map(Arc::new), settings)
}

/// Does something with the workers, and closes the engine when they are gone.
fn with_manager<T>(
    app: &mut App,
    settings: impl FnOnce(&Config) -> Result<WorkersSettings, CliError>,
    act: impl FnOnce(&Arc<WorkerManager>, &mut Output) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let Session { engine, config } = app.open()?;
    let engine = Arc::new(engine);
    let manager = Arc::new(manager(&engine, &config, settings(&config)?));
    let outcome = act(&manager, &mut app.out)?;
    drop(manager);
    match Arc::into_inner(engine) {
        Some(engine) => Session { engine, config }.close(&mut app.out)?,
        None => app.out.flush()?,
    }
    Ok(outcome)
}

/// Workers whose last run did not do what it should, with that run.
pub(crate) fn failing(engine: &Perihelion) -> Result<Vec<WorkerRun>, perihelion::Error> {
    let mut latest: Vec<WorkerRun> = Vec::new();
    for run in engine.worker_runs(None, LOOKED_THROUGH)? {
        if !latest.iter().any(|known| known.worker == run.worker) {
            latest.push(run);
        }
    }
    latest.retain(|run| matches!(run.status.as_str(), "failed" | "timed_out"));
    Ok(latest)
}
