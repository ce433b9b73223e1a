//! `peri session`: conversations with a beginning and an end, and the notes that were made of them.

mod list;
mod notes;
mod observe;
mod replay;
mod show;
pub(crate) mod steps;

use perihelion::{ErrorKind, Memory, Namespace, Perihelion, Scope, SessionOverview};
use serde_json::json;

use crate::app::{App, Session as Opened};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, Output, STRONG, counted};
use crate::{confirm, time};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  peri session start standup\n  peri remember --session standup --speaker Ana \"the build is green\"\n  peri session end standup\n  peri session replay standup"
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
    /// Show the sessions that were begun or have notes, the latest first
    #[command(after_help = "Example:\n  peri session list -n '*'")]
    List(list::Args),
    /// Show one session: its summary, its notes in brief, and its memories
    #[command(after_help = "Example:\n  peri session show standup")]
    Show(show::Args),
    /// Show the notes of a session, or the durable ones of a namespace, day by day
    #[command(after_help = "Examples:\n  peri session notes standup\n  peri session notes --durable")]
    Notes(notes::Args),
    /// Show what was said in a session, and below each message what was noted of it
    #[command(after_help = "Example:\n  peri session replay standup --whole")]
    Replay(replay::Args),
    /// Make notes of what waits: of one session at once, of all others once it is due
    #[command(after_help = "Example:\n  peri session observe standup")]
    Observe(observe::Args),
    /// Try again what was given up in a session
    #[command(after_help = "Example:\n  peri session retry standup")]
    Retry(NameArgs),
    /// Destroy the notes of a session; the memories that were made of them stay
    #[command(after_help = "Example:\n  peri session forget standup")]
    Forget(ForgetArgs),
}

#[derive(Debug, clap::Args)]
struct ForgetArgs {
    /// Its name
    name: String,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

#[derive(Debug, clap::Args)]
struct NameArgs {
    /// Its name
    name: String,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    match args.verb {
        Verb::Start(args) => start(&args.name, &opened, app)?,
        Verb::End(args) => end(&args.name, &opened, app)?,
        Verb::List(args) => list::run(&args, &opened, app)?,
        Verb::Show(args) => show::run(&args, &opened, app)?,
        Verb::Notes(args) => notes::run(&args, &opened, app)?,
        Verb::Replay(args) => replay::run(&args, &opened, app)?,
        Verb::Observe(args) => observe::run(&args, &opened, app)?,
        Verb::Retry(args) => observe::retry(&args.name, &opened, app)?,
        Verb::Forget(args) => forget(&args, &opened, app)?,
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

fn forget(args: &ForgetArgs, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    let Some(notes) = opened.engine.session_notes(&namespace, &args.name)? else {
        return Err(CliError::input(
            format!("session {:?} has no notes in {namespace}", args.name),
            "`peri session list` shows those that have",
        ));
    };
    let count = counted(notes.notes.len() as u64, "note", "notes");
    if !args.yes {
        confirm::needs_terminal("notes are destroyed for good")?;
        let question = format!("destroy {count} of {}? type yes to confirm:", app.out.clean(&args.name));
        if confirm::answer(&question, app)? != "yes" {
            return Err(CliError::input("not confirmed", "nothing was changed"));
        }
    }
    opened.engine.forget_notes(&namespace, &args.name)?;
    let out = &mut app.out;
    if out.json {
        return out
            .document(&json!({ "namespace": namespace, "session": args.name, "notes": notes.notes.len() }));
    }
    let line = format!("{} {count} of {}", out.paint(GOOD, "destroyed"), out.clean(&args.name));
    out.line(&line)?;
    out.hint("the memories that were made of them stay; `peri forget` moves them to the trash")
}

/// The session that a command works in: as typed, or as the environment says.
pub(crate) fn named(argument: Option<String>) -> Option<String> {
    let variable = || std::env::var(super::work::VARIABLE).ok().filter(|name| !name.trim().is_empty());
    argument.or_else(variable)
}

/// A memory that may have been purged since.
fn found(
    engine: &Perihelion,
    namespace: &Namespace,
    id: perihelion::MemoryId,
) -> Result<Option<Memory>, CliError> {
    missing_is_none(engine.get(&Scope::Exact(namespace.clone()), id))
}

/// A session that was begun; one that only has notes was not.
fn begun(
    engine: &Perihelion,
    namespace: &Namespace,
    name: &str,
) -> Result<Option<perihelion::Session>, CliError> {
    missing_is_none(engine.session(namespace, name))
}

fn missing_is_none<T>(found: Result<T, perihelion::Error>) -> Result<Option<T>, CliError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What the notes know of a session.
fn overview(
    engine: &Perihelion,
    namespace: &Namespace,
    name: &str,
) -> Result<Option<SessionOverview>, CliError> {
    Ok(engine.note_sessions(namespace)?.into_iter().find(|own| own.session == name))
}

/// A slip in a name must not pass for a session without messages.
fn check_known(engine: &Perihelion, namespace: &Namespace, name: &str) -> Result<(), CliError> {
    if overview(engine, namespace, name)?.is_none() && begun(engine, namespace, name)?.is_none() {
        engine.session(namespace, name)?;
    }
    Ok(())
}

/// What is noted of a session, in numbers.
fn in_numbers(own: &SessionOverview) -> String {
    let mut parts = vec![format!(
        "{}, {}",
        counted(own.notes as u64, "note", "notes"),
        counted(own.tokens as u64, "token", "tokens")
    )];
    if own.pending > 0 {
        parts.push(format!("{} waiting", counted(own.pending as u64, "message", "messages")));
    }
    if own.aside > 0 {
        parts.push(format!("{} put aside", own.aside));
    }
    if !own.troubles.is_empty() {
        parts.push(counted(own.troubles.len() as u64, "trouble", "troubles"));
    }
    parts.join(", ")
}

fn tell_summary(summary: &Memory, out: &mut Output) -> Result<(), CliError> {
    let line = format!("{} {}", out.paint(STRONG, &format!("{:<14}", "summed up in")), summary.id);
    out.line(&line)?;
    out.indented(&summary.content)
}
