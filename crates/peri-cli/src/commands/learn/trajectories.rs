//! `peri learn trajectories`: tasks as they were done.

use perihelion::{Order, Scope, TaskOutcome, TrajectoryId, TrajectoryQuery};
use serde_json::json;

use super::tell;
use crate::app::App;
use crate::cli;
use crate::error::CliError;
use crate::exit::Exit;

/// Which ones.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri learn trajectories --outcome failure\n  peri learn trajectories --agent tester --limit 100 --json"
)]
pub(super) struct Args {
    /// Only of this conversation
    #[arg(long)]
    session: Option<String>,
    /// Only of this field, such as security
    #[arg(long)]
    domain: Option<String>,
    /// Only what this agent did
    #[arg(long)]
    agent: Option<String>,
    /// Only those that ended so
    #[arg(long, value_parser = cli::task_outcome())]
    outcome: Option<TaskOutcome>,
    /// Only those that no patterns were drawn from yet
    #[arg(long)]
    undistilled: bool,
    /// The earliest first
    #[arg(long)]
    oldest_first: bool,
    /// Go on after this one, as the page before said
    #[arg(long, value_name = "ID")]
    after: Option<TrajectoryId>,
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

/// Runs the command.
pub(super) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let scope = app.scope_or(Scope::Exact(session.config.namespace.clone()))?;
    let query = TrajectoryQuery {
        scope: scope.clone(),
        session: args.session,
        domain: args.domain,
        agent: args.agent,
        outcome: args.outcome,
        undistilled: args.undistilled,
        order: if args.oldest_first { Order::OldestFirst } else { Order::NewestFirst },
        after: args.after,
        limit: args.limit,
    };
    let page = session.engine.trajectories(&query)?;
    if app.out.json {
        app.out.document(&json!({ "trajectories": page.trajectories, "next": page.next }))?;
    } else {
        let several = !matches!(scope, Scope::Exact(_));
        page.trajectories.iter().try_for_each(|one| tell::tell_trajectory(one, several, &mut app.out))?;
        if page.trajectories.is_empty() {
            app.out.note(&format!("no recorded tasks in {scope} that fit"))?;
        }
        if let Some(next) = page.next {
            app.out.hint(&format!("there are more: go on with --after {next}"))?;
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}
