//! `peri export`: everything out, as lines that `peri import` reads.

use std::io::Write;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use perihelion::{ExportOptions, Exported, ExportedTrash, Perihelion, Scope};
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::filter::FilterArgs;
use crate::output::counted;
use crate::target::{Existing, Target};
use crate::{cli, import};

/// Where to.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Holds memories with their history, usage and merges, the trash, edges, sessions, the journal \
                  with its turns, notes of conversations, patterns, trajectories and what else was learned, as they are at one moment. With \
                  conditions or a limit it holds the memories that fit and the edges between them. A file called .zst is compressed.\n\nExamples:\n  peri export memories.jsonl\n  \
                  peri export memories.jsonl.zst\n  peri export decisions.jsonl --kind decision --since 30d"
)]
pub(crate) struct Args {
    /// The file; - is standard output
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    /// At most so many memories, the earliest first
    #[arg(long, value_parser = cli::at_least_one)]
    limit: Option<usize>,
    /// Leave out what lies in the trash
    #[arg(long)]
    no_trash: bool,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Runs the command, over every namespace unless one is named.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let trash = if args.no_trash { ExportedTrash::Without } else { ExportedTrash::With };
    let (filter, limit) = (args.filter.filter()?, args.limit.map(|limit| limit as u64));
    let options = ExportOptions { filter, limit, trash, ..app.scope_or(Scope::All)?.into() };
    if args.file == Path::new("-") {
        let session = app.open()?;
        let exported = exported(&session.engine, &options, app.out.writer())?;
        app.out.flush()?;
        app.out.note(&words(&exported))?;
        session.close(&mut app.out)?;
        return Ok(Exit::Done);
    }
    let existing = if args.force { Existing::Replaced } else { Existing::Kept };
    let mut target = Target::begin(&args.file, existing)?;
    let session = app.open()?;
    let progress = import::written(app.out.wants_progress());
    let mut writer = Counted { target: &mut target, progress: &progress };
    let outcome = if is_compressed(&args.file) {
        compressed(&session.engine, &options, &mut writer)
    } else {
        exported(&session.engine, &options, &mut writer)
    };
    progress.finish_and_clear();
    let exported = match outcome {
        Err(CliError::Output(source)) => return Err(CliError::Write { path: args.file, source }),
        outcome => outcome?,
    };
    target.finish()?;
    if app.out.json {
        let Exported { memories, edges, sessions, entries, turns, notes, patterns, trajectories, learned } =
            exported;
        app.out.document(&json!({
            "file": &args.file,
            "memories": memories,
            "edges": edges,
            "sessions": sessions,
            "entries": entries,
            "turns": turns,
            "notes": notes,
            "patterns": patterns,
            "trajectories": trajectories,
            "learned": learned,
        }))?;
    } else {
        app.out.line(&format!("{} written to {}", words(&exported), args.file.display()))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn is_compressed(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst"))
}

fn compressed(
    engine: &Perihelion,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> Result<Exported, CliError> {
    let mut encoder = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
    let exported = exported(engine, options, &mut encoder)?;
    encoder.finish()?;
    Ok(exported)
}

fn exported(engine: &Perihelion, options: &ExportOptions, out: &mut dyn Write) -> Result<Exported, CliError> {
    engine.export(options.clone(), out).map_err(|error| match error {
        // Whoever reads it may have gone, which is no failure.
        perihelion::Error::Transfer(source) => CliError::Output(source),
        error => error.into(),
    })
}

fn words(exported: &Exported) -> String {
    let Exported { memories, edges, sessions, entries, turns, notes, patterns, trajectories, learned } =
        exported;
    let mut words = format!(
        "{}, {}, {}",
        counted(*memories, "memory", "memories"),
        counted(*edges, "edge", "edges"),
        counted(*sessions, "session", "sessions")
    );
    if entries + turns > 0 {
        let events = counted(*entries, "journal event", "journal events");
        words.push_str(&format!(", {events}, {}", counted(*turns, "turn", "turns")));
    }
    if *notes > 0 {
        words.push_str(&format!(", {}", counted(*notes, "set of notes", "sets of notes")));
    }
    if patterns + trajectories + learned > 0 {
        let patterns = counted(*patterns, "pattern", "patterns");
        let trajectories = counted(*trajectories, "trajectory", "trajectories");
        let learned = counted(*learned, "learned set", "learned sets");
        words.push_str(&format!(", {patterns}, {trajectories}, {learned}"));
    }
    words
}

/// Shows how much has been written.
struct Counted<'a> {
    target: &'a mut Target,
    progress: &'a ProgressBar,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.target.write(bytes)?;
        self.progress.inc(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.target.flush()
    }
}
