//! `peri promote`: memories of one layer become one of a longer-lived layer, and back.

use perihelion::{Layer, MemoryId, Perihelion, Promoted, Scope, Undone};

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, Output, counted};
use crate::{cli, ids};

/// Which memories, and to where.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri promote 0198c5b2-7d3e 0198c5b2-9f10 --to long_term\n  peri promote --undo 0198c5b2-a1b2"
)]
pub(crate) struct Args {
    /// The ids, or their beginnings: 8 digits or more, until each is the only one. All become one memory, which says
    /// what the first says
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The layer it is to live in [default: the next longer one]
    #[arg(long, value_name = "LAYER", value_parser = cli::layer(), conflicts_with = "undo")]
    to: Option<Layer>,
    /// Bring back what a promoted memory was made from
    #[arg(long)]
    undo: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    if args.undo && args.ids.len() > 1 {
        return Err(CliError::input(
            "--undo takes one memory at a time",
            "nothing was changed; give the id of the promoted memory",
        ));
    }
    let session = app.open()?;
    let resolved = args.ids.iter().map(|id| ids::resolve(&session.engine, &scope, id));
    let ids = resolved.collect::<Result<Vec<_>, _>>()?;
    match ids.first() {
        Some(id) if args.undo => {
            let undone = session.engine.undo_promotion(&scope, *id);
            if undone.is_err() {
                name_promoted(&session.engine, &scope, *id, &mut app.out)?;
            }
            tell_undone(&undone?, &mut app.out)?;
        }
        _ => tell_promoted(&session.engine.promote(&scope, &ids, args.to)?, &mut app.out)?,
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Who names the memory that was promoted, and not the one it became, is told the other.
fn name_promoted(engine: &Perihelion, scope: &Scope, id: MemoryId, out: &mut Output) -> Result<(), CliError> {
    let memory = engine.get(scope, id).ok();
    match memory.and_then(|memory| memory.facets.promoted_to) {
        Some(promoted) => out
            .hint(&format!("it was promoted to {promoted}: `peri promote --undo {promoted}` brings it back")),
        None => Ok(()),
    }
}

fn tell_promoted(promoted: &Promoted, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(promoted);
    }
    let memory = &promoted.memory;
    if out.is_quiet() {
        return out.line(&memory.id.to_string());
    }
    let verb = out.paint(GOOD, "promoted");
    out.line(&format!("{verb} to {} as {}", memory.layer, memory.id))?;
    let (sources, back) = match promoted.sources.len() as u64 {
        1 => ("the memory it was made from is".to_owned(), "it"),
        several => (format!("the {several} memories it was made from are"), "them"),
    };
    out.hint(&format!("{sources} put aside; `peri promote --undo {}` brings {back} back", memory.id))
}

fn tell_undone(undone: &Undone, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(undone);
    }
    let verb = out.paint(GOOD, "brought back");
    out.line(&format!("{verb} {}", counted(undone.sources.len() as u64, "memory", "memories")))?;
    undone.sources.iter().try_for_each(|memory| out.memory_line(memory, false))
}
