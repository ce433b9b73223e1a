//! `peri import`: what `peri export` wrote, in again, or what another memory server kept. Nothing that is here is
//! deleted.

use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};

use perihelion::{ImportOptions, Imported, KnowledgeAdded, OnConflict};
use serde_json::json;

use super::remember::{open_file, tell_refused};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::import::knowledge::KnowledgeFile;
use crate::import::{self, Refused};
use crate::output::{Output, counted, grouped};

/// Where from.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "peri import [OPTIONS] <FILE>\n       peri import memory-json [OPTIONS] <FILE>",
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "For plain notes and records of your own, use `peri remember --file`. A file that is called like a \
                  command is given as ./NAME.\n\nExamples:\n  peri import memories.jsonl\n  peri import memory-json memory.jsonl"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    from: Option<From>,
    /// The file; - is standard input
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// Where a memory with the same id is here already, take the imported one; otherwise the one here stays
    #[arg(long)]
    replace: bool,
}

/// Files that other programs wrote.
#[derive(Debug, clap::Subcommand)]
enum From {
    /// Read the knowledge graph that the reference MCP memory server keeps; what is here already is not doubled
    #[command(after_help = "Example:\n  peri import memory-json memory.jsonl --namespace team --dry-run")]
    MemoryJson(KnowledgeArgs),
}

#[derive(Debug, clap::Args)]
struct KnowledgeArgs {
    /// The file, with an entity or a relation a line; - is standard input
    file: PathBuf,
    /// Only tell what would be added
    #[arg(long)]
    dry_run: bool,
}

/// Runs the command. Lines that cannot be taken are told; the rest is kept.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match (args.from, args.file) {
        (Some(From::MemoryJson(_)), Some(_)) => {
            Err(CliError::input("two files were named", "nothing was stored; give one after memory-json"))
        }
        (Some(From::MemoryJson(_)), None) if args.replace => Err(CliError::input(
            "--replace has no meaning here",
            "nothing was stored; what is here stays, and what it lacks is added",
        )),
        (Some(From::MemoryJson(knowledge)), None) => run_knowledge(&knowledge, app),
        (None, Some(file)) => run_export(&file, args.replace, app),
        (None, None) => Err(CliError::input("no file was named", "write: peri import memories.jsonl")),
    }
}

/// What a file is called in messages, if there is something to read.
fn name_of(file: &Path, example: &str) -> Result<String, CliError> {
    if file != Path::new("-") {
        return Ok(file.display().to_string());
    }
    if std::io::stdin().is_terminal() {
        return Err(CliError::input("nothing is piped in", format!("write: {example}")));
    }
    Ok("standard input".to_owned())
}

fn run_knowledge(args: &KnowledgeArgs, app: &mut App) -> Result<Exit, CliError> {
    let name = name_of(&args.file, "peri import memory-json - < memory.jsonl")?;
    let opened = if args.file == Path::new("-") { None } else { Some(open_file(&args.file, &name)?) };
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let engine = &session.engine;
    let mut file = match opened {
        Some(file) => KnowledgeFile::read(engine, BufReader::with_capacity(1 << 16, file), &name)?,
        None => KnowledgeFile::read(engine, std::io::stdin().lock(), &name)?,
    };
    let (held, refused) = (file.holds(), std::mem::take(&mut file.refused));
    let exit = match (refused.is_empty(), file.is_empty()) {
        (true, _) => Exit::Done,
        (false, true) => Exit::BadInput,
        (false, false) => Exit::Partly,
    };
    let added = if args.dry_run { file.preview(engine, &namespace) } else { file.store(engine, &namespace) }?;
    tell_knowledge(args, held, added, &refused, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(exit)
}

fn tell_knowledge(
    args: &KnowledgeArgs,
    held: KnowledgeAdded,
    added: KnowledgeAdded,
    refused: &[Refused],
    out: &mut Output,
) -> Result<(), CliError> {
    let known = KnowledgeAdded {
        entities: held.entities - added.entities,
        observations: held.observations - added.observations,
        relations: held.relations - added.relations,
    };
    if out.json {
        return out.document(&json!({
            "dry_run": args.dry_run,
            "added": added,
            "known": known,
            "refused": refused,
        }));
    }
    tell_refused(refused, out)?;
    let counts = |of: &KnowledgeAdded| {
        let entities = counted(of.entities, "entity", "entities");
        let observations = counted(of.observations, "observation", "observations");
        format!("{entities}, {observations}, {}", counted(of.relations, "relation", "relations"))
    };
    let verb = if args.dry_run { "would be added" } else { "added" };
    out.line(&format!("{} {verb}", counts(&added)))?;
    if known != KnowledgeAdded::default() {
        out.note(&format!("known already: {}", counts(&known)))?;
    }
    Ok(())
}

fn run_export(file: &Path, replace: bool, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        return Err(CliError::input(
            "--namespace has no meaning here",
            "nothing was stored; every memory goes where it came from, and `peri namespace move` moves it on",
        ));
    }
    let name = name_of(file, "peri import - < memories.jsonl")?;
    let opened = if file == Path::new("-") { None } else { Some(open_file(file, &name)?) };
    let session = app.open()?;
    let on_conflict = if replace { OnConflict::Replace } else { OnConflict::Keep };
    let options = ImportOptions { on_conflict, ..ImportOptions::default() };
    let outcome = match opened {
        Some(file) => {
            let bytes = file.metadata().ok().filter(|file| file.is_file()).map(|file| file.len());
            let progress = import::progress(bytes, app.out.wants_progress());
            let mut reader = BufReader::with_capacity(1 << 16, progress.wrap_read(file));
            let outcome = session.engine.import(&mut reader, options);
            progress.finish_and_clear();
            outcome
        }
        None => session.engine.import(&mut std::io::stdin().lock(), options),
    };
    let imported = outcome?;
    let taken = imported.added + imported.replaced + imported.known + imported.edges + imported.sessions;
    tell(&imported, taken, &name, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(match (imported.refused.is_empty(), taken) {
        (true, _) => Exit::Done,
        (false, 0) => Exit::BadInput,
        (false, _) => Exit::Partly,
    })
}

fn tell(imported: &Imported, taken: u64, name: &str, out: &mut Output) -> Result<(), CliError> {
    let Imported { added, replaced, known, edges, sessions, refused, .. } = imported;
    let refused = refused.iter().map(|(line, reason)| Refused {
        line: usize::try_from(*line).unwrap_or(usize::MAX),
        reason: reason.clone(),
    });
    let refused: Vec<Refused> = refused.collect();
    if out.json {
        return out.document(&json!({
            "added": added,
            "replaced": replaced,
            "known": known,
            "edges": edges,
            "sessions": sessions,
            "refused": refused,
        }));
    }
    tell_refused(&refused, out)?;
    let parts = [
        (*added, "added"),
        (*replaced, "replaced"),
        (*known, "known already"),
        (*edges, "edges"),
        (*sessions, "sessions"),
        (refused.len() as u64, "refused"),
    ];
    let parts = parts.map(|(count, what)| format!("{} {what}", grouped(count)));
    out.line(&parts.join(", "))?;
    if taken == 0 && !refused.is_empty() {
        return out.hint(&format!(
            "{name} is no export; plain notes are stored by: peri remember --file, and what the MCP memory server \
             kept by: peri import memory-json"
        ));
    }
    Ok(())
}
