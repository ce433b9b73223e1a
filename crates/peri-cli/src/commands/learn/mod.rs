//! `peri learn`: what was done and how it ended, the strategies that worked, and what was learned from both.

mod file;
mod ids;
mod lines;
mod patterns;
mod record;
mod tell;
mod train;
mod trajectories;

pub(crate) use self::tell::tell_matches;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A trajectory is a task as it was done; a pattern is a strategy that worked. Patterns are drawn from trajectories, offered with what is recalled, and judged by how the tasks ended that followed them.\n\nExamples:\n  peri learn record --task \"fix the login test\" --outcome success --agent tester\n  peri learn patterns deploy to staging\n  peri learn stats"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Record a task and how it ended, or many from a file
    Record(record::Args),
    /// Show strategies that worked, for a task or the best of all
    Patterns(patterns::ListArgs),
    /// Keep a strategy that is known to work
    Store(patterns::StoreArgs),
    /// Show one pattern or trajectory
    Show(patterns::ShowArgs),
    /// Keep a pattern for good
    #[command(after_help = "Example:\n  peri learn promote 0198c5b2-7d3e")]
    Promote(patterns::OneArgs),
    /// Put a pattern aside; it is not offered any more
    #[command(after_help = "Example:\n  peri learn retire 0198c5b2-7d3e")]
    Retire(patterns::OneArgs),
    /// Offer a pattern again that was put aside
    #[command(after_help = "Example:\n  peri learn restore 0198c5b2-7d3e")]
    Restore(patterns::OneArgs),
    /// Show recorded tasks, the latest first
    Trajectories(trajectories::Args),
    /// Draw patterns from what was recorded since the last time
    Distil(train::DistilArgs),
    /// Train what routes tasks and what adapts questions
    Train(train::TrainArgs),
    /// Show what has been learned, in numbers
    Stats(train::StatsArgs),
    /// Show what a router or an adapter was before
    Sets(train::SetsArgs),
    /// Go back to what a router or an adapter was
    Rollback(train::RollbackArgs),
    /// Write what was learned to a learning file
    Export(file::ExportArgs),
    /// Take in a learning file; what is here already stays as it is
    Import(file::ImportArgs),
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match args.verb {
        Verb::Record(args) => record::run(args, app),
        Verb::Patterns(args) => patterns::list(args, app),
        Verb::Store(args) => patterns::store(args, app),
        Verb::Show(args) => patterns::show(&args, app),
        Verb::Promote(args) => patterns::change(&args, patterns::Change::Promote, app),
        Verb::Retire(args) => patterns::change(&args, patterns::Change::Retire, app),
        Verb::Restore(args) => patterns::change(&args, patterns::Change::Restore, app),
        Verb::Trajectories(args) => trajectories::run(args, app),
        Verb::Distil(_) => train::distil(app),
        Verb::Train(_) => train::train(app),
        Verb::Stats(_) => train::stats(app),
        Verb::Sets(args) => train::sets(&args, app),
        Verb::Rollback(args) => train::rollback(&args, app),
        Verb::Export(args) => file::export(&args, app),
        Verb::Import(args) => file::import(&args, app),
    }
}
