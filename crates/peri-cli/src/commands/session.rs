//! `peri session`: conversations with a beginning and an end.

use perihelion::{ErrorKind, Filter, ListQuery, Memory, Namespace, Order, Page, Perihelion, Scope};
use serde_json::json;

use crate::app::{App, Session as Opened};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, GOOD, Output, STRONG};
use crate::{cli, time};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  peri session start standup\n  peri remember --session standup --speaker Ana \"the build is green\"\n  peri session end standup"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Begin a session, or open one again that has ended
    #[command(after_help = "Example:\n  peri session start standup")]
    Start(NameArgs),
    /// End a session and sum up what was remembered in it
    #[command(after_help = "Example:\n  peri session end standup")]
    End(NameArgs),
    /// Show the sessions that were begun, the latest first
    #[command(after_help = "Example:\n  peri session list -n '*'")]
    List(ListArgs),
    /// Show one session, its summary and its memories
    #[command(after_help = "Example:\n  peri session show standup")]
    Show(ShowArgs),
}

#[derive(Debug, clap::Args)]
struct NameArgs {
    /// Its name
    name: String,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// Its name
    name: String,
    /// At most so many of its memories
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    match args.verb {
        Verb::Start(args) => start(&args.name, &opened, app)?,
        Verb::End(args) => end(&args.name, &opened, app)?,
        Verb::List(args) => list(&args, &opened, app)?,
        Verb::Show(args) => show(&args, &opened, app)?,
    }
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn start(name: &str, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    let session = opened.engine.start_session(&namespace, name)?;
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "session": session }));
    }
    let since = time::date_time(session.started_at);
    let line = format!("{} {} in {namespace}, begun {since}", out.paint(GOOD, "open"), out.clean(name));
    out.line(&line)
}

fn end(name: &str, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    let session = opened.engine.end_session(&namespace, name)?;
    let summary = session.summary.map(|id| found(&opened.engine, &namespace, id)).transpose()?.flatten();
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "session": session, "summary": summary }));
    }
    let line = format!("{} {} in {namespace}", out.paint(GOOD, "ended"), out.clean(name));
    out.line(&line)?;
    match summary {
        Some(summary) => tell_summary(&summary, out),
        None => out.note("nothing was remembered in it, so there is nothing to sum up"),
    }
}

fn list(args: &ListArgs, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::Exact(opened.config.namespace.clone()))?;
    let sessions = opened.engine.sessions(&scope, args.limit)?;
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "sessions": sessions }));
    }
    if sessions.is_empty() {
        return out.note(&format!("no sessions in {scope}; `peri session start NAME` begins one"));
    }
    let several = !matches!(scope, Scope::Exact(_));
    for session in sessions {
        let begun = out.paint(FAINT, &time::date_time(session.started_at));
        let state = if session.ended_at.is_some() { "ended" } else { "open " };
        let place = if several { format!("  {}", session.namespace) } else { String::new() };
        let line = format!("{begun}  {state}{place}  {}", out.clean(&session.name));
        out.line(&line)?;
    }
    Ok(())
}

fn show(args: &ShowArgs, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    let engine = &opened.engine;
    let session = engine.session(&namespace, &args.name)?;
    let summary = session.summary.map(|id| found(engine, &namespace, id)).transpose()?.flatten();
    let Page { memories, next } = engine.list(ListQuery {
        scope: Scope::Exact(namespace.clone()),
        filter: Filter { session: Some(args.name.clone()), ..Filter::default() },
        order: Order::OldestFirst,
        limit: args.limit,
        ..ListQuery::default()
    })?;
    let out = &mut app.out;
    if out.json {
        return out.document(
            &json!({ "session": session, "summary": summary, "memories": memories, "next": next }),
        );
    }
    out.field("session", &session.name)?;
    out.field("namespace", namespace.as_str())?;
    out.field("begun", &time::date_time(session.started_at))?;
    out.field("ended", &session.ended_at.map_or_else(|| "it is open".to_owned(), time::date_time))?;
    if let Some(summary) = &summary {
        tell_summary(summary, out)?;
    }
    memories.iter().try_for_each(|memory| out.memory_line(memory, false))?;
    match next {
        Some(next) => {
            let name = &args.name;
            out.hint(&format!("there are more: peri list --oldest-first --session {name:?} --after {next}"))
        }
        None => Ok(()),
    }
}

/// A memory that may have been purged since.
fn found(
    engine: &Perihelion,
    namespace: &Namespace,
    id: perihelion::MemoryId,
) -> Result<Option<Memory>, CliError> {
    match engine.get(&Scope::Exact(namespace.clone()), id) {
        Ok(memory) => Ok(Some(memory)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn tell_summary(summary: &Memory, out: &mut Output) -> Result<(), CliError> {
    let line = format!("{} {}", out.paint(STRONG, &format!("{:<14}", "summed up in")), summary.id);
    out.line(&line)?;
    out.indented(&summary.content)
}
