//! The verbs, one a file.

pub(crate) mod backup;
pub(crate) mod bridge;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod decrypt;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod encrypt;
pub(crate) mod export;
pub(crate) mod feedback;
pub(crate) mod forget;
pub(crate) mod get;
pub(crate) mod graph;
pub(crate) mod health;
pub(crate) mod hear;
pub(crate) mod history;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod import_from;
pub(crate) mod install;
pub(crate) mod journal;
pub(crate) mod key;
pub(crate) mod learn;
pub(crate) mod list;
pub(crate) mod llm;
pub(crate) mod logs;
pub(crate) mod maintain;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod migrate;
pub(crate) mod namespace;
pub(crate) mod promote;
pub(crate) mod queue;
pub(crate) mod recall;
pub(crate) mod reindex;
pub(crate) mod relocate;
pub(crate) mod remember;
pub(crate) mod reorbit;
pub(crate) mod report;
pub(crate) mod revise;
pub(crate) mod route;
pub(crate) mod sample;
pub(crate) mod serve;
pub(crate) mod session;
pub(crate) mod snapshot;
pub(crate) mod split;
pub(crate) mod stats;
pub(crate) mod surroundings;
pub(crate) mod sweep;
pub(crate) mod trash;
pub(crate) mod vault;
pub(crate) mod weights;
pub(crate) mod work;
pub(crate) mod workers;

use perihelion::Awaited;

use crate::app::App;
use crate::cli::Command;
use crate::error::CliError;
use crate::exit::Exit;

/// Runs the command that was typed.
pub(crate) fn run(command: Command, app: &mut App) -> Result<Exit, CliError> {
    match command {
        Command::Remember(args) => remember::run(args, app),
        Command::Recall(args) => recall::run(args, app),
        Command::Revise(args) => revise::run(args, app),
        Command::Forget(args) => forget::run(args, app),
        Command::Get(args) => get::run(args, app),
        Command::List(args) => list::run(args, app),
        Command::History(args) => history::run(args, app),
        Command::Work(args) => work::run(args, app),
        Command::Promote(args) => promote::run(args, app),
        Command::Split(args) => split::run(args, app),
        Command::Feedback(args) => feedback::run(args, app),
        Command::Weights(args) => weights::run(args, app),
        Command::Learn(args) => learn::run(args, app),
        Command::Route(args) => route::run(&args, app),
        Command::Trash(args) => trash::run(args, app),
        Command::Graph(args) => graph::run(args, app),
        Command::Hear(args) => hear::run(args, app),
        Command::Context(args) => context::run(args, app),
        Command::Session(args) => session::run(args, app),
        Command::Journal(args) => journal::run(args, app),
        Command::Namespace(args) => namespace::run(args, app),
        Command::Key(args) => key::run(args, app),
        Command::Export(args) => export::run(args, app),
        Command::Import(args) => import::run(args, app),
        Command::Migrate(args) => migrate::run(args, app),
        Command::Backup(args) => backup::run(args, app),
        Command::Move(args) => relocate::run(&args, app),
        Command::Encrypt(args) => encrypt::run(&args, app),
        Command::Decrypt(args) => decrypt::run(&args, app),
        Command::Vault(args) => vault::run(args, app),
        Command::Diff(args) => diff::run(args, app),
        Command::Snapshot(args) => snapshot::run(args, app),
        Command::Queue(args) => queue::run(args, app),
        Command::Stats(args) => stats::run(args, app),
        Command::Health(args) => health::run(args, app),
        Command::Logs(args) => logs::run(args, app),
        Command::Report(args) => report::run(args, app),
        Command::Serve(args) => serve::run(args, app),
        Command::Mcp(args) => mcp::run(args, app),
        Command::Hook(args) => hook::run(args, app),
        Command::Install(args) => install::run(args, install::Aim::Install, app),
        Command::Uninstall(args) => install::run(args, install::Aim::Remove, app),
        Command::Bridge(args) => bridge::run(args, app),
        Command::Llm(args) => llm::run(args, app),
        Command::Doctor(args) => doctor::run(args, app),
        Command::Reorbit(args) => reorbit::run(args, app),
        Command::Reindex(args) => reindex::run(args, app),
        Command::Sweep(args) => sweep::run(args, app),
        Command::Maintain(args) => maintain::run(args, app),
        Command::Workers(args) => workers::run(args, app),
        Command::Config(args) => config::run(args, app),
        Command::Demo(args) => demo::run(args, app),
        Command::Sample(args) => sample::run(args, app),
        Command::Completions(args) => completions::run(args, app),
        Command::Man(args) => man::run(&args, app),
    }
}

/// What whoever runs a command waits for. An agent runs the first two sorts and goes on; the third a person starts, or it
/// stays.
pub(crate) fn awaited(command: &Command) -> Awaited {
    match command {
        Command::Recall(_)
        | Command::Get(_)
        | Command::List(_)
        | Command::History(_)
        | Command::Route(_)
        | Command::Context(_)
        | Command::Queue(_)
        | Command::Stats(_)
        | Command::Health(_)
        | Command::Logs(_)
        | Command::Report(_) => Awaited::Answer,
        Command::Remember(_)
        | Command::Revise(_)
        | Command::Forget(_)
        | Command::Work(_)
        | Command::Promote(_)
        | Command::Split(_)
        | Command::Feedback(_)
        | Command::Weights(_)
        | Command::Graph(_)
        | Command::Hear(_)
        | Command::Journal(_) => Awaited::Receipt,
        Command::Learn(_)
        | Command::Trash(_)
        | Command::Session(_)
        | Command::Namespace(_)
        | Command::Key(_)
        | Command::Export(_)
        | Command::Import(_)
        | Command::Migrate(_)
        | Command::Backup(_)
        | Command::Move(_)
        | Command::Encrypt(_)
        | Command::Decrypt(_)
        | Command::Vault(_)
        | Command::Diff(_)
        | Command::Snapshot(_)
        | Command::Serve(_)
        | Command::Mcp(_)
        | Command::Hook(_)
        | Command::Install(_)
        | Command::Uninstall(_)
        | Command::Bridge(_)
        | Command::Llm(_)
        | Command::Doctor(_)
        | Command::Reorbit(_)
        | Command::Reindex(_)
        | Command::Sweep(_)
        | Command::Maintain(_)
        | Command::Workers(_)
        | Command::Config(_)
        | Command::Demo(_)
        | Command::Sample(_)
        | Command::Completions(_)
        | Command::Man(_) => Awaited::Work,
    }
}
