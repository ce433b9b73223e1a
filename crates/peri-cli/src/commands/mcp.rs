//! `peri mcp`: the engine for the MCP client that started this process.

use std::io::IsTerminal;

use peri_mcp::{Families, Home, SharedEngine};

use crate::app::App;
use crate::config::{Loaded, Origin};
use crate::error::CliError;
use crate::exit::Exit;
use crate::watchdog::watchdog;
use crate::{logging, runtime, signals};

/// What can be said about the server; the rest is configured.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example, for a client's configuration:\n  {\"mcpServers\": {\"memory\": {\"command\": \"peri\", \
    \"args\": [\"mcp\"]}}}\n\nWithout --namespace, the client's workspace root says where memories go."
)]
pub(crate) struct Args {
    /// Families of tools: core, edit, graph, learn, admin, knowledge, work, journal, notes, or all
    #[arg(long, value_name = "FAMILIES")]
    tools: Option<Families>,
}

/// Runs the command. Standard output belongs to the protocol.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    if std::io::stdin().is_terminal() {
        // Somebody wants to see what it does, and would see nothing.
        app.out.warning(
            "this waits for an MCP client, which starts it by itself; `peri mcp --help` tells how",
        )?;
    }
    let telemetry = logging::serve(&loaded.config, &app.global);
    let grace = loaded.config.server.grace;
    let settings = settings(&loaded, args.tools);
    let vault = loaded.config.vault.clone();
    let engine = SharedEngine::opening(move || super::serve::open(&loaded));
    let runtime = runtime::start()?;
    let (shared, followed) = (engine.clone(), engine.clone());
    let handle = runtime.handle().clone();
    let follower = crate::vault::follow(&vault, move || handle.block_on(followed.get()).ok());
    let served = runtime.block_on(async move {
        let stop = signals::stop()?;
        tokio::select! {
            served = peri_mcp::serve_stdio(shared, settings) => served.map_err(CliError::Output),
            () = stop => Ok(()),
        }
    });
    let (ending, leash) = watchdog();
    leash.stopping(grace);
    if let Some(follower) = follower {
        follower.end();
    }
    // A thread that still reads standard input must not keep the process.
    runtime.shutdown_background();
    if let Some(engine) = engine.into_inner()
        && let Err(error) = engine.close()
    {
        app.out.warning(&format!("closing left chores undone, the memories are safe: {error}"))?;
    }
    telemetry.finish(grace);
    drop(ending);
    served.map(|()| Exit::Done)
}

/// What MCP clients are offered, and where their calls work.
pub(crate) fn settings(loaded: &Loaded, families: Option<Families>) -> peri_mcp::Settings {
    let chosen = loaded.settings.iter().find(|setting| setting.key == "namespace");
    let chosen = chosen.is_some_and(|setting| setting.origin != Origin::Default);
    let configured = &loaded.config.mcp;
    peri_mcp::Settings {
        families: families.unwrap_or_else(|| configured.families.clone()),
        home: Home {
            namespace: chosen.then(|| loaded.config.namespace.clone()),
            workspaces: configured.home.workspaces.clone(),
        },
        instructions: configured.instructions.clone(),
    }
}
