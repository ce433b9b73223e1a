//! `peri learn record`: a task and how it ended, or many of them.

use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};

use perihelion::{NewTrajectory, Outcome, Scope, TaskOutcome, Timestamp, TrajectoryReceipt, TrajectoryStep};
use serde_json::{Map, Value};

use super::ids;
use super::lines::{self, Report};
use crate::app::{App, Session};
use crate::commands::remember::open_file;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{CAUTION, GOOD, Output, counted};
use crate::{cli, time};

/// So many refused lines are told one by one.
const REFUSALS_TOLD: usize = 20;

/// What stands between a step and what came of it.
const ARROW: &str = "=>";

/// The task.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A file holds one JSON object a line, with task, outcome, and as wanted agent, domain, steps, patterns, session, at, duration_ms, namespace and id. Lines that cannot be used are listed and the rest is kept; then it exits with 8. A task with an id is recorded once.\n\nExamples:\n  peri learn record --task \"fix the login test\" --outcome success --agent tester --step \"cargo test login=>1 failed\" --step \"edit login.rs\"\n  peri learn record --file tasks.jsonl\n  jq -c .tasks[] log.json | peri learn record"
)]
pub(super) struct Args {
    /// What was to be done; without it, tasks are read from --file or standard input
    #[arg(long, value_name = "TEXT", requires = "outcome", conflicts_with = "file")]
    task: Option<String>,
    /// How it ended
    #[arg(long, value_parser = cli::task_outcome(), requires = "task")]
    outcome: Option<TaskOutcome>,
    /// Who did it, such as tester
    #[arg(long)]
    agent: Option<String>,
    /// The field it belongs to, such as security [default: found by its words]
    #[arg(long)]
    domain: Option<String>,
    /// A step and what came of it, as in "cargo test=>1 failed"; in order, may be repeated
    #[arg(long, value_name = "INPUT=>OUTPUT", requires = "task", value_parser = step)]
    step: Vec<TrajectoryStep>,
    /// A pattern that was followed: how the task ended counts for it; may be repeated
    #[arg(long, value_name = "ID", requires = "task")]
    pattern: Vec<String>,
    /// The conversation it belongs to
    #[arg(long)]
    session: Option<String>,
    /// When it ended [default: now]
    #[arg(long, value_name = "TIME", value_parser = time::past, requires = "task")]
    at: Option<Timestamp>,
    /// A file with one task a line, as JSON objects; - is standard input
    #[arg(long, short, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match (&args.task, &args.file) {
        (Some(_), _) => one(args, app),
        (None, Some(file)) => {
            let file = file.clone();
            many(&args, &file, app)
        }
        (None, None) if std::io::stdin().is_terminal() => Err(CliError::input(
            "no task was given",
            "write: peri learn record --task \"fix the login test\" --outcome success",
        )),
        (None, None) => many(&args, Path::new("-"), app),
    }
}

/// Reads a step.
fn step(text: &str) -> Result<TrajectoryStep, String> {
    let (input, output) = text.split_once(ARROW).unwrap_or((text, ""));
    if input.trim().is_empty() {
        return Err("it says nothing of what was done; write \"cargo test=>1 failed\"".to_owned());
    }
    let (input, output) = (input.trim().to_owned(), output.trim().to_owned());
    Ok(TrajectoryStep { input, output, duration_ms: 0, confidence: 1.0 })
}

fn one(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let patterns = args.pattern.iter().map(|given| {
        let id = ids::pattern(&session.engine, &Scope::All, given)?;
        // What is counted for a pattern that is not there would be lost.
        session.engine.pattern(&Scope::Exact(namespace.clone()), id)?;
        Ok(id)
    });
    let patterns = patterns.collect::<Result<_, CliError>>()?;
    let (task, outcome) = (args.task.unwrap_or_default(), args.outcome.unwrap_or(TaskOutcome::Success));
    let new = NewTrajectory {
        domain: args.domain,
        agent: args.agent,
        steps: args.step,
        patterns,
        session: args.session,
        at: args.at,
        ..NewTrajectory::new(task, outcome).in_namespace(namespace)
    };
    let receipt = session.engine.record_trajectory(new)?;
    let report = Report { receipts: vec![receipt], ..Report::default() };
    tell(&report, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn many(args: &Args, file: &Path, app: &mut App) -> Result<Exit, CliError> {
    let is_standard = file == Path::new("-");
    let name = if is_standard { "standard input".to_owned() } else { file.display().to_string() };
    let opened = if is_standard { None } else { Some(open_file(file, &name)?) };
    let session = app.open()?;
    let template = template(args, app, &session)?;
    let report = match opened {
        Some(file) => lines::record(&session.engine, &name, BufReader::new(file), &template)?,
        None => lines::record(&session.engine, &name, std::io::stdin().lock(), &template)?,
    };
    if report.receipts.is_empty() && report.refused.is_empty() {
        return Err(CliError::input(format!("{name} holds no task: it is empty"), "nothing was recorded"));
    }
    tell(&report, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(match (report.refused.is_empty(), report.receipts.is_empty()) {
        (true, _) => Exit::Done,
        (false, false) => Exit::Partly,
        (false, true) => Exit::BadInput,
    })
}

/// What holds for every line that does not say otherwise.
fn template(args: &Args, app: &App, session: &Session) -> Result<Map<String, Value>, CliError> {
    let namespace = app.one_namespace(&session.config)?.to_string();
    let mut template = Map::from_iter([("namespace".to_owned(), Value::from(namespace))]);
    for (key, value) in [("agent", &args.agent), ("domain", &args.domain), ("session", &args.session)] {
        if let Some(value) = value {
            template.insert(key.to_owned(), Value::from(value.as_str()));
        }
    }
    Ok(template)
}

fn tell(report: &Report, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(report);
    }
    for refused in report.refused.iter().take(REFUSALS_TOLD) {
        out.refusal(&format!("line {}: {}", refused.line, refused.why))?;
    }
    let more = report.refused.len().saturating_sub(REFUSALS_TOLD) as u64;
    if more > 0 {
        out.refusal(&format!("and {}", counted(more, "further line", "further lines")))?;
    }
    match &report.receipts[..] {
        [] => out.note("nothing was recorded"),
        [receipt] if report.refused.is_empty() => tell_one(receipt, out),
        receipts => tell_many(receipts, out),
    }
}

fn tell_one(receipt: &TrajectoryReceipt, out: &mut Output) -> Result<(), CliError> {
    if out.is_quiet() {
        return out.line(&receipt.id.to_string());
    }
    let done = match receipt.outcome {
        Outcome::Stored => out.paint(GOOD, "recorded"),
        Outcome::Merged => "recorded before".to_owned(),
        Outcome::Queued => out.paint(CAUTION, "queued"),
    };
    out.line(&format!("{done} {}  {}", receipt.id, out.clean(&receipt.domain)))?;
    let secrets: usize = receipt.redacted.iter().map(|secret| secret.count).sum();
    tell_secrets(secrets, out)
}

fn tell_many(receipts: &[TrajectoryReceipt], out: &mut Output) -> Result<(), CliError> {
    let of = |outcome| receipts.iter().filter(|receipt| receipt.outcome == outcome).count() as u64;
    let (before, queued) = (of(Outcome::Merged), of(Outcome::Queued));
    let mut line =
        format!("{} {}", out.paint(GOOD, "recorded"), counted(of(Outcome::Stored), "task", "tasks"));
    if before > 0 {
        line.push_str(&format!(", {before} recorded before"));
    }
    if queued > 0 {
        line.push_str(&format!(", {queued} queued until the store answers"));
    }
    out.line(&line)?;
    tell_secrets(receipts.iter().flat_map(|receipt| &receipt.redacted).map(|secret| secret.count).sum(), out)
}

fn tell_secrets(secrets: usize, out: &mut Output) -> Result<(), CliError> {
    if secrets == 0 {
        return Ok(());
    }
    out.note(&format!("{} taken out before storing", counted(secrets as u64, "secret was", "secrets were")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_parted_at_its_first_arrow_and_must_say_what_was_done() {
        let read = |text: &str| step(text).map(|step| (step.input, step.output));
        let pair = |input: &str, output: &str| Ok((input.to_owned(), output.to_owned()));
        assert_eq!(read("cargo test => 1 failed"), pair("cargo test", "1 failed"));
        assert_eq!(read("运行测试=>失败=>重试"), pair("运行测试", "失败=>重试"));
        assert_eq!(read("파일을 고친다"), pair("파일을 고친다", ""));
        assert!(read("=>ok").is_err() && read("  ").is_err());
    }
}
