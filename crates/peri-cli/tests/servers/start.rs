//! Starting while the server is away.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::database::{Away, Database, contents, entries, program, store, until};
use crate::served::{Served, Talk};

/// A command makes a handful of attempts at most, each of which waits for a second; one that takes this long is held up
/// for good.
const LONGEST: Duration = Duration::from_secs(60);

fn check_time(began: Instant) {
    let took = began.elapsed();
    assert!(took < LONGEST, "a command took {took:?}");
}

fn check_known(server: Option<Database>, away: Away) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let peri = program(&url);
    peri.remember(&["The heron lives by the lake"]);
    server.leave(away);

    let began = Instant::now();
    let run = peri.run(&["remember", "지수는 제주도로 이사했다"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("queued ") && run.err.contains("kept on this machine"), "{run:?}");
    check_time(began);

    let began = Instant::now();
    let recalled = peri.json(&["recall", "heron"]);
    assert_eq!(recalled["hits"], json!([]));
    assert!(recalled["degraded"][0].as_str().unwrap().contains("cannot be reached"), "{recalled}");
    check_time(began);

    let mut talk = Talk::start(&peri, &[]);
    talk.greet(json!({}));
    let answer = talk.tool("memory_store", json!({ "content": "李娜喜欢喝茶" }));
    assert!(!answer["isError"].as_bool().unwrap_or_default(), "{answer}");
    assert!(answer.to_string().contains("queued"), "{answer}");
    let answer = talk.tool("memory_recall", json!({ "query": "heron" }));
    assert!(!answer["isError"].as_bool().unwrap_or_default(), "{answer}");
    let ended = talk.leave();
    assert_eq!(ended.code, Some(0), "{}", ended.log);

    let served = Served::start(&peri);
    assert_eq!(served.get("/health/live").status, 200);
    assert_eq!(served.get("/health/ready").status, 503);
    let health: Value = serde_json::from_str(&served.get("/v1/health").body).unwrap();
    assert_eq!((&health["healthy"], &health["store_reachable"]), (&json!(false), &json!(false)), "{health}");
    let answer = served.post("/v1/memories", &json!({ "content": "Ana moved to Busan" }));
    assert_eq!(answer.status, 202, "{answer:?}");
    let answer = served.post("/v1/recall", &json!({ "query": "heron" }));
    assert_eq!(answer.status, 200, "{answer:?}");

    server.come_back();
    until("readiness", || served.get("/health/ready").status == 200);
    until("an empty queue", || served.number("peri_queue_depth") == 0);
    assert_eq!(served.end().code, Some(0));
    let told =
        ["Ana moved to Busan", "The heron lives by the lake", "李娜喜欢喝茶", "지수는 제주도로 이사했다"];
    assert_eq!(contents(&url), told);
    assert_eq!(peri.recall(&["where does the heron live?"])[0], "The heron lives by the lake");
}

#[test]
fn programs_start_without_a_postgresql_that_was_met_before_and_queue_what_they_are_told() {
    check_known(Database::postgres(), Away::Stopped);
}

#[test]
fn programs_start_without_a_mariadb_that_was_met_before_and_queue_what_they_are_told() {
    check_known(Database::mariadb(), Away::Killed);
}

#[test]
fn programs_start_beside_a_server_that_hangs_and_wait_for_it_no_longer_than_they_are_told_to() {
    check_known(Database::postgres(), Away::Hung);
}

fn check_strange(server: Option<Database>) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let peri = program(&url);
    server.leave(Away::Stopped);
    let run = peri.run(&["remember", "The heron lives by the lake"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("queued ") && run.err.contains("kept on this machine"), "{run:?}");
    let run = peri.run(&["journal", "append", "배포가 끝났다"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("queued "), "{run:?}");
    let recalled = peri.json(&["recall", "heron"]);
    assert!(recalled["degraded"][0].as_str().unwrap().contains("cannot be reached"), "{recalled}");

    let mut talk = Talk::start(&peri, &[]);
    talk.greet(json!({}));
    let answer = talk.tool("memory_store", json!({ "content": "李娜喜欢喝茶" }));
    assert!(answer.to_string().contains("queued"), "{answer}");
    assert_eq!(talk.leave().code, Some(0));

    let run = peri.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_ne!(run.code, 0, "others could reach it before its keys are known: {run:?}");
    assert!(run.err.contains("the store that knows the keys does not answer"), "{run:?}");

    let served = Served::start(&peri);
    assert_eq!(served.get("/health/ready").status, 503);
    let health = served.get("/v1/health").body;
    assert!(health.contains("never met from this folder"), "{health}");
    let answer = served.post("/v1/memories", &json!({ "content": "Ana moved to Busan" }));
    assert_eq!(answer.status, 202, "{answer:?}");
    server.come_back();
    until("readiness", || served.get("/health/ready").status == 200);
    until("an empty queue", || served.number("peri_queue_depth") == 0);
    assert!(!served.get("/v1/health").body.contains("never met from this folder"));
    let recalled = served.post("/v1/recall", &json!({ "query": "where does the heron live?" }));
    assert!(recalled.body.contains("The heron lives by the lake"), "{recalled:?}");
    assert_eq!(served.end().code, Some(0));
    assert_eq!(contents(&url), ["Ana moved to Busan", "The heron lives by the lake", "李娜喜欢喝茶"]);
    assert_eq!(entries(&store(&url)).len(), 1);
}

#[test]
fn programs_start_without_a_server_that_was_never_met_and_queue_what_they_are_told() {
    check_strange(Database::postgres());
    check_strange(Database::mariadb());
}

#[test]
fn a_folder_that_met_one_database_queues_for_another_that_is_away() {
    let Some(mut server) = Database::postgres() else { return };
    let (one, other) = (server.fresh(), server.fresh());
    let peri = program(&one);
    peri.remember(&["The heron lives by the lake"]);
    server.leave(Away::Stopped);
    let peri = peri.with("PERI_STORE_URL", &other);
    let run = peri.run(&["remember", "Ana moved to Busan"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("queued "), "{run:?}");
    server.come_back();
    peri.remember(&["Ana likes tea"]);
    assert_eq!(contents(&other), ["Ana likes tea", "Ana moved to Busan"]);
    assert_eq!(contents(&one), ["The heron lives by the lake"]);
}

#[test]
fn keys_of_a_store_that_was_never_met_hold_from_its_first_answer_on() {
    let Some(mut server) = Database::postgres() else { return };
    let url = server.fresh();
    let created = program(&url).json(&["key", "create", "one", "--role", "writer"]);
    let bearer = format!("Bearer {}", created["secret"].as_str().unwrap());
    server.leave(Away::Stopped);
    let peri = program(&url);
    let served = Served::start(&peri);
    let remember = |headers: &[(&str, &str)], content: &str| {
        let headers = [&[("content-type", "application/json")], headers].concat();
        served.ask("POST", "/v1/memories", &headers, &json!({ "content": content }).to_string()).status
    };
    let own = [("authorization", bearer.as_str())];
    assert_eq!(remember(&own, "Ana moved to Busan"), 202);
    assert_eq!(remember(&[], "李娜喜欢喝茶"), 202, "on loopback alone, nobody knows of keys yet");
    server.come_back();
    until("what was queued in the store", || contents(&url).len() == 2);
    until("a key that is asked for", || remember(&[], "The stork nests on the roof") == 401);
    assert_eq!(remember(&[], "The heron lives by the lake"), 401);
    assert_eq!(remember(&own, "The heron lives by the lake"), 201);
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn keys_that_were_let_in_before_are_let_in_while_the_server_is_away_and_no_others() {
    let Some(mut server) = Database::postgres() else { return };
    let peri = program(&server.fresh());
    let create = |name: &str| {
        let created = peri.json(&["key", "create", name, "--role", "writer"]);
        created["secret"].as_str().unwrap().to_owned()
    };
    let (seen, unseen) = (create("seen"), create("unseen"));
    let served = Served::start(&peri);
    let remember = |secret: &str, content: &str| {
        let bearer = format!("Bearer {secret}");
        let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
        served.ask("POST", "/v1/memories", &headers, &json!({ "content": content }).to_string()).status
    };
    assert_eq!(remember(&seen, "The heron lives by the lake"), 201);
    server.leave(Away::Stopped);
    assert_eq!(remember(&seen, "Ana moved to Busan"), 202);
    assert_eq!(remember(&unseen, "Ana moved to Seoul"), 503, "nobody can say whether this key is one");
    let wrong = format!("{}a", &seen[..seen.len() - 1]);
    assert_eq!(remember(if wrong == seen { "peri_x" } else { &wrong }, "Ana moved to Daegu"), 401);
    let answer = served.post("/v1/memories", &json!({ "content": "Ana moved to Daejeon" }));
    assert_eq!(answer.status, 401, "{answer:?}");
    server.come_back();
    until("an empty queue", || remember(&unseen, "Ana moved to Seoul") != 503);
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn a_request_that_is_sent_again_while_the_server_is_away_is_made_once() {
    let Some(mut server) = Database::mariadb() else { return };
    let url = server.fresh();
    let peri = program(&url);
    let served = Served::start(&peri);
    let body = json!({ "entries": [{ "text": "Ana asked for tea" }] }).to_string();
    let append = || {
        let headers = [("content-type", "application/json"), ("idempotency-key", "tea-1")];
        served.ask("POST", "/v1/journal", &headers, &body)
    };
    server.leave(Away::Stopped);
    let (first, again) = (append(), append());
    assert_eq!((first.status, again.status), (202, 202), "{first:?} {again:?}");
    assert!(again.head.contains("idempotency-replayed: true") && first.body == again.body, "{again:?}");
    server.come_back();
    until("an empty queue", || served.number("peri_queue_depth") == 0);
    assert!(append().head.contains("idempotency-replayed: true"), "also when the server is back");
    assert_eq!(served.end().code, Some(0));
    let texts: Vec<String> = entries(&store(&url)).into_iter().map(|entry| entry.text).collect();
    assert_eq!(texts, ["Ana asked for tea"]);
}
