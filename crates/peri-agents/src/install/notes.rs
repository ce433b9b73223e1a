//! What a user should know beyond the changes themselves.

use crate::Agent;
use crate::hooks::{OccasionKind, TakesContext, name_of, takes_context};

use super::command::{self, only_for_the_server, shell};
use super::json;
use super::places::Edit;
use super::planning::Found;
use super::request::{Part, Platform, Request, Scope};
use super::toml;

/// What does not work with this agent, and what is left to do by hand.
pub(super) fn of_install(request: &Request) -> Vec<String> {
    let mut notes = Vec::new();
    if request.parts.include(Part::Hooks) {
        notes.extend(missing_hooks(request.agent));
        notes.extend(no_context(request.agent));
        notes.extend(of_the_hooks(request.agent).map(str::to_owned));
        notes.extend(elsewhere(request).map(str::to_owned));
        notes.extend(not_for_hooks(request));
        notes.extend(quotes_on_windows(request));
    }
    if request.parts.include(Part::Mcp) {
        notes.extend(of_the_server(request).map(str::to_owned));
    }
    notes.extend(shared_path(request));
    notes
}

fn missing_hooks(agent: Agent) -> Option<String> {
    let is_missing = |kind: &OccasionKind| name_of(agent, *kind).is_none();
    let missing: Vec<&str> = OccasionKind::ALL.into_iter().filter(is_missing).map(words).collect();
    (!missing.is_empty()).then(|| format!("{} has no hook for: {}", agent.title(), missing.join(", ")))
}

const fn words(kind: OccasionKind) -> &'static str {
    match kind {
        OccasionKind::SessionStart => "the start of a session",
        OccasionKind::Prompt => "a prompt",
        OccasionKind::Stop => "the end of an answer",
        OccasionKind::BeforeCompaction => "the moment before compaction",
        OccasionKind::SessionEnd => "the end of a session",
    }
}

fn no_context(agent: Agent) -> Option<String> {
    let takes = |kind| takes_context(agent, kind) == TakesContext::Yes;
    if OccasionKind::ALL.into_iter().any(takes) {
        return None;
    }
    Some(format!(
        "hooks of {} cannot hand memories to the model: a rule asks it to use the tools of the MCP server instead",
        agent.title()
    ))
}

const fn of_the_hooks(agent: Agent) -> Option<&'static str> {
    match agent {
        Agent::Codex => {
            Some("Codex runs new hooks only once you trust them: type /hooks in Codex and look at them")
        }
        Agent::Windsurf => {
            Some("these are the hooks of Cascade; the agent Devin Local has others, which are not set")
        }
        Agent::VsCode => {
            Some("hooks of Visual Studio Code are in preview, and an organisation may switch them off")
        }
        Agent::ClaudeCode | Agent::Cursor | Agent::Gemini => None,
    }
}

const fn of_the_server(request: &Request) -> Option<&'static str> {
    match (&request.scope, request.agent) {
        (Scope::Project { .. }, Agent::ClaudeCode) => {
            Some("Claude Code asks once in every project whether it may use the servers of its .mcp.json")
        }
        (Scope::Project { .. }, Agent::Codex) => {
            Some("Codex reads settings of a project only if you trust the project")
        }
        (Scope::Project { .. }, Agent::Windsurf) => {
            Some("Cascade has no servers of a project: it uses those of the user; Devin Local uses these")
        }
        _ => None,
    }
}

/// Other programs that run what we write, with or without us.
const fn elsewhere(request: &Request) -> Option<&'static str> {
    match (&request.scope, request.agent) {
        (_, Agent::ClaudeCode) => Some(
            "Cursor, Visual Studio Code and Devin can run hooks of Claude Code too: there, install only one of the two",
        ),
        (Scope::Project { .. }, Agent::VsCode) => Some(
            "the cloud agent of GitHub runs these hooks too; without peri in its image they fail there, and do no harm",
        ),
        _ => None,
    }
}

fn not_for_hooks(request: &Request) -> Option<String> {
    let names = only_for_the_server(&request.environment);
    (!names.is_empty()).then(|| format!("hooks do not get {}: only the MCP server does", names.join(", ")))
}

/// Windows has no quoting that every caller of a shell hands on whole.
fn quotes_on_windows(request: &Request) -> Option<String> {
    if request.platform != Platform::Windows || request.agent == Agent::ClaudeCode {
        return None;
    }
    let written = command::hook_command(request, "x", shell(request.agent, request.platform));
    written.contains(['"', '\'']).then(|| {
        format!(
            "the path of peri holds blanks or other signs, and {} may not start it: if hooks do not run, put peri into \
             a folder without them",
            request.agent.title()
        )
    })
}

fn shared_path(request: &Request) -> Option<String> {
    let is_path = request.command.contains(['/', '\\']);
    let is_shared = matches!(request.scope, Scope::Project { .. });
    (is_path && is_shared).then(|| {
        format!(
            "{} is a path of this machine, and the settings of a project are for everybody",
            request.command
        )
    })
}

/// What was found in a file and should be known.
pub(super) fn of_file(found: &Found, edits: &[Edit], request: &Request) -> Vec<String> {
    let Some(text) = found.text.as_deref().map(super::text::plain) else { return Vec::new() };
    kept_variables(&text, edits, request).into_iter().chain(plugin_too(&text, request.agent)).collect()
}

/// Whoever has our plugin for Claude Code has everything already.
fn plugin_too(text: &str, agent: Agent) -> Option<String> {
    if agent != Agent::ClaudeCode {
        return None;
    }
    let name = json::enabled_plugin(text, "perihelion@")?;
    Some(format!(
        "the plugin {name} does the same: disable it in Claude Code with /plugin, or every hook runs twice"
    ))
}

/// Variables that stay in the entry of the server although nobody asked for them this time.
fn kept_variables(text: &str, edits: &[Edit], request: &Request) -> Option<String> {
    let names: Vec<String> = edits
        .iter()
        .flat_map(|edit| match edit {
            Edit::Server { key, .. } => json::server::kept_variables(text, key, request),
            Edit::TomlServer => toml::kept_variables(text, request),
            Edit::Hooks { .. } | Edit::Rule(_) => Vec::new(),
        })
        .collect();
    (!names.is_empty()).then(|| format!("the MCP server keeps {}, which it had before", names.join(", ")))
}
