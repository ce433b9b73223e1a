//! `peri split`: a memory that was merged into another one stands for itself again.

use perihelion::Scope;
use serde_json::json;

use crate::app::App;
use crate::brief::{Briefs, GLIMPSE_COLUMNS};
use crate::error::CliError;
use crate::exit::Exit;
use crate::ids;
use crate::output::{GOOD, fit};

/// Which memory.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Receipts and `peri history` tell which memories were put aside.\n\nExample:\n  peri split 0198c5b2-7d3e"
)]
pub(crate) struct Args {
    /// The id of the one that was put aside, or its beginning: 8 digits or more, until it is the only one
    id: String,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let engine = &session.engine;
    let id = ids::resolve(engine, &scope, &args.id)?;
    let history = engine.unless_away(|engine| engine.history(&scope, id))?;
    let before = history.map(|history| history.merges).unwrap_or_default();
    let memory = engine.split(&scope, id)?;
    let survivor = before.iter().find(|merge| merge.absorbed == id).map(|merge| merge.survivor);
    let out = &mut app.out;
    if out.json {
        out.document(&json!({ "memory": memory, "from": survivor }))?;
    } else {
        let words = fit(&out.clean(&memory.content), GLIMPSE_COLUMNS);
        out.line(&format!("{} {}  {words}", out.paint(GOOD, "split off"), memory.id))?;
        if let Some(survivor) = survivor {
            let briefs = Briefs::of(engine, &scope, [survivor])?;
            out.line(&format!("from      {}", briefs.mention(survivor, out)))?;
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}
