//! Settings that cannot be edited: the file, the line and the way out are told, and nothing is changed anywhere.

use peri_agents::Agent;
use peri_agents::install::{self, Request};
use proptest::prelude::*;

use crate::support::Machine;

fn refused(agent: Agent, path: &str, text: &[u8]) -> String {
    let machine = Machine::new();
    let file = machine.write(path, "");
    std::fs::write(&file, text).unwrap();
    let before = machine.files();
    let request = machine.request(agent);
    let error = install::plan(&request).unwrap_err().to_string();
    assert_eq!(machine.files(), before);
    assert!(error.contains(file.to_str().unwrap()) && error.contains("nothing was changed"), "{error}");
    error
}

#[test]
fn a_damaged_file_is_told_with_its_line() {
    let damaged = [
        (Agent::ClaudeCode, ".claude/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}", "line 2"),
        (Agent::Gemini, ".gemini/settings.json", "{\n\n  \"한\": ", "line 3"),
        (Agent::Cursor, ".cursor/hooks.json", "{ 'single': 1 }", "line 1"),
        (Agent::VsCode, ".config/Code/User/mcp.json", "{\r\n\"servers\": {\r\n\"a\": nope }}", "line 3"),
        (Agent::Codex, ".codex/config.toml", "a = 1\nb = \n", "line 2"),
        (Agent::Codex, ".codex/config.toml", "[a]\n[b]\n[a]\n", "line 3"),
        (Agent::Codex, ".codex/hooks.json", "{}{}", "line 1"),
    ];
    for (agent, path, text, line) in damaged {
        let error = refused(agent, path, text.as_bytes());
        assert!(error.contains(line) && error.contains("mend that line"), "{error}");
    }
}

#[test]
fn a_setting_of_the_wrong_form_is_told_by_its_key() {
    let wrong = [
        (Agent::Cursor, ".cursor/mcp.json", "[]", "the whole file should be an object"),
        (Agent::Cursor, ".cursor/mcp.json", r#"{"mcpServers": []}"#, "mcpServers should be an object"),
        (Agent::Cursor, ".cursor/hooks.json", r#"{"hooks": null}"#, "hooks should be an object"),
        (
            Agent::Cursor,
            ".cursor/hooks.json",
            r#"{"hooks": {"sessionStart": {}}}"#,
            "hooks.sessionStart should be a list",
        ),
        (Agent::Codex, ".codex/config.toml", "mcp_servers = 3", "mcp_servers should be a table"),
        (
            Agent::Cursor,
            ".cursor/mcp.json",
            r#"{"mcpServers": {}, "mcpServers": {}}"#,
            "mcpServers is there twice",
        ),
    ];
    for (agent, path, text, told) in wrong {
        let error = refused(agent, path, text.as_bytes());
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn what_is_not_text_is_told() {
    let error = refused(Agent::Gemini, ".gemini/settings.json", b"{\"a\": \"\xff\"}");
    assert!(error.contains("not UTF-8"), "{error}");
}

#[test]
fn a_folder_in_place_of_a_file_is_told() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.home().join(".cursor/mcp.json")).unwrap();
    let error = install::plan(&machine.request(Agent::Cursor)).unwrap_err();
    assert!(error.to_string().contains("cannot read"), "{error}");
}

#[test]
fn a_command_that_is_not_peri_is_refused() {
    let machine = Machine::new();
    let request = Request { command: "/usr/bin/python3".to_owned(), ..machine.request(Agent::Cursor) };
    let error = install::plan(&request).unwrap_err();
    assert!(error.to_string().contains("its file name is not peri"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_content_of_a_file_makes_planning_panic_or_write(
        text in prop_oneof![
            any::<Vec<u8>>(),
            r#"[ \n{}\[\],:"a-c\\u0-9/*가#=.]{0,60}"#.prop_map(String::into_bytes),
        ],
    ) {
        for (agent, path) in [(Agent::Gemini, ".gemini/settings.json"), (Agent::Codex, ".codex/config.toml")] {
            let machine = Machine::new();
            let file = machine.write(path, "");
            std::fs::write(&file, &text).unwrap();
            let before = machine.files();
            let planned = install::plan(&machine.request(agent));
            let removal = install::plan_removal(&machine.request(agent));
            prop_assert!(removal.map_or(true, |plan| plan.files.is_empty()) || planned.is_ok());
            prop_assert_eq!(machine.files(), before);
        }
    }
}
