//! `peri context`: what an agent is given from memory.

use std::time::Duration;

use perihelion::{
    AgentContext, ContextPart, ContextRequest, Delivery, Moment, Namespace, PartKind, Perihelion, Timestamp,
};
use serde::Serialize;

use super::session;
use crate::app::App;
use crate::cli;
use crate::error::CliError;
use crate::exit::Exit;
use crate::input;
use crate::output::{Output, counted, grouped};

/// So long nobody else is given what is being printed here.
const LEASE: Duration = Duration::from_secs(30);

/// For whom, and how much.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri context --session standup\n  peri context \"which port does staging use?\" --tokens 600\n  peri context --session standup --moment start --deliver\n\nStandard output holds the text for the agent and nothing else."
)]
pub(crate) struct Args {
    /// What the agent is asked, if anything; - reads it from standard input
    query: Vec<String>,
    /// The agent's session [env: PERI_SESSION]
    #[arg(long)]
    session: Option<String>,
    /// At most so many tokens [default: notes.context.start_tokens, or prompt_tokens with a prompt]
    #[arg(long, value_name = "TOKENS", value_parser = cli::at_least_one)]
    tokens: Option<usize>,
    /// When it is given; look shows everything there is
    /// [default: look; with --deliver start, or prompt if something is asked]
    #[arg(long, value_enum, hide_possible_values = false)]
    moment: Option<When>,
    /// What must be given once counts as given afterwards; otherwise nothing is marked
    #[arg(long)]
    deliver: bool,
    /// An id of this call: the same one again does not begin the session once more
    #[arg(long, value_name = "ID", requires = "deliver")]
    occasion: Option<String>,
}

/// When an agent is given something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum When {
    /// Somebody wants to see everything there is
    Look,
    /// A session begins
    Start,
    /// A session goes on where it was
    Resumed,
    /// The agent is asked something
    Prompt,
    /// The agent has lost sight of what it was given
    Compacted,
}

/// The answer as JSON.
#[derive(Serialize)]
struct Document<'a> {
    namespace: &'a Namespace,
    session: Option<&'a str>,
    moment: Moment,
    #[serde(flatten)]
    context: &'a AgentContext,
}

impl From<When> for Moment {
    fn from(when: When) -> Self {
        match when {
            When::Look => Self::Look,
            When::Start => Self::Start,
            When::Resumed => Self::Resumed,
            When::Prompt => Self::Prompt,
            When::Compacted => Self::Compacted,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = session::named(args.session.clone());
    if args.deliver && session.is_none() {
        let hint = "name the agent's session with --session, or leave --deliver out to look";
        return Err(CliError::input("--deliver needs a session", hint));
    }
    let opened = app.open()?;
    opened.sync_vault(&mut app.out)?;
    let query = match &args.query[..] {
        [] => None,
        [dash] if dash == "-" => {
            Some(input::standard(input::QUESTION, opened.config.limits.query_bytes_max)?)
        }
        words => Some(words.join(" ")),
    };
    let request = request(&args, query, session, app.one_namespace(&opened.config)?);
    let context = opened.engine.context(&request)?;
    let printed = print(&request, &context, &mut app.out);
    settle(&opened.engine, &request, &context, printed.is_ok())?;
    printed?;
    summarise(&context, &mut app.out)?;
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn request(
    args: &Args,
    query: Option<String>,
    session: Option<String>,
    namespace: Namespace,
) -> ContextRequest {
    let moment = match args.moment {
        Some(moment) => moment.into(),
        None if !args.deliver => Moment::Look,
        None if query.is_some() => Moment::Prompt,
        None => Moment::Start,
    };
    // Whoever calls again without saying that it is the same call means another one.
    let fresh = || format!("context {} {}", std::process::id(), Timestamp::now());
    ContextRequest {
        session,
        query,
        tokens_max: args.tokens,
        delivery: if args.deliver { Delivery::Once { lease: LEASE } } else { Delivery::Look },
        occasion: args.deliver.then(|| args.occasion.clone().unwrap_or_else(fresh)),
        ..ContextRequest::new(namespace).at(moment)
    }
}

/// Hands the text out, to the last byte.
fn print(request: &ContextRequest, context: &AgentContext, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        out.document(&Document {
            namespace: &request.namespace,
            session: request.session.as_deref(),
            moment: request.moment,
            context,
        })?;
    } else {
        let text = out.clean(&context.text);
        out.bytes(text.as_bytes())?;
    }
    out.flush()
}

/// What was printed counts as given; what could not be is given to whoever asks next.
fn settle(
    engine: &Perihelion,
    request: &ContextRequest,
    context: &AgentContext,
    is_printed: bool,
) -> Result<(), CliError> {
    let Some(session) = request.session.as_deref() else { return Ok(()) };
    if is_printed {
        engine.confirm_context(&request.namespace, session, context)?;
    } else {
        engine.give_back_context(&request.namespace, session, context)?;
    }
    Ok(())
}

/// How much of what was given, beside the answer.
fn summarise(context: &AgentContext, out: &mut Output) -> Result<(), CliError> {
    for degraded in &context.degraded {
        out.warning(degraded)?;
    }
    if context.parts.is_empty() {
        return out.note("there is nothing to give");
    }
    let parts: Vec<String> = context.parts.iter().map(in_numbers).collect();
    let (tokens, most) = (grouped(context.tokens as u64), grouped(context.tokens_max as u64));
    out.note(&format!("{tokens} of {most} tokens: {}", parts.join(", ")))
}

fn in_numbers(part: &ContextPart) -> String {
    let (one, many) = match part.kind {
        PartKind::DurableNotes => ("durable note", "durable notes"),
        PartKind::SessionNotes => ("note of the session", "notes of the session"),
        PartKind::EarlierSession => ("note of an earlier session", "notes of an earlier session"),
        PartKind::Memories => ("memory", "memories"),
        PartKind::Patterns => ("pattern", "patterns"),
        PartKind::WorkingMemory => ("value of working memory", "values of working memory"),
    };
    let left_out = match part.left_out {
        0 => String::new(),
        some => format!(" ({} left out)", grouped(some as u64)),
    };
    let given = counted(part.given.len() as u64, one, many);
    format!("{} in {given}{left_out}", grouped(part.tokens as u64))
}
