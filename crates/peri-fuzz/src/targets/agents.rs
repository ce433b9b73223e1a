//! What agents say to hooks and write into their records, and their settings, which we edit.

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use peri_agents::Agent;
use peri_agents::hooks::transcript::{self, Limits, Reading, Rest};
use peri_agents::hooks::{Inbox, Received, answer, events, read};
use peri_agents::install::{Request, apply, plan, plan_removal};

use crate::given::{self, is_for_people, stays_as_json};

/// What hooks are told: a call that reads back as it was, or a refusal that does not repeat what was said.
pub(crate) fn hook_input(data: &[u8]) {
    let (choice, input) = given::choice(data);
    let agent = Agent::ALL[choice % Agent::ALL.len()];
    let known = events(agent);
    let event = known[(choice / Agent::ALL.len()) % known.len()].name;
    let received = Received {
        agent,
        event,
        input,
        project: None,
        folder: Path::new("/work"),
        at: Timestamp::UNIX_EPOCH,
    };
    match read(&received) {
        Ok(call) => {
            assert!(!call.session.trim().is_empty() && call.session.len() <= 512, "{:?}", call.session);
            assert!(call.folder.is_absolute(), "{:?}", call.folder);
            stays_as_json(&call);
            let printed = answer(agent, &call.occasion, &given::text(input));
            assert!(printed.is_empty() || printed.len() <= 64 * 1024 + 16 * input.len());
        }
        Err(error) => is_for_people(&error),
    }
}

/// Records of agents: read at once or by pieces, the same is heard; every message says something.
pub(crate) fn transcripts(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let agent = Agent::ALL[choice % Agent::ALL.len()];
    let folder = tempfile::tempdir().expect("a folder for the record");
    let path = folder.path().join("record.jsonl");
    fs::write(&path, data).expect("the record is written");
    let limits = Limits { line_bytes_max: 4096, ..Limits::default() };
    let whole = Reading { agent, path: &path, from: 0, at: Timestamp::UNIX_EPOCH, limits };
    let Ok(heard) = transcript::read(&whole) else { return };
    assert!(heard.messages.iter().all(|said| !said.text.trim().is_empty()));
    assert!(heard.next <= data.len() as u64);
    let pieces = Limits { messages_max: 1, ..limits };
    let mut joined = transcript::read(&Reading { limits: pieces, ..whole }).expect("the file is there");
    for _ in 0..data.len() {
        if joined.rest == Rest::None {
            break;
        }
        let next = Reading { from: joined.next, limits: pieces, ..whole };
        joined = joined.and(transcript::read(&next).expect("the file is there"));
    }
    assert_eq!(joined, heard);
    let turns = transcript::turns(&whole).expect("the file is there");
    for turn in &turns.turns {
        assert!(!turn.prompt.trim().is_empty() && turn.deeds.len() <= 200);
        turn.deeds.iter().for_each(|deed| drop(deed.text()));
    }
}

/// Settings of agents: what cannot be edited safely is left alone; otherwise installing and taking back gives the
/// same bytes, and installing twice is installing once.
pub(crate) fn settings_files(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let (agent, file) = SETTINGS[choice % SETTINGS.len()];
    let home = tempfile::tempdir().expect("a home");
    let path = home.path().join(file);
    fs::create_dir_all(path.parent().expect("below the home")).expect("folders are made");
    fs::write(&path, data).expect("the settings are written");
    let request = Request::new(agent, home.path(), "/usr/local/bin/peri");
    match plan(&request) {
        Ok(installing) => {
            apply(&installing).expect("what was planned can be written");
            let again = plan(&request).expect("what we wrote can be read");
            assert!(again.files.is_empty(), "installing twice is installing once: {:?}", again.files);
            let removing = plan_removal(&request).expect("what we wrote can be taken back");
            apply(&removing).expect("what was planned can be written");
        }
        Err(error) => is_for_people(&error),
    }
    assert_eq!(fs::read(&path).expect("the file is still there"), data);
}

const SETTINGS: &[(Agent, &str)] = &[
    (Agent::ClaudeCode, ".claude/settings.json"),
    (Agent::ClaudeCode, ".claude.json"),
    (Agent::Codex, ".codex/config.toml"),
    (Agent::Codex, ".codex/hooks.json"),
    (Agent::Gemini, ".gemini/settings.json"),
    (Agent::Cursor, ".cursor/mcp.json"),
    (Agent::Cursor, ".cursor/hooks.json"),
    (Agent::Windsurf, ".codeium/windsurf/mcp_config.json"),
];

/// Calls that wait in the inbox: whatever lies there is handed out or put aside, and the inbox gets empty.
pub(crate) fn inbox(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the inbox");
    let inbox = Inbox::at(folder.path());
    let input: &[u8] = b"{}";
    let received = Received {
        agent: Agent::ClaudeCode,
        event: "SessionStart",
        input,
        project: None,
        folder: Path::new("/work"),
        at: Timestamp::UNIX_EPOCH,
    };
    let id = inbox.put(&read(&received).expect("a plain call")).expect("the call is kept");
    for entry in fs::read_dir(folder.path()).expect("the inbox is a folder").flatten() {
        if entry.file_name().to_string_lossy().contains(id.as_str()) {
            fs::write(entry.path(), data).expect("the call is damaged");
        }
    }
    let mut claim = inbox.claim().expect("the inbox can be claimed").expect("nobody else has it");
    while let Some((id, call)) = claim.next_call().expect("the next call") {
        stays_as_json(&call);
        claim.done(&id).expect("it is done");
    }
    drop(claim);
    // What a later release wrote waits for one, and what is sealed for its key.
    if data.starts_with(b"PERISEAL") {
        return;
    }
    let version = serde_json::from_str::<serde_json::Value>(&given::text(data))
        .ok()
        .and_then(|call| call["version"].as_u64());
    assert!(
        version.is_some_and(|version| version > 1) || inbox.is_empty().expect("the inbox can be counted")
    );
}
