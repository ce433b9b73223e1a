//! `peri weights`: what the terms of the memory function count, and what feedback made of them.

use perihelion::LearnedWeights;
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, GOOD, Output, STRONG};

/// What to do with them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri weights\n  peri weights rollback 0")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Take an earlier set again; 0 is the configured one
    Rollback(RollbackArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri weights rollback 0")]
struct RollbackArgs {
    /// The number of the set, as `peri weights` shows it
    number: u64,
}

/// Runs the command, in one namespace.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let engine = &session.engine;
    match args.verb {
        None => {
            let sets = engine.weights(&namespace)?;
            let holds = sets.last().map_or(0, |set| set.number);
            if app.out.json {
                app.out.document(&json!({ "namespace": namespace, "holds": holds, "sets": sets }))?;
            } else {
                tell(&sets, holds, &mut app.out)?;
            }
        }
        Some(Verb::Rollback(RollbackArgs { number })) => {
            let before = engine.weights(&namespace)?.last().map(|set| set.number);
            let set = engine.rollback_weights(&namespace, number)?;
            let is_new = before != Some(set.number);
            if app.out.json {
                app.out.document(&json!({ "namespace": namespace, "holds": set.number, "set": set }))?;
            } else {
                let line = weights_line(&set, &app.out);
                if is_new {
                    let done = app.out.paint(GOOD, "rolled back");
                    app.out.line(&format!("{done} to set {number} in {namespace}"))?;
                } else {
                    app.out.line(&format!("nothing changed: set {number} holds in {namespace} already"))?;
                }
                app.out.line(&line)?;
            }
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(sets: &[LearnedWeights], holds: u64, out: &mut Output) -> Result<(), CliError> {
    sets.iter().try_for_each(|set| {
        let mark = if set.number == holds { out.paint(STRONG, "holds now: ") } else { String::new() };
        let line = format!("{}  {mark}{}", numbers(set, out), reason(set, out));
        out.line(&line)
    })
}

/// A set on one line.
pub(super) fn weights_line(set: &LearnedWeights, out: &Output) -> String {
    format!("{}  {}", numbers(set, out), reason(set, out))
}

fn numbers(set: &LearnedWeights, out: &Output) -> String {
    let LearnedWeights { number, recall, freshness, importance, context, .. } = set;
    let number = out.paint(STRONG, &format!("{number:>3}"));
    format!(
        "{number}  recall {recall:.3}  freshness {freshness:.3}  importance {importance:.3}  context {context:.3}"
    )
}

fn reason(set: &LearnedWeights, out: &Output) -> String {
    out.paint(FAINT, &out.clean(&set.reason))
}
