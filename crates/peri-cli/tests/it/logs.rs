//! The audit log as people and scripts see it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::support::{Peri, text};

#[test]
fn events_are_told_one_a_line_with_the_words_of_the_memory() {
    let peri = Peri::new();
    let id = peri.remember(&["도자기를 굽는 날은 일요일이다"]);
    peri.recall(&["도자기"]);
    peri.ok(&["forget", &id]);
    let told = peri.ok(&["logs"]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    for (line, kind) in lines.iter().zip(["stored", "recalled", "forgotten"]) {
        let parts: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((parts[2], parts[3]), (kind, "default"), "{line}");
    }
    assert!(lines[0].contains(&id[..13]) && lines[0].contains("도자기를 굽는"), "{told}");
    assert!(lines[1].contains("\"도자기\" found "), "{told}");
}

#[test]
fn what_is_purged_does_not_live_on_in_the_log() {
    let peri = Peri::new();
    let id = peri.remember(&["the secret ingredient is cardamom"]);
    peri.ok(&["forget", &id]);
    peri.ok(&["trash", "purge", &id, "--yes"]);
    let told = peri.ok(&["logs"]);
    assert!(told.contains("(no longer there)") && !told.contains("cardamom"), "{told}");
    for file in std::fs::read_dir(peri.home().join("logs")).unwrap() {
        let held = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!held.contains("cardamom"), "{held}");
    }
}

#[test]
fn kinds_times_places_and_numbers_choose_events() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    peri.remember(&["the kiln is hot", "-n", "elsewhere"]);
    peri.recall(&["tea"]);
    let kinds = |args: &[&str]| {
        let told = peri.ok(&[&["logs", "--json"], args].concat());
        let kind = |line: &str| text(&serde_json::from_str::<serde_json::Value>(line).unwrap()["event"]);
        told.lines().map(kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&[]), ["stored", "stored", "recalled"]);
    assert_eq!(kinds(&["--limit", "1"]), ["recalled"]);
    assert_eq!(kinds(&["--event", "stored"]), ["stored", "stored"]);
    assert_eq!(kinds(&["--event", "stored", "--event", "recalled", "-n", "elsewhere"]), ["stored"]);
    assert_eq!(kinds(&["--since", "1h"]).len(), 3);
    assert_eq!(kinds(&["--since", "2100-01-01"]), [""; 0]);
    assert!(peri.run(&["logs", "--since", "2100-01-01"]).err.contains("no events that fit"));
}

#[test]
fn events_that_only_a_later_release_knows_are_passed_over() {
    let peri = Peri::new();
    let first = peri.remember(&["before the upgrade of another node"]);
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    for number in 0..3000 {
        let body = format!(r#"{{"event":"dreamt","of":{number}}}"#);
        database.execute("INSERT INTO events (at, namespace, body) VALUES (0, NULL, ?1)", [body]).unwrap();
    }
    let second = peri.remember(&["after it"]);
    let lines = peri.run(&["logs", "--json", "--event", "stored"]);
    let told: Vec<String> = lines
        .out
        .lines()
        .map(|line| text(&serde_json::from_str::<serde_json::Value>(line).unwrap()["id"]))
        .collect();
    assert_eq!(told, [first, second], "{lines:?}");
}

#[test]
fn following_tells_each_event_once_until_the_reader_goes() {
    let peri = Peri::new();
    peri.remember(&["number one"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_peri"))
        .env_clear()
        .env("PERI_HOME", peri.home())
        .args(["logs", "--follow", "--json", "--event", "stored"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || {
        let line = lines.next().unwrap().unwrap();
        text(&serde_json::from_str::<serde_json::Value>(&line).unwrap()["id"])
    };
    next();
    for number in ["two", "three"] {
        let id = peri.remember(&[&format!("number {number}")]);
        assert_eq!(next(), id);
    }
    drop(lines);
    // The next event finds nobody who reads it.
    peri.remember(&["number four"]);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn following_ends_when_the_reader_goes_although_nothing_happens_any_more() {
    let peri = Peri::new();
    peri.remember(&["마지막 일"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_peri"))
        .env_clear()
        .env("PERI_HOME", peri.home())
        .args(["logs", "--follow", "--limit", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("stored"));
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}
