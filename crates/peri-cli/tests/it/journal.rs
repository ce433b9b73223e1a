//! `peri journal`: what happened, written down, found and traced.

use serde_json::json;

use crate::support::{Peri, text};

/// Writes something down and gives the id.
fn append(peri: &Peri, args: &[&str]) -> String {
    peri.ok(&[&["-q", "journal", "append"], args].concat()).trim().to_owned()
}

fn texts(peri: &Peri, args: &[&str]) -> Vec<String> {
    let page = peri.json(&[&["journal"], args].concat());
    page["entries"].as_array().unwrap().iter().map(|entry| text(&entry["text"])).collect()
}

#[test]
fn what_is_typed_or_piped_is_written_down_and_shown() {
    let peri = Peri::new();
    let out = peri.ok(&["journal", "append", "--session", "아침", "--actor", "小明", "배포가", "끝났다"]);
    assert!(out.starts_with("stored ") && out.contains(" in default"), "{out}");
    let piped = peri.run_with(&["-q", "journal", "append", "--kind", "alert"], "장애가 났다\n".as_bytes());
    let id = piped.out.trim();
    let entry = &peri.json(&["journal", "show", id])["entry"];
    assert_eq!((text(&entry["text"]), text(&entry["kind"])), ("장애가 났다".to_owned(), "alert".to_owned()));
    assert_eq!(texts(&peri, &["recent"]), ["장애가 났다", "배포가 끝났다"]);
    assert_eq!(texts(&peri, &["recent", "--session", "아침"]), ["배포가 끝났다"]);
    let shown = peri.ok(&["journal", "list"]);
    assert!(shown.contains("小明: 배포가 끝났다") && shown.lines().count() == 2, "{shown}");
    assert!(peri.ok(&["journal", "show", id]).contains("장애가 났다"));
}

#[test]
fn every_part_can_be_said_and_a_body_comes_from_a_file_or_a_pipe() {
    let peri = Peri::new();
    let file = peri.file("body.json", r#"{"온도": [21, null]}"#);
    let turn = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6b";
    let id = append(
        &peri,
        &[
            "--direction",
            "outbound",
            "--status",
            "timeout",
            "--turn",
            turn,
            "--at",
            "2026-03-01T08:00:00Z",
            "--gate",
            r#"{"action":"SINK"}"#,
            "--metadata",
            r#"{"room":"kitchen"}"#,
            "--body",
            &file,
            "hello",
        ],
    );
    let entry = &peri.json(&["journal", "show", &id])["entry"];
    assert_eq!(
        (&entry["direction"], &entry["status"], &entry["turn"]),
        (&json!("outbound"), &json!("timeout"), &json!(turn))
    );
    assert_eq!((&entry["body"], &entry["gate"]), (&json!({"온도": [21, null]}), &json!({"action": "SINK"})));
    assert_eq!(
        (&entry["metadata"], &entry["at"]),
        (&json!({"room": "kitchen"}), &json!("2026-03-01T08:00:00Z"))
    );
    let run = peri.run_with(&["-q", "journal", "append", "--body", "-"], br#"["raw"]"#);
    let entry = &peri.json(&["journal", "show", run.out.trim()])["entry"];
    assert_eq!((&entry["body"], entry.get("text")), (&json!(["raw"]), None));
    let again = append(&peri, &["--id", &id, "other words"]);
    assert_eq!(
        (again, text(&peri.json(&["journal", "show", &id])["entry"]["text"])),
        (id, "hello".to_owned())
    );
}

#[test]
fn conditions_find_and_pages_go_on() {
    let peri = Peri::new();
    for (hour, words, status) in
        [("08", "Deploy failed", "error"), ("09", "deploy done", "ok"), ("10", "部署", "ok")]
    {
        append(&peri, &["--at", &format!("2026-03-01T{hour}:00:00Z"), "--status", status, words]);
    }
    assert_eq!(texts(&peri, &["list", "--text", "DEPLOY"]), ["deploy done", "Deploy failed"]);
    assert_eq!(texts(&peri, &["list", "--status", "error"]), ["Deploy failed"]);
    assert_eq!(
        texts(&peri, &["list", "--since", "2026-03-01T09:00:00Z", "--oldest-first"]),
        ["deploy done", "部署"]
    );
    let page = peri.json(&["journal", "list", "--limit", "2"]);
    assert_eq!(texts(&peri, &["list", "--after", &text(&page["next"])]), ["Deploy failed"]);
    let hinted = peri.run(&["journal", "list", "--limit", "2"]);
    assert!(hinted.err.contains("--after"), "{hinted:?}");
    let stats = peri.json(&["journal", "stats"]);
    assert_eq!((&stats["entries"], &stats["namespaces"][0]["kinds"]), (&json!(3), &json!([["message", 3]])));
    assert!(peri.ok(&["journal", "stats"]).contains("message 3"));
    let empty = peri.run(&["journal", "list", "-n", "elsewhere"]);
    assert!(empty.code == 0 && empty.err.contains("no journal events"), "{empty:?}");
}

#[test]
fn a_turn_is_begun_finished_and_shown_with_its_events() {
    let peri = Peri::new();
    let input = append(&peri, &["무엇을 할까?"]);
    let begin =
        ["-q", "journal", "turn", "begin", "--session", "아침", "--input", &input, "--plan", r#"["look"]"#];
    let turn = peri.ok(&begin).trim().to_owned();
    append(&peri, &["--turn", &turn, "--kind", "tool", "searched"]);
    let finish =
        ["journal", "turn", "finish", &turn, "--output", "끝", "--tool-call", r#"{"tool":"search"}"#];
    assert!(peri.ok(&finish).contains("(ok)"));
    let found = peri.json(&["journal", "turn", "show", &turn]);
    assert_eq!(
        (&found["turn"]["plan"], &found["turn"]["tool_calls"]),
        (&json!(["look"]), &json!([{"tool": "search"}]))
    );
    assert_eq!(found["entries"].as_array().unwrap().len(), 2);
    let shown = peri.ok(&["journal", "turn", "show", &turn]);
    assert!(shown.contains("무엇을 할까?") && shown.contains("searched"), "{shown}");
    assert!(peri.ok(&["journal", "turn", "list", "--status", "ok"]).contains(&turn));
    let failed = peri.json(&["journal", "turn", "finish", &turn, "--error", "超时"]);
    assert_eq!(failed["turn"]["status"], "error");
}

#[test]
fn a_remembered_event_is_recalled_traced_and_replayed() {
    let peri = Peri::new();
    let appended =
        peri.json(&["journal", "append", "--remember", "--actor", "Ana", "The staging server is Ganymede"]);
    let (id, memory) = (text(&appended["id"]), text(&appended["memory"]));
    assert_eq!(peri.recall(&["Ganymede"]), ["The staging server is Ganymede"]);
    let other = peri.remember(&["--entry", &id, "Ganymede runs Debian"]);
    for (asked, memories) in [(&memory, 2), (&id, 2)] {
        let traced = peri.json(&["journal", "trace", asked]);
        assert_eq!(text(&traced["entry"]["id"]), id);
        assert_eq!(traced["memories"].as_array().unwrap().len(), memories);
    }
    let shown = peri.ok(&["journal", "trace", &memory]);
    assert!(
        shown.contains(&id) && shown.contains("also from this event") && shown.contains("Debian"),
        "{shown}"
    );
    assert!(peri.ok(&["get", &other]).contains(&id));
    assert_eq!(peri.json(&["list", "--entry", &id])["memories"].as_array().unwrap().len(), 2);

    peri.ok(&["forget", &memory]);
    let kept = peri.json(&["journal", "replay"]);
    assert_eq!((&kept["made"], &kept["forgotten"]), (&json!(0), &json!(1)));
    peri.ok(&["trash", "purge", &memory, "--yes"]);
    assert_eq!(peri.json(&["journal", "replay", "--dry-run"])["made"], 1);
    assert!(peri.ok(&["journal", "replay"]).starts_with("1 memory made anew"));
    assert_eq!(peri.json(&["journal", "replay"])["made"], 0);
    assert_eq!(text(&peri.json(&["get", &memory])["memory"]["content"]), "The staging server is Ganymede");
    let plain = peri.remember(&["nobody knows where this is from"]);
    let traced = peri.run(&["journal", "trace", &plain]);
    assert!(traced.code == 0 && traced.err.contains("no journal event"), "{traced:?}");
}

#[test]
fn bad_input_is_refused_with_its_exit_code() {
    let peri = Peri::new();
    let nobody = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    let not_json = peri.file("not.json", "{");
    for (args, code, said) in [
        (&["journal", "append", "--status", "good", "x"][..], 2, "timeout"),
        (&["journal", "append", "--turn", "x", "x"], 2, "turn"),
        (&["journal", "append", "--gate", "{", "x"], 2, "JSON"),
        (&["journal", "append", "--metadata", "[]", "x"], 2, "object"),
        (&["journal", "append", "--body", &not_json, "x"], 2, "JSON"),
        (&["journal", "append", "--body", "/nowhere/at/all", "x"], 2, "cannot be read"),
        (&["journal", "append", "--body", "-", "-"], 2, "both"),
        (&["journal", "append", "-n", "team/*", "x"], 2, "exactly one namespace"),
        (&["journal", "append", "--kind", "", "x"], 2, "kind"),
        (&["journal", "list", "--after", "x"], 2, "place"),
        (&["journal", "show", nobody], 3, "no journal event"),
        (&["journal", "turn", "show", nobody], 3, "no turn"),
        (&["journal", "turn", "finish", nobody], 3, "no turn"),
        (&["journal", "trace", nobody], 3, "no memory"),
        (&["journal", "trace", "x"], 2, "not a memory id"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(run.err.contains(said), "{args:?}: {run:?}");
    }
    assert_eq!(peri.json(&["journal", "stats"])["entries"], 0, "nothing was written down");
}

#[test]
fn what_is_too_old_leaves_with_the_chores_as_the_setting_says() {
    let peri = Peri::new();
    let age = |peri: &Peri| {
        let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
        let day = 24 * 60 * 60 * 1000;
        database
            .execute("UPDATE journal_entries SET at = at - 5 * ?1, arrived_at = arrived_at - 5 * ?1", [day])
            .unwrap();
    };
    append(&peri, &["오래된 말"]);
    age(&peri);
    peri.ok(&["maintain"]);
    assert_eq!(texts(&peri, &["list"]).len(), 1, "90 days are not over");
    peri.configure("[journal]\nretention_days = 4\n");
    peri.ok(&["maintain"]);
    assert!(texts(&peri, &["list"]).is_empty());
    assert!(peri.ok(&["logs"]).contains("journal_dropped"));
    peri.configure("[journal]\nretention_days = -1\n");
    assert_eq!(peri.run(&["maintain"]).code, 2);
}

/// A writer that does not let go of the database until it is dropped.
fn occupy(peri: &Peri) -> rusqlite::Connection {
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    database
}

#[test]
fn what_the_store_does_not_take_is_queued_and_arrives_once() {
    let peri = Peri::new();
    peri.configure("[store]\nbusy_timeout_ms = 1\n");
    append(&peri, &["첫째"]);
    let writer = occupy(&peri);
    let run = peri.run(&["journal", "append", "둘째"]);
    assert!(run.code == 0 && run.out.starts_with("queued "), "{run:?}");
    drop(writer);
    peri.ok(&["maintain"]);
    peri.ok(&["maintain"]);
    assert_eq!(texts(&peri, &["list"]), ["둘째", "첫째"]);
}

#[test]
fn what_nobody_takes_is_a_failure_of_the_command() {
    let peri = Peri::new();
    peri.configure("[store]\nbusy_timeout_ms = 1\n");
    append(&peri, &["first"]);
    // A file in the place of the queue's folder.
    let queue = peri.home().join("queue");
    if queue.is_dir() {
        std::fs::remove_dir_all(&queue).unwrap();
    }
    std::fs::write(&queue, "").unwrap();
    let writer = occupy(&peri);
    let run = peri.run(&["journal", "append", "second"]);
    assert!(run.code == 6 && run.err.contains("not kept"), "{run:?}");
    let turn = peri.run(&["journal", "turn", "begin"]);
    assert!(turn.code == 6 && turn.err.contains("not kept"), "{turn:?}");
    drop(writer);
    assert_eq!(texts(&peri, &["list"]), ["first"]);
}
