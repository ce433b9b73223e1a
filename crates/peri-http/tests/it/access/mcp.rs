//! The same keys at the door for models.

use axum::http::Method;
use serde_json::{Value, json};

use super::world::{ELSEWHERE, HOME, Told, Who, World};
use crate::support::{Answer, Ask};

const VERSION: &str = "2025-06-18";

fn post(world: &World, who: Who, session: Option<&str>, message: &Value) -> Ask {
    let ask = world.by(who, world.house.ask(Method::POST, "/mcp").json(message));
    let ask = ask.header("accept", "application/json, text/event-stream");
    match session {
        Some(session) => ask.header("mcp-session-id", session).header("mcp-protocol-version", VERSION),
        None => ask,
    }
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }})
}

/// The answer in a body of JSON or of server-sent events.
fn message(answer: &Answer) -> Value {
    let lines = answer.text().lines().map(|line| line.trim_start_matches("data:").trim());
    let mut found = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    found.find(|message| message.get("id").is_some()).unwrap_or_else(|| panic!("{}", answer.text()))
}

/// Begins a session.
async fn begin(world: &World, who: Who) -> String {
    let answer = post(world, who, None, &initialize()).send().await;
    assert_eq!(answer.status, 200, "{who:?}: {}", answer.text());
    assert_eq!(message(&answer)["result"]["protocolVersion"], VERSION);
    let session = answer.header("mcp-session-id").to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(post(world, who, Some(&session), &ready).send().await.status, 202);
    session
}

/// Calls a tool: whether it was refused, and what was said.
async fn call(world: &World, who: Who, session: &str, tool: &str, arguments: Value) -> (bool, String) {
    let request = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments}});
    let answer = post(world, who, Some(session), &request).send().await;
    assert_eq!(answer.status, 200, "{who:?}: {}", answer.text());
    let result = message(&answer)["result"].clone();
    (result["isError"].as_bool().unwrap_or(false), result.to_string())
}

#[tokio::test]
async fn models_are_let_in_by_the_same_keys() {
    let world = World::open().await;
    for who in Who::ALL {
        let answer = post(&world, who, None, &initialize()).send().await;
        if who.role().is_some() {
            assert_eq!(answer.status, 200, "{who:?}: {}", answer.text());
        } else {
            answer.problem(401, "unauthenticated");
        }
    }
}

#[tokio::test]
async fn a_session_that_somebody_began_does_not_let_others_in() {
    let world = World::open().await;
    let session = begin(&world, Who::Owner).await;
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    for who in [Who::Stranger, Who::WrongKey, Who::RevokedKey] {
        post(&world, who, Some(&session), &list).send().await.problem(401, "unauthenticated");
    }
    // To any other key it is as if the session had never been.
    for who in [Who::Reader, Who::Admin, Who::Foreigner] {
        let theirs = post(&world, who, Some(&session), &list).send().await;
        let never = post(&world, who, Some("00000000-0000-0000-0000-000000000000"), &list).send().await;
        assert_eq!((theirs.status, &theirs.body), (404, &never.body), "{who:?}: {}", theirs.text());
        for method in [Method::GET, Method::DELETE] {
            let ask = world.by(who, world.house.ask(method, "/mcp")).header("mcp-session-id", &session);
            let answer = ask.header("accept", "text/event-stream").send().await;
            assert!([202, 204, 404].contains(&answer.status), "{who:?}: {}", answer.text());
        }
    }
    assert_eq!(post(&world, Who::Owner, Some(&session), &list).send().await.status, 200);
}

#[tokio::test]
async fn a_reader_changes_nothing_and_a_foreigner_sees_nothing() {
    let world = World::open().await;
    let targets = world.targets();
    let before = world.state();
    let number = world.house.engine.last_event_number().unwrap();
    let store = json!({"content": "a statement that must not be kept", "namespace": HOME});
    let get = json!({"id": targets.memory, "namespace": HOME});
    let session = begin(&world, Who::Reader).await;
    let (refused, said) = call(&world, Who::Reader, &session, "memory_store", store.clone()).await;
    assert!(refused && said.contains("writer"), "{said}");
    let forget = json!({"id": targets.memory, "namespace": HOME});
    assert!(call(&world, Who::Reader, &session, "memory_forget", forget).await.0);
    let (refused, said) = call(&world, Who::Reader, &session, "memory_get", get.clone()).await;
    assert!(!refused && said.contains("the first of two statements"), "{said}");

    let session = begin(&world, Who::Foreigner).await;
    for (tool, arguments) in [
        ("memory_store", store.clone()),
        ("memory_get", get),
        ("memory_recall", json!({"query": "statements", "namespace": HOME})),
        ("memory_export", json!({"namespace": HOME})),
        ("memory_stats", json!({"namespace": HOME})),
    ] {
        let (refused, said) = call(&world, Who::Foreigner, &session, tool, arguments).await;
        assert!(refused && !said.contains("of two statements"), "{tool}: {said}");
    }
    let (_, said) = call(&world, Who::Foreigner, &session, "memory_get", json!({"id": targets.memory})).await;
    assert!(!said.contains("of two statements") && !said.contains(HOME), "{said}");
    let query = json!({"query": "statements"});
    let (refused, said) = call(&world, Who::Foreigner, &session, "memory_recall", query).await;
    assert!(!refused && !said.contains("of two statements"), "{said}");
    assert_eq!(world.state(), before);

    let session = begin(&world, Who::Writer).await;
    let (refused, said) = call(&world, Who::Writer, &session, "memory_store", store).await;
    assert!(!refused, "{said}");
    let beyond = json!({"content": "not theirs", "namespace": ELSEWHERE});
    assert!(call(&world, Who::Writer, &session, "memory_store", beyond).await.0);

    let mut expected = Told::new();
    for (tool, reason, who) in [
        ("memory_store", "role", Who::Reader),
        ("memory_forget", "role", Who::Reader),
        ("memory_store", "namespace", Who::Foreigner),
        ("memory_get", "namespace", Who::Foreigner),
        ("memory_recall", "namespace", Who::Foreigner),
        ("memory_export", "namespace", Who::Foreigner),
        ("memory_stats", "namespace", Who::Foreigner),
        ("memory_store", "namespace", Who::Writer),
    ] {
        expected.insert((tool.to_owned(), reason.to_owned(), world.key_of(who)), 1);
    }
    assert_eq!(world.told_since(number), expected);
}
