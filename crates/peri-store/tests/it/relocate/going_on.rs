//! Moves that were stopped, killed or lied to.

use std::cell::Cell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use peri_store::{MoveStep, Place, RelocateError, relocate};

use super::refusals::halfway;
use super::support::{Stores, assert_same, go_watched};
use crate::support::keep;

#[test]
fn a_move_that_is_stopped_wherever_it_is_goes_on_there() {
    let stores = Stores::new();
    let (from, to) = (stores.place("source"), stores.place("target"));
    let mut stops = 0;
    let moved = loop {
        // Each attempt comes twice as far as the one before.
        let (halt, told) = (AtomicBool::new(false), Cell::new(0));
        let watch = &mut |_| {
            told.set(told.get() + 1);
            halt.store(told.get() >= 1 << stops, Ordering::Relaxed);
        };
        match relocate(&from, &to, watch, &halt) {
            Err(RelocateError::Halted) => assert!(stores.open("target").is_err()),
            outcome => break outcome.unwrap(),
        }
        stops += 1;
    };
    assert!(stops > 4 && moved.resumed, "{stops}");
    assert_same(&stores.file("source"), &stores.file("target"));
}

#[test]
fn a_source_that_has_changed_is_moved_anew() {
    let stores = Stores::new();
    halfway(&stores);
    keep(&stores.open("source").unwrap(), "default", "중간에 온 기억");
    assert!(!stores.go("source", "target").unwrap().resumed);
    assert_same(&stores.file("source"), &stores.file("target"));
}

#[test]
fn a_change_of_the_source_that_leaves_no_trace_in_its_numbers_is_found_in_the_end() {
    let stores = Stores::new();
    halfway(&stores);
    stores.edit("source", "UPDATE memories SET used_at = 77 WHERE id = CAST(printf('%016d', 1) AS BLOB)");
    assert!(stores.go("source", "target").unwrap().resumed);
    assert_same(&stores.file("source"), &stores.file("target"));
}

/// What is done to the target behind the move's back, and what it then says.
const LIES: [(&str, &str, &str); 8] = [
    (
        "UPDATE memories SET content = '거짓말' WHERE id = CAST(printf('%016d', 4) AS BLOB)",
        "memories",
        "namespace_id 1, id 30303030303030303030303030303034",
    ),
    (
        "UPDATE vectors SET value = x'00ff7f81' WHERE space_id = 7 AND namespace_id = 9",
        "vectors",
        "namespace_id 9, id 00000000000000000000000000000000, space_id 7",
    ),
    ("DELETE FROM sessions WHERE name = 'Äpfel'", "sessions", "namespace_id 9, name \"Äpfel\""),
    (
        "INSERT INTO sessions (namespace_id, name, started_at) VALUES (9, 'B', 1)",
        "sessions",
        "namespace_id 9, name \"B\"",
    ),
    (
        "UPDATE journal_turns SET error = NULL",
        "journal_turns",
        "namespace_id 9, id 30000000000000000000000000000001",
    ),
    (
        "UPDATE note_documents SET version = 'z' WHERE name = '회의'",
        "note_documents",
        "namespace_id 9, collection \"observations\", name \"회의\"",
    ),
    (
        "UPDATE note_lines SET line = '/' WHERE namespace_id = 2 AND name = 'A'",
        "note_lines",
        "namespace_id 2, collection \"dropped\", name \"A\", number 1",
    ),
    (
        "UPDATE counters SET value = 6 WHERE name = 'knowledge:팀/기억'",
        "counters",
        "name \"knowledge:팀/기억\"",
    ),
];

#[test]
fn a_difference_is_found_and_named_and_the_next_move_mends_it() {
    let stores = Stores::new();
    for (number, (lie, table, key)) in LIES.into_iter().enumerate() {
        let name = format!("target {number}");
        let mut told = false;
        let watch = &mut |progress: peri_store::MoveProgress| {
            if progress.step == MoveStep::Verifying && !std::mem::replace(&mut told, true) {
                stores.edit(&name, lie);
            }
        };
        let error = go_watched(&stores.place("source"), &stores.place(&name), watch).unwrap_err();
        let RelocateError::Differs { table: found, key: at } = &error else { panic!("{error}") };
        assert_eq!((*found, at.as_str()), (table, key));
        assert!(stores.open(&name).is_err(), "what differs is not used");
        stores.go("source", &name).unwrap();
        assert_same(&stores.file("source"), &stores.file(&name));
    }
}

/// Says what a process of this test is to move.
const ROLE: &str = "PERI_TEST_MOVE";

/// The worker: moves, and waits for a word after each report of progress.
#[test]
fn mover() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (from, to) = role.split_once('|').unwrap();
    let (from, to) = (Place::parse(from).unwrap(), Place::parse(to).unwrap());
    let mut input = std::io::stdin().lines();
    let watch = &mut |progress: peri_store::MoveProgress| {
        let mut output = std::io::stdout().lock();
        writeln!(output, "@@ {} {}", progress.table, progress.rows).unwrap();
        output.flush().unwrap();
        input.next().unwrap().unwrap();
    };
    go_watched(&from, &to, watch).unwrap();
}

/// Lets a process move until it has reported so often, then kills it. Whether it was killed.
fn killed_after(reports: usize, from: &Place, to: &str) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["relocate::going_on::mover", "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, format!("sqlite:{from}|{to}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines().map_while(Result::ok).filter(|line| line.contains("@@ "));
    for _ in 1..reports {
        if lines.next().is_none() {
            break;
        }
        // It may have ended with its last report.
        if input.write_all(b"on\n").is_err() {
            break;
        }
    }
    let killed = lines.next().is_some();
    child.kill().unwrap();
    child.wait().unwrap();
    killed
}

#[test]
fn a_move_that_is_killed_again_and_again_ends_like_one_that_was_not() {
    let stores = Stores::new();
    let from = stores.place("source");
    let to = format!("sqlite:{}", stores.file("target").display());
    // Every attempt gets a little further; what was committed before is not done again.
    for reports in [1, 2, 3, 2, 5, 7, 12, 20, 30] {
        assert!(killed_after(reports, &from, &to), "{reports}");
        assert!(stores.open("target").is_err());
    }
    assert!(stores.go("source", "target").unwrap().resumed);
    assert_same(&stores.file("source"), &stores.file("target"));
    drop(stores.open("target").unwrap());
}
