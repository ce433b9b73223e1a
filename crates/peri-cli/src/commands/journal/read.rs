//! `peri journal list`, `recent`, `show` and `stats`: looking at the journal.

use perihelion::{
    EntryId, JournalEntry, JournalPosition, JournalQuery, JournalStats, JournalStatus, Order, Scope,
    Timestamp, TurnId,
};
use serde_json::json;

use super::{entry_fields, entry_line};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, STRONG, counted, grouped};
use crate::{cli, time};

/// Which journal events.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
    /// Go on after this place, as the page before said
    #[arg(long, value_name = "PLACE")]
    after: Option<JournalPosition>,
    /// The earliest first
    #[arg(long)]
    oldest_first: bool,
    /// Only of one conversation
    #[arg(long)]
    session: Option<String>,
    /// Only said or done by one
    #[arg(long)]
    actor: Option<String>,
    /// Only of this kind
    #[arg(long)]
    kind: Option<String>,
    /// Only what went so
    #[arg(long, value_parser = cli::journal_status())]
    status: Option<JournalStatus>,
    /// Only of one turn
    #[arg(long, value_name = "ID")]
    turn: Option<TurnId>,
    /// Only from this time on: 2026-11-15, an RFC 3339 time, yesterday, 12h, 7d (ago)
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    since: Option<Timestamp>,
    /// Only until this time; a day is included whole
    #[arg(long, value_name = "TIME", value_parser = time::until)]
    until: Option<Timestamp>,
    /// Only with all of these words in its text, in whatever case
    #[arg(long, value_name = "WORDS")]
    text: Option<String>,
}

pub(super) fn list(args: ListArgs, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    let scope = app.scope_or(Scope::Exact(opened.config.namespace.clone()))?;
    let page = opened.engine.journal(&JournalQuery {
        scope: scope.clone(),
        session: args.session,
        actor: args.actor,
        kind: args.kind,
        status: args.status,
        turn: args.turn,
        since: args.since,
        until: args.until,
        arrived_before: None,
        text: args.text,
        remembered_only: false,
        order: if args.oldest_first { Order::OldestFirst } else { Order::NewestFirst },
        after: args.after,
        limit: args.limit,
    })?;
    if app.out.json {
        app.out.document(&page)?;
    } else {
        tell(&page.entries, &scope, &mut app.out)?;
    }
    if let Some(next) = page.next {
        app.out.hint(&format!("there are more: go on with --after {next}"))?;
    }
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(entries: &[JournalEntry], scope: &Scope, out: &mut Output) -> Result<(), CliError> {
    if entries.is_empty() {
        return out.note(&format!("no journal events in {scope} that fit"));
    }
    let several = !matches!(scope, Scope::Exact(_));
    entries.iter().try_for_each(|entry| entry_line(entry, several, out))
}

/// Which of the latest.
#[derive(Debug, clap::Args)]
pub(crate) struct RecentArgs {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
    /// Only of one conversation
    #[arg(long)]
    session: Option<String>,
}

pub(super) fn recent(args: &RecentArgs, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    let scope = app.scope_or(Scope::Exact(opened.config.namespace.clone()))?;
    let recent = opened.engine.recent(&scope, args.session.as_deref(), args.limit)?;
    if app.out.json {
        app.out.document(&recent)?;
    } else {
        tell(&recent.entries, &scope, &mut app.out)?;
    }
    if let Some(why) = &recent.missing {
        app.out.warning(&format!("some may be missing: {why}"))?;
    }
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Which one.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Its id
    id: EntryId,
}

pub(super) fn show(args: &ShowArgs, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let opened = app.open()?;
    let entry = opened.engine.journal_entry(&scope, args.id)?;
    if app.out.json {
        app.out.document(&json!({ "entry": entry }))?;
    } else {
        entry_fields(&entry, &mut app.out)?;
    }
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

pub(super) fn stats(app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let opened = app.open()?;
    let summary = opened.engine.journal_stats(&scope)?;
    let out = &mut app.out;
    if out.json {
        out.document(&summary)?;
    } else {
        out.field("events", &grouped(summary.entries))?;
        out.field("turns", &format!("{} ({} open)", grouped(summary.turns), grouped(summary.turns_open)))?;
        summary.namespaces.iter().try_for_each(|one| tell_namespace(one, out))?;
    }
    opened.close(out)?;
    Ok(Exit::Done)
}

fn tell_namespace(stats: &JournalStats, out: &mut Output) -> Result<(), CliError> {
    out.line("")?;
    let heading = out.paint(STRONG, stats.namespace.as_str());
    out.line(&heading)?;
    out.field("events", &counted(stats.entries, "event", "events"))?;
    let kinds = stats.kinds.iter().map(|(kind, count)| format!("{kind} {}", grouped(*count)));
    out.field("kinds", &kinds.collect::<Vec<_>>().join(", "))?;
    if let (Some(oldest), Some(newest)) = (stats.oldest_at, stats.newest_at) {
        out.field("from", &time::date_time(oldest))?;
        out.field("to", &time::date_time(newest))?;
    }
    out.field("turns", &format!("{} ({} open)", grouped(stats.turns), grouped(stats.turns_open)))
}
