//! `peri reorbit`: what the timer of a program that stays does, by hand.

use perihelion::{Perihelion, Reorbited, Scope};

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::counted;
use crate::time;

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri reorbit --namespace 'team/*'")]
pub(crate) struct Args {}

/// Runs the command, over every namespace unless some are named.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let done = reorbit(&session.engine, &app.scopes())?;
    if app.out.json {
        app.out.document(&done)?;
    } else {
        let step = done.step.map(time::date_time).unwrap_or_default();
        if done.namespaces.is_empty() {
            app.out.line(&format!("nothing to do: the zones are those of {step} already"))?;
        } else {
            app.out.line(&format!(
                "{} looked at, {} moved, {} forgotten, as of {step}",
                counted(done.memories, "memory", "memories"),
                done.moved,
                done.forgotten,
            ))?;
        }
        if done.forgotten > 0 {
            app.out.hint("what was forgotten lies in the trash: peri trash list")?;
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// The scopes one after the other. What a second one shares with the first is settled by then.
fn reorbit(engine: &Perihelion, scopes: &[Scope]) -> Result<Reorbited, CliError> {
    let mut all = Reorbited::default();
    for scope in scopes {
        let Reorbited { step, memories, moved, forgotten, namespaces } = engine.reorbit(scope)?;
        all.step = all.step.max(step);
        all.memories += memories;
        all.moved += moved;
        all.forgotten += forgotten;
        all.namespaces.extend(namespaces);
    }
    Ok(all)
}
