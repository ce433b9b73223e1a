//! Memories and the memory files of agents, kept in step.

use serde_json::json;

use super::support::{Peri, text};

const FILE: &str = "# Orbit\n\n## 테스트\n\n- 항상 nextest를 쓴다\n- 测试必须可以失败\n";

#[test]
fn what_people_wrote_becomes_memories_once() {
    let peri = Peri::new();
    let file = peri.file("CLAUDE.md", FILE);
    let shown = peri.ok(&["bridge", "import", &file]);
    assert!(shown.starts_with("read ") && shown.contains("2 statements, 0 unchanged"), "{shown}");
    assert!(shown.contains("  remembered  테스트: 항상 nextest를 쓴다"), "{shown}");
    let again = peri.json(&["bridge", "import", &file]);
    assert_eq!((&again["files"][0]["unchanged"], &again["files"][0]["changes"]), (&json!(2), &json!([])));
    assert_eq!(peri.recall(&["nextest"]), ["테스트: 항상 nextest를 쓴다"]);
}

#[test]
fn a_dry_run_does_nothing() {
    let peri = Peri::new();
    let file = peri.file("AGENTS.md", FILE);
    peri.remember(&["The staging server is called Ganymede", "--pin"]);
    let before = peri.held();
    for verb in ["import", "export", "sync"] {
        let shown = peri.ok(&["bridge", verb, &file, "--dry-run"]);
        assert!(shown.contains("would "), "{verb}: {shown}");
    }
    assert_eq!((std::fs::read_to_string(&file).unwrap(), peri.held()), (FILE.to_owned(), before));
}

#[test]
fn what_matters_is_written_into_a_section_and_edits_come_back() {
    let peri = Peri::new().with("PERI_NOTES_PROMOTE_TOKENS", "1").with("PERI_NOTES_RECALLABLE", "false");
    peri.ok(&["hear", "--session", "s", "--user", "Remember: never deploy on Fridays.", "--now"]);
    let file = peri.file("AGENTS.md", FILE);
    peri.remember(&["The staging server is called Ganymede", "--pin"]);
    let written = peri.ok(&["bridge", "export", &file]);
    assert!(written.starts_with("wrote ") && written.contains("1 durable note"), "{written}");
    let section = std::fs::read_to_string(&file).unwrap();
    assert!(
        section.starts_with(FILE) && section.contains("Ganymede") && section.contains("Fridays"),
        "{section}"
    );
    assert!(peri.ok(&["bridge", "export", &file]).starts_with("unchanged "));

    std::fs::write(&file, section.replace("Ganymede", "Callisto")).unwrap();
    let status = peri.ok(&["bridge", "status", &file]);
    assert!(status.contains("edited by hand") && status.contains("a sync would do this:"), "{status}");
    let refused = peri.run(&["bridge", "export", &file]);
    assert!(refused.code == 4 && refused.err.contains("bridge sync"), "{refused:?}");
    let synced = peri.json(&["bridge", "sync", &file]);
    assert_eq!(synced["files"][0]["edits"]["counts"]["revised"], 1, "{synced}");
    assert_eq!(peri.recall(&["staging server"])[0], "The staging server is called Callisto");
    assert!(peri.ok(&["bridge", "status", &file]).contains("in step"));
}

#[test]
fn bad_files_are_refused_and_what_was_done_before_is_told() {
    let peri = Peri::new();
    let good = peri.file("CLAUDE.md", FILE);
    let bytes = peri.file("bytes.md", b"\xff\xfe");
    let damaged = peri.file("damaged.md", "<!-- perihelion:end -->\n");
    for (args, code, said) in [
        (&["bridge", "import"][..], 2, "FILE"),
        (&["bridge", "import", "missing.md"], 3, "there is no file"),
        (&["bridge", "import", &bytes], 2, "not text in UTF-8"),
        (&["bridge", "sync", &damaged], 2, "damaged"),
        (&["bridge", "status", &good, "-n", "team/*"], 2, "exactly one namespace"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(run.err.contains(said), "{args:?}: {run:?}");
    }
    let run = peri.run(&["bridge", "import", &good, &bytes, "--json"]);
    let told: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, told["files"].as_array().unwrap().len()), (2, 1), "{run:?}");
    assert_eq!(text(&told["files"][0]["rehearsal"]), "real");
}
