//! `peri install` and `peri uninstall`: coding agents are told of this program, or no longer.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use peri_agents::Agent;
use peri_agents::install::{self, Backup, FileChange, Folders, Parts, Plan, Platform, Request, Scope};
use serde::Serialize;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::home;
use crate::output::{GOOD, Output, STRONG};

/// For which agents, and what.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri install --dry-run\n  peri install claude-code codex\n  peri install cursor --project .\n  peri uninstall claude-code\n\nA file that is edited for the first time is copied beside itself before. What is not ours in it stays as it is."
)]
pub(crate) struct Args {
    /// The agents; without one, those that are found on this machine
    #[arg(value_name = "AGENT", value_parser = agents())]
    agents: Vec<Agent>,
    /// For one project and everybody who works on it, rather than for all projects of yours
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Show what would change in each file, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave the hooks alone, by which conversations are heard and agents are given their context
    #[arg(long, conflicts_with = "no_mcp")]
    no_hooks: bool,
    /// Leave the server of tools alone
    #[arg(long)]
    no_mcp: bool,
}

/// Whether agents are told, or no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// They are told.
    Install,
    /// They are no longer.
    Remove,
}

/// The answer as JSON.
#[derive(Serialize)]
struct Document<'a> {
    dry_run: bool,
    command: &'a str,
    agents: Vec<Told<'a>>,
}

#[derive(Serialize)]
struct Told<'a> {
    agent: Agent,
    files: Vec<File<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a Path,
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<&'a Path>,
    diff: String,
}

fn agents() -> impl TypedValueParser<Value = Agent> {
    PossibleValuesParser::new(Agent::ALL.map(Agent::name)).try_map(|name: String| name.parse::<Agent>())
}

/// Is told before fading begins.
const FADING: &str = "memories that nobody uses for 90 days in use go to the trash, a few a day, and `peri health` says so a week \
                      before; decay.enabled = false in perihelion.toml keeps them all";

/// Runs the command.
pub(crate) fn run(args: Args, aim: Aim, app: &mut App) -> Result<Exit, CliError> {
    let folders = folders()?;
    let wanted = chosen(&args, &folders, &mut app.out)?;
    let command = command()?;
    let environment = environment(app, args.project.is_some())?;
    // All of them are planned before any is carried out: what cannot be read keeps everything as it is.
    let mut plans = Vec::new();
    for agent in wanted {
        let request = Request {
            scope: scope(args.project.as_deref())?,
            folders: folders.clone(),
            platform: Platform::HERE,
            environment: environment.clone(),
            parts: parts(&args),
            ..Request::new(agent, &folders.home, &command)
        };
        let plan = match aim {
            Aim::Install => install::plan(&request)?,
            Aim::Remove => install::plan_removal(&request)?,
        };
        plans.push((agent, plan));
    }
    if !args.dry_run {
        for (_, plan) in &plans {
            install::apply(plan)?;
        }
    }
    if app.out.json {
        let agents = plans.iter().map(|(agent, plan)| told(*agent, plan)).collect();
        app.out.document(&Document { dry_run: args.dry_run, command: &command, agents })?;
    } else {
        plans.iter().try_for_each(|(agent, plan)| tell(*agent, plan, args.dry_run, aim, &mut app.out))?;
        if aim == Aim::Install && !args.dry_run {
            app.out.hint(FADING)?;
        }
    }
    Ok(Exit::Done)
}

/// The agents that were named, or those that are found.
fn chosen(args: &Args, folders: &Folders, out: &mut Output) -> Result<Vec<Agent>, CliError> {
    let mut wanted = args.agents.clone();
    if wanted.is_empty() {
        wanted = install::detect(folders, Platform::HERE);
        if wanted.is_empty() {
            let known = Agent::ALL.map(Agent::name).join(", ");
            return Err(CliError::input(
                format!("no coding agent was found in {}", folders.home.display()),
                format!("nothing was changed; name one of: {known}"),
            ));
        }
        let titles: Vec<&str> = wanted.iter().map(|agent| agent.title()).collect();
        out.note(&format!("found {}", titles.join(", ")))?;
    }
    let mut seen = std::collections::HashSet::new();
    wanted.retain(|agent| seen.insert(*agent));
    Ok(wanted)
}

fn parts(args: &Args) -> Parts {
    match (args.no_hooks, args.no_mcp) {
        (true, _) => Parts::Mcp,
        (_, true) => Parts::Hooks,
        (false, false) => Parts::Both,
    }
}

fn scope(project: Option<&Path>) -> Result<Scope, CliError> {
    let Some(project) = project else { return Ok(Scope::User) };
    let folder = home::whole(project)?;
    if !folder.is_dir() {
        let message = format!("there is no folder {}", folder.display());
        return Err(CliError::input(message, "nothing was changed; name the root of a project"));
    }
    Ok(Scope::Project { folder })
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where agents keep their settings, as the environment says.
fn folders() -> Result<Folders, CliError> {
    let home = etcetera::home_dir().map_err(|_| {
        CliError::input("your home folder cannot be found", "nothing was changed; set HOME to it")
    })?;
    Ok(Folders {
        config: variable(if cfg!(windows) { "APPDATA" } else { "XDG_CONFIG_HOME" }),
        claude: variable("CLAUDE_CONFIG_DIR"),
        codex: variable("CODEX_HOME"),
        copilot: variable("COPILOT_HOME"),
        ..Folders::of(home)
    })
}

/// The plain name where the search path leads to this very program, and else its path.
fn command() -> Result<String, CliError> {
    let own = std::env::current_exe().map_err(|source| CliError::read("the path of this program", source))?;
    let plain = own.file_stem().and_then(OsStr::to_str).unwrap_or("peri");
    let is_own = |path: PathBuf| {
        let resolved = |path: &Path| std::fs::canonicalize(path).ok();
        resolved(&path).is_some() && resolved(&path) == resolved(&own)
    };
    let found = std::env::var_os("PATH").and_then(|paths| {
        let name = format!("{plain}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&paths).map(|folder| folder.join(&name)).find(|path| path.is_file())
    });
    if found.is_some_and(is_own) {
        return Ok(plain.to_owned());
    }
    own.to_str().map(ToOwned::to_owned).ok_or_else(|| {
        let message = format!("the path of this program is not text: {}", own.display());
        CliError::input(message, "nothing was changed; move it to another folder")
    })
}

/// What agents have to set so that they come to the same memories: what was said here. In the settings of a project that
/// others share, only what was typed.
fn environment(app: &App, is_shared: bool) -> Result<BTreeMap<String, String>, CliError> {
    let mut environment = BTreeMap::new();
    let mut put = |name: &str, path: PathBuf| match path.to_str() {
        Some(text) => {
            environment.insert(name.to_owned(), text.to_owned());
            Ok(())
        }
        None => Err(CliError::input(format!("{} is not text", path.display()), "nothing was changed")),
    };
    let or_variable =
        |typed: Option<&PathBuf>, name| typed.cloned().or_else(|| variable(name).filter(|_| !is_shared));
    if let Some(folder) = or_variable(app.global.home.as_ref(), home::VARIABLE) {
        put(home::VARIABLE, home::whole(&folder)?)?;
    }
    if let Some(file) = or_variable(app.global.config.as_ref(), "PERI_CONFIG") {
        put("PERI_CONFIG", home::whole(&file)?)?;
    }
    match &app.global.namespace[..] {
        [] => {}
        [perihelion::Scope::Exact(namespace)] => {
            environment.insert("PERI_NAMESPACE".to_owned(), namespace.to_string());
        }
        [..] => {
            let hint = "nothing was changed; give one, such as --namespace team/agent, or none";
            return Err(CliError::input("agents work in exactly one namespace", hint));
        }
    }
    Ok(environment)
}

fn told(agent: Agent, plan: &Plan) -> Told<'_> {
    Told { agent, files: plan.files.iter().map(told_file).collect(), notes: &plan.notes }
}

fn told_file(change: &FileChange) -> File<'_> {
    let backup = match &change.backup {
        Backup::Make(path) => Some(path.as_path()),
        Backup::Leave | Backup::Spend(_) => None,
    };
    File { path: &change.path, change: fate(change), backup, diff: change.diff() }
}

fn fate(change: &FileChange) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "created",
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "removed",
    }
}

fn tell(agent: Agent, plan: &Plan, dry_run: bool, aim: Aim, out: &mut Output) -> Result<(), CliError> {
    let title = out.paint(STRONG, agent.title());
    match (&plan.files[..], aim) {
        ([], Aim::Install) => out.line(&format!("{title}: everything is as it should be"))?,
        ([], Aim::Remove) => out.line(&format!("{title}: there is nothing of ours"))?,
        _ if dry_run => out.line(&format!("{title} would change:"))?,
        _ => out.line(&title)?,
    }
    for change in &plan.files {
        if dry_run {
            let diff = out.clean(&change.diff());
            out.bytes(diff.as_bytes())?;
            continue;
        }
        let fate = out.paint(GOOD, &format!("{:<7}", fate(change)));
        out.line(&format!("  {fate} {}", change.path.display()))?;
        if let Backup::Make(copy) = &change.backup {
            out.line(&format!("  {:<7} {} is as it was before", "", copy.display()))?;
        }
    }
    plan.notes.iter().try_for_each(|note| out.note(&format!("{}: {note}", agent.title())))
}
