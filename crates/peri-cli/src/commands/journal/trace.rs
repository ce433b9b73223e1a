//! `peri journal trace`: from a memory to what it came from, and back.

use perihelion::{EntryId, ErrorKind, Scope, Trace};

use super::{entry_fields, turn_fields};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::ids;
use crate::output::Output;

/// Which memory or journal event.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of a memory, or its beginning; or the whole id of a journal event
    id: String,
}

pub(super) fn run(args: &Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let opened = app.open()?;
    let trace = match args.id.parse::<EntryId>().map(|id| opened.engine.trace_entry(&scope, id)) {
        Ok(Ok(trace)) => trace,
        Ok(Err(error)) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
        // It is no journal event's id, or a memory's.
        Ok(Err(_)) | Err(_) => {
            let id = ids::resolve(&opened.engine, &scope, &args.id)?;
            opened.engine.trace(&scope, id)?
        }
    };
    if app.out.json {
        app.out.document(&trace)?;
    } else {
        tell(&trace, &mut app.out)?;
    }
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(trace: &Trace, out: &mut Output) -> Result<(), CliError> {
    if let Some(memory) = &trace.memory {
        out.memory_line(memory, false)?;
    }
    match (&trace.entry, trace.entry_id) {
        (Some(entry), _) => entry_fields(entry, out)?,
        (None, Some(id)) => {
            out.note(&format!("it came from the journal event {id}, which the journal no longer holds"))?;
        }
        (None, None) => return out.note("it came from no journal event, or nobody said from which"),
    }
    if let Some(turn) = &trace.turn {
        out.line("")?;
        turn_fields(turn, out)?;
    }
    let own = trace.memory.as_ref().map(|memory| memory.id);
    let others: Vec<_> = trace.memories.iter().filter(|memory| Some(memory.id) != own).collect();
    if !others.is_empty() {
        out.line("")?;
        out.line(if own.is_some() { "also from this event:" } else { "memories from this event:" })?;
    }
    others.into_iter().try_for_each(|memory| out.memory_line(memory, false))
}
