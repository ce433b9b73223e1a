//! A word goes through every path that keeps what is said; then every byte of the folder is searched for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::KEY;
use crate::support::{Peri, text};

/// Words that nothing else holds, in three languages.
const WORDS: [&str; 3] = ["목련꽃그늘", "木兰花荫下", "magnoliashade"];

/// Places that are for people to open, and are named in docs/encryption.md.
const PLAIN: [&str; 1] = ["vault"];

fn marker() -> String {
    WORDS.join(" ")
}

/// Tells the words to every path that keeps something.
fn tell(peri: &Peri, key: Option<&str>) {
    let marker = marker();
    let id = peri.remember(&[&marker, "--tag", WORDS[0], "--session", WORDS[2]]);
    peri.ok(&["revise", &id, &format!("{marker} again")]);
    peri.remember(&[&format!("{marker} yesterday"), "--layer", "episodic"]);
    peri.ok(&["recall", &marker]);
    peri.ok(&["recall", WORDS[1], "-n", "team"]);
    let said = format!("Remember: always use {marker} in the garden.");
    peri.ok(&["hear", "--session", "garden", "--user", &said, "--now"]);
    peri.ok(&["work", "set", "shade", &marker, "--session", "garden"]);
    peri.ok(&["snapshot", "create"]);
    peri.ok(&["report", "--date", "today", "--write"]);
    let file = peri.file("CLAUDE.md", format!("# Notes\n\n- {marker} is to be watered\n"));
    peri.ok(&["bridge", "sync", &file]);
    let prompt = json!({"session_id": "s", "prompt": marker, "cwd": peri.home(), "transcript_path": "/none"});
    // A hook gives up after a while rather than hold an agent up, so a slow machine may take several.
    let inbox = peri.home().join("hooks").join("inbox");
    let is_kept = || {
        std::fs::read_dir(&inbox).is_ok_and(|mut calls| {
            calls.any(|call| call.unwrap().path().extension().is_some_and(|extension| extension == "json"))
        })
    };
    for _ in 0..50 {
        peri.run_with(&["hook", "claude-code", "UserPromptSubmit"], prompt.to_string().as_bytes());
        if is_kept() {
            break;
        }
    }
    peri.ok(&["import", &many(peri)]);
    // So many that the index is saved.
    peri.ok(&["recall", WORDS[2]]);
    peri.ok(&["maintain"]);
    peri.ok(&["backup", "create"]);
    let holder = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    if let Some(key) = key {
        holder.pragma_update(None, "key", format!("x'{key}'")).unwrap();
    }
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut waiting = peri.command();
    waiting.env("PERI_STORE_BUSY_TIMEOUT_MS", "20").args(["remember", &format!("{marker} waits")]);
    assert_eq!(waiting.output().unwrap().status.code(), Some(0));
    holder.execute_batch("ROLLBACK").unwrap();
}

/// A file of memories to import.
fn many(peri: &Peri) -> String {
    let memory = |number: usize| {
        format!(
            "{{\"record\":\"memory\",\"id\":\"01980000-0000-7000-8000-{number:012x}\",\"namespace\":\"default\",\
             \"content\":\"{number} {}\",\"layer\":\"long_term\",\"kind\":\"fact\",\"importance\":0.5,\"zone\":\"outer\",\
             \"created_at\":\"2026-01-02T03:04:05Z\",\"updated_at\":\"2026-01-02T03:04:05Z\",\"version\":1}}\n",
            marker()
        )
    };
    let memories: String = (0..100).map(memory).collect();
    let end = "{\"record\":\"end\",\"memories\":100,\"edges\":0,\"sessions\":0}\n";
    peri.file("many.jsonl", format!("{{\"record\":\"header\",\"perihelion\":2}}\n{memories}{end}"))
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// The files of a data folder that show one of the words, compressed or not, by their first folder or their name.
fn showing(peri: &Peri) -> BTreeSet<String> {
    let wide =
        |word: &str, order: fn(u16) -> [u8; 2]| word.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let searched: Vec<Vec<u8>> = WORDS
        .iter()
        .flat_map(|word| {
            let escaped = serde_json::to_string(word).unwrap().into_bytes();
            [word.as_bytes().to_vec(), wide(word, u16::to_le_bytes), wide(word, u16::to_be_bytes), escaped]
        })
        .collect();
    let mut files = Vec::new();
    files_below(&peri.home(), &mut files);
    let shows = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        let unpacked = zstd::decode_all(&bytes[..]).unwrap_or_default();
        searched.iter().any(|word| {
            [&bytes, &unpacked].iter().any(|own| own.windows(word.len()).any(|part| part == word))
        })
    };
    let home = peri.home();
    let name = |path: PathBuf| {
        let inside = path.strip_prefix(&home).unwrap().to_owned();
        inside.iter().next().unwrap().to_string_lossy().into_owned()
    };
    files.into_iter().filter(shows).map(name).collect()
}

#[test]
fn no_byte_of_an_encrypted_folder_tells_what_was_said_but_in_the_places_for_people() {
    let peri = Peri::new().with("PERI_ENCRYPTION_KEY", KEY);
    tell(&peri, Some(KEY));
    let documented: BTreeSet<String> = PLAIN.iter().map(|&name| name.to_owned()).collect();
    assert!(showing(&peri).is_subset(&documented), "{:?}", showing(&peri));
    for place in ["index", "logs/memory", "snapshots", "bridge", "hooks/inbox", "queue", "backups"] {
        assert!(peri.home().join(place).is_dir(), "{place} was written");
    }
    // What is sealed is read again.
    let waiting = peri.json(&["queue", "list"])["queued"][0]["operation"].clone();
    assert!(waiting.is_string() && waiting != "unknown", "{waiting}");
    peri.ok(&["queue", "replay"]);
    assert!(peri.ok(&["logs", "--limit", "100"]).contains(WORDS[1]), "the log tells what was asked");
    let taken = text(&peri.json(&["snapshot", "list"])["snapshots"][0]["file"]);
    peri.ok(&["snapshot", "restore", &taken]);
    peri.ok(&["hook", "work"]);
    assert!(showing(&peri).is_subset(&documented), "{:?}", showing(&peri));
}

#[test]
fn encrypting_a_folder_leaves_no_plain_byte_behind_but_backups_and_places_for_people() {
    let peri = Peri::new();
    tell(&peri, None);
    let shown = showing(&peri);
    for place in
        ["perihelion.db", "index", "logs", "notes", "snapshots", "bridge", "hooks", "backups", "queue"]
    {
        assert!(shown.contains(place), "the words went everywhere: {shown:?}");
    }
    peri.ok(&["queue", "replay"]);
    let before = peri.json(&["list", "--limit", "500"])["memories"].as_array().unwrap().len();
    let key = super::key_file(&peri, "key", KEY);
    let done = peri.json(&["encrypt", "--key-file", &key]);
    let left: Vec<String> = done["left"].as_array().unwrap().iter().map(|left| text(&left["path"])).collect();
    assert!(left.iter().any(|path| path.ends_with("backups")), "what stays plain is told: {left:?}");
    assert_eq!(showing(&peri), BTreeSet::from(["backups".to_owned()]));
    std::fs::remove_dir_all(peri.home().join("backups")).unwrap();
    assert_eq!(peri.json(&["list", "--limit", "500"])["memories"].as_array().unwrap().len(), before);
    peri.ok(&["hook", "work"]);
    peri.ok(&["maintain"]);
    assert_eq!(showing(&peri), BTreeSet::new());
    peri.ok(&["decrypt"]);
    assert!(peri.ok(&["logs", "--limit", "100"]).contains(WORDS[1]));
    assert!(showing(&peri).contains("notes"), "notes are files again");
}

#[test]
fn a_hook_without_the_key_keeps_nothing_of_what_was_said() {
    let peri = Peri::new();
    peri.remember(&["x"]);
    let key = super::key_file(&peri, "key", KEY);
    peri.ok(&["encrypt", "--key-file", &key]);
    std::fs::remove_file(peri.home().join("perihelion.toml")).unwrap();
    let prompt =
        json!({"session_id": "s", "prompt": marker(), "cwd": peri.home(), "transcript_path": "/none"});
    let run = peri.run_with(&["hook", "claude-code", "UserPromptSubmit"], prompt.to_string().as_bytes());
    assert_eq!(run.code, 0, "agents are never held up: {run:?}");
    assert_eq!(showing(&peri), BTreeSet::new());
}
