//! What is written where nothing was.

use std::fmt::Write as _;

use peri_agents::Agent;
use peri_agents::install::{self, Folders, Parts, Platform};

use crate::support::{Machine, install, uninstall};

fn server(key: &str, kind: &str) -> String {
    format!(
        "{{\n  \"{key}\": {{\n    \"perihelion\": {{\n{kind}      \"command\": \"/usr/local/bin/peri\",\n      \
         \"args\": [\"mcp\"]\n    }}\n  }}\n}}\n"
    )
}

const STDIO: &str = "      \"type\": \"stdio\",\n";

fn grouped(agent: &str, name: &str, events: &[(&str, u32)]) -> String {
    let mut text = String::from("  \"hooks\": {\n");
    for (index, (event, timeout)) in events.iter().enumerate() {
        let comma = if index + 1 == events.len() { "" } else { "," };
        write!(
            text,
            "    \"{event}\": [\n      {{\n        \"hooks\": [\n          {{\n{name}            \"type\": \"command\",\n            \
             \"command\": \"/usr/local/bin/peri hook {agent} {event}\",\n            \"timeout\": {timeout}\n          \
             }}\n        ]\n      }}\n    ]{comma}\n"
        )
        .unwrap();
    }
    text + "  }\n"
}

fn flat(agent: &str, kind: &str, end: &str, events: &[&str]) -> String {
    let mut text = String::from("  \"hooks\": {\n");
    for (index, event) in events.iter().enumerate() {
        let comma = if index + 1 == events.len() { "" } else { "," };
        write!(
            text,
            "    \"{event}\": [\n      {{\n{kind}        \"command\": \"/usr/local/bin/peri hook {agent} {event}\"{end}\n      \
             }}\n    ]{comma}\n"
        )
        .unwrap();
    }
    text + "  }\n"
}

const FIVE: &str = ",\n        \"timeout\": 5";
const COMMAND: &str = "        \"type\": \"command\",\n";

/// Installs for the user of an empty machine, compares every file, and takes everything back.
fn check(agent: Agent, expected: &[(&str, String)]) {
    let machine = Machine::new();
    let request = machine.request(agent);
    install(&request);
    let mut wanted: Vec<(String, String)> =
        expected.iter().map(|(path, text)| (format!("홍 길동/{path}"), text.clone())).collect();
    wanted.sort();
    assert_eq!(machine.files(), wanted);
    assert!(install(&request).is_empty(), "the second time there is nothing to do");
    uninstall(&request);
    assert_eq!(machine.files(), []);
}

const CLAUDE: [(&str, u32); 5] =
    [("SessionStart", 5), ("UserPromptSubmit", 5), ("Stop", 5), ("PreCompact", 5), ("SessionEnd", 5)];

#[test]
fn claude_code_gets_its_server_and_five_hooks() {
    check(
        Agent::ClaudeCode,
        &[
            (".claude.json", server("mcpServers", STDIO)),
            (".claude/settings.json", format!("{{\n{}}}\n", grouped("claude-code", "", &CLAUDE))),
        ],
    );
}

#[test]
fn cursor_gets_its_server_and_five_hooks() {
    let events = ["sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "preCompact", "sessionEnd"];
    check(
        Agent::Cursor,
        &[
            (".cursor/mcp.json", server("mcpServers", "")),
            (
                ".cursor/hooks.json",
                format!("{{\n  \"version\": 1,\n{}}}\n", flat("cursor", "", FIVE, &events)),
            ),
        ],
    );
}

#[test]
fn codex_gets_its_server_and_five_hooks_the_last_of_which_is_short() {
    let config = "[mcp_servers.perihelion]\ncommand = \"/usr/local/bin/peri\"\nargs = [\"mcp\"]\n";
    let mut events = CLAUDE;
    events[4].1 = 3;
    check(
        Agent::Codex,
        &[
            (".codex/config.toml", config.to_owned()),
            (".codex/hooks.json", format!("{{\n{}}}\n", grouped("codex", "", &events))),
        ],
    );
}

#[test]
fn gemini_gets_both_in_one_file_with_patience_in_milliseconds() {
    let events = ["SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"];
    let hooks =
        grouped("gemini", "            \"name\": \"perihelion\",\n", &events.map(|event| (event, 5000)));
    let servers = server("mcpServers", "");
    let servers = servers.strip_suffix("\n}\n").unwrap();
    check(Agent::Gemini, &[(".gemini/settings.json", format!("{servers},\n{hooks}}}\n"))]);
}

#[test]
fn windsurf_gets_its_server_two_hooks_and_a_rule_in_place_of_the_others() {
    let machine = Machine::new();
    let plan = install::plan(&machine.request(Agent::Windsurf)).unwrap();
    let told = plan.notes.join("\n");
    for part in
        ["has no hook for: the start of a session", "cannot hand memories to the model", "Devin Local"]
    {
        assert!(told.contains(part), "{told}");
    }
    let rule = plan.files.iter().find(|file| file.path.ends_with("global_rules.md")).unwrap();
    let rule = rule.after.clone().unwrap();
    assert!(rule.contains("`memory_recall`") && rule.contains("`memory_store`"));
    check(
        Agent::Windsurf,
        &[
            (".codeium/windsurf/mcp_config.json", server("mcpServers", "")),
            (".codeium/windsurf/memories/global_rules.md", rule),
            (
                ".codeium/windsurf/hooks.json",
                format!(
                    "{{\n{}}}\n",
                    flat("windsurf", "", "", &["pre_user_prompt", "post_cascade_response"])
                ),
            ),
        ],
    );
}

#[test]
fn devin_gets_the_server_too_where_its_folder_is() {
    let machine = Machine::new();
    machine.write(".config/devin/config.json", "{}");
    let request = machine.request(Agent::Windsurf);
    install(&request);
    assert_eq!(machine.read(".config/devin/mcp_config.json"), server("mcpServers", ""));
    assert_eq!(machine.read(".config/devin/config.json"), "{}");
    uninstall(&request);
    assert!(!machine.home().join(".config/devin/mcp_config.json").exists());
}

#[test]
fn visual_studio_code_gets_its_server_and_a_file_of_hooks_of_our_own() {
    let events = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact"];
    check(
        Agent::VsCode,
        &[
            (".config/Code/User/mcp.json", server("servers", STDIO)),
            (
                ".copilot/hooks/perihelion.json",
                format!("{{\n  \"version\": 1,\n{}}}\n", flat("vscode", COMMAND, FIVE, &events)),
            ),
        ],
    );
}

#[test]
fn a_project_has_places_of_its_own_and_leaves_no_trace() {
    let places: [(Agent, &[&str]); 6] = [
        (Agent::ClaudeCode, &[".claude/settings.json", ".mcp.json"]),
        (Agent::Cursor, &[".cursor/hooks.json", ".cursor/mcp.json"]),
        (Agent::Codex, &[".codex/config.toml", ".codex/hooks.json"]),
        (Agent::Gemini, &[".gemini/settings.json"]),
        (
            Agent::Windsurf,
            &[".devin/mcp_config.json", ".windsurf/hooks.json", ".windsurf/rules/perihelion.md"],
        ),
        (Agent::VsCode, &[".github/hooks/perihelion.json", ".vscode/mcp.json"]),
    ];
    for (agent, expected) in places {
        let machine = Machine::new();
        let request = machine.project_request(agent);
        install(&request);
        let written: Vec<String> = machine.files().into_iter().map(|(path, _)| path).collect();
        let expected: Vec<String> = expected.iter().map(|path| format!("project/{path}")).collect();
        assert_eq!(written, expected, "{agent}");
        assert!(install(&request).is_empty(), "{agent}");
        uninstall(&request);
        assert_eq!(machine.files(), [], "{agent}");
    }
}

#[test]
fn each_part_comes_and_goes_alone() {
    for agent in Agent::ALL {
        for (first, second) in [(Parts::Mcp, Parts::Hooks), (Parts::Hooks, Parts::Mcp)] {
            let whole = Machine::new();
            install(&whole.request(agent));
            let machine = Machine::new();
            let only = |parts| install::Request { parts, ..machine.request(agent) };
            install(&only(first));
            let with_first = machine.files();
            install(&only(second));
            assert_eq!(machine.files().len(), whole.files().len(), "{agent}");
            uninstall(&only(second));
            assert_eq!(machine.files(), with_first, "{agent} {second:?}");
            uninstall(&only(first));
            assert_eq!(machine.files(), [], "{agent} {first:?}");
        }
    }
}

#[test]
fn folders_that_were_moved_are_followed() {
    let machine = Machine::new();
    let moved = machine.home().join("옮긴 곳");
    let folders = Folders {
        config: Some(moved.join("config")),
        claude: Some(moved.join("claude")),
        codex: Some(moved.join("codex")),
        copilot: Some(moved.join("copilot")),
        ..Folders::of(machine.home())
    };
    for agent in [Agent::ClaudeCode, Agent::Codex, Agent::VsCode] {
        let request = install::Request { folders: folders.clone(), ..machine.request(agent) };
        for file in install(&request) {
            assert!(file.starts_with(&moved), "{}", file.display());
        }
    }
    assert!(moved.join("claude/.claude.json").exists());
    assert!(moved.join("config/Code/User/mcp.json").exists());
}

#[test]
fn agents_are_found_by_their_folders() {
    let machine = Machine::new();
    let found = || install::detect(&Folders::of(machine.home()), Platform::Linux);
    assert_eq!(found(), []);
    machine.write(".gemini/settings.json", "{}");
    machine.write(".claude/settings.json", "{}");
    machine.write(".config/devin/config.json", "{}");
    machine.write(".codex", "a file is not a folder");
    assert_eq!(found(), [Agent::ClaudeCode, Agent::Gemini, Agent::Windsurf]);
}
