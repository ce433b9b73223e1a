//! `peri llm`: the calls of language models, their prompts, and whether the model answers.

use std::path::Path;

use jiff::tz::TimeZone;
use peri_companion::PROMPTS;
use peri_llm::{Call, Ledger, Outcome, PromptSource, PromptStamp, Refusal, Request};
use perihelion::Timestamp;
use serde_json::json;

use crate::app::App;
use crate::config::{LlmSettings, ModelSettings};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, GOOD, Output, STRONG, grouped};
use crate::{cli, llm, time};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri llm check\n  peri llm log --since today")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show the latest calls, and what of the day's tokens is spent
    #[command(after_help = "Example:\n  peri llm log --purpose observer --since 7d")]
    Log(LogArgs),
    /// Show the prompts, and which of them a file overrides
    #[command(
        after_help = "Example:\n  peri llm prompts\n\nA file of the same name in the folder of llm.prompts, such as observer.md, takes the place of a prompt."
    )]
    Prompts,
    /// Make one tiny call and tell what happened
    #[command(after_help = "Example:\n  peri llm check")]
    Check,
}

#[derive(Debug, clap::Args)]
struct LogArgs {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
    /// Only from this time on: 2026-11-15, an RFC 3339 time, yesterday, 12h, 7d (ago)
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    since: Option<Timestamp>,
    /// Only for this purpose, such as observer, reflector, promoter, compactor or check
    #[arg(long)]
    purpose: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let settings = app.config()?.config.llm;
    match args.verb {
        Verb::Log(args) => log(&args, &settings, &mut app.out)?,
        Verb::Prompts => prompts(&settings, &mut app.out)?,
        Verb::Check => check(&settings, &mut app.out)?,
    }
    Ok(Exit::Done)
}

/// What to do where no model is set.
const HOW_TO_SET: &str = "set llm.provider (openai or anthropic) and llm.model in perihelion.toml, and put the key into \
     the environment variable that llm.key_variable names; `peri config defaults` explains each";

fn tell_none(settings: &LlmSettings, out: &mut Output) -> Result<(), CliError> {
    if settings.model.is_some() {
        return Ok(());
    }
    out.note("no language model is set: rules make the notes, and nothing is sent anywhere")?;
    out.hint(HOW_TO_SET)
}

fn log(args: &LogArgs, settings: &LlmSettings, out: &mut Output) -> Result<(), CliError> {
    let ledger = Ledger::new(&settings.ledger).sealed(settings.seal.clone());
    let since = args.since.unwrap_or(Timestamp::MIN);
    let limit = if args.purpose.is_some() { usize::MAX } else { args.limit };
    let mut calls = ledger.calls(since, limit).map_err(Refusal::from)?;
    calls.retain(|call| args.purpose.as_ref().is_none_or(|purpose| call.purpose == *purpose));
    calls.truncate(args.limit);
    let day = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let spent = ledger.spent(day).map_err(Refusal::from)?;
    if out.json {
        let today = json!({ "day": day, "spent": spent, "tokens_per_day": settings.tokens_per_day });
        let model = settings.model.as_ref().map(ModelSettings::name);
        return out.document(&json!({ "calls": calls, "today": today, "model": model }));
    }
    if calls.is_empty() {
        out.note("no calls that fit")?;
    }
    calls.iter().try_for_each(|call| tell_call(call, out))?;
    let (spent, most) = (grouped(spent), grouped(settings.tokens_per_day));
    out.line(&format!("{spent} of {most} tokens of {day} (UTC) are spent or reserved"))?;
    tell_none(settings, out)
}

fn tell_call(call: &Call, out: &mut Output) -> Result<(), CliError> {
    let outcome = match call.outcome {
        Outcome::Ok => "ok",
        Outcome::Refused => "refused",
        Outcome::Failed => "failed",
        Outcome::Unfinished => "unfinished",
    };
    let why = call.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let line = format!(
        "{}  {:<10} {outcome}  {} in, {} out, {} ms  {}{}",
        out.paint(FAINT, &time::date_time(call.at)),
        out.clean(&call.purpose),
        grouped(call.tokens_in),
        grouped(call.tokens_out),
        grouped(call.duration_ms),
        out.paint(FAINT, &out.clean(&call.model)),
        out.clean(&why)
    );
    out.line(&line)
}

fn prompts(settings: &LlmSettings, out: &mut Output) -> Result<(), CliError> {
    let loaded = llm::prompts(settings).map_err(|error| {
        CliError::input(
            error.to_string(),
            "mend the file or remove it; until then no notes are made by a model",
        )
    })?;
    let mut stamps: Vec<PromptStamp> = Vec::new();
    for prompt in PROMPTS {
        if let Ok(loaded) = loaded.get(prompt.name) {
            stamps.push(loaded.stamp().clone());
        }
    }
    if out.json {
        return out.document(&json!({ "folder": settings.prompts, "prompts": stamps }));
    }
    stamps.iter().try_for_each(|stamp| tell_prompt(stamp, out))?;
    out.hint(&format!("files in {} override them", settings.prompts.display()))?;
    tell_none(settings, out)
}

fn tell_prompt(stamp: &PromptStamp, out: &mut Output) -> Result<(), CliError> {
    let source = match &stamp.source {
        PromptSource::BuiltIn => "comes with peri".to_owned(),
        PromptSource::File(path) => format!("overridden by {}", Path::display(path)),
    };
    let name = out.paint(STRONG, &format!("{:<10}", stamp.name));
    let line = format!(
        "{name} version {}  {}  {}",
        stamp.version,
        out.paint(FAINT, &stamp.digest),
        out.clean(&source)
    );
    out.line(&line)
}

fn check(settings: &LlmSettings, out: &mut Output) -> Result<(), CliError> {
    let Some(model) = &settings.model else {
        return Err(CliError::input("no language model is set, so none was asked", HOW_TO_SET));
    };
    let client = llm::client(settings, model)?;
    let request = Request {
        max_output_tokens: 512,
        temperature: Some(model.temperature),
        ..Request::new("check", "Answer with the single word: ready")
    };
    let answer = client.ask(&request)?;
    let took = client.ledger().calls(Timestamp::MIN, 1).map_err(Refusal::from)?;
    let duration_ms = took.first().map(|call| call.duration_ms);
    if out.json {
        return out.document(&json!({
            "model": answer.model, "place": model.place(), "answer": answer.text, "tokens_in": answer.tokens_in,
            "tokens_out": answer.tokens_out, "attempts": answer.attempts, "duration_ms": duration_ms,
        }));
    }
    tell_answer(model, &answer, duration_ms, out)
}

fn tell_answer(
    model: &ModelSettings,
    answer: &peri_llm::Answer,
    duration_ms: Option<u64>,
    out: &mut Output,
) -> Result<(), CliError> {
    let took = duration_ms.map(|took| format!(" in {} ms", grouped(took))).unwrap_or_default();
    let line = format!(
        "{} {} at {} answered{took}: {}",
        out.paint(GOOD, "ok"),
        out.clean(&answer.model),
        model.place(),
        out.clean(&crate::output::fit(&answer.text, 60)),
    );
    out.line(&line)?;
    out.note(&format!("{} tokens in, {} out", grouped(answer.tokens_in), grouped(answer.tokens_out)))
}
