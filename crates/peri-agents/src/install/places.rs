//! Which files of which agent hold what: the one table of places.

use std::path::PathBuf;

use crate::Agent;

use super::handler::ServerKind;
use super::request::{Part, Request, Scope};

/// A file and what of ours belongs into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) edits: Vec<Edit>,
    /// Written only where this folder exists already; taken back in any case.
    pub(super) only_beside: Option<PathBuf>,
}

/// One thing of ours in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    /// The server of tools in an object of servers of a JSON file.
    Server { key: &'static str, kind: ServerKind },
    /// The hooks in the object `hooks` of a JSON file.
    Hooks { grouping: Grouping, version: Version },
    /// The server of tools in the `config.toml` of Codex.
    TomlServer,
    /// An instruction for the model in a file of rules.
    Rule(RuleFile),
}

/// How the entries of one event lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grouping {
    /// In groups, each with a list `hooks`.
    Groups,
    /// Side by side.
    Flat,
}

/// Whether a file of hooks says which version its form has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// `"version": 1`.
    One,
    /// It does not.
    Unsaid,
}

/// Whose file of rules it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleFile {
    /// All rules of the user are in it.
    Shared,
    /// Only ours is.
    Own,
}

impl Edit {
    pub(super) const fn part(self) -> Part {
        match self {
            Self::Hooks { .. } => Part::Hooks,
            Self::Server { .. } | Self::TomlServer | Self::Rule(_) => Part::Mcp,
        }
    }
}

const PLAIN: Edit = Edit::Server { key: "mcpServers", kind: ServerKind::Plain };
const NAMED: Edit = Edit::Server { key: "mcpServers", kind: ServerKind::Named };
const GROUPS: Edit = Edit::Hooks { grouping: Grouping::Groups, version: Version::Unsaid };
const FLAT: Edit = Edit::Hooks { grouping: Grouping::Flat, version: Version::Unsaid };
const FLAT_ONE: Edit = Edit::Hooks { grouping: Grouping::Flat, version: Version::One };

/// The files of the request's agent in its scope, those of the server first.
pub(super) fn targets(request: &Request) -> Vec<Target> {
    match &request.scope {
        Scope::User => of_the_user(request),
        Scope::Project { folder } => {
            let in_folder = |parts: &[&str]| parts.iter().fold(folder.clone(), |path, part| path.join(part));
            of_a_project(request.agent, in_folder)
        }
    }
}

fn of_the_user(request: &Request) -> Vec<Target> {
    let folders = &request.folders;
    match request.agent {
        Agent::ClaudeCode => vec![
            target(folders.claude_state(), &[NAMED]),
            target(folders.claude().join("settings.json"), &[GROUPS]),
        ],
        Agent::Cursor => {
            let cursor = folders.home.join(".cursor");
            vec![target(cursor.join("mcp.json"), &[PLAIN]), target(cursor.join("hooks.json"), &[FLAT_ONE])]
        }
        Agent::Codex => vec![
            target(folders.codex().join("config.toml"), &[Edit::TomlServer]),
            target(folders.codex().join("hooks.json"), &[GROUPS]),
        ],
        Agent::Gemini => vec![target(folders.home.join(".gemini").join("settings.json"), &[PLAIN, GROUPS])],
        Agent::Windsurf => {
            let (windsurf, devin) = (folders.windsurf(), folders.devin(request.platform));
            vec![
                target(windsurf.join("mcp_config.json"), &[PLAIN]),
                Target {
                    only_beside: Some(devin.clone()),
                    ..target(devin.join("mcp_config.json"), &[PLAIN])
                },
                target(windsurf.join("memories").join("global_rules.md"), &[Edit::Rule(RuleFile::Shared)]),
                target(windsurf.join("hooks.json"), &[FLAT]),
            ]
        }
        Agent::VsCode => vec![
            target(folders.visual_studio_code(request.platform).join("mcp.json"), &[VS_CODE_SERVER]),
            target(folders.copilot().join("hooks").join("perihelion.json"), &[FLAT_ONE]),
        ],
    }
}

const VS_CODE_SERVER: Edit = Edit::Server { key: "servers", kind: ServerKind::Named };

fn of_a_project(agent: Agent, file: impl Fn(&[&str]) -> PathBuf) -> Vec<Target> {
    match agent {
        Agent::ClaudeCode => vec![
            target(file(&[".mcp.json"]), &[NAMED]),
            target(file(&[".claude", "settings.json"]), &[GROUPS]),
        ],
        Agent::Cursor => vec![
            target(file(&[".cursor", "mcp.json"]), &[PLAIN]),
            target(file(&[".cursor", "hooks.json"]), &[FLAT_ONE]),
        ],
        Agent::Codex => vec![
            target(file(&[".codex", "config.toml"]), &[Edit::TomlServer]),
            target(file(&[".codex", "hooks.json"]), &[GROUPS]),
        ],
        Agent::Gemini => vec![target(file(&[".gemini", "settings.json"]), &[PLAIN, GROUPS])],
        Agent::Windsurf => vec![
            target(file(&[".devin", "mcp_config.json"]), &[PLAIN]),
            target(file(&[".windsurf", "rules", "perihelion.md"]), &[Edit::Rule(RuleFile::Own)]),
            target(file(&[".windsurf", "hooks.json"]), &[FLAT]),
        ],
        Agent::VsCode => vec![
            target(file(&[".vscode", "mcp.json"]), &[VS_CODE_SERVER]),
            target(file(&[".github", "hooks", "perihelion.json"]), &[FLAT_ONE]),
        ],
    }
}

fn target(path: PathBuf, edits: &[Edit]) -> Target {
    Target { path, edits: edits.to_vec(), only_beside: None }
}
