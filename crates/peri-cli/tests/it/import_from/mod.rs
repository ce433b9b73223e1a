//! What other memory systems and assistants kept, read in: all that is good is kept, nothing is doubled, and what
//! cannot be read is told.

mod basic_memory;
mod conversations;
mod mem0;

use std::io::Write;

use serde_json::Value;
use zip::write::SimpleFileOptions;

use super::support::{Peri, Run, text};

/// Runs an import.
fn import(peri: &Peri, args: &[&str]) -> Run {
    peri.run(&[&["import"], args].concat())
}

/// The numbers of an import: added, known and refused.
fn counts(peri: &Peri, args: &[&str]) -> (u64, u64, usize) {
    let run = import(peri, &[args, &["--json"]].concat());
    let told: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let refused = told["refused"].as_array().unwrap().len();
    (told["added"].as_u64().unwrap(), told["known"].as_u64().unwrap(), refused)
}

/// All memories, the oldest first.
fn memories(peri: &Peri, namespace: &str) -> Vec<Value> {
    let told = peri.json(&["list", "--namespace", namespace, "--limit", "1000"]);
    let mut memories = told["memories"].as_array().unwrap().clone();
    memories.sort_by_key(|memory| text(&memory["id"]));
    memories
}

fn contents(memories: &[Value]) -> Vec<String> {
    memories.iter().map(|memory| text(&memory["content"])).collect()
}

/// An archive with these files, beside the data folder.
fn archive(peri: &Peri, name: &str, files: &[(&str, &[u8])]) -> String {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    peri.file(name, zip.finish().unwrap().into_inner())
}

#[test]
fn a_file_of_another_system_is_sent_to_the_right_command_and_nothing_is_stored() {
    let peri = Peri::new();
    let chatgpt = peri.file("chatgpt.json", r#"[{"title":"x","mapping":{},"current_node":null}]"#);
    let claude = peri.file("claude.json", r#"[{"uuid":"x","name":"x","chat_messages":[]}]"#);
    let mem0 = peri.file("mem0.json", r#"{"results":[{"id":"1","memory":"Ana prefers tea"}]}"#);
    let server =
        peri.file("server.json", r#"{"type":"entity","name":"Ana","entityType":"person","observations":[]}"#);
    peri.remember(&["here", "before"]);
    let own = peri.home().join("../own.jsonl").display().to_string();
    peri.ok(&["export", &own]);
    for (command, file, expected) in [
        ("chatgpt", &claude, "peri import claude FILE"),
        ("chatgpt", &mem0, "peri import mem0 FILE"),
        ("claude", &chatgpt, "peri import chatgpt FILE"),
        ("mem0", &chatgpt, "peri import chatgpt FILE"),
        ("mem0", &claude, "peri import claude FILE"),
        ("mem0", &server, "peri import memory-json FILE"),
        ("mem0", &own, "peri import FILE"),
        ("claude", &own, "peri import FILE"),
    ] {
        let run = import(&peri, &[command, file]);
        assert_eq!(run.code, 2, "{command} {file}: {run:?}");
        assert!(run.err.contains(expected), "{command} {file}: {run:?}");
    }
    assert_eq!(peri.held().0, 1);
}

#[test]
fn what_cannot_be_an_export_is_refused_with_a_reason() {
    let peri = Peri::new();
    let noise = peri.file("noise.json", b"\x00\xff not json");
    let empty = peri.file("empty.json", "[]");
    let nothing = peri.file("nothing.json", "");
    let folder = peri.home().join("..").display().to_string();
    let cut = peri.file("cut.zip", b"PK\x03\x04 and no more");
    let other = archive(&peri, "other.zip", &[("readme.txt", b"hello")]);
    for command in ["mem0", "chatgpt", "claude"] {
        for (file, expected) in [
            (&noise, "line 1, column 1"),
            (&empty, "holds nothing to import"),
            (&nothing, "EOF"),
            (&folder, "without the file"),
            (&cut, "cannot be read"),
            (&other, "without the file"),
            (&"/nowhere/at/all".to_owned(), "cannot be read"),
        ] {
            let run = import(&peri, &[command, file]);
            assert_eq!(run.code, 2, "{command} {file}: {run:?}");
            assert!(run.err.contains(expected), "{command} {file}: {run:?}");
        }
    }
    for (args, expected) in [
        (vec!["basic-memory", &noise], "is not a folder"),
        (vec!["basic-memory", "/nowhere/at/all"], "cannot be read"),
        (vec!["mem0", &noise, "--by", "planet"], "planet"),
        (vec!["chatgpt", &noise, "--namespace", "a/*"], "exactly one namespace"),
    ] {
        let run = import(&peri, &args);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.err.contains(expected), "{args:?}: {run:?}");
    }
    let piped = std::fs::read(&other).unwrap();
    let run = peri.run_with(&["import", "chatgpt", "-"], &piped);
    assert!(run.code == 2 && run.err.contains("from a pipe"), "{run:?}");
    assert_eq!(peri.held().0, 0);
}
