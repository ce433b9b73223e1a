//! `peri diff`: what two states of a store differ in.

use std::collections::BTreeMap;
use std::path::Path;

use peri_backup::{PartDifference, Snapshot};
use perihelion::{Difference, DifferenceKind, NamespaceDifference, NotesDifference, compare, compare_notes};
use serde_json::json;

use super::backup::{self, Place};
use crate::app::App;
use crate::brief::GLIMPSE_COLUMNS;
use crate::config::Loaded;
use crate::error::CliError;
use crate::exit::Exit;
use crate::home;
use crate::output::{FAINT, STRONG, counted, fit};

/// So many memories of each kind are told, unless all are asked for.
const SHOWN: usize = 20;

/// Which states.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri diff latest now\n  peri diff 20261116T071040Z-000000012345 latest --all\n  \
    peri diff now /another/data/folder"
)]
pub(crate) struct Args {
    /// A backup's name, latest, now, or a data folder
    first: String,
    /// The other one; what is told leads from the first to this
    second: String,
    /// Tell all memories that differ, not only the first of each kind
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let first = snapshot(&args.first, &args.place, &loaded, app)?;
    let second = snapshot(&args.second, &args.place, &loaded, app)?;
    let most = if args.all { usize::MAX } else { SHOWN };
    let mut shown: BTreeMap<DifferenceKind, Vec<Difference>> = BTreeMap::new();
    let counts = compare(first.store(), second.store(), &mut |difference| {
        let alike = shown.entry(difference.kind).or_default();
        if alike.len() < most {
            alike.push(difference);
        }
    })
    .map_err(perihelion::Error::from)?;
    let notes = compare_notes(&first.notes()?, &second.notes()?)?;
    let parts = first.parts_apart(&second)?;
    if app.out.json {
        let differences: Vec<_> = shown.into_values().flatten().collect();
        let complete = counts.iter().map(NamespaceDifference::total).sum::<u64>() == differences.len() as u64;
        app.out.document(&json!({
            "namespaces": counts,
            "differences": differences,
            "complete": complete,
            "notes": notes,
            "besides": parts,
        }))?;
        return Ok(Exit::Done);
    }
    tell(&counts, &shown, app)?;
    tell_notes(&notes, app)?;
    tell_parts(&parts, app)?;
    Ok(Exit::Done)
}

fn tell_parts(parts: &[PartDifference], app: &mut App) -> Result<(), CliError> {
    if parts.is_empty() {
        return Ok(());
    }
    app.out.line("")?;
    app.out.line(&app.out.paint(STRONG, "besides"))?;
    for PartDifference { part, added, removed, altered } in parts {
        let (one, many) = part.nouns();
        let kinds = [(added, "added"), (removed, "removed"), (altered, "altered")];
        let words = kinds.into_iter().filter(|(count, _)| **count > 0);
        let words = words.map(|(count, what)| format!("{} {what}", counted(*count, one, many)));
        app.out.line(&format!("  {}", words.collect::<Vec<_>>().join(", ")))?;
    }
    Ok(())
}

fn tell_notes(notes: &[NotesDifference], app: &mut App) -> Result<(), CliError> {
    if notes.is_empty() {
        return Ok(());
    }
    app.out.line("")?;
    app.out.line(&app.out.paint(STRONG, "notes"))?;
    for NotesDifference { namespace, session, added, removed, reworded } in notes {
        let kinds = [(added, "added"), (removed, "removed"), (reworded, "reworded")];
        let words: Vec<_> = kinds
            .into_iter()
            .filter(|(count, _)| **count > 0)
            .map(|(count, what)| format!("{} {what}", counted(*count, "note", "notes")))
            .collect();
        let words =
            if words.is_empty() { "the same notes, other details".to_owned() } else { words.join(", ") };
        let of = session.as_ref().map_or("digest".to_owned(), |session| app.out.clean(session));
        let about = app.out.paint(FAINT, namespace.as_str());
        app.out.line(&format!("  {of}: {words}  {about}"))?;
    }
    Ok(())
}

fn snapshot(text: &str, place: &Place, loaded: &Loaded, app: &App) -> Result<Snapshot, CliError> {
    if text == "now" {
        return Ok(Snapshot::of_folder(&loaded.home.folder, loaded.config.encryption.as_ref())?);
    }
    if text != "latest" && (text.contains(['/', '\\']) || Path::new(text).is_dir()) {
        return Ok(Snapshot::of_folder(&home::whole(Path::new(text))?, loaded.config.encryption.as_ref())?);
    }
    let backups = backup::open(place.from.as_deref(), loaded)?;
    let name = backups.find(text)?;
    let bar = backup::progress(app);
    let snapshot = backups.snapshot(&name, &mut |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    Ok(snapshot?)
}

fn tell(
    counts: &[NamespaceDifference],
    shown: &BTreeMap<DifferenceKind, Vec<Difference>>,
    app: &mut App,
) -> Result<(), CliError> {
    if counts.is_empty() {
        return app.out.line("no memory differs");
    }
    for count in counts {
        let kinds = DifferenceKind::ALL.into_iter().filter(|kind| count.of(*kind) > 0);
        let words: Vec<_> = kinds.map(|kind| format!("{} {}", count.of(kind), kind.as_str())).collect();
        app.out.line(&format!("{}: {}", count.namespace, words.join(", ")))?;
    }
    for (kind, differences) in shown {
        app.out.line("")?;
        let total: u64 = counts.iter().map(|count| count.of(*kind)).sum();
        let title = if total > differences.len() as u64 {
            format!("{} (the first {} of {total})", kind.as_str(), differences.len())
        } else {
            kind.as_str().to_owned()
        };
        app.out.line(&app.out.paint(STRONG, &title))?;
        for Difference { namespace, id, content, parts, .. } in differences {
            let glimpse = fit(&app.out.clean(content), GLIMPSE_COLUMNS);
            let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
            let about = app.out.paint(FAINT, &format!("{namespace}{parts}"));
            app.out.line(&format!("  {id}  {glimpse}  {about}"))?;
        }
    }
    Ok(())
}
