//! `peri session notes`: what was noted, day by day.

use perihelion::{Namespace, NotesView, Perihelion};
use serde_json::json;

use super::check_known;
use crate::app::{App, Session as Opened};
use crate::error::CliError;
use crate::output::counted;

/// Which notes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session; without it, the one that was observed last
    name: Option<String>,
    /// The durable notes of the namespace, which outlive their sessions
    #[arg(long, conflicts_with = "name")]
    durable: bool,
}

pub(super) fn run(args: &Args, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    let engine = &opened.engine;
    let view = match &args.name {
        _ if args.durable => Some(engine.durable_notes(&namespace)?),
        Some(name) => of_session(engine, &namespace, name)?,
        None => latest(engine, &namespace)?,
    };
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "namespace": namespace, "notes": view }));
    }
    let Some(view) = view.filter(|view| !view.notes.is_empty()) else {
        let what = match &args.name {
            _ if args.durable => format!("no durable notes in {namespace}"),
            Some(name) => format!("no notes of {name:?} in {namespace}"),
            None => format!("no notes in {namespace}"),
        };
        out.note(&what)?;
        return out.hint("`peri hear` tells what was said; `peri session observe` makes notes of what waits");
    };
    if let (None, Some(session)) = (&args.name, &view.session) {
        out.note(&format!("these are the notes of {session:?}, which was observed last"))?;
    }
    out.notes_by_day(&view.notes)?;
    let notes = counted(view.notes.len() as u64, "note", "notes");
    out.note(&format!("{notes}, {}", counted(view.tokens as u64, "token", "tokens")))
}

/// The notes of a session. One that nobody knows is an error.
fn of_session(engine: &Perihelion, namespace: &Namespace, name: &str) -> Result<Option<NotesView>, CliError> {
    let notes = engine.session_notes(namespace, name)?;
    if notes.is_none() {
        check_known(engine, namespace, name)?;
    }
    Ok(notes)
}

fn latest(engine: &Perihelion, namespace: &Namespace) -> Result<Option<NotesView>, CliError> {
    let sessions = engine.note_sessions(namespace)?;
    match sessions.into_iter().find(|own| own.notes > 0) {
        Some(own) => Ok(engine.session_notes(namespace, &own.session)?),
        None => Ok(None),
    }
}
