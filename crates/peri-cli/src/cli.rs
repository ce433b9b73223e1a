//! What can be typed: the global arguments and the table of commands.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use peri_workers::WorkerKind;
use perihelion::{
    EdgeType, EventKind, ExportFormat, Importance, JournalDirection, JournalStatus, Kind, Layer, PatternTerm,
    Role, Scope, Stage, TaskOutcome, UnknownName, Zone,
};

use crate::{commands, exit, version};

/// Remembers what it is told, and recalls what matters to a question.
#[derive(Debug, Parser)]
#[command(name = "peri", version = version::VERSION)]
#[command(after_help = exit::help(), max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Arguments of every command, before or after the verb.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Global {
    /// The data folder [env: PERI_HOME] [default: perihelion in the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// A namespace such as team/agent; to look into: team/* and * too, and recall and reorbit
    /// take several [env: PERI_NAMESPACE]
    #[arg(long, short = 'n', global = true, value_name = "NAMESPACE")]
    pub(crate) namespace: Vec<Scope>,
    /// The configuration file [env: PERI_CONFIG] [default: perihelion.toml in the data folder]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print one JSON document instead of text; errors become JSON on standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print the bare answer, without notes and hints
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell more on standard error; up to three times
    #[arg(long, short, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: When,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// Every verb. `commands::run` maps each to its file.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Keep a statement: from words, standard input, or a file of many
    Remember(commands::remember::Args),
    /// Find the memories that matter to a question
    Recall(commands::recall::Args),
    /// Change a memory; what it said before stays in its history
    Revise(commands::revise::Args),
    /// Move memories to the trash
    Forget(commands::forget::Args),
    /// Show one memory
    Get(commands::get::Args),
    /// Show memories, the latest first
    List(commands::list::Args),
    /// Show what a memory said before, what it replaced, and what was merged into it
    History(commands::history::Args),
    /// Hold values under keys for a while: a session's working memory
    Work(commands::work::Args),
    /// Move memories to a longer-lived layer as one, or bring them back
    Promote(commands::promote::Args),
    /// Undo a merge: a memory that was put aside stands for itself again
    Split(commands::split::Args),
    /// Tell which results of a recall were of use
    Feedback(commands::feedback::Args),
    /// Show what nearness is made of and how feedback changed it, or go back
    Weights(commands::weights::Args),
    /// Record how tasks went, and look at and tend the strategies that worked
    Learn(commands::learn::Args),
    /// Tell which agent should take a task, and why
    Route(commands::route::Args),
    /// Look into the trash, bring back from it, or empty it
    Trash(commands::trash::Args),
    /// Look at the links between memories, draw them, or take them away
    Graph(commands::graph::Args),
    /// Keep what was said in a conversation; it becomes notes
    Hear(commands::hear::Args),
    /// Print what an agent is given from notes and memories
    Context(commands::context::Args),
    /// Begin and end conversations, look at them and their notes, and replay them
    Session(commands::session::Args),
    /// Write down what happened, and trace memories back to it
    Journal(commands::journal::Args),
    /// List, move and delete namespaces
    Namespace(commands::namespace::Args),
    /// Create, list and revoke the keys by which servers let somebody in
    Key(commands::key::Args),
    /// Write everything, or what fits conditions, to a file that import reads
    Export(commands::export::Args),
    /// Read what export or another system wrote; nothing that is here is destroyed
    Import(commands::import::Args),
    /// Take over what another memory store kept, with or without vectors
    Migrate(commands::migrate::Args),
    /// Make, list, verify, restore and prune backups
    Backup(commands::backup::Args),
    /// Move everything to another place: a file, or a database on a server
    Move(commands::relocate::Args),
    /// Encrypt the store and what lies beside it, or move it to another key
    Encrypt(commands::encrypt::Args),
    /// Decrypt the store and what lies beside it
    Decrypt(commands::decrypt::Args),
    /// Keep documents in a folder that is remembered and followed
    Vault(commands::vault::Args),
    /// Tell what two backups, or a backup and now, differ in
    Diff(commands::diff::Args),
    /// Write the latest episodes to a file, or bring them back from one
    Snapshot(commands::snapshot::Args),
    /// Show, try or drop writes that wait for the store
    Queue(commands::queue::Args),
    /// Show what is held, in numbers
    Stats(commands::stats::Args),
    /// Tell whether everything works, and what somebody should look at
    Health(commands::health::Args),
    /// Show what happened, from the audit log
    Logs(commands::logs::Args),
    /// Tell what happened on a day or over several, and how things stand
    Report(commands::report::Args),
    /// Serve programs and browsers over HTTP, and MCP clients at /mcp
    Serve(commands::serve::Args),
    /// Serve the MCP client that starts this, over standard input and output
    Mcp(commands::mcp::Args),
    /// Answer an agent that runs this on one of its events
    Hook(commands::hook::Args),
    /// Tell coding agents of this program: tools, and hooks that hear and remind
    Install(commands::install::Args),
    /// Take back what install wrote
    Uninstall(commands::install::Args),
    /// Keep memories and the memory files of agents, such as CLAUDE.md, in step
    Bridge(commands::bridge::Args),
    /// Look at the calls of language models and their prompts, and try the model
    Llm(commands::llm::Args),
    /// Run the whole loop and explain what is found
    Doctor(commands::doctor::Args),
    /// Bring the zones of all memories to where they belong by now
    Reorbit(commands::reorbit::Args),
    /// Move all memories to another embedding model while the old one still answers
    Reindex(commands::reindex::Args),
    /// Let go of what has reached the end of its time in its layer, and promote what matters
    Sweep(commands::sweep::Args),
    /// Do the chores that wait, from late vectors and links to what is old in the trash
    Maintain(commands::maintain::Args),
    /// Show the background workers, run them, and see what they did and found
    Workers(commands::workers::Args),
    /// Show the settings and where they come from
    Config(commands::config::Args),
    /// Try everything on an invented conversation, in a folder of its own
    Demo(commands::demo::Args),
    /// Load the memories of an invented team to explore, or remove them
    Sample(commands::sample::Args),
    /// Print a completion script for a shell
    Completions(commands::completions::Args),
    /// Print a manual page, or write all of them into a folder
    Man(commands::man::Args),
}

impl Command {
    /// Whether it stays until somebody ends it.
    pub(crate) fn stays(&self) -> bool {
        matches!(self, Self::Serve(_) | Self::Mcp(_))
    }
}

/// Reads a kind and offers the known ones.
pub(crate) fn kind() -> impl TypedValueParser<Value = Kind> {
    named(Kind::ALL.iter().map(|kind| kind.as_str()))
}

/// Reads a layer and offers the known ones.
pub(crate) fn layer() -> impl TypedValueParser<Value = Layer> {
    named(Layer::ALL.iter().map(|layer| layer.as_str()))
}

/// Reads a zone and offers the known ones.
pub(crate) fn zone() -> impl TypedValueParser<Value = Zone> {
    named(Zone::ALL.iter().map(|zone| zone.as_str()))
}

/// Reads a type of edge and offers the known ones.
pub(crate) fn edge_type() -> impl TypedValueParser<Value = EdgeType> {
    named(EdgeType::ALL.iter().map(|edge_type| edge_type.as_str()))
}

/// Reads a kind of event and offers the known ones.
pub(crate) fn event_kind() -> impl TypedValueParser<Value = EventKind> {
    named(EventKind::ALL.iter().map(|kind| kind.as_str()))
}

/// Reads a format of exported graphs and offers the known ones.
pub(crate) fn export_format() -> impl TypedValueParser<Value = ExportFormat> {
    named(ExportFormat::ALL.iter().map(|format| format.as_str()))
}

/// Reads a role and offers the known ones.
pub(crate) fn role() -> impl TypedValueParser<Value = Role> {
    named(Role::ALL.iter().map(|role| role.as_str()))
}

/// Reads how something went and offers the known ways.
pub(crate) fn journal_status() -> impl TypedValueParser<Value = JournalStatus> {
    named(JournalStatus::ALL.iter().map(|status| status.as_str()))
}

/// Reads a direction and offers the known ones.
pub(crate) fn journal_direction() -> impl TypedValueParser<Value = JournalDirection> {
    named(JournalDirection::ALL.iter().map(|direction| direction.as_str()))
}

/// Reads a stage and offers the known ones.
pub(crate) fn stage() -> impl TypedValueParser<Value = Stage> {
    named(Stage::ALL.iter().map(|stage| stage.as_str()))
}

/// Reads how a task ended and offers the known ways.
pub(crate) fn task_outcome() -> impl TypedValueParser<Value = TaskOutcome> {
    named(TaskOutcome::ALL.iter().map(|outcome| outcome.as_str()))
}

/// Reads how long a pattern is kept and offers the known ways.
pub(crate) fn pattern_term() -> impl TypedValueParser<Value = PatternTerm> {
    named(PatternTerm::ALL.iter().map(|term| term.as_str()))
}

/// Reads a worker and offers the known ones.
pub(crate) fn worker() -> impl TypedValueParser<Value = WorkerKind> {
    named(WorkerKind::ALL.iter().map(|kind| kind.as_str()))
}

/// Reads an importance.
pub(crate) fn importance(text: &str) -> Result<Importance, String> {
    let value: f64 = text.parse().map_err(|_| format!("{text:?} is not a number between 0 and 1"))?;
    Importance::new(value).map_err(|error| error.to_string())
}

/// Reads a number of results or tokens.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("{text:?} is not a whole number")),
    }
}

/// Reads the weight of an edge.
pub(crate) fn weight(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(weight) if weight > 0.0 && weight <= 1.0 => Ok(weight),
        _ => Err(format!("{text:?} is not a number above 0 and at most 1")),
    }
}

/// Reads a score from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("{text:?} is not a number from 0 to 1")),
    }
}

fn named<T>(names: impl Iterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err = UnknownName> + Clone + Send + Sync + 'static,
{
    let values = names.map(|name| match name {
        "long_term" => PossibleValue::new(name).alias("long-term"),
        "related_to" => PossibleValue::new(name).alias("related-to"),
        "derived_from" => PossibleValue::new(name).alias("derived-from"),
        _ => PossibleValue::new(name),
    });
    PossibleValuesParser::new(values).try_map(|name: String| name.parse::<T>())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }
}
