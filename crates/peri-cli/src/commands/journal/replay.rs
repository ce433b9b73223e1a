//! `peri journal replay`: memories that are missing, made anew from the journal.

use perihelion::{Effect, Replay, Replayed, Scope, Timestamp};

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted};
use crate::time;

/// Which part of the journal.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only of one conversation
    #[arg(long)]
    session: Option<String>,
    /// Only from this time on
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    since: Option<Timestamp>,
    /// Only until this time; a day is included whole
    #[arg(long, value_name = "TIME", value_parser = time::until)]
    until: Option<Timestamp>,
    /// Only tell what would be made
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let opened = app.open()?;
    let replayed = opened.engine.replay(&Replay {
        scope,
        session: args.session,
        since: args.since,
        until: args.until,
        effect: if args.dry_run { Effect::Rehearsed } else { Effect::Written },
    })?;
    tell(&replayed, args.dry_run, &mut app.out)?;
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(replayed: &Replayed, rehearsed: bool, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(replayed);
    }
    let made = counted(replayed.made, "memory", "memories");
    let verb = if rehearsed { "would be made anew" } else { "made anew" };
    out.line(&format!("{made} {verb}, {} are here, {} stay forgotten", replayed.here, replayed.forgotten))?;
    if replayed.queued > 0 {
        out.note(&format!("{} are queued until the store can be reached", replayed.queued))?;
    }
    if replayed.entries == 0 {
        out.note(
            "no journal event that fits was marked to be remembered (`peri journal append --remember`)",
        )?;
    }
    Ok(())
}
