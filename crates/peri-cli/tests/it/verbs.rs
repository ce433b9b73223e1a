//! Every verb does what it says, in text and in JSON.

use super::support::{Peri, text};

#[test]
fn remember_stores_then_merges_and_says_so() {
    let peri = Peri::new();
    let stored = peri.ok(&["remember", "Ana", "prefers", "tea"]);
    assert!(stored.starts_with("stored ") && stored.ends_with(" in default\n"), "{stored}");
    let merged = peri.ok(&["remember", "Ana prefers tea", "--tag", "drink"]);
    assert!(merged.starts_with("merged into "), "{merged}");
    let listed = peri.json(&["list"]);
    assert_eq!(listed["memories"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed["memories"][0]["tags"][0], "drink");
}

#[test]
fn remember_keeps_everything_it_is_told_about_a_memory() {
    let peri = Peri::new();
    let id = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    peri.ok(&[
        "remember",
        "the kiln reaches 1240 degrees",
        "-n",
        "team/pottery",
        "--kind",
        "procedure",
        "--layer",
        "long-term",
        "--importance",
        "0.9",
        "--tag",
        "kiln",
        "--tag",
        "fire",
        "--alias",
        "oven",
        "--session",
        "s1",
        "--speaker",
        "Ines",
        "--source",
        "notes.md",
        "--at",
        "2026-03-01",
        "--expires",
        "2100-01-01",
        "--pin",
        "--id",
        id,
    ]);
    let memory = &peri.json(&["get", id])["memory"];
    for (key, expected) in [
        ("namespace", "team/pottery"),
        ("kind", "procedure"),
        ("layer", "long_term"),
        ("session", "s1"),
        ("speaker", "Ines"),
        ("source", "notes.md"),
        ("occurred_at", "2026-03-01T00:00:00Z"),
        ("expires_at", "2100-01-01T00:00:00Z"),
    ] {
        assert_eq!(memory[key], expected, "{key}");
    }
    assert_eq!((&memory["importance"], &memory["pinned"]), (&0.9.into(), &true.into()));
    assert_eq!((&memory["tags"][1], &memory["aliases"][0]), (&"fire".into(), &"oven".into()));
    let shown = peri.ok(&["get", "0198c5b2"]);
    for part in [
        "team/pottery",
        "superseded by",
        "kiln, fire",
        "2100-01-01 00:00:00",
        "    the kiln reaches 1240 degrees",
    ] {
        assert_eq!(shown.contains(part), part != "superseded by", "{part}: {shown}");
    }
}

#[test]
fn secrets_are_taken_out_and_the_person_is_told() {
    let peri = Peri::new();
    let run = peri.run(&["remember", "use ghp_abcdefghijklmnopqrstuvwxyz0123456789 to push"]);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("secrets were taken out before it was stored: github-token"), "{}", run.err);
    assert!(!peri.ok(&["list"]).contains("ghp_"));
}

#[test]
fn recall_finds_explains_and_filters() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea over coffee", "--tag", "drink", "--at", "2026-01-05"]);
    peri.remember(&[
        "Bruno drinks tea with lemon",
        "-n",
        "team/bruno",
        "--speaker",
        "Bruno",
        "--session",
        "s",
    ]);
    let shown = peri.ok(&["recall", "tea", "--explain"]);
    assert!(shown.contains("2026-01-05") && shown.contains("    Ana prefers tea over coffee"), "{shown}");
    assert!(shown.contains("    words ") && shown.contains("    matched "), "{shown}");
    let found = |args: &[&str]| peri.recall(&[&["tea"], args].concat()).len();
    for (args, count) in [
        (&[][..], 1),
        (&["-n", "*"], 2),
        (&["-n", "default", "-n", "team/*"], 2),
        (&["-n", "*", "--speaker", "Bruno"], 1),
        (&["-n", "*", "--kind", "episode"], 1),
        (&["-n", "*", "--layer", "episodic"], 1),
        (&["-n", "*", "--session", "other"], 0),
        (&["-n", "*", "--limit", "1"], 1),
        (&["--tag", "drink"], 1),
        (&["--tag", "food"], 0),
        (&["--since", "2026-01-05", "--until", "2026-01-05"], 1),
        (&["--until", "2026-01-04"], 0),
        (&["--max-tokens", "1"], 0),
    ] {
        assert_eq!(found(args), count, "{args:?}");
    }
}

#[test]
fn a_question_may_be_piped_in() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea over coffee"]);
    let run = peri.run_with(&["recall"], "what about tea?\n".as_bytes());
    assert!(run.out.contains("Ana prefers tea"), "{run:?}");
}

#[test]
fn nothing_relevant_is_an_honest_answer_with_a_hint() {
    let peri = Peri::new();
    let run = peri.run(&["recall", "anything"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert!(
        run.err.contains("nothing relevant in default") && run.err.contains("no memories yet"),
        "{}",
        run.err
    );
    assert_eq!(peri.run(&["-q", "recall", "anything"]).err, "");
    assert_eq!(peri.json(&["recall", "anything"])["hits"].as_array().map(Vec::len), Some(0));
}

#[test]
fn an_empty_namespace_is_told_from_a_question_that_nothing_answers() {
    let peri = Peri::new();
    peri.remember(&["멜라니는 일요일에 도자기를 굽는다"]);
    let hint = |args: &[&str]| peri.run(&[&["recall", "蛋糕"], args].concat()).err;
    assert!(hint(&[]).contains("use other words"), "{}", hint(&[]));
    assert!(hint(&["-n", "elsewhere"]).contains("it holds no memories"), "{}", hint(&["-n", "elsewhere"]));
}

#[test]
fn a_memory_that_has_expired_already_is_stored_and_told() {
    let peri = Peri::new();
    let said = "it has expired already";
    assert!(peri.run(&["remember", "x", "--expires", "yesterday"]).err.contains(said));
    let id = peri.remember(&["y", "--expires", "9999-12-31"]);
    assert!(peri.ok(&["get", &id]).contains("9999-12-30 22:00:00"));
    assert!(peri.run(&["revise", &id, "--expires", "2020-01-01"]).err.contains(said));
    assert!(peri.ok(&["trash", "list"]).contains(&id), "what has expired goes to the trash");
    let trashed = peri.run(&["revise", &id, "--expires", "3mo"]);
    assert!(
        trashed.code == 2 && trashed.err.contains("is in the trash\nhint: nothing was changed"),
        "{trashed:?}"
    );
    peri.ok(&["trash", "restore", &id]);
    let kept = peri.run(&["revise", &id, "--expires", "3mo"]);
    assert_eq!(kept.err, "");
}

#[test]
fn a_list_over_several_namespaces_names_them() {
    let peri = Peri::new();
    let id = peri.remember(&["the kiln is hot", "-n", "team/pottery"]);
    assert!(peri.ok(&["list", "-n", "*"]).ends_with("  team/pottery  the kiln is hot\n"));
    assert!(peri.ok(&["list", "-n", "team/pottery"]).ends_with("fact         inner  the kiln is hot\n"));
    peri.ok(&["forget", &id]);
    assert!(peri.ok(&["trash", "list"]).contains("team/pottery"));
}

#[test]
fn help_is_a_command_too() {
    let peri = Peri::new();
    assert_eq!(peri.ok(&["help"]), peri.ok(&["--help"]));
    assert_eq!(peri.ok(&["help", "trash", "purge"]), peri.ok(&["trash", "purge", "--help"]));
}

#[test]
fn get_ends_with_the_content_and_no_line_with_a_space() {
    let peri = Peri::new();
    let id = peri.remember(&["Ana prefers tea"]);
    peri.recall(&["tea"]);
    let shown = peri.ok(&["get", &id]);
    assert!(shown.contains("\nrecalled ") && shown.ends_with("\ncontent\n    Ana prefers tea\n"), "{shown}");
    assert!(shown.lines().all(|line| line.trim_end() == line), "{shown}");
}

#[test]
fn revise_changes_what_it_is_told_and_keeps_the_history() {
    let peri = Peri::new();
    let id = peri.remember(&["Ana lives in Porto", "--tag", "home", "--expires", "30d"]);
    assert!(peri.ok(&["revise", &id, "Ana lives in Braga"]).contains("to version 2"));
    let revised = peri.json(&[
        "revise",
        &id,
        "--kind",
        "observation",
        "--layer",
        "episodic",
        "--importance",
        "1",
        "--clear-tags",
        "--alias",
        "move",
        "--pin",
        "--expires",
        "none",
        "--expect-version",
        "2",
    ]);
    let memory = &revised["memory"];
    for (key, expected) in [("kind", "observation"), ("layer", "episodic"), ("content", "Ana lives in Braga")]
    {
        assert_eq!(memory[key], expected);
    }
    assert_eq!((&memory["pinned"], &memory["aliases"][0]), (&true.into(), &"move".into()));
    assert!(memory.get("tags").is_none() && memory.get("expires_at").is_none());
    assert_eq!(peri.json(&["revise", &id, "--unpin", "--clear-aliases"])["memory"].get("pinned"), None);
    let history = peri.json(&["get", &id, "--history"]);
    assert_eq!(history["history"][0]["content"], "Ana lives in Porto");
    assert!(peri.ok(&["get", &id, "--history"]).contains("    Ana lives in Porto"));
    assert!(peri.recall(&["where does Ana live"]).contains(&"Ana lives in Braga".to_owned()));
}

#[test]
fn a_superseded_memory_is_not_recalled_until_it_is_current_again() {
    let peri = Peri::new();
    let old = peri.remember(&["the server is called Ganymede"]);
    let new = peri.remember(&["the server is called Callisto"]);
    peri.ok(&["revise", &old, "--superseded-by", &new]);
    assert_eq!(peri.recall(&["server called"]), ["the server is called Callisto"]);
    assert!(peri.ok(&["list"]).ends_with("  (superseded) the server is called Ganymede\n"));
    peri.ok(&["revise", &old, "--superseded-by", "none"]);
    assert_eq!(peri.recall(&["server called"]).len(), 2);
}

#[test]
fn only_a_memory_that_is_seen_itself_can_take_anothers_place() {
    let peri = Peri::new();
    let [one, two, three, trashed] =
        ["one", "two", "three", "four"].map(|name| peri.remember(&[&format!("server {name}")]));
    peri.ok(&["revise", &one, "--superseded-by", &two]);
    peri.ok(&["revise", &two, "--superseded-by", &three]);
    peri.ok(&["forget", &trashed]);
    for (id, successor, says) in [
        (&two, &one, "takes the place of"),
        (&three, &one, "takes the place of"),
        (&three, &trashed, "is in the trash"),
    ] {
        let run = peri.run(&["revise", id, "--superseded-by", successor]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(says) && run.err.contains("nothing was changed"), "{}", run.err);
    }
    assert_eq!(peri.recall(&["server"]), ["server three"]);
}

#[test]
fn what_is_forgotten_is_not_recalled_and_can_be_restored_until_it_is_purged() {
    let peri = Peri::new();
    let (one, other) = (peri.remember(&["Ana prefers tea"]), peri.remember(&["Bruno prefers tea"]));
    let forgotten = peri.run(&["forget", &one, &other]);
    assert!(forgotten.out.contains(&one) && forgotten.err.contains("peri trash restore"), "{forgotten:?}");
    assert!(peri.recall(&["tea"]).is_empty());
    assert_eq!(peri.ok(&["trash", "list"]).lines().count(), 2);
    assert!(peri.ok(&["trash", "restore", &one]).starts_with("restored "));
    assert_eq!(peri.recall(&["tea"]), ["Ana prefers tea"]);
    assert_eq!(peri.json(&["trash", "purge", "--all", "--older-than", "1d", "--yes"])["purged"], 0);
    assert_eq!(peri.ok(&["trash", "purge", "--all", "--yes"]), "1 memory destroyed\n");
    assert_eq!(peri.run(&["get", &other]).code, 3);
    let last = peri.remember(&["Carla prefers tea"]);
    peri.ok(&["forget", &last]);
    assert_eq!(peri.json(&["trash", "purge", &last, "--yes"])["purged"], 1);
    assert_eq!(peri.held(), (1.into(), 0.into()));
}

#[test]
fn list_goes_page_by_page_in_either_order() {
    let peri = Peri::new();
    peri.run_with(&["remember", "--lines"], b"one\ntwo\nthree\n");
    let page = peri.json(&["list", "--limit", "2"]);
    assert_eq!(
        [text(&page["memories"][0]["content"]), text(&page["memories"][1]["content"])],
        ["three", "two"]
    );
    let rest = peri.json(&["list", "--after", &text(&page["next"])]);
    assert_eq!(
        (text(&rest["memories"][0]["content"]), &rest["next"]),
        ("one".to_owned(), &serde_json::Value::Null)
    );
    let first = peri.run(&["list", "--oldest-first", "--limit", "1"]);
    assert!(first.out.ends_with("  one\n") && first.err.contains("--after"), "{first:?}");
    assert!(peri.run(&["list", "--kind", "summary"]).err.contains("no memories in default"));
}

#[test]
fn a_part_of_an_id_must_mean_one_memory() {
    let peri = Peri::new();
    let ids = [
        "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a",
        "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6b",
        "0198c5b3-0000-7000-8000-000000000000",
    ];
    for (at, id) in ids.iter().enumerate() {
        peri.remember(&[&format!("memory {at}"), "--id", id]);
    }
    peri.ok(&["forget", ids[1]]);
    let run = peri.run(&["forget", "0198c5b2-7d3e"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("more than one memory") && run.err.contains("nothing was changed"),
        "{}",
        run.err
    );
    assert_eq!(text(&peri.json(&["get", "0198C5B3"])["memory"]["id"]), ids[2]);
    assert!(peri.ok(&["trash", "restore", &ids[1][..36]]).contains("memory 1"));
}

#[test]
fn stats_doctor_and_maintain_tell_how_it_stands() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let stats = peri.ok(&["stats"]);
    assert!(stats.contains("memories       1") && stats.contains("fact 1"), "{stats}");
    let doctor = peri.ok(&["doctor"]);
    assert_eq!(doctor.lines().filter(|line| line.starts_with("ok ")).count(), 8, "{doctor}");
    assert_eq!(peri.json(&["doctor"])["verdict"], "ok");
    assert!(peri.ok(&["maintain"]).contains("0 memories purged"));
    assert_eq!(peri.held(), (1.into(), 0.into()));
}

#[test]
fn what_the_engine_logs_looks_like_every_other_message() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let lines: String = (0..3000).map(|number| format!("memory number {number}\n")).collect();
    peri.run_with(&["remember", "--lines"], lines.as_bytes());
    let index = peri.home().join("index");
    if index.exists() {
        std::fs::remove_dir_all(&index).unwrap();
    }
    // Where the folder of the indexes should be lies a file, so no index can be saved.
    std::fs::write(&index, "").unwrap();
    let run = peri.run(&["recall", "tea"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.starts_with("warning: an index snapshot could not be saved error="), "{run:?}");
    assert_eq!(peri.run(&["-q", "recall", "tea"]).err, "");
}

#[test]
fn completions_are_printed_for_every_shell() {
    let peri = Peri::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(peri.ok(&["completions", shell]).contains("remember"), "{shell}");
    }
    assert!(!peri.home().exists(), "completions must not open the engine");
}

#[test]
fn the_demo_touches_nothing_but_its_own_folder() {
    let peri = Peri::new();
    let folder = peri.home().with_file_name("demo").display().to_string();
    let shown = peri.ok(&["demo", "--home", &folder]);
    for part in ["41 memories remembered", "E0308", "김민수", "王芳", "nothing relevant", "throw it away"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!peri.home().exists());
    let again = peri.run(&["demo", "--home", &folder]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("holds memories already"), "{}", again.err);
}

#[test]
fn the_demo_names_its_folder_as_a_shell_takes_it() {
    let peri = Peri::new();
    let folder = peri.home().with_file_name("it's a demo").display().to_string();
    let shown = peri.ok(&["demo", "--home", &folder]);
    let quoted = folder.replace('\'', r"'\''");
    assert!(shown.contains(&format!("rm -r '{quoted}'\n")), "{shown}");
}

#[test]
fn the_demo_finds_what_it_is_meant_to_show() {
    let peri = Peri::new();
    let folder = peri.home().with_file_name("demo").display().to_string();
    let answers = peri.json(&["demo", "--home", &folder])["answers"].clone();
    let expected = ["adrenaline pen", "tile factory", "In Porto", "E0308", "김민수", "王芳", ""];
    assert_eq!(answers.as_array().map(Vec::len), Some(expected.len()));
    for (at, expected) in expected.into_iter().enumerate() {
        let found = text(&answers[at]["hits"][0]["memory"]["content"]);
        assert!(
            found.contains(expected) && found.is_empty() == expected.is_empty(),
            "{}: {found}",
            answers[at]["question"]
        );
    }
}

#[test]
fn colours_are_off_in_pipes_and_on_when_asked_for() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    assert!(!peri.ok(&["recall", "tea"]).contains('\u{1b}'));
    assert!(peri.ok(&["recall", "tea", "--color", "always"]).contains('\u{1b}'));
    peri.remember(&["Bruno\u{1b}]0;title\u{7} prefers tea\u{202e}"]);
    let painted = peri.ok(&["list", "--color", "always"]);
    assert!(!painted.contains("\u{1b}]") && !painted.contains('\u{202e}'), "{painted:?}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let peri = Peri::new();
    let lines: String =
        (0..400).map(|number| format!("memory number {number} {}\n", "x".repeat(400))).collect();
    peri.run_with(&["remember", "--lines"], lines.as_bytes());
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_peri"))
        .env_clear()
        .env("PERI_HOME", peri.home())
        .args(["list", "--limit", "400"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}
