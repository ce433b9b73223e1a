//! What the reference MCP memory server kept, read in: good lines are kept, bad ones told, and nothing is doubled.

use super::support::{Peri, Run};

const FILE: &str = r#"{"type":"entity","name":"Ana","entityType":"person","observations":["prefers tea","차를 마신다"]}
{"type":"entity","name":"王小明","entityType":"人","observations":["喜欢喝绿茶"],"extra":"passed over"}

{"type":"relation","from":"Ana","to":"王小明","relationType":"knows"}
{"type":"relation","from":"Ana","to":"Nobody","relationType":"waits_for"}
"#;

fn import(peri: &Peri, file: &str, more: &[&str]) -> Run {
    peri.run(&[&["import", "memory-json", file], more].concat())
}

#[test]
fn a_file_of_the_memory_server_becomes_a_graph_that_recall_finds() {
    let peri = Peri::new();
    let run = import(&peri, &peri.file("memory.jsonl", FILE), &[]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "2 entities, 3 observations, 2 relations added\n"),
        "{run:?}"
    );
    assert!(peri.recall(&["what does Ana like to drink?"]).contains(&"Ana: prefers tea".to_owned()));
    assert!(peri.recall(&["绿茶"]).contains(&"王小明: 喜欢喝绿茶".to_owned()));
    assert_eq!(peri.held().0, 7, "relations are kept although an end is missing");
}

#[test]
fn importing_again_adds_only_what_is_new() {
    let peri = Peri::new();
    import(&peri, &peri.file("memory.jsonl", FILE), &[]);
    let run = import(&peri, &peri.file("memory.jsonl", FILE), &[]);
    assert!(run.out.starts_with("0 entities, 0 observations, 0 relations added"), "{run:?}");
    assert!(run.err.contains("known already: 2 entities, 3 observations, 2 relations"), "{run:?}");
    let grown = FILE.replace("\"prefers tea\"", "\"prefers tea\",\"lives in Lisbon\"");
    let run = import(&peri, &peri.file("memory.jsonl", grown), &[]);
    assert!(run.out.starts_with("0 entities, 1 observation, 0 relations added"), "{run:?}");
    assert_eq!(peri.held().0, 8);
}

#[test]
fn bad_lines_of_a_memory_servers_file_are_told_by_number_and_the_rest_is_kept() {
    let peri = Peri::new();
    let bad = [
        "not json",
        "[1]",
        r#"{"type":"comet","name":"x"}"#,
        r#"{"type":"entity","name":"Bo","entityType":"person"}"#,
        r#"{"type":"entity","name":" ","entityType":"person","observations":[]}"#,
        r#"{"type":"relation","from":"Ana","to":7,"relationType":"x"}"#,
    ];
    let file = peri.file("memory.jsonl", format!("{}\n{FILE}", bad.join("\n")));
    let run = import(&peri, &file, &[]);
    assert_eq!(run.code, 8, "{run:?}");
    assert!(run.out.starts_with("2 entities, 3 observations, 2 relations added"), "{run:?}");
    for (number, reason) in
        ["not JSON", "neither", "comet", "observations", "name is empty", "string"].iter().enumerate()
    {
        let told = run.err.lines().find(|line| line.contains(&format!("line {}: ", number + 1)));
        assert!(told.is_some_and(|told| told.contains(reason)), "{reason}: {run:?}");
    }
    let none = peri.file("none.jsonl", bad.join("\n"));
    assert_eq!(import(&peri, &none, &[]).code, 2);
}

#[test]
fn a_dry_run_tells_what_would_be_added_and_adds_nothing() {
    let peri = Peri::new();
    let file = peri.file("memory.jsonl", FILE);
    let run = import(&peri, &file, &["--dry-run"]);
    assert_eq!((run.code, run.out.as_str()), (0, "2 entities, 3 observations, 2 relations would be added\n"));
    assert_eq!(peri.held().0, 0);
    import(&peri, &file, &[]);
    assert!(import(&peri, &file, &["--dry-run"]).out.starts_with("0 entities, 0 observations"));
}

#[test]
fn the_graph_goes_to_the_namespace_that_was_asked_for_and_from_a_pipe() {
    let peri = Peri::new();
    let run = peri.run_with(&["import", "memory-json", "-", "-n", "team/ana"], FILE.as_bytes());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(peri.recall(&["tea"]).is_empty());
    assert!(!peri.recall(&["tea", "-n", "team/ana"]).is_empty());
}

#[test]
fn an_export_may_be_called_like_the_command() {
    let (from, to) = (Peri::new(), Peri::new());
    from.remember(&["the kiln is hot"]);
    to.file("memory-json", from.ok(&["export", "-q"]));
    let run = to.run(&["import", "./memory-json"]);
    assert!(run.out.starts_with("1 added"), "{run:?}");
    for (args, why) in [
        (&["import", "memory-json"][..], "required"),
        (&["import", "memory-json", "nowhere.jsonl"], "cannot be read"),
        (&["import", "--mode", "upsert", "memory-json", "-"], "an option before the command has no meaning"),
        (&["import", "./memory-json", "memory-json", "-"], "two files"),
        (&["import", "memory-json", "-", "-n", "team/*"], "exactly one namespace"),
    ] {
        let run = to.run(args);
        assert!(run.code == 2 && run.err.contains(why), "{args:?}: {run:?}");
    }
}
