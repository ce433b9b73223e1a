//! What is written for agents on Windows.

use peri_agents::Agent;
use peri_agents::install::{self, Platform, Request};
use serde_json::{Value, json};

use crate::support::{Machine, install, uninstall};

const SPACED: &str = r"C:\Users\홍 길동\bin\peri.exe";

fn on_windows(machine: &Machine, agent: Agent, command: &str) -> Request {
    Request { platform: Platform::Windows, command: command.to_owned(), ..machine.request(agent) }
}

fn json(machine: &Machine, path: &str) -> Value {
    serde_json::from_str(&machine.read(path)).unwrap()
}

#[test]
fn claude_code_runs_hooks_without_a_shell() {
    let machine = Machine::new();
    let request = on_windows(&machine, Agent::ClaudeCode, SPACED);
    install(&request);
    assert_eq!(
        json(&machine, ".claude/settings.json")["hooks"]["Stop"][0]["hooks"][0],
        json!({ "type": "command", "command": SPACED, "args": ["hook", "claude-code", "Stop"], "timeout": 5 })
    );
    assert!(install(&request).is_empty());
    uninstall(&request);
    assert_eq!(machine.files(), []);
}

#[test]
fn each_shell_gets_its_own_quotes_and_our_hooks_are_found_again() {
    let written = [
        (Agent::Cursor, ".cursor/hooks.json", "/hooks/sessionEnd/0/command", "\"{}\" hook cursor sessionEnd"),
        (Agent::Codex, ".codex/hooks.json", "/hooks/Stop/0/hooks/0/command", "\"{}\" hook codex Stop"),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            "/hooks/AfterAgent/0/hooks/0/command",
            "& '{}' hook gemini AfterAgent",
        ),
        (
            Agent::Windsurf,
            ".codeium/windsurf/hooks.json",
            "/hooks/pre_user_prompt/0/powershell",
            "& '{}' hook windsurf pre_user_prompt",
        ),
        (Agent::VsCode, ".copilot/hooks/perihelion.json", "/hooks/Stop/0/command", "& '{}' hook vscode Stop"),
    ];
    for (agent, path, pointer, expected) in written {
        let machine = Machine::new();
        let request = on_windows(&machine, agent, SPACED);
        let plan = install::plan(&request).unwrap();
        assert!(plan.notes.iter().any(|note| note.contains("may not start it")), "{agent}");
        install(&request);
        let command = json(&machine, path);
        assert_eq!(command.pointer(pointer).unwrap(), &expected.replace("{}", SPACED), "{agent}");
        assert!(install(&request).is_empty(), "{agent}");
        uninstall(&request);
        assert_eq!(machine.files(), [], "{agent}");
    }
}

#[test]
fn a_plain_path_is_written_as_it_is_and_needs_no_warning() {
    for agent in Agent::ALL {
        let machine = Machine::new();
        let plan = install::plan(&on_windows(&machine, agent, r"C:\tools\peri.exe")).unwrap();
        assert!(!plan.notes.iter().any(|note| note.contains("may not start it")), "{agent}");
    }
}

#[test]
fn settings_lie_in_the_roaming_folder() {
    let machine = Machine::new();
    install(&on_windows(&machine, Agent::VsCode, "peri"));
    assert!(machine.home().join("AppData/Roaming/Code/User/mcp.json").exists());
    let mac = Request { platform: Platform::MacOs, ..machine.request(Agent::VsCode) };
    install(&mac);
    assert!(machine.home().join("Library/Application Support/Code/User/mcp.json").exists());
}

#[test]
fn hooks_from_a_windows_home_are_rewritten_for_a_posix_shell() {
    let machine = Machine::new();
    install(&on_windows(&machine, Agent::ClaudeCode, SPACED));
    install(&machine.request(Agent::ClaudeCode));
    assert_eq!(
        json(&machine, ".claude/settings.json")["hooks"]["Stop"],
        json!([{ "hooks": [{ "type": "command", "command": "/usr/local/bin/peri hook claude-code Stop", "timeout": 5 }] }])
    );
}
