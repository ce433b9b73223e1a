//! `peri graph`: how memories are linked.

mod communities;
mod export;
mod link;
mod neighbours;
mod path;
mod rank;

use perihelion::EdgeType;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;

/// What to do with the graph.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri graph neighbours 0198c5b2-7d3e --depth 2\n  peri graph export --format dot -o memories.dot"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show what a memory is linked to
    Neighbours(neighbours::Args),
    /// Show the shortest way between two memories, whichever way the edges point
    Path(path::Args),
    /// Show the memories that the others lead to, the most central first
    #[command(visible_alias = "pagerank")]
    Rank(rank::Args),
    /// Show groups of memories that are linked among each other more than with the rest
    Communities(communities::Args),
    /// Write the graph for other programs
    Export(export::Args),
    /// Link two memories of one namespace
    Link(link::LinkArgs),
    /// Take the edges from one memory to another away
    Unlink(link::UnlinkArgs),
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    match args.verb {
        Verb::Neighbours(args) => neighbours::run(&args, &session, app)?,
        Verb::Path(args) => path::run(&args, &session, app)?,
        Verb::Rank(args) => rank::run(&args, &session, app)?,
        Verb::Communities(args) => communities::run(&args, &session, app)?,
        Verb::Export(args) => export::run(&args, &session, app)?,
        Verb::Link(args) => link::link(&args, &session, app)?,
        Verb::Unlink(args) => link::unlink(&args, &session, app)?,
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// An edge type as people read it.
fn type_words(edge_type: EdgeType) -> String {
    edge_type.as_str().replace('_', " ")
}
