//! Circumstances and structured content: told, found, changed, shown, and refused when they make no sense.

use serde_json::json;

use super::support::{Peri, text};

#[test]
fn circumstances_are_kept_shown_and_looked_for() {
    let peri = Peri::new();
    let office = peri.remember(&[
        "김민수와 회의를 했다",
        "--layer",
        "episodic",
        "--context",
        "spatial.place=사무실",
        "--context",
        "social.with=小李",
    ]);
    peri.remember(&["집에서 회의를 했다", "--context", "spatial.place=집"]);
    let memory = peri.json(&["get", &office])["memory"].clone();
    assert_eq!(memory["context"], json!({ "spatial": { "place": "사무실" }, "social": { "with": "小李" } }));
    let shown = peri.ok(&["get", &office]);
    assert!(shown.contains("context        spatial.place=사무실, social.with=小李\n"), "{shown}");
    for (args, count) in [
        (&[][..], 2),
        (&["--context", "spatial.place=사무실"], 1),
        (&["--context", "spatial.place=사무실", "--context", "social.with=小李"], 1),
        (&["--context", "spatial.place=집", "--context", "social.with=小李"], 0),
        (&["--context", "spatial.place=어디"], 0),
    ] {
        assert_eq!(peri.recall(&[&["회의"], args].concat()).len(), count, "recall {args:?}");
        let listed = peri.json(&[&["list"], args].concat());
        assert_eq!(listed["memories"].as_array().map(Vec::len), Some(count), "list {args:?}");
    }
    let none = peri.run(&["recall", "회의", "--context", "spatial.place=어디"]);
    assert!(none.err.contains("or fewer conditions"), "{none:?}");
}

#[test]
fn a_revision_replaces_circumstances_or_takes_them_away() {
    let peri = Peri::new();
    let id = peri.remember(&["we met", "--context", "spatial.place=office", "--context", "social.with=Ana"]);
    let revised = peri.json(&["revise", &id, "--context", "emotional.mood=기쁨"]);
    assert_eq!(revised["memory"]["context"], json!({ "emotional": { "mood": "기쁨" } }));
    assert_eq!(peri.json(&["revise", &id, "--clear-context"])["memory"].get("context"), None);
}

#[test]
fn structured_content_is_put_into_words_unless_words_are_given() {
    let peri = Peri::new();
    let fact = json!({ "concept": "김치", "definition": "발효한 배추", "properties": { "맛": "맵다" },
        "relations": [{ "relation": "is_a", "target": "반찬" }] });
    let id = peri.remember(&["--data", &fact.to_string()]);
    let memory = peri.json(&["get", &id])["memory"].clone();
    assert_eq!(memory["data"], fact);
    for word in ["김치", "발효한 배추", "맵다", "반찬"] {
        assert!(text(&memory["content"]).contains(word), "{word}: {memory}");
    }
    assert_eq!(peri.recall(&["김치"]), [text(&memory["content"])]);
    let file = peri.file("tea.json", r#"{"skill":"泡茶","steps":["烧水","放茶叶"],"success_rate":0.9}"#);
    let tea = peri.remember(&["--kind", "procedure", "--data", &format!("@{file}")]);
    assert!(peri.ok(&["get", &tea]).contains("    How to 泡茶: 1. 烧水 2. 放茶叶. Success rate: 0.9\n"));
    let words = peri.remember(&["차를 우리는 법", "--data", r#"{"skill":"차 우리기"}"#]);
    let shown = peri.ok(&["get", &words]);
    assert!(shown.ends_with("    차를 우리는 법\n") && shown.contains(r#"{"skill":"차 우리기"}"#), "{shown}");
}

#[test]
fn words_that_were_made_from_the_structure_follow_it() {
    let peri = Peri::new();
    let id = peri.remember(&["--data", r#"{"concept":"tea","definition":"a drink"}"#]);
    let revised = peri.json(&["revise", &id, "--data", r#"{"concept":"茶","definition":"一种饮料"}"#]);
    assert_eq!(text(&revised["memory"]["content"]), "茶: 一种饮料");
    let plain = peri.json(&["revise", &id, "--data", "none"]);
    assert_eq!(plain["memory"].get("data"), None);
    assert_eq!(text(&plain["memory"]["content"]), "茶: 一种饮料");
}

#[test]
fn lines_of_a_file_may_hold_structure_alone() {
    let peri = Peri::new();
    let lines = [
        r#"{"data":{"concept":"김치","definition":"발효한 배추"},"context":["spatial.place=부엌"]}"#,
        r#"{"kind":"procedure","data":{"skill":"泡茶","steps":["烧水"]}}"#,
        r#"{"content":"말로 한 것","data":{"x":1}}"#,
        r#"{"data":null}"#,
        r#"{"data":{"concept":5}}"#,
        r#"{"tags":["a"]}"#,
        r#"{"content":"x","context":{"lunar":{"phase":"full"}}}"#,
    ];
    let file = peri.file("facts.jsonl", lines.join("\n"));
    let run = peri.run(&["remember", "--file", &file]);
    assert_eq!((run.code, run.out.as_str()), (8, "3 stored, 0 merged, 4 refused\n"), "{run:?}");
    for (number, reason) in
        [(4, "the content is empty"), (5, "concept"), (6, "the content is empty"), (7, "context")]
    {
        let told = run.err.lines().find(|line| line.contains(&format!("line {number}: ")));
        assert!(told.is_some_and(|told| told.contains(reason)), "{reason}: {run:?}");
    }
    let found = |args: &[&str]| peri.recall(args);
    assert_eq!(found(&["김치", "--context", "spatial.place=부엌"]), ["김치: 발효한 배추"]);
    assert_eq!(found(&["泡茶"]), ["How to 泡茶: 1. 烧水"]);
    assert_eq!(found(&["말로"]), ["말로 한 것"]);
}

#[test]
fn bad_circumstances_and_structures_are_refused_and_nothing_is_stored() {
    let peri = Peri::new();
    let id = peri.remember(&["Ana prefers tea"]);
    let broken = peri.file("broken.json", "{\"concept\":");
    let folder = peri.home().display().to_string();
    let (broken, folder) = (format!("@{broken}"), format!("@{folder}"));
    for (option, value, words) in [
        ("--context", "place=office", "it has no . before the ="),
        ("--context", "장소", "it has no ="),
        ("--context", "lunar.phase=full", "temporal, spatial, emotional, social"),
        ("--context", "spatial.place=", "the name or the value is empty"),
        ("--data", "{bad", "the data is not JSON"),
        ("--data", "null", "the data is null"),
        ("--data", "{\"concept\":5}", "concept"),
        ("--data", "{\"relations\":[{\"target\":\"반찬\"}],\"concept\":\"김치\"}", "relation and target"),
        ("--data", "@nowhere.json", "nowhere.json cannot be read"),
        ("--data", &broken, "the data is not JSON"),
        ("--data", &folder, "is a folder"),
    ] {
        for args in [&["remember", "x", option, value][..], &["revise", &id, option, value]] {
            let run = peri.run(args);
            assert_eq!(run.code, 2, "{args:?}: {run:?}");
            assert!(run.err.contains(words), "{args:?}: {run:?}");
        }
    }
    let large = peri.file("large.json", format!("\"{}\"", "x".repeat(300_000)));
    let run = peri.run(&["remember", "--data", &format!("@{large}")]);
    assert!(run.code == 2 && run.err.contains("limits.content_bytes_max"), "{run:?}");
    let empty = peri.run(&["remember", "--data", "{}", "--file", "x"]);
    assert!(empty.code == 2 && empty.err.contains("cannot be used with"), "{empty:?}");
    assert_eq!(peri.held(), (1.into(), 0.into()));
    assert_eq!(peri.json(&["get", &id])["memory"]["version"], 1);
}
