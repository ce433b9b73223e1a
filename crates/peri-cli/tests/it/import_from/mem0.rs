//! Memories of mem0.

use serde_json::json;

use super::super::support::{Peri, text};
use super::{archive, contents, counts, import, memories};

const FILE: &str = r#"{
  "count": 4, "next": null,
  "results": [
    {"id": "8a1c", "memory": "Ana prefers green tea", "hash": "f00d", "metadata": {"mood": "calm"},
     "created_at": "2024-07-20T01:30:36.275141-07:00", "updated_at": null,
     "user_id": "ana", "run_id": "trip-7", "categories": ["drinks"]},
    {"id": "8a1d", "memory": "보라는 서울에 산다", "created_at": "2024-07-21T00:00:00Z", "user_id": "bora"},
    {"id": "8a1e", "memory": "王小明喜欢喝绿茶", "created_at": "2024-07-22T00:00:00Z", "user_id": "王小明", "agent_id": "helper"},
    {"id": "8a1f", "memory": "Nobody owns this"}
  ],
  "relations": [
    {"source": "ana", "relationship": "lives_in", "target": "lisbon"},
    {"source": "bora", "source_type": "person", "relationship": "knows", "destination": "ana", "target_type": "person"}
  ]
}"#;

#[test]
fn memories_of_mem0_are_found_with_what_mem0_knew_of_them() {
    let peri = Peri::new();
    let run = import(&peri, &["mem0", &peri.file("memories.json", FILE)]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "4 memories added, 0 known already, 0 refused\n2 entities, 2 relations added to the graph\n"),
        "{run:?}"
    );
    let stored = memories(&peri, "default");
    let tea = stored.iter().find(|memory| memory["content"] == "Ana prefers green tea").unwrap();
    assert_eq!(tea["kind"], "fact");
    assert_eq!(tea["occurred_at"], "2024-07-20T08:30:36.275Z");
    assert_eq!((&tea["session"], &tea["source"]), (&json!("trip-7"), &json!("mem0")));
    assert_eq!(tea["tags"], json!(["drinks"]));
    assert_eq!(
        tea["metadata"],
        json!({"mem0_id": "8a1c", "mood": "calm", "user_id": "ana", "run_id": "trip-7"})
    );
    assert!(peri.recall(&["绿茶"]).contains(&"王小明喜欢喝绿茶".to_owned()));
    assert!(peri.recall(&["서울"]).contains(&"보라는 서울에 산다".to_owned()));
    assert!(contents(&stored).contains(&"ana lives_in lisbon".to_owned()), "{stored:?}");
}

#[test]
fn importing_mem0_again_adds_nothing_and_changes_nothing() {
    let peri = Peri::new();
    let file = peri.file("memories.json", FILE);
    assert_eq!(counts(&peri, &["mem0", &file]), (4, 0, 0));
    let before = memories(&peri, "default");
    assert_eq!(counts(&peri, &["mem0", &file]), (0, 4, 0));
    assert_eq!(memories(&peri, "default"), before);
    assert_eq!(counts(&peri, &["mem0", &file, "--dry-run"]), (0, 4, 0));
    let tea = before.iter().find(|memory| memory["content"] == "Ana prefers green tea").unwrap();
    peri.ok(&["forget", &text(&tea["id"])]);
    assert_eq!(counts(&peri, &["mem0", &file]), (0, 4, 0), "what was thrown away stays so");
    assert_eq!(peri.recall(&["green tea"]).iter().filter(|one| *one == "Ana prefers green tea").count(), 0);
}

#[test]
fn a_dry_run_of_mem0_tells_the_same_numbers_and_stores_nothing() {
    let peri = Peri::new();
    let file = peri.file("memories.json", FILE);
    let run = import(&peri, &["mem0", &file, "--dry-run"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (
            0,
            "4 memories would be added, 0 known already, 0 refused\n2 entities, 2 relations would be added to the graph\n"
        ),
        "{run:?}"
    );
    assert_eq!(peri.held().0, 0);
}

#[test]
fn owners_are_kept_apart_when_asked_for() {
    let peri = Peri::new();
    let file = peri.file("memories.json", FILE);
    assert_eq!(counts(&peri, &["mem0", &file, "--namespace", "team", "--by", "user"]), (4, 0, 0));
    assert_eq!(contents(&memories(&peri, "team/ana")), ["Ana prefers green tea"]);
    assert_eq!(contents(&memories(&peri, "team/bora")), ["보라는 서울에 산다"]);
    assert_eq!(contents(&memories(&peri, "team/王小明")), ["王小明喜欢喝绿茶"]);
    assert!(contents(&memories(&peri, "team")).contains(&"Nobody owns this".to_owned()));
    assert_eq!(counts(&peri, &["mem0", &file, "--namespace", "team", "--by", "user"]), (0, 4, 0));
}

#[test]
fn a_list_lines_a_pipe_and_a_backup_of_openmemory_are_read_as_well() {
    let list = r#"[{"id":"1","memory":"one"},{"id":"2","memory":"two"}]"#;
    let lines = "{\"id\":\"1\",\"memory\":\"one\"}\n\n{\"id\":\"2\",\"memory\":\"two\"}\n";
    let backup = r#"{"user":{"id":"u"},"memories":[
        {"id":"1","content":"one","state":"active"},{"id":"2","content":"two","state":"paused"},
        {"id":"3","content":"gone","state":"deleted"}],"export_meta":{"version":"1"}}"#;
    let check = |made: &dyn Fn(&Peri) -> String| {
        let peri = Peri::new();
        let file = made(&peri);
        assert_eq!(counts(&peri, &["mem0", &file]), (2, 0, 0), "{file}");
        assert_eq!(counts(&peri, &["mem0", &file]), (0, 2, 0), "{file}");
        let mut stored = contents(&memories(&peri, "default"));
        stored.sort();
        assert_eq!(stored, ["one", "two"], "{file}");
    };
    check(&|peri| peri.file("list.json", list));
    check(&|peri| peri.file("lines.jsonl", lines));
    check(&|peri| peri.file("backup.json", backup));
    check(&|peri| {
        archive(peri, "backup.zip", &[("memories.json", backup.as_bytes()), ("memories.jsonl.gz", b"x")])
    });
    let peri = Peri::new();
    let run = peri.run_with(&["import", "mem0", "-"], list.as_bytes());
    assert!(run.out.starts_with("2 memories added"), "{run:?}");
}

#[test]
fn bad_records_of_mem0_are_told_by_place_and_the_rest_is_kept() {
    let peri = Peri::new();
    let file = r#"{"results":[
        {"id":"1","memory":"good"}, 7, {"id":"2"}, {"id":"3","memory":"a \u0000 b"}, {"id":"4","memory":["x"]},
        {"id":"5","memory":"also good","categories":"odd","metadata":"odd","created_at":{}}],
        "relations":[{"source":"a"}]}"#;
    let file = peri.file("memories.json", file);
    for more in [&["--dry-run"][..], &[]] {
        let run = import(&peri, &[&["mem0", &file], more].concat());
        assert_eq!(run.code, 8, "{run:?}");
        for (place, reason) in [
            ("record 2 of results", "not an object"),
            ("record 3 of results", "no text"),
            ("record 4 of results", "NUL"),
            ("record 5 of results", "no text"),
            ("record 1 of relations", "not a relation"),
        ] {
            let told = run.err.lines().find(|line| line.contains(place));
            assert!(told.is_some_and(|told| told.contains(reason)), "{place}: {run:?}");
        }
        assert!(run.out.starts_with("2 memories"), "{run:?}");
    }
    let lines = peri.file("memories.jsonl", "oops\n{\"id\":\"9\",\"memory\":\"nine\"}\n{\"id\":\n");
    let run = import(&peri, &["mem0", &lines]);
    assert!(run.code == 8 && run.err.contains("line 1: ") && run.err.contains("line 3: "), "{run:?}");
    let cut = peri.file("cut.json", r#"[{"id":"10","memory":"before the cut"},{"id":"11","mem"#);
    let run = import(&peri, &["mem0", &cut]);
    assert!(run.code == 8 && run.err.contains("nothing after it was read"), "{run:?}");
    assert!(contents(&memories(&peri, "default")).contains(&"before the cut".to_owned()));
}
