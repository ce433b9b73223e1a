//! `peri forget`: to the trash, from where it can be restored.

use perihelion::Scope;
use serde_json::json;

use crate::app::App;
use crate::brief::GLIMPSE_COLUMNS;
use crate::error::CliError;
use crate::exit::Exit;
use crate::ids;
use crate::output::{GOOD, counted, fit};

/// Which memories.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri forget 0198c5b2-7d3e\n  peri trash restore 0198c5b2-7d3e")]
pub(crate) struct Args {
    /// The ids, or their beginnings: 8 digits or more, until each is the only one
    #[arg(required = true)]
    id: Vec<String>,
}

/// Runs the command. All ids are looked up before the first memory is touched.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let engine = &session.engine;
    let ids = ids::resolve_all(engine, &scope, &args.id)?;
    for id in &ids {
        engine.look_before_change(&scope, *id)?;
    }
    let forgotten = ids::change_each(&ids, |id| engine.forget(&scope, id))?;
    let out = &mut app.out;
    if out.json {
        out.document(&json!({ "forgotten": forgotten }))?;
    } else {
        for memory in &forgotten {
            let glimpse = fit(&out.clean(&memory.content), GLIMPSE_COLUMNS);
            let line = format!("{} {}  {glimpse}", out.paint(GOOD, "forgotten"), memory.id);
            out.line(&line)?;
        }
        let kept = counted(session.config.trash_days(), "day", "days");
        out.hint(&format!("kept in the trash for {kept}; bring it back with: peri trash restore ID"))?;
    }
    session.sync_vault(out)?;
    session.close(out)?;
    Ok(Exit::Done)
}
