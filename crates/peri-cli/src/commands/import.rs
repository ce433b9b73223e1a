//! `peri import`: what `peri export` wrote, in again. Nothing that is here is deleted.

use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};

use perihelion::{ImportOptions, Imported, OnConflict};
use serde_json::json;

use super::remember::{open_file, tell_refused};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::import::{self, Refused};
use crate::output::{Output, grouped};

/// Where from.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "For plain notes and records of your own, use `peri remember --file`.\n\nExample:\n  peri import memories.jsonl"
)]
pub(crate) struct Args {
    /// The file; - is standard input
    file: PathBuf,
    /// Where a memory with the same id is here already, take the imported one; otherwise the one here stays
    #[arg(long)]
    replace: bool,
}

/// Runs the command. Lines that cannot be taken are told; the rest is kept.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        return Err(CliError::input(
            "--namespace has no meaning here",
            "nothing was stored; every memory goes where it came from, and `peri namespace move` moves it on",
        ));
    }
    let standard = args.file == Path::new("-");
    if standard && std::io::stdin().is_terminal() {
        return Err(CliError::input("nothing is piped in", "write: peri import - < memories.jsonl"));
    }
    let name = if standard { "standard input".to_owned() } else { args.file.display().to_string() };
    let opened = if standard { None } else { Some(open_file(&args.file, &name)?) };
    let session = app.open()?;
    let on_conflict = if args.replace { OnConflict::Replace } else { OnConflict::Keep };
    let options = ImportOptions { on_conflict };
    let outcome = match opened {
        Some(file) => {
            let bytes = file.metadata().ok().filter(|file| file.is_file()).map(|file| file.len());
            let progress = import::progress(bytes, app.out.wants_progress());
            let mut reader = BufReader::with_capacity(1 << 16, progress.wrap_read(file));
            let outcome = session.engine.import(&mut reader, options);
            progress.finish_and_clear();
            outcome
        }
        None => session.engine.import(&mut std::io::stdin().lock(), options),
    };
    let imported = outcome?;
    let taken = imported.added + imported.replaced + imported.known + imported.edges + imported.sessions;
    tell(&imported, taken, &name, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(match (imported.refused.is_empty(), taken) {
        (true, _) => Exit::Done,
        (false, 0) => Exit::BadInput,
        (false, _) => Exit::Partly,
    })
}

fn tell(imported: &Imported, taken: u64, name: &str, out: &mut Output) -> Result<(), CliError> {
    let Imported { added, replaced, known, edges, sessions, refused } = imported;
    let refused = refused.iter().map(|(line, reason)| Refused {
        line: usize::try_from(*line).unwrap_or(usize::MAX),
        reason: reason.clone(),
    });
    let refused: Vec<Refused> = refused.collect();
    if out.json {
        return out.document(&json!({
            "added": added,
            "replaced": replaced,
            "known": known,
            "edges": edges,
            "sessions": sessions,
            "refused": refused,
        }));
    }
    tell_refused(&refused, out)?;
    let parts = [
        (*added, "added"),
        (*replaced, "replaced"),
        (*known, "known already"),
        (*edges, "edges"),
        (*sessions, "sessions"),
        (refused.len() as u64, "refused"),
    ];
    let parts = parts.map(|(count, what)| format!("{} {what}", grouped(count)));
    out.line(&parts.join(", "))?;
    if taken == 0 && !refused.is_empty() {
        return out.hint(&format!("{name} is no export; plain notes are stored by: peri remember --file"));
    }
    Ok(())
}
