//! `peri session show`: one conversation.

use perihelion::{Filter, ListQuery, NoteView, Order, Page, Scope, SessionOverview};
use serde_json::json;

use super::{begun, found, in_numbers, overview, tell_summary};
use crate::app::{App, Session as Opened};
use crate::error::CliError;
use crate::output::Output;
use crate::{cli, time};

/// So many notes are shown in brief, those that matter most.
const NOTES_MAX: usize = 8;

/// Which session.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name
    name: String,
    /// At most so many of its memories
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

pub(super) fn run(args: &Args, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let (engine, name) = (&opened.engine, &args.name);
    let namespace = app.one_namespace(&opened.config)?;
    let noted = overview(engine, &namespace, name)?;
    let session = match begun(engine, &namespace, name)? {
        // Its error says that there is none.
        None if noted.is_none() => Some(engine.session(&namespace, name)?),
        session => session,
    };
    let notes = engine.session_notes(&namespace, name)?;
    let summary = session.as_ref().and_then(|session| session.summary);
    let summary = summary.map(|id| found(engine, &namespace, id)).transpose()?.flatten();
    let Page { memories, next } = engine.list(ListQuery {
        scope: Scope::Exact(namespace.clone()),
        filter: Filter { session: Some(name.clone()), ..Filter::default() },
        order: Order::OldestFirst,
        limit: args.limit,
        ..ListQuery::default()
    })?;
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({
            "session": session, "summary": summary, "memories": memories, "next": next, "noted": noted,
            "notes": notes.map(|notes| notes.notes),
        }));
    }
    out.field("session", name)?;
    out.field("namespace", namespace.as_str())?;
    let begun = session.as_ref().map(|session| time::date_time(session.started_at));
    out.field("begun", begun.as_deref().unwrap_or("nobody began it; it was heard"))?;
    if let Some(session) = &session {
        out.field("ended", &session.ended_at.map_or_else(|| "it is open".to_owned(), time::date_time))?;
    }
    if let Some(noted) = &noted {
        tell_notes(noted, notes.map(|notes| notes.notes).unwrap_or_default(), out)?;
    }
    if let Some(summary) = &summary {
        tell_summary(summary, out)?;
    }
    memories.iter().try_for_each(|memory| out.memory_line(memory, false))?;
    match next {
        Some(next) => {
            out.hint(&format!("there are more: peri list --oldest-first --session {name:?} --after {next}"))
        }
        None => Ok(()),
    }
}

/// The notes that matter most, and what somebody should look at.
fn tell_notes(noted: &SessionOverview, mut notes: Vec<NoteView>, out: &mut Output) -> Result<(), CliError> {
    if let Some(at) = noted.observed_at {
        out.field("observed", &time::date_time(at))?;
    }
    out.field("noted", &in_numbers(noted))?;
    for trouble in &noted.troubles {
        out.field("trouble", trouble)?;
    }
    let all = notes.len();
    notes.sort_by(|a, b| a.done.cmp(&b.done).then(b.priority.cmp(&a.priority)));
    notes.truncate(NOTES_MAX);
    notes.iter().try_for_each(|note| out.note_line(2, note))?;
    if all > notes.len() {
        out.hint(&format!("`peri session notes {:?}` shows all {all} notes", noted.session))?;
    }
    Ok(())
}
