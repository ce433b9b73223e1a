//! `peri get`: one memory with all that is known about it.

use perihelion::{Memory, MemoryId, Scope, Timestamp, Version};
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted};
use crate::{ids, time};

/// Which memory.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri get 0198c5b2-7d3e --history")]
pub(crate) struct Args {
    /// The id, or its beginning: 8 digits or more, until it is the only one
    id: String,
    /// Also what it said before its revisions
    #[arg(long)]
    history: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    session.sync_vault(&mut app.out)?;
    let engine = &session.engine;
    let id = ids::resolve(engine, &scope, &args.id)?;
    let memory = engine.get(&scope, id)?;
    let history = if args.history { Some(engine.history(&scope, id)?.versions) } else { None };
    let usage = engine.usage(&memory.namespace, id)?;
    let out = &mut app.out;
    if out.json {
        let usage = usage.map(|(recalls, last_at)| json!({ "recalls": recalls, "last_at": last_at }));
        let mut document = json!({ "memory": memory, "usage": usage });
        if let Some(history) = history {
            document["history"] = json!(history);
        }
        out.document(&document)?;
    } else {
        let recalled = usage.map(|(recalls, last_at)| {
            format!("{}, last {}", counted(recalls, "time", "times"), time::date_time(last_at))
        });
        tell(&memory, recalled.unwrap_or_default(), out)?;
        tell_history(history.as_deref(), out)?;
    }
    session.close(out)?;
    Ok(Exit::Done)
}

/// All parts of a memory that say something, the content last.
pub(crate) fn tell(memory: &Memory, recalled: String, out: &mut Output) -> Result<(), CliError> {
    let facets = &memory.facets;
    let at = |at: Option<Timestamp>| at.map(time::date_time).unwrap_or_default();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let metadata =
        if facets.metadata.is_empty() { String::new() } else { json!(facets.metadata).to_string() };
    let circumstances = facets.context.circumstances().map(|one| one.to_string());
    let id = |id: Option<MemoryId>| id.map(|id| id.to_string()).unwrap_or_default();
    let fields = [
        ("id", memory.id.to_string()),
        ("namespace", memory.namespace.to_string()),
        ("kind", memory.kind.to_string()),
        ("layer", memory.layer.to_string()),
        ("zone", memory.zone.to_string()),
        ("importance", memory.importance.value().to_string()),
        ("version", memory.version.to_string()),
        ("stored", at(Some(memory.created_at))),
        ("changed", at((memory.version > 1).then_some(memory.updated_at))),
        ("happened", at(facets.occurred_at)),
        ("holds from", at(facets.valid_from)),
        ("holds until", at(facets.valid_until)),
        ("expires", at(facets.expires_at)),
        ("in trash since", at(memory.trashed_at)),
        ("journal event", facets.entry.map(|id| id.to_string()).unwrap_or_default()),
        ("superseded by", id(facets.superseded_by)),
        ("promoted from", facets.promoted_from.map(|layer| layer.to_string()).unwrap_or_default()),
        ("promoted to", id(facets.promoted_to)),
        (
            "promotion",
            if facets.promotion_undone { "undone; by hand only".to_owned() } else { String::new() },
        ),
        ("recalled", recalled),
        ("pinned", if facets.pinned { "yes".to_owned() } else { String::new() }),
        ("key", text(&facets.key)),
        ("session", text(&facets.session)),
        ("speaker", text(&facets.speaker)),
        ("source", text(&facets.source)),
        ("tags", facets.tags.join(", ")),
        ("aliases", facets.aliases.join(", ")),
        ("context", circumstances.collect::<Vec<_>>().join(", ")),
        ("metadata", metadata),
        ("data", facets.data.as_ref().map(ToString::to_string).unwrap_or_default()),
    ];
    for (label, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        out.field(label, value)?;
    }
    out.field("content", "")?;
    out.indented(&memory.content)
}

fn tell_history(history: Option<&[Version]>, out: &mut Output) -> Result<(), CliError> {
    match history {
        None => Ok(()),
        Some([]) => out.note("it was never revised"),
        Some(versions) => versions.iter().rev().try_for_each(|version| {
            let times = format!("{} to {}", time::date_time(version.since), time::date_time(version.until));
            out.field(&format!("version {}", version.version), &times)?;
            out.indented(&version.content)
        }),
    }
}
