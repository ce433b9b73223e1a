//! `peri workers status|logs|alerts|cancel`: how the workers are, what they did and what they found.

use jiff::SignedDuration;
use peri_workers::{Running, WorkerKind, WorkerStatus, WorkersStatus, due_at};
use perihelion::{AlertRecord, Severity, Timestamp, WorkerRun};
use serde_json::json;

use super::run::status as ending;
use super::with_manager;
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{ACCENT, BAD, CAUTION, FAINT, GOOD, Output, STRONG, counted};
use crate::{cli, time};

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "When one runs next is told for `peri serve`: without it, none runs by itself.\n\nExample:\n  peri workers status --json"
)]
pub(super) struct StatusArgs {}

/// Whose runs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri workers logs\n  peri workers logs benchmark --limit 5 --json")]
pub(super) struct LogsArgs {
    /// Of this worker only
    #[arg(value_name = "NAME", value_parser = cli::worker())]
    worker: Option<WorkerKind>,
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

/// Which findings.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri workers alerts --resolved")]
pub(super) struct AlertsArgs {
    /// With those that are no more
    #[arg(long)]
    resolved: bool,
    /// At most so many
    #[arg(long, short, default_value = "50", value_parser = cli::at_least_one)]
    limit: usize,
}

/// Which worker.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "It stops at the next step of its work; what it did until then stays.\n\nExample:\n  peri workers cancel map"
)]
pub(super) struct CancelArgs {
    /// Its name
    #[arg(value_name = "NAME", value_parser = cli::worker())]
    worker: WorkerKind,
}

/// Tells how the workers are.
pub(super) fn status(app: &mut App) -> Result<Exit, CliError> {
    with_manager(
        app,
        |config| Ok(config.workers.settings.clone()),
        |manager, out| {
            let status = manager.status()?;
            if out.json {
                out.document(&status)?;
            } else {
                tell(&status, Timestamp::now(), out)?;
            }
            Ok(Exit::Done)
        },
    )
}

fn tell(status: &WorkersStatus, now: Timestamp, out: &mut Output) -> Result<(), CliError> {
    let head = format!(
        "{:<11}  {:<8}  {:>5}  {:>8}  {:>8}  {:<11}  alerts",
        "worker", "priority", "every", "last run", "next run", "ended"
    );
    let head = out.paint(FAINT, &head);
    out.line(&head)?;
    for worker in &status.workers {
        let line = row(worker, now, out);
        out.line(&line)?;
    }
    if let Some(workspace) = &status.workspace {
        out.note(&format!("the workspace is {workspace}"))?;
    }
    if let Some(reason) = &status.paused {
        out.note(&format!("what is due waits: {reason}"))?;
    }
    if !status.alerts.is_empty() {
        let found = counted(status.alerts.len() as u64, "finding is", "findings are");
        out.hint(&format!("{found} open: `peri workers alerts` shows them"))?;
    }
    Ok(())
}

fn row(worker: &WorkerStatus, now: Timestamp, out: &Output) -> String {
    let name = out.paint(STRONG, &format!("{:<11}", worker.worker));
    let interval = worker.interval_seconds;
    let last = worker.last.as_ref();
    let last_run = last.map_or_else(
        || "never".to_owned(),
        |run| format!("{} ago", span(now.duration_since(run.started_at))),
    );
    let interval_time = std::time::Duration::from_secs(interval);
    let due = worker.next_run_at.or_else(|| last.map(|run| due_at(run.started_at, interval_time)));
    let next = match due {
        _ if !worker.enabled => "off".to_owned(),
        Some(at) if at > now => format!("in {}", span(at.duration_since(now))),
        _ => "due".to_owned(),
    };
    let ended = match (worker.running, last) {
        (Running::Here | Running::Elsewhere, _) => out.paint(ACCENT, &format!("{:<11}", "at work")),
        (Running::No, Some(run)) => ending(&run.status, out),
        (Running::No, None) => format!("{:<11}", "-"),
    };
    let alerts = match worker.open_alerts {
        0 => "0".to_owned(),
        some => out.paint(CAUTION, &some.to_string()),
    };
    let every = span(SignedDuration::from_secs(i64::try_from(interval).unwrap_or(i64::MAX)));
    format!("{name}  {:<8}  {every:>5}  {last_run:>8}  {next:>8}  {ended}  {alerts}", worker.priority)
}

/// A time span in its largest whole unit.
fn span(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Tells what workers did.
pub(super) fn logs(args: &LogsArgs, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let runs = session.engine.worker_runs(args.worker.map(WorkerKind::as_str), args.limit)?;
    if app.out.json {
        app.out.document(&json!({ "runs": runs }))?;
    } else if runs.is_empty() {
        app.out.note("no worker has run yet")?;
        app.out.hint("`peri workers run NAME` runs one, and `peri serve` all of them as they become due")?;
    } else {
        runs.iter().try_for_each(|run| tell_run(run, &mut app.out))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell_run(run: &WorkerRun, out: &mut Output) -> Result<(), CliError> {
    let name = out.paint(STRONG, &format!("{:<11}", out.clean(&run.worker)));
    let took = run.finished_at.duration_since(run.started_at).as_millis();
    let took = out.paint(FAINT, &format!("{took} ms"));
    let line = format!("{}  {name}  {}  {took}", time::date_time(run.started_at), ending(&run.status, out));
    out.line(&line)?;
    out.indented(&run.summary)
}

/// Tells what workers found.
pub(super) fn alerts(args: &AlertsArgs, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let alerts = session.engine.worker_alerts(args.resolved, args.limit)?;
    if app.out.json {
        app.out.document(&json!({ "alerts": alerts }))?;
    } else if alerts.is_empty() {
        app.out.note("nothing was found that somebody should look at")?;
    } else {
        alerts.iter().try_for_each(|alert| tell_alert(alert, &mut app.out))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell_alert(alert: &AlertRecord, out: &mut Output) -> Result<(), CliError> {
    let style = match alert.severity {
        Severity::Info => FAINT,
        Severity::Warning => CAUTION,
        Severity::Critical => BAD,
    };
    let severity = out.paint(style, &format!("{:<8}", alert.severity));
    let place = alert.namespace.as_ref().map(|namespace| format!("  {namespace}")).unwrap_or_default();
    let resolved =
        alert.resolved_at.map(|at| format!("  {} {}", out.paint(GOOD, "resolved"), time::date_time(at)));
    let since =
        format!("since {}, seen {}", time::date_time(alert.first_at), counted(alert.seen, "time", "times"));
    let since = out.paint(FAINT, &since);
    let worker = out.clean(&alert.worker);
    out.line(&format!("{severity}  {worker}{place}  {since}{}", resolved.unwrap_or_default()))?;
    out.indented(&alert.message)?;
    let file = alert.file.iter().map(|file| format!("file {file}"));
    let ids = alert.ids.iter().map(|id| format!("memory {id}"));
    file.chain(ids).try_for_each(|line| out.indented(&line))
}

/// Asks a worker to stop.
pub(super) fn cancel(args: &CancelArgs, app: &mut App) -> Result<Exit, CliError> {
    let worker = args.worker;
    with_manager(
        app,
        |config| Ok(config.workers.settings.clone()),
        |manager, out| {
            let asked = manager.cancel(worker)?;
            if out.json {
                out.document(&json!({ "worker": worker, "asked": asked }))?;
            } else if asked {
                out.line(&format!("asked {worker} to stop"))?;
            } else {
                out.line(&format!("{worker} is not at work"))?;
            }
            Ok(Exit::Done)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_in_its_largest_whole_unit_and_never_below_zero() {
        for (seconds, expected) in
            [(-5, "0s"), (0, "0s"), (59, "59s"), (60, "1m"), (3599, "59m"), (7200, "2h"), (200_000, "2d")]
        {
            assert_eq!(span(SignedDuration::from_secs(seconds)), expected);
        }
    }
}
