//! `peri trash`: look into it, bring back from it, or destroy what lies in it.

use perihelion::{
    Destroyed, ListQuery, Memory, MemoryId, Perihelion, Scope, StillHeld, StoreError, Timestamp, Trashed,
};
use serde_json::json;

use super::list;
use crate::app::{App, Session};
use crate::brief::GLIMPSE_COLUMNS;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, counted, fit};
use crate::{cli, confirm, ids, time};

/// What to do with the trash.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri trash list\n  peri trash restore 0198c5b2-7d3e")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show what lies in the trash
    List(ListArgs),
    /// Bring memories back
    Restore(RestoreArgs),
    /// Destroy memories that lie in the trash, with their history; there is no way back
    Purge(PurgeArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri trash list --limit 50")]
struct ListArgs {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
    /// Go on after this memory, as the page before said
    #[arg(long, value_name = "ID")]
    after: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri trash restore 0198c5b2-7d3e")]
struct RestoreArgs {
    /// The ids, or their beginnings: 8 digits or more, until each is the only one
    #[arg(required = true)]
    id: Vec<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    peri trash purge 0198c5b2-7d3e\n  \
    peri trash purge --all --older-than 7d")]
struct PurgeArgs {
    /// The ids, or their beginnings: 8 digits or more, until each is the only one
    #[arg(required_unless_present_any = ["all", "older_than"], conflicts_with = "all")]
    id: Vec<String>,
    /// Everything in the trash
    #[arg(long)]
    all: bool,
    /// Only what has lain there for longer, such as 30d or 3mo
    #[arg(long, value_name = "TIME", requires = "all", value_parser = time::past)]
    older_than: Option<Timestamp>,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    match args.verb {
        Verb::List(args) => show(&args, &scope, &session, app)?,
        Verb::Restore(args) => restore(&args, &scope, &session, app)?,
        Verb::Purge(args) => purge(&args, &scope, &session, app)?,
    }
    session.sync_vault(&mut app.out)?;
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn show(args: &ListArgs, scope: &Scope, session: &Session, app: &mut App) -> Result<(), CliError> {
    let after = args.after.as_deref().map(|id| ids::resolve(&session.engine, scope, id)).transpose()?;
    let query = ListQuery { after, limit: args.limit, ..in_trash(scope) };
    let page = session.engine.list(query)?;
    list::tell(&page, scope, "the trash is empty", &mut app.out)?;
    match page.next {
        Some(next) => app.out.hint(&format!("there are more: go on with --after {next}")),
        None => Ok(()),
    }
}

fn restore(args: &RestoreArgs, scope: &Scope, session: &Session, app: &mut App) -> Result<(), CliError> {
    let ids = trashed(&session.engine, scope, &args.id)?;
    let restored = ids::change_each(&ids, |id| session.engine.restore(scope, id))?;
    if app.out.json {
        return app.out.document(&json!({ "restored": restored }));
    }
    restored.iter().try_for_each(|memory: &Memory| {
        let glimpse = fit(&app.out.clean(&memory.content), GLIMPSE_COLUMNS);
        let line = format!("{} {}  {glimpse}", app.out.paint(GOOD, "restored"), memory.id);
        app.out.line(&line)
    })
}

fn purge(args: &PurgeArgs, scope: &Scope, session: &Session, app: &mut App) -> Result<(), CliError> {
    let engine = &session.engine;
    let destroyed = if args.all {
        // The store compares in whole milliseconds; what was forgotten just now is meant too.
        let before = args
            .older_than
            .unwrap_or_else(|| engine.options().clock.now() + jiff::SignedDuration::from_millis(1));
        let count = count_before(engine, scope, before)?;
        confirm(count, args.yes, app)?;
        engine.purge_trashed(scope, before)?
    } else {
        let ids = trashed(engine, scope, &args.id)?;
        confirm(ids.len() as u64, args.yes, app)?;
        let each = ids::change_each(&ids, |id| engine.purge(scope, id))?;
        let memories = each.len() as u64;
        Destroyed {
            memories,
            still_held: each.into_iter().last().map(|last| last.still_held).unwrap_or_default(),
        }
    };
    let Destroyed { memories: purged, still_held } = destroyed;
    if app.out.json {
        return app.out.document(&json!({ "purged": purged, "still_held": still_held }));
    }
    app.out.line(&format!("{} destroyed", counted(purged, "memory", "memories")))?;
    tell_still_held(&still_held, app)
}

/// Names what a purge does not reach.
pub(super) fn tell_still_held(still_held: &[StillHeld], app: &mut App) -> Result<(), CliError> {
    still_held.iter().try_for_each(|held| app.out.note(&format!("still held by: {}", held.detail)))
}

/// The ids, once it is known that every one of them lies in the trash, as far as that can be told now: all are handled,
/// or none.
fn trashed(engine: &Perihelion, scope: &Scope, given: &[String]) -> Result<Vec<MemoryId>, CliError> {
    let ids = ids::resolve_all(engine, scope, given)?;
    for id in &ids {
        let memory = engine.look_before_change(scope, *id)?;
        if memory.is_some_and(|memory| memory.trashed_at.is_none()) {
            return Err(perihelion::Error::Store(StoreError::NotTrashed { id: *id }).into());
        }
    }
    Ok(ids)
}

fn count_before(engine: &Perihelion, scope: &Scope, before: Timestamp) -> Result<u64, CliError> {
    let limit = engine.options().limits.results_max.max(1);
    let mut query = ListQuery { trashed_before: Some(before), limit, ..in_trash(scope) };
    let mut count = 0;
    loop {
        let page = engine.list(query.clone())?;
        count += page.memories.len() as u64;
        query.after = page.next;
        if query.after.is_none() {
            return Ok(count);
        }
    }
}

/// Everything in the trash; what has expired meanwhile lies there too.
fn in_trash(scope: &Scope) -> ListQuery {
    ListQuery {
        scope: scope.clone(),
        trashed: Trashed::Only,
        now: Some(Timestamp::MIN),
        ..ListQuery::default()
    }
}

fn confirm(count: u64, yes: bool, app: &mut App) -> Result<(), CliError> {
    if yes || count == 0 {
        return Ok(());
    }
    confirm::needs_terminal("purging destroys for good")?;
    let question = format!("destroy {} for good? [y/N]", counted(count, "memory", "memories"));
    match confirm::answer(&question, app)?.to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CliError::input("not confirmed", "nothing was destroyed")),
    }
}
