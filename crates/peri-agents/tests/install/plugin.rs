//! The plugin for Claude Code says the same as what is installed.

use std::fs;
use std::path::PathBuf;

use peri_agents::Agent;
use peri_agents::install::{self, Platform, Request};
use serde_json::Value;

use crate::support::{Machine, install};

fn plugins() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../plugins")
}

fn file(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(plugins().join(path)).unwrap()).unwrap()
}

/// What is installed where `peri` is on the path.
fn installed(path: &str) -> Value {
    let machine = Machine::new();
    let request = Request {
        command: "peri".to_owned(),
        platform: Platform::Linux,
        ..machine.request(Agent::ClaudeCode)
    };
    install(&request);
    serde_json::from_str(&machine.read(path)).unwrap()
}

#[test]
fn the_plugin_has_the_hooks_that_are_installed() {
    assert_eq!(file("claude-code/hooks/hooks.json")["hooks"], installed(".claude/settings.json")["hooks"]);
}

#[test]
fn the_plugin_has_the_server_that_is_installed() {
    assert_eq!(file("claude-code/.mcp.json"), installed(".claude.json"));
}

#[test]
fn the_plugin_has_the_version_of_the_program_and_the_marketplace_leads_to_it() {
    let plugin = file("claude-code/.claude-plugin/plugin.json");
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
    let offered = &file(".claude-plugin/marketplace.json")["plugins"][0];
    assert_eq!(offered["name"], plugin["name"]);
    let source = plugins().join(offered["source"].as_str().unwrap());
    assert!(source.join(".claude-plugin/plugin.json").is_file());
}

#[test]
fn every_skill_is_called_like_its_folder_and_says_when_to_use_it() {
    let mut names = Vec::new();
    for entry in fs::read_dir(plugins().join("claude-code/skills")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(folder.join("SKILL.md")).unwrap();
        let head = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
        assert!(head.lines().any(|line| line == format!("name: {name}")), "{name}");
        assert!(head.lines().any(|line| line.starts_with("description: ") && line.len() < 1024), "{name}");
        names.push(name);
    }
    names.sort();
    assert_eq!(names, ["context", "recall", "remember"]);
}

#[test]
fn who_has_the_plugin_is_told_that_hooks_would_run_twice() {
    let machine = Machine::new();
    machine.write(
        ".claude/settings.json",
        r#"{ "enabledPlugins": { "perihelion@perihelion": true, "x@y": true } }"#,
    );
    let told = |request: &Request| install::plan(request).unwrap().notes.join("\n");
    assert!(told(&machine.request(Agent::ClaudeCode)).contains("the plugin perihelion@perihelion"));
    machine.write(".claude/settings.json", r#"{ "enabledPlugins": { "perihelion@perihelion": false } }"#);
    assert!(!told(&machine.request(Agent::ClaudeCode)).contains("plugin"));
}
