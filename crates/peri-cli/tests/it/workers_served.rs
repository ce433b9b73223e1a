//! `peri serve` and the background workers: whether they run as they become due, on what, and that they end with it.

use serde_json::Value;

use super::configuration::check;
use super::served::Served;
use super::support::Peri;

fn status_of(served: &Served) -> Value {
    serde_json::from_str(&served.get("/api/workers/status").body).unwrap()
}

/// Whether the workers of a server run by themselves, once it has ended well.
fn scheduled(peri: &Peri, args: &[&str]) -> String {
    let served = Served::with(peri, args);
    let status = status_of(&served);
    let ended = served.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    format!("scheduled {}", status["scheduled"])
}

#[test]
fn a_server_runs_the_workers_unless_it_is_told_not_to() {
    check(("workers.enabled", "false"), |peri| scheduled(peri, &[]), "scheduled true", "scheduled false");
    assert_eq!(scheduled(&Peri::new(), &["--no-workers"]), "scheduled false");
}

#[test]
fn a_server_runs_workers_on_the_configured_workspace_and_keeps_what_they_did() {
    let peri = Peri::new();
    let code = peri.home().join("code");
    std::fs::create_dir_all(&code).unwrap();
    std::fs::write(code.join("lib.rs"), "pub fn add(a: u32, b: u32) -> u32 { a + b }\n").unwrap();
    peri.configure("[workers]\nworkspace = 'code'\n");
    let served = Served::with(&peri, &["--no-workers"]);
    let status = status_of(&served);
    assert!(status["workspace"].as_str().unwrap().ends_with("code"), "{status}");
    let answer = served.ask("POST", "/api/workers/dispatch?worker=consolidate", &[], "");
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(served.end().code, Some(0));
    assert_eq!(peri.json(&["workers", "logs", "consolidate"])["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn the_scope_of_workers_says_which_namespaces_they_look_after() {
    let act = |peri: &Peri| {
        for number in 0..2 {
            let task = format!("재고 보고서 {number}");
            let about = ["--outcome", "success", "--agent", "coder", "-n", "team/shop"];
            peri.ok(&[&["learn", "record", "--task", &task], &about[..]].concat());
        }
        peri.run(&["workers", "run", "ultralearn"]);
        format!("{} waiting", peri.json(&["learn", "stats"])["undistilled"])
    };
    check(("workers.scope", "other"), act, "0 waiting", "2 waiting");
}
