//! `peri import`: what `peri export` wrote, in again, or what another memory system kept.

pub(super) mod own;
pub(super) mod source;

use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};

use perihelion::KnowledgeAdded;
use serde_json::json;

use self::own::OwnArgs;
use super::import_from;
use super::remember::{open_file, tell_refused};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::import::Refused;
use crate::import::knowledge::KnowledgeFile;
use crate::output::{Output, counted};

/// Where from.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "peri import [OPTIONS] <FILE>\n       peri import <COMMAND> [OPTIONS] <FILE>",
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "What is here already is not doubled. For plain notes and records of your own, use `peri remember --file`. A file that is called like a \
                  command is given as ./NAME.\n\nExamples:\n  peri import memories.jsonl\n  peri import memories.jsonl.zst --mode replace --dry-run\n  peri import memory-json memory.jsonl"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    from: Option<From>,
    /// The file; - is standard input
    #[arg(required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    own: OwnArgs,
}

/// Files that other programs wrote.
#[derive(Debug, clap::Subcommand)]
enum From {
    /// Read the knowledge graph that the reference MCP memory server keeps
    #[command(after_help = "Example:\n  peri import memory-json memory.jsonl --namespace team --dry-run")]
    MemoryJson(KnowledgeArgs),
    #[command(flatten)]
    Other(import_from::System),
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
        (Some(_), Some(_)) => {
            Err(CliError::input("two files were named", "nothing was stored; give one after the command"))
        }
        (Some(_), None) if !args.own.is_plain() => Err(CliError::input(
            "an option before the command has no meaning there",
            "nothing was stored; give the command's own options after it",
        )),
        (Some(From::MemoryJson(knowledge)), None) => run_knowledge(&knowledge, app),
        (Some(From::Other(system)), None) => import_from::run(system, app),
        (None, Some(file)) => own::run(&file, &args.own, app),
        (None, None) => Err(CliError::input("no file was named", "write: peri import memories.jsonl")),
    }
}

/// What a file is called in messages, if there is something to read.
pub(super) fn name_of(file: &Path, example: &str) -> Result<String, CliError> {
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
