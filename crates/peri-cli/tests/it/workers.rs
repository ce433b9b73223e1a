//! Background workers by hand: what they come to, what is kept of it, and how the program ends.

use std::process::Stdio;

use serde_json::Value;

use super::support::{Peri, nowhere, text};

const NAMES: [&str; 12] = [
    "ultralearn",
    "audit",
    "optimize",
    "consolidate",
    "predict",
    "map",
    "deepdive",
    "document",
    "refactor",
    "benchmark",
    "testgaps",
    "learning",
];

/// Says that some process is at a job, as that process would.
fn hold(peri: &Peri, name: &str) {
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    let until = jiff::Timestamp::now().as_millisecond() + 600_000;
    let columns = "INSERT OR REPLACE INTO leases (name, holder, expires_at) VALUES (?1, 'somebody', ?2)";
    database.execute(columns, rusqlite::params![name, until]).unwrap();
}

#[test]
fn the_status_tells_of_every_worker_when_it_ran_and_how_that_ended() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let before = peri.json(&["workers", "status"]);
    let names: Vec<String> =
        before["workers"].as_array().unwrap().iter().map(|one| text(&one["worker"])).collect();
    assert_eq!(names, NAMES);
    assert!(before["workers"].as_array().unwrap().iter().all(|one| one.get("last").is_none()));
    peri.ok(&["workers", "run", "consolidate"]);
    let table = peri.ok(&["workers", "status"]);
    let row = table.lines().find(|line| line.starts_with("consolidate")).unwrap();
    assert!(
        row.contains("low") && row.contains("30m") && row.contains("ago") && row.contains("done"),
        "{row}"
    );
    assert!(table.lines().find(|line| line.starts_with("map")).unwrap().contains("never"), "{table}");
    assert!(peri.ok(&["workers", "logs", "consolidate"]).contains("done"));
    assert!(peri.ok(&["workers", "logs", "map"]).is_empty());
    assert_eq!(peri.json(&["workers", "logs", "--limit", "1"])["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_worker_that_lacks_what_it_needs_says_so_and_ends_with_6_unless_all_were_asked_for() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let run = peri.run(&["workers", "run", "map"]);
    assert_eq!(run.code, 6, "{run:?}");
    assert!(run.out.contains("unavailable") && run.out.contains("workspace"), "{run:?}");
    let all = peri.run(&["workers", "run", "--all", "--json"]);
    assert_eq!(all.code, 0, "{all:?}");
    let all: Value = serde_json::from_str(&all.out).unwrap();
    assert_eq!(all["results"].as_array().unwrap().len(), NAMES.len());
}

#[test]
fn a_workspace_can_be_named_by_hand() {
    let peri = Peri::new();
    let folder = peri.home().with_file_name("code");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/lib.rs"), "pub fn add(a: u32, b: u32) -> u32 { a + b }\n").unwrap();
    let run = peri.run(&["workers", "run", "map", "--workspace", folder.to_str().unwrap()]);
    assert!(!run.out.contains("no workspace is configured"), "{run:?}");
    let run = peri.run(&["workers", "run", "map", "--workspace", nowhere().to_str().unwrap()]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("not a folder"), "{run:?}");
}

#[test]
fn one_that_is_at_work_elsewhere_is_not_run_again_and_can_be_asked_to_stop() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    assert_eq!(peri.json(&["workers", "cancel", "audit"])["asked"], false);
    hold(&peri, "worker.audit");
    let run = peri.run(&["workers", "run", "audit"]);
    assert_eq!(run.code, 5, "{run:?}");
    assert!(run.err.contains("at work already"), "{run:?}");
    assert!(peri.ok(&["workers", "status"]).contains("at work"));
    assert_eq!(peri.json(&["workers", "cancel", "audit"])["asked"], true);
}

#[test]
fn a_failed_last_run_is_a_warning_of_health_and_doctor_until_one_ends_well() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    peri.ok(&["workers", "run", "consolidate"]);
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    database.execute("UPDATE worker_runs SET status = 'failed', summary = '디스크가 가득 찼다'", []).unwrap();
    let health = peri.json(&["health"]);
    assert!(health["warnings"].to_string().contains("worker consolidate failed: 디스크가"), "{health}");
    assert_eq!(health["healthy"], true);
    let doctor = peri.ok(&["doctor"]);
    assert!(
        doctor.lines().any(|line| line.starts_with("warning") && line.contains("consolidate failed")),
        "{doctor}"
    );
    peri.ok(&["workers", "run", "consolidate"]);
    assert!(!peri.json(&["health"])["warnings"].to_string().contains("consolidate"));
}

#[test]
fn wrong_arguments_are_told() {
    let peri = Peri::new();
    for (args, says) in [
        (&["workers", "run"][..], "NAME"),
        (&["workers", "run", "마법"], "ultralearn"),
        (&["workers", "run", "audit", "--all"], "cannot be used with"),
        (&["workers", "cancel"], "NAME"),
        (&["workers", "logs", "magic"], "possible values"),
        (&["workers", "alerts", "--limit", "0"], "at least 1"),
        (&["workers", "status", "-n", "team"], "not of one namespace"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.err.contains(says), "{args:?}: {run:?}");
    }
}

#[test]
fn a_killed_run_leaves_the_store_whole_and_the_worker_can_run_again_once_its_turn_is_over() {
    let peri = Peri::new();
    for number in 0..30 {
        peri.remember(&[&format!("기억 {number}: 창고 {number}에는 상자가 {number}개 있다")]);
    }
    for worker in ["audit", "consolidate", "refactor"] {
        let mut child = peri
            .process()
            .args(["workers", "run", worker])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(peri.held().0, 30);
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    database.execute("DELETE FROM leases", []).unwrap();
    for worker in ["audit", "consolidate"] {
        let run = peri.run(&["workers", "run", worker]);
        assert!([0, 6].contains(&run.code), "{run:?}");
    }
}

#[test]
fn two_runs_at_once_of_one_worker_end_well_or_tell_that_it_is_at_work() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let start = || {
        let mut command = peri.process();
        command.args(["workers", "run", "consolidate"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let codes = [start(), start()].map(|mut child| child.wait().unwrap().code().unwrap());
    assert!(codes.contains(&0) && codes.iter().all(|code| [0, 5].contains(code)), "{codes:?}");
}
