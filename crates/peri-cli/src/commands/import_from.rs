//! `peri import` of what other memory systems and assistants kept.

use std::path::PathBuf;

use perihelion::KnowledgeAdded;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::import::archive::Export;
use crate::import::conversations::{self, Service};
use crate::import::graph;
use crate::import::intake::{Intake, Purpose, Taken};
use crate::import::{basic_memory, mem0};
use crate::output::{Output, counted, grouped};

/// So many refusals, or files that were passed over, are told one by one.
const TOLD: usize = 20;

/// Other systems.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum System {
    /// Read memories of mem0, as its get_all gives them
    #[command(after_help = "\
FILE holds what get_all() of mem0 gave: a list, an object with results and relations, or an object a line. A backup of \
OpenMemory (memories.json, or the archive) is read too.
  memory                      the content of a fact
  created_at                  when it happened
  categories                  tags
  run_id                      the session
  user_id, agent_id, app_id   metadata, beside mem0's own
  expiration_date             from when on it is not seen
  relations                   relations of the knowledge graph, and entities

Example:
  peri import mem0 memories.json --namespace team --by user --dry-run")]
    Mem0(Mem0Args),
    /// Read a folder of notes as basic-memory writes them
    #[command(after_help = "\
Every file below FOLDER that ends in .md is read. Links are not followed, and hidden files are passed over.
  - [category] text #tag (context)   a fact, with the category as a tag
  a paragraph                        a piece of a document
  - relation [[Other note]]          a relation between the two titles
  [[Other note]] in a text           the same, called links_to
  the note                           an entity, by its title and type
A category that is a kind, such as decision or preference, makes the fact that kind. Tags of the note are tags of all \
that it says, its title is an alias, the path below FOLDER the source, and created, if the note tells it, when it \
happened. Further fields of the note become metadata. Entities and relations are those of the knowledge graph.

Example:
  peri import basic-memory ~/basic-memory --namespace notes --dry-run")]
    BasicMemory(FolderArgs),
    /// Read the conversations of a ChatGPT data export
    #[command(after_help = "\
FILE is the archive as it came, the folder that was unpacked from it, or its conversations.json. Of each conversation \
the branch that is shown becomes a session, called by its title, and every message of it an episode, said by user or by \
assistant at its time. Hidden messages, thoughts, the use of tools and files are left out and counted.

Example:
  peri import chatgpt export.zip --namespace chats --dry-run")]
    Chatgpt(FileArgs),
    /// Read the conversations of a Claude data export
    #[command(after_help = "\
FILE is the archive as it came, the folder that was unpacked from it, or its conversations.json. Of each conversation \
the branch that is shown becomes a session, called by its name, and every message of it an episode, said by user or by \
assistant at its time. Thoughts, the use of tools and attached files are left out and counted; long texts that were \
pasted are kept.

Example:
  peri import claude data.zip --namespace chats --dry-run")]
    Claude(FileArgs),
}

/// A file.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// The archive, the folder or the file; - is a file from standard input
    file: PathBuf,
    /// Only tell what would be added
    #[arg(long)]
    dry_run: bool,
}

/// A file of mem0.
#[derive(Debug, clap::Args)]
pub(crate) struct Mem0Args {
    /// The file; - is standard input
    file: PathBuf,
    /// Keep memories apart: each user, agent or run gets a namespace below the one asked for
    #[arg(long, value_name = "user|agent|run", hide_possible_values = true)]
    by: Option<mem0::Owner>,
    /// Only tell what would be added
    #[arg(long)]
    dry_run: bool,
}

/// A folder.
#[derive(Debug, clap::Args)]
pub(crate) struct FolderArgs {
    /// The folder
    folder: PathBuf,
    /// Only tell what would be added
    #[arg(long)]
    dry_run: bool,
}

/// What else there is to tell.
struct Further {
    /// What was read: a name, and how many.
    read: Option<(&'static str, u64)>,
    graph: Option<graph::Outcome>,
    passed_over: Vec<String>,
}

/// Runs the command. Records that cannot be taken are told; the rest is kept.
pub(crate) fn run(system: System, app: &mut App) -> Result<Exit, CliError> {
    match system {
        System::Mem0(args) => run_mem0(args, app),
        System::BasicMemory(args) => run_basic_memory(&args, app),
        System::Chatgpt(args) => run_conversations(&args, Service::Chatgpt, app),
        System::Claude(args) => run_conversations(&args, Service::Claude, app),
    }
}

fn run_mem0(args: Mem0Args, app: &mut App) -> Result<Exit, CliError> {
    let export = Export::open(&args.file, mem0::is_memories)?;
    let (name, shown) = (export.name.clone(), app.out.wants_progress());
    import(app, mem0::NAME, purpose(args.dry_run), &name, |namespace, intake| {
        let target = mem0::Target { namespace, by: args.by };
        let graph = mem0::take_all(export, &target, intake, shown)?;
        Ok(Further { read: None, graph: Some(graph), passed_over: Vec::new() })
    })
}

fn run_basic_memory(args: &FolderArgs, app: &mut App) -> Result<Exit, CliError> {
    let name = args.folder.display().to_string();
    import(app, basic_memory::NAME, purpose(args.dry_run), &name, |namespace, intake| {
        let outcome = basic_memory::take_all(&args.folder, &namespace, intake)?;
        let basic_memory::Outcome { notes, graph, passed_over } = outcome;
        Ok(Further { read: Some(("notes", notes)), graph: Some(graph), passed_over })
    })
}

fn run_conversations(args: &FileArgs, service: Service, app: &mut App) -> Result<Exit, CliError> {
    let export = Export::open(&args.file, conversations::is_conversations)?;
    let (name, shown) = (export.name.clone(), app.out.wants_progress());
    import(app, service.name(), purpose(args.dry_run), &name, |namespace, intake| {
        let count = conversations::take_all(export, service, &namespace, intake, shown)?;
        Ok(Further { read: Some(("conversations", count)), graph: None, passed_over: Vec::new() })
    })
}

fn purpose(dry_run: bool) -> Purpose {
    if dry_run { Purpose::Tell } else { Purpose::Store }
}

fn import(
    app: &mut App,
    system: &'static str,
    purpose: Purpose,
    name: &str,
    take: impl FnOnce(perihelion::Namespace, &mut Intake<'_>) -> Result<Further, CliError>,
) -> Result<Exit, CliError> {
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let mut intake = Intake::new(&session.engine, system, purpose);
    let outcome = take(namespace, &mut intake);
    let taken = intake.taken;
    let further = match outcome {
        Ok(further) => further,
        Err(error) => {
            if purpose == Purpose::Store && taken.added > 0 {
                app.out.warning(&format!(
                    "the import stopped; {} stored, and running it again goes on from there",
                    counted(taken.added, "memory is", "memories are")
                ))?;
            }
            return Err(error);
        }
    };
    let in_graph = further.graph.is_some_and(|graph| graph != graph::Outcome::default());
    let is_empty = taken.added + taken.known == 0 && !in_graph;
    if is_empty && taken.refused.is_empty() && taken.left_out.is_empty() {
        return Err(CliError::input(format!("{name} holds nothing to import"), "nothing was stored"));
    }
    let exit = match (taken.refused.is_empty(), is_empty) {
        (true, _) => Exit::Done,
        (false, true) => Exit::BadInput,
        (false, false) => Exit::Partly,
    };
    if app.out.json {
        app.out.document(&document(&taken, &further, purpose))?;
    } else {
        tell(&taken, &further, purpose, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(exit)
}

fn document(taken: &Taken, further: &Further, purpose: Purpose) -> Value {
    let mut document = json!(taken);
    document["dry_run"] = (purpose == Purpose::Tell).into();
    if let Some((what, count)) = further.read {
        document[what] = count.into();
    }
    if let Some(graph) = &further.graph {
        document["graph"] = json!(graph);
    }
    if !further.passed_over.is_empty() {
        document["passed_over"] = json!(further.passed_over);
    }
    document
}

fn tell(taken: &Taken, further: &Further, purpose: Purpose, out: &mut Output) -> Result<(), CliError> {
    for refused in taken.refused.iter().take(TOLD) {
        let told = out.clean(&format!("{}: {}", refused.place, refused.reason));
        out.refusal(&told)?;
    }
    if let more @ 1.. = taken.refused.len().saturating_sub(TOLD) {
        out.refusal(&format!("and {} more", grouped(more as u64)))?;
    }
    for name in further.passed_over.iter().take(TOLD) {
        let told = out.clean(&format!("passed over, since it is no note: {name}"));
        out.note(&told)?;
    }
    let left_out: Vec<String> = taken
        .left_out
        .iter()
        .map(|(what, count)| format!("{} {}", grouped(*count), what.replace('_', " ")))
        .collect();
    if !left_out.is_empty() {
        out.note(&format!("left out: {}", left_out.join(", ")))?;
    }
    tell_doings(taken, out)?;
    if let Some((what, count)) = further.read {
        let one = what.strip_suffix('s').unwrap_or(what);
        out.note(&format!("{} read", counted(count, one, what)))?;
    }
    let verb = if purpose == Purpose::Tell { "would be added" } else { "added" };
    let refused = taken.refused.len() as u64;
    out.line(&format!(
        "{} {verb}, {} known already, {} refused",
        counted(taken.added, "memory", "memories"),
        grouped(taken.known),
        grouped(refused)
    ))?;
    match further.graph {
        Some(graph) if graph != graph::Outcome::default() => tell_graph(&graph, verb, out),
        _ => Ok(()),
    }
}

/// What storing did beside storing.
fn tell_doings(taken: &Taken, out: &mut Output) -> Result<(), CliError> {
    for (count, one, many) in [
        (taken.secrets, "secret was taken out before storing", "secrets were taken out before storing"),
        (
            taken.superseded,
            "older memory was replaced; peri logs tells which",
            "older memories were replaced; peri logs tells which",
        ),
        (
            taken.contradictions,
            "contradiction was found; peri logs tells which",
            "contradictions were found; peri logs tells which",
        ),
    ] {
        if count > 0 {
            out.note(&counted(count, one, many))?;
        }
    }
    Ok(())
}

fn tell_graph(graph: &graph::Outcome, verb: &str, out: &mut Output) -> Result<(), CliError> {
    let counts = |of: &KnowledgeAdded| {
        let relations = counted(of.relations, "relation", "relations");
        format!("{}, {relations}", counted(of.entities, "entity", "entities"))
    };
    out.line(&format!("{} {verb} to the graph", counts(&graph.added)))?;
    if graph.known != KnowledgeAdded::default() {
        out.note(&format!("known already in the graph: {}", counts(&graph.known)))?;
    }
    Ok(())
}
