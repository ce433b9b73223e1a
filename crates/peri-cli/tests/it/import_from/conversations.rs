//! Conversations with ChatGPT and with Claude.

use serde_json::{Value, json};

use super::super::support::{Peri, text};
use super::{archive, contents, counts, import, memories};

fn node(parent: Option<&str>, role: &str, words: &str, at: f64) -> Value {
    json!({"parent": parent, "children": [], "message": {
        "author": {"role": role}, "create_time": at, "recipient": "all",
        "content": {"content_type": "text", "parts": [words]}}})
}

fn chatgpt() -> Value {
    json!([
        {"title": "차 고르기", "conversation_id": "68c13686-4a3c", "create_time": 1_700_000_000.0, "current_node": "d",
         "moderation_results": [],
         "mapping": {
            "root": {"parent": null, "children": ["s"], "message": null},
            "s": node(Some("root"), "system", "", 0.0),
            "a": node(Some("s"), "user", "녹차와 홍차 중에 무엇이 좋을까?", 1_700_000_001.5),
            "old": node(Some("a"), "assistant", "an answer nobody kept", 1_700_000_002.0),
            "t": node(Some("a"), "tool", "search results", 1_700_000_003.0),
            "d": node(Some("t"), "assistant", "잠이 안 온다면 녹차가 낫습니다.", 1_700_000_004.0)}},
        {"title": null, "id": "second", "create_time": 1_700_100_000.0, "current_node": "b", "mapping": {
            "a": node(None, "user", "我应该喝什么茶？", 1_700_100_001.0),
            "b": node(Some("a"), "assistant", "绿茶。", 1_700_100_002.0)}}
    ])
}

fn claude() -> Value {
    json!([
        {"uuid": "4c2f0a11-77aa", "name": "Choosing a tea", "created_at": "2025-03-01T10:00:00.123456Z",
         "account": {"uuid": "me"},
         "chat_messages": [
            {"uuid": "m1", "sender": "human", "text": "Which tea is best at night?", "created_at": "2025-03-01T10:00:01Z",
             "content": [{"type": "text", "text": "Which tea is best at night?"}],
             "attachments": [{"file_name": "list.pdf", "extracted_content": "a list"}], "files": []},
            {"uuid": "m2", "sender": "assistant", "created_at": "2025-03-01T10:00:05Z",
             "text": "hm, thinking\n\nA herbal one, such as 보리차.",
             "content": [{"type": "thinking", "thinking": "hm, thinking"}, {"type": "tool_use", "name": "search"},
                         {"type": "text", "text": "A herbal one, such as 보리차."}]},
            {"uuid": "m3", "sender": "human", "text": "", "content": [], "created_at": "2025-03-01T10:01:00Z"}]},
        {"uuid": "empty-one", "name": "", "chat_messages": []}
    ])
}

#[test]
fn a_conversation_with_chatgpt_becomes_a_session_of_turns_in_their_order() {
    let peri = Peri::new();
    let file = peri.file("conversations.json", chatgpt().to_string());
    let run = import(&peri, &["chatgpt", &file]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "4 memories added, 0 known already, 0 refused\n"),
        "{run:?}"
    );
    assert!(run.err.contains("1 messages of other branches, 1 system messages, 1 tool messages"), "{run:?}");
    let stored = memories(&peri, "default");
    assert_eq!(
        contents(&stored),
        ["녹차와 홍차 중에 무엇이 좋을까?", "잠이 안 온다면 녹차가 낫습니다.", "我应该喝什么茶？", "绿茶。"]
    );
    let first = &stored[0];
    assert_eq!((&first["kind"], &first["layer"]), (&json!("episode"), &json!("episodic")));
    assert_eq!((&first["session"], &first["speaker"]), (&json!("차 고르기 (68c13686)"), &json!("user")));
    assert_eq!(
        (&first["source"], &first["occurred_at"]),
        (&json!("chatgpt"), &json!("2023-11-14T22:13:21.5Z"))
    );
    assert_eq!(first["metadata"]["conversation"], "68c13686-4a3c");
    assert_eq!(stored[2]["session"], "Untitled (second)");
    assert_eq!(stored[3]["speaker"], "assistant");
    assert!(text(&first["id"]).starts_with("018bcfe5-"), "the id begins with the time: {first}");
}

#[test]
fn a_conversation_with_claude_becomes_a_session_without_thoughts_and_tools() {
    let peri = Peri::new();
    let file = peri.file("conversations.json", claude().to_string());
    let told = peri.json(&["import", "claude", &file]);
    assert_eq!((&told["added"], &told["conversations"]), (&json!(2), &json!(2)));
    assert_eq!(told["left_out"], json!({"attachments": 1, "empty_messages": 1}));
    let stored = memories(&peri, "default");
    assert_eq!(contents(&stored), ["Which tea is best at night?", "A herbal one, such as 보리차."]);
    assert_eq!(stored[0]["session"], "Choosing a tea (4c2f0a11)");
    assert_eq!((&stored[0]["speaker"], &stored[1]["speaker"]), (&json!("user"), &json!("assistant")));
    assert_eq!(stored[1]["occurred_at"], "2025-03-01T10:00:05Z");
}

#[test]
fn the_archive_the_folder_and_the_pipe_give_what_the_file_gives() {
    for (command, export) in [("chatgpt", chatgpt()), ("claude", claude())] {
        let peri = Peri::new();
        let bytes = export.to_string().into_bytes();
        let file = peri.file("conversations.json", &bytes);
        let (added, ..) = counts(&peri, &[command, &file]);
        assert!(added > 0, "{command}");
        let zip = archive(
            &peri,
            "export.zip",
            &[
                ("user.json", b"{}"),
                ("__MACOSX/conversations.json", b"junk"),
                ("export/conversations.json", &bytes),
                ("export/chat.html", b"<html>"),
            ],
        );
        let folder = peri.home().join("..").display().to_string();
        for from in [&file, &zip, &folder] {
            assert_eq!(counts(&peri, &[command, from]), (0, added, 0), "{command} {from}");
        }
        let run = peri.run_with(&["import", command, "-"], &bytes);
        assert!(run.out.starts_with(&format!("0 memories added, {added} known already")), "{run:?}");
    }
}

#[test]
fn an_export_in_several_files_is_read_whole_and_each_is_named_where_it_is_broken() {
    let peri = Peri::new();
    let both = chatgpt();
    let (first, second) = (json!([both[0]]).to_string(), json!([both[1], 7]).to_string());
    let zip = archive(
        &peri,
        "export.zip",
        &[("conversations-001.json", second.as_bytes()), ("conversations-000.json", first.as_bytes())],
    );
    let run = import(&peri, &["chatgpt", &zip]);
    assert_eq!((run.code, run.out.lines().next()), (8, Some("4 memories added, 0 known already, 1 refused")));
    assert!(run.err.contains("conversations-001.json, record 2: it is not a conversation"), "{run:?}");
    let whole = peri.file("whole.json", both.to_string());
    assert_eq!(counts(&peri, &["chatgpt", &whole]), (0, 4, 0), "the same however it is cut");
}

#[test]
fn importing_conversations_again_adds_only_what_was_said_since() {
    let peri = Peri::new();
    let file = peri.file("conversations.json", claude().to_string());
    assert_eq!(counts(&peri, &["claude", &file, "--dry-run"]), (2, 0, 0));
    assert_eq!(peri.held().0, 0, "a dry run stores nothing");
    assert_eq!(counts(&peri, &["claude", &file]), (2, 0, 0));
    let before = memories(&peri, "default");
    assert_eq!(counts(&peri, &["claude", &file]), (0, 2, 0));
    assert_eq!(counts(&peri, &["claude", &file, "--dry-run"]), (0, 2, 0));
    assert_eq!(memories(&peri, "default"), before);
    let mut grown = claude();
    grown[0]["chat_messages"].as_array_mut().unwrap().push(json!(
        {"uuid": "m4", "sender": "human", "text": "Thank you", "created_at": "2025-03-02T00:00:00Z"}));
    let file = peri.file("conversations.json", grown.to_string());
    assert_eq!(counts(&peri, &["claude", &file]), (1, 2, 0));
    assert_eq!(counts(&peri, &["claude", &file, "--namespace", "other"]), (3, 0, 0));
}

#[test]
fn a_conversation_that_cannot_be_read_does_not_stop_the_others() {
    let peri = Peri::new();
    let mut broken = chatgpt();
    broken.as_array_mut().unwrap().splice(1..1, [json!("text"), json!({"title": "x"}), json!(null)]);
    let run = import(&peri, &["chatgpt", &peri.file("conversations.json", broken.to_string())]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (8, "4 memories added, 0 known already, 3 refused\n"),
        "{run:?}"
    );
    assert!(run.err.contains("record 3: it has no messages"), "{run:?}");
    let cut = chatgpt().to_string();
    let file = peri.file("cut.json", &cut[..cut.len() - 200]);
    let run = import(&peri, &["chatgpt", &file, "--namespace", "cut"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (8, "2 memories added, 0 known already, 1 refused\n"),
        "{run:?}"
    );
}

#[test]
fn what_is_too_long_for_one_memory_is_cut_at_paragraphs_and_kept_whole() {
    let peri = Peri::new();
    let paragraph = "긴 글의 한 문단이다. ".repeat(4000);
    let long = [paragraph.trim(); 4].join("\n\n");
    let mut export = claude();
    export[0]["chat_messages"][0] =
        json!({"uuid": "m1", "sender": "human", "text": long, "created_at": "2025-03-01T10:00:01Z"});
    let file = peri.file("conversations.json", export.to_string());
    let (added, ..) = counts(&peri, &["claude", &file]);
    let stored = memories(&peri, "default");
    let parts: Vec<&Value> = stored.iter().filter(|memory| memory["metadata"]["parts"].is_u64()).collect();
    assert_eq!(added as usize, parts.len() + 1);
    let texts: Vec<String> = parts.iter().map(|part| text(&part["content"])).collect();
    assert_eq!(texts.join("\n\n"), long, "the parts are in order and nothing is lost");
    assert!(parts.iter().all(|part| part["session"] == "Choosing a tea (4c2f0a11)"));
    assert_eq!(counts(&peri, &["claude", &file]), (0, added, 0));
}

#[test]
fn many_conversations_are_stored_in_batches_and_counted_right() {
    let peri = Peri::new().with("PERI_EMBEDDING_ENGINE", "off");
    let conversations = (0..40).map(|number| {
        let messages = (0..20).map(|at| {
            json!({"uuid": format!("{number}-{at}"), "sender": if at % 2 == 0 { "human" } else { "assistant" },
                   "text": if (number, at) == (7, 7) { "\u{0}".to_owned() } else { format!("sentence {at} of talk {number}") },
                   "created_at": format!("2025-01-01T{:02}:{at:02}:00Z", number % 24)})
        });
        json!({"uuid": format!("c{number}"), "name": format!("Talk {number}"), "chat_messages": messages.collect::<Vec<_>>()})
    });
    let file = peri.file("conversations.json", Value::Array(conversations.collect()).to_string());
    assert_eq!(counts(&peri, &["claude", &file, "--dry-run"]), (799, 0, 1));
    assert_eq!(counts(&peri, &["claude", &file]), (799, 0, 1));
    assert_eq!(counts(&peri, &["claude", &file]), (0, 799, 1));
    assert_eq!(peri.held().0, 799);
}
