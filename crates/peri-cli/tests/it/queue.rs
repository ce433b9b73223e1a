//! `peri queue`, and what commands say when the store cannot take what they write.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::Peri;

/// A data folder whose database somebody else holds, until it is let go.
struct Held {
    peri: Peri,
    holder: Connection,
}

impl Held {
    fn new() -> Self {
        let peri = Peri::new().with("PERI_STORE_BUSY_TIMEOUT_MS", "20");
        peri.remember(&["a heron by the lake"]);
        let holder = Connection::open(peri.home().join("perihelion.db")).unwrap();
        holder.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self { peri, holder }
    }

    fn let_go(&self) {
        self.holder.execute_batch("ROLLBACK").unwrap();
    }

    fn hold(&self) {
        self.holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    }

    fn contents(&self) -> Vec<String> {
        let memories = self.peri.json(&["list", "--oldest-first"]);
        let content = |memory: &Value| memory["content"].as_str().unwrap().to_owned();
        memories["memories"].as_array().unwrap().iter().map(content).collect()
    }
}

#[test]
fn an_empty_queue_says_so_and_leaves_no_trace() {
    let peri = Peri::new();
    assert_eq!(peri.ok(&["queue", "status"]), "nothing waits\n");
    let run = peri.run(&["queue", "list"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert!(run.err.contains("nothing waits and nothing was given up"), "{}", run.err);
    assert_eq!(peri.json(&["queue", "list"]), json!({ "queued": [], "dead": [] }));
    assert_eq!(peri.ok(&["queue", "replay"]), "made 0 writes\n");
    assert_eq!(peri.ok(&["queue", "drop", "--all"]), "dropped 0 writes\n");
    assert!(!peri.home().join("queue").exists());
}

#[test]
fn what_is_remembered_while_the_store_is_held_is_queued_and_stored_by_the_next_command() {
    let held = Held::new();
    let run = held.peri.run(&["remember", "지수는 제주도로 이사했다"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("queued "), "{}", run.out);
    assert!(run.err.contains("kept on this machine"), "{}", run.err);
    let receipt = &held.peri.json(&["remember", "李娜喜欢喝茶"])["receipts"][0];
    assert_eq!((&receipt["outcome"], &receipt["change"]), (&json!("queued"), &json!(0)));
    let status = held.peri.json(&["queue", "status"]);
    assert_eq!((&status["depth"], &status["dead"]), (&json!(2), &json!(0)));
    let listed = held.peri.ok(&["queue", "list"]);
    assert_eq!(listed.lines().count(), 2);
    assert!(listed.lines().all(|line| line.contains("waits") && line.contains("remember")), "{listed}");
    assert!(!listed.contains("제주도"), "contents are nobody's business here");
    held.let_go();
    held.peri.remember(&["a stork on the roof"]);
    let expected = ["a heron by the lake", "지수는 제주도로 이사했다", "李娜喜欢喝茶", "a stork on the roof"];
    assert_eq!(held.contents(), expected);
    assert_eq!(held.peri.ok(&["queue", "status"]), "nothing waits\n");
}

#[test]
fn other_verbs_end_well_and_say_that_they_are_queued() {
    let held = Held::new();
    let id = held.peri.json(&["list"])["memories"][0]["id"].as_str().unwrap().to_owned();
    let run = held.peri.run(&["revise", &id, "a grey heron by the lake"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{run:?}");
    assert!(run.err.contains("queued on this machine"), "{}", run.err);
    assert_eq!(held.peri.json(&["revise", &id, "--pin"]), json!({ "outcome": "queued" }));
    held.let_go();
    let made = held.peri.json(&["queue", "replay"]);
    assert_eq!((&made["made"], &made["status"]["depth"]), (&json!(2), &json!(0)));
    assert_eq!(held.contents(), ["a grey heron by the lake"]);
}

#[test]
fn lines_that_are_queued_are_counted_as_such() {
    let held = Held::new();
    let run = held.peri.run_with(&["remember", "--lines"], "하나\n둘\n셋\n".as_bytes());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("3 queued"), "{}", run.out);
}

#[test]
fn what_was_given_up_is_listed_with_the_reason_tried_again_and_dropped_when_told_twice() {
    let held = Held::new();
    let id = held.peri.json(&["list"])["memories"][0]["id"].as_str().unwrap().to_owned();
    for content in ["one", "two"] {
        let run = held.peri.run(&["revise", &id, content, "--expect-version", "1"]);
        assert_eq!(run.code, 0, "{run:?}");
    }
    held.let_go();
    let replay = held.peri.run(&["queue", "replay"]);
    assert_eq!(replay.code, 0, "{replay:?}");
    assert!(replay.out.starts_with("made 1 write\n"), "{}", replay.out);
    assert!(replay.out.contains("1 write was given up"), "{}", replay.out);
    let listed = held.peri.json(&["queue", "list"]);
    assert_eq!(listed["dead"][0]["reason"], format!("memory {id} is at version 2, not 1"));
    let dead = listed["dead"][0]["id"].as_str().unwrap().to_owned();
    let again = held.peri.json(&["queue", "replay", &dead]);
    assert_eq!((&again["revived"], &again["status"]["dead"]), (&json!(1), &json!(1)));
    let unsure = held.peri.run(&["queue", "drop", &dead]);
    assert_eq!(unsure.code, 2, "{unsure:?}");
    assert!(unsure.err.contains("--yes"), "{}", unsure.err);
    assert_eq!(held.peri.ok(&["queue", "drop", &dead, "--yes"]), "dropped 1 write\n");
    assert_eq!(held.peri.run(&["queue", "drop", &dead, "--yes"]).code, 3);
    assert_eq!(held.peri.json(&["queue", "list"]), json!({ "queued": [], "dead": [] }));
}

#[test]
fn what_waits_can_be_dropped() {
    let held = Held::new();
    held.peri.run(&["remember", "never mind"]);
    held.let_go();
    held.hold();
    assert_eq!(held.peri.json(&["queue", "drop", "--all", "--yes"]), json!({ "dropped": 1 }));
    held.let_go();
    assert_eq!(held.contents(), ["a heron by the lake"]);
}

#[test]
fn bad_usage_is_refused() {
    let peri = Peri::new();
    let id = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    for args in [
        &["queue"][..],
        &["queue", "drop"],
        &["queue", "drop", id, "--all"],
        &["queue", "drop", "--dead", "--all"],
        &["queue", "drop", "열하나"],
        &["queue", "replay", "xyz"],
        &["queue", "list", "--limit", "0"],
        &["queue", "list", "-n", "team"],
    ] {
        assert_eq!(peri.run(args).code, 2, "{args:?}");
    }
    assert_eq!(peri.run(&["queue", "replay", id]).code, 3);
}

#[test]
fn a_queue_that_is_switched_off_lets_writes_fail() {
    let held = Held::new();
    held.peri.configure("[queue]\nenabled = false\n");
    assert_eq!(held.peri.run(&["remember", "a stork"]).code, 5);
    held.peri.configure("");
    assert_eq!(held.peri.run(&["remember", "a stork"]).code, 0);
}

#[test]
fn what_is_neither_stored_nor_queued_is_told_as_not_kept_and_fails_the_command() {
    let held = Held::new();
    // A file where the queue's folder should be: it can be no more written than on a full disk.
    std::fs::write(held.peri.home().join("queue"), "").unwrap();
    for command in [&["journal", "append", "the build is green"][..], &["remember", "a stork on the roof"]] {
        let run = held.peri.run(command);
        assert_eq!((run.code, run.out.as_str()), (6, ""), "{run:?}");
        assert!(run.err.contains("not kept") && run.err.contains("send it again"), "{}", run.err);
    }
    held.let_go();
    std::fs::remove_file(held.peri.home().join("queue")).unwrap();
    assert_eq!(held.contents(), ["a heron by the lake"]);
    assert!(held.peri.json(&["journal", "recent"])["entries"].as_array().unwrap().is_empty());
}
