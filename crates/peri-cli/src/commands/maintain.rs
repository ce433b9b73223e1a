//! `peri maintain`: the chores that a program which stays does by itself.

use perihelion::Scope;
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{counted, grouped};

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Runs the command, over every namespace.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let before = session.engine.stats(&Scope::All)?;
    session.engine.maintain()?;
    let after = session.engine.stats(&Scope::All)?;
    let purged = before.trashed.saturating_sub(after.trashed);
    if app.out.json {
        app.out.document(
            &json!({ "purged": purged, "unembedded": after.unembedded, "index_bytes": after.index_bytes }),
        )?;
    } else {
        let days = counted(session.config.trash_days(), "day", "days");
        app.out.line(&format!(
            "{} purged after more than {days} in the trash",
            counted(purged, "memory", "memories")
        ))?;
        app.out.line(&format!("{} still without a vector", grouped(after.unembedded)))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}
