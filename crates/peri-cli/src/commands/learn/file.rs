//! `peri learn export|import`: what was learned, as a learning file.

use std::path::PathBuf;

use perihelion::{Effect, LearningImported, Scope};
use serde_json::{Value, json};

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, Output, counted};

/// So many problems are told one by one.
const PROBLEMS_TOLD: usize = 20;

/// Where to.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Holds patterns with their vectors, trajectories, and what adapts questions. A learning file that is there is brought up to date, and whatever it holds besides stays; any other file is left as it is.\n\nExamples:\n  peri learn export learned.rvls\n  peri learn export shop.rvls -n team/shop"
)]
pub(super) struct ExportArgs {
    /// The file
    file: PathBuf,
}

/// From where.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Taking a file in twice changes nothing the second time. A pattern that says the same as one that is here is joined into it. Vectors are taken if they are of the space in use, and made anew otherwise. What cannot be read is listed and the rest is kept; then it exits with 8.\n\nExamples:\n  peri learn import learned.rvls --dry-run\n  peri learn import learned.rvls"
)]
pub(super) struct ImportArgs {
    /// The file
    file: PathBuf,
    /// Only tell what would come of it
    #[arg(long)]
    dry_run: bool,
}

/// Writes a learning file.
pub(super) fn export(args: &ExportArgs, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let exported = session.engine.export_learning(&args.file, &scope)?;
    if app.out.json {
        app.out.document(&with_file(&args.file, serde_json::to_value(&exported)))?;
    } else {
        let words = [
            counted(exported.patterns, "pattern", "patterns"),
            counted(exported.trajectories, "trajectory", "trajectories"),
            counted(exported.adapters, "adapter", "adapters"),
        ];
        app.out.line(&format!("{} written to {}", words.join(", "), args.file.display()))?;
        if exported.kept > 0 {
            app.out.note(&format!("{} besides stayed in it", counted(exported.kept, "record", "records")))?;
        }
        if let Some(damaged) = &exported.damaged {
            app.out.warning(&format!(
                "not all of the former file could be read; it is kept as {}",
                damaged.display()
            ))?;
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn with_file(file: &std::path::Path, value: Result<Value, serde_json::Error>) -> Value {
    let mut document = json!({ "file": file });
    if let (Value::Object(own), Ok(Value::Object(other))) = (&mut document, value) {
        own.extend(other);
    }
    document
}

/// Takes a learning file in.
pub(super) fn import(args: &ImportArgs, app: &mut App) -> Result<Exit, CliError> {
    let effect = if args.dry_run { Effect::Rehearsed } else { Effect::Written };
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let imported = session.engine.import_learning(&args.file, &namespace, effect)?;
    if app.out.json {
        let mut document = with_file(&args.file, serde_json::to_value(&imported));
        document["dry_run"] = json!(args.dry_run);
        app.out.document(&document)?;
    } else {
        tell(&imported, effect, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    let is_whole = imported.refused == 0 && !imported.torn;
    Ok(if is_whole { Exit::Done } else { Exit::Partly })
}

fn tell(imported: &LearningImported, effect: Effect, out: &mut Output) -> Result<(), CliError> {
    for problem in imported.problems.iter().take(PROBLEMS_TOLD) {
        out.refusal(problem)?;
    }
    let more = imported.refused.saturating_sub(imported.problems.len().min(PROBLEMS_TOLD) as u64);
    if more > 0 {
        out.refusal(&format!("and {more} more"))?;
    }
    if imported.torn {
        out.warning("the file ends within a line: it was cut off, and everything before that was read")?;
    }
    let done = if effect == Effect::Rehearsed { "would take in" } else { "took in" };
    let done = out.paint(GOOD, done);
    let (patterns, trajectories) = (
        counted(imported.patterns, "pattern", "patterns"),
        counted(imported.trajectories, "trajectory", "trajectories"),
    );
    out.line(&format!(
        "{done} {patterns}, {trajectories}, {}",
        counted(imported.adapters, "adapter", "adapters")
    ))?;
    let known = imported.patterns_known + imported.trajectories_known;
    let rest = [
        (imported.merged, "joined into patterns that say the same"),
        (known, "known already"),
        (imported.vectors_made, "vectors made anew"),
        (imported.adapters_left, "adapters left: one is here, or it is of another space or make"),
        (imported.foreign, "records of types that are not known here"),
        (imported.redacted, "secrets taken out before storing"),
    ];
    for (count, what) in rest.into_iter().filter(|(count, _)| *count > 0) {
        out.note(&format!("{count} {what}"))?;
    }
    Ok(())
}
