//! `peri serve`: the engine over HTTP, with MCP at `/mcp`, until somebody stops it.

use std::net::SocketAddr;
use std::sync::Arc;

use peri_http::Server;
use peri_workers::{Service, WorkerManager};
use perihelion::{Chores, Options, Perihelion};
use serde::Serialize;

use super::backup::{Scheduler, ServedBackups};
use super::surroundings::surroundings;
use super::workers;
use crate::app::App;
use crate::config::Loaded;
use crate::error::CliError;
use crate::exit::Exit;
use crate::watchdog::watchdog;
use crate::{browser, logging, runtime, signals, vault};

/// What can be said about the server; the rest is configured.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri serve\n  peri serve --open\n  peri serve --listen 127.0.0.1:0 --tools core,graph\n  \
    peri key create laptop && peri serve --listen 0.0.0.0:7437\n\n\
    It stops at Ctrl-C or SIGTERM, and finishes open requests first."
)]
pub(crate) struct Args {
    /// Where to listen; port 0 takes a free one. Beyond this machine only with keys
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Families of MCP tools: core, edit, graph, learn, admin, knowledge, work, journal, notes, or all
    #[arg(long, value_name = "FAMILIES")]
    tools: Option<peri_mcp::Families>,
    /// Do not run the background workers as they become due, whatever workers.enabled says
    #[arg(long)]
    no_workers: bool,
    /// Open the dashboard in the browser
    #[arg(long)]
    open: bool,
}

/// What is told once the server listens.
#[derive(Debug, Serialize)]
struct Listening {
    url: String,
    dashboard: String,
    mcp: String,
    documentation: String,
    openapi: String,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let telemetry = logging::serve(&loaded.config, &app.global);
    let mut settings = loaded.config.server.clone();
    settings.listen = args.listen.unwrap_or(settings.listen);
    settings.mcp = super::mcp::settings(&loaded, args.tools);
    settings.namespace = loaded.config.namespace.clone();
    let grace = settings.grace;
    let engine = Arc::new(open(&loaded)?);
    let workers = workers::manager(&engine, &loaded.config, loaded.config.workers.settings.clone());
    let workers = Arc::new(workers);
    let served_backups = ServedBackups::new(&loaded);
    let server = Server::bind(Arc::clone(&engine), settings)?
        .with_workers(Arc::clone(&workers))
        .with_surroundings(surroundings(&served_backups, &loaded.config.llm));
    let runtime = runtime::start()?;
    // From the moment it is told where it listens, it can be told to stop.
    let stop = runtime.block_on(async { signals::stop() })?;
    tell(&server, app)?;
    tell_of_store(&engine, app)?;
    if args.open
        && let Err(why) = browser::open(&server.url())
    {
        app.out.hint(&why)?;
    }
    let backups = Scheduler::start(&engine, &served_backups);
    let shared = Arc::clone(&engine);
    let follower = vault::follow(&loaded.config.vault, move || Some(shared));
    let halt = served_backups.halt();
    // Where nothing can be written, no worker could keep what it did.
    let runs_workers = loaded.config.workers.enabled && !args.no_workers && !engine.is_read_only();
    let service = runs_workers.then(|| Service::start(Arc::clone(&workers)));
    let stopped = Arc::clone(&workers);
    let (ending, leash) = watchdog();
    let served = runtime.block_on(server.run(async move {
        stop.await;
        leash.stopping(grace);
        // Workers and a backup that are under way give up while the requests are finished.
        stopped.cancel_all();
        halt.halt();
    }));
    drop(runtime);
    end_workers(service, workers);
    if let Some(follower) = follower {
        follower.end();
    }
    if let Some(backups) = backups {
        backups.end(grace);
    }
    // Requests are over by now; closing writes what is still in memory.
    if let Some(engine) = Arc::into_inner(engine)
        && let Err(error) = engine.close()
    {
        app.out.warning(&format!("closing left chores undone, the memories are safe: {error}"))?;
    }
    telemetry.finish(grace);
    drop(ending);
    Ok(served.map(|()| Exit::Done)?)
}

/// Ends the workers before what they work on. One that is due meanwhile is stopped as it begins.
fn end_workers(service: Option<Service>, workers: Arc<WorkerManager>) {
    let stopping = workers::Stopping::begin(workers);
    drop(service);
    drop(stopping);
}

/// The engine of a program that stays.
pub(crate) fn open(loaded: &Loaded) -> Result<Perihelion, perihelion::Error> {
    let options = loaded.config.options(&loaded.home.folder);
    Perihelion::open(Options { chores: Chores::Background, ..options })
}

fn tell(server: &Server, app: &mut App) -> Result<(), CliError> {
    let url = server.url();
    let listening = Listening {
        dashboard: format!("{url}/"),
        mcp: format!("{url}/mcp"),
        documentation: format!("{url}/docs"),
        openapi: format!("{url}/openapi.json"),
        url,
    };
    if app.out.json {
        app.out.line(&serde_json::to_string(&listening).unwrap_or_default())?;
    } else {
        app.out.line(&format!("listening on {}", listening.url))?;
        let Listening { dashboard, mcp, documentation, .. } = &listening;
        app.out
            .hint(&format!("dashboard: {dashboard}   MCP clients: {mcp}   documentation: {documentation}"))?;
    }
    app.out.flush()?;
    Ok(())
}

/// Says that the store is still to be met, where that is so.
fn tell_of_store(engine: &Perihelion, app: &mut App) -> Result<(), CliError> {
    if !engine.awaits_store() {
        return Ok(());
    }
    app.out.warning(
        "the store does not answer and was never met from this folder: writes wait on this machine until it does, and \
         whoever sits at it needs no key until the keys are known",
    )
}
