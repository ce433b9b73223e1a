//! `peri route`: who should take a task.

use perihelion::{RouteRequest, Routed};
use serde::Serialize;

use super::learn;
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::{self, Source};
use crate::output::{ACCENT, FAINT, Output, STRONG, counted};

/// The task.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A table of words decides at first; how recorded tasks ended decides more and more after that. The confidence, from 0 to 1, is the probability that the agent is right.\n\nExamples:\n  peri route fix the failing login test\n  peri route 로그인 보안 취약점을 점검해 줘\n  peri route --json 重构支付模块 | jq -r .agent"
)]
pub(crate) struct Args {
    /// What is to be done; - or nothing reads it from standard input
    task: Vec<String>,
}

/// The answer as JSON.
#[derive(Serialize)]
struct Document<'a> {
    task: &'a str,
    #[serde(flatten)]
    routed: &'a Routed,
}

/// Runs the command, in one namespace.
pub(crate) fn run(args: &Args, app: &mut App) -> Result<Exit, CliError> {
    let source = Source::of(&args.task);
    if source == Source::Nothing {
        return Err(CliError::input("no task was given", "write: peri route fix the failing login test"));
    }
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let task = match source {
        Source::Words(words) => words,
        Source::Standard | Source::Nothing => {
            input::standard(input::QUESTION, session.config.limits.query_bytes_max)?
        }
    };
    let request = RouteRequest { task, namespace };
    let routed = session.engine.route_task(&request)?;
    if app.out.json {
        app.out.document(&Document { task: &request.task, routed: &routed })?;
    } else {
        tell(&routed, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(routed: &Routed, out: &mut Output) -> Result<(), CliError> {
    let agent = out.paint(STRONG, &out.clean(&routed.agent));
    if out.is_quiet() {
        return out.line(&agent);
    }
    let confidence = out.paint(ACCENT, &format!("{:.2}", routed.confidence));
    let field = out.paint(FAINT, &routed.domain);
    out.line(&format!("{agent}  {confidence}  {field}"))?;
    routed.reasons.iter().try_for_each(|reason| out.indented(reason))?;
    let others = routed.alternatives.iter();
    let others: Vec<_> =
        others.map(|other| format!("{} {:.2}", out.clean(&other.agent), other.confidence)).collect();
    if !others.is_empty() {
        out.field("or else", &others.join(", "))?;
    }
    learn::tell_matches(&routed.patterns, out)?;
    routed.degraded.iter().try_for_each(|degraded| out.warning(degraded))?;
    if routed.outcomes == 0 {
        return out.hint("nothing was learned yet: `peri learn record --agent` tells how tasks ended");
    }
    out.hint(&format!("learned from {}", counted(routed.outcomes, "outcome", "outcomes")))
}
