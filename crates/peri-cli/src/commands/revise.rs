//! `peri revise`: change a memory and keep what it said before.

use perihelion::{
    Circumstance, ErrorKind, Importance, Kind, Layer, Memory, MemoryId, Perihelion, Revise, Scope, Timestamp,
};

use super::remember::{context_of, read_data, tell_expired};
use crate::app::{App, Session};
use crate::error::CliError;
use crate::exit::Exit;
use crate::input;
use crate::output::{GOOD, counted};
use crate::{cli, ids, time};

/// What to change. What is left out stays as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    peri revise 0198c5b2-7d3e \"Ana prefers green tea\"\n  \
    peri revise 0198c5b2-7d3e --tag food --expect-version 2")]
pub(crate) struct Args {
    /// The id, or its beginning: 8 digits or more, until it is the only one
    id: String,
    /// New content; - reads it from standard input
    text: Vec<String>,
    /// Another kind
    #[arg(long, value_parser = cli::kind())]
    kind: Option<Kind>,
    /// Another layer
    #[arg(long, value_parser = cli::layer())]
    layer: Option<Layer>,
    /// Another importance, from 0 to 1
    #[arg(long, value_parser = cli::importance, allow_negative_numbers = true)]
    importance: Option<Importance>,
    /// Another tag, in place of all it has; may be repeated
    #[arg(long)]
    tag: Vec<String>,
    /// Take all tags away
    #[arg(long, conflicts_with = "tag")]
    clear_tags: bool,
    /// Another alias, in place of all it has; may be repeated
    #[arg(long)]
    alias: Vec<String>,
    /// Take all aliases away
    #[arg(long, conflicts_with = "alias")]
    clear_aliases: bool,
    /// Keep it near for good
    #[arg(long)]
    pin: bool,
    /// No longer keep it near
    #[arg(long, conflicts_with = "pin")]
    unpin: bool,
    /// From when on it must not be seen, as 2026-12-31 or 30d (from now), or none
    #[arg(long, value_name = "TIME|none", value_parser = expiry)]
    expires: Option<Unless<Timestamp>>,
    /// From when on it holds, or none to say since it was said
    #[arg(long, value_name = "TIME|none", value_parser = begin)]
    valid_from: Option<Unless<Timestamp>>,
    /// Until when it holds, as 2026-12-31 (that day included) or 30d (from now), or none to say for good
    #[arg(long, value_name = "TIME|none", value_parser = end)]
    valid_until: Option<Unless<Timestamp>>,
    /// The memory that takes its place, or none to make it current again
    #[arg(long, value_name = "ID|none")]
    superseded_by: Option<String>,
    /// A circumstance, in place of all it has, such as spatial.place=office; may be repeated
    #[arg(long, value_name = "CIRCUMSTANCE")]
    context: Vec<Circumstance>,
    /// Take all circumstances away
    #[arg(long, conflicts_with = "context")]
    clear_context: bool,
    /// Another structure of the content, as JSON or @FILE, or none; words that were made from the structure follow it
    #[arg(long, value_name = "JSON|@FILE|none")]
    data: Option<String>,
    /// Refuse if it was revised since it had this version
    #[arg(long, value_name = "VERSION")]
    expect_version: Option<u32>,
}

/// A value, or that there shall be none.
#[derive(Debug, Clone, Copy)]
struct Unless<T>(Option<T>);

fn expiry(text: &str) -> Result<Unless<Timestamp>, String> {
    unless(text, time::future)
}

fn begin(text: &str) -> Result<Unless<Timestamp>, String> {
    unless(text, time::past)
}

fn end(text: &str) -> Result<Unless<Timestamp>, String> {
    unless(text, time::through)
}

fn unless(text: &str, parse: fn(&str) -> Result<Timestamp, String>) -> Result<Unless<Timestamp>, String> {
    if text == "none" { Ok(Unless(None)) } else { parse(text).map(|at| Unless(Some(at))) }
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let id = ids::resolve(&session.engine, &scope, &args.id)?;
    let request = request(args, id, &scope, &session)?;
    if request == (Revise { expected_version: request.expected_version, ..Revise::default() }) {
        return Err(CliError::input(
            "nothing to change was given",
            "give new content, or one of the options in --help",
        ));
    }
    let expires = request.expires_at.flatten();
    let memory = session.engine.look_before_change(&scope, id)?;
    if memory.as_ref().is_some_and(|memory| memory.trashed_at.is_some()) {
        let hint = format!("nothing was changed; `peri trash restore {id}` brings it back first");
        return Err(CliError::input(format!("{id} is in the trash"), hint));
    }
    check_validity(&request, memory.as_ref())?;
    let revised = session.engine.revise(&scope, id, request)?;
    let out = &mut app.out;
    if out.json {
        out.document(&revised)?;
    } else {
        let line = format!(
            "{} {id} {}",
            out.paint(GOOD, "revised"),
            format_args!("to version {}", revised.memory.version)
        );
        out.line(&line)?;
        let secrets: usize = revised.redacted.iter().map(|secret| secret.count).sum();
        if secrets > 0 {
            out.note(&format!(
                "{} taken out before it was stored",
                counted(secrets as u64, "secret was", "secrets were")
            ))?;
        }
    }
    tell_expired(expires, &session, out)?;
    session.sync_vault(out)?;
    session.close(out)?;
    Ok(Exit::Done)
}

/// A memory that ends to hold before it begins to would never be seen, and nobody would know why.
/// Of a memory that cannot be looked at, only what is given counts.
fn check_validity(request: &Revise, memory: Option<&Memory>) -> Result<(), CliError> {
    let known = memory.map(|memory| &memory.facets);
    let from = request.valid_from.unwrap_or(known.and_then(|facets| facets.valid_from));
    let from = from.or_else(|| memory.map(Memory::at));
    let until = request.valid_until.unwrap_or(known.and_then(|facets| facets.valid_until));
    let changed = request.valid_from.is_some() || request.valid_until.is_some();
    if changed { time::check_order(from, until) } else { Ok(()) }
}

fn request(args: Args, id: MemoryId, scope: &Scope, session: &Session) -> Result<Revise, CliError> {
    let content = match &args.text[..] {
        [] => None,
        [dash] if dash == "-" => {
            Some(input::standard(input::CONTENT, session.config.limits.content_bytes_max)?)
        }
        words => Some(words.join(" ")),
    };
    let successor =
        args.superseded_by.map(|text| successor(&session.engine, scope, id, &text)).transpose()?;
    let data = args.data.as_deref().map(|text| match text {
        "none" => Ok(None),
        text => read_data(text, session.config.limits.content_bytes_max).map(Some),
    });
    Ok(Revise {
        content,
        layer: args.layer,
        kind: args.kind,
        importance: args.importance,
        tags: (args.clear_tags || !args.tag.is_empty()).then_some(args.tag),
        aliases: (args.clear_aliases || !args.alias.is_empty()).then_some(args.alias),
        pinned: if args.pin { Some(true) } else { args.unpin.then_some(false) },
        expires_at: args.expires.map(|Unless(at)| at),
        valid_from: args.valid_from.map(|Unless(at)| at),
        valid_until: args.valid_until.map(|Unless(at)| at),
        superseded_by: successor,
        context: (args.clear_context || !args.context.is_empty()).then(|| context_of(args.context)),
        data: data.transpose()?,
        expected_version: args.expect_version,
        ..Revise::default()
    })
}

/// The memory that takes another's place: it must exist, be another one, and be seen itself. Otherwise
/// nothing would be recalled in its place, and nobody would notice.
fn successor(
    engine: &Perihelion,
    scope: &Scope,
    id: MemoryId,
    text: &str,
) -> Result<Option<MemoryId>, CliError> {
    if text == "none" {
        return Ok(None);
    }
    let refused =
        |message: String| Err(CliError::input(message, "nothing was changed; give another id, or none"));
    let given = ids::resolve(engine, scope, text)?;
    if given == id {
        return refused("a memory cannot take its own place".to_owned());
    }
    let Some(successor) = engine.look_before_change(scope, given)? else { return Ok(Some(given)) };
    if successor.trashed_at.is_some() {
        return refused(format!("{} is in the trash and can take no place", successor.id));
    }
    if leads_to(engine, &successor, id)? {
        return refused(format!("{id} takes the place of {} already", successor.id));
    }
    Ok(Some(successor.id))
}

/// Whether following who took whose place goes from a memory to another.
fn leads_to(engine: &Perihelion, from: &Memory, to: MemoryId) -> Result<bool, CliError> {
    let mut seen = vec![from.id];
    let mut next = from.facets.superseded_by;
    while let Some(id) = next {
        if id == to {
            return Ok(true);
        }
        if seen.contains(&id) {
            break;
        }
        seen.push(id);
        next = match engine.get(&Scope::Exact(from.namespace.clone()), id) {
            Ok(memory) => memory.facets.superseded_by,
            // The one that took its place was purged.
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
    }
    Ok(false)
}
