//! `peri maintain`: the chores that a program which stays does by itself.

use perihelion::{Perihelion, Scope, Swept};
use serde_json::json;

use super::sweep;
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{counted, grouped};

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri maintain --quiet")]
pub(crate) struct Args {}

/// Runs the command, over every namespace.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let engine = &session.engine;
    // What goes to the trash goes first, so that the difference in the trash is what was purged.
    let (swept, forgotten) = to_the_trash(engine)?;
    let before = engine.stats(&Scope::All)?;
    engine.maintain()?;
    let after = engine.stats(&Scope::All)?;
    let purged = before.trashed.saturating_sub(after.trashed);
    if app.out.json {
        app.out.document(&json!({
            "swept": swept,
            "forgotten": forgotten,
            "purged": purged,
            "unembedded": after.unembedded,
            "index_bytes": after.index_bytes,
        }))?;
    } else {
        if swept.count() > 0 {
            app.out.line(&sweep::words(&swept))?;
        }
        if forgotten > 0 {
            app.out.line(&format!("{} forgotten by decay", counted(forgotten, "memory", "memories")))?;
        }
        let days = counted(session.config.trash_days(), "day", "days");
        let purged = counted(purged, "memory", "memories");
        app.out.line(&format!("{purged} purged after more than {days} in the trash"))?;
        app.out.line(&format!("{} still without a vector", grouped(after.unembedded)))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Ends what has reached the end of its time, and lets decay forget what nobody uses; how many it forgot.
fn to_the_trash(engine: &Perihelion) -> Result<(Swept, u64), CliError> {
    if engine.is_read_only() {
        return Ok(Default::default());
    }
    let swept = engine.sweep()?;
    Ok((swept, engine.reorbit(&Scope::All)?.forgotten))
}
