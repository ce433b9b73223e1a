//! `peri queue`: what waits on this machine because the store could not take it.

use perihelion::{DeadCall, QueueStatus, QueuedCall, QueuedId};
use serde_json::json;

use crate::app::{App, Session};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{CAUTION, FAINT, GOOD, Output, STRONG, counted, grouped};
use crate::{confirm, time};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes that the store cannot take wait here, in order, and are made once when it can: by the next command, or by a server without anybody doing anything. Those it refuses then are kept with the reason until somebody decides.\n\nExamples:\n  peri queue status\n  peri queue list\n  peri queue replay"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show how much waits and why
    #[command(after_help = "Example:\n  peri queue status --json")]
    Status,
    /// Show what waits, in order, and what was given up
    List(ListArgs),
    /// Try what waits now, and what was given up once more
    Replay(ReplayArgs),
    /// Drop what waits or was given up; it is not made then
    Drop(DropArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri queue list --limit 100")]
struct ListArgs {
    /// At most so many of each
    #[arg(long, short, default_value_t = 20, value_name = "COUNT")]
    limit: usize,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri queue replay\n  peri queue replay 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"
)]
struct ReplayArgs {
    /// Of what was given up, only this one
    id: Option<QueuedId>,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri queue drop 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a\n  peri queue drop --dead --yes"
)]
#[group(required = true, multiple = false)]
struct What {
    /// Which one, as `peri queue list` shows it
    id: Option<QueuedId>,
    /// All that was given up
    #[arg(long)]
    dead: bool,
    /// All that waits
    #[arg(long)]
    all: bool,
}

#[derive(Debug, clap::Args)]
struct DropArgs {
    #[command(flatten)]
    what: What,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        let hint = "leave --namespace out; nothing was done";
        return Err(CliError::input("the queue is of every namespace", hint));
    }
    let session = app.open()?;
    match args.verb {
        Verb::Status => status(&session, &mut app.out)?,
        Verb::List(args) => list(&args, &session, &mut app.out)?,
        Verb::Replay(args) => replay(&args, &session, &mut app.out)?,
        Verb::Drop(args) => drop_some(&args, &session, app)?,
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn status(session: &Session, out: &mut Output) -> Result<(), CliError> {
    let status = session.engine.queue_status()?;
    if out.json {
        return out.document(&status);
    }
    tell_status(&status, out)
}

fn tell_status(status: &QueueStatus, out: &mut Output) -> Result<(), CliError> {
    let QueueStatus { depth, bytes, oldest_at, dead, damaged, attempts, next_try, last_error, .. } = status;
    if status.disk_full {
        out.warning(
            "the disk of the data folder is full: what the store cannot take is refused until there is room",
        )?;
    } else if let Some(trouble) = &status.trouble {
        out.warning(trouble)?;
    }
    if *depth == 0 {
        out.line("nothing waits")?;
    } else {
        let since = oldest_at.map(|at| format!(" since {}", time::date_time(at))).unwrap_or_default();
        let line = format!("{}{since}, {}", waiting(*depth), indicatif::HumanBytes(*bytes));
        let line = out.paint(CAUTION, &line);
        out.line(&line)?;
    }
    if let Some(error) = last_error {
        let next = next_try.map(|at| format!("; the next is at {}", time::date_time(at))).unwrap_or_default();
        let tried = counted(u64::from(*attempts), "attempt", "attempts");
        let line = format!("  {} after {tried}{next}", out.clean(error));
        out.line(&line)?;
    }
    if *dead > 0 {
        out.line(&format!(
            "{} given up; `peri queue list` tells why",
            counted(*dead, "write was", "writes were")
        ))?;
    }
    if *damaged > 0 {
        let lines = counted(*damaged, "record", "records");
        out.warning(&format!("{lines} could not be read; what is left of them is in queue/*/damaged.jsonl"))?;
    }
    Ok(())
}

fn waiting(depth: u64) -> String {
    format!("{} {}", grouped(depth), if depth == 1 { "write waits" } else { "writes wait" })
}

fn list(args: &ListArgs, session: &Session, out: &mut Output) -> Result<(), CliError> {
    let engine = &session.engine;
    let (queued, dead) = (engine.queued(args.limit)?, engine.dead_calls(args.limit)?);
    if out.json {
        return out.document(&json!({ "queued": queued, "dead": dead }));
    }
    if queued.is_empty() && dead.is_empty() {
        return out.note("nothing waits and nothing was given up");
    }
    for call in &queued {
        let line = queued_line(call, out);
        out.line(&line)?;
    }
    for call in &dead {
        let line = dead_line(call, out);
        out.line(&line)?;
    }
    let status = engine.queue_status()?;
    let more = (status.depth + status.dead).saturating_sub((queued.len() + dead.len()) as u64);
    if more > 0 {
        out.note(&format!("and {} more; --limit shows them", grouped(more)))?;
    }
    if dead.is_empty() {
        return Ok(());
    }
    out.hint("`peri queue replay` tries again what was given up, `peri queue drop ID` gives it up for good")
}

fn queued_line(call: &QueuedCall, out: &Output) -> String {
    let QueuedCall { id, at, operation, changes, attempts, last_error, .. } = call;
    let why = last_error.as_ref().map(|error| {
        format!("  {} after {}", out.clean(error), counted(u64::from(*attempts), "attempt", "attempts"))
    });
    let about = about(*at, *changes, out);
    format!("{id}  waits    {}  {about}{}", out.paint(STRONG, &out.clean(operation)), why.unwrap_or_default())
}

fn dead_line(call: &DeadCall, out: &Output) -> String {
    let DeadCall { id, at, operation, changes, reason, .. } = call;
    let (about, operation) = (about(*at, *changes, out), out.paint(STRONG, &out.clean(operation)));
    format!("{id}  {}  {operation}  {about}  {}", out.paint(CAUTION, "given up"), out.clean(reason))
}

fn about(at: perihelion::Timestamp, changes: usize, out: &Output) -> String {
    let changes = counted(changes as u64, "change", "changes");
    out.paint(FAINT, &format!("{}, {changes}", time::date_time(at)))
}

fn replay(args: &ReplayArgs, session: &Session, out: &mut Output) -> Result<(), CliError> {
    let revived = session.engine.replay_queue(args.id)?;
    let status = session.engine.queue_status()?;
    if out.json {
        return out.document(&json!({ "revived": revived, "made": status.replayed, "status": status }));
    }
    let line = format!("{} {}", out.paint(GOOD, "made"), counted(status.replayed, "write", "writes"));
    out.line(&line)?;
    if status.depth + status.dead > 0 {
        tell_status(&status, out)?;
    }
    Ok(())
}

fn drop_some(args: &DropArgs, session: &Session, app: &mut App) -> Result<(), CliError> {
    let status = session.engine.queue_status()?;
    let (count, what) = match args.what {
        What { id: Some(_), .. } => (1, "write"),
        What { dead: true, .. } => (status.dead, "write that was given up"),
        What { .. } => (status.depth, "write that waits"),
    };
    if count > 0 && !args.yes && !is_meant(count, what, app)? {
        return app.out.note("nothing was dropped");
    }
    let dropped = match args.what {
        What { id: Some(id), .. } => session.engine.drop_queued(id).map(|()| 1)?,
        What { dead: true, .. } => session.engine.drop_dead_calls()?,
        What { .. } => session.engine.drop_all_queued()?,
    };
    if app.out.json {
        return app.out.document(&json!({ "dropped": dropped }));
    }
    app.out.line(&format!("dropped {}", counted(dropped, "write", "writes")))
}

fn is_meant(count: u64, what: &str, app: &mut App) -> Result<bool, CliError> {
    confirm::needs_terminal("what is dropped is never made")?;
    let answer = confirm::answer(&format!("drop {} ({what}) for good? [y/N] ", grouped(count)), app)?;
    Ok(matches!(answer.as_str(), "y" | "yes"))
}
