//! Settings that people have: comments, other servers, other hooks, odd line endings.

use peri_agents::Agent;
use peri_agents::install::{self, Backup};

use crate::support::{Machine, install, uninstall};

const CLAUDE_SETTINGS: &str = r#"{
	// 내가 쓰는 모델
	"model": "opus",
	"permissions": { "allow": ["Bash(git diff:*)"], "deny": [] },
	"hooks": {
		/* 다른 도구의 훅 */
		"SessionStart": [
			{
				"matcher": "startup",
				"hooks": [{ "type": "command", "command": "'/opt/도구 모음/start.sh'", "timeout": 30 }],
			},
		],
		"PreToolUse": [
			{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] },
		],
	},
}
"#;

#[test]
fn comments_order_tabs_and_trailing_commas_of_others_stay() {
    let machine = Machine::new();
    machine.write(".claude/settings.json", CLAUDE_SETTINGS);
    let request = machine.request(Agent::ClaudeCode);
    install(&request);
    let after = machine.read(".claude/settings.json");
    let kept = CLAUDE_SETTINGS.lines().filter(|line| !after.lines().any(|other| other == *line));
    assert_eq!(kept.count(), 0, "{after}");
    let started = "\t\t\t},\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\
                   \"command\": \"/usr/local/bin/peri hook claude-code SessionStart\",\n\t\t\t\t\t\t\"timeout\": 5,\n";
    assert!(after.contains(started), "{after}");
    uninstall(&request);
    assert_eq!(machine.read(".claude/settings.json"), CLAUDE_SETTINGS);
}

#[test]
fn without_the_copy_of_the_original_what_is_left_is_the_same_where_containers_span_lines() {
    let machine = Machine::new();
    let file = machine.write(".claude/settings.json", CLAUDE_SETTINGS);
    let request = machine.request(Agent::ClaudeCode);
    install(&request);
    std::fs::remove_file(file.with_file_name("settings.json.peri-backup")).unwrap();
    uninstall(&request);
    assert_eq!(machine.read(".claude/settings.json"), CLAUDE_SETTINGS);
}

#[test]
fn windows_line_endings_and_a_byte_order_mark_stay() {
    let machine = Machine::new();
    let before = "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"파일\": { \"command\": \"npx\" }\r\n  }\r\n}\r\n";
    machine.write(".cursor/mcp.json", before);
    let request = machine.request(Agent::Cursor);
    install(&request);
    assert_eq!(
        machine.read(".cursor/mcp.json"),
        "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"파일\": { \"command\": \"npx\" },\r\n    \"perihelion\": {\r\n      \
         \"command\": \"/usr/local/bin/peri\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n"
    );
    uninstall(&request);
    assert_eq!(machine.read(".cursor/mcp.json"), before);
}

const CODEX: &str = "# 내 설정\r\nmodel = \"gpt-5\"   # 빠른 것\r\n\r\n[mcp_servers.docs]\r\ncommand = 'npx'\r\n\
                     args = [ \"-y\",  \"docs\" ]\r\n\r\n[mcp_servers.docs.env]\r\nKEY = \"열쇠\"\r\n\r\n[projects.\"/작업\"]\r\n\
                     trust_level = \"trusted\"\r\n# 끝\r\n";

#[test]
fn the_toml_of_codex_keeps_every_line_of_its_owner() {
    let machine = Machine::new();
    machine.write(".codex/config.toml", CODEX);
    let request = machine.request(Agent::Codex);
    install(&request);
    let after = machine.read(".codex/config.toml");
    let ours = "[mcp_servers.perihelion]\r\ncommand = \"/usr/local/bin/peri\"\r\nargs = [\"mcp\"]\r\n";
    let (head, tail) = after.split_once(ours).unwrap_or_else(|| panic!("{after}"));
    assert!(!tail.contains("perihelion"));
    let others: Vec<&str> = head.split_inclusive('\n').chain(tail.split_inclusive('\n')).collect();
    for line in CODEX.split_inclusive('\n') {
        assert!(others.contains(&line), "{line:?} is gone from {after}");
    }
    uninstall(&request);
    assert_eq!(machine.read(".codex/config.toml"), CODEX);
}

#[test]
fn servers_of_codex_in_one_line_or_with_dots_are_understood() {
    for before in [
        "mcp_servers = { docs = { command = \"npx\" } }\n",
        "mcp_servers.docs.command = \"npx\"\nmodel = \"x\"\n",
        "[mcp_servers]\ndocs = { command = \"npx\" }\n",
        "[mcp_servers]\n# noch leer\n[other]\n",
    ] {
        let machine = Machine::new();
        let file = machine.write(".codex/config.toml", before);
        let request = machine.request(Agent::Codex);
        install(&request);
        assert!(machine.read(".codex/config.toml").contains("perihelion"), "{before}");
        assert!(install(&request).is_empty(), "{before}");
        std::fs::remove_file(file.with_file_name("config.toml.peri-backup")).unwrap();
        uninstall(&request);
        let after = machine.read(".codex/config.toml");
        assert!(!after.contains("perihelion") && after.contains("npx") == before.contains("npx"), "{after}");
    }
}

#[test]
fn what_others_wrote_after_us_stays_when_we_go() {
    let machine = Machine::new();
    machine.write(".gemini/settings.json", "{\n  \"theme\": \"밤\"\n}\n");
    let request = machine.request(Agent::Gemini);
    install(&request);
    let edited =
        machine.read(".gemini/settings.json").replace("\"밤\"", "\"낮\", // 바꿨다\n  \"vimMode\": true");
    machine.write(".gemini/settings.json", &edited);
    let plan = install::plan_removal(&request).unwrap();
    assert!(plan.notes[0].contains("settings.json.peri-backup"), "{:?}", plan.notes);
    install::apply(&plan).unwrap();
    assert_eq!(
        machine.read(".gemini/settings.json"),
        "{\n  \"theme\": \"낮\", // 바꿨다\n  \"vimMode\": true\n}\n"
    );
    assert_eq!(machine.read(".gemini/settings.json.peri-backup"), "{\n  \"theme\": \"밤\"\n}\n");
}

#[test]
fn the_original_is_copied_once_and_goes_when_it_is_given_back() {
    let machine = Machine::new();
    let before = "{ \"a\": 1 }";
    machine.write(".cursor/mcp.json", before);
    let mut request = machine.request(Agent::Cursor);
    let plan = install::plan(&request).unwrap();
    assert!(matches!(&plan.files[0].backup, Backup::Make(path) if path.ends_with("mcp.json.peri-backup")));
    install::apply(&plan).unwrap();
    request.command = "/elsewhere/peri".to_owned();
    install(&request);
    assert_eq!(machine.read(".cursor/mcp.json.peri-backup"), before);
    uninstall(&request);
    assert_eq!(machine.read(".cursor/mcp.json"), before);
    assert!(!machine.home().join(".cursor/mcp.json.peri-backup").exists());
}

#[test]
fn halves_of_characters_in_texts_of_others_do_not_matter() {
    let machine = Machine::new();
    let before = "{\n  \"history\": [\"cut \\ud83d\", \"whole \\ud83d\\ude00\"]\n}\n";
    machine.write(".claude.json", before);
    let request = machine.request(Agent::ClaudeCode);
    install(&request);
    let after = machine.read(".claude.json");
    assert!(
        after.contains("\"cut \\ud83d\", \"whole \\ud83d\\ude00\"") && after.contains("perihelion"),
        "{after}"
    );
    uninstall(&request);
    assert_eq!(machine.read(".claude.json"), before);
}

#[test]
fn empty_files_and_empty_objects_come_back_as_they_were() {
    for before in
        ["", "\n", "{}", "{}\n", "{ }", "// nur ein Satz\n", "{\n}\n", "{\"hooks\":{},\"mcpServers\":{}}"]
    {
        for (agent, path) in [
            (Agent::Gemini, ".gemini/settings.json"),
            (Agent::Cursor, ".cursor/hooks.json"),
            (Agent::ClaudeCode, ".claude.json"),
        ] {
            let machine = Machine::new();
            machine.write(path, before);
            let request = machine.request(agent);
            install(&request);
            assert!(machine.read(path).contains("perihelion") || machine.read(path).contains("/peri hook"));
            assert!(install(&request).is_empty());
            uninstall(&request);
            assert_eq!(machine.read(path), before, "{agent}");
        }
    }
}

#[test]
fn a_rule_joins_the_rules_of_the_user() {
    let machine = Machine::new();
    let path = ".codeium/windsurf/memories/global_rules.md";
    let before = "# 규칙\r\n\r\n- 한국어로 답한다";
    machine.write(path, before);
    let request = machine.request(Agent::Windsurf);
    install(&request);
    assert!(machine.read(path).starts_with(&format!("{before}\r\n\r\n<!-- perihelion: begin -->\r\n")));
    uninstall(&request);
    assert_eq!(machine.read(path), before);
}
