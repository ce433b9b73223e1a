//! `peri bridge`: memories and the memory files of agents, such as CLAUDE.md, kept in step.

use std::path::PathBuf;

use peri_bridge::{
    Bridge, BridgeError, BridgeSettings, Change, Exported, FileFate, Imported, Rehearsal, SectionState,
    Status, Synced, What,
};
use perihelion::Namespace;
use serde::Serialize;
use serde_json::json;

use crate::app::{App, Session};
use crate::error::CliError;
use crate::exit::Exit;
use crate::home;
use crate::output::{FAINT, GOOD, Output, counted, grouped};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  peri bridge import CLAUDE.md\n  peri bridge sync AGENTS.md --dry-run\n\nOutside its own section, no byte of a file is ever changed."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Make memories of what people wrote in files, and let them follow it
    #[command(after_help = "Example:\n  peri bridge import CLAUDE.md")]
    Import(DoArgs),
    /// Write durable notes and the memories that matter most into a section of files
    #[command(after_help = "Example:\n  peri bridge export AGENTS.md --dry-run")]
    Export(DoArgs),
    /// Do both, and take over what people edited within the section
    #[command(after_help = "Example:\n  peri bridge sync CLAUDE.md AGENTS.md")]
    Sync(DoArgs),
    /// Tell how files stand to the memories, and what a sync would do
    #[command(after_help = "Example:\n  peri bridge status CLAUDE.md")]
    Status(FileArgs),
}

#[derive(Debug, clap::Args)]
struct FileArgs {
    /// The files, such as CLAUDE.md, AGENTS.md or MEMORY.md
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct DoArgs {
    #[command(flatten)]
    files: FileArgs,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

impl DoArgs {
    fn rehearsal(&self) -> Rehearsal {
        if self.dry_run { Rehearsal::Dry } else { Rehearsal::Real }
    }
}

/// The memories of a namespace and what is to be shown of them besides.
struct Side<'a> {
    bridge: Bridge<'a>,
    namespace: Namespace,
    durable: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let side = side(&session, app)?;
    let Side { bridge, namespace, durable } = &side;
    let out = &mut app.out;
    match &args.verb {
        Verb::Import(args) => {
            let import = |path: &PathBuf| bridge.import(path, namespace, args.rehearsal());
            each(&args.files, out, import, tell_import)?;
        }
        Verb::Export(args) => {
            let export = |path: &PathBuf| bridge.export(path, namespace, durable, args.rehearsal());
            each(&args.files, out, export, tell_export)?;
        }
        Verb::Sync(args) => {
            let sync = |path: &PathBuf| bridge.sync(path, namespace, durable, args.rehearsal());
            each(&args.files, out, sync, tell_sync)?;
        }
        Verb::Status(args) => {
            each(args, out, |path| bridge.status(path, namespace, durable), tell_status)?;
        }
    }
    session.close(out)?;
    Ok(Exit::Done)
}

fn side<'a>(session: &'a Session, app: &App) -> Result<Side<'a>, CliError> {
    let namespace = app.one_namespace(&session.config)?;
    let notes = session.engine.durable_notes(&namespace)?.notes;
    let durable = notes.into_iter().filter(|note| !note.done).map(|note| note.text).collect();
    let bridge = Bridge::new(&session.engine, BridgeSettings::new(perihelion::count_tokens));
    Ok(Side { bridge, namespace, durable })
}

/// Does the same with each file. What was done before one failed is told all the same.
fn each<T: Serialize>(
    args: &FileArgs,
    out: &mut Output,
    act: impl Fn(&PathBuf) -> Result<T, BridgeError>,
    tell: fn(&T, &mut Output) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut done = Vec::new();
    let mut failure = None;
    for file in &args.files {
        match act(&home::whole(file)?) {
            Ok(one) if out.json => done.push(one),
            Ok(one) => tell(&one, out)?,
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    if out.json && (failure.is_none() || !done.is_empty()) {
        out.document(&json!({ "files": done }))?;
    }
    failure.map_or(Ok(()), |error| Err(error.into()))
}

fn tell_import(imported: &Imported, out: &mut Output) -> Result<(), CliError> {
    let statements = counted(imported.statements as u64, "statement", "statements");
    let verb = match imported.rehearsal {
        Rehearsal::Dry => "would read",
        Rehearsal::Real => "read",
    };
    let verb = out.paint(GOOD, verb);
    let path = out.clean(&imported.path.display().to_string());
    out.line(&format!("{verb} {path}: {statements}, {} unchanged", grouped(imported.unchanged as u64)))?;
    tell_changes(&imported.changes, out)?;
    if !imported.imports.is_empty() {
        out.note(&format!("it refers to files that were not read: {}", imported.imports.join(", ")))?;
    }
    if imported.blocks_left_out > 0 {
        let blocks = counted(imported.blocks_left_out as u64, "block", "blocks");
        out.note(&format!("{blocks} of code or tables without a statement above left out"))?;
    }
    imported.rebuilt.iter().try_for_each(|why| out.warning(why))
}

fn tell_changes(changes: &[Change], out: &mut Output) -> Result<(), CliError> {
    for change in changes {
        let why = change.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        out.hanging(&format!("  {:<11} ", word(change.what)), &format!("{}{why}", change.text))?;
    }
    Ok(())
}

const fn word(what: What) -> &'static str {
    match what {
        What::Remembered => "remembered",
        What::Joined => "known",
        What::Revised => "revised",
        What::Overruled => "overruled",
        What::Forgotten => "forgotten",
        What::Kept => "kept",
        What::Hidden => "hidden",
        What::ShownAgain => "shown again",
        What::Refused => "refused",
        What::LeftOut => "left out",
    }
}

fn tell_export(exported: &Exported, out: &mut Output) -> Result<(), CliError> {
    let verb = match (exported.file, exported.rehearsal) {
        (FileFate::Unchanged, _) => "unchanged",
        (FileFate::Created, Rehearsal::Real) => "created",
        (FileFate::Created, Rehearsal::Dry) => "would create",
        (FileFate::Written, Rehearsal::Real) => "wrote",
        (FileFate::Written, Rehearsal::Dry) => "would write",
    };
    let mut parts = vec![
        counted(exported.memories as u64, "memory", "memories"),
        counted(exported.notes as u64, "durable note", "durable notes"),
        counted(exported.lines as u64, "line", "lines"),
        counted(exported.tokens as u64, "token", "tokens"),
    ];
    parts.extend((exported.left_out > 0).then(|| format!("{} left out", exported.left_out)));
    parts.extend((exported.hidden > 0).then(|| format!("{} hidden", exported.hidden)));
    let path = out.clean(&exported.path.display().to_string());
    let line = format!("{} {path}: {}", out.paint(GOOD, verb), parts.join(", "));
    out.line(&line)?;
    exported.removed.iter().try_for_each(|line| out.hanging("  - ", line))?;
    exported.added.iter().try_for_each(|line| out.hanging("  + ", line))?;
    exported.warnings.iter().try_for_each(|warning| out.warning(warning))
}

fn tell_sync(synced: &Synced, out: &mut Output) -> Result<(), CliError> {
    tell_import(&synced.imported, out)?;
    tell_changes(&synced.edits.changes, out)?;
    tell_export(&synced.exported, out)
}

fn tell_status(status: &Status, out: &mut Output) -> Result<(), CliError> {
    let section = match status.section {
        SectionState::None => "none",
        SectionState::AsWritten => "as it was written here",
        SectionState::WrittenElsewhere => "written elsewhere",
        SectionState::Edited => "edited by hand",
    };
    out.field("file", &status.path.display().to_string())?;
    out.field("namespace", status.namespace.as_str())?;
    if !status.exists {
        return out.field("state", "there is no such file; an export creates it");
    }
    out.field("section", section)?;
    out.field("remembered", &counted(status.known as u64, "statement", "statements"))?;
    out.field("shown", &counted(status.shown as u64, "line", "lines"))?;
    for line in &status.hidden {
        out.field("hidden", line)?;
    }
    match &status.pending {
        Some(pending) if !pending.is_nothing() => {
            let heading = out.paint(FAINT, "a sync would do this:");
            out.line(&heading)?;
            tell_sync(pending, out)
        }
        _ => out.field("state", "in step"),
    }
}
