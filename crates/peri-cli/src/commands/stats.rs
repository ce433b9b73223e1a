//! `peri stats`: what is held, in numbers.

use std::path::PathBuf;

use perihelion::{NamespaceStats, Scope, Stats};
use serde::Serialize;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, STRONG, grouped};

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri stats\n  peri stats -n 'team/*' --json")]
pub(crate) struct Args {}

/// The answer as JSON.
#[derive(Serialize)]
struct Document<'a> {
    folder: PathBuf,
    /// Bytes of the notes in files.
    notes_bytes: u64,
    #[serde(flatten)]
    stats: &'a Stats,
}

/// Runs the command.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let stats = session.engine.stats(&scope)?;
    let folder = session.engine.folder().to_owned();
    let notes_bytes = session.engine.notes_bytes();
    if app.out.json {
        app.out.document(&Document { folder, notes_bytes, stats: &stats })?;
    } else {
        app.out.field("folder", &folder.display().to_string())?;
        tell(&stats, notes_bytes, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(stats: &Stats, notes_bytes: u64, out: &mut Output) -> Result<(), CliError> {
    out.field("memories", &grouped(stats.memories))?;
    out.field("in the trash", &grouped(stats.trashed))?;
    out.field("no vector yet", &grouped(stats.unembedded))?;
    out.field("vectors", stats.space.as_deref().unwrap_or("off: memories are found by their words alone"))?;
    out.field(
        "on disk",
        &format!("{} in the database, {} in indexes", bytes(stats.database_bytes), bytes(stats.index_bytes)),
    )?;
    if notes_bytes > 0 {
        out.field("notes", &format!("{} in files", bytes(notes_bytes)))?;
    }
    stats.namespaces.iter().try_for_each(|namespace| tell_namespace(namespace, out))
}

fn tell_namespace(stats: &NamespaceStats, out: &mut Output) -> Result<(), CliError> {
    let heading = out.paint(STRONG, stats.namespace.as_str());
    out.line("")?;
    out.line(&heading)?;
    let kinds = stats.kinds.iter().map(|(kind, count)| format!("{kind} {}", grouped(*count)));
    let layers = stats.layers.iter().map(|(layer, count)| format!("{layer} {}", grouped(*count)));
    out.field(
        "memories",
        &format!("{} ({} of content)", grouped(stats.memories), bytes(stats.content_bytes)),
    )?;
    if stats.trashed > 0 {
        out.field("in the trash", &grouped(stats.trashed))?;
    }
    out.field("kinds", &kinds.collect::<Vec<_>>().join(", "))?;
    out.field("layers", &layers.collect::<Vec<_>>().join(", "))?;
    let zones = stats.zones.iter().filter(|(_, count)| *count > 0);
    let zones = zones.map(|(zone, count)| format!("{zone} {}", grouped(*count)));
    out.field("zones", &zones.collect::<Vec<_>>().join(", "))?;
    out.field("edges", &grouped(stats.edges))
}

/// A number of bytes for people.
fn bytes(count: u64) -> String {
    indicatif::HumanBytes(count).to_string()
}
