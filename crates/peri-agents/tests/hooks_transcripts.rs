//! What was said, heard in the records of agents.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use peri_agents::Agent;
use peri_agents::hooks::transcript::{
    DeedResult, Form, Heard, Limits, Reading, Rest, Role, TranscriptError, Turn, TurnEnd, form, read, turns,
};
use proptest::prelude::*;

const USER: Role = Role::User;
const AGENT: Role = Role::Assistant;

fn now() -> Timestamp {
    "2026-11-16T17:30:00Z".parse().unwrap()
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts").join(name)
}

fn known() -> [(Agent, &'static str); 5] {
    [
        (Agent::ClaudeCode, "claude-code.jsonl"),
        (Agent::Codex, "codex.jsonl"),
        (Agent::Gemini, "gemini.jsonl"),
        (Agent::Cursor, "cursor.jsonl"),
        (Agent::VsCode, "vscode.jsonl"),
    ]
}

fn reading(agent: Agent, path: &Path, from: u64) -> Reading<'_> {
    Reading { agent, path, from, at: now(), limits: Limits::default() }
}

#[track_caller]
fn hear(agent: Agent, path: &Path, from: u64) -> Heard {
    read(&reading(agent, path, from)).unwrap()
}

fn words(heard: &Heard) -> Vec<(Role, &str)> {
    heard.messages.iter().map(|said| (said.role, said.text.as_str())).collect()
}

/// What is heard in a file with this content.
#[track_caller]
fn hear_text(agent: Agent, text: &[u8]) -> Heard {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    hear(agent, file.path(), 0)
}

#[test]
fn claude_code_is_heard_without_tools_thoughts_commands_and_what_hooks_put_in() {
    let heard = hear(Agent::ClaudeCode, &fixture("claude-code.jsonl"), 0);
    let expected = [
        (USER, "/model opus"),
        (USER, "로그인이 안 된다. 고쳐 줘"),
        (AGENT, "먼저 코드를 본다.\n\n그리고 시험도 본다."),
        (USER, "토큰은 한 시간만 쓴다"),
        (AGENT, "고쳤다. 令牌有效期为一小时。"),
        (USER, "好的，谢谢"),
    ];
    assert_eq!(words(&heard), expected);
    assert_eq!((heard.tools, heard.unreadable, heard.rest), (3, 1, Rest::None));
    assert_eq!(heard.next, fixture("claude-code.jsonl").metadata().unwrap().len());
    let ids: Vec<_> = heard.messages.iter().map(|said| said.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["u1", "u3", "msg_1", "q1", "msg_2", "u8"]);
    assert_eq!(heard.messages[2].at, "2026-11-16T09:00:06Z".parse().unwrap());
}

#[test]
fn codex_is_heard_by_its_events_old_and_new() {
    let heard = hear(Agent::Codex, &fixture("codex.jsonl"), 0);
    let expected = [(USER, "시험을 돌려 줘"), (AGENT, "모두 통과했다."), (USER, "很好"), (AGENT, "고맙다.")];
    assert_eq!(words(&heard), expected);
    assert_eq!((heard.tools, heard.unreadable), (2, 0));
}

#[test]
fn gemini_is_heard_once_however_often_it_writes_a_message() {
    let heard = hear(Agent::Gemini, &fixture("gemini.jsonl"), 0);
    let expected = [(USER, "@a.rs 를 설명해 줘"), (AGENT, "이것은 함수다."), (USER, "再解释一次")];
    assert_eq!(words(&heard), expected);
    assert_eq!((heard.tools, heard.unreadable), (1, 0));
}

#[test]
fn cursor_is_heard_at_the_time_of_the_call_and_in_order() {
    let heard = hear(Agent::Cursor, &fixture("cursor.jsonl"), 0);
    let expected =
        [(USER, "단추를 옮겨 줘"), (AGENT, "옮기겠다."), (AGENT, "옮겼다。完成。"), (USER, "고마워")];
    assert_eq!(words(&heard), expected);
    assert_eq!((heard.tools, heard.unreadable), (2, 0));
    assert!(heard.messages.windows(2).all(|pair| pair[0].at < pair[1].at), "no two at one time");
    assert!(heard.messages.iter().all(|said| said.at.duration_since(now()) < SignedDuration::from_millis(1)));
    assert_eq!(heard, hear(Agent::Cursor, &fixture("cursor.jsonl"), 0), "the times are stable");
}

#[test]
fn visual_studio_code_is_heard_without_agents_below_and_skills() {
    let heard = hear(Agent::VsCode, &fixture("vscode.jsonl"), 0);
    assert_eq!(words(&heard), [(USER, "형을 고쳐 줘"), (AGENT, "改好了。")]);
    assert_eq!((heard.tools, heard.unreadable), (2, 0));
    assert_eq!(heard.messages[1].id.as_deref(), Some("m2"));
}

#[test]
fn what_hooks_put_in_is_never_heard() {
    for (agent, name) in known() {
        let heard = hear(agent, &fixture(name), 0);
        let put_in = heard.messages.iter().find(|said| said.text.contains("끼어든"));
        assert_eq!(put_in, None, "{agent}");
    }
}

#[test]
fn records_that_nobody_can_read_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.jsonl");
    let document = folder.path().join("session.json");
    std::fs::write(&document, "{}").unwrap();
    let error = |agent, path: &Path| read(&reading(agent, path, 0)).unwrap_err();
    assert_eq!(form(Agent::Gemini, &document), Form::Unknown);
    assert!(known().iter().all(|(agent, name)| form(*agent, Path::new(name)) == Form::Known));
    assert!(matches!(error(Agent::Windsurf, &document), TranscriptError::UnknownForm { .. }));
    assert!(matches!(error(Agent::Gemini, &document), TranscriptError::UnknownForm { .. }));
    assert!(matches!(error(Agent::Codex, Path::new("r.jsonl.zst")), TranscriptError::UnknownForm { .. }));
    assert!(matches!(error(Agent::ClaudeCode, &missing), TranscriptError::Missing { .. }));
    assert!(matches!(error(Agent::ClaudeCode, folder.path()), TranscriptError::Missing { .. }));
}

#[test]
fn a_line_that_is_half_written_is_heard_when_it_is_whole() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all("{\"role\":\"user\",\"message\":{\"content\":\"하나\"}}\n{\"role\":\"us".as_bytes())
        .unwrap();
    let first = hear(Agent::Cursor, file.path(), 0);
    assert_eq!(words(&first), [(USER, "하나")]);
    assert_eq!(hear(Agent::Cursor, file.path(), first.next).next, first.next, "it waits");
    file.write_all("er\",\"message\":{\"content\":\"둘\"}}\n".as_bytes()).unwrap();
    let second = hear(Agent::Cursor, file.path(), first.next);
    assert_eq!(words(&second), [(USER, "둘")]);
    assert_eq!((second.from, second.unreadable), (first.next, 0));
    assert_eq!(first.and(second), hear(Agent::Cursor, file.path(), 0));
}

#[test]
fn a_record_that_shrank_or_was_replaced_is_heard_from_its_beginning() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let line = |text: &str| format!("{{\"role\":\"user\",\"message\":{{\"content\":\"{text}\"}}}}\n");
    std::fs::write(file.path(), line("옛날 말").repeat(3)).unwrap();
    let old = hear(Agent::Cursor, file.path(), 0);
    std::fs::write(file.path(), line("새 말")).unwrap();
    let shorter = hear(Agent::Cursor, file.path(), old.next);
    assert_eq!((words(&shorter), shorter.from), (vec![(USER, "새 말")], 0));
    std::fs::write(file.path(), line(&"긴 말".repeat(99))).unwrap();
    let longer = hear(Agent::Cursor, file.path(), old.next);
    assert_eq!((longer.messages.len(), longer.from), (1, 0));
    assert_eq!(old.and(longer.clone()), longer, "nothing of the old one counts");
}

#[test]
fn windows_line_ends_marks_of_order_and_blank_lines_change_nothing() {
    for (agent, name) in known() {
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        let plain = hear_text(agent, text.as_bytes());
        let windows = hear_text(agent, format!("\u{feff}{}\r\n \r\n", text.replace('\n', "\r\n")).as_bytes());
        assert_eq!(words(&windows), words(&plain), "{agent}");
        assert_eq!((windows.tools, windows.unreadable), (plain.tools, plain.unreadable), "{agent}");
    }
}

#[test]
fn a_line_of_fifty_megabytes_is_passed_over() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let line = "{\"role\":\"user\",\"message\":{\"content\":\"뒤\"}}\n";
    file.write_all(b"{\"role\":\"user\",\"message\":{\"content\":\"").unwrap();
    for _ in 0..50 {
        file.write_all(&[b'x'; 1 << 20]).unwrap();
    }
    file.write_all(b"\"}}\n").unwrap();
    file.write_all(line.as_bytes()).unwrap();
    let heard = hear(Agent::Cursor, file.path(), 0);
    assert_eq!((words(&heard), heard.unreadable), (vec![(USER, "뒤")], 1));
    assert_eq!(heard.next, file.path().metadata().unwrap().len());
}

#[test]
fn limits_end_between_lines_and_the_rest_is_heard_later() {
    for (agent, name) in known() {
        let path = fixture(name);
        let whole = hear(agent, &path, 0);
        for limits in
            [Limits { messages_max: 1, ..Limits::default() }, Limits { bytes_max: 1, ..Limits::default() }]
        {
            let mut heard = read(&Reading { limits, ..reading(agent, &path, 0) }).unwrap();
            while heard.rest == Rest::More {
                let next = read(&Reading { limits, ..reading(agent, &path, heard.next) }).unwrap();
                assert!(next.messages.len() <= 1, "{agent}");
                heard = heard.and(next);
            }
            assert_eq!(heard, whole, "{agent}");
        }
    }
    let long = Limits { text_bytes_max: 9, ..Limits::default() };
    let heard =
        read(&Reading { limits: long, ..reading(Agent::VsCode, &fixture("vscode.jsonl"), 0) }).unwrap();
    assert!(heard.messages[0].text.starts_with("형을 \n[…"), "{}", heard.messages[0].text);
}

#[test]
fn a_record_cut_at_any_byte_and_heard_in_two_parts_is_heard_as_in_one() {
    for (agent, name) in known() {
        let bytes = std::fs::read(fixture(name)).unwrap();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let path = file.path().to_owned();
        let whole = hear(agent, &fixture(name), 0);
        for cut in 0..=bytes.len() {
            file.as_file().set_len(cut as u64).unwrap();
            let first = hear(agent, &path, 0);
            file.seek(SeekFrom::Start(cut as u64)).unwrap();
            file.write_all(&bytes[cut..]).unwrap();
            let second = hear(agent, &path, first.next);
            assert_eq!(first.and(second), whole, "{agent} cut at {cut}");
        }
    }
}

fn done(turn: &Turn) -> Vec<(String, DeedResult)> {
    turn.deeds.iter().map(|deed| (deed.text(), deed.result)).collect()
}

#[track_caller]
fn turns_of(agent: Agent, path: &Path) -> Vec<Turn> {
    turns(&reading(agent, path, 0)).unwrap().turns
}

#[test]
fn what_each_agent_did_is_told_turn_by_turn() {
    use DeedResult::{Done, Unknown};
    type Expected<'a> = &'a [(&'a str, TurnEnd, &'a [(&'a str, DeedResult)])];
    let cases: [(Agent, &str, Expected<'_>); 5] = [
        (
            Agent::ClaudeCode,
            "claude-code.jsonl",
            &[
                ("/model opus", TurnEnd::Finished, &[]),
                (
                    "로그인이 안 된다. 고쳐 줘",
                    TurnEnd::Failed,
                    &[("Read: login.rs", Done), ("Bash", Unknown)],
                ),
                ("好的，谢谢", TurnEnd::Finished, &[]),
            ],
        ),
        (
            Agent::Codex,
            "codex.jsonl",
            &[("시험을 돌려 줘", TurnEnd::Finished, &[("shell", Done)]), ("很好", TurnEnd::Finished, &[])],
        ),
        (
            Agent::Gemini,
            "gemini.jsonl",
            &[
                ("@a.rs 를 설명해 줘", TurnEnd::Interrupted, &[("read_file", Unknown)]),
                ("再解释一次", TurnEnd::Finished, &[]),
            ],
        ),
        (
            Agent::Cursor,
            "cursor.jsonl",
            &[
                ("단추를 옮겨 줘", TurnEnd::Finished, &[("Write: a.tsx", Done)]),
                ("고마워", TurnEnd::Finished, &[]),
            ],
        ),
        (Agent::VsCode, "vscode.jsonl", &[("형을 고쳐 줘", TurnEnd::Finished, &[("read_file", Done)])]),
    ];
    for (agent, name, expected) in cases {
        let turns = turns_of(agent, &fixture(name));
        let told: Vec<_> = turns.iter().map(|turn| (turn.prompt.as_str(), turn.end, done(turn))).collect();
        let owned = |deeds: &[(&str, DeedResult)]| -> Vec<(String, DeedResult)> {
            deeds.iter().map(|(text, result)| ((*text).to_owned(), *result)).collect()
        };
        let expected: Vec<_> =
            expected.iter().map(|(prompt, end, deeds)| (*prompt, *end, owned(deeds))).collect();
        assert_eq!(told, expected, "{agent}");
    }
}

#[test]
fn a_failed_command_is_told_from_one_that_ended_well_in_every_form() {
    let codex = |output: &str| {
        format!(
            "{}\n{}\n{}\n",
            r#"{"type":"event_msg","payload":{"type":"user_message","message":"시험"}}"#,
            r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c","arguments":"{\"command\":[\"bash\",\"-lc\",\"cargo test\"]}"}}"#,
            serde_json::json!({"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": output}}),
        )
    };
    let gemini = |status: &str| {
        format!(
            "{}\n{}\n",
            r#"{"id":"a","type":"user","content":"시험"}"#,
            serde_json::json!({"id": "b", "type": "gemini", "content": "", "toolCalls": [
                {"id": "t", "name": "run_shell_command", "args": {"command": "cargo test"}, "status": status, "result": "x"}]}),
        )
    };
    for (agent, text, expected) in [
        (Agent::Codex, codex("ok"), DeedResult::Done),
        (Agent::Codex, codex(r#"{"output":"x","metadata":{"exit_code":0}}"#), DeedResult::Done),
        (Agent::Codex, codex(r#"{"output":"x","metadata":{"exit_code":101}}"#), DeedResult::Failed),
        (Agent::Codex, codex("Exit code: 1\nOutput:\nno"), DeedResult::Failed),
        (Agent::Gemini, gemini("success"), DeedResult::Done),
        (Agent::Gemini, gemini("error"), DeedResult::Failed),
    ] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let turn = turns_of(agent, file.path()).remove(0);
        assert_eq!(turn.deeds[0].result, expected, "{text}");
        assert!(turn.deeds[0].text().ends_with(": cargo test"), "{}", turn.deeds[0].text());
    }
}

#[test]
fn a_turn_of_any_length_takes_little_memory_and_keeps_what_was_done_last() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut text = String::from("{\"role\":\"user\",\"message\":{\"content\":\"많이 해 줘\"}}\n");
    for number in 0..1000 {
        let call = serde_json::json!({"role": "assistant", "message": {"content": [
            {"type": "tool_use", "name": "Bash", "input": {"command": format!("echo {number} {}", "漢".repeat(9000))}}]}});
        text.push_str(&format!("{call}\n"));
    }
    std::fs::write(file.path(), text).unwrap();
    let turn = turns_of(Agent::Cursor, file.path()).remove(0);
    assert_eq!((turn.deeds.len(), turn.left_out), (200, 800));
    assert!(turn.deeds[199].text().starts_with("Bash: echo 999 漢"));
    assert!(turn.deeds.iter().all(|deed| deed.argument.chars().count() <= 200));
}

#[test]
fn turns_read_on_from_where_the_last_one_begins_are_as_if_read_at_once() {
    for (agent, name) in known() {
        let path = fixture(name);
        let whole = turns_of(agent, &path);
        let limits = Limits { messages_max: 1, ..Limits::default() };
        let mut read = turns(&Reading { limits, ..reading(agent, &path, 0) }).unwrap();
        let mut gathered = read.turns.clone();
        while read.rest == Rest::More {
            let from = gathered.pop().unwrap().offset;
            read = turns(&Reading { limits, ..reading(agent, &path, from) }).unwrap();
            gathered.extend(read.turns.clone());
        }
        assert_eq!(gathered, whole, "{agent}");
        for turn in &whole {
            let again = turns(&reading(agent, &path, turn.offset)).unwrap().turns;
            assert_eq!(again.first(), Some(turn), "{agent}");
        }
    }
}

/// Lines of an agent, of any kind and with ids that come again.
fn any_line() -> impl Strategy<Value = String> {
    let id = prop_oneof![Just("a"), Just("b"), Just("c")];
    let text = "[a-z가-힣一-龥<>/\\- ]{0,12}";
    let flags = prop_oneof![
        Just(""),
        Just("\"isMeta\":true,"),
        Just("\"isSidechain\":true,"),
        Just("\"timestamp\":\"2026-11-16T09:00:00Z\",")
    ];
    let kind =
        prop_oneof![Just("user"), Just("assistant"), Just("gemini"), Just("attachment"), Just("system")];
    prop_oneof![
        8 => (kind, flags, id.clone(), text).prop_map(|(kind, flags, id, text)| format!(
            "{{\"type\":\"{kind}\",\"role\":\"{kind}\",{flags}\"uuid\":\"{id}\",\"id\":\"{id}\",\"content\":\"{text}\",\"message\":{{\"id\":\"{id}\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}}}"
        )),
        2 => (prop_oneof![Just("user.message"), Just("assistant.message"), Just("tool.x")], id, text).prop_map(|(kind, id, text)| format!(
            "{{\"type\":\"{kind}\",\"id\":\"{id}\",\"data\":{{\"content\":\"{text}\",\"messageId\":\"{id}\"}}}}"
        )),
        2 => (prop_oneof![Just("user_message"), Just("agent_message")], text).prop_map(|(kind, text)| format!(
            "{{\"type\":\"event_msg\",\"payload\":{{\"type\":\"{kind}\",\"message\":\"{text}\"}}}}"
        )),
        1 => "\\PC{0,30}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_record_cut_anywhere_is_heard_as_in_one(
        lines in proptest::collection::vec(any_line(), 0..12),
        cut in any::<prop::sample::Index>(),
        end in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        let bytes: Vec<u8> = lines.iter().flat_map(|line| format!("{line}{end}").into_bytes()).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        for (agent, _) in known() {
            let whole = hear_text(agent, &bytes);
            std::fs::write(file.path(), &bytes[..cut.index(bytes.len() + 1)]).unwrap();
            let first = hear(agent, file.path(), 0);
            std::fs::write(file.path(), &bytes).unwrap();
            prop_assert_eq!(first.clone().and(hear(agent, file.path(), first.next)), whole, "{}", agent);
        }
    }

    #[test]
    fn any_bytes_are_heard_or_passed_over(bytes in proptest::collection::vec(any::<u8>(), 0..400), from in 0_u64..500) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &bytes).unwrap();
        for (agent, _) in known() {
            let heard = hear(agent, file.path(), from);
            let told = turns(&reading(agent, file.path(), from)).unwrap();
            prop_assert!(told.turns.len() <= heard.messages.len() && told.next == heard.next);
            prop_assert!(heard.next <= bytes.len() as u64 && heard.from <= heard.next);
        }
    }
}
