//! What is written for one hook of an agent, and for the server of tools.

use serde_json::{Value, json};

use crate::Agent;
use crate::hooks::{Event, OccasionKind, events};

use super::command::{Shell, hook_arguments, hook_command, shell};
use super::request::{Platform, Request};

/// How long an agent waits for a hook.
const PATIENCE_SECONDS: u64 = 5;

/// Codex waits no longer for the end of a session, and complains of more at every start.
const PATIENCE_OF_CODEX_AT_THE_END_SECONDS: u64 = 3;

/// Keys and values in the order in which they are written.
pub(super) type Fields = Vec<(&'static str, Value)>;

/// Every hook that is written for the agent: the name of its event and its entry.
pub(super) fn handlers(request: &Request) -> Vec<(&'static str, Fields)> {
    let entry = |event: &Event| (event.name, handler(request, *event));
    events(request.agent).iter().map(entry).collect()
}

/// The entry of one hook, in the agent's own form.
pub fn handler(request: &Request, event: Event) -> Vec<(&'static str, Value)> {
    let own_shell = shell(request.agent, request.platform);
    let command = json!(hook_command(request, event.name, own_shell));
    match request.agent {
        Agent::ClaudeCode => claude_code(request, event, command),
        Agent::Codex => vec![
            ("type", json!("command")),
            ("command", command),
            (
                "timeout",
                json!(match event.occasion {
                    OccasionKind::SessionEnd => PATIENCE_OF_CODEX_AT_THE_END_SECONDS,
                    _ => PATIENCE_SECONDS,
                }),
            ),
        ],
        Agent::Gemini => vec![
            ("name", json!(super::SERVER)),
            ("type", json!("command")),
            ("command", command),
            ("timeout", json!(PATIENCE_SECONDS * 1000)),
        ],
        Agent::Cursor => vec![("command", command), ("timeout", json!(PATIENCE_SECONDS))],
        Agent::Windsurf => windsurf(request, event, command),
        Agent::VsCode => {
            vec![("type", json!("command")), ("command", command), ("timeout", json!(PATIENCE_SECONDS))]
        }
    }
}

/// On Windows, Claude Code runs hooks in Git Bash or in PowerShell; without a shell there is nothing to quote.
fn claude_code(request: &Request, event: Event, command: Value) -> Fields {
    let mut fields = vec![("type", json!("command"))];
    if request.platform == Platform::Windows {
        fields.push(("command", json!(request.command)));
        fields.push(("args", json!(hook_arguments(request, event.name))));
    } else {
        fields.push(("command", command));
    }
    fields.push(("timeout", json!(PATIENCE_SECONDS)));
    fields
}

/// Windsurf has a key of its own for PowerShell, and no timeout.
fn windsurf(request: &Request, event: Event, command: Value) -> Fields {
    match request.platform {
        Platform::Windows => {
            vec![("command", json!(hook_command(request, event.name, Shell::Posix))), ("powershell", command)]
        }
        Platform::Linux | Platform::MacOs => vec![("command", command)],
    }
}

/// Whether an entry is one that we wrote for this agent.
pub(super) fn is_ours(entry: &Value, agent: Agent) -> bool {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    if let Some(arguments) = entry.get("args").and_then(Value::as_array) {
        let first: Vec<&str> = arguments.iter().take(2).filter_map(Value::as_str).collect();
        return first == ["hook", agent.name()] && text("command").is_some_and(super::command::is_peri);
    }
    ["command", "powershell"]
        .into_iter()
        .filter_map(text)
        .any(|command| super::command::is_our_hook(command, agent))
}

/// The entry of the server of tools.
pub(super) fn server(request: &Request, kind: ServerKind) -> Fields {
    let mut fields = Fields::new();
    if kind == ServerKind::Named {
        fields.push(("type", json!("stdio")));
    }
    fields.push(("command", json!(request.command)));
    fields.push(("args", json!(["mcp"])));
    if !request.environment.is_empty() {
        fields.push(("env", json!(request.environment)));
    }
    fields
}

/// Whether an agent wants to be told that a server speaks over its standard input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerKind {
    /// It does.
    Named,
    /// It sees it from the command.
    Plain,
}

/// Whether a server of our name is ours.
pub(super) fn is_our_server(entry: &Value) -> bool {
    let command = entry.get("command").and_then(Value::as_str);
    let first = entry.get("args").and_then(|arguments| arguments.get(0)).and_then(Value::as_str);
    command.is_some_and(super::command::is_peri) && first == Some("mcp")
}
