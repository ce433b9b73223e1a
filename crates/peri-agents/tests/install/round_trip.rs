//! For settings of any content and form: installing and taking back gives the same bytes; without the copy of the
//! original, it gives the same settings with the same comments.

use std::fs;

use peri_agents::Agent;
use peri_agents::install::Request;
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::support::{Machine, install, uninstall};

/// Settings that hold anything, and often servers and hooks of others.
fn settings() -> impl Strategy<Value = Value> {
    let key = prop_oneof!["[a-z]{1,4}", Just("키".to_owned()), Just("a\"b\\c".to_owned())];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ -~가-나一二]{0,8}".prop_map(Value::from),
    ];
    let any_value = leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(key.clone(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    let servers = prop::collection::hash_map("[a-z]{2,5}", any_value.clone(), 0..3);
    let event = prop_oneof![
        Just("SessionStart"),
        Just("sessionStart"),
        Just("Stop"),
        Just("pre_user_prompt"),
        Just("x")
    ];
    let hooks = prop::collection::hash_map(event, prop::collection::vec(any_value.clone(), 0..3), 0..4);
    let rest = prop::collection::hash_map("[a-z]{1,5}", any_value, 0..4);
    (prop::option::of(servers), prop::option::of(hooks), rest).prop_map(|(servers, hooks, rest)| {
        let mut root: Map<String, Value> = rest.into_iter().filter(|(key, _)| key != "hooks").collect();
        if let Some(servers) = servers {
            let servers: Map<String, Value> = servers.into_iter().collect();
            root.insert("mcpServers".to_owned(), Value::Object(servers.clone()));
            root.insert("servers".to_owned(), Value::Object(servers));
        }
        if let Some(hooks) = hooks {
            let hooks = hooks.into_iter().map(|(event, list)| (event.to_owned(), Value::from(list)));
            root.insert("hooks".to_owned(), Value::Object(hooks.collect()));
        }
        Value::Object(root)
    })
}

/// Writes a value in a form that is drawn anew at every step.
struct Writer {
    draws: Vec<u8>,
    next: usize,
    comments: usize,
    text: String,
}

impl Writer {
    fn draw(&mut self, one_in: u8) -> bool {
        self.next += 1;
        self.draws[self.next % self.draws.len()].is_multiple_of(one_in)
    }

    fn write(&mut self, value: &Value, indent: &str) {
        match value {
            Value::Object(fields) => {
                let parts: Vec<_> = fields.iter().map(|(key, value)| (Some(key), value)).collect();
                self.container(('{', '}'), &parts, indent);
            }
            Value::Array(values) => {
                let parts: Vec<_> = values.iter().map(|value| (None, value)).collect();
                self.container(('[', ']'), &parts, indent);
            }
            leaf => self.text.push_str(&leaf.to_string()),
        }
    }

    fn container(&mut self, brackets: (char, char), parts: &[(Option<&String>, &Value)], indent: &str) {
        let lines = self.draw(2);
        let inner = format!("{indent}\t");
        self.text.push(brackets.0);
        for (index, (key, value)) in parts.iter().enumerate() {
            if lines {
                self.text.push_str(&format!("\n{inner}"));
                if self.draw(4) {
                    self.comments += 1;
                    self.text.push_str(&format!("// 주석 {}\n{inner}", self.comments));
                }
            } else if self.draw(2) {
                self.text.push(' ');
            }
            if let Some(key) = key {
                let colon = if self.draw(3) { ":" } else { ": " };
                self.text.push_str(&format!("{}{colon}", Value::from(key.as_str())));
            }
            self.write(value, &inner);
            if index + 1 < parts.len() || (lines && self.draw(4)) {
                self.text.push(',');
            }
        }
        if lines {
            self.text.push_str(&format!("\n{indent}"));
        }
        self.text.push(brackets.1);
    }
}

fn written(value: &Value, draws: Vec<u8>) -> (String, usize) {
    let mut writer = Writer { draws, next: 0, comments: 0, text: String::new() };
    writer.write(value, "");
    let end = writer.draw(2);
    let mut text = writer.text.clone() + if end { "\n" } else { "" };
    if writer.draw(3) {
        text = text.replace('\n', "\r\n");
    }
    if writer.draw(5) {
        text.insert(0, '\u{feff}');
    }
    (text, writer.comments)
}

const FILES: [(Agent, &[&str]); 5] = [
    (Agent::ClaudeCode, &[".claude.json", ".claude/settings.json"]),
    (Agent::Cursor, &[".cursor/mcp.json", ".cursor/hooks.json"]),
    (Agent::Gemini, &[".gemini/settings.json"]),
    (Agent::Windsurf, &[".codeium/windsurf/mcp_config.json", ".codeium/windsurf/hooks.json"]),
    (Agent::VsCode, &[".config/Code/User/mcp.json", ".copilot/hooks/perihelion.json"]),
];

fn prepared(agent: usize, text: &str) -> (Machine, Request, Vec<String>) {
    let (agent, paths) = FILES[agent];
    let machine = Machine::new();
    for path in paths {
        machine.write(path, text);
    }
    let request = machine.request(agent);
    (machine, request, paths.iter().map(|path| (*path).to_owned()).collect())
}

/// What settings say, without servers and hooks that are empty and without the version of a form.
fn meaning(text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    let mut value: Value =
        jsonc_parser::parse_to_serde_value(text, &jsonc_parser::ParseOptions::default()).unwrap();
    if let Some(root) = value.as_object_mut() {
        root.remove("version");
        if let Some(hooks) = root.get_mut("hooks").and_then(Value::as_object_mut) {
            hooks.retain(|_, list| list.as_array().is_none_or(|list| !list.is_empty()));
        }
        for key in ["hooks", "servers", "mcpServers"] {
            if root.get(key).and_then(Value::as_object).is_some_and(Map::is_empty) {
                root.remove(key);
            }
        }
    }
    value
}

/// Pieces of a `config.toml` that may follow each other in any order.
const PIECES: [&str; 9] = [
    "# 주석\n",
    "\n\n",
    "[mcp_servers.docs]\ncommand = \"npx\" # 문서\nargs = [\n  \"-y\", # 예\n  \"docs\",\n]\n",
    "[mcp_servers.docs.env]\n\"열쇠\" = '값'\n",
    "[projects.\"/작업 1\"]\ntrust_level = \"trusted\"\n",
    "[[profiles]]\nname = \"a\"\n",
    "[[profiles]]\nname = \"\"\"b\n  c\"\"\"\n",
    "  [indented]\n  x   =   0x10\n  when = 2026-11-16T01:02:03Z\n",
    "[features]\nhooks = true\n",
];

fn config() -> impl Strategy<Value = String> {
    let servers = prop_oneof![
        4 => Just(""),
        1 => Just("mcp_servers = { a = { command = \"x\" } }\n"),
        1 => Just("mcp_servers.a.command = \"x\"\nmcp_servers.a.args = []\n"),
    ];
    let pieces =
        prop::sample::subsequence((0..PIECES.len()).collect::<Vec<_>>(), 0..PIECES.len()).prop_shuffle();
    (servers, pieces, any::<bool>(), any::<bool>()).prop_map(|(servers, pieces, windows, mark)| {
        let mut text = format!("model = \"gpt\"\n{servers}");
        for piece in pieces {
            if servers.is_empty() || !PIECES[piece].starts_with("[mcp_servers") {
                text.push_str(PIECES[piece]);
            }
        }
        let text = if windows { text.replace('\n', "\r\n") } else { text };
        if mark { format!("\u{feff}{text}") } else { text }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn taking_back_gives_the_same_bytes(
        agent in 0..FILES.len(),
        value in settings(),
        draws in prop::collection::vec(any::<u8>(), 16..64),
    ) {
        let (text, _) = written(&value, draws);
        let (machine, request, paths) = prepared(agent, &text);
        let before = machine.files();
        install(&request);
        let installed = machine.files();
        prop_assert!(install(&request).is_empty(), "installing twice changed something");
        prop_assert_eq!(machine.files(), installed);
        for path in &paths {
            prop_assert!(machine.read(path).contains("/usr/local/bin/peri"));
        }
        uninstall(&request);
        let after: Vec<_> = machine.files().into_iter().filter(|(path, _)| before.iter().any(|(old, _)| old == path)).collect();
        prop_assert_eq!(after, before);
        prop_assert!(uninstall(&request).is_empty());
    }

    #[test]
    fn without_the_copy_the_settings_and_comments_of_others_stay(
        agent in 0..FILES.len(),
        value in settings(),
        draws in prop::collection::vec(any::<u8>(), 16..64),
    ) {
        let (text, comments) = written(&value, draws);
        let (machine, request, paths) = prepared(agent, &text);
        install(&request);
        for path in &paths {
            let installed = machine.read(path);
            for number in 1..=comments {
                let comment = format!("// 주석 {number}");
                prop_assert!(installed.lines().any(|line| line.trim() == comment), "{}", installed);
            }
            fs::remove_file(machine.home().join(format!("{path}.peri-backup"))).unwrap();
        }
        uninstall(&request);
        for path in &paths {
            let file = machine.home().join(path);
            if !file.exists() {
                prop_assert_eq!(meaning(&text), Value::Object(Map::new()));
                continue;
            }
            let after = machine.read(path);
            prop_assert_eq!(meaning(&after), meaning(&text));
            prop_assert_eq!(after.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
            for number in 1..=comments {
                let comment = format!("// 주석 {number}");
                prop_assert!(after.lines().any(|line| line.trim() == comment), "{} is gone: {}", comment, after);
            }
        }
    }

    #[test]
    fn the_toml_of_codex_comes_back_too(text in config()) {
        let machine = Machine::new();
        let file = machine.write(".codex/config.toml", &text);
        let request = machine.request(Agent::Codex);
        install(&request);
        prop_assert!(install(&request).is_empty());
        let installed = machine.read(".codex/config.toml");
        for line in text.split_inclusive('\n') {
            let line = line.trim_start_matches('\u{feff}');
            let is_touched = line.starts_with("mcp_servers = {");
            prop_assert!(is_touched || installed.contains(line), "{:?} is gone: {}", line, installed);
        }
        let copy = file.with_file_name("config.toml.peri-backup");
        let kept = fs::read(&copy).unwrap();
        fs::remove_file(&copy).unwrap();
        uninstall(&request);
        prop_assert_eq!(machine.read(".codex/config.toml"), text.clone(), "without the copy");
        fs::write(&file, installed).unwrap();
        fs::write(&copy, kept).unwrap();
        uninstall(&request);
        prop_assert_eq!(machine.read(".codex/config.toml"), text);
    }
}
