//! `peri snapshot`: the latest episodes in files of their own, and back from them.

use perihelion::{Imported, Perihelion, SnapshotInfo};
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, GOOD, counted};
use crate::time;

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A snapshot holds the latest episodes of every namespace with all that belongs to them. Programs that stay take one now and then, if anything changed: see [snapshots] in `peri config defaults`.\n\nExamples:\n  peri snapshot create\n  peri snapshot restore latest"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Write the latest episodes to a file now, if they have changed since the last one
    #[command(after_help = "Example:\n  peri snapshot create")]
    Create,
    /// Show the snapshots, the latest first
    #[command(after_help = "Example:\n  peri snapshot list --json")]
    List,
    /// Bring back what a snapshot holds; nothing that is here is deleted or changed
    #[command(after_help = "Example:\n  peri snapshot restore latest")]
    Restore(RestoreArgs),
}

#[derive(Debug, clap::Args)]
struct RestoreArgs {
    /// The file's name as list shows it, or latest
    name: String,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        let hint = "leave --namespace out; nothing was done";
        return Err(CliError::input("a snapshot is of every namespace", hint));
    }
    let session = app.open()?;
    let exit = match args.verb {
        Verb::Create => create(&session.engine, app)?,
        Verb::List => list(&session.engine, app)?,
        Verb::Restore(args) => restore(&args, &session.engine, app)?,
    };
    session.close(&mut app.out)?;
    Ok(exit)
}

fn create(engine: &Perihelion, app: &mut App) -> Result<Exit, CliError> {
    let taken = engine.take_snapshot()?;
    if app.out.json {
        app.out.document(&json!({ "snapshot": taken }))?;
        return Ok(Exit::Done);
    }
    match taken {
        Some(taken) => tell(&taken, app)?,
        None => app.out.line("nothing to write: no episode has changed since the last snapshot")?,
    }
    Ok(Exit::Done)
}

fn list(engine: &Perihelion, app: &mut App) -> Result<Exit, CliError> {
    let snapshots = engine.snapshots()?;
    if app.out.json {
        app.out.document(&json!({ "snapshots": snapshots }))?;
        return Ok(Exit::Done);
    }
    if snapshots.is_empty() {
        app.out.note("there are no snapshots")?;
    }
    snapshots.iter().try_for_each(|snapshot| tell(snapshot, app))?;
    Ok(Exit::Done)
}

fn tell(snapshot: &SnapshotInfo, app: &mut App) -> Result<(), CliError> {
    let SnapshotInfo { file, at, episodes, bytes } = snapshot;
    let (at, bytes) = (time::date_time(*at), indicatif::HumanBytes(*bytes));
    let line = format!(
        "{file}  {}  {}, {bytes}",
        app.out.paint(FAINT, &at),
        counted(*episodes, "episode", "episodes")
    );
    app.out.line(&line)
}

fn restore(args: &RestoreArgs, engine: &Perihelion, app: &mut App) -> Result<Exit, CliError> {
    let name = match args.name.as_str() {
        "latest" => engine.snapshots()?.into_iter().next().map(|snapshot| snapshot.file),
        name => Some(name.to_owned()),
    };
    let Some(name) = name else {
        let hint = "`peri snapshot create` takes one, if there are episodes";
        return Err(CliError::input("there is no snapshot to restore from", hint));
    };
    let restored = engine.restore_snapshot(&name)?;
    if app.out.json {
        app.out.document(&json!({ "file": name, "restored": restored }))?;
    } else {
        tell_restored(&name, &restored, app)?;
    }
    Ok(if restored.refused.is_empty() { Exit::Done } else { Exit::Partly })
}

fn tell_restored(name: &str, restored: &Imported, app: &mut App) -> Result<(), CliError> {
    for (line, why) in &restored.refused {
        app.out.refusal(&format!("line {line}: {why}"))?;
    }
    let line = format!(
        "{} {} from {name}; {} here already",
        app.out.paint(GOOD, "restored"),
        counted(restored.added, "episode", "episodes"),
        counted(restored.known, "was", "were")
    );
    app.out.line(&line)?;
    if restored.known > 0 {
        app.out
            .hint("what is here stays as it is; `peri trash restore` brings back what lies in the trash")?;
    }
    Ok(())
}
