//! `peri list`: memories page by page.

use perihelion::{EntryId, ListQuery, Order, Page, Scope, Zone};

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::filter::FilterArgs;
use crate::output::Output;
use crate::{cli, ids};

/// Which memories.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    peri list --since 7d\n  \
    peri list --kind decision --oldest-first -n team/shop")]
pub(crate) struct Args {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
    /// Go on after this memory, as the page before said
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// The earliest first
    #[arg(long)]
    oldest_first: bool,
    /// Only this zone; may be repeated
    #[arg(long, value_parser = cli::zone())]
    zone: Vec<Zone>,
    /// Only what came from this journal event
    #[arg(long, value_name = "ID")]
    entry: Option<EntryId>,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    session.sync_vault(&mut app.out)?;
    let scope = app.scope_or(Scope::Exact(session.config.namespace.clone()))?;
    let after = args.after.as_deref().map(|id| ids::resolve(&session.engine, &Scope::All, id)).transpose()?;
    let order = if args.oldest_first { Order::OldestFirst } else { Order::NewestFirst };
    let query = ListQuery {
        scope: scope.clone(),
        filter: args.filter.filter()?,
        zones: args.zone,
        entry: args.entry,
        order,
        after,
        limit: args.limit,
        ..ListQuery::default()
    };
    let page = session.engine.list(query)?;
    tell(&page, &scope, &format!("no memories in {scope} that fit"), &mut app.out)?;
    if let Some(next) = page.next {
        app.out.hint(&format!("there are more: go on with --after {next}"))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// A page of memories, a line each; with their namespaces, if there may be several.
pub(crate) fn tell(page: &Page, scope: &Scope, empty: &str, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(page);
    }
    if page.memories.is_empty() {
        return out.note(empty);
    }
    let several = !matches!(scope, Scope::Exact(_));
    page.memories.iter().try_for_each(|memory| out.memory_line(memory, several))
}
