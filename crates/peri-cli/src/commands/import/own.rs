//! What `peri export` wrote, in again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use perihelion::{Effect, Ending, ErrorKind, ImportMode, ImportOptions, Imported, Pace, Resume, Start};
use serde_json::json;
use tokio::runtime::Runtime;

use super::source::Source;
use crate::app::App;
use crate::commands::remember::tell_refused;
use crate::error::CliError;
use crate::exit::Exit;
use crate::import::Refused;
use crate::output::{Output, grouped};
use crate::{runtime, signals};

/// What to do with what is here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Mode {
    /// It stays; only memories with new ids come in
    #[default]
    Append,
    /// Of two with the same id the one changed later holds; what the other said stays in its history
    Upsert,
    /// The imported one holds in any case; and what the file's namespaces hold beyond it goes to the trash, if the file is whole
    Replace,
}

/// How to import.
#[derive(Debug, clap::Args)]
pub(super) struct OwnArgs {
    /// What becomes of what is here: it stays (append); of two memories with one id the one changed later holds (upsert);
    /// or the file's holds, and the rest of its namespaces goes to the trash, if it is whole (replace). What was replaced
    /// stays in the history
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "append|upsert|replace",
        hide_possible_values = true
    )]
    pub(super) mode: Mode,
    /// Only tell what would happen
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Begin at the first line, although an import of this file was interrupted
    #[arg(long)]
    pub(super) restart: bool,
}

impl OwnArgs {
    /// Whether anything was asked for that only our own files know.
    pub(super) fn is_plain(&self) -> bool {
        self.mode == Mode::Append && !self.dry_run && !self.restart
    }

    fn options(&self, digest: Option<String>) -> ImportOptions {
        let start = if self.restart { Start::Anew } else { Start::WhereItWas };
        let effect = if self.dry_run { Effect::Rehearsed } else { Effect::Written };
        let resume = digest.map(|name| Resume { name, start });
        ImportOptions { mode: self.engine_mode(), effect, resume, ..ImportOptions::default() }
    }

    fn engine_mode(&self) -> ImportMode {
        match self.mode {
            Mode::Append => ImportMode::Append,
            Mode::Upsert => ImportMode::Upsert,
            Mode::Replace => ImportMode::Replace,
        }
    }
}

/// Imports a file of our own. Lines that cannot be taken are told; the rest is kept.
pub(super) fn run(file: &Path, args: &OwnArgs, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        return Err(CliError::input(
            "--namespace has no meaning here",
            "nothing was stored; every memory goes where it came from, and `peri namespace move` moves it on",
        ));
    }
    let name = super::name_of(file, "peri import - < memories.jsonl")?;
    let mut source = Source::open(file, &name)?;
    let options = args.options(source.digest(&format!("import {:?}", args.engine_mode()), &name)?);
    let can_resume = options.resume.is_some();
    let session = app.open()?;
    let (_listening, stopped) = listen()?;
    let (mut lines, progress) = source.read(file, &name, app.out.wants_progress())?;
    let outcome = session.engine.import_watched(&mut lines, options, &mut |_| {
        if stopped.load(Ordering::Relaxed) { Pace::Stop } else { Pace::GoOn }
    });
    progress.finish_and_clear();
    let imported = match outcome {
        Err(error) => {
            if can_resume && !args.dry_run && error.kind() != ErrorKind::InvalidInput {
                app.out.hint("what was read before is kept; the same command goes on from there")?;
            }
            return Err(error.into());
        }
        Ok(imported) => imported,
    };
    tell(&imported, args, &name, can_resume, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(exit(&imported))
}

/// Hears that somebody wants it to stop.
pub(in crate::commands) fn listen() -> Result<(Runtime, Arc<AtomicBool>), CliError> {
    let runtime = runtime::start()?;
    let stop = runtime.block_on(async { signals::stop() })?;
    let stopped = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stopped);
    runtime.spawn(async move {
        stop.await;
        heard.store(true, Ordering::Relaxed);
    });
    Ok((runtime, stopped))
}

fn taken(imported: &Imported) -> u64 {
    let Imported { added, replaced, known, edges, sessions, entries, turns, notes, .. } = imported;
    let Imported { patterns, trajectories, learned, .. } = imported;
    let said = added + replaced + known + edges + sessions + entries + turns + notes;
    said + patterns + trajectories + learned
}

fn exit(imported: &Imported) -> Exit {
    let refused = imported.refused.len() as u64 + imported.refused_unlisted;
    let whole = !matches!(imported.ending, Ending::Cut | Ending::Stopped);
    match (refused == 0 && whole && imported.nothing_trashed.is_none(), taken(imported)) {
        (true, _) => Exit::Done,
        (false, 0) if refused > 0 => Exit::BadInput,
        (false, _) => Exit::Partly,
    }
}

fn tell(
    imported: &Imported,
    args: &OwnArgs,
    name: &str,
    can_resume: bool,
    out: &mut Output,
) -> Result<(), CliError> {
    let refused = imported.refused.iter().map(|(line, reason)| Refused {
        line: usize::try_from(*line).unwrap_or(usize::MAX),
        reason: reason.clone(),
    });
    let refused: Vec<Refused> = refused.collect();
    if out.json {
        return document(imported, args, &refused, out);
    }
    if let Some(line) = imported.resumed_after {
        out.note(&format!("resumed at line {}", grouped(line + 1)))?;
    }
    tell_refused(&refused, out)?;
    if imported.refused_unlisted > 0 && imported.resumed_after.is_some() {
        out.refusal(&format!("{} lines before the interruption", grouped(imported.refused_unlisted)))?;
    }
    out.line(&counts(imported, args))?;
    tell_ending(imported, name, can_resume, out)?;
    if taken(imported) == 0 && !refused.is_empty() {
        return out.hint(&format!(
            "{name} is no export; plain notes are stored by: peri remember --file, and what other systems kept by \
             the commands of: peri import --help"
        ));
    }
    Ok(())
}

fn counts(imported: &Imported, args: &OwnArgs) -> String {
    let mut parts = vec![
        (imported.added, "added"),
        (imported.replaced, "replaced"),
        (imported.known, "known already"),
        (imported.edges, if imported.edges == 1 { "edge" } else { "edges" }),
        (imported.sessions, if imported.sessions == 1 { "session" } else { "sessions" }),
        (imported.refused.len() as u64 + imported.refused_unlisted, "refused"),
    ];
    if imported.entries + imported.turns > 0 {
        parts
            .push((imported.entries, if imported.entries == 1 { "journal event" } else { "journal events" }));
        parts.push((imported.turns, if imported.turns == 1 { "turn" } else { "turns" }));
    }
    if imported.notes > 0 {
        parts.push((imported.notes, if imported.notes == 1 { "set of notes" } else { "sets of notes" }));
    }
    let (patterns, trajectories, learned) = (imported.patterns, imported.trajectories, imported.learned);
    if patterns + trajectories + learned > 0 {
        parts.push((patterns, if patterns == 1 { "pattern" } else { "patterns" }));
        parts.push((trajectories, if trajectories == 1 { "trajectory" } else { "trajectories" }));
        parts.push((learned, if learned == 1 { "learned set" } else { "learned sets" }));
    }
    if imported.newer_here > 0 {
        parts.push((imported.newer_here, "kept, changed here later"));
    }
    if args.mode == Mode::Replace {
        parts.push((imported.trashed, "moved to the trash"));
    }
    let parts: Vec<String> =
        parts.into_iter().map(|(count, what)| format!("{} {what}", grouped(count))).collect();
    let rehearsed = if args.dry_run { "nothing was written; it would be: " } else { "" };
    format!("{rehearsed}{}", parts.join(", "))
}

fn tell_ending(imported: &Imported, name: &str, can_resume: bool, out: &mut Output) -> Result<(), CliError> {
    match imported.ending {
        Ending::Cut => {
            out.warning(&format!("{name} is cut: its last line is missing; what was read is kept"))?
        }
        Ending::Stopped => {
            out.warning(&format!("stopped after line {}; what was read is kept", grouped(imported.lines)))?;
            out.hint(if can_resume {
                "the same command goes on from there"
            } else {
                "pipe it in again: what is here is known"
            })?;
        }
        Ending::Whole | Ending::Unmarked => {}
    }
    match &imported.nothing_trashed {
        Some(why) if imported.ending != Ending::Stopped => {
            out.warning(&format!("nothing was moved to the trash: {why}"))
        }
        _ => Ok(()),
    }
}

fn document(
    imported: &Imported,
    args: &OwnArgs,
    refused: &[Refused],
    out: &mut Output,
) -> Result<(), CliError> {
    out.document(&json!({
        "dry_run": args.dry_run,
        "added": imported.added,
        "replaced": imported.replaced,
        "known": imported.known,
        "newer_here": imported.newer_here,
        "edges": imported.edges,
        "sessions": imported.sessions,
        "entries": imported.entries,
        "turns": imported.turns,
        "notes": imported.notes,
        "patterns": imported.patterns,
        "trajectories": imported.trajectories,
        "learned": imported.learned,
        "trashed": imported.trashed,
        "refused": refused,
        "refused_before": imported.refused_unlisted,
        "redacted": imported.redacted,
        "ending": imported.ending,
        "lines": imported.lines,
        "resumed_after": imported.resumed_after,
        "nothing_trashed": imported.nothing_trashed,
    }))
}
