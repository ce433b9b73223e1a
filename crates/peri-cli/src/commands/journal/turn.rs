//! `peri journal turn`: the calls of an agent, from what set them off to what came of them.

use perihelion::{
    EntryId, JournalPosition, JournalStatus, NewTurn, Order, Scope, Timestamp, TurnId, TurnQuery,
    TurnReceipt, TurnUpdate,
};
use serde_json::{Map, Value};

use super::append::{json, object};
use super::{entry_line, state_word, turn_fields};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, GOOD, Output};
use crate::{cli, time};

/// What to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Begin a turn
    #[command(
        after_help = "Example:\n  peri journal turn begin --session standup --input 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"
    )]
    Begin(BeginArgs),
    /// Finish a turn and tell what came of it
    #[command(
        after_help = "Example:\n  peri journal turn finish 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a --status error --error \"no answer\""
    )]
    Finish(FinishArgs),
    /// Show turns, the latest first
    #[command(after_help = "Example:\n  peri journal turn list --status timeout")]
    List(ListArgs),
    /// Show one turn with its journal events
    #[command(after_help = "Example:\n  peri journal turn show 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a")]
    Show(ShowArgs),
}

#[derive(Debug, clap::Args)]
struct BeginArgs {
    /// The conversation it belongs to
    #[arg(long)]
    session: Option<String>,
    /// The journal event that sets it off
    #[arg(long, value_name = "ID")]
    input: Option<EntryId>,
    /// What the agent means to do, as JSON
    #[arg(long, value_name = "JSON", value_parser = json)]
    plan: Option<Value>,
    /// When it began [default: now]
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    at: Option<Timestamp>,
    /// Anything else, as a JSON object
    #[arg(long, value_name = "JSON", value_parser = object)]
    metadata: Option<Map<String, Value>>,
    /// Its id, where it has one
    #[arg(long)]
    id: Option<TurnId>,
}

#[derive(Debug, clap::Args)]
struct FinishArgs {
    /// Its id
    id: TurnId,
    /// How it went [default: ok, or error with --error]
    #[arg(long, value_parser = cli::journal_status())]
    status: Option<JournalStatus>,
    /// What went wrong
    #[arg(long)]
    error: Option<String>,
    /// What it ended with, in words
    #[arg(long, value_name = "TEXT")]
    output: Option<String>,
    /// The journal event that it ended with
    #[arg(long, value_name = "ID")]
    output_event: Option<EntryId>,
    /// What the agent meant to do, as JSON
    #[arg(long, value_name = "JSON", value_parser = json)]
    plan: Option<Value>,
    /// A tool that was called, as JSON; may be repeated
    #[arg(long, value_name = "JSON", value_parser = json)]
    tool_call: Vec<Value>,
    /// What a tool answered, as JSON; may be repeated
    #[arg(long, value_name = "JSON", value_parser = json)]
    tool_result: Vec<Value>,
    /// Anything else, as a JSON object
    #[arg(long, value_name = "JSON", value_parser = object)]
    metadata: Option<Map<String, Value>>,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
    /// Go on after this place, as the page before said
    #[arg(long, value_name = "PLACE")]
    after: Option<JournalPosition>,
    /// Only of one conversation
    #[arg(long)]
    session: Option<String>,
    /// Only what went so
    #[arg(long, value_parser = cli::journal_status())]
    status: Option<JournalStatus>,
    /// Only begun from this time on
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    since: Option<Timestamp>,
    /// Only begun until this time; a day is included whole
    #[arg(long, value_name = "TIME", value_parser = time::until)]
    until: Option<Timestamp>,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// Its id
    id: TurnId,
}

pub(super) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match args.verb {
        Verb::Begin(args) => begin(args, app),
        Verb::Finish(args) => finish(args, app),
        Verb::List(args) => list(args, app),
        Verb::Show(args) => show(&args, app),
    }
}

fn begin(args: BeginArgs, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    let namespace = app.one_namespace(&opened.config)?;
    let receipt = opened.engine.begin_turn(NewTurn {
        namespace,
        session: args.session,
        input: args.input,
        plan: args.plan,
        started_at: args.at,
        metadata: args.metadata.unwrap_or_default(),
        id: args.id,
    })?;
    tell(&receipt, "begun", &mut app.out)?;
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn finish(args: FinishArgs, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let opened = app.open()?;
    let some = |values: Vec<Value>| if values.is_empty() { None } else { Some(values) };
    let update = TurnUpdate {
        status: args.status,
        error: args.error,
        output: args.output_event,
        output_text: args.output,
        plan: args.plan,
        tool_calls: some(args.tool_call),
        tool_results: some(args.tool_result),
        finished_at: None,
        metadata: args.metadata.unwrap_or_default(),
    };
    let receipt = opened.engine.finish_turn(&scope, args.id, update)?;
    tell(&receipt, "finished", &mut app.out)?;
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(receipt: &TurnReceipt, done: &str, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(receipt);
    }
    let turn = &receipt.turn;
    if out.is_quiet() {
        return out.line(&turn.id.to_string());
    }
    let status = turn.status.map(|status| format!(" ({status})")).unwrap_or_default();
    let line = format!(
        "{} {} in {}{status}, {}",
        out.paint(GOOD, done),
        turn.id,
        turn.namespace,
        state_word(receipt.state)
    );
    out.line(&line)
}

fn list(args: ListArgs, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    let scope = app.scope_or(Scope::Exact(opened.config.namespace.clone()))?;
    let page = opened.engine.turns(&TurnQuery {
        scope: scope.clone(),
        session: args.session,
        status: args.status,
        since: args.since,
        until: args.until,
        arrived_before: None,
        order: Order::NewestFirst,
        after: args.after,
        limit: args.limit,
    })?;
    let out = &mut app.out;
    if out.json {
        out.document(&page)?;
    } else if page.turns.is_empty() {
        out.note(&format!("no turns in {scope} that fit"))?;
    } else {
        for turn in &page.turns {
            let begun = out.paint(FAINT, &time::date_time(turn.started_at));
            let status = turn.status.map_or("open", |status| status.as_str());
            let session = turn.session.as_deref().unwrap_or("-");
            let line = format!("{begun}  {status:<7}  {}  {}", out.clean(session), turn.id);
            out.line(&line)?;
        }
    }
    if let Some(next) = page.next {
        out.hint(&format!("there are more: go on with --after {next}"))?;
    }
    opened.close(out)?;
    Ok(Exit::Done)
}

fn show(args: &ShowArgs, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let opened = app.open()?;
    let found = opened.engine.turn_with_entries(&scope, args.id)?;
    let out = &mut app.out;
    if out.json {
        out.document(&found)?;
    } else {
        turn_fields(&found.turn, out)?;
        found.entries.iter().try_for_each(|entry| entry_line(entry, false, out))?;
        if found.more {
            out.hint(&format!("there are more: peri journal list --turn {}", args.id))?;
        }
    }
    opened.close(out)?;
    Ok(Exit::Done)
}
