//! What agents say to hooks, read into calls.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use peri_agents::Agent;
use peri_agents::hooks::{
    Call, HookError, INPUT_BYTES_MAX, Occasion, Received, Start, TEXT_BYTES_MAX, events, folder_of, read,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const HERE: &str = "/여기/일터";

fn now() -> Timestamp {
    "2026-11-16T23:59:59.5Z".parse().unwrap()
}

fn received<'a>(agent: Agent, event: &'a str, input: &'a [u8]) -> Received<'a> {
    Received { agent, event, input, project: None, folder: Path::new(HERE), at: now() }
}

#[track_caller]
fn call(agent: Agent, event: &str, input: &Value) -> Call {
    read(&received(agent, event, input.to_string().as_bytes())).unwrap()
}

fn prompt(text: &str) -> Occasion {
    Occasion::Prompt { text: text.to_owned() }
}

fn stop(answer: &str) -> Occasion {
    Occasion::Stop { answer: Some(answer.to_owned()) }
}

#[test]
fn every_agent_is_understood_in_its_own_words() {
    let claude = |more: Value| {
        merged(json!({"session_id": "s-1", "transcript_path": "/t/s-1.jsonl", "cwd": "/p/a"}), more)
    };
    let cursor = |more: Value| {
        merged(
            json!({"conversation_id": "c-1", "generation_id": "g", "workspace_roots": ["/p/a", "/p/b"], "transcript_path": null}),
            more,
        )
    };
    let windsurf = |more: Value| merged(json!({"agent_action_name": "x", "trajectory_id": "w-1"}), more);
    let code = |more: Value| {
        merged(
            json!({"timestamp": "2026-02-09T10:30:00Z", "cwd": "/p/a", "sessionId": "v-1", "hookEventName": "x"}),
            more,
        )
    };
    let table = [
        (
            Agent::ClaudeCode,
            "SessionStart",
            claude(json!({"source": "startup"})),
            Occasion::SessionStart { reason: Start::New },
        ),
        (
            Agent::ClaudeCode,
            "SessionStart",
            claude(json!({"source": "resume"})),
            Occasion::SessionStart { reason: Start::Resumed },
        ),
        (
            Agent::ClaudeCode,
            "session-start",
            claude(json!({"source": "clear"})),
            Occasion::SessionStart { reason: Start::Cleared },
        ),
        (
            Agent::Codex,
            "SessionStart",
            claude(json!({"source": "compact"})),
            Occasion::SessionStart { reason: Start::Compacted },
        ),
        (
            Agent::ClaudeCode,
            "UserPromptSubmit",
            claude(json!({"prompt": "로그인을 고쳐 줘"})),
            prompt("로그인을 고쳐 줘"),
        ),
        (
            Agent::ClaudeCode,
            "Stop",
            claude(json!({"stop_hook_active": false, "last_assistant_message": "修好了\n"})),
            stop("修好了"),
        ),
        (
            Agent::ClaudeCode,
            "Stop",
            claude(json!({"stop_hook_active": false})),
            Occasion::Stop { answer: None },
        ),
        (Agent::ClaudeCode, "PreCompact", claude(json!({"trigger": "auto"})), Occasion::BeforeCompaction),
        (Agent::ClaudeCode, "SessionEnd", claude(json!({"reason": "exit"})), Occasion::SessionEnd),
        (Agent::Codex, "UserPromptSubmit", claude(json!({"turn_id": "t", "prompt": "안녕"})), prompt("안녕")),
        (
            Agent::Codex,
            "Stop",
            claude(json!({"last_assistant_message": null})),
            Occasion::Stop { answer: None },
        ),
        (
            Agent::Codex,
            "agent-turn-complete",
            json!({"type": "agent-turn-complete", "thread-id": "n-1", "cwd": "/p/a", "last-assistant-message": "끝"}),
            stop("끝"),
        ),
        (
            Agent::Cursor,
            "sessionStart",
            cursor(json!({"session_id": "other", "composer_mode": "agent"})),
            Occasion::SessionStart { reason: Start::New },
        ),
        (
            Agent::Cursor,
            "beforeSubmitPrompt",
            cursor(json!({"prompt": "해 줘", "attachments": []})),
            prompt("해 줘"),
        ),
        (Agent::Cursor, "afterAgentResponse", cursor(json!({"text": "했다"})), stop("했다")),
        (Agent::Cursor, "stop", cursor(json!({"status": "completed"})), Occasion::Stop { answer: None }),
        (Agent::Cursor, "preCompact", cursor(json!({"trigger": "auto"})), Occasion::BeforeCompaction),
        (Agent::Cursor, "sessionEnd", cursor(json!({"reason": "completed"})), Occasion::SessionEnd),
        (Agent::Gemini, "BeforeAgent", claude(json!({"prompt": "看看"})), prompt("看看")),
        (Agent::Gemini, "AfterAgent", claude(json!({"prompt": "看看", "prompt_response": "好"})), stop("好")),
        (
            Agent::Gemini,
            "AfterAgent",
            claude(json!({"prompt": "看看", "prompt_response": "[no response text]"})),
            Occasion::Stop { answer: None },
        ),
        (Agent::Gemini, "PreCompress", claude(json!({"trigger": "manual"})), Occasion::BeforeCompaction),
        (
            Agent::Windsurf,
            "pre_user_prompt",
            windsurf(json!({"tool_info": {"user_prompt": "봐"}})),
            prompt("봐"),
        ),
        (
            Agent::Windsurf,
            "post_cascade_response",
            windsurf(json!({"tool_info": {"response": "봤다"}})),
            stop("봤다"),
        ),
        (
            Agent::VsCode,
            "SessionStart",
            code(json!({"source": "new"})),
            Occasion::SessionStart { reason: Start::New },
        ),
        (Agent::VsCode, "UserPromptSubmit", code(json!({"prompt": "써"})), prompt("써")),
        (Agent::VsCode, "Stop", code(json!({"stop_hook_active": false})), Occasion::Stop { answer: None }),
    ];
    for (agent, event, input, occasion) in table {
        let call = call(agent, event, &input);
        assert_eq!(call.occasion, occasion, "{agent} {event} {input}");
        assert_eq!((call.agent, call.at), (agent, now()));
        let session =
            ["s-1", "c-1", "w-1", "v-1", "n-1"].into_iter().find(|session| *session == call.session);
        assert!(session.is_some(), "{agent} {event}: {}", call.session);
        let folder = if agent == Agent::Windsurf { HERE } else { "/p/a" };
        assert_eq!(call.folder, Path::new(folder), "{agent} {event}");
        let transcript = (call.session == "s-1").then(|| PathBuf::from("/t/s-1.jsonl"));
        assert_eq!(call.transcript, transcript, "{agent} {event}");
    }
}

fn merged(mut base: Value, more: Value) -> Value {
    let fields = more.as_object().unwrap().clone();
    base.as_object_mut().unwrap().extend(fields);
    base
}

#[test]
fn every_event_in_the_table_is_read_even_if_nothing_is_told() {
    for agent in Agent::ALL {
        for event in events(agent) {
            for input in ["", "  \r\n", "{}", "\u{feff}{\"unknown\": [1]}"] {
                let call = read(&received(agent, event.name, input.as_bytes())).unwrap();
                assert_eq!(call.occasion.kind(), event.occasion, "{agent} {input:?}");
                assert_eq!(call.folder, Path::new(HERE));
                assert!(
                    call.session.starts_with(agent.name()) && call.session.ends_with("2026-11-16"),
                    "{call:?}"
                );
            }
        }
    }
}

#[test]
fn a_session_without_a_name_is_that_of_the_folder_and_the_day() {
    let session = |folder: &str, at: &str| {
        let input = json!({"cwd": folder, "prompt": "x"}).to_string();
        let received = received(Agent::Codex, "UserPromptSubmit", input.as_bytes());
        read(&Received { at: at.parse().unwrap(), ..received }).unwrap().session
    };
    let today = session("/프로젝트", "2026-11-16T00:00:00Z");
    assert_eq!(today, session("/프로젝트/./", "2026-11-16T23:59:59Z"));
    assert_ne!(today, session("/프로젝트", "2026-11-17T00:00:00Z"));
    assert_ne!(today, session("/项目", "2026-11-16T00:00:00Z"));
}

#[test]
fn folders_are_absolute_whatever_is_said() {
    let folder = |input: Value, project: Option<&str>| {
        let input = input.to_string();
        let received = received(Agent::ClaudeCode, "Stop", input.as_bytes());
        read(&Received { project: project.map(Path::new), ..received }).unwrap().folder
    };
    let check = |input: Value, project: Option<&str>, expected: &str| {
        assert_eq!(folder(input.clone(), project), Path::new(expected), "{input} {project:?}");
    };
    check(json!({"cwd": "sub/./x/.."}), None, "/여기/일터/sub");
    check(json!({"cwd": ""}), None, HERE);
    check(json!({"cwd": 7}), None, HERE);
    check(json!({"cwd": "../../.."}), None, "/");
    check(json!({"cwd": "/a/deep"}), Some("/a"), "/a");
    check(json!({"cwd": "/a/deep"}), Some("not/absolute"), "/a/deep");
    check(json!({"cwd": "/a/deep", "workspaceRoots": ["", "/b"]}), Some("/a"), "/b");
    check(json!({"cwd": "/널\u{0}"}), None, "/널\u{fffd}");
}

#[test]
fn a_transcript_beside_the_folder_is_found_and_an_empty_one_is_none() {
    let transcript = |path: Value| {
        call(Agent::Gemini, "SessionEnd", &json!({"cwd": "/a", "transcriptPath": path})).transcript
    };
    assert_eq!(transcript(json!("t.jsonl")), Some(PathBuf::from("/a/t.jsonl")));
    assert_eq!(transcript(json!("")), None);
    assert_eq!(transcript(json!(null)), None);
    assert_eq!(transcript(json!(["/x"])), None);
}

#[test]
fn events_that_mean_nothing_here_are_told_apart_from_what_cannot_be_read() {
    for (agent, event) in [
        (Agent::ClaudeCode, "PreToolUse"),
        (Agent::ClaudeCode, "SubagentStop"),
        (Agent::Windsurf, "SessionStart"),
        (Agent::Gemini, ""),
        (Agent::Codex, "한글"),
    ] {
        let error = read(&received(agent, event, b"not even json")).unwrap_err();
        assert_eq!(error, HookError::UnknownEvent { agent, event: event.to_owned() });
    }
    for input in ["[]", "7", "null", "\"글\"", "{", "{\"prompt\": }", "prompt=hello"] {
        let error = read(&received(Agent::ClaudeCode, "Stop", input.as_bytes())).unwrap_err();
        assert!(matches!(error, HookError::Unreadable { .. }), "{input}: {error}");
    }
    let deep = "[".repeat(100_000);
    let error = read(&received(Agent::ClaudeCode, "Stop", deep.as_bytes())).unwrap_err();
    assert!(matches!(error, HookError::Unreadable { .. }));
}

#[test]
fn agents_that_run_hooks_of_claude_code_too_are_passed_over_there_and_heard_at_their_own() {
    let cursor = json!({"conversation_id": "c", "cursor_version": "3.20.17", "workspace_roots": ["/p"], "prompt": "x"});
    let code = json!({"sessionId": "v", "prompt": "x", "transcript_path": "/c/User/workspaceStorage/1/GitHub.copilot-chat/transcripts/v.jsonl"});
    for (other, input) in [(Agent::Cursor, &cursor), (Agent::VsCode, &code)] {
        let text = input.to_string();
        let answer = read(&received(Agent::ClaudeCode, "UserPromptSubmit", text.as_bytes()));
        assert_eq!(answer, Err(HookError::OtherAgent { agent: Agent::ClaudeCode, other }));
    }
    assert_eq!(call(Agent::Cursor, "beforeSubmitPrompt", &cursor).occasion, prompt("x"));
    assert_eq!(call(Agent::VsCode, "UserPromptSubmit", &code).occasion, prompt("x"));
}

#[test]
fn no_more_is_read_than_eight_megabytes_and_long_prompts_are_cut() {
    let long = "가".repeat(TEXT_BYTES_MAX / 3);
    assert_eq!(call(Agent::Codex, "UserPromptSubmit", &json!({"prompt": long})).occasion, prompt(&long));
    let longer = format!("{long}나다라");
    let Occasion::Prompt { text } =
        call(Agent::Codex, "UserPromptSubmit", &json!({"prompt": longer})).occasion
    else {
        panic!("a prompt stays a prompt");
    };
    assert!(text.starts_with(&long) && text.len() < TEXT_BYTES_MAX + 100, "{}", text.len());
    assert!(text.ends_with("more bytes were left out]"));
    let Occasion::Stop { answer: Some(answer) } =
        call(Agent::Codex, "Stop", &json!({"last_assistant_message": longer})).occasion
    else {
        panic!("an answer stays an answer");
    };
    assert_eq!(answer, text);
    let huge = vec![b' '; INPUT_BYTES_MAX + 1];
    assert_eq!(read(&received(Agent::Codex, "Stop", &huge)), Err(HookError::TooLong { agent: Agent::Codex }));
    assert!(read(&received(Agent::Codex, "Stop", &huge[1..])).is_ok());
}

#[test]
fn text_that_is_badly_encoded_or_not_the_users_is_read_as_well_as_can_be() {
    let input = b"{\"prompt\": \"\xED\x95\x9C\xFF \\ud83d x\", \"session_id\": \"a\\u0000b\"}";
    let call = read(&received(Agent::ClaudeCode, "UserPromptSubmit", input)).unwrap();
    assert_eq!(call.occasion, prompt("한\u{fffd} \u{fffd} x"));
    assert_eq!(call.session, "a b");
    let input = json!({"prompt": "<task-notification>done</task-notification>"});
    assert_eq!(self::call(Agent::ClaudeCode, "UserPromptSubmit", &input).occasion, prompt(""));
    let input = json!({"prompt": [{"type": "text", "text": "하나"}, {"type": "image"}, {"type": "text", "text": "둘"}]});
    assert_eq!(self::call(Agent::ClaudeCode, "UserPromptSubmit", &input).occasion, prompt("하나\n\n둘"));
}

#[test]
fn a_session_may_have_any_name_and_a_very_long_one_is_shortened_alike_each_time() {
    let session = |name: Value| call(Agent::Cursor, "stop", &json!({"conversation_id": name})).session;
    assert_eq!(session(json!(" 회의 ")), "회의");
    assert_eq!(session(json!(42)), "42");
    assert!(session(json!("  ")).starts_with("cursor-"));
    let long = session(json!("긴".repeat(10_000)));
    assert_eq!(long.len(), 64);
    assert_eq!(long, session(json!("긴".repeat(10_000))));
    assert_ne!(long, session(json!("긴".repeat(10_001))));
}

#[test]
fn folders_of_one_repository_are_one_project() {
    let root = tempfile::tempdir().unwrap();
    let project = root.path().join("프로젝트");
    std::fs::create_dir_all(project.join("crates/a/src")).unwrap();
    std::fs::create_dir_all(root.path().join("other/sub")).unwrap();
    std::fs::write(project.join(".git"), "gitdir: elsewhere\n").unwrap();
    let folder =
        |below: &Path| folder_of(&call(Agent::Codex, "Stop", &json!({"cwd": below.to_str().unwrap()})));
    assert_eq!(folder(&project.join("crates/a/src")), project);
    assert_eq!(folder(&project), project);
    assert_eq!(folder(&project.join("not/there")), project);
    assert_eq!(folder(&root.path().join("other/sub")), root.path().join("other/sub"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("session_id".to_owned()),
        Just("cwd".to_owned()),
        Just("prompt".to_owned()),
        Just("tool_info".to_owned()),
        Just("source".to_owned()),
        Just("last_assistant_message".to_owned()),
        Just("workspace_roots".to_owned()),
        Just("transcript_path".to_owned()),
        Just("text".to_owned()),
        "\\PC{0,6}",
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::hash_map(name.clone(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(input in proptest::collection::vec(any::<u8>(), 0..300), event in "\\PC{0,12}") {
        for agent in Agent::ALL {
            read(&received(agent, &event, &input)).ok();
            for event in events(agent) {
                read(&received(agent, event.name, &input)).ok();
            }
        }
    }

    #[test]
    fn any_object_is_a_call_that_reads_back(input in any_json()) {
        for agent in Agent::ALL {
            for event in events(agent) {
                let text = input.to_string();
                let Ok(call) = read(&received(agent, event.name, text.as_bytes())) else {
                    prop_assert!(!input.is_object(), "{input}");
                    continue;
                };
                prop_assert_eq!(call.occasion.kind(), event.occasion);
                prop_assert!(call.folder.is_absolute() && !call.session.trim().is_empty(), "{:?}", call);
                prop_assert!(!call.session.contains('\0'));
                let written = serde_json::to_string(&call).unwrap();
                prop_assert_eq!(serde_json::from_str::<Call>(&written).unwrap(), call);
            }
        }
    }
}
