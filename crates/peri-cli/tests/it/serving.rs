//! `peri serve` and `peri mcp`: how they begin, what they refuse, and how they end.

use std::net::TcpListener;

use serde_json::{Value, json};

use super::served::{Served, Talk};
use super::support::Peri;

#[test]
fn the_address_comes_first_as_text_and_as_json() {
    let peri = Peri::new();
    let served = Served::start(&peri);
    assert_eq!(served.first, format!("listening on http://{}\n", served.address()));
    let served = Served::with(&peri, &["--json"]);
    let told: Value = serde_json::from_str(&served.first).unwrap();
    let url = format!("http://{}", served.address());
    assert_eq!((&told["url"], &told["mcp"]), (&json!(url), &json!(format!("{url}/mcp"))));
    assert_eq!(told["dashboard"], format!("{url}/"));
    assert_eq!(served.get("/").status, 200);
    assert_eq!(served.get("/health/live").status, 200);
    served.terminate();
    assert_eq!(served.wait().1, "", "standard output says nothing else");
}

#[test]
fn the_dashboard_is_the_first_place_that_people_are_told_of() {
    let peri = Peri::new();
    let served = Served::start(&peri);
    let url = format!("http://{}", served.address());
    let log = served.end().log;
    let hint = format!("dashboard: {url}/   MCP clients: {url}/mcp   documentation: {url}/docs");
    assert!(log.contains(&hint), "{log}");
}

#[test]
#[cfg(all(unix, not(target_os = "macos")))]
fn the_dashboard_opens_in_the_browser_only_when_asked() {
    use std::os::unix::fs::PermissionsExt as _;
    let peri = Peri::new();
    let script = peri.file("xdg-open", "#!/bin/sh\nprintf '%s\\n' \"$1\" > opened\n");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let folder = std::path::Path::new(&script).parent().unwrap().to_owned();
    let peri = peri.with("PATH", folder.to_str().unwrap());
    assert_eq!(Served::start(&peri).end().code, Some(0));
    assert!(!folder.join("opened").exists());
    let served = Served::with(&peri, &["--open"]);
    let opened = loop {
        let text = std::fs::read_to_string(folder.join("opened")).unwrap_or_default();
        if text.ends_with('\n') {
            break text;
        }
    };
    assert_eq!(opened, format!("http://{}/\n", served.address()));
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn a_browser_that_cannot_be_opened_stops_nothing() {
    let peri = Peri::new().with("PATH", "/nowhere");
    let served = Served::with(&peri, &["--open"]);
    assert_eq!(served.get("/health/live").status, 200);
    let page = format!("go to http://{}/", served.address());
    let ended = served.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.log.contains("no browser could be opened") && ended.log.contains(&page), "{ended:?}");
}

#[test]
fn what_cannot_be_served_is_refused_before_anything_is_announced() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let cases: [(&[&str], i32, &[&str]); 5] = [
        (&["--listen", "localhost"], 2, &["--listen"]),
        (&["--listen", "127.0.0.1"], 2, &["--listen"]),
        (&["--listen", &address], 2, &["cannot listen on", "--listen"]),
        (&["--tools", "core,grahp"], 2, &["grahp"]),
        (&["--listen", "0.0.0.0:0"], 2, &["can be reached from other machines", "peri key create"]),
    ];
    for (args, code, says) in cases {
        let run = Peri::new().run(&[&["serve"], args].concat());
        assert_eq!((run.code, &run.out[..]), (code, ""), "{args:?}: {run:?}");
        for says in says {
            assert!(run.err.contains(says), "{args:?} should say {says:?}: {}", run.err);
        }
    }
    let run = Peri::new().run(&["mcp", "--tools", "magic"]);
    assert_eq!(run.code, 2, "{run:?}");
}

#[test]
fn an_open_request_is_finished_and_new_ones_are_turned_away_while_the_server_stops() {
    let peri = Peri::new();
    let served = Served::start(&peri);
    assert_eq!(served.get("/health/ready").status, 200);
    let (mut open, rest) = served.begin_remembering("Ana prefers green tea");
    served.terminate();
    served.wait_until_stopping();
    assert_eq!(served.get("/health/ready").status, 503);
    assert_eq!(served.get("/health/live").status, 200);
    let late = served.post("/v1/recall", &json!({"query": "tea"}));
    assert_eq!(late.status, 503, "{late:?}");
    assert!(late.body.contains("/problems/stopping") && late.head.contains("retry-after"), "{late:?}");
    open.go_on(&rest);
    let answer = open.answer();
    assert_eq!(answer.status, 201, "{answer:?}");
    let (ended, _) = served.wait();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(peri.recall(&["tea"]), ["Ana prefers green tea"]);
}

#[test]
fn asked_a_second_time_the_server_ends_at_once() {
    let peri = Peri::new();
    let served = Served::start(&peri);
    let (_open, _) = served.begin_remembering("Ana prefers green tea");
    served.terminate();
    served.wait_until_stopping();
    served.terminate();
    assert_eq!(served.wait().0.code, Some(130));
}

#[test]
fn a_server_that_ended_has_written_what_was_in_memory() {
    let peri = Peri::new();
    let id = peri.remember(&["Ana prefers green tea"]);
    let served = Served::start(&peri);
    assert_eq!(served.post("/v1/recall", &json!({"query": "tea"})).status, 200);
    let ended = served.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    let uses: i64 = database.query_row("SELECT count(*) FROM uses", [], |row| row.get(0)).unwrap();
    assert_eq!(uses, 1, "the recall of {id} is counted");
}

#[test]
fn the_server_of_a_client_ends_when_the_client_leaves() {
    let peri = Peri::new();
    let mut talk = Talk::start(&peri, &[]);
    let told = talk.greet(json!({}));
    assert_eq!(told["serverInfo"]["name"], "perihelion");
    let stored = talk.tool("memory_store", json!({"content": "Ana prefers green tea"}));
    assert_eq!(stored["isError"], false, "{stored}");
    let ended = talk.leave();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(peri.recall(&["tea"]), ["Ana prefers green tea"]);
    // One that never spoke is no failure either.
    assert_eq!(Talk::start(&peri, &[]).leave().code, Some(0));
}

#[test]
fn a_client_is_greeted_before_the_store_is_open() {
    let peri = Peri::new().with("PERI_STORE_BUSY_TIMEOUT_MS", "600000");
    std::fs::create_dir_all(peri.home()).unwrap();
    let blocker = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    blocker.execute_batch("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;").unwrap();
    let mut talk = Talk::start(&peri, &[]);
    assert_eq!(talk.greet(json!({}))["serverInfo"]["name"], "perihelion");
    talk.call(
        "tools/call",
        json!({"name": "memory_store", "arguments": {"content": "Ana prefers green tea"}}),
    );
    talk.call("tools/list", json!({}));
    assert!(talk.hear()["result"]["tools"].is_array(), "the list does not wait for the store");
    blocker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(talk.hear()["result"]["isError"], false);
    assert_eq!(talk.leave().code, Some(0));
}

#[test]
fn a_store_that_cannot_be_opened_is_told_to_the_model() {
    let peri = Peri::new();
    std::fs::create_dir_all(peri.home()).unwrap();
    std::fs::write(peri.home().join("perihelion.db"), "this is no database at all".repeat(100)).unwrap();
    let mut talk = Talk::start(&peri, &[]);
    talk.greet(json!({}));
    let answer = talk.tool("memory_recall", json!({"query": "tea"}));
    assert_eq!(answer["isError"], true, "{answer}");
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("cannot be opened"), "{answer}");
    assert_eq!(talk.leave().code, Some(0));
}
