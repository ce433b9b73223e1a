//! The edges of hooks: records that come late or never, bad input, and folders that cannot be used.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use peri_agents::Agent;
use peri_agents::hooks::OccasionKind;
use serde_json::{Value, json};

use super::machine::{Death, End, HookCall, Kills, Machine};
use super::simulation::Week;
use super::story;
use crate::support::Peri;

/// A session whose hooks are run one by one.
struct Desk {
    machine: Machine,
    agent: Agent,
    project: PathBuf,
    record: PathBuf,
}

impl Desk {
    fn new(agent: Agent, record: &str) -> Self {
        let machine = Machine::new(1, Kills::None);
        let (project, record) = (machine.folder("책상"), machine.folder("기록").join(record));
        Self { machine, agent, project, record }
    }

    /// Runs a hook, and waits until what it told is worked off.
    fn tell(&mut self, occasion: OccasionKind, more: Value) {
        let mut input = json!({"session_id": "s", "transcript_path": self.record, "cwd": self.project});
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let call = HookCall { agent: self.agent, occasion, input, folder: self.project.clone() };
        let run = self.machine.hook(&call, Death::None);
        assert_eq!(run.end, End::Done, "{run:?}");
        self.machine.settle();
    }

    fn record(&self, role: &str, text: &str, at: &str) {
        let line =
            json!({"type": role, "uuid": at, "timestamp": at, "message": {"role": role, "content": text}});
        let before = std::fs::read_to_string(&self.record).unwrap_or_default();
        std::fs::write(&self.record, format!("{before}{line}\n")).unwrap();
    }

    /// What the journal holds, in order.
    fn kept(&self) -> Vec<String> {
        let all = self.machine.json(&["-n", "*", "journal", "list", "--oldest-first"]);
        let entries = all["entries"].as_array().unwrap().iter();
        entries.map(|entry| entry["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn a_prompt_that_comes_before_its_record_is_kept_once() {
    let mut desk = Desk::new(Agent::ClaudeCode, "s.jsonl");
    desk.tell(OccasionKind::SessionStart, json!({"source": "startup"}));
    desk.tell(OccasionKind::Prompt, json!({"prompt": "기록보다 먼저 온 말"}));
    desk.record("user", "기록보다 먼저 온 말", "2026-11-02T09:00:00Z");
    desk.record("assistant", "知道了", "2026-11-02T09:00:01Z");
    desk.tell(OccasionKind::Stop, json!({"last_assistant_message": "知道了"}));
    desk.tell(OccasionKind::SessionEnd, json!({"reason": "exit"}));
    assert_eq!(desk.kept(), ["기록보다 먼저 온 말", "知道了"]);
}

#[test]
fn prompts_whose_record_never_comes_are_kept_as_the_hook_told_them() {
    let mut desk = Desk::new(Agent::ClaudeCode, "never.jsonl");
    for (prompt, answer) in [("first", "one"), ("둘째", "two")] {
        desk.tell(OccasionKind::Prompt, json!({ "prompt": prompt }));
        desk.tell(OccasionKind::Stop, json!({ "last_assistant_message": answer }));
    }
    assert_eq!(desk.kept(), ["first", "one", "둘째", "two"]);
}

#[test]
fn prompts_whose_record_cannot_be_read_are_kept_as_the_hook_told_them() {
    let mut desk = Desk::new(Agent::Gemini, "old.json");
    std::fs::write(&desk.record, "{\"messages\": []}").unwrap();
    desk.tell(OccasionKind::Prompt, json!({"prompt": "看看"}));
    desk.tell(OccasionKind::Stop, json!({"prompt_response": "好"}));
    assert_eq!(desk.kept(), ["看看", "好"]);
}

#[test]
fn what_came_with_one_prompt_after_a_compaction_does_not_come_with_the_next() {
    let mut week = Week::new(1, Kills::None);
    week.live(&story::sessions(
        "=== first claude-code harbor 2026-11-02T09:00:00Z
> We never deploy on Fridays, the carriers have no support then.
< Good to know.
=== second claude-code harbor 2026-11-02T10:00:00Z
> Good morning.
< Good morning.
! compact
> On which days do we never deploy?
< Let me look.
> So, on which days do we never deploy?
< On Fridays.",
    ));
    assert_eq!(week.given_twice(), Vec::<String>::new());
    assert_eq!(week.faults_of_journal(), Vec::<String>::new());
}

/// Runs a hook that must end well and print nothing but an answer.
#[track_caller]
fn check_quiet(peri: &Peri, args: &[&str], input: &[u8]) {
    let run = peri.run_with(args, input);
    assert_eq!(run.code, 0, "{args:?}: {run:?}");
    let is_answer = serde_json::from_str::<Value>(&run.out).is_ok_and(|answer| answer.is_object());
    assert!(run.out.is_empty() || is_answer, "{args:?}: {run:?}");
}

#[test]
fn whatever_an_agent_says_it_is_neither_failed_nor_answered_with_nonsense() {
    let peri = Peri::new();
    let deep = "[".repeat(100_000);
    let inputs: [&[u8]; 9] = [
        b"",
        b"{}",
        b"null",
        b"[1, 2]",
        b"not JSON",
        b"\xff\xfe\x00",
        b"{\"session_id\": 7, \"cwd\": {}, \"transcript_path\": [], \"prompt\": 1.5}",
        "{\"session_id\": \"\u{0}\u{1}세션\", \"cwd\": \"없는/곳\", \"prompt\": \"\\ud83d\"}".as_bytes(),
        deep.as_bytes(),
    ];
    for input in inputs {
        for args in [
            ["hook", "claude-code", "SessionStart"],
            ["hook", "cursor", "beforeSubmitPrompt"],
            ["hook", "windsurf", "post_cascade_response"],
            ["hook", "claude-code", "알 수 없는 일"],
            ["hook", "nobody", "SessionStart"],
        ] {
            check_quiet(&peri, &args, input);
        }
    }
    check_quiet(&peri, &["hook", "claude-code"], b"{}");
    check_quiet(&peri, &["hook", "codex", "Stop", "--more", "그리고"], b"{}");
}

#[test]
fn an_agent_that_never_ends_its_input_is_not_kept_waiting() {
    let peri = Peri::new();
    let mut command = peri.process();
    command.args(["hook", "claude-code", "SessionStart"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let input = child.stdin.take();
    let status = child.wait().unwrap();
    drop(input);
    assert!(status.success(), "{status}");
}

#[test]
fn a_folder_that_cannot_be_used_or_is_damaged_fails_no_hook() {
    let input = json!({"session_id": "s", "prompt": "안녕"}).to_string();
    type Spoil = fn(&Path);
    let spoil: [(&str, Spoil); 5] = [
        ("the data folder is a file", |home| std::fs::write(home, "a file").unwrap()),
        ("the store is damaged", |home| {
            std::fs::create_dir(home).unwrap();
            std::fs::write(home.join("perihelion.db"), "no database".repeat(1000)).unwrap();
        }),
        ("the inbox is a file", |home| {
            std::fs::create_dir(home).unwrap();
            std::fs::write(home.join("hooks"), "a file").unwrap();
        }),
        ("the notes are a file", |home| {
            std::fs::create_dir(home).unwrap();
            std::fs::write(home.join("notes"), "a file").unwrap();
        }),
        ("the configuration is broken", |home| {
            std::fs::create_dir(home).unwrap();
            std::fs::write(home.join("perihelion.toml"), "[notes\nidle = ").unwrap();
        }),
    ];
    for (what, spoil) in spoil {
        let peri = Peri::new();
        spoil(&peri.home());
        for event in ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"] {
            let run = peri.run_with(&["hook", "claude-code", event], input.as_bytes());
            assert_eq!((run.code, run.out.as_str()), (0, ""), "{what}, {event}: {run:?}");
        }
    }
}

#[test]
fn a_store_that_another_program_holds_fails_no_hook() {
    let peri = Peri::new();
    peri.remember(&["배포는 금요일에 하지 않는다"]);
    let store = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    for begin in ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"] {
        store.execute_batch(begin).unwrap();
        let input = json!({"session_id": "s", "prompt": "언제 배포하나?"}).to_string();
        for event in ["SessionStart", "UserPromptSubmit", "Stop"] {
            check_quiet(&peri, &["hook", "claude-code", event], input.as_bytes());
        }
        store.execute_batch("ROLLBACK").unwrap();
    }
}
