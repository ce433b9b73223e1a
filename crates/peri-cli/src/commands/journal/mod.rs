//! `peri journal`: what happened, written down as it came.

mod append;
mod read;
mod replay;
mod trace;
mod turn;

use perihelion::{JournalEntry, Kept, Turn};
use serde_json::Value;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, Output};
use crate::time;

/// So much of a text is shown in a list on a terminal.
const TEXT_COLUMNS: usize = 72;

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  peri journal append --session standup --actor Ana --remember \"the build is green\"\n  peri journal recent --session standup\n  peri journal trace 0198c5b2"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Write down what happened; trouble with the store is told and fails nothing
    #[command(
        after_help = "Example:\n  peri journal append --kind alert --status error \"the deploy failed\""
    )]
    Append(append::Args),
    /// Show the journal page by page
    #[command(after_help = "Example:\n  peri journal list --session standup --text \"build green\"")]
    List(read::ListArgs),
    /// Show the latest journal events
    #[command(after_help = "Example:\n  peri journal recent --limit 5")]
    Recent(read::RecentArgs),
    /// Show one journal event whole
    #[command(after_help = "Example:\n  peri journal show 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a")]
    Show(read::ShowArgs),
    /// Begin, finish and look at turns: the calls of an agent
    #[command(
        after_help = "Example:\n  peri journal turn begin --session standup\n  peri journal turn finish 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a --output \"done\""
    )]
    Turn(turn::Args),
    /// Show what a memory came from, or the memories that came from a journal event
    #[command(after_help = "Example:\n  peri journal trace 0198c5b2")]
    Trace(trace::Args),
    /// Make memories anew that were made of journal events and are missing
    #[command(after_help = "Example:\n  peri journal replay --since 7d --dry-run")]
    Replay(replay::Args),
    /// Show what the journal holds, in numbers
    #[command(after_help = "Example:\n  peri journal stats")]
    Stats,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match args.verb {
        Verb::Append(args) => append::run(args, app),
        Verb::List(args) => read::list(args, app),
        Verb::Recent(args) => read::recent(&args, app),
        Verb::Show(args) => read::show(&args, app),
        Verb::Turn(args) => turn::run(args, app),
        Verb::Trace(args) => trace::run(&args, app),
        Verb::Replay(args) => replay::run(args, app),
        Verb::Stats => read::stats(app),
    }
}

/// A journal event on one line: when, what, who, the text, its id.
fn entry_line(entry: &JournalEntry, namespace: bool, out: &mut Output) -> Result<(), CliError> {
    let at = out.paint(FAINT, &time::date_time(entry.at));
    let mut line = format!("{at}  {:<10}", out.clean(&entry.kind));
    if namespace {
        line.push_str(&format!("  {}", entry.namespace));
    }
    if let Some(status) = entry.status {
        line.push_str(&format!("  {status}"));
    }
    let text = entry.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = match &entry.actor {
        Some(actor) => format!("{actor}: {text}"),
        None => text,
    };
    let said = out.remembered(&said);
    line.push_str(&format!(
        "  {}  {}",
        out.fitted(&said, TEXT_COLUMNS),
        out.paint(FAINT, &entry.id.to_string())
    ));
    out.line(&line)
}

/// All parts of a journal event that say something, the text last.
fn entry_fields(entry: &JournalEntry, out: &mut Output) -> Result<(), CliError> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let json = |value: &Option<Value>| value.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = |name: Option<&'static str>| name.unwrap_or_default().to_owned();
    let metadata = if entry.metadata.is_empty() { None } else { Some(Value::Object(entry.metadata.clone())) };
    let fields = [
        ("event", entry.id.to_string()),
        ("namespace", entry.namespace.to_string()),
        ("happened", time::date_time(entry.at)),
        ("written", time::date_time(entry.created_at)),
        ("session", text(&entry.session)),
        ("actor", text(&entry.actor)),
        ("kind", entry.kind.clone()),
        ("direction", name(entry.direction.map(|direction| direction.as_str()))),
        ("status", name(entry.status.map(|status| status.as_str()))),
        ("turn", entry.turn.map(|turn| turn.to_string()).unwrap_or_default()),
        ("remembered", if entry.remember { entry.id.memory().to_string() } else { String::new() }),
        ("body", json(&entry.body)),
        ("gate", json(&entry.gate)),
        ("metadata", json(&metadata)),
    ];
    for (label, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        out.field(label, value)?;
    }
    if entry.text.is_empty() { Ok(()) } else { out.indented(&entry.text) }
}

/// All parts of a turn that say something.
fn turn_fields(turn: &Turn, out: &mut Output) -> Result<(), CliError> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let json = |value: &Option<Value>| value.as_ref().map(ToString::to_string).unwrap_or_default();
    let list = |values: &[Value]| match values {
        [] => String::new(),
        values => Value::Array(values.to_vec()).to_string(),
    };
    let status = turn.status.map_or("open", |status| status.as_str()).to_owned();
    let fields = [
        ("turn", turn.id.to_string()),
        ("namespace", turn.namespace.to_string()),
        ("session", text(&turn.session)),
        ("begun", time::date_time(turn.started_at)),
        ("finished", turn.finished_at.map(time::date_time).unwrap_or_default()),
        ("status", status),
        ("error", text(&turn.error)),
        ("input", turn.input.map(|id| id.to_string()).unwrap_or_default()),
        ("plan", json(&turn.plan)),
        ("tool calls", list(&turn.tool_calls)),
        ("tool results", list(&turn.tool_results)),
        ("output", turn.output.map(|id| id.to_string()).unwrap_or_default()),
        ("says", text(&turn.output_text)),
    ];
    fields
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .try_for_each(|(label, value)| out.field(label, value))
}

/// What became of something, in a word for a person.
fn state_word(state: Kept) -> &'static str {
    match state {
        Kept::Stored => "stored",
        Kept::Queued => "queued",
    }
}
