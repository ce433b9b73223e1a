//! `peri recall`: from a question to the memories that matter to it.

use jiff::SignedDuration;
use perihelion::{Filter, Recall, Recalled, Scope, Stage, Timestamp, UnderstoodTime};
use serde::Serialize;

use crate::app::{App, Session};
use crate::error::CliError;
use crate::exit::Exit;
use crate::filter::FilterArgs;
use crate::input::{self, Source};
use crate::output::{Output, Reasons, counted, grouped};
use crate::{cli, time};

/// What to recall.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    peri recall \"what does Ana like to drink?\"\n  \
    peri recall \"when did we deploy?\" --limit 3 --explain\n  \
    peri recall \"where does Ana live?\" --as-of 2026-03-01\n  \
    peri recall \"which database do we use?\" -n 'team/*' --json")]
pub(crate) struct Args {
    /// The question; - or nothing reads it from standard input
    query: Vec<String>,
    /// At most so many results [default: recall.limit]
    #[arg(long, short, value_parser = cli::at_least_one)]
    limit: Option<usize>,
    /// At most so many tokens of content in all results together [default: recall.max_tokens]
    #[arg(long, value_name = "TOKENS", value_parser = cli::at_least_one)]
    max_tokens: Option<usize>,
    /// Only results with at least this score, from 0 to 1: fewer, and surer
    #[arg(long, value_name = "SCORE", value_parser = cli::share)]
    min_score: Option<f32>,
    /// Show what each stage brought, and the words that matched; the score, from 0 to 1, grows with the sum
    #[arg(long)]
    explain: bool,
    /// Switch a stage off, besides those in recall.without; may be repeated
    #[arg(long, value_name = "STAGE", value_parser = cli::stage())]
    without: Vec<Stage>,
    /// What held at this time in the past, rather than what holds now; a day means its beginning
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    as_of: Option<Timestamp>,
    /// The session in which is asked: of results that are about as relevant, its own come first
    #[arg(long, value_name = "SESSION")]
    in_session: Option<String>,
    #[command(flatten)]
    filter: FilterArgs,
}

/// The answer as JSON.
#[derive(Serialize)]
struct Document<'a> {
    query: &'a str,
    #[serde(flatten)]
    recalled: &'a Recalled,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let source = Source::of(&args.query);
    if source == Source::Nothing {
        return Err(CliError::input("no question was given", "ask one: peri recall what does Ana drink"));
    }
    if args.as_of.is_some_and(|then| then > Timestamp::now()) {
        return Err(CliError::input(
            "--as-of is in the future",
            "name a time that is over; what will hold then nobody knows yet",
        ));
    }
    let reasons = if args.explain { Reasons::Shown } else { Reasons::Hidden };
    let session = app.open()?;
    session.sync_vault(&mut app.out)?;
    let query = match source {
        Source::Words(words) => words,
        Source::Standard | Source::Nothing => {
            input::standard(input::QUESTION, session.config.limits.query_bytes_max)?
        }
    };
    let request = request(args, query, app, &session)?;
    let recalled = session.engine.recall(&request)?;
    if app.out.json {
        app.out.document(&Document { query: &request.query, recalled: &recalled })?;
    } else {
        tell(&recalled, &request, reasons, &mut app.out)?;
        tell_nothing(&recalled, &request, &session, &mut app.out)?;
        tell_patterns(&recalled, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn request(args: Args, query: String, app: &App, session: &Session) -> Result<Recall, CliError> {
    let config = &session.config;
    let scopes = match &app.global.namespace[..] {
        [] => vec![Scope::Exact(config.namespace.clone())],
        scopes => scopes.to_vec(),
    };
    let stages = args.without.iter().fold(config.recall.stages, |stages, stage| stages.without(*stage));
    Ok(Recall {
        query,
        scopes,
        filter: args.filter.filter()?,
        limit: args.limit,
        score_min: args.min_score,
        tokens_max: Some(args.max_tokens.unwrap_or(config.tokens_max)),
        stages: Some(stages),
        as_of: args.as_of,
        session: args.in_session,
        time_zone: None,
    })
}

fn tell(recalled: &Recalled, request: &Recall, reasons: Reasons, out: &mut Output) -> Result<(), CliError> {
    let several = !matches!(request.scopes[..], [Scope::Exact(_)]);
    for (at, hit) in recalled.hits.iter().enumerate() {
        if at > 0 {
            out.line("")?;
        }
        out.hit(at + 1, hit, several, reasons)?;
    }
    for degraded in &recalled.degraded {
        out.warning(degraded)?;
    }
    for understood in &recalled.times {
        out.hint(&days(understood))?;
    }
    if recalled.over_budget > 0 {
        let left_out = counted(recalled.over_budget as u64, "relevant memory", "relevant memories");
        out.note(&format!("{left_out} left out to keep within the token budget"))?;
    }
    Ok(())
}

/// Strategies that worked for such tasks, below the memories.
fn tell_patterns(recalled: &Recalled, out: &mut Output) -> Result<(), CliError> {
    if recalled.patterns.is_empty() || out.is_quiet() {
        return Ok(());
    }
    if !recalled.hits.is_empty() {
        out.line("")?;
    }
    super::learn::tell_matches(&recalled.patterns, out)
}

/// The days that words for time were taken for, so that whoever asked can tell whether those were meant.
fn days(understood: &UnderstoodTime) -> String {
    let UnderstoodTime { text, from, until } = understood;
    // The end is the beginning of the next day.
    let last = until.checked_sub(SignedDuration::from_millis(1)).unwrap_or(*until);
    match (time::date(*from), time::date(last)) {
        (first, last) if first == last => format!("{text}: {first}"),
        (first, last) => format!("{text}: {first} to {last}"),
    }
}

/// An empty answer is a right answer, and says why it is empty.
fn tell_nothing(
    recalled: &Recalled,
    request: &Recall,
    session: &Session,
    out: &mut Output,
) -> Result<(), CliError> {
    if !recalled.hits.is_empty() || recalled.over_budget > 0 {
        return Ok(());
    }
    let place = match &recalled.namespaces[..] {
        [] => "any namespace that fits".to_owned(),
        [namespace] => namespace.to_string(),
        several => format!("{} namespaces", grouped(several.len() as u64)),
    };
    out.note(&format!("nothing relevant in {place}"))?;
    if recalled.below_floor > 0 {
        let weighed = counted(recalled.below_floor as u64, "memory was", "memories were");
        return out.hint(&format!("{weighed} weighed and left out; --without floor shows them anyway"));
    }
    let held = session.engine.stats(&Scope::All)?;
    if held.memories == 0 {
        return out.hint(match held.trashed {
            0 => "there are no memories yet: peri remember stores one",
            _ => "all memories lie in the trash: peri trash list shows them",
        });
    }
    for scope in &request.scopes {
        if session.engine.stats(scope)?.memories > 0 {
            let wider = if request.filter == Filter::default() { "" } else { ", or fewer conditions" };
            return out.hint(&format!("use other words{wider}, or --namespace '*' to look everywhere"));
        }
    }
    out.hint("it holds no memories; --namespace '*' looks everywhere, and peri stats tells what there is")
}
