//! `peri sample`: the memories of an invented team, to explore, in a namespace of their own.

use perihelion::{Perihelion, SampleLoaded, SampleStatus};

use crate::app::{App, Session};
use crate::confirm;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, Output, counted};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri sample load && peri serve --open\n  peri recall -n sample \"how do we \
    release the app?\"\n  peri sample remove"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Load it into the namespace sample, told over the last sixty days
    #[command(after_help = "Example:\n  peri sample load && peri serve --open")]
    Load,
    /// Remove it for good; what somebody else left in its namespace stays
    Remove(RemoveArgs),
    /// Tell whether it is loaded
    #[command(after_help = "Example:\n  peri sample status")]
    Status,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri sample remove --yes")]
struct RemoveArgs {
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        let hint = "nothing was done; the sample has a namespace of its own, so leave it out";
        return Err(CliError::input("--namespace has no meaning here", hint));
    }
    let session = app.open()?;
    match args.verb {
        Verb::Load => load(&session, &mut app.out)?,
        Verb::Remove(args) => remove(&args, &session, app)?,
        Verb::Status => tell(&session.engine.sample_status()?, &mut app.out)?,
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn load(session: &Session, out: &mut Output) -> Result<(), CliError> {
    let loaded = session.engine.load_sample()?;
    if out.json {
        return out.document(&loaded);
    }
    let line = format!("{} {}", out.paint(GOOD, "loaded"), words(&loaded));
    out.line(&line)?;
    out.hint("look around with: peri serve --open; peri sample remove takes it away again")
}

fn words(loaded: &SampleLoaded) -> String {
    let SampleLoaded { namespace, memories, edges, sessions, trajectories, patterns } = loaded;
    format!(
        "{} into {namespace}, with {}, {}, {} and {}",
        counted(*memories, "memory", "memories"),
        counted(*edges, "edge", "edges"),
        counted(*sessions, "session", "sessions"),
        counted(*trajectories, "task", "tasks"),
        counted(*patterns, "pattern", "patterns"),
    )
}

fn remove(args: &RemoveArgs, session: &Session, app: &mut App) -> Result<(), CliError> {
    let status = session.engine.sample_status()?;
    if status.loaded && !args.yes {
        confirm::needs_terminal("removing the sample destroys what came with it")?;
        let count = counted(status.memories.saturating_sub(status.own), "memory", "memories");
        let name = Perihelion::SAMPLE;
        let stays = match status.own {
            0 => String::new(),
            own => format!(" ({} of your own stay)", counted(own, "memory", "memories")),
        };
        let question = format!("destroy {count} of the sample for good{stays}? type {name} to confirm:");
        if confirm::answer(&question, app)? != name {
            return Err(CliError::input("not confirmed", "nothing was changed"));
        }
    }
    let removed = session.engine.remove_sample()?;
    if app.out.json {
        return app.out.document(&removed);
    }
    let count = counted(removed.memories, "memory", "memories");
    app.out.line(&format!("the sample is removed: {count}, with everything that belonged to them"))?;
    if removed.kept > 0 {
        let kept = counted(removed.kept, "memory", "memories");
        let namespace = removed.namespace;
        app.out
            .note(&format!("{kept} in {namespace} did not come with it, or were changed since, and stay"))?;
    }
    Ok(())
}

fn tell(status: &SampleStatus, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(status);
    }
    if !status.loaded {
        out.line("the sample is not loaded")?;
        return out.hint("load it with: peri sample load");
    }
    let count = counted(status.memories, "memory", "memories");
    let own = if status.own > 0 { format!(", {} of them not its own", status.own) } else { String::new() };
    out.line(&format!("the sample is loaded: {count} in {}{own}", status.namespace))
}
