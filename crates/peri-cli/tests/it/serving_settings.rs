//! Each setting of the servers, their logs and their traces changes something that a client can see.

use std::net::TcpListener;

use serde_json::{Value, json};

use super::configuration::check;
use super::served::{Answer, Served, Talk};
use super::support::{Peri, text};

/// The status of one request, so that no number is part of another.
fn status(answer: &Answer) -> String {
    format!("status {}", answer.status)
}

#[test]
fn listen_says_where() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let run = Peri::new().with("PERI_SERVER_LISTEN", &address).run(&["serve"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains(&format!("cannot listen on {address}")), "{}", run.err);
}

#[test]
fn hosts_and_origins_say_who_may_come() {
    let host =
        |peri: &Peri| status(&Served::start(peri).ask("GET", "/version", &[("host", "memory.example")], ""));
    check(("server.hosts", "memory.example"), host, "status 403", "status 200");
    let origin = |peri: &Peri| {
        let page = [("origin", "https://app.example")];
        status(&Served::start(peri).ask("GET", "/version", &page, ""))
    };
    check(("server.origins", "https://app.example"), origin, "status 403", "status 200");
}

#[test]
fn body_mb_max_says_how_large_a_request_may_be() {
    let act = |peri: &Peri| {
        let large = json!({"content": "x".repeat(3 << 20)});
        status(&Served::start(peri).post("/v1/memories", &large))
    };
    check(("server.body_mb_max", "1"), act, "status 400", "status 413");
}

/// What two writers are told who come while nobody can write to the store. The store is released after as many
/// answers as `before` says.
fn two_writers(concurrency_max: &str, queue_timeout_ms: &str, before: usize) -> Vec<Answer> {
    let peri = Peri::new()
        .with("PERI_STORE_BUSY_TIMEOUT_MS", "600000")
        .with("PERI_SERVER_CONCURRENCY_MAX", concurrency_max)
        .with("PERI_SERVER_QUEUE_TIMEOUT_MS", queue_timeout_ms);
    let served = Served::start(&peri);
    let blocker = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (sender, answers) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for content in ["Ana prefers green tea", "the kiln is in the shed"] {
            let (sender, served) = (sender.clone(), &served);
            scope.spawn(move || {
                sender.send(served.post("/v1/memories", &json!({ "content": content }))).unwrap();
            });
        }
        let mut heard: Vec<Answer> = answers.iter().take(before).collect();
        blocker.execute_batch("ROLLBACK").unwrap();
        heard.extend(answers.iter().take(2 - before));
        heard
    })
}

#[test]
fn concurrency_and_queue_say_how_many_are_served_at_once_and_how_long_others_wait() {
    // One at a time, and nobody waits: of two, one is sent away while the other has the turn.
    let answers = two_writers("1", "1", 1);
    assert_eq!((answers[0].status, answers[1].status), (503, 201), "{answers:?}");
    assert!(answers[0].body.contains("/problems/overloaded"), "{answers:?}");
    // Two at a time, or one at a time and all the time in the world: both are served.
    for (concurrency, queue) in [("2", "1"), ("1", "600000")] {
        let answers = two_writers(concurrency, queue, 0);
        assert!(answers.iter().all(|answer| answer.status == 201), "{answers:?}");
    }
}

#[test]
fn grace_seconds_says_how_long_open_requests_may_take() {
    let peri = Peri::new().with("PERI_SERVER_GRACE_SECONDS", "0");
    let served = Served::start(&peri);
    let (open, _) = served.begin_remembering("Ana prefers green tea");
    served.terminate();
    assert_eq!(open.answer().status, 0, "the connection is closed without waiting for the rest");
    let (ended, _) = served.wait();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.log.contains("the grace is over"), "{}", ended.log);
}

#[test]
fn requests_per_minute_says_how_often_somebody_may_ask() {
    let act = |peri: &Peri| {
        let served = Served::start(peri);
        served.get("/version");
        status(&served.get("/version"))
    };
    check(("server.requests_per_minute", "1"), act, "status 200", "status 429");
}

#[test]
fn the_settings_for_models_say_what_they_are_offered() {
    let tools = |peri: &Peri| {
        let mut talk = Talk::start(peri, &[]);
        talk.greet(json!({}));
        talk.call("tools/list", json!({}));
        talk.hear().to_string()
    };
    check(("mcp.tools", "core,admin"), tools, "\"memory_recall\"", "\"memory_maintain\"");
    let greeting = |peri: &Peri| Talk::start(peri, &[]).greet(json!({})).to_string();
    check(("mcp.instructions", "Answer in Danish."), greeting, "Long-term memory", "Answer in Danish.");
    let place = |peri: &Peri| {
        let mut talk = Talk::start(peri, &[]);
        talk.greet(json!({"roots": {}}));
        talk.call("tools/call", json!({"name": "memory_store", "arguments": {"content": "tea is hot"}}));
        let asked = talk.hear();
        assert_eq!(asked["method"], "roots/list", "{asked}");
        let roots = json!({"roots": [{"uri": "file:///home/ana/shop"}]});
        talk.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": roots}));
        text(&talk.hear()["result"]["structuredContent"]["namespace"])
    };
    check(("mcp.workspaces", "/home/ana/shop=team/till"), place, "shop", "team/till");
}

/// The log of a server that answered one question.
fn log(peri: &Peri, args: &[&str]) -> String {
    let served = Served::with(peri, args);
    let ask = [("x-request-id", "asked-once"), ("content-type", "application/json")];
    let question = json!({"query": "what does Ana drink"}).to_string();
    assert_eq!(served.ask("POST", "/v1/recall", &ask, &question).status, 200);
    let ended = served.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.log
}

#[test]
fn the_level_says_what_is_logged_and_arguments_go_before_it() {
    assert!(log(&Peri::new(), &[]).contains("request_id=asked-once"));
    let some = Peri::new().with("PERI_LOG_LEVEL", "info,peri_http::guard=warn");
    assert!(!log(&some, &[]).contains("answered"));
    assert!(log(&some, &[]).contains("peri_http::server: stopping"));
    let quiet = Peri::new().with("PERI_LOG_LEVEL", "warn");
    assert_eq!(log(&quiet, &["-q"]), "");
    assert!(!log(&quiet, &[]).contains("answered"));
    assert!(log(&quiet, &["-v"]).contains("answered"));
}

#[test]
fn a_log_for_programs_is_one_object_a_line() {
    let log = log(&Peri::new().with("PERI_LOG_FORMAT", "json"), &["--json"]);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered = lines.iter().find(|line| line["message"] == "answered").unwrap();
    assert_eq!(answered["request_id"], "asked-once");
    assert_eq!((&answered["level"], &answered["target"]), (&json!("info"), &json!("peri_http::guard")));
    assert_eq!(answered["spans"], json!(["request"]));
    assert_eq!(answered["fields"]["route"], "/v1/recall");
    assert_eq!(answered["fields"]["status"], 200);
    assert!(answered["fields"]["took_us"].is_u64());
    assert!(text(&answered["time"]).parse::<jiff::Timestamp>().is_ok());
    assert!(lines.iter().all(|line| line["fields"].get("otel.name").is_none()), "{log}");
}

#[test]
fn no_log_holds_memories_questions_or_keys() {
    let peri = Peri::new();
    let secret = text(&peri.json(&["key", "create", "laptop", "--role", "admin"])["secret"]);
    assert!(!secret.is_empty());
    let served = Served::with(&peri, &["-vvv"]);
    let bearer = format!("Bearer {secret}");
    let ask = |path: &str, accept: &str, body: Value| {
        let headers =
            [("authorization", bearer.as_str()), ("content-type", "application/json"), ("accept", accept)];
        served.ask("POST", path, &headers, &body.to_string())
    };
    let stored = ask("/v1/memories", "*/*", json!({"content": "Ana prefers marzipan", "tags": ["pastries"]}));
    assert_eq!(stored.status, 201, "{stored:?}");
    assert_eq!(ask("/v1/recall", "*/*", json!({"query": "whose marzipan"})).status, 200);
    assert_eq!(ask("/v1/recall", "*/*", json!({"query": "marzipan", "limit": 100_000})).status, 400);
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    assert_eq!(ask("/mcp", "application/json, text/event-stream", greeting).status, 200);
    assert_eq!(served.get("/health/live").status, 200);
    let http = served.end().log;
    let mut talk = Talk::start(&peri, &["-vvv"]);
    talk.greet(json!({}));
    talk.tool("memory_store", json!({"content": "Bruno prefers marzipan"}));
    talk.tool("memory_recall", json!({"query": "marzipan for whom"}));
    let stdio = talk.leave().log;
    for log in [http, stdio] {
        assert!(log.contains("DEBUG"), "{log}");
        for word in ["marzipan", "pastries", &secret] {
            assert!(!log.contains(word), "{word:?} is in {log}");
        }
    }
}
