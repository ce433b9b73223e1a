//! Entries of ours from earlier, and entries of others with our name.

use peri_agents::Agent;
use peri_agents::install::{self, InstallError};
use serde_json::{Value, json};

use crate::support::{Machine, install, uninstall};

fn json(machine: &Machine, path: &str) -> Value {
    serde_json::from_str(&machine.read(path)).unwrap()
}

#[test]
fn another_path_of_peri_is_brought_up_to_date_everywhere() {
    for agent in Agent::ALL {
        let old = Machine::new();
        for mut request in old.requests(agent) {
            install(&request);
            request.command = "/새 곳/peri".to_owned();
            install(&request);
            assert!(install(&request).is_empty(), "{agent}");
            for (path, text) in old.files() {
                assert!(!text.contains("/usr/local/bin/peri"), "{path}");
            }
            uninstall(&request);
            assert_eq!(old.files(), [], "{agent}");
        }
    }
}

#[test]
fn events_we_no_longer_use_go_and_double_entries_become_one() {
    let machine = Machine::new();
    machine.write(
        ".cursor/hooks.json",
        r#"{ "version": 1, "hooks": {
            "stop": [{ "command": "/old/peri hook cursor stop" }],
            "beforeReadFile": [{ "command": "peri hook cursor beforeReadFile" }, { "command": "lint" }],
            "sessionStart": [
                { "command": "first" },
                { "command": "/old/peri hook cursor sessionStart", "timeout": 60, "failClosed": false },
                { "command": "peri hook cursor session-start" }
            ] } }"#,
    );
    install(&machine.request(Agent::Cursor));
    let hooks = &json(&machine, ".cursor/hooks.json")["hooks"];
    assert_eq!(hooks.get("stop"), None);
    assert_eq!(hooks["beforeReadFile"], json!([{ "command": "lint" }]));
    assert_eq!(
        hooks["sessionStart"],
        json!([
            { "command": "first" },
            { "command": "/usr/local/bin/peri hook cursor sessionStart", "timeout": 5, "failClosed": false },
        ])
    );
    assert_eq!(hooks["sessionEnd"][0]["command"], "/usr/local/bin/peri hook cursor sessionEnd");
}

#[test]
fn what_a_user_added_to_our_server_stays() {
    let machine = Machine::new();
    machine.write(
        ".cursor/mcp.json",
        r#"{ "mcpServers": { "perihelion": { "command": "/old/peri", "args": ["mcp", "--tools", "all"], "env": { "PERI_LOG": "debug" } } } }"#,
    );
    let mut request = machine.request(Agent::Cursor);
    request.environment.insert("PERI_HOME".to_owned(), "/기억".to_owned());
    let plan = install::plan(&request).unwrap();
    assert!(plan.notes.iter().any(|note| note.contains("keeps PERI_LOG")), "{:?}", plan.notes);
    install::apply(&plan).unwrap();
    assert_eq!(
        json(&machine, ".cursor/mcp.json")["mcpServers"]["perihelion"],
        json!({
            "command": "/usr/local/bin/peri",
            "args": ["mcp", "--tools", "all"],
            "env": { "PERI_LOG": "debug", "PERI_HOME": "/기억" },
        })
    );
}

#[test]
fn our_server_of_codex_is_brought_up_to_date_in_every_way_it_can_be_written() {
    for before in [
        "[mcp_servers.perihelion]\ncommand = \"/old/peri\" # hier\nargs = [\"mcp\"]\n\n[mcp_servers.perihelion.env]\nA = \"1\"\n",
        "mcp_servers = { perihelion = { command = \"/old/peri\", args = [\"mcp\"], env = { A = \"1\" } } }\n",
        "[mcp_servers]\nperihelion.command = \"/old/peri\"\nperihelion.args = [\"mcp\"]\nperihelion.env.A = \"1\"\n",
    ] {
        let machine = Machine::new();
        machine.write(".codex/config.toml", before);
        let mut request = machine.request(Agent::Codex);
        request.environment.insert("PERI_HOME".to_owned(), "/기억".to_owned());
        install(&request);
        let after = machine.read(".codex/config.toml");
        assert!(after.contains("/usr/local/bin/peri") && !after.contains("/old/"), "{after}");
        assert!(after.contains("A = \"1\"") && after.contains("PERI_HOME = \"/기억\""), "{after}");
        assert!(install(&request).is_empty(), "{after}");
        uninstall(&request);
        let mut left = machine.files().into_iter().filter(|(path, _)| !path.ends_with(".peri-backup"));
        assert!(left.all(|(_, text)| !text.contains("peri")), "{before}");
    }
}

#[test]
fn a_foreign_server_of_our_name_is_told_and_nothing_is_changed() {
    let foreign = [
        (Agent::Cursor, ".cursor/mcp.json", r#"{"mcpServers":{"perihelion":{"url":"http://x"}}}"#),
        (
            Agent::Cursor,
            ".cursor/mcp.json",
            r#"{"mcpServers":{"perihelion":{"command":"npx","args":["mcp"]}}}"#,
        ),
        (
            Agent::Cursor,
            ".cursor/mcp.json",
            r#"{"mcpServers":{"perihelion":{"command":"peri","args":["serve"]}}}"#,
        ),
        (Agent::Cursor, ".cursor/mcp.json", r#"{"mcpServers":{"perihelion":"peri"}}"#),
        (Agent::Codex, ".codex/config.toml", "[mcp_servers.perihelion]\nurl = \"http://x\"\n"),
        (Agent::Codex, ".codex/config.toml", "[mcp_servers]\nperihelion = 1\n"),
    ];
    for (agent, path, text) in foreign {
        let machine = Machine::new();
        machine.write(path, text);
        let before = machine.files();
        let error = install::plan(&machine.request(agent)).unwrap_err();
        assert!(matches!(error, InstallError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains("rename or remove it"), "{error}");
        assert!(uninstall(&machine.request(agent)).is_empty(), "what is not ours is left");
        assert_eq!(machine.files(), before);
    }
}

#[test]
fn hooks_of_others_that_only_look_like_ours_are_left_alone() {
    let machine = Machine::new();
    let text = r#"{"hooks":{"Stop":[{"hooks":[
        {"type":"command","command":"cd x && peri hook claude-code Stop"},
        {"type":"command","command":"peri hook codex Stop"},
        {"type":"command","command":"perimeter hook claude-code Stop"},
        {"type":"prompt","prompt":"peri hook claude-code Stop"}]}]}}"#;
    machine.write(".claude/settings.json", text);
    assert!(uninstall(&machine.request(Agent::ClaudeCode)).is_empty());
    install(&machine.request(Agent::ClaudeCode));
    let groups = &json(&machine, ".claude/settings.json")["hooks"]["Stop"];
    assert_eq!(groups[0]["hooks"].as_array().unwrap().len(), 4);
    assert_eq!(groups.as_array().unwrap().len(), 2);
    uninstall(&machine.request(Agent::ClaudeCode));
    assert_eq!(machine.read(".claude/settings.json"), text);
}

#[test]
fn our_hook_in_a_group_of_somebody_else_leaves_the_group() {
    let machine = Machine::new();
    let text = r#"{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"peri hook codex Stop"}]}]}}"#;
    machine.write(".codex/hooks.json", text);
    uninstall(&machine.request(Agent::Codex));
    assert_eq!(
        json(&machine, ".codex/hooks.json"),
        json!({ "hooks": { "Stop": [{ "matcher": "*", "hooks": [] }] } })
    );
}
