//! `peri feedback`: which results of a recall were of use.

use perihelion::{Feedback, FeedbackReceipt, MemoryId, Namespace, Perihelion, Scope};

use super::weights::weights_line;
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::ids;
use crate::output::{Output, counted};

/// What was asked, and what of the answer was of use.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  peri feedback --query \"what does Ana drink\" --used 0198c5b2-7d3e --not-used 0198c5b2-8a11"
)]
pub(crate) struct Args {
    /// What was asked
    #[arg(long, value_name = "TEXT")]
    query: String,
    /// A result that was of use; may be repeated
    #[arg(long, value_name = "ID", num_args = 1.., required_unless_present = "not_used")]
    used: Vec<String>,
    /// A result that was shown and not of use; may be repeated
    #[arg(long, value_name = "ID", num_args = 1..)]
    not_used: Vec<String>,
    /// The session in which was asked
    #[arg(long)]
    session: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let engine = &session.engine;
    let used = ids::resolve_all(engine, &scope, &args.used)?;
    let unused = ids::resolve_all(engine, &scope, &args.not_used)?;
    if let Some(both) = used.iter().find(|id| unused.contains(id)) {
        let message = format!("{both} cannot have been of use and not");
        return Err(CliError::input(message, "nothing was kept; give it once"));
    }
    let scope = scope_of(engine, scope, &used, &unused)?;
    let request = Feedback { query: args.query, used, unused, session: args.session };
    let receipt = engine.feedback_within(&scope, &request)?;
    if app.out.json {
        app.out.document(&receipt)?;
    } else {
        tell(&receipt, &scope, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// The namespace that all results are of: what is learned from them holds there. If that cannot be told now, it is found
/// out in the scope once the call is made.
fn scope_of(
    engine: &Perihelion,
    scope: Scope,
    used: &[MemoryId],
    unused: &[MemoryId],
) -> Result<Scope, CliError> {
    let mut found: Option<Namespace> = None;
    for id in used.iter().chain(unused) {
        let Some(memory) = engine.look_before_change(&scope, *id)? else { return Ok(scope) };
        let own = memory.namespace;
        match &found {
            Some(namespace) if *namespace != own => {
                return Err(CliError::input(
                    format!("the results are of two namespaces, {namespace} and {own}"),
                    "nothing was kept; give feedback for each by itself",
                ));
            }
            _ => found = Some(own),
        }
    }
    let named = found.map(Scope::Exact);
    named.ok_or_else(|| CliError::input("no results were named", "give --used ID or --not-used ID"))
}

fn tell(receipt: &FeedbackReceipt, scope: &Scope, out: &mut Output) -> Result<(), CliError> {
    let judged = counted(receipt.judged as u64, "result", "results");
    out.line(&format!("kept for {judged} in {scope}"))?;
    match &receipt.weights {
        Some(set) => {
            out.line(&weights_line(set, out))?;
            out.hint("`peri weights` shows the sets before it, `peri weights rollback N` goes back to one")
        }
        None => Ok(()),
    }
}
