//! MCP over HTTP: an answer whose client broke off is there when it comes back, and what is no message is told as JSON-RPC
//! has it.

use axum::http::Method;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::support::{Ask, House};

const ACCEPT: &str = "application/json, text/event-stream";

fn session(house: &House, method: Method, session: &str) -> Ask {
    let ask = house.ask(method, "/mcp").header("accept", ACCEPT).header("mcp-session-id", session);
    ask.header("mcp-protocol-version", "2025-11-25")
}

/// Begins a session, and gives its name.
async fn begin(house: &House) -> String {
    let client = json!({ "name": "tests", "version": "0" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let greeting = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let greeted = house.post("/mcp", &greeting).header("accept", ACCEPT).send().await;
    assert_eq!(greeted.status, 200, "{}", greeted.text());
    let name = greeted.header("mcp-session-id").to_owned();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(session(house, Method::POST, &name).json(&ready).send().await.status, 202);
    name
}

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// Reads the first event of an answer, and breaks off.
async fn first_event(ask: Ask) -> String {
    let mut body = ask.open().await.into_body();
    let mut text = String::new();
    while !text.contains("\n\n") {
        let frame = body.frame().await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
    }
    let id = text.lines().find_map(|line| line.strip_prefix("id:")).expect("the first event has an id");
    id.trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_there_when_a_client_that_broke_off_comes_back() {
    let house = House::open().await;
    house.keep("default", "The heron lives by the lake");
    let name = begin(&house).await;
    for id in 10..14 {
        let ask = session(&house, Method::POST, &name);
        let last = first_event(ask.json(&call(id, "memory_recall", json!({ "query": "heron" })))).await;
        // Another call is answered in between, so that this one is finished whatever the client does.
        let other = call(100 + id, "memory_stats", json!({}));
        assert_eq!(session(&house, Method::POST, &name).json(&other).send().await.status, 200);
        for _ in 0..2 {
            let resumed = session(&house, Method::GET, &name).header("last-event-id", &last).send().await;
            assert_eq!(resumed.status, 200);
            assert!(resumed.text().contains(&format!("\"id\":{id}")), "{}", resumed.text());
            assert!(resumed.text().contains("by the lake"), "{}", resumed.text());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_id_that_was_not_given_is_refused() {
    let house = House::open().await;
    let name = begin(&house).await;
    for unknown in ["x", "0", "9999/0", "../../x", "99999999999999999999"] {
        let answer = session(&house, Method::GET, &name).header("last-event-id", unknown).send().await;
        answer.problem(400, "invalid-input");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_answered_as_json_rpc_has_it_and_a_session_ends_with_no_content() {
    let house = House::open().await;
    let name = begin(&house).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" });
    let initialize = json!({ "jsonrpc": "2.0", "id": 4, "method": "initialize", "params": {} });
    for (body, code) in [
        ("{".to_owned(), -32700),
        (json!([ping]).to_string(), -32600),
        (json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }).to_string(), -32600),
        (json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" }).to_string(), -32600),
        (initialize.to_string(), -32600),
    ] {
        let answer = session(&house, Method::POST, &name).raw("application/json", body.clone()).send().await;
        let told: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!((answer.status, told["error"]["code"].as_i64()), (400, Some(code)), "{body}: {told}");
    }
    let zeros = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[{}0]}}",
        "0,".repeat(200_000)
    );
    let answer = session(&house, Method::POST, &name).raw("application/json", zeros).send().await;
    answer.problem(400, "invalid-input");
    assert_eq!(session(&house, Method::POST, &name).json(&ping).send().await.status, 200, "it goes on");
    assert_eq!(session(&house, Method::DELETE, &name).send().await.status, 204);
    assert_eq!(session(&house, Method::POST, &name).json(&ping).send().await.status, 404);
}

#[tokio::test]
async fn a_packed_body_is_refused_as_such() {
    let house = House::open().await;
    for path in ["/v1/import", "/v1/memories", "/api/memory/migrate"] {
        let ask = house.ask(Method::POST, path).raw("application/jsonl", vec![0x1f, 0x8b, 8, 0]);
        ask.header("content-encoding", "gzip").send().await.problem(415, "unsupported-media-type");
    }
}
