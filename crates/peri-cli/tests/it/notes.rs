//! What is said becomes notes, and what agents are given of them.

use serde_json::{Value, json};

use super::support::{Peri, text};

const TURNS: &str = concat!(
    r#"{"role":"user","text":"We decided to use Postgres for the store.","at":"2026-03-02T09:00:00Z"}"#,
    "\n\n",
    r#"{"role":"assistant","text":"Understood.","at":"2026-03-02T09:00:05Z"}"#,
    "\n",
    r#"{"role":"user","text":"기억해: 금요일에는 절대 배포하지 않는다.","at":"2026-03-02T09:01:00Z"}"#,
    "\n",
    r#"{"role":"user","text":"我们决定使用 Rust。","at":"2026-03-02T09:02:00Z"}"#,
    "\n",
);

/// A session that was heard and observed.
fn heard(peri: &Peri, session: &str) {
    let file = peri.file("turns.jsonl", TURNS);
    peri.ok(&["hear", "--session", session, "--file", &file, "--now"]);
}

fn notes(peri: &Peri, args: &[&str]) -> Vec<String> {
    let found = peri.json(&[&["session", "notes"], args].concat());
    let notes = found["notes"]["notes"].as_array().cloned().unwrap_or_default();
    notes.iter().map(|note| text(&note["text"])).collect()
}

#[test]
fn what_is_heard_waits_until_it_is_observed() {
    let peri = Peri::new();
    let run = peri.run(&["hear", "--session", "standup", "--user", "Never deploy on Fridays."]);
    assert_eq!((run.code, run.out.as_str()), (0, "kept 1 message of standup in default\n"));
    assert!(run.err.contains("of 200 tokens wait"), "{}", run.err);
    assert!(notes(&peri, &["standup"]).is_empty());
    let listed = peri.ok(&["session", "list"]);
    assert!(listed.contains("heard  standup  0 notes, 0 tokens, 1 message waiting"), "{listed}");
    let observed = peri.ok(&["session", "observe", "standup"]);
    assert_eq!(observed, "observed 1 message of standup: 1 new note, 1 proposed as durable\n");
    assert_eq!(notes(&peri, &["standup"]), ["Never deploy on Fridays."]);
    let again = peri.json(&["session", "observe", "standup"]);
    assert_eq!(again, json!({ "namespace": "default", "session": "standup", "steps": [] }));
    assert_eq!(peri.json(&["session", "observe"])["steps"], json!([]));
}

#[test]
fn a_conversation_from_a_file_or_a_pipe_is_kept_once() {
    let peri = Peri::new();
    let file = peri.file("turns.jsonl", format!("\u{feff}{TURNS}"));
    let first = peri.json(&["hear", "--session", "회의", "--file", &file]);
    assert_eq!(
        (&first["outcome"], &first["kept"], &first["repeated"]),
        (&json!("kept"), &json!(4), &json!(0))
    );
    for args in [&["hear", "--session", "회의", "-", "--json"][..], &["hear", "--session", "회의", "--json"]]
    {
        let run = peri.run_with(args, TURNS.as_bytes());
        let again: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((&again["kept"], &again["repeated"]), (&json!(0), &json!(4)), "{run:?}");
    }
    let named = peri.with("PERI_SESSION", "회의").run_with(&["hear"], TURNS.as_bytes());
    assert!(named.code == 0 && named.err.contains("4 messages were known already"), "{named:?}");
}

#[test]
fn the_order_of_what_is_typed_is_the_order_of_the_conversation() {
    let peri = Peri::new();
    let said = ["--assistant", "A1", "--user", "사용자", "--assistant", "A2", "--user", "用户"];
    peri.ok(&[&["hear", "--session", "s"][..], &said].concat());
    let replayed = peri.json(&["session", "replay", "s"]);
    let spoken = |one: &Value| format!("{}: {}", text(&one["entry"]["actor"]), text(&one["entry"]["text"]));
    let spoken: Vec<String> = replayed["messages"].as_array().unwrap().iter().map(spoken).collect();
    assert_eq!(spoken, ["assistant: A1", "user: 사용자", "assistant: A2", "user: 用户"]);
}

#[test]
fn secrets_are_taken_out_of_what_is_heard() {
    let peri = Peri::new();
    let key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let run =
        peri.run(&["hear", "--session", "s", "--user", &format!("Remember: the key is {key}"), "--now"]);
    assert!(run.code == 0 && run.err.contains("1 secret was taken out"), "{run:?}");
    for args in [["session", "replay", "s"], ["session", "notes", "s"]] {
        assert!(!peri.ok(&args).contains(key));
    }
}

#[test]
fn notes_are_shown_by_day_with_their_signs() {
    let peri = Peri::new();
    heard(&peri, "standup");
    let shown = peri.run(&["session", "notes", "standup"]);
    insta::assert_snapshot!("session_notes", shown.out);
    assert!(shown.err.contains("notes, "), "{}", shown.err);
    let latest = peri.run(&["session", "notes"]);
    assert_eq!(latest.out, shown.out);
    assert!(latest.err.contains("the notes of \"standup\", which was observed last"), "{}", latest.err);
    let durable = peri.run(&["session", "notes", "--durable"]);
    assert!(
        durable.code == 0 && durable.out.is_empty() && durable.err.contains("no durable notes"),
        "{durable:?}"
    );
    assert_eq!(peri.json(&["session", "notes", "--durable"])["notes"]["notes"], json!([]));
}

#[test]
fn durable_notes_outlive_their_session() {
    let peri = Peri::new().with("PERI_NOTES_PROMOTE_TOKENS", "1");
    peri.ok(&["hear", "--session", "s", "--user", "Remember: never deploy on Fridays.", "--now"]);
    let durable = notes(&peri, &["--durable"]);
    assert!(durable.iter().any(|note| note.contains("Fridays")), "{durable:?}");
    assert!(peri.ok(&["session", "notes", "--durable"]).contains("d1"));
    let context = peri.ok(&["context", "--session", "another"]);
    assert!(context.contains("<durable-notes>") && context.contains("Fridays"), "{context}");
}

#[test]
fn a_replay_shows_each_message_with_what_was_noted_of_it() {
    let peri = Peri::new();
    heard(&peri, "standup");
    let shown = peri.run(&["session", "replay", "standup"]);
    insta::assert_snapshot!("session_replay", shown.out);
    let last = peri.json(&["session", "replay", "standup", "--limit", "1"]);
    let messages = last["messages"].as_array().unwrap();
    assert_eq!((messages.len(), text(&messages[0]["entry"]["text"])), (1, "我们决定使用 Rust。".to_owned()));
    assert_eq!(text(&messages[0]["notes"][0]["text"]), "我们决定使用 Rust。");
}

#[test]
fn long_messages_are_cut_unless_they_are_wanted_whole() {
    let peri = Peri::new();
    let long = "가나다라 ".repeat(300);
    peri.ok(&["hear", "--session", "s", "--user", &long]);
    let cut = peri.ok(&["session", "replay", "s"]);
    assert!(cut.contains("more characters; --whole shows all]") && cut.chars().count() < 600, "{cut}");
    let whole = peri.ok(&["session", "replay", "s", "--whole"]);
    assert!(whole.contains(long.trim_end()) && !whole.contains("--whole"), "{whole}");
}

#[test]
fn sessions_that_were_begun_and_those_that_were_heard_are_listed_together() {
    let peri = Peri::new();
    peri.ok(&["session", "start", "begun"]);
    heard(&peri, "standup");
    peri.ok(&["session", "start", "standup"]);
    heard(&peri, "회의");
    let listed = peri.json(&["session", "list"]);
    let rows: Vec<(String, String, bool)> = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (text(&row["name"]), text(&row["state"]), row.get("noted").is_some()))
        .collect();
    let row = |name: &str, state: &str, noted| (name.to_owned(), state.to_owned(), noted);
    assert_eq!(rows.len(), 3);
    for expected in [row("begun", "open", false), row("standup", "open", true), row("회의", "heard", true)]
    {
        assert!(rows.contains(&expected), "{rows:?}");
    }
    assert_eq!(peri.json(&["session", "list", "--limit", "1"])["sessions"].as_array().unwrap().len(), 1);
    let everywhere = peri.ok(&["session", "list", "-n", "*"]);
    assert!(everywhere.contains("heard  default  회의"), "{everywhere}");
}

#[test]
fn a_session_is_shown_with_its_notes_in_brief() {
    let peri = Peri::new();
    heard(&peri, "standup");
    let shown = peri.ok(&["session", "show", "standup"]);
    assert!(shown.contains("nobody began it") && shown.contains("🔴") && shown.contains("금요일"), "{shown}");
    let found = peri.json(&["session", "show", "standup"]);
    assert_eq!(found["session"], Value::Null);
    assert_eq!(found["noted"]["pending"], 0);
    assert!(!found["notes"].as_array().unwrap().is_empty());
}

#[test]
fn a_context_is_the_text_for_the_agent_and_nothing_else() {
    let peri = Peri::new();
    heard(&peri, "standup");
    let run = peri.run(&["context", "--session", "standup"]);
    assert!(
        run.out.starts_with("<perihelion-memory>\n") && run.out.ends_with("</perihelion-memory>\n"),
        "{run:?}"
    );
    assert!(run.out.contains("금요일") && run.out.contains("我们决定使用 Rust"), "{}", run.out);
    assert!(run.err.contains(" of 2,000 tokens: "), "{}", run.err);
    let quiet = peri.run(&["-q", "context", "--session", "standup"]);
    assert_eq!((quiet.out, quiet.err), (run.out, String::new()), "looking marks nothing");
    let told = peri.json(&["context", "--session", "standup", "--moment", "prompt", "Postgres"]);
    assert_eq!((&told["moment"], &told["tokens_max"]), (&json!("prompt"), &json!(1200)));
    let note = &told["parts"][0]["given"][0]["from"]["note"];
    assert_eq!(text(&note["session"]), "standup", "{told}");
    assert!(text(&note["origins"][0]).starts_with("journal:"), "{told}");
    let small = peri.json(&["context", "--session", "standup", "--tokens", "70"]);
    assert!(small["tokens"].as_u64().unwrap() <= 70, "{small}");
}

#[test]
fn memories_that_matter_to_the_question_are_among_it() {
    let peri = Peri::new();
    peri.remember(&["The staging server is called Ganymede"]);
    for args in [&["context", "staging", "server"][..], &["context", "-"]] {
        let run = peri.run_with(args, b"what is the staging server called?\n");
        assert!(run.out.contains("Ganymede"), "{run:?}");
    }
}

#[test]
fn what_is_delivered_once_is_not_delivered_again() {
    let peri = Peri::new();
    heard(&peri, "standup");
    let given = |args: &[&str]| peri.ok(&[&["context", "--deliver", "--session"], args].concat());
    assert!(given(&["next"]).contains("<earlier-session>"), "the session before it is handed over");
    assert!(!given(&["next", "--moment", "prompt"]).contains("earlier-session"));
    assert!(!given(&["third"]).contains("earlier-session"), "nor to anybody else");
    assert!(given(&["standup", "--moment", "prompt"]).contains("Postgres"), "its own notes are new to it");
    assert!(!given(&["standup", "--moment", "prompt"]).contains("Postgres"));
    assert!(given(&["standup", "--moment", "compacted"]).contains("Postgres"), "it lost sight of them");
}

#[test]
fn an_empty_folder_has_nothing_to_tell_and_says_so() {
    let peri = Peri::new();
    for (args, said) in [
        (&["session", "list"][..], "no sessions in default"),
        (&["session", "notes"], "no notes in default"),
        (&["session", "observe"], "nothing to do"),
        (&["context"], "nothing to give"),
        (&["context", "--session", "새로운", "--deliver"], "nothing to give"),
    ] {
        let run = peri.run(args);
        assert!(run.code == 0 && run.out.is_empty() && run.err.contains(said), "{args:?}: {run:?}");
    }
    assert_eq!(text(&peri.json(&["context"])["text"]), "");
}

#[test]
fn wrong_arguments_and_wrong_input_keep_nothing() {
    let peri = Peri::new();
    let broken = peri.file("broken.jsonl", format!("{TURNS}{{\"role\":\"user\",\"text\":\"x\""));
    let robot = peri.file("robot.jsonl", r#"{"role":"robot","text":"x"}"#);
    let bytes = peri.file("bytes.jsonl", b"\xff\xfe");
    let endless = "이름".repeat(200);
    for (args, code, said) in [
        (&["hear", "--user", "x"][..], 2, "no session was named"),
        (&["hear", "--session", "s"], 2, "nothing was said"),
        (&["hear", "--session", "s", "--user", "  "], 2, "nothing was said"),
        (&["hear", "--session", "  ", "--user", "x"], 2, "session"),
        (&["hear", "--session", &endless, "--user", "x"], 2, "session"),
        (&["hear", "--session", "s", "words"], 2, "words"),
        (&["hear", "--session", "s", "--user", "x", "--file", &robot], 2, "cannot be used with"),
        (&["hear", "--session", "s", "-", "--user", "x"], 2, "cannot be used with"),
        (&["hear", "--session", "s", "--file", &broken], 2, "broken.jsonl, line 6: EOF"),
        (&["hear", "--session", "s", "--file", &robot], 2, "unknown variant `robot`"),
        (&["hear", "--session", "s", "--file", &bytes], 2, "not UTF-8"),
        (&["hear", "--session", "s", "--file", "/nowhere/at/all"], 2, "cannot be read"),
        (&["hear", "--session", "s", "--user", "x", "-n", "team/*"], 2, "exactly one namespace"),
        (&["context", "--deliver"], 2, "--deliver needs a session"),
        (&["context", "--moment", "later"], 2, "compacted"),
        (&["context", "--tokens", "0"], 2, "at least 1"),
        (&["context", "--occasion", "x"], 2, "--deliver"),
        (&["session", "notes", "s", "--durable"], 2, "cannot be used with"),
        (&["session", "notes", "아무도"], 3, "no session"),
        (&["session", "show", "nobody"], 3, "no session"),
        (&["session", "replay", "nobody"], 3, "no session"),
        (&["session", "observe", "nobody"], 3, "no session"),
        (&["session", "retry", "没有"], 3, "no session"),
        (&["session", "list", "--limit", "5000"], 2, "limits.results_max"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(run.err.contains(said), "{args:?}: {run:?}");
    }
    assert_eq!(peri.json(&["session", "list"])["sessions"], json!([]));
}
