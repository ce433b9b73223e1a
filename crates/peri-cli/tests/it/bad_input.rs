//! Whatever is wrong with a request: the right exit code, a message that helps, and nothing changed.

use super::support::{Peri, nowhere};

struct Case {
    args: Vec<String>,
    input: Vec<u8>,
    code: i32,
    says: &'static str,
}

fn case(args: &[&str], code: i32, says: &'static str) -> Case {
    Case { args: args.iter().map(ToString::to_string).collect(), input: Vec::new(), code, says }
}

fn piped(args: &[&str], input: impl Into<Vec<u8>>, code: i32, says: &'static str) -> Case {
    Case { input: input.into(), ..case(args, code, says) }
}

/// Runs every case on a folder with one memory and one in the trash, and looks whether anything changed.
fn check(cases: impl FnOnce(&Peri, &str, &str) -> Vec<Case>) {
    let peri = Peri::new();
    let kept = peri.remember(&["Ana prefers tea"]);
    let trashed = peri.remember(&["Ana dislikes rain"]);
    peri.ok(&["forget", &trashed]);
    let before = peri.held();
    for case in cases(&peri, &kept, &trashed) {
        let args: Vec<&str> = case.args.iter().map(String::as_str).collect();
        let run = peri.run_with(&args, &case.input);
        let shown: Vec<String> = args.iter().map(|arg| arg.chars().take(60).collect()).collect();
        assert_eq!(run.code, case.code, "{shown:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(case.says), "{shown:?} should say {:?}: {}", case.says, run.err);
        assert!(run.err.starts_with("error: ") || run.err.starts_with("refused: "), "{shown:?}: {}", run.err);
    }
    assert_eq!(peri.held(), before);
}

#[test]
fn bad_text_is_refused() {
    check(|_, kept, _| {
        vec![
            case(&["remember"], 2, "the content is empty"),
            case(&["remember", "  "], 2, "the content is empty"),
            piped(&["remember", "-"], "\n\n", 2, "the content is empty"),
            piped(
                &["remember"],
                vec![b'x'; 10 << 20],
                2,
                "more than the 262144 bytes allowed (limits.content_bytes_max)",
            ),
            piped(&["remember"], b"caf\xe9 au lait".as_slice(), 2, "the byte at offset 3"),
            piped(&["remember"], "a\0b", 2, "NUL character at byte 1"),
            case(&["recall"], 2, "the query is empty"),
            piped(
                &["recall", "-"],
                vec![b'x'; 1 << 20],
                2,
                "(limits.query_bytes_max)\nhint: ask in fewer words\n",
            ),
            piped(&["recall"], b"\xff".as_slice(), 2, "the byte at offset 0"),
            piped(&["revise", kept, "-"], b"\xff".as_slice(), 2, "the byte at offset 0"),
            piped(&["revise", kept, "-"], "", 2, "the content is empty"),
            case(&["revise", kept], 2, "nothing to change"),
        ]
    });
}

#[test]
fn bad_arguments_are_refused() {
    check(|_, kept, _| {
        vec![
            case(&["remember", "x", "--importance", "7"], 2, "importance 7 is not between 0 and 1"),
            case(&["remember", "x", "--importance", "-0.5"], 2, "importance -0.5 is not between 0 and 1"),
            case(&["remember", "x", "--importance", "much"], 2, "is not a number between 0 and 1"),
            case(&["remember", "x", "--kind", "opinion"], 2, "preference"),
            case(&["remember", "x", "--layer", "deep"], 2, "episodic"),
            case(&["remember", "x", "--at", "soon"], 2, "\"soon\" is not a time"),
            case(&["remember", "x", "-n", "a b"], 2, "is not a namespace"),
            case(&["remember", "x", "-n", "team/*"], 2, "exactly one namespace"),
            case(&["remember", "x", "-n", "a", "-n", "b"], 2, "exactly one namespace"),
            case(&["remember", "x", "--tag", ""], 2, "the tag is empty"),
            case(&["remember", "x", "--id", "7"], 2, "is not a memory id"),
            case(&["remember", "x", "--colour", "red"], 2, "unexpected argument"),
            case(&["recall", "x", "--limit", "0"], 2, "at least 1"),
            case(&["recall", "x", "--limit", "100000"], 2, "limits.results_max"),
            case(&["recall", "x", "--without", "magic"], 2, "neighbours"),
            case(&["recall", "x", "--since", "7x"], 2, "is not a time"),
            case(&["recall", "x", "--since", "3m"], 2, "3m may mean minutes or months: write 3min or 3mo"),
            case(
                &["recall", "x", "--since", "7d", "--until", "8d"],
                2,
                "--since is not earlier than --until",
            ),
            case(
                &["list", "--since", "tomorrow", "--until", "today"],
                2,
                "--since is not earlier than --until",
            ),
            case(&["list", "--limit", "100000"], 2, "limits.results_max"),
            case(&["list", "-n", "a", "-n", "b"], 2, "takes one"),
            case(&["revise", kept, "--pin", "--unpin"], 2, "cannot be used with"),
            case(&["revise", kept, "--superseded-by", kept], 2, "its own place"),
            case(&["fly"], 2, "unrecognized subcommand"),
        ]
    });
}

#[test]
fn unknown_and_malformed_ids_are_refused() {
    let stranger = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    check(|_, kept, trashed| {
        let mut cases = Vec::new();
        for verb in [
            &["get"][..],
            &["forget"],
            &["revise"],
            &["trash", "restore"],
            &["trash", "purge", "--yes"],
            &["history"],
            &["split"],
            &["graph", "neighbours"],
            &["graph", "link", kept],
            &["graph", "unlink", kept],
            &["graph", "path", kept],
            &["feedback", "--query", "tea", "--used"],
            &["feedback", "--query", "tea", "--not-used"],
        ] {
            for (id, code, says) in [
                (stranger, 3, "no memory 0198c5b2"),
                ("0198c5b2", 3, "begins with 0198c5b2"),
                ("42", 2, "is not a memory id"),
                ("../../etc/passwd", 2, "is not a memory id"),
            ] {
                let content = if verb == ["revise"] { &["x"][..] } else { &[] };
                cases.push(case(&[verb, &[id], content].concat(), code, says));
            }
        }
        cases.extend([
            case(&["forget", kept, stranger], 3, "no memory"),
            case(&["trash", "restore", trashed, kept], 4, "is not in the trash"),
            case(&["trash", "purge", trashed, kept, "--yes"], 4, "is not in the trash"),
            case(&["trash", "purge", trashed], 2, "add --yes"),
            case(&["trash", "purge", "--all"], 2, "add --yes"),
            case(&["trash", "purge"], 2, "required"),
            case(&["trash", "purge", "--all", "--older-than", "3m", "--yes"], 2, "minutes or months"),
            case(&["trash", "purge", "--older-than", "3mo", "--yes"], 2, "--all"),
            case(&["get", kept, "-n", "elsewhere"], 3, "no memory"),
            case(&["revise", kept, "x", "--expect-version", "9"], 4, "at version 1, not 9"),
            case(&["revise", kept, "--superseded-by", stranger], 3, "no memory"),
            case(&["remember", "another", "--id", kept], 4, "already in use"),
        ]);
        cases
    });
}

#[test]
fn bad_requests_about_orbits_links_and_places_are_refused() {
    check(|peri, kept, trashed| {
        let other = peri.remember(&["Bruno plays chess", "-n", "elsewhere"]);
        peri.ok(&["namespace", "delete", "elsewhere", "--purge", "--yes"]);
        vec![
            case(&["reorbit", "--depth", "2"], 2, "unexpected argument"),
            case(&["reorbit", "-n", "a b"], 2, "is not a namespace"),
            case(&["health", "extra"], 2, "unexpected argument"),
            case(&["logs", "--limit", "0"], 2, "at least 1"),
            case(&["logs", "--event", "exploded"], 2, "zone_changed"),
            case(&["logs", "--since", "soon"], 2, "is not a time"),
            case(&["logs", "-n", "a", "-n", "b"], 2, "takes one"),
            case(&["history"], 2, "required"),
            case(&["history", &other], 3, "no memory"),
            case(&["split", kept], 4, "is not merged into another one"),
            case(&["recall", "x", "--as-of", "whenever"], 2, "is not a time"),
            case(&["recall", "x", "--as-of", "2999-01-01"], 2, "in the future"),
            case(&["remember", "x", "--valid-from", "soon"], 2, "is not a time"),
            case(&["remember", "x", "--valid-until", "soon"], 2, "is not a time"),
            case(
                &["remember", "x", "--valid-from", "2027-01-02", "--valid-until", "2027-01-01"],
                2,
                "only from",
            ),
            case(&["revise", kept, "--valid-until", "2020-01-01"], 2, "only from"),
            case(&["revise", kept, "--valid-from", "9000-01-01", "--valid-until", "3d"], 2, "only from"),
            case(&["list", "--zone", "moon"], 2, "cloud"),
            case(&["graph", "neighbours", kept, "--depth", "0"], 2, "at least 1"),
            case(&["graph", "neighbours", kept, "--direction", "up"], 2, "invalid value"),
            case(&["graph", "neighbours", kept, "--type", "likes"], 2, "related_to"),
            case(&["graph", "neighbours", kept, "--limit", "100000"], 2, "limits.results_max"),
            case(&["graph", "path", kept], 2, "required"),
            case(&["graph", "path", kept, trashed], 3, "no memory"),
            case(&["graph", "rank", "--limit", "0"], 2, "at least 1"),
            case(&["graph", "rank", "-n", "*"], 2, "exactly one namespace"),
            case(&["graph", "communities", "-n", "team/*"], 2, "exactly one namespace"),
            case(&["graph", "export"], 2, "--format"),
            case(&["graph", "export", "--format", "png"], 2, "graphml"),
            case(
                &["graph", "export", "--format", "dot", "-o", "/nowhere/at/all.dot"],
                2,
                "cannot be written",
            ),
            case(&["graph", "link", kept, kept], 2, "cannot be linked to itself"),
            case(&["graph", "link", kept, trashed], 3, "no memory"),
            case(&["graph", "link", kept, kept, "--weight", "0"], 2, "above 0 and at most 1"),
            case(&["graph", "link", kept, kept, "--weight", "-1"], 2, "above 0 and at most 1"),
            case(&["graph", "link", kept, kept, "--weight", "nan"], 2, "above 0 and at most 1"),
            case(&["graph", "link", kept, kept, "--type", "likes"], 2, "contradicts"),
        ]
    });
}

#[test]
fn bad_requests_about_feedback_sessions_and_transfers_are_refused() {
    check(|peri, kept, _| {
        let noise = peri.file("noise.jsonl", "these are\nno memories\n");
        let future = peri.file("future.jsonl", "{\"perihelion\":99,\"record\":\"header\"}\n");
        let folder = peri.home().display().to_string();
        vec![
            case(&["feedback", "--used", kept], 2, "--query"),
            case(&["feedback", "--query", "tea"], 2, "--used"),
            case(&["feedback", "--query", "", "--used", kept], 2, "the query is empty"),
            case(&["feedback", "--query", "tea", "--used", kept, "--not-used", kept], 2, "of use and not"),
            case(&["feedback", "--query", "tea", "--used", kept, "-n", "elsewhere"], 3, "no memory"),
            case(&["weights", "-n", "*"], 2, "exactly one namespace"),
            case(&["weights", "rollback"], 2, "required"),
            case(&["weights", "rollback", "latest"], 2, "invalid value"),
            case(&["weights", "rollback", "7"], 3, "no set of weights 7"),
            case(&["session", "start", ""], 2, "the session is empty"),
            case(&["session", "start", "x", "-n", "a/*"], 2, "exactly one namespace"),
            case(&["session", "end", "nobody"], 3, "no session \"nobody\""),
            case(&["session", "show", "nobody"], 3, "no session \"nobody\""),
            case(&["session", "list", "--limit", "0"], 2, "at least 1"),
            case(&["namespace", "move", "default"], 2, "required"),
            case(&["namespace", "move", "default", "a b"], 2, "is not a namespace"),
            case(&["namespace", "move", "default", "default"], 2, "is there already"),
            case(&["namespace", "move", "nowhere", "there"], 3, "there is no namespace nowhere"),
            case(&["namespace", "move", "default", "there", "-n", "x"], 2, "no meaning here"),
            case(&["namespace", "delete", "nowhere", "--yes"], 3, "there is no namespace nowhere"),
            case(&["namespace", "delete", "default"], 2, "add --yes"),
            case(&["namespace", "delete", "default", "--purge"], 2, "add --yes"),
            piped(&["namespace", "delete", "default"], "default\n", 2, "no terminal to ask on"),
            case(&["export", &folder], 2, "is a folder"),
            case(&["export", &noise], 2, "is there already"),
            case(&["export", "/nowhere/at/all.jsonl"], 2, "cannot be written"),
            case(&["export", "-n", "a", "-n", "b"], 2, "takes one"),
            case(&["import"], 2, "required"),
            case(&["import", &nowhere().display().to_string()], 2, "cannot be read"),
            case(&["import", &folder], 2, "is a folder"),
            case(&["import", &noise], 2, "line 1: "),
            case(&["import", &future], 2, "has format 99"),
            case(&["import", &future, "-n", "x"], 2, "no meaning here"),
            piped(&["import", "-"], "{\"record\":\"memory\"}", 2, "line 1: "),
        ]
    });
}

#[test]
fn bad_requests_about_keys_are_refused() {
    check(|_, _, _| {
        vec![
            case(&["key", "create"], 2, "required"),
            case(&["key", "create", ""], 2, "the name is empty"),
            case(&["key", "create", "x", "--role", "owner"], 2, "reader, writer, admin"),
            case(&["key", "create", "x", "-n", "a b"], 2, "is not a namespace"),
            case(&["key", "create", "x", "-n", "a", "-n", "b"], 2, "takes one"),
            case(&["key", "list", "-n", "a"], 2, "no meaning here"),
            case(&["key", "revoke"], 2, "required"),
            case(&["key", "revoke", "K3TQ7ZAB"], 2, "is not a key's id"),
            case(&["key", "revoke", "k3tq7zab"], 3, "there is no key k3tq7zab"),
        ]
    });
}

#[test]
fn bad_files_are_refused() {
    check(|peri, _, _| {
        let empty = peri.file("empty.txt", "\n \n");
        let array = peri.file("notes.json", "[\n  {\"content\": \"one\"},\n  {\"content\": \"two\"}\n]\n");
        let object = peri.file("note.json", "\n{\n  \"content\": \"one\"\n}\n");
        let folder = peri.home().display().to_string();
        vec![
            case(&["remember", "--file", &nowhere().display().to_string()], 2, "cannot be read"),
            case(&["remember", "--file", &empty], 2, "it is empty"),
            case(&["remember", "--file", &empty, "words"], 2, "cannot be used with"),
            case(&["remember", "--lines"], 2, "it is empty"),
            case(&["remember", "--file", &array], 2, "convert it with jq -c '.[]'"),
            case(&["remember", "--file", &object], 2, "convert it with jq -c ."),
            case(&["remember", "--file", &folder], 2, "is a folder\nhint: nothing was stored"),
            piped(&["remember", "--file", "-"], "[{\"content\":\"x\"}]", 2, "is one JSON document"),
            piped(&["remember", "--file", "-", "--format", "jsonl"], "{\"a\":}", 2, "value at column 6\n"),
            piped(
                &["remember", "--file", "-"],
                "{\"contnet\":\"x\"}",
                2,
                "line 1: unknown key \"contnet\"; did you mean \"content\"?",
            ),
            case(&["--config", &nowhere().display().to_string(), "stats"], 2, "cannot be read"),
        ]
    });
}

#[test]
fn errors_are_json_when_json_is_asked_for() {
    let peri = Peri::new();
    for (args, kind, code) in [
        (&["get", "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a", "--json"][..], "not_found", 3),
        (&["--json", "remember", ""], "invalid_input", 2),
        (&["--json", "fly"], "invalid_input", 2),
    ] {
        let run = peri.run(args);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{args:?}");
        let error: serde_json::Value = serde_json::from_str(&run.err).unwrap();
        assert_eq!(error["error"]["kind"], kind);
        assert!(error["error"]["message"].is_string() && error["error"].get("hint").is_some());
    }
    let error: serde_json::Value = serde_json::from_str(&peri.run(&["rember", "--json"]).err).unwrap();
    assert_eq!(error["error"]["message"], "unrecognized subcommand 'rember'");
    assert!(error["error"]["hint"].as_str().unwrap().contains("'remember'"), "{error}");
}

#[test]
fn a_data_folder_that_is_a_file_is_told_as_such() {
    let peri = Peri::new();
    let file = peri.file("letters", "not memories");
    let run = peri.run(&["--home", &file, "list"]);
    assert_eq!(run.code, 6, "{run:?}");
    assert!(run.err.contains("letters") && !run.err.contains("configuration"), "{}", run.err);
    let doctor = peri.run(&["--home", &file, "doctor"]);
    assert_eq!(doctor.code, 6);
    assert!(doctor.out.contains("failed   folder"), "{}", doctor.out);
}

#[test]
fn an_answer_that_cannot_be_written_is_a_failure_of_its_own() {
    // The device that is always full exists on Linux alone.
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let peri = Peri::new();
    for (args, says) in [(&["remember", "x"][..], "only the answer is lost"), (&["--help"], "")] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_peri"))
            .env_clear()
            .env("PERI_HOME", peri.home())
            .args(args)
            .stdout(full.try_clone().unwrap())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(6), "{args:?}: {told}");
        assert!(told.contains(says), "{told}");
    }
    assert_eq!(peri.held().0, 1);
}

#[test]
fn a_damaged_or_foreign_database_is_left_as_it_is() {
    let peri = Peri::new();
    std::fs::create_dir_all(peri.home()).unwrap();
    let database = peri.home().join("perihelion.db");
    let noise = b"this is no database at all, but somebody's letters".repeat(100);
    std::fs::write(&database, &noise).unwrap();
    let run = peri.run(&["remember", "x"]);
    assert_eq!(run.code, 7, "{run:?}");
    assert!(run.err.contains("hint: "), "{}", run.err);
    let doctor = peri.run(&["doctor"]);
    assert_eq!(doctor.code, 7);
    assert!(doctor.out.contains("failed   folder"), "{}", doctor.out);
    assert_eq!(std::fs::read(&database).unwrap(), noise);
}

#[cfg(not(feature = "encryption"))]
#[test]
fn a_program_that_cannot_encrypt_says_so_and_changes_nothing() {
    let peri = Peri::new();
    peri.remember(&["열쇠 없이 남긴 기억"]);
    let key = peri.home().parent().unwrap().join("new.key");
    let run = peri.run(&["encrypt", "--new-key", key.to_str().unwrap()]);
    assert_eq!(run.code, 6, "{run:?}");
    assert!(run.err.contains("encryption"), "{run:?}");
    assert!(!key.exists(), "no key was made that nothing uses");
    assert!(!peri.home().join("perihelion.toml").exists(), "no setting names one");
    let asked = peri.command().env("PERI_ENCRYPTION_KEY", "0f".repeat(32)).arg("list").output().unwrap();
    assert!(!asked.status.success(), "{asked:?}");
    assert_eq!(peri.held().0, 1);
}
