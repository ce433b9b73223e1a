//! `peri reorbit`: what the timer of a program that stays does, by hand.

use perihelion::{Perihelion, Reorbited, Rewound, Scope, Timestamp};

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::counted;
use crate::time;

/// What to do beside bringing the zones up to date.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri reorbit --namespace 'team/*'\n  peri reorbit --rewind")]
pub(crate) struct Args {
    /// Take back what happened by itself after a time, which is now unless one is given: what faded or outlived its retention comes back from
    /// the trash, and times later than now become now
    #[arg(long, value_name = "TIME", num_args = 0..=1, value_parser = time::past)]
    rewind: Option<Option<Timestamp>>,
    /// Believe the clock, though it shows what the store and the machine's uptime do not explain
    #[arg(long)]
    accept_clock: bool,
}

/// Runs the command, over every namespace unless some are named.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    if args.accept_clock {
        session.engine.accept_clock()?;
    }
    if let Some(after) = args.rewind {
        let scopes = app.scopes();
        let rewound = rewind(&session.engine, &scopes, after)?;
        if app.out.json {
            app.out.document(&rewound)?;
        } else {
            app.out.line(&format!(
                "{} back from the trash, {} with times later than now set to now",
                counted(rewound.restored, "memory", "memories"),
                rewound.corrected,
            ))?;
        }
        session.close(&mut app.out)?;
        return Ok(Exit::Done);
    }
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

fn rewind(engine: &Perihelion, scopes: &[Scope], after: Option<Timestamp>) -> Result<Rewound, CliError> {
    let mut all = Rewound::default();
    for scope in scopes {
        let Rewound { restored, corrected } = engine.rewind(scope, after)?;
        all.restored += restored;
        all.corrected += corrected;
    }
    Ok(all)
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
